"""Rules that every message of the catalogue follows."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from importlib import import_module

import pytest

from glslc_multi.compiler.diagnostics import Entry
from glslc_multi.compiler.diagnostics.catalogue import PHASES, all_entries
from glslc_multi.compiler.diagnostics.catalogue.registry import error

ENTRIES = all_entries()
#: Parameters of `DiagnosticSink.report` that a template cannot use; `target` is passed on.
RESERVED = {"self", "entry", "span", "labels", "help", "notes", "fixes", "pass_name"}

#: What the end of a batch says has the status of the shaders that failed; what `fmt` finds is in the shader.
OF_SHADERS = {"E0944", "E0946", "E0962", "E0963"}


def entries_of(phase: str) -> dict[str, Entry]:
    module = import_module(f"glslc_multi.compiler.diagnostics.catalogue.{phase}")
    return {name: value for name, value in vars(module).items() if isinstance(value, Entry)}


def placeholders(entry: Entry) -> list[tuple[str, str, str | None]]:
    """Name, format and conversion of every `{}` of a template."""
    parsed = string.Formatter().parse(entry.template)
    return [(name, form or "", conversion) for _, name, form, conversion in parsed if name is not None]


@pytest.mark.parametrize(("phase", "digits"), PHASES.items())
def test_codes_lie_in_the_range_of_their_phase(phase: str, digits: str) -> None:
    codes = [entry.code for entry in entries_of(phase).values() if entry.code != "E9999"]
    assert [
        code for code in codes if not re.fullmatch(r"[EWN]\d{4}", code) or code[1 : 1 + len(digits)] != digits
    ] == []


def test_every_entry_has_one_name() -> None:
    named = [entry.code for phase in PHASES for entry in entries_of(phase).values()]
    assert sorted(named) == sorted(ENTRIES)


def offenders(rule: Callable[[Entry], object]) -> list[str]:
    """The codes of the entries that break a rule."""
    return [entry.code for entry in ENTRIES.values() if not rule(entry)]


def test_the_letter_of_the_code_is_the_severity() -> None:
    assert offenders(lambda entry: entry.severity == {"E": "error", "W": "warning", "N": "note"}[entry.code[0]]) == []


def test_warnings_have_a_group_and_errors_none() -> None:
    def is_group(text: str) -> bool:
        return re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text) is not None

    assert offenders(lambda entry: is_group(entry.group) if entry.severity == "warning" else not entry.group) == []


def test_templates_are_one_sentence_in_one_line() -> None:
    assert offenders(lambda entry: entry.template == " ".join(entry.template.split())) == []
    assert offenders(lambda entry: not re.search(r"[.!?] [A-Z]|[.!?:;]$", entry.template)) == []


def test_templates_begin_in_lower_case() -> None:
    # Names keep their capitals: GLSL, WebGL.
    assert offenders(lambda entry: not re.match(r"[A-Z][a-z]*\b", entry.template)) == []


def test_templates_have_plain_placeholders_that_report_can_fill() -> None:
    def fillable(name: str, form: str, conversion: str | None) -> bool:
        return name.isidentifier() and name not in RESERVED and not form and conversion is None

    assert offenders(lambda entry: all(fillable(*found) for found in placeholders(entry))) == []


def test_explanations_say_something_and_are_complete() -> None:
    assert offenders(lambda entry: len(entry.explain.split()) >= 5 and "TODO" not in entry.explain) == []
    assert offenders(lambda entry: entry.explain.strip().lower() != entry.template) == []


def test_phases_share_no_code() -> None:
    with pytest.raises(ValueError, match="E0301 is declared twice"):
        error("E0301", "another message", "An explanation.")
    with pytest.raises(ValueError, match="E0823 is declared twice"):
        error("E0823", "a code of an earlier version", "An explanation.")
    assert all_entries() == ENTRIES


def test_exit_statuses_follow_the_phase() -> None:
    for phase in PHASES:
        allowed = {"usage": {2, 70}, "limits": {1, 3}}.get(phase, {1, 3} if phase == "machine" else {1})
        # Notes never decide about the status.
        entries = [e for e in entries_of(phase).values() if e.severity != "note" and e.code not in OF_SHADERS]
        found = {entry.exit_status for entry in entries}
        assert found <= allowed, phase
