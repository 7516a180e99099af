"""A batch from start to end: what is known is looked up, the rest compiled, everything written.

In: variants and how to treat them.  Out: files below a folder, `index.json` among them, and a summary.  Results are
kept as soon as they exist, so a run that is killed goes on where it was; and files do not depend on who computed them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from glslc_multi.batch.pool import run_in_pool
from glslc_multi.batch.progress import Progress
from glslc_multi.batch.variants import Variant
from glslc_multi.batch.work import Outcome, Settings
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.files import note_inputs
from glslc_multi.compiler.own_files import read_file
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.files import write_bytes, write_together

#: Variants that a worker gets at once: few enough to share the work evenly, enough to be worth sending.
_MOST_AT_ONCE = 16
#: Different messages that are printed.
_MOST_MESSAGES = 10
_WORDS = {"cache": "from the cache", "text": "with the same text", "code": "with the same code", "compiled": "compiled"}
_SUMMARIES = {
    1: usage.VARIANTS_FAILED,
    2: usage.VARIANTS_UNREADABLE,
    3: usage.VARIANTS_TOO_BIG,
    70: usage.VARIANTS_CRASHED,
}
_INDEX_VERSION = 2


@dataclass(frozen=True, slots=True)
class Workers:
    """Who compiles: a number of processes here, or the workers of a scheduler."""

    count: int = 1
    scheduler: str | None = None


@dataclass(slots=True)
class Report:
    """The result of a batch."""

    #: Exit status of each variant's compilation.
    statuses: list[int]
    how: Counter[str] = field(default_factory=Counter)
    #: Rendered messages -> the variants that have them.
    messages: dict[str, list[int]] = field(default_factory=dict)

    def note(self, outcome: Outcome) -> None:
        self.how[outcome.how] += 1
        self.statuses[outcome.number] = outcome.result.status
        if outcome.result.messages:
            self.messages.setdefault(outcome.result.messages, []).append(outcome.number)

    def summary(self) -> str:
        """One line: `240 variants: 200 from the cache, 40 compiled; 2 failed`."""
        parts = [f"{self.how[how]} {words}" for how, words in _WORDS.items() if self.how[how]]
        failed = sum(map(bool, self.statuses))
        done = ", ".join(parts) or "nothing to do"
        return f"{len(self.statuses)} variants: {done}" + (f"; {failed} failed\n" if failed else "\n")

    def message_text(self, variants: Sequence[Variant]) -> str:
        """The messages of the first variants that have any, each once, under the name of a variant."""
        found = sorted(self.messages.items(), key=lambda item: min(item[1]))
        texts = []
        for text, numbers in found[:_MOST_MESSAGES]:
            others = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
            texts.append(f"{_describe(variants[min(numbers)])}{others}:\n{text}")
        left = len(found) - _MOST_MESSAGES
        return "".join(texts) + (f"and {left} other messages\n" if left > 0 else "")

    def report_failures(self, sink: DiagnosticSink) -> None:
        for status, count in sorted(Counter(self.statuses).items()):
            if status in _SUMMARIES:
                sink.report(_SUMMARIES[status], count=count, total=len(self.statuses))


def run_batch(
    variants: Sequence[Variant],
    folder: Path,
    settings: Settings,
    workers: Workers,
    progress: Progress,
    sink: DiagnosticSink,
) -> Report:
    """Compile all variants and write their files."""
    report = Report([0] * len(variants))
    for place in {folder, *((folder / variant.stem).parent for variant in variants)}:
        _make_folder(place, sink)
    # What is there already may be read by a variant that is yet to be compiled.
    changed: list[tuple[str, bytes]] = []
    note_inputs(source for variant in variants for source in variant.sources.values())
    for outcome in _outcomes(variants, settings, workers, progress, sink):
        report.note(outcome)
        note_inputs(outcome.result.inputs)
        for suffix, data in outcome.result.files:
            path = Path(f"{folder / variants[outcome.number].stem}{suffix}")
            _make_folder(path.parent, sink)
            if not path.exists():
                write_bytes(str(path), data, sink)
            elif not _holds(str(path), data):
                changed.append((str(path), data))
    write_together(changed, sink)
    progress.finish()
    return report


def index_text(variants: Sequence[Variant], statuses: Sequence[int]) -> str:
    """All variants and their files, for programs."""
    rows = [
        {
            "sources": {stage: Path(file).as_posix() for stage, file in variant.sources.items()},
            "target": variant.target,
            "defines": dict(variant.request.front_end.defines),
            "file": variant.output if status == 0 else None,
            "files": variant.outputs if status == 0 else {},
            "status": status,
        }
        for variant, status in zip(variants, statuses, strict=True)
    ]
    return json.dumps({"version": _INDEX_VERSION, "variants": rows}, indent=1) + "\n"


def _describe(variant: Variant) -> str:
    """`sky.frag for agal, LIGHTS=4`, and of a pair `sky.vert and sky.frag for agal`."""
    macros = [f"{name}={value}" for name, value in variant.request.front_end.defines.items()]
    return ", ".join([f"{' and '.join(variant.sources.values())} for {variant.target}", *macros])


def _outcomes(
    variants: Sequence[Variant], settings: Settings, workers: Workers, progress: Progress, sink: DiagnosticSink
) -> Iterator[Outcome]:
    """Known results first, then the others as they become ready."""
    results = settings.results()
    missing = []
    for number, variant in enumerate(variants):
        known = results.of_variant(variant)
        if known is None:
            missing.append((number, variant))
            continue
        progress.found(1)
        yield Outcome(number, "cache", known)
    # Variants of one source and target are most alike: done one after the other, each finds what they share.
    missing.sort(key=lambda numbered: (list(numbered[1].sources.values()), numbered[1].target))
    size = max(1, min(_MOST_AT_ONCE, len(missing) // (8 * workers.count)))
    tasks = [missing[start : start + size] for start in range(0, len(missing), size)]
    if workers.scheduler is not None and tasks:
        from glslc_multi.batch.farm import run_on_farm

        computed = run_on_farm(tasks, settings, workers.scheduler, sink)
    else:
        targets = {variant.target for _, variant in missing}
        computed = run_in_pool(tasks, settings, workers.count, targets)
    for outcomes in computed:
        progress.advance(len(outcomes))
        yield from outcomes


def _make_folder(place: Path, sink: DiagnosticSink) -> None:
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sink.report(usage.UNWRITABLE_OUTPUT, path=str(place), reason=(error.strerror or "unknown reason").lower())
        sink.raise_if_errors()


def _holds(path: str, data: bytes) -> bool:
    """Whether a file has the right content: it keeps its modification time, for tools that look at it."""
    try:
        return read_file(path) == data
    except OSError:
        return False
