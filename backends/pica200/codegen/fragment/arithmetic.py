"""The arithmetic of pixels: the meaning of every operation of the IR, in polynomials.

An instance of the arithmetic protocol (`compiler/arithmetic/protocol.py`) whose numbers are polynomials and whose
truth values are conditions.  A choice between two polynomials is a polynomial where the two agree at the border of the
condition (the choice is continuous, as `max` is): then it takes a clamp.  Everything else is refused.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isfinite
from typing import TypeAlias

from backends.pica200.codegen.fragment.conditions import (
    FALSE,
    TRUE,
    And,
    Comparison,
    Condition,
    HostTruth,
    Not,
    compare,
    conjunction,
    disjunction,
    negation,
)
from backends.pica200.codegen.fragment.hosting import Host
from backends.pica200.codegen.fragment.polynomials import Polynomial, clamp
from compiler.analysis.ranges import INTERVALS, Interval

#: More terms than any six stages make of values worth computing; longer polynomials come of loops and big matrices.
MOST_TERMS = 400
#: Powers that are products.
_LARGEST_POWER = 8

Number: TypeAlias = Polynomial | Condition


class Inexpressible(Exception):
    """No polynomial with clamps is the value; the text says what was asked for, where the operation does not."""


class TooLong(Exception):
    """A polynomial has too many terms."""


class PixelArithmetic:
    """The protocol over polynomials; ints are the host's alone and never come here."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def bconst(self, value: bool) -> Condition:
        return TRUE if value else FALSE

    def fconst(self, value: float) -> Polynomial:
        if not isfinite(value):
            raise Inexpressible("a number that is not finite")
        return Polynomial.constant(Fraction(value))

    # numbers ---------------------------------------------------------------------------------
    def fadd(self, x: Polynomial, y: Polynomial) -> Polynomial:
        return x + y

    def fsub(self, x: Polynomial, y: Polynomial) -> Polynomial:
        return x - y

    def fneg(self, x: Polynomial) -> Polynomial:
        return -x

    def fmul(self, x: Polynomial, y: Polynomial) -> Polynomial:
        if len(x.terms) * len(y.terms) > MOST_TERMS:
            raise TooLong
        return x * y

    def fdiv(self, x: Polynomial, y: Polynomial) -> Polynomial:
        if y.is_constant and y != Polynomial.constant(0):
            return x * (1 / y.constant_term)
        if not y.is_host:
            raise Inexpressible("a division by what differs")
        low, high = y.range()
        interval = INTERVALS.fdiv(Interval(1.0, 1.0), Interval(float(low), float(high)))
        return self.fmul(x, self._host.reciprocal(y, interval))

    def fabs(self, x: Polynomial) -> Polynomial:
        return self.select(compare("<", x), -x, x)

    def elementary(self, name: str, *arguments: Polynomial) -> Polynomial:
        if name == "pow" and arguments[1].is_constant:
            exponent = arguments[1].constant_term
            if exponent.denominator == 1 and 0 < exponent <= _LARGEST_POWER:
                return self._power(arguments[0], int(exponent))
        raise Inexpressible(name)

    def _power(self, x: Polynomial, exponent: int) -> Polynomial:
        result = x
        for _ in range(exponent - 1):
            result = self.fmul(result, x)
        return result

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
    def select(self, condition: Condition, if_true: Number, if_false: Number) -> Number:
        if not isinstance(if_true, Polynomial) or not isinstance(if_false, Polynomial):
            return self._chosen_truth(condition, if_true, if_false)
        if if_true == if_false:
            return if_true
        if isinstance(condition, HostTruth):
            return self.fmul(condition.value, if_true - if_false) + if_false
        if isinstance(condition, Not):
            return self.select(condition.operand, if_false, if_true)
        if isinstance(condition, And):
            return self.select(condition.left, self.select(condition.right, if_true, if_false), if_false)
        return _joined(condition, if_true, if_false)

    def _chosen_truth(self, condition: Condition, if_true: Number, if_false: Number) -> Condition:
        assert not isinstance(if_true, Polynomial) and not isinstance(if_false, Polynomial)
        return disjunction(conjunction(condition, if_true), conjunction(negation(condition), if_false))

    def clamp(self, x: Polynomial, low: Polynomial, high: Polynomial) -> Polynomial:
        """`clamp` of GLSL, where its limits are known numbers."""
        width = (high - low).constant_term
        return low + width * clamp((x - low) * (1 / width))

    def __getattr__(self, name: str) -> object:
        raise Inexpressible("")


def _joined(condition: Comparison, if_true: Polynomial, if_false: Polynomial) -> Polynomial:
    """The choice by the sign of d where the sides differ by k d: b + k min(d, 0), of which there are two forms."""
    difference = condition.difference
    factor = (if_true - if_false).constant_quotient(difference)
    if factor is None or condition.relation == "==":
        raise Inexpressible("a choice that jumps")
    first = if_false + factor * difference, -factor, difference
    second = if_false, -factor, -difference
    rest, factor, ramp = min((first, second), key=_effort)
    return rest + factor * positive_part(ramp)


def _effort(form: tuple[Polynomial, Fraction, Polynomial]) -> tuple[int, Fraction]:
    rest, _, ramp = form
    return len(rest.terms), max(ramp.range()[1], Fraction(1))


def positive_part(x: Polynomial) -> Polynomial:
    """max(x, 0): a clamp of x, of its half or quarter and so on where x may exceed 1."""
    low, high = x.range()
    if low >= 0:
        return x
    if high <= 0:
        return Polynomial.constant(0)
    scale = Fraction(1 << max(0, ceil(high) - 1).bit_length())
    return scale * clamp(x * (1 / scale))
