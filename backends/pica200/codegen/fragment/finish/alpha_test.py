"""`discard` becomes the alpha test: one comparison of the pixel's alpha with a byte that may follow uniforms.

In: the condition under which a pixel is discarded, and its alpha.  Out: the test, and what the host computes for it.  A
condition is brought into the form

    never or (where and comparison)

`never` and `where` are decided by the host, and the comparison is of alpha.  Where the host says "never", nothing is
drawn; where `where` does not hold, the reference lets all pass.  A shader whose alpha nobody looks at may compare
anything that is in 0 to 1: that becomes its alpha.  And where alpha is known to be well above 0, what is not drawn may
have alpha 0.

Alpha may be clamp(x), and x compared with a limit, or the other way round:

    x < l  is  clamp(x) < l   for 0 < l <= 1, and so is >=
    x > l  is  clamp(x) > l   for 0 <= l < 1, and so is <=

Of max(x, 0), where x is never above 1, the upper end does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import (
    TRUE,
    And,
    Comparison,
    Condition,
    HostTruth,
    negation,
)
from glslc_multi.backends.pica200.codegen.fragment.read.clamps import clamp
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import PreambleWriter
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    ZERO,
    Channel,
    Clamp,
    HostNumber,
    Number,
    Polynomial,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import lies_in_unit, range_of
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import TWO_COMPARISONS
from glslc_multi.backends.pica200.isa.fragment.program import AlphaTest
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Value
from glslc_multi.compiler.records import dataclass

_STEPS = 255
#: In steps: references nearer to a byte than this are that byte, since floats are not exact.
_NEAR = Fraction(1, 1024)
#: Alphas below this are too near to 0 to tell what is drawn by them.
_LEAST_ALPHA = Fraction(1, 16)
#: What draws where alpha is below, at or above the reference -> how to round it.
_HOSTED = {
    ">=": (ops.FCEIL, -_NEAR),
    "<": (ops.FCEIL, -_NEAR),
    "<=": (ops.FFLOOR, _NEAR),
    ">": (ops.FFLOOR, _NEAR),
}
#: The reference that all pixels pass.
_PASSING = {">=": 0, "<=": _STEPS}
_ROUNDED = {">=": ceil, "<": ceil, "<=": floor, ">": floor}
_OPPOSITE = {">=": "<=", "<=": ">=", "<": ">", ">": "<", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", "==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class _Limited:
    """offset + factor * clamp(inner)."""

    inner: Polynomial
    factor: Fraction
    offset: Polynomial
    #: Whether the inside may be above 1.
    has_top: bool


def through_clamps(comparison: Comparison, alpha: Polynomial) -> Iterator[Polynomial]:
    """Differences that decide the comparison as well, with alpha for what it is the clamp of."""
    for difference in (comparison.difference, *_without_clamp(comparison)):
        yield difference
        for limited in _limited(alpha):
            line = _line(difference, limited.inner)
            if line is not None and _is_within(comparison, *line, limited.has_top):
                slope, rest = line
                yield (alpha - limited.offset) * (slope / limited.factor) + rest


def _without_clamp(comparison: Comparison) -> Iterator[Polynomial]:
    for limited in _limited(comparison.difference):
        if _is_within(comparison, limited.factor, limited.offset, limited.has_top):
            yield limited.inner * limited.factor + limited.offset


def _limited(value: Polynomial) -> Iterator[_Limited]:
    """Return what a value is the clamp of, but for numbers of the host."""
    for atom in value.atoms():
        if not isinstance(atom, Clamp) or (atom,) not in value.terms:
            continue
        factor = Fraction(value.terms[(atom,)])
        rest = value - polynomial(atom) * factor
        if rest.is_host:
            yield _Limited(atom.inner, factor, rest, not atom.narrow)
        opposite = rest + atom.inner * factor
        if atom.narrow and opposite.is_host:
            # max(x, 0) - x is max(-x, 0).
            yield _Limited(-atom.inner, factor, opposite, has_top=False)


def _line(value: Polynomial, inner: Polynomial) -> tuple[Fraction, Polynomial] | None:
    """Return the slope and the rest of the host where a value is a line over another one."""
    lead = inner.leading_monomial()
    slope = Fraction(value.terms.get(lead, 0)) / inner.terms[lead]
    rest = value - inner * slope
    return (slope, rest) if slope and rest.is_host else None


def _is_within(comparison: Comparison, slope: Number, rest: Polynomial, has_top: bool) -> bool:
    """Tell whether the limit lies where a clamp changes nothing that the comparison sees."""
    low, high = range_of(rest / -slope)
    # What is 0 may have been below 0, and what is 1 above 1.
    sees_zero = comparison.relation == "==" or (comparison.relation == "<") == (slope > 0)
    sees_one = comparison.relation == "==" or not sees_zero
    return (low > 0 if sees_zero else low >= 0) and (not has_top or (high < 1 if sees_one else high <= 1))


# --- The test ---------------------------------------------------------------------------------------------------------


class NoTest(Exception):
    """The condition is none that the alpha test knows; the text says why."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference that the host computes, in 0 to 1."""

    function: str
    value: Polynomial
    #: 1 where there is a test at all.
    where: Polynomial

    def __call__(self, writer: PreambleWriter) -> Value:
        rounding, shift = _HOSTED[self.function]
        builder = writer.builder
        steps = builder.op(ops.FMUL, writer.polynomial(self.value), float_constant(_STEPS))
        steps = builder.op(rounding, builder.op(ops.FADD, steps, float_constant(float(shift))))
        reference = builder.op(ops.FMUL, steps, float_constant(1 / _STEPS))
        if self.where == ONE:
            return reference
        passing = float_constant(_PASSING[self.function] / _STEPS)
        return builder.op(ops.FMIX, passing, reference, writer.polynomial(self.where))


@dataclass(frozen=True, slots=True)
class Test:
    """What the output stage does with alpha."""

    alpha: Polynomial | None
    test: AlphaTest | None = None
    reference: Reference | None = None
    #: 1 where the host decides that nothing is drawn.
    never: Polynomial = ZERO


@dataclass(frozen=True, slots=True)
class _Form:
    never: Polynomial
    where: Polynomial
    #: `==` with `is_negated` is `!=`.
    comparison: Comparison | None
    is_negated: bool = False
    #: Whether the comparison says no more than that something is 1, which else is 0.
    is_truth: bool = False


def plan_test(condition: Condition, alpha: Polynomial | None) -> Test:
    """The test of a condition; `alpha` is None where nobody looks at it."""
    if condition == TRUE:
        return Test(alpha, AlphaTest("never", 0))
    form = _form(condition)
    if form.comparison is None:
        return Test(alpha, never=form.never)
    difference = form.comparison.difference
    if form.is_truth and form.where == ONE and alpha is not None and range_of(alpha)[0] >= _LEAST_ALPHA:
        # No alpha that is drawn is as low as that of what is not.
        kept = difference + Fraction(1, 2)
        least = min(Fraction(range_of(alpha)[0]), Fraction(1))
        return Test(alpha * kept, AlphaTest(">=", int(_STEPS * least / 2)), never=form.never)
    alpha, difference = _compared(form.comparison, _tested(difference) if alpha is None else [alpha])
    factor = _factor(difference, alpha)
    assert factor is not None, "alpha has been found in it"
    relation = "!=" if form.is_negated else form.comparison.relation
    drawn = _NEGATED[relation] if factor > 0 else _OPPOSITE[_NEGATED[relation]]
    limit = (alpha * factor - difference) / factor
    if limit.constant is not None and form.where == ONE:
        return Test(alpha, _literal_test(drawn, Fraction(limit.constant)), never=form.never)
    low, high = range_of(limit)
    if drawn not in _HOSTED:
        raise NoTest("an equality with a number of the host")
    if form.where != ONE and drawn not in _PASSING:
        raise NoTest("a comparison that the host turns off: write '<' for '<=', or '>' for '>='")
    if low < 0 or high > 1:
        raise NoTest("a limit outside of 0 to 1")
    return Test(alpha, AlphaTest(drawn, 0), Reference(drawn, limit, form.where), form.never)


def _form(condition: Condition) -> _Form:
    if isinstance(condition, HostTruth):
        if condition.value.is_host:
            return _Form(condition.value, ONE, None)
        if not all(type(atom) in (Channel, HostNumber) for atom in condition.value.atoms()):
            raise NoTest("what another unit computes")
        # 1 or 0, from an image.
        return _Form(ZERO, ONE, Comparison("<", Fraction(1, 2) - condition.value), is_truth=True)
    if isinstance(condition, Comparison):
        return _Form(ZERO, ONE, condition)
    if isinstance(condition, And):
        left, right = _forms(condition.left, condition.right)
        # h and (n or (w and c))
        return _Form(left.never * right.never, left.never * right.where, right.comparison, right.is_negated)
    inner = condition.operand
    if isinstance(inner, Comparison):
        return _Form(ZERO, ONE, inner, is_negated=True)
    assert isinstance(inner, And), "the negation of anything else is none"
    left, right = _forms(negation(inner.left), negation(inner.right))
    never = left.never + right.never - left.never * right.never
    return _Form(never, right.where, right.comparison, right.is_negated)


def _forms(one: Condition, other: Condition) -> tuple[_Form, _Form]:
    """Both forms, that which the host decides first."""
    left, right = sorted(map(_form, (one, other)), key=lambda form: form.comparison is not None)
    if left.comparison is not None:
        raise NoTest(TWO_COMPARISONS)
    return left, right


def _tested(difference: Polynomial) -> list[Polynomial]:
    """What of a comparison differs from pixel to pixel, as an alpha of its own: as it is, else the clamp of it."""
    pixel = difference - difference.host_part
    low, high = range_of(pixel)
    size = max(Fraction(1), abs(Fraction(low)), abs(Fraction(high)))
    scaled = pixel / size if high > -low else -pixel / size
    return [scaled] if lies_in_unit(scaled) else [*map(clamp, (pixel, -pixel, scaled))]


def _compared(comparison: Comparison, alphas: Sequence[Polynomial]) -> tuple[Polynomial, Polynomial]:
    """An alpha, and a difference that decides the comparison and has nothing else of the pixel in it."""
    for alpha in alphas:
        for difference in through_clamps(comparison, alpha):
            if _factor(difference, alpha) is not None:
                return alpha, difference
    raise NoTest("a difference" if len(alphas) > 1 else "something else than the pixel's alpha")


def _factor(difference: Polynomial, alpha: Polynomial) -> Fraction | None:
    """How often the comparison has alpha in it; None where something else of the pixel is left."""
    pixel = next(iter((alpha - alpha.host_part).terms), None)
    if pixel is None or pixel not in difference.terms:
        return None
    factor = Fraction(difference.terms[pixel]) / alpha.terms[pixel]
    return factor if (difference - alpha * factor).is_host else None


def _literal_test(drawn: str, limit: Fraction) -> AlphaTest | None:
    steps = limit * _STEPS
    if drawn in ("==", "!="):
        if abs(steps - round(steps)) <= _NEAR and 0 <= round(steps) <= _STEPS:
            return AlphaTest(drawn, round(steps))
        return AlphaTest("never", 0) if drawn == "==" else None
    nearest = round(steps)
    reference = nearest if abs(steps - nearest) <= _NEAR else _ROUNDED[drawn](steps)
    if 0 <= reference <= _STEPS:
        return AlphaTest(drawn, reference)
    return None if (reference < 0) == (drawn in (">", ">=")) else AlphaTest("never", 0)
