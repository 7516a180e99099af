"""Swizzles and masks in text."""

from __future__ import annotations

from itertools import product

import pytest

from glslc_multi.compiler.isa.components import letters_of, mask_of, mask_text, swizzle_of, swizzle_text


@pytest.mark.parametrize(
    ("letters", "components"),
    [("", (0, 1, 2, 3)), ("x", (0, 0, 0, 0)), ("xy", (0, 1, 1, 1)), ("wzyx", (3, 2, 1, 0)), ("xyz", (0, 1, 2, 2))],
)
def test_the_last_letter_is_repeated(letters: str, components: tuple[int, ...]) -> None:
    assert swizzle_of(letters) == components


def test_the_shortest_text_says_the_swizzle_again() -> None:
    for components in product(range(4), repeat=4):
        letters = swizzle_text(components).removeprefix(".")
        assert swizzle_of(letters) == components
        assert len(letters) < 2 or swizzle_of(letters[:-1]) != components
    assert (swizzle_text((0, 1, 2, 3)), swizzle_text((1, 1, 1, 1)), swizzle_text((0, 1, 2, 2))) == ("", ".y", ".xyz")


def test_masks() -> None:
    assert (mask_of("xw"), mask_of("wxx"), letters_of(0b1010)) == (0b1001, 0b1001, "yw")
    assert (mask_text("xyzw"), mask_text("xz")) == ("", ".xz")
