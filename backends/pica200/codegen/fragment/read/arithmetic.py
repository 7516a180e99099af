"""The arithmetic of pixels: the meaning of every operation of the IR, in polynomials and conditions.

An instance of the arithmetic protocol (`compiler/arithmetic/protocol.py`) whose numbers are polynomials and whose
truth values are what the host decides, comparisons of polynomials, and combinations of the two.  A choice between two
polynomials is a polynomial where the two agree at the border of the condition (the choice is continuous, as `max` is):
then it takes a clamp.  Where they do not, it jumps, which what follows may still make continuous (`clamps.py`).
Everything else is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, Literal, TypeAlias

from glslc_multi.backends.pica200.codegen.fragment.read.clamps import (
    absolute,
    clamp,
    continuous,
    inside_of_part,
    jump_where,
    jumps_of,
    minimum,
)
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import ONE, ZERO, Polynomial, polynomial, rational
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import range_of
from glslc_multi.compiler.analysis.ranges import INTERVALS, Interval
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.records import dataclass

#: How a difference compares with 0.
Relation = Literal["<", "<=", "=="]
#: More terms than any six stages make of values worth computing; longer polynomials come of loops and big matrices.
MOST_TERMS = 400
#: Factors of all its terms, of which programs that fit have a dozen; powers of sums have more.
MOST_FACTORS = 2_000
#: Letters of its atoms, of which programs that fit have 500; clamps and choices inside of each other have more.
MOST_LETTERS = 5_000
#: What messages call a choice by a comparison.
JUMPING = "a choice that jumps"
#: What makes sums and products of its operands' components, or chooses among them: equal ones are seen to be equal.
ALGEBRA = frozenset(
    (ops.FADD, ops.FSUB, ops.FMUL, ops.FNEG, ops.FMAD, ops.FMIX, ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT, ops.DOT)
)
#: What may jump where its operands do not.
JUMPS = frozenset((ops.FLT, ops.FLE, ops.FEQ, ops.FNE, ops.FSTEP, ops.FSIGN, ops.FFLOOR, ops.FCEIL, ops.FTRUNC))
#: Powers that are products.
_LARGEST_POWER = 8


# --- Conditions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HostTruth:
    """Decided by the host, or known: 1 where it holds, else 0."""

    value: Polynomial


@dataclass(frozen=True, slots=True)
class Comparison:
    """Tell whether a polynomial is below 0, not above it, or 0."""

    relation: Relation
    difference: Polynomial


@dataclass(frozen=True, slots=True)
class Not:
    operand: Condition


@dataclass(frozen=True, slots=True)
class And:
    left: Condition
    right: Condition


Condition: TypeAlias = HostTruth | Comparison | Not | And

TRUE = HostTruth(ONE)
FALSE = HostTruth(ZERO)


def negation(condition: Condition) -> Condition:
    if isinstance(condition, HostTruth):
        return HostTruth(1 - condition.value)
    if isinstance(condition, Not):
        return condition.operand
    if isinstance(condition, Comparison) and condition.relation != "==":
        # not (d < 0) is -d <= 0.
        return Comparison("<=" if condition.relation == "<" else "<", -condition.difference)
    return Not(condition)


def conjunction(left: Condition, right: Condition) -> Condition:
    """Both; what is known does not stay."""
    if FALSE in (left, right):
        return FALSE
    if left in (TRUE, right):
        return right
    if right == TRUE:
        return left
    if isinstance(left, HostTruth) and isinstance(right, HostTruth):
        return HostTruth(left.value * right.value)
    return And(left, right)


def disjunction(left: Condition, right: Condition) -> Condition:
    return negation(conjunction(negation(left), negation(right)))


def compare(relation: Relation, difference: Polynomial) -> Condition:
    """A comparison, decided where the range of the difference decides it."""
    low, high = range_of(difference)
    if relation == "==":
        is_true, is_false = low == high == 0, low > 0 or high < 0
    else:
        is_true = high < 0 or (relation == "<=" and high == 0)
        is_false = low > 0 or (relation == "<" and low == 0)
    if is_true:
        return TRUE
    return FALSE if is_false else Comparison(relation, difference)


def differences(condition: Condition) -> Iterator[Polynomial]:
    """The polynomials in a condition."""
    if isinstance(condition, HostTruth):
        yield condition.value
    elif isinstance(condition, Comparison):
        yield condition.difference
    elif isinstance(condition, Not):
        yield from differences(condition.operand)
    else:
        yield from differences(condition.left)
        yield from differences(condition.right)


JUMPS |= {ops.FROUNDEVEN, ops.FFRACT, ops.FMOD, ops.FTOI}

PixelValue: TypeAlias = Polynomial | Condition


# --- Arithmetic -------------------------------------------------------------------------------------------------------


class Inexpressible(Exception):
    """No polynomial with clamps is the value; the text says what was asked for, where the operation does not."""


class TooLong(Exception):
    """A polynomial has too many terms, or too long ones."""


class PixelArithmetic:
    """The protocol over polynomials; ints are the host's alone and never come here."""

    def __init__(self, host: Host, *, may_jump: bool = False) -> None:
        self._host = host
        self._may_jump = may_jump

    def bconst(self, value: bool) -> Condition:
        return TRUE if value else FALSE

    def fconst(self, value: float) -> Polynomial:
        if not isfinite(value):
            raise Inexpressible("a number that is not finite")
        return polynomial(rational(value))

    # numbers ---------------------------------------------------------------------------------
    def fadd(self, x: Polynomial, y: Polynomial) -> Polynomial:
        return _bounded(continuous(x + y))

    def fsub(self, x: Polynomial, y: Polynomial) -> Polynomial:
        return _bounded(continuous(x - y))

    def fneg(self, x: Polynomial) -> Polynomial:
        return -x

    def fmul(self, x: Polynomial, y: Polynomial) -> Polynomial:
        if len(x.terms) * len(y.terms) > MOST_TERMS:
            raise TooLong
        return _bounded(continuous(x * y))

    def fdiv(self, x: Polynomial, y: Polynomial) -> Polynomial:
        if y.constant:
            return x / y.constant
        if not y.is_host:
            raise Inexpressible("a division by what differs")
        low, high = range_of(y)
        interval = INTERVALS.fdiv(Interval(1.0, 1.0), Interval(float(low), float(high)))
        return self.fmul(x, self._host.reciprocal(y, interval))

    def fabs(self, x: Polynomial) -> Polynomial:
        return absolute(x)

    def elementary(self, name: str, *arguments: Polynomial) -> Polynomial:
        if name == "pow" and arguments[1].constant is not None:
            exponent = arguments[1].constant
            if exponent.denominator == 1 and 0 < exponent <= _LARGEST_POWER:
                x = arguments[0]
                result = x
                for _ in range(int(exponent) - 1):
                    result = self.fmul(result, x)
                return result
        raise Inexpressible(name)

    # truth -----------------------------------------------------------------------------------
    def flt(self, x: Polynomial, y: Polynomial) -> Condition:
        return compare("<", x - y)

    def fle(self, x: Polynomial, y: Polynomial) -> Condition:
        return compare("<=", x - y)

    def feq(self, x: Polynomial, y: Polynomial) -> Condition:
        return compare("==", x - y)

    def band(self, x: Condition, y: Condition) -> Condition:
        return conjunction(x, y)

    def bor(self, x: Condition, y: Condition) -> Condition:
        return disjunction(x, y)

    def bnot(self, x: Condition) -> Condition:
        return negation(x)

    def bxor(self, x: Condition, y: Condition) -> Condition:
        return disjunction(conjunction(x, negation(y)), conjunction(negation(x), y))

    # choices ---------------------------------------------------------------------------------
    def select(self, condition: Condition, if_true: PixelValue, if_false: PixelValue) -> PixelValue:
        if not isinstance(if_true, Polynomial) or not isinstance(if_false, Polynomial):
            assert not isinstance(if_true, Polynomial) and not isinstance(if_false, Polynomial)
            return disjunction(conjunction(condition, if_true), conjunction(negation(condition), if_false))
        if if_true == if_false:
            return if_true
        if isinstance(condition, HostTruth):
            return self.fmul(condition.value, if_true - if_false) + if_false
        if isinstance(condition, Not):
            return self.select(condition.operand, if_false, if_true)
        if isinstance(condition, And):
            return self.select(condition.left, self.select(condition.right, if_true, if_false), if_false)
        chosen = _bounded(_chosen(condition, if_true, if_false))
        if jumps_of(chosen) and not self._may_jump:
            raise Inexpressible(JUMPING)
        return chosen

    def __getattr__(self, name: str) -> Any:
        raise Inexpressible("")


def _bounded(value: Polynomial) -> Polynomial:
    """The value, if it is not too long to be written down."""
    if sum(map(len, value.numerators)) > MOST_FACTORS or sum(len(atom.text) for atom in value.atoms()) > MOST_LETTERS:
        raise TooLong
    return value


def _chosen(condition: Comparison, if_true: Polynomial, if_false: Polynomial) -> Polynomial:
    """The choice by the sign of d: where the sides differ by k d it is b + k min(d, 0)."""
    if condition.relation == "==":
        raise Inexpressible(JUMPING)
    change = if_true - if_false
    if change == condition.difference:
        return _minimum(if_true, if_false)
    if change == -condition.difference:
        return -_minimum(-if_true, -if_false)
    return continuous(if_false + change * jump_where(condition.difference, condition.relation == "<="))


def _minimum(x: Polynomial, y: Polynomial) -> Polynomial:
    """min(x, y); of what is clamped from below alone and limited from above, one clamp to both sides."""
    limit, value = (x, y) if x.constant is not None else (y, x)
    if limit.constant is None:
        return minimum(x, y)
    low, _ = range_of(value)
    if low and limit.constant == 1:
        return minimum(x, y)  # A stage that adds clamps there.
    width, ramp = limit.constant - low, value - low
    inside = inside_of_part(ramp)
    if width <= 0 or inside is None or range_of(inside)[1] <= width:
        return minimum(x, y)
    return low + clamp(inside / width) * width
