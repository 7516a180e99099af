"""`glslc-multi stats diff OLD NEW`: what changed between two files of statistics, and whether too much.

The files hold what `--stats=json` and `--emit stats` print: numbers under names, in any nesting.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from glslc_multi.cli.parser import new_parser, parse_or_help, refuse_value
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits, usage
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.files import STANDARD_STREAM, read_text, write_text
from glslc_multi.report.table import text_table

_USAGE = "glslc-multi stats diff [options] OLD.json NEW.json"
_DESCRIPTION = "Compare two files that --stats=json or --emit stats made."
_ACTIONS = ("diff",)
_PERCENTAGE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?%?")

Numbers = Mapping[str, int | float]


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    found = parse_or_help(build_parser(), arguments, sink)
    if found is None:
        return
    words = found.words
    if not words or words[0] not in _ACTIONS:
        help = (did_you_mean(words[0], _ACTIONS) if words else None) or "it is: stats diff OLD NEW"
        sink.report(usage.UNEXPECTED_ARGUMENT if words else usage.NO_INPUT, help=help, argument="".join(words[:1]))
    elif len(words) < 3:
        sink.report(usage.NO_INPUT, help="stats diff takes two files")
    elif len(words) > 3:
        sink.report(usage.UNEXPECTED_ARGUMENT, argument=words[3])
    sink.raise_if_errors()
    old, new = (_read_numbers(path, sink) for path in found.words[1:])
    write_text(STANDARD_STREAM, _as_json(old, new) if found.json else _as_text(old, new), sink)
    if found.max_growth is not None:
        _judge(old, new, found.max_growth, sink)


def build_parser() -> argparse.ArgumentParser:
    """The options of the subcommand."""
    parser = new_parser("glslc-multi stats", _DESCRIPTION, _USAGE)
    parser.epilog = "Example: glslc-multi stats diff before.json after.json --max-growth 5"
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument(
        "--max-growth", type=_percent, metavar="PERCENT", help="fail (status 1) if a number grows by more"
    )
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    return parser


def _percent(value: str) -> float:
    if not _PERCENTAGE.fullmatch(value):
        refuse_value("--max-growth", "a percentage", value)
    return float(value.removesuffix("%"))


# -------------------------------------------------------------------------------------- reading
def _read_numbers(path: str, sink: DiagnosticSink) -> Numbers:
    text = read_text(path, sink)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = f"it is not JSON ({error})" if isinstance(error, ValueError) else "it is nested too deeply"
        sink.report(usage.UNUSABLE_JSON, path=path, problem=reason)
        sink.raise_if_errors()
    numbers = dict(_leaves(data, ()))
    if not numbers:
        sink.report(usage.UNUSABLE_JSON, path=path, problem="it holds no numbers under names")
        sink.raise_if_errors()
    return numbers


def _leaves(data: Any, path: tuple[str, ...]) -> Iterator[tuple[str, int | float]]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _leaves(value, (*path, name))
    elif isinstance(data, (int, float)) and not isinstance(data, bool) and path:
        yield ".".join(path), data


# ------------------------------------------------------------------------------------ comparing
def _growth(old: float, new: float) -> float:
    """In per cent; from 0 it is endless."""
    return 0.0 if old == new else (new - old) * 100 / abs(old) if old else float("inf")


def _rows(old: Numbers, new: Numbers) -> Iterator[tuple[str, int | float | None, int | float | None]]:
    """What differs, in the order of the files."""
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before != after:
            yield name, before, after


def _as_text(old: Numbers, new: Numbers) -> str:
    rows = [[name, _shown(before), _shown(after), *_change(before, after)] for name, before, after in _rows(old, new)]
    same = sum(new.get(name) == value for name, value in old.items())
    table = text_table(["number", "old", "new", "change", "%"], rows) if rows else ""
    return f"{table}{same} of {len(old)} numbers are the same\n"


def _as_json(old: Numbers, new: Numbers) -> str:
    rows = [{"name": name, "old": before, "new": after} for name, before, after in _rows(old, new)]
    return json.dumps(rows, indent=2) + "\n"


def _shown(number: float | None) -> str:
    return "-" if number is None else f"{number:g}" if isinstance(number, float) else str(number)


def _change(before: float | None, after: float | None) -> tuple[str, str]:
    if before is None or after is None:
        return "new" if before is None else "gone", "-"
    return f"{after - before:+g}", f"{_growth(before, after):+.1f}" if before else "-"


def _judge(old: Numbers, new: Numbers, allowed: float, sink: DiagnosticSink) -> None:
    for name, before, after in _rows(old, new):
        if before is None or after is None or _growth(before, after) <= allowed:
            continue
        sink.report(
            limits.STATISTICS_GREW,
            name=name,
            old=before,
            new=after,
            growth=f"{_growth(before, after):.1f}".removesuffix(".0"),
            allowed=f"{allowed:g}",
        )
