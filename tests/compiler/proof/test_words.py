"""Words that numbers stand behind: each rule of bits is an operation on the numbers, and other bits forget them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from glslc_multi.compiler.arithmetic.protocol import INT_MIN
from glslc_multi.compiler.proof.field import oracle
from glslc_multi.compiler.proof.numbers import Number, Redraw, number_of
from glslc_multi.compiler.proof.operations import Decisions, ProofOperations
from glslc_multi.compiler.proof.quad import Lane, Quad
from glslc_multi.compiler.proof.words import Bits, Bytes, Rounded, byte_of, share_of

A = ProofOperations(Decisions(), 2.0**-20, Lane(Quad(lambda _: None), 0))
X, Y, MINUS = (Number(value, oracle(name)) for name, value in (("x", 0.75), ("y", 0.25), ("minus", -0.5)))
MAGNITUDE = 0x7FFFFFFF


@pytest.mark.parametrize(
    ("word", "number"),
    [
        (lambda: A.bits_and(Bits.of(MINUS), MAGNITUDE), lambda: A.fabs(MINUS)),
        (lambda: A.bits_and(MAGNITUDE, Bits.of(MINUS)), lambda: A.fneg(MINUS)),
        (lambda: A.bits_and(Bits.of(X), MAGNITUDE), lambda: X),
        (lambda: A.bits_xor(Bits.of(X), INT_MIN), lambda: A.fneg(X)),
        (lambda: A.bits_xor(INT_MIN, Bits.of(MINUS)), lambda: A.fneg(MINUS)),
        (lambda: A.bits_and(Bits.of(X), -1), lambda: X),
        (lambda: A.bits_and(Bits.of(X), 0), lambda: number_of(0.0)),
        (lambda: A.bits_or(0, Bits.of(X)), lambda: X),
        (lambda: A.bits_xor(Bits.of(X), 0), lambda: X),
        (lambda: A.bits_and(Bits.of(X), ~0x3FF), lambda: X),
        (lambda: A.select(A.ilt(Bits.of(X), Bits.of(Y)), Bits.of(X), Bits.of(Y)), lambda: Y),
    ],
)
def test_bits_of_floats_are_operations_on_them(word: Callable[[], int], number: Callable[[], Number]) -> None:
    found, wanted = A.number(word()), number()
    assert (found.element, found.value) == (wanted.element, wanted.value)


def test_a_mask_that_takes_more_than_a_rounding_leaves_the_number_alone() -> None:
    word = A.bits_and(Bits.of(X), 0x7F800000)
    assert (word, type(word)) == (0x3F000000, int)


def test_words_of_floats_are_in_the_order_of_these() -> None:
    one, other = Bits.of(MINUS), Bits.of(Number(-0.25, oracle("other")))
    # As ints, -0.25 is below -0.5.
    assert A.ilt(other, one)
    assert A.ilt(one, Bits.of(X))
    assert A.ilt(one, 0)
    assert not A.ilt(0, one)
    assert A.ieq(Bits.of(A.fsub(X, X)), 0)
    assert not A.ieq(one, 0)


def test_words_of_floats_that_are_near_decide_nothing() -> None:
    beside = Bits.of(Number(0.75 + 2.0**-24, oracle("beside")))
    for decide in (A.ilt, A.ieq):
        with pytest.raises(Redraw):
            decide(Bits.of(X), beside)


def test_a_rounded_number_is_itself_again_as_a_float() -> None:
    assert A.itof(Rounded.made(1, X)) is X
    assert A.itof(1).element == 1


def _colour() -> int:
    word = A.shl(byte_of(Y), 8)
    return A.bits_or(word, byte_of(X))


def test_bytes_of_a_colour_keep_their_shares() -> None:
    word = _colour()
    assert word == 0x40BF
    assert (share_of(word, 0), share_of(word, 1), share_of(word, 2)) == (X, Y, 0)
    # A byte is unpacked by a shift and a mask, and divided by 255.
    byte = A.bits_and(A.shr(word, 8), 0xFF)
    found = A.fdiv(A.itof(byte), number_of(255.0))
    assert found.element == Y.element
    assert found.value == pytest.approx(Y.value)


def test_a_byte_of_a_colour_is_replaced() -> None:
    word = A.bits_or(A.bits_and(_colour(), ~0xFF00), A.shl(byte_of(number_of(1.0)), 8))
    assert share_of(word, 0) is X
    share = share_of(word, 1)
    assert isinstance(share, Number)
    assert share.element == 1


def test_a_share_that_rounds_to_0_is_kept() -> None:
    little = Number(0.001, oracle("little"))
    word = A.bits_or(A.shl(byte_of(X), 8), byte_of(little))
    assert share_of(word, 0) is little


def test_a_byte_is_replicated() -> None:
    word = A.imul(byte_of(X), 0x01010101)
    assert [share_of(word, number) for number in range(4)] == [X] * 4


def test_bits_of_a_byte_forget_its_share() -> None:
    word = A.bits_and(_colour(), 0x7F)
    assert not isinstance(word, Bytes)
    assert share_of(word, 0) == 0x3F


@pytest.mark.parametrize(("value", "byte", "kept"), [(-0.5, 0, 0.0), (1.5, 255, 1.0), (float("nan"), 0, 0.0)])
def test_a_byte_is_limited(value: float, byte: int, kept: float) -> None:
    word = byte_of(Number(value, oracle("beyond")))
    assert word == byte
    share = share_of(word, 0)
    assert isinstance(share, Number)
    assert share.element == number_of(kept).element
