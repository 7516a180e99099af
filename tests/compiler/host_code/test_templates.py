"""Templates: where values go, and that no place and no value is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.compiler.host_code.templates import fill


def template(folder: Path, text: str) -> Path:
    path = folder / "some.c"
    path.write_text(text)
    return path


def test_lines_are_indented_as_their_place(tmp_path: Path) -> None:
    path = template(tmp_path, "void @NAME@(void) {\n    @BODY@\n}\n@TAIL@\n@NOTHING@\nend @NAME@ you@example.org\n")
    values = {"NAME": "f", "BODY": ["a();", "", "if (b)", "    c();"], "TAIL": "x\ny", "NOTHING": []}
    assert (
        fill(path, values) == "void f(void) {\n    a();\n\n    if (b)\n        c();\n}\nx\ny\nend f you@example.org\n"
    )


def test_what_is_filled_in_is_not_a_template(tmp_path: Path) -> None:
    path = template(tmp_path, "@A@\n[@B@]\n")
    assert fill(path, {"A": ["@B@", "@A@"], "B": "@A@"}) == "@B@\n@A@\n[@A@]\n"


@pytest.mark.parametrize("values", [{"A": "a"}, {"A": "a", "B": "b", "C": "c"}])
def test_names_must_be_the_same_on_both_sides(values: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(KeyError, match=r"some\.c and its values differ in [BC]"):
        fill(template(tmp_path, "@A@ @B@\n"), values)


def test_lines_do_not_stand_within_a_line(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="@A@ stands within a line"):
        fill(template(tmp_path, "x @A@\n"), {"A": ["a", "b"]})
