"""Numbers of proofs: identities of algebra have equal elements, what is none has not, and edges are thrown away."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import pytest

from glslc_multi.compiler.proof.field import Pair, oracle
from glslc_multi.compiler.proof.numbers import UNDEFINED, Number, Redraw, number_of
from glslc_multi.compiler.proof.operations import Decisions, MovedOperations, ProofOperations, SourceOperations
from glslc_multi.compiler.proof.quad import Lane, Quad
from glslc_multi.compiler.proof.words import Bits

LANE = Lane(Quad(lambda _: None), 0)
A = ProofOperations(Decisions(), 2.0**-20, LANE)
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
        lambda: A.ftoi(Number(3.0 + 2.0**-21, oracle("whole"))),
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
    source = SourceOperations(Decisions(), 2.0**-20, LANE)
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


# --- Decisions --------------------------------------------------------------------------------------------------------


def _sides() -> tuple[SourceOperations, ProofOperations]:
    """The source's arithmetic and the machine's, which know of each other."""
    decisions = Decisions()
    return SourceOperations(decisions, 2.0**-20, LANE), ProofOperations(decisions, 2.0**-20, LANE)


@pytest.mark.parametrize("beyond", [False, True])
def test_what_the_source_has_decided_is_not_decided_again(beyond: bool) -> None:
    """On the machine's side the same elements have floats on the other side of each other."""
    source, machine = _sides()
    other, moved = oracle("other"), 2.0**-22 if beyond else -(2.0**-22)
    assert source.flt(X, Number(X.value + moved, other)) == beyond
    assert machine.flt(X, Number(X.value - moved, other)) == beyond
    assert machine.flt(Number(X.value - moved, other), X) != beyond


def test_a_difference_that_the_source_compares_with_0_is_one_that_the_machine_takes_apart() -> None:
    source, machine = _sides()
    beside = Number(X.value + 2.0**-22, oracle("beside"))
    assert source.flt(source.fsub(X, beside), number_of(0.0))
    assert machine.flt(Number(X.value + 2.0**-21, X.element), beside)


def test_a_floor_of_the_source_is_the_machine_s() -> None:
    source, machine = _sides()
    element = oracle("whole")
    assert source.ffloor(Number(3.0 - 2.0**-22, element)).value == 2.0
    assert machine.ffloor(Number(3.0 + 2.0**-22, element)).value == 2.0
    assert machine.ftoi(Number(3.0 + 2.0**-22, element)) == 2
    # Cut off towards zero, it is the whole number above that of a negative one.
    assert source.ffloor(Number(-2.5, element := oracle("negative"))).value == -3.0
    assert machine.ftoi(Number(-2.5, element)) == -2


def test_a_number_that_is_whole_lies_on_no_edge() -> None:
    """Nothing was rounded; a number beside it may be one that was, and so may that of the source."""
    source, machine = _sides()
    assert machine.ffloor(Number(107.0, oracle("sum"))).value == 107.0
    assert machine.ftoi(Number(107.0, oracle("sum"))) == 107
    with pytest.raises(Redraw):
        machine.ffloor(Number(107.0 - 2.0**-14, oracle("sum")))
    source.ffloor(Number(107.0 - 2.0**-14, oracle("other sum")))
    with pytest.raises(Redraw):
        machine.ffloor(Number(107.0, oracle("sum")))


def test_what_the_source_has_not_decided_is_thrown_away_at_its_edge() -> None:
    source, machine = _sides()
    source.flt(X, _near(X))
    with pytest.raises(Redraw):
        machine.flt(X, Number(X.value + 2.0**-22, oracle("a third one")))


def test_floats_far_apart_decide_whatever_their_elements() -> None:
    """2^-126 and 1/16 are the same element, since 2^61 is 1."""
    source, machine = _sides()
    assert source.flt(number_of(0.025), number_of(2.0**-4))
    assert machine.flt(number_of(2.0**-126), number_of(0.025))


def test_a_root_of_a_product_is_the_product_of_the_roots() -> None:
    """Whether or not the two have roots in the prime field."""
    source, machine = _sides()
    numbers = [Number(0.5 + n, oracle("factor", n)) for n in range(6)]
    roots = [source.fsqrt(x) for x in numbers]
    assert {type(x.element) for x in roots} == {int, Pair}
    for first, second in combinations(range(6), 2):
        found = machine.fsqrt(machine.fmul(numbers[first], numbers[second]))
        assert found.element == machine.fmul(roots[first], roots[second]).element


def test_quotients_and_roots_are_not_rounded() -> None:
    assert A.fmul(A.fdiv(X, number_of(3.0)), number_of(3.0)).value == pytest.approx(X.value, rel=1e-15)
    assert A.fsqrt(Y).value ** 2 == pytest.approx(Y.value, rel=1e-15)
    assert A.fsqrt(number_of(0.0)).element == 0


def test_results_of_a_fixed_point_are_moved_by_steps() -> None:
    """A quotient may be a product with a rounded reciprocal, which is as much worse as its factor is large."""
    moved = MovedOperations(Decisions(), 2.0**-16, LANE, 2.0**-17, 1)
    product, quotient = moved.fmul(X, Y), moved.fdiv(number_of(3465.0), Y)
    assert 0.499 < abs(product.value - X.value * Y.value) / 2.0**-17 < 1.001
    assert 0.499 < abs(quotient.value - 3465.0 / Y.value) / (3465.0 * 2.0**-17) < 1.001
    assert product.element == A.fmul(X, Y).element


def test_functions_and_their_operands_are_moved_by_a_rounding() -> None:
    moved = MovedOperations(Decisions(), 2.0**-16, LANE, 0.0, 1)
    sine = moved.elementary("sin", X)
    most = X.value * math.cos(X.value) + math.sin(X.value)
    assert 0.0 < abs(sine.value - math.sin(X.value)) < 1.001 * 2.0**-16 * most
    assert sine.element == A.elementary("sin", X).element
    assert moved.fmul(X, Y).value == X.value * Y.value
