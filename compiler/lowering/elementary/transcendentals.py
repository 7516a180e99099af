"""Elementary functions that a target lacks, by reduction of the argument and a polynomial.

In: any function.  Out: of the functions below only those that the target `keep`s (and `fsqrt` and `frsqrt`
unless it `lacks` them).  The expansions use products, sums, `ffloor`, `fabs`, `fmin`, `fmax`, `fdiv` and
`select`; run `lower-builtins` after this pass for what a target lacks of those.

    lower-transcendentals{keep=fsin.fcos.fexp2.flog2}

* Sine and cosine take the angle in turns, without whole turns, and fold it to a quarter.  What large angles
  lose is the precision of x / 2 pi: an absolute error of |x| * 2^-24 in float32.  With `exact-angles`, where the result
  is multiplied by a large number, whole turns are subtracted in two parts, and nothing is lost.
* The exponential splits the exponent into a whole number and a fraction of at most a half.  The power of the
  whole number is a product of 2, 4, 16, ... as its binary digits say; `exponent-bits` is the number of digits
  that the format needs, 7 for float32, and results saturate at 2 to the 2^bits - 1.
* The logarithm brings its argument to between sqrt(1/2) and sqrt(2) the same way.
* Arc functions follow from the arc tangent of at most 1 and the arc sine of at most 1/2; for larger arguments
  asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
* The square root is 2^(log2(x) / 2), improved by one step of Newton's method.

Polynomials with their errors stand in `coefficients.py`.  Evaluation is Horner's scheme.
"""

from __future__ import annotations

import math
from functools import cache

from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Function, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.lowering import builtins
from glslc_multi.compiler.lowering.elementary.angles import TURN_HIGH, is_magnified
from glslc_multi.compiler.lowering.elementary.coefficients import ASIN, ATAN, EXP2, LOG2, SIN_TURNS
from glslc_multi.compiler.lowering.elementary.polynomials import arc_tangents, constant, horner, odd, with_sign_of
from glslc_multi.compiler.lowering.expansion import Emitter, Expander, Row, row
from glslc_multi.compiler.lowering.opcode_set import NO_OPCODES, OpcodeSet
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass

#: Removed unless the target keeps them.
TRANSCENDENTAL = OpcodeSet("fsin.fcos.ftan.fasin.facos.fatan.fatan2.fexp2.flog2.fexp.flog.fpow")
#: Removed only where the target says so.
_ROOTS = OpcodeSet("fsqrt.frsqrt")


@dataclass(frozen=True, slots=True)
class LowerTranscendentals(Pass):
    """See the module's text."""

    name = "lower-transcendentals"
    description = "computes elementary functions that the target lacks by polynomials"
    preserves_control_flow = True

    #: Functions that may remain.
    keep: OpcodeSet = NO_OPCODES
    #: Roots that may not.
    lacks: OpcodeSet = NO_OPCODES
    #: Binary digits of the largest exponent.
    exponent_bits: int = 7
    #: Whether large angles keep their precision where errors would be magnified.
    exact_angles: bool = False

    def run(self, function: Function, context: PassContext) -> bool:
        return _expander(self, context.precise).expand_all(function)

    def may_remain(self, opcode: Opcode) -> bool:
        if opcode in _ROOTS:
            return opcode not in self.lacks
        return opcode in self.keep or opcode not in TRANSCENDENTAL


@cache
def _expander(lowering: LowerTranscendentals, precise: bool) -> Expander:
    rows_of_all = rows(lowering.exponent_bits, exact_angles=lowering.exact_angles)
    return Expander(rows_of_all, lowering.may_remain, precise=precise)


def rows(exponent_bits: int, *, exact_angles: bool = False) -> list[Row]:
    """The expansions; those of composite functions are the ones of `lower-builtins`."""
    exponents, angles = _Exponents(exponent_bits), _Angles(exact_angles)
    composite = [entry for entry in builtins.ROWS if entry.opcode in TRANSCENDENTAL | {ops.FRSQRT}]
    return [
        *composite,
        row(ops.FSIN, "fmul fadd fsub ffloor fmin fmax", angles.sine),
        row(ops.FCOS, "fmul fadd fsub ffloor fabs", angles.cosine),
        *arc_tangents(ATAN.coefficients),
        row(ops.FASIN, "fmul fadd fsub fabs fsqrt flt fle select fneg", _arc_sine),
        row(ops.FACOS, "fmul fadd fsub fabs fsqrt flt fle select fneg", _arc_cosine),
        row(ops.FEXP2, "fmul fadd fsub ffloor fabs fmin fdiv flt select", exponents.power),
        row(ops.FLOG2, "fmul fadd fsub fdiv flt fle fneg select", exponents.logarithm),
        row(ops.FSQRT, "fexp2 flog2 fmul fadd fdiv flt select", _root),
        row(ops.FRSQRT, "fsqrt fdiv", lambda e, x: e.op(ops.FDIV, e.number(1.0, x), e.op(ops.FSQRT, x))),
    ]


# ---------------------------------------------------------------------------------------------- angles
@dataclass(frozen=True, slots=True)
class _Angles:
    """Sines and cosines."""

    exact: bool

    def sine(self, e: Emitter, x: Value) -> Value:
        """Beyond a quarter turn r the sine is that of 1/2 - r, or of -1/2 - r on the other side."""
        turns = self._turns(e, x)
        below = e.op(ops.FMIN, turns, e.sub(e.number(0.5, x), turns))
        return odd(e, SIN_TURNS.coefficients, e.op(ops.FMAX, below, e.sub(e.number(-0.5, x), turns)))

    def cosine(self, e: Emitter, x: Value) -> Value:
        """The sine of what is missing to a quarter turn."""
        return odd(e, SIN_TURNS.coefficients, e.sub(e.number(0.25, x), e.op(ops.FABS, self._turns(e, x))))

    def _turns(self, e: Emitter, x: Value) -> Value:
        """The angle in turns, from -1/2 to 1/2."""
        turns = e.mul(x, constant(e, 0.5 / math.pi, x))
        nearest = e.add(turns, e.number(0.5, x))
        # Of what is larger than the largest int nothing is known but whole turns.
        flags, e.builder.flags = e.builder.flags, e.builder.flags | RELAXED
        whole = e.op(ops.FFLOOR, nearest)
        e.builder.flags = flags
        if not (self.exact and is_magnified(e.original)):
            return e.sub(turns, whole)
        e.builder.flags = PRECISE
        rest = e.sub(x, e.mul(whole, e.number(TURN_HIGH, x)))
        rest = e.sub(rest, e.mul(whole, constant(e, 2 * math.pi - TURN_HIGH, x)))
        e.builder.flags = flags
        return e.mul(rest, constant(e, 0.5 / math.pi, x))


def _arc_sine(e: Emitter, x: Value) -> Value:
    is_small, part = _small_arc(e, x)
    large = e.sub(constant(e, math.pi / 2, x), e.add(part, part))
    return with_sign_of(e, x, e.select(is_small, part, large))


def _arc_cosine(e: Emitter, x: Value) -> Value:
    is_small, part = _small_arc(e, x)
    twice, zero = e.add(part, part), e.number(0.0, x)
    left = e.sub(constant(e, math.pi, x), twice)
    large = e.select(e.op(ops.FLT, x, zero), left, twice)
    return e.select(is_small, e.sub(constant(e, math.pi / 2, x), with_sign_of(e, x, part)), large)


def _small_arc(e: Emitter, x: Value) -> tuple[Value, Value]:
    """Whether a = |x| is at most 1/2, and the arc sine of a, else that of sqrt((1 - a) / 2)."""
    half = e.number(0.5, x)
    magnitude = e.op(ops.FABS, x)
    is_small = e.op(ops.FLE, magnitude, half)
    other = e.mul(e.sub(e.number(1.0, x), magnitude), half)
    square = e.select(is_small, e.mul(magnitude, magnitude), other)
    sine = e.select(is_small, magnitude, e.op(ops.FSQRT, other))
    return is_small, e.mul(sine, horner(e, ASIN.coefficients, square))


# ------------------------------------------------------------------------------------------- exponents
@dataclass(frozen=True, slots=True)
class _Exponents:
    """Powers of 2 and their inverse, in a format whose exponents have so many binary digits."""

    bits: int

    def power(self, e: Emitter, x: Value) -> Value:
        whole = e.op(ops.FFLOOR, e.add(x, e.number(0.5, x)))
        fraction = e.sub(x, whole)
        mantissa = e.add(e.mul(fraction, horner(e, EXP2.coefficients, fraction)), e.number(1.0, x))
        # 2 to a whole number that is not negative, digit by digit.
        exponent = e.op(ops.FABS, whole)
        rest = e.op(ops.FMIN, exponent, e.number(2.0**self.bits - 1.0, exponent))
        scale: Value = e.number(1.0, exponent)
        for digit in reversed(range(self.bits)):
            value = e.number(2.0**digit, exponent)
            is_clear = e.op(ops.FLT, rest, value)
            rest = e.select(is_clear, rest, e.sub(rest, value))
            scale = e.select(is_clear, scale, e.mul(scale, e.number(2.0 ** (2**digit), exponent)))
        is_negative = e.op(ops.FLT, whole, e.number(0.0, x))
        return e.select(is_negative, e.op(ops.FDIV, mantissa, scale), e.mul(mantissa, scale))

    def logarithm(self, e: Emitter, x: Value) -> Value:
        one, zero = e.number(1.0, x), e.number(0.0, x)
        is_small = e.op(ops.FLT, x, one)
        rest: Value = e.select(is_small, e.op(ops.FDIV, one, x), x)
        whole: Value = zero
        for digit in reversed(range(self.bits)):
            rest, whole = self._take(e, rest, whole, 2.0 ** (2**digit), 2.0**digit)
        rest, whole = self._take(e, rest, whole, 2.0, 1.0, limit=round_to_float32(math.sqrt(2)))
        offset = e.sub(rest, one)
        total = e.add(whole, e.mul(offset, horner(e, LOG2.coefficients, offset)))
        return e.select(is_small, e.op(ops.FNEG, total), total)

    def _take(
        self, e: Emitter, rest: Value, whole: Value, factor: float, exponent: float, *, limit: float | None = None
    ) -> tuple[Value, Value]:
        """Divide by `factor` and add its exponent, where the rest is `limit` (else the factor) or more."""
        is_less = e.op(ops.FLT, rest, e.number(factor if limit is None else limit, rest))
        smaller = e.mul(rest, e.number(1.0 / factor, rest))
        larger = e.add(whole, e.number(exponent, rest))
        return e.select(is_less, rest, smaller), e.select(is_less, whole, larger)


def _root(e: Emitter, x: Value) -> Value:
    """2^(log2(x) / 2), and the mean of that and its quotient; 0 for 0."""
    half, zero = e.number(0.5, x), e.number(0.0, x)
    guess = e.op(ops.FEXP2, e.mul(e.op(ops.FLOG2, x), half))
    better = e.mul(e.add(guess, e.op(ops.FDIV, x, guess)), half)
    return e.select(e.op(ops.FLT, zero, x), better, zero)
