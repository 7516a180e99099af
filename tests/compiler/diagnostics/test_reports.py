"""Every report in the code gives its message's template the values it needs.

A missing value would end in a KeyError on the day somebody makes the mistake that the message is about, so the
calls are read from the source: those of a `report` whose first argument is a catalogue entry, without `**values`.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import Entry
from glslc_multi.compiler.diagnostics.catalogue import PHASES, all_entries
from tests.shared_data import PROJECT_ROOT

FOLDERS = ("compiler", "frontends", "backends", "runtime")


def entries_by_name() -> dict[str, set[Entry]]:
    """Constants of the catalogue by name; two phases may use the same name."""
    all_entries()
    names: dict[str, set[Entry]] = {}
    for phase in PHASES:
        for name, value in vars(import_module(f"glslc_multi.compiler.diagnostics.catalogue.{phase}")).items():
            if isinstance(value, Entry):
                names.setdefault(name, set()).add(value)
    return names


NAMES = entries_by_name()


def needed(entry: Entry) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(entry.template) if name is not None}


def named_entries(call: ast.Call) -> set[Entry]:
    """The entries that a call of `report` may name; none for other calls."""
    match call:
        case ast.Call(func=ast.Attribute(attr="report"), args=[ast.Name(id=name) | ast.Attribute(attr=name), *_]):
            return NAMES.get(name, set())
    return set()


def incomplete_reports(source: str) -> Iterator[str]:
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        given = {keyword.arg for keyword in call.keywords}
        entries = named_entries(call)
        if entries and None not in given and not any(needed(entry) <= given for entry in entries):
            yield f"line {call.lineno}: {' or '.join(str(sorted(needed(entry))) for entry in entries)}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_report_fills_its_template(folder: str) -> None:
    files = sorted(Path(PROJECT_ROOT / folder).rglob("*.py"))
    assert files
    found = {str(file.relative_to(PROJECT_ROOT)): list(incomplete_reports(file.read_text("utf-8"))) for file in files}
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize(
    ("call", "complete"),
    [
        ("sink.report(UNDECLARED_NAME, span, name=name)", True),
        ("sink.report(names.UNDECLARED_NAME, span, name=name, help=hint)", True),
        ("sink.report(UNDECLARED_NAME, node, **values)", True),
        ("sink.report(UNDECLARED_NAME, span)", False),
        ("sink.report(UNDECLARED_NAME, span, nmae=name)", False),
        ("sink.report(entry, span)", True),
        ("Problem(UNDECLARED_NAME, span, values)", True),
    ],
)
def test_the_check_sees_missing_values(call: str, complete: bool) -> None:
    assert (list(incomplete_reports(call)) == []) is complete
