"""Elementary functions in fixed point: few instructions, as exact as 17 binary digits allow.

In: a function whose values have at most three components.  Out: none of the operations in `FUNCTIONS`.  Sines and
arcs are polynomials after a reduction of the argument, on all components at once; `exponents.py` has powers and
logarithms.  Errors of the polynomials are relative ones; `docs/theia-functions.md` has what remains in the end.
"""

from __future__ import annotations

import math
from functools import cache

from glslc_multi.backends.theia.codegen.rewrites.exponents import LOOPED, ROW, expand_exponents
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Value
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.lowering import builtins
from glslc_multi.compiler.lowering.elementary.polynomials import arc_tangents, constant, odd, with_sign_of
from glslc_multi.compiler.lowering.expansion import Emitter, Expander, row
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.passes.base import Pass, PassContext

FUNCTIONS = OpcodeSet("fsin.fcos.ftan.fasin.facos.fatan.fatan2.fexp2.flog2.fexp.flog.fpow.fmod")

#: sin(2 pi sqrt(u)) / sqrt(u) for u to 1/16, error 9.4e-7
_SIN_TURNS = (6.283179407, -41.3389425, 81.39535863, -71.47469428)
#: atan(sqrt(u)) / sqrt(u) for u to 1, error 4.4e-6
_ATAN = (0.9999956296, -0.3329945968, 0.1956359248, -0.1212390707, 0.05747731369, -0.01348046963)
#: asin(sqrt(u)) / sqrt(u) for u to 1/4, error 1.5e-6
_ASIN = (0.9999984906, 0.1668521954, 0.07148400455, 0.06506757265)


class LowerElementary(Pass):
    """See the module's text."""

    name = "theia-elementary"
    description = "expands elementary functions in fixed point"

    def run(self, function: Function, context: PassContext) -> bool:
        progress = _expander(context.precise).expand_all(function)
        return expand_exponents(function) or progress


class SplitRoots(Pass):
    """Takes roots of single numbers: the loop that computes one ends when it is found."""

    name = "theia-roots"
    description = "takes the roots of a vector one by one"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        roots = [i for i in function.instructions() if i.op is ops.FSQRT and not i.type.is_scalar]
        for root in roots:
            builder = Builder.before(root)
            parts = [builder.extract(root.operands[0], number) for number in range(root.type.width)]
            root.replace_all_uses_with(builder.construct(*(builder.op(ops.FSQRT, part) for part in parts)))
            root.erase()
        return bool(roots)


@cache
def _expander(precise: bool) -> Expander:
    return Expander(_ROWS, _may_remain, precise=precise)


def _may_remain(opcode: ops.Opcode) -> bool:
    return opcode in LOOPED or opcode not in FUNCTIONS


# --------------------------------------------------------------------------------------------- polynomials
def _turns(e: Emitter, x: Value, offset: float) -> Value:
    """The angle in turns plus `offset`, less whole turns: 0 to 1.

    The factor is taken four times as large: rounded to 17 digits, it then is exact enough for large angles.  Nobody
    may join the two factors again.
    """
    flags, e.builder.flags = e.builder.flags, e.builder.flags | PRECISE
    quarters = e.mul(x, constant(e, 2 / math.pi, x))
    turns = e.mul(quarters, e.number(0.25, x))
    e.builder.flags = flags
    return e.op(ops.FFRACT, e.add(turns, e.number(offset, x)) if offset else turns)


def _cosine(e: Emitter, x: Value) -> Value:
    return _folded(e, _turns(e, x, 0.5))


def _sine(e: Emitter, x: Value) -> Value:
    """The cosine of a quarter turn less."""
    return _folded(e, _turns(e, x, 0.25))


def _folded(e: Emitter, turns: Value) -> Value:
    """The cosine of `turns` less a half: the sine of what is missing to a quarter."""
    distance = e.op(ops.FABS, e.sub(turns, e.number(0.5, turns)))
    return odd(e, _SIN_TURNS, e.sub(e.number(0.25, turns), distance))


def _modulo(e: Emitter, x: Value, y: Value) -> Value:
    """By a real quotient: a product with a rounded reciprocal would miss whole numbers, so that 3 mod 3 were 3.

    Quotients are cut off towards zero, so that the floor of a negative one may be 1 too large.  The remainder, which is
    exact, then has not the sign of y and lacks one y.  Where y is at most 1.0, what is
    cut off is less than a step of x.
    """
    flags, e.builder.flags = e.builder.flags, e.builder.flags | PRECISE
    quotient = e.op(ops.FDIV, x, y)
    e.builder.flags = flags
    rest = e.sub(x, e.mul(y, e.op(ops.FFLOOR, quotient)))
    if isinstance(y, Constant) and all(part is None or abs(part) <= 1.0 for part in y.components):
        return rest
    # The product with a sign is exact, where one with the remainder could be too small to be seen.
    is_positive = isinstance(y, Constant) and all(part is None or part > 0.0 for part in y.components)
    signed = rest if is_positive else e.mul(e.op(ops.FSIGN, rest), y)
    is_short = e.op(ops.FLT, signed, e.number(0.0, x))
    return e.select(is_short, e.add(rest, y), rest)


def _raised(e: Emitter, x: Value, y: Value) -> Value:
    """2^(y log2 x), but 0 for 0, whose logarithm is that of the smallest number here.

    Three numbers are chosen by a mask, one or two under a jump for each.
    """
    power = e.op(ops.FEXP2, e.mul(y, e.op(ops.FLOG2, x)))
    if x.type.width >= ROW:
        return e.select(e.op(ops.FLT, e.number(0.0, x), x), power, e.number(0.0, x))
    zero = Constant(FLOAT, (0.0,))
    pairs = zip(e.components(x), e.components(power), strict=True)
    return e.construct([e.select(e.op(ops.FLT, zero, base), number, zero) for base, number in pairs])


def _arc_cosine(e: Emitter, x: Value) -> Value:
    return e.sub(constant(e, math.pi / 2, x), _arc_sine(e, x))


def _arc_sine(e: Emitter, x: Value) -> Value:
    """Of a = |x| above 1/2: pi/2 - 2 asin(sqrt((1 - a) / 2)), halved after the root: half a step is none."""
    half = e.number(0.5, x)
    magnitude = e.op(ops.FABS, x)
    is_small = e.op(ops.FLE, magnitude, half)
    other = e.mul(e.op(ops.FSQRT, e.sub(e.number(1.0, x), magnitude)), constant(e, math.sqrt(0.5), x))
    part = odd(e, _ASIN, e.select(is_small, magnitude, other))
    large = e.sub(constant(e, math.pi / 2, x), e.add(part, part))
    return with_sign_of(e, x, e.select(is_small, part, large))


_ROWS = (
    row(ops.FMOD, "fdiv ffloor fmul fsub fadd fsign flt select", _modulo),
    row(ops.FPOW, "fexp2 flog2 fmul flt select", _raised),
    *(entry for entry in builtins.ROWS if entry.opcode in FUNCTIONS),
    row(ops.FSIN, "fmul fadd fsub ffract fabs", _sine),
    row(ops.FCOS, "fmul fadd fsub ffract fabs", _cosine),
    *arc_tangents(_ATAN),
    row(ops.FASIN, "fmul fadd fsub fabs fsqrt flt fle select fneg", _arc_sine),
    row(ops.FACOS, "fmul fadd fsub fabs fsqrt flt fle select fneg", _arc_cosine),
)
