"""Numbers of assembly text."""

from __future__ import annotations

import re

import pytest

from glslc_multi.compiler.isa.mistakes import Mistake
from glslc_multi.compiler.isa.numbers import in_range, integer, whole_number


def test_numbers_of_any_length() -> None:
    assert whole_number("017") == 17
    assert whole_number("fF", 16) == 255
    assert whole_number("9" * 100_000) > 1 << 128


@pytest.mark.parametrize(
    ("text", "value"), [("12", 12), ("-3", -3), ("- 3", -3), ("0x1f", 31), ("0X1F", 31), ("-0x10", -16), ("010", 10)]
)
def test_digits_tell_their_base(text: str, value: int) -> None:
    assert integer(text) == value


def test_the_ends_of_a_range_belong_to_it() -> None:
    word = re.compile(r"(?P<name>[a-z]+)(?P<digits>\d+)").match("  r31", 2)
    assert word is not None
    assert in_range(word, "a register", 31, 31, "digits") == 31
    assert in_range(word, "a register", 0, 0x31, "digits", base=16) == 0x31
    for low, high in ((32, 40), (0, 30)):
        with pytest.raises(Mistake) as caught:
            in_range(word, "a register", low, high, "digits")
        assert caught.value.values == {"what": "a register", "low": low, "high": high, "found": "31"}
        assert caught.value.place == (3, 5)
