"""Spans: joining, origins, line numbering, includes, offsets."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import Origin, SourceFile, Span
from tests.compiler.diagnostics.origins import with_origin
from tests.compiler.diagnostics.samples import find

FILE = SourceFile("a.frag", "float a;\nvec2 b = a + c;\n")


def test_to_reaches_from_the_start_of_the_first_to_the_end_of_the_last() -> None:
    assert find(FILE, "a;").to(find(FILE, "+ c")) == Span(FILE, 1, 7, 2, 15)


def test_to_keeps_the_first_span_where_the_last_one_is_in_another_file_or_before_it() -> None:
    first = find(FILE, "b =")
    assert first.to(Span(SourceFile("b.frag", "x"), 9, 1, 9, 2)) is first
    assert first.to(find(FILE, "float")) is first


def test_to_keeps_the_origin_of_the_first_span() -> None:
    origin = Origin("macro", "M", find(FILE, "c"))
    assert with_origin(find(FILE, "a;"), origin).to(find(FILE, "+ c")).origin == origin


def test_origins_run_from_the_innermost_to_the_outermost() -> None:
    inner, outer = find(FILE, "b ="), find(FILE, "+ c")
    span = with_origin(
        with_origin(find(FILE, "float"), Origin("inlined", "leaf", inner)), Origin("inlined", "caller", outer)
    )
    assert [(origin.name, origin.span.column) for origin in span.origins()] == [("leaf", 6), ("caller", 12)]
    assert span.location == "a.frag:1:1"


def test_with_chain_leaves_the_original_alone() -> None:
    span = find(FILE, "float")
    span.with_chain(Origin("inlined", "f", find(FILE, "c")))
    assert span.origin is None


def test_chains_longer_than_the_stack_compare_hash_and_grow() -> None:
    span = find(FILE, "float")
    for _ in range(1500):
        span = Span(FILE, 1, 1, 1, 2, Origin("inlined", "f", span))
    longer = with_origin(span, Origin("inlined", "main", find(FILE, "c")))
    assert longer == with_origin(span, Origin("inlined", "main", find(FILE, "c")))
    assert hash(longer) == hash(with_origin(span, Origin("inlined", "main", find(FILE, "c"))))
    assert longer != span


def test_spans_differ_by_place_and_by_origin() -> None:
    span = find(FILE, "float")
    assert span != find(FILE, "a;")
    assert span != with_origin(span, Origin("inlined", "f", find(FILE, "c")))
    assert len({span, find(FILE, "float"), find(FILE, "a;")}) == 2


def test_line_directives_change_what_is_shown_but_not_the_text() -> None:
    file = SourceFile("a.frag", "one\n#line 100\ntwo\n#line 7 3\nthree\nfour\n")
    file.renumber(3, 100)
    file.renumber(5, 7, "3")
    shown = [file.shown_line(line) for line in (1, 3, 5, 6)]
    assert shown == [("a.frag", 1), ("a.frag", 100), ("3", 7), ("3", 8)]
    assert find(file, "four").location == "3:8:1"
    assert file.line_text(6) == "four"


def test_a_line_directive_without_a_name_keeps_the_name_of_the_one_before() -> None:
    file = SourceFile("a.frag", "\n" * 9)
    file.renumber(2, 1, "lib")
    file.renumber(5, 50)
    assert file.shown_line(6) == ("lib", 51)


def test_the_include_stack_runs_outwards() -> None:
    top = SourceFile("top.frag", '\n#include "middle"\n')
    middle = SourceFile("middle", '#include "inner"\n', find(top, "#include"))
    inner = SourceFile("inner", "x\n", find(middle, "#include"))
    assert [place.location for place in find(inner, "x").include_stack()] == ["middle:1:1", "top.frag:2:1"]


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n", "\n\r"])
def test_every_line_break_of_the_specification_ends_one_line(line_break: str) -> None:
    # GLSL ES 1.00 section 3.1: carriage return or line feed; both together are a single termination.
    file = SourceFile("a.frag", f"one{line_break}{line_break}three{line_break}")
    assert file.lines == ["one", "", "three", ""]
    assert [file.line_text(line) for line in range(1, 6)] == [*file.lines, ""]
    start = file.byte_offset(3, 1)
    assert file.text[start:] == f"three{line_break}"


def test_lines_outside_the_file_are_empty() -> None:
    assert FILE.line_text(0) == ""
    assert FILE.line_text(99) == ""


def test_byte_offsets_count_utf8() -> None:
    file = SourceFile("a.frag", "// größe\n/* 漢字 */ x")
    encoded = file.text.encode()
    for text in ("größe", "字", "x"):
        span = find(file, text)
        start, end = file.byte_offset(span.line, span.column), file.byte_offset(span.end_line, span.end_column)
        assert encoded[start:end].decode() == text
    assert file.byte_offset(99, 1) == len(encoded)


def test_byte_offsets_of_undecodable_input_do_not_fail() -> None:
    assert SourceFile("a", "\udc80x").byte_offset(1, 2) == 3
