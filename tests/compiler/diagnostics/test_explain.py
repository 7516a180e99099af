"""Explanations and the generated page."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics.catalogue import all_entries
from glslc_multi.compiler.diagnostics.explain import explain, main, markdown
from tests.shared_data import PROJECT_ROOT


def test_an_explanation_has_the_message_and_the_text_without_its_indentation() -> None:
    text = explain("E0301")
    assert text is not None
    title, blank, first, *rest = text.splitlines()
    assert (title, blank) == ("E0301: ... is not declared", "")
    assert not first.startswith(" ")
    assert any(line.startswith("    ") and not line.startswith("     ") for line in rest), (
        "the example is indented once"
    )


def test_codes_are_found_in_either_case_and_unknown_ones_are_not() -> None:
    assert explain("e0301") == explain("E0301")
    assert explain("E0000") is None
    assert explain("") is None


def test_codes_of_earlier_versions_lead_to_what_they_are_now() -> None:
    assert explain("e0823") == explain("E0812")
    assert "Earlier versions: E0823." in (explain("E0823") or "")
    assert "\nEarlier versions: E0823.\n" in markdown()


def test_the_page_has_a_heading_for_every_code_in_order_of_the_phases() -> None:
    headings = [line.removeprefix("### ") for line in markdown().splitlines() if line.startswith("### ")]
    assert sorted(headings) == sorted(all_entries())
    assert headings.index("E0101") < headings.index("E0201") < headings.index("E0901")


def test_the_committed_page_is_current() -> None:
    page = (PROJECT_ROOT / "docs" / "diagnostics.md").read_text("utf-8")
    command = "python -m glslc_multi.compiler.diagnostics.explain --markdown > docs/diagnostics.md"
    assert page == markdown(), f"the catalogue has changed; renew the page with: {command}"


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--markdown"]) == 0
    assert capsys.readouterr().out == markdown()


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--markdown", "x"]])
def test_anything_else_is_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.split(":")[0]) == ("", "usage")
