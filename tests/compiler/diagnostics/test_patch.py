"""Applied fixes against plain text replacement."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Fix, SourceFile, Span
from glslc_multi.compiler.diagnostics.patch import patches
from tests.compiler.diagnostics.samples import find

FILE = SourceFile("a.frag", "one two three\nfour\nfive six\nseven\n")


def after(span: Span) -> Span:
    """The empty place after a span."""
    return Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)


def test_edits_of_one_line_make_one_patch_in_any_order() -> None:
    fixes = [Fix(find(FILE, "three"), "3"), Fix(find(FILE, "one"), "ONE"), Fix(after(find(FILE, "two")), ",")]
    (patch,) = patches(fixes)
    assert patch.file.text == "ONE two, 3"
    assert [(mark.column, mark.end_column, mark.sign) for mark in patch.marks] == [
        (1, 4, "+"),
        (8, 9, "+"),
        (10, 11, "+"),
    ]


def test_edits_of_lines_apart_make_patches_of_their_own_with_the_original_numbers() -> None:
    found = list(patches([Fix(find(FILE, "seven"), "7"), Fix(find(FILE, "four"), "4")]))
    assert [(patch.file.text, patch.file.shown_line(1)) for patch in found] == [
        ("4", ("a.frag", 2)),
        ("7", ("a.frag", 4)),
    ]


def test_an_edit_may_join_lines() -> None:
    (patch,) = patches([Fix(find(FILE, "three").to(find(FILE, "five")), "-"), Fix(find(FILE, "six"), "6")])
    assert patch.file.text == "one two - 6"


def test_an_edit_may_add_lines() -> None:
    (patch,) = patches([Fix(after(find(FILE, "four")), ";\nbreak;")])
    assert patch.file.text == "four;\nbreak;"
    assert [(mark.line, mark.column, mark.end_column) for mark in patch.marks] == [(1, 5, 6), (2, 1, 7)]


def test_a_deletion_marks_its_place() -> None:
    (patch,) = patches([Fix(find(FILE, "two "), "")])
    assert patch.file.text == "one three"
    assert [(mark.column, mark.sign) for mark in patch.marks] == [(5, "~")]


def test_patches_follow_line_directives() -> None:
    file = SourceFile("a.frag", "#line 50\nbad\n")
    file.renumber(2, 50)
    (patch,) = patches([Fix(find(file, "bad"), "good")])
    assert patch.file.shown_line(1) == ("a.frag", 50)
