"""`--watch`: compile again whenever a file changes that the last run has read, or has not found.

Each run prints its messages, then a line: the time, and what changed in the statistics.  Files are looked at several
times a second; nothing but their contents counts, and a change is waited out until the files hold still.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from glslc_multi.cache.footprint import Footprint, recording
from glslc_multi.cache.lookup import ABSENT, digest
from glslc_multi.cli.messages import print_messages
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.files import begin_run, note_unrepeatable
from glslc_multi.files import STANDARD_STREAM

if TYPE_CHECKING:
    from glslc_multi.cli.compilation import Compilation

_SECONDS_BETWEEN_LOOKS = 0.2

#: Numbers of every stage, by compilation.
Statistics = Mapping[str, Mapping[str, Any]]
#: One run: reports to the sink, gives the compilations whose statistics are watched.
Run = Callable[[DiagnosticSink], "list[Compilation]"]


def watch(options: argparse.Namespace, run: Run, sink: DiagnosticSink) -> NoReturn:
    """Run again and again, until interrupted."""
    if STANDARD_STREAM in options.inputs:
        sink.report(usage.CONFLICTING_OPTIONS, first=STANDARD_STREAM, second="--watch")
        sink.raise_if_errors()
    note_unrepeatable()
    before: Statistics = {}
    while True:
        begin_run()
        footprint = Footprint()
        with recording(footprint):
            before = _run_once(options, run, sink.renewed(), before)
        _wait_for_change(footprint.states)


def _run_once(options: argparse.Namespace, run: Run, sink: DiagnosticSink, before: Statistics) -> Statistics:
    """The statistics after this run; those before it where it failed."""
    try:
        from glslc_multi.cli.results import by_name
        from glslc_multi.report.statistics import statistics_data

        numbers = {name: statistics_data(stages) for name, stages in by_name(run(sink)).items()}
    except CompileError as error:
        print_messages(error.diagnostics, options.diagnostics_format, options.color)
        _say("not compiled; waiting for changes")
        return before
    print_messages(sink.diagnostics, options.diagnostics_format, options.color)
    changes = list(_changes(before, numbers))
    _say("; ".join(changes) if changes else "compiled, the statistics are the same" if before else "compiled")
    return numbers


def _say(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


def _changes(before: Statistics, after: Statistics) -> Iterator[str]:
    """`a.vert pica200 vertex: instructions 19 (+2)`, of what is new or other than before."""
    for name, stages in after.items():
        for stage, numbers in stages.items():
            old = before.get(name, {}).get(stage, {})
            shown = [_change(key, old.get(key), value) for key, value in numbers.items() if old.get(key) != value]
            if shown:
                yield f"{name} {stage}: ".lstrip() + ", ".join(shown)


def _change(key: str, old: int | None, new: int) -> str:
    return f"{key.replace('_', ' ')} {new}" + ("" if old is None else f" ({new - old:+})")


# --------------------------------------------------------------------------------------- the files
def _wait_for_change(states: Mapping[str, bytes]) -> None:
    last = dict(states)
    changed = False
    while True:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
        now = {path: _state(path) for path in states}
        if changed and now == last:
            return
        changed |= now != states
        last = now


def _state(path: str) -> bytes:
    try:
        return digest(Path(path).read_bytes())
    except (OSError, ValueError):
        return ABSENT
