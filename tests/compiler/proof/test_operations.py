"""Numbers of proofs: identities of algebra have equal elements, what is none has not, and edges are thrown away."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from compiler.proof.field import oracle
from compiler.proof.numbers import UNDEFINED, Number, Redraw, number_of
from compiler.proof.operations import Decisions, ProofOperations, SourceOperations
from compiler.proof.words import Bits

A = ProofOperations(Decisions(), 2.0**-20)
X, Y, Z = (Number(value, oracle(name)) for name, value in (("x", 0.75), ("y", 1.25), ("z", -0.5)))
Expression = Callable[[], Number]


def _power(x: Number, exponent: float) -> Number:
    return A.elementary("pow", x, number_of(exponent))


IDENTITIES: dict[str, tuple[Expression, Expression]] = {
    "third binomial": (
        lambda: A.fmul(A.fadd(X, Y), A.fsub(X, Y)),
        lambda: A.fsub(A.fmul(X, X), A.fmul(Y, Y)),
    ),
    "quotients": (lambda: A.fdiv(X, Y), lambda: A.fmul(X, A.fdiv(number_of(1.0), Y))),
    "reciprocal of a root times its square": (
        lambda: A.fmul(X, A.fdiv(number_of(1.0), A.fsqrt(X))),
        lambda: A.fsqrt(X),
    ),
    "root of an element without one in the prime field": (
        lambda: A.fmul(A.fsqrt(Y), A.fsqrt(Y)),
        lambda: Y,
    ),
    "square by pow": (lambda: _power(X, 2.0), lambda: A.fmul(X, X)),
    "root by pow": (lambda: _power(X, 0.5), lambda: A.fsqrt(X)),
    "inverse root by pow": (lambda: _power(X, -0.5), lambda: A.fdiv(number_of(1.0), A.fsqrt(X))),
    "cube by exp2 and log2": (
        lambda: A.exp2(A.fmul(A.log2(X), number_of(3.0))),
        lambda: A.fmul(X, A.fmul(X, X)),
    ),
    "magnitude of a negative number": (lambda: A.fabs(Z), lambda: A.fneg(Z)),
    "bits there and back": (lambda: A.number(A.bits(X)), lambda: X),
    "larger one": (lambda: A.select(A.flt(X, Y), Y, X), lambda: Y),
}


@pytest.mark.parametrize(("left", "right"), IDENTITIES.values(), ids=IDENTITIES)
def test_both_sides_of_an_identity_have_the_same_element(left: Expression, right: Expression) -> None:
    assert left().element == right().element
    assert left().value == pytest.approx(right().value)


DIFFERENT: dict[str, tuple[Expression, Expression]] = {
    "another operand": (lambda: A.fadd(X, Y), lambda: A.fadd(X, Z)),
    "another sign": (lambda: A.fsub(X, Y), lambda: A.fsub(Y, X)),
    "another function": (lambda: A.elementary("sin", X), lambda: A.elementary("cos", X)),
    "another power": (lambda: _power(X, 2.0), lambda: _power(X, 2.5)),
    "a rounded constant": (lambda: A.fmul(X, number_of(1.0 / 3.0)), lambda: A.fdiv(X, number_of(3.0))),
}


@pytest.mark.parametrize(("left", "right"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_is_no_identity_has_other_elements(left: Expression, right: Expression) -> None:
    assert left().element != right().element


def _near(x: Number) -> Number:
    """Another number whose float is a rounding away."""
    return Number(x.value * (1.0 + 2.0**-22), oracle("near", x.element))


@pytest.mark.parametrize(
    "decide",
    [
        lambda: A.flt(X, _near(X)),
        lambda: A.fle(_near(X), X),
        lambda: A.feq(X, _near(X)),
        lambda: A.ffloor(Number(3.0 - 2.0**-21, oracle("whole"))),
        lambda: A.ftoi(Number(3.0, oracle("whole"))),
    ],
)
def test_a_decision_at_its_edge_is_thrown_away(decide: Callable[[], object]) -> None:
    with pytest.raises(Redraw):
        decide()


def test_equal_numbers_are_on_no_edge() -> None:
    assert not A.flt(X, X)
    assert A.fle(X, X)
    assert A.feq(A.fmul(X, Y), A.fmul(Y, X))
    assert A.ffloor(number_of(3.0)).value == 3.0


def test_nothing_of_the_source_may_depend_on_what_is_undefined() -> None:
    source = SourceOperations(Decisions(), 2.0**-20)
    assert math.isnan(source.fadd(UNDEFINED, X).value)
    for decide in (source.flt, source.fle, source.feq):
        with pytest.raises(Redraw):
            decide(UNDEFINED, X)
    with pytest.raises(Redraw):
        source.ftoi(UNDEFINED)


def test_infinity_compares_without_an_edge() -> None:
    infinite = A.fdiv(number_of(1.0), number_of(0.0))
    assert A.flt(X, infinite)
    assert not A.feq(infinite, X)


def test_sums_overflow_as_those_of_float32() -> None:
    assert A.fadd(number_of(2.0**127), number_of(2.0**127)).value == math.inf


def test_bits_are_those_of_float32() -> None:
    assert Bits.of(number_of(1.0)) == 0x3F800000
