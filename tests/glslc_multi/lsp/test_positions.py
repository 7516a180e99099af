"""Places in UTF-16, checked against encoding the text before them."""

from __future__ import annotations

import pytest

pytest.importorskip("lsprotocol", reason="the extra 'lsp' is not installed")

from lsprotocol.types import Position

from glslc_multi.lsp.positions import Lines

TEXTS = ("", "a\nb", "a\r\nbb\rc\n\nd", "é😀x\n😀😀\n", "\u2028\x0c\x85 one line\n", "\ud800z\n")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("encoding", "unit"), [("utf-16", 2), ("utf-8", 1), ("utf-32", 4)])
def test_every_place_there_and_back(text: str, encoding: str, unit: int) -> None:
    lines = Lines(text, encoding)
    codec = encoding if encoding == "utf-8" else f"{encoding}-le"
    number = start = 0
    for offset in range(len(text) + 1):
        before = text[start:offset]
        position = Position(number, len(before.encode(codec, "surrogatepass")) // unit)
        is_inside_of_break = text[offset - 1 : offset + 1] == "\r\n"
        if not is_inside_of_break:
            assert lines.position_at(offset) == position
            assert lines.offset(position) == offset
        if offset < len(text) and text[offset] in "\r\n" and text[offset : offset + 2] != "\r\n":
            number, start = number + 1, offset + 1


def test_places_outside_of_the_text_are_moved_into_it() -> None:
    lines = Lines("ab\ncd")
    assert lines.place(Position(0, 99)) == (1, 3)
    assert lines.place(Position(99, 0)) == (2, 3)
    assert lines.offset(Position(2**31 - 1, 2**31 - 1)) == 5


def test_places_of_the_compiler_outside_of_the_text_are_moved_into_it() -> None:
    lines = Lines("ab\ncd")
    places = {(0, 0): 0, (1, 0): 0, (1, 2): 1, (2, 1): 3, (2, 3): 5, (2, 99): 5, (3, 1): 5}
    assert {place: lines.offset_of(*place) for place in places} == places
    assert lines.position(99, 1) == Position(1, 2) and lines.position(0, 0) == Position(0, 0)
    assert (lines.line(0), lines.line(2), lines.line(3)) == ("", "cd", "")


def test_a_place_within_a_pair_of_units_is_after_its_character() -> None:
    assert Lines("😀x").place(Position(0, 1)) == (1, 2)
