"""Bit fields, formats and encoding tables."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.isa.fields import (
    Encoding,
    EncodingTable,
    Field,
    FieldError,
    Format,
    Row,
    from_words,
    to_words,
)
from tests.backends.encodings import overlaps

WIDE = Format(
    "wide", 96, (Field("low", 0, 7), Field("middle", 30, 8, signed=True), Field("opcode", 90, 6)), ones=1 << 80
)


def test_a_word_is_the_sum_of_its_fields() -> None:
    assert WIDE.encode({"low": 3, "middle": -1, "opcode": 5}) == 3 + (0xFF << 30) + (1 << 80) + (5 << 90)


def test_decoding_undoes_encoding() -> None:
    random = Random(1)
    for _ in range(200):
        values = {f.name: random.randint(*f.range) for f in WIDE.fields}
        word = WIDE.encode(values)
        assert WIDE.decode(word) == values
        assert WIDE.accepts(word)
        assert from_words(to_words(word, 96)) == word


def test_defaults_fill_what_is_not_named() -> None:
    format_ = Format("f", 8, (Field("a", 0, 4, default=9), Field("b", 4, 4)))
    assert format_.encode({"b": 1}) == 0x19


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"low": 128}, "low must be 0 to 127, found 128"),
        ({"low": -1}, "low must be 0 to 127, found -1"),
        ({"middle": 128}, "middle must be -128 to 127, found 128"),
        ({"high": 1}, "format wide has no field high"),
    ],
)
def test_values_out_of_range_are_refused(values: dict[str, int], message: str) -> None:
    with pytest.raises(FieldError, match=message):
        WIDE.encode(values)


def test_a_row_takes_values_in_its_own_order() -> None:
    row = Row(WIDE, ("opcode", "middle"))
    word = row.encode((5, -1))
    assert word == WIDE.encode({"middle": -1, "opcode": 5})
    assert row.decode(word) == [5, -1]
    with pytest.raises(FieldError, match="middle must be -128 to 127, found 128"):
        row.encode((5, 128))


def test_a_row_gives_the_other_fields_their_defaults() -> None:
    form = Format("f", 8, (Field("a", 0, 4, default=9), Field("b", 4, 4)))
    assert Row(form, ("b",)).encode((1,)) == form.encode({"b": 1}) == 0x19


def test_reserved_bits_must_be_zero_and_fixed_ones_one() -> None:
    word = WIDE.encode({})
    assert not WIDE.accepts(word | 1 << 7)
    assert not WIDE.accepts(word & ~(1 << 80))
    assert not WIDE.accepts(word | 1 << 96)


@pytest.mark.parametrize("fields", [(Field("a", 0, 4), Field("b", 3, 2)), (Field("a", 6, 4),)])
def test_a_format_with_impossible_fields_is_refused(fields: tuple[Field, ...]) -> None:
    with pytest.raises(ValueError, match="overlaps another or leaves the word"):
        Format("bad", 8, fields)


SMALL = Format("small", 8, (Field("opcode", 5, 3), Field("kind", 4, 1), Field("operand", 0, 4)))
TABLE = EncodingTable(
    [
        Encoding("add", SMALL, {"opcode": 1}),
        Encoding("load", SMALL, {"opcode": 2, "kind": 0}),
        Encoding("store", SMALL, {"opcode": 2, "kind": 1}),
    ]
)


def test_every_word_decodes_to_the_encoding_it_was_made_by() -> None:
    for encoding in TABLE:
        for operand in range(16):
            word = encoding.encode({"operand": operand})
            assert TABLE.find(word) is encoding
            assert encoding.decode(word)["operand"] == operand


def test_words_of_no_instruction_are_found_out() -> None:
    matching = [word for word in range(256) if TABLE.find(word)]
    assert matching == [word for word in range(256) if word >> 5 in (1, 2)]


def test_fixed_fields_cannot_be_given() -> None:
    with pytest.raises(FieldError, match="load has a fixed kind"):
        TABLE["load"].encode({"kind": 1})


def test_overlapping_encodings_are_named() -> None:
    assert overlaps(TABLE) == []
    wrong = Encoding("jump", SMALL, {"kind": 1})
    pairs = overlaps([*TABLE, wrong])
    assert {(first.name, second.name) for first, second in pairs} == {("add", "jump"), ("store", "jump")}


def test_names_are_unique() -> None:
    with pytest.raises(ValueError, match="listed twice"):
        EncodingTable([TABLE["add"], TABLE["add"]])
