"""Composite operations become those that a target has.

In: any function.  Out: of the operations below only those that the target `keep`s, and none of the simple
ones that it `lacks`; each of the others is expanded as `ROWS` says (see `expansion.py`).  What has no row
that ends in operations of the target stays: `lower-transcendentals` knows how to compute some of these.

    lower-builtins{keep=fmad.dot.fsaturate,lacks=ffloor}

The expansions follow the definitions in GLSL ES 1.00 chapter 8 and the opcode table.  Two of them rely on
what GLSL leaves open: a quotient is a product with a reciprocal, and `fmix` is x + (y - x) * t (unless
`-fprecise` or the instruction's flag forbids it).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from glslc_multi.compiler.analysis.signs import is_at_least_0
from glslc_multi.compiler.arithmetic.protocol import INT_MIN, round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.lowering.expansion import Emitter, Expander, row
from glslc_multi.compiler.lowering.opcode_set import NO_OPCODES, OpcodeSet
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass

#: From here on every float32 is a whole number.
_WHOLE_FROM = 2.0**23
#: A logarithm, a product and a power of 2 take as many operations as these products.
_PRODUCTS = 3

#: What a target has only where it says so.
COMPOSITE = OpcodeSet(
    "fmad.fdiv.fclamp.fsaturate.fmix.fstep.fsmoothstep.fmod.ffract.fceil.ftrunc.fsign.fsqrt.fpow.fexp.flog.ftan"
    ".dot.length.normalize.cross.all.any.froundeven.fisnan.utof.ftou"
)


@dataclass(frozen=True, slots=True)
class LowerBuiltins(Pass):
    """See the module's text."""

    name = "lower-builtins"
    description = "expands composite operations into those that the target has"
    preserves_control_flow = True

    #: Composite operations that may remain.
    keep: OpcodeSet = NO_OPCODES
    #: Simple operations that may not.
    lacks: OpcodeSet = NO_OPCODES
    #: As many products as a power with a whole exponent may take; otherwise it takes a logarithm.
    products: int = _PRODUCTS

    def run(self, function: Function, context: PassContext) -> bool:
        return _expander(self, context.precise).expand_all(function)

    def may_remain(self, opcode: Opcode) -> bool:
        return opcode in self.keep or (opcode not in COMPOSITE and opcode not in self.lacks)


@cache
def _expander(lowering: LowerBuiltins, precise: bool) -> Expander:
    power = row(ops.FPOW, "fexp2 flog2 fmul", _power_by(lowering.products))
    return Expander((power, *ROWS), lowering.may_remain, precise=precise)


# ------------------------------------------------------------------------------------------ arithmetic
def _quotient(e: Emitter, x: Value, y: Value) -> Value:
    reciprocal = e.op(ops.FRCP, y)
    return reciprocal if _is_one(x) else e.mul(x, reciprocal)


def _is_one(x: Value) -> bool:
    return isinstance(x, Constant) and all(component == 1.0 for component in x.components)


def _mix(e: Emitter, x: Value, y: Value, t: Value) -> Value:
    if e.precise:
        return e.add(e.mul(x, e.sub(e.number(1.0, t), t)), e.mul(y, t))
    return e.add(e.mul(e.sub(y, x), t), x)


def _clamp(e: Emitter, x: Value, low: Value, high: Value) -> Value:
    is_above = isinstance(low, Constant) and not any(low.components) and is_at_least_0(x)
    if is_above and not e.precise:
        return e.op(ops.FMIN, x, high)
    return e.op(ops.FMIN, e.op(ops.FMAX, x, low), high)


def _smoothstep(e: Emitter, low: Value, high: Value, x: Value) -> Value:
    t = e.op(ops.FSATURATE, _between(e, low, high, x))
    return e.mul(e.mul(t, t), e.sub(e.number(3.0, t), e.mul(e.number(2.0, t), t)))


def _between(e: Emitter, low: Value, high: Value, x: Value) -> Value:
    """Where x is between two edges: 0 at the first, 1 at the second."""
    distance, span = e.sub(x, low), e.sub(high, low)
    if e.precise or not isinstance(span, Constant):
        return e.op(ops.FDIV, distance, span)
    return e.mul(distance, e.op(ops.FDIV, e.number(1.0, x), span))


def _power_by(most_products: int) -> Callable[[Emitter, Value, Value], Value]:
    """Return the expansion of powers; those with whole exponents are products, by squaring, if that few are enough."""

    def make(e: Emitter, x: Value, y: Value) -> Value:
        exponent = _whole_exponent(y)
        if not 0 <= exponent.bit_length() + exponent.bit_count() - 2 <= most_products:
            return e.op(ops.FEXP2, e.mul(e.op(ops.FLOG2, x), y))
        result, square = (x if exponent & 1 else None), x
        while exponent := exponent >> 1:
            square = e.mul(square, square)
            if exponent & 1:
                result = square if result is None else e.mul(result, square)
        assert result is not None
        return result

    return make


def _whole_exponent(y: Value) -> int:
    """Return the exponent of all components, where it is a positive whole number; else 0."""
    values = set(y.components) if isinstance(y, Constant) else set()
    value = values.pop() if len(values) == 1 else None
    return int(value) if isinstance(value, float) and value.is_integer() and value > 0.0 else 0


def _scaled(opcode: Opcode, factor: float, *, after: bool) -> Callable[[Emitter, Value], Value]:
    """`opcode` of x * factor, or (`after`) its result times factor."""
    factor = round_to_float32(factor)

    def make(e: Emitter, x: Value) -> Value:
        return e.mul(e.op(opcode, x), e.number(factor, x)) if after else e.op(opcode, e.mul(x, e.number(factor, x)))

    return make


# --------------------------------------------------------------------------------------------- rounding
def _floor_of_fraction(e: Emitter, x: Value) -> Value:
    """Exact: the error of the fraction of a number in (-1, 0) is too small to move the difference from -1."""
    return e.sub(x, e.op(ops.FFRACT, x))


def _floor_by_int(e: Emitter, x: Value) -> Value:
    """Truncate, and correct below zero; numbers too large for an int have no fraction."""
    whole = e.op(ops.ITOF, e.op(ops.FTOI, x))
    one, zero = e.number(1.0, x), e.number(0.0, x)
    floor = e.sub(whole, e.select(e.op(ops.FLT, x, whole), one, zero))
    return e.select(e.op(ops.FLT, e.op(ops.FABS, x), e.number(_WHOLE_FROM, x)), floor, x)


def _trunc_by_select(e: Emitter, x: Value) -> Value:
    whole = e.op(ops.FFLOOR, e.op(ops.FABS, x))
    return e.select(e.op(ops.FLT, x, e.number(0.0, x)), e.op(ops.FNEG, whole), whole)


def _trunc_by_sign(e: Emitter, x: Value) -> Value:
    return e.mul(e.op(ops.FSIGN, x), e.op(ops.FFLOOR, e.op(ops.FABS, x)))


def _sign_by_select(e: Emitter, x: Value) -> Value:
    zero, one = e.number(0.0, x), e.number(1.0, x)
    negative = e.select(e.op(ops.FLT, x, zero), e.number(-1.0, x), zero)
    return e.select(e.op(ops.FLT, zero, x), one, negative)


def _sign_by_step(e: Emitter, x: Value) -> Value:
    """(x >= 0) - (x <= 0)"""
    zero = e.number(0.0, x)
    return e.sub(e.op(ops.FSTEP, zero, x), e.op(ops.FSTEP, x, zero))


def _round_even(e: Emitter, x: Value) -> Value:
    """The floor, and the next number where the rest is above a half, or is one and the floor odd."""
    half = e.number(0.5, x)
    floor = e.op(ops.FFLOOR, x)
    rest = e.sub(x, floor)
    halved = e.mul(floor, half)
    is_odd = e.op(ops.FNE, halved, e.op(ops.FFLOOR, halved))
    is_up = e.op(ops.OR, e.op(ops.FLT, half, rest), e.op(ops.AND, e.op(ops.FEQ, half, rest), is_odd))
    return e.select(is_up, e.add(floor, e.number(1.0, x)), floor)


def _round_even_by_steps(e: Emitter, x: Value) -> Value:
    """The same in numbers that are 0 or 1: up, less what is up from an even floor by a half."""
    half, rest = e.number(0.5, x), e.op(ops.FFRACT, x)
    floor = e.sub(x, rest)
    is_up = e.op(ops.FSTEP, half, rest)
    halved = e.op(ops.FFRACT, e.mul(floor, half))
    is_even = e.sub(e.number(1.0, x), e.add(halved, halved))
    is_tie = e.mul(is_up, e.op(ops.FSTEP, rest, half))
    return e.sub(e.add(floor, is_up), e.mul(is_tie, is_even))


# ------------------------------------------------------------------------------- numbers without a sign
def _unsigned_to_float(e: Emitter, x: Value) -> Value:
    """By halves, which are exact floats, so that their sum alone is rounded."""
    high, low = e.op(ops.USHR, x, e.number(16, x)), e.op(ops.IAND, x, e.number(0xFFFF, x))
    scaled = e.mul(e.op(ops.ITOF, high), e.number(65536.0, e.original))
    return e.add(scaled, e.op(ops.ITOF, low))


def _float_to_unsigned(e: Emitter, x: Value) -> Value:
    """The upper half of the range as if it was below zero."""
    half = e.number(2.0**31, x)
    above = e.op(ops.IXOR, e.op(ops.FTOI, e.sub(x, half)), e.number(INT_MIN, x))
    return e.select(e.op(ops.FLE, half, x), above, e.op(ops.FTOI, e.op(ops.FMAX, x, e.number(0.0, x))))


def _is_nan(e: Emitter, x: Value) -> Value:
    """A comparison that nothing may take for false."""
    e.builder.flags |= PRECISE
    return e.op(ops.FNE, x, x)


# --------------------------------------------------------------------------------------------- geometry
def _dot(e: Emitter, x: Value, y: Value) -> Value:
    products = e.components(e.mul(x, y))
    total = products[0]
    for product in products[1:]:
        total = e.add(total, product)
    return total


def _length(e: Emitter, x: Value) -> Value:
    return e.op(ops.FABS, x) if x.type.is_scalar else e.op(ops.FSQRT, e.op(ops.DOT, x, x))


def _normalize(e: Emitter, x: Value) -> Value:
    return e.mul(x, e.splat(e.op(ops.FRSQRT, e.op(ops.DOT, x, x)), x))


def _normalize_by_length(e: Emitter, x: Value) -> Value:
    return e.op(ops.FDIV, x, e.splat(e.op(ops.LENGTH, x), x))


def _cross(e: Emitter, x: Value, y: Value) -> Value:
    yzx, zxy = (1, 2, 0), (2, 0, 1)
    return e.sub(e.mul(e.swizzle(x, yzx), e.swizzle(y, zxy)), e.mul(e.swizzle(x, zxy), e.swizzle(y, yzx)))


def _reduction(opcode: Opcode) -> Callable[[Emitter, Value], Value]:
    """`opcode` between all components, halving the width each time."""

    def make(e: Emitter, x: Value) -> Value:
        while x.type.width > 1:
            half = x.type.width // 2
            joined = e.op(opcode, e.swizzle(x, range(half)), e.swizzle(x, range(half, 2 * half)))
            odd = x.type.width % 2
            x = e.op(opcode, joined, e.component(x, 2)) if odd else joined
        return x

    return make


def _unless(opcode: Opcode) -> Callable[[Emitter, Value, Value], Value]:
    """The negation of a comparison."""
    return lambda e, x, y: e.op(ops.NOT, e.op(opcode, x, y))


def _unless_swapped(opcode: Opcode) -> Callable[[Emitter, Value, Value], Value]:
    return lambda e, x, y: e.op(ops.NOT, e.op(opcode, y, x))


def _in_both_orders(opcode: Opcode) -> Callable[[Emitter, Value, Value], Value]:
    return lambda e, x, y: e.op(ops.AND, e.op(opcode, x, y), e.op(opcode, y, x))


ROWS = (
    row(ops.FMAD, "fmul fadd", lambda e, x, y, z: e.add(e.mul(x, y), z)),
    row(ops.FSUB, "fadd fneg", lambda e, x, y: e.add(x, e.op(ops.FNEG, y))),
    row(ops.FNEG, "fsub", lambda e, x: e.sub(e.number(0.0, x), x)),
    row(ops.FNEG, "fmul", lambda e, x: e.mul(x, e.number(-1.0, x))),
    row(ops.FABS, "fmax fneg", lambda e, x: e.op(ops.FMAX, x, e.op(ops.FNEG, x))),
    row(ops.FDIV, "fmul frcp", _quotient),
    row(ops.FRCP, "fdiv", lambda e, x: e.op(ops.FDIV, e.number(1.0, x), x)),
    row(ops.FMIN, "flt select", lambda e, x, y: e.select(e.op(ops.FLT, y, x), y, x)),
    row(ops.FMAX, "flt select", lambda e, x, y: e.select(e.op(ops.FLT, x, y), y, x)),
    row(ops.FCLAMP, "fmin fmax", _clamp),
    row(ops.FSATURATE, "fclamp", lambda e, x: e.op(ops.FCLAMP, x, e.number(0.0, x), e.number(1.0, x))),
    row(ops.FMIX, "fmul fadd fsub", _mix),
    row(
        ops.FSTEP, "flt select", lambda e, edge, x: e.select(e.op(ops.FLT, x, edge), e.number(0.0, x), e.number(1.0, x))
    ),
    row(ops.FSTEP, "fle btof", lambda e, edge, x: e.op(ops.BTOF, e.op(ops.FLE, edge, x))),
    row(ops.FSMOOTHSTEP, "fsaturate fdiv fmul fsub", _smoothstep),
    row(ops.FMOD, "fsub fmul ffloor fdiv", lambda e, x, y: e.sub(x, e.mul(y, e.op(ops.FFLOOR, e.op(ops.FDIV, x, y))))),
    row(ops.FFRACT, "fsub ffloor", lambda e, x: e.sub(x, e.op(ops.FFLOOR, x))),
    row(ops.FROUNDEVEN, "ffloor fsub fmul flt feq fne and or select fadd", _round_even),
    row(ops.FROUNDEVEN, "ffract fsub fmul fstep fadd", _round_even_by_steps),
    row(ops.FFLOOR, "fsub ffract", _floor_of_fraction),
    row(ops.FFLOOR, "ftoi itof flt select fsub fabs", _floor_by_int),
    row(ops.FCEIL, "ffloor fneg", lambda e, x: e.op(ops.FNEG, e.op(ops.FFLOOR, e.op(ops.FNEG, x)))),
    row(ops.FTRUNC, "ffloor fabs flt fneg select", _trunc_by_select),
    row(ops.FTRUNC, "fsign ffloor fabs fmul", _trunc_by_sign),
    row(ops.FSIGN, "flt select", _sign_by_select),
    row(ops.FSIGN, "fstep fsub", _sign_by_step),
    row(ops.FSQRT, "frcp frsqrt", lambda e, x: e.op(ops.FRCP, e.op(ops.FRSQRT, x))),
    row(ops.FRSQRT, "frcp fsqrt", lambda e, x: e.op(ops.FRCP, e.op(ops.FSQRT, x))),
    row(ops.FPOW, "fexp2 flog2 fmul", _power_by(_PRODUCTS)),
    row(ops.FEXP, "fexp2 fmul", _scaled(ops.FEXP2, 1 / math.log(2), after=False)),
    row(ops.FLOG, "flog2 fmul", _scaled(ops.FLOG2, math.log(2), after=True)),
    row(ops.FTAN, "fsin fcos fdiv", lambda e, x: e.op(ops.FDIV, e.op(ops.FSIN, x), e.op(ops.FCOS, x))),
    row(ops.DOT, "fmul fadd", _dot),
    row(ops.LENGTH, "fsqrt dot fabs", _length),
    row(ops.NORMALIZE, "frsqrt dot fmul", _normalize),
    row(ops.NORMALIZE, "length fdiv", _normalize_by_length),
    row(ops.CROSS, "fmul fsub", _cross),
    row(ops.ALL, "and", _reduction(ops.AND)),
    row(ops.ANY, "or", _reduction(ops.OR)),
    row(ops.FLE, "flt not", _unless_swapped(ops.FLT)),
    row(ops.FLT, "fle not", _unless_swapped(ops.FLE)),
    row(ops.FNE, "feq not", _unless(ops.FEQ)),
    row(ops.FEQ, "fne not", _unless(ops.FNE)),
    row(ops.FEQ, "fle and", _in_both_orders(ops.FLE)),
    row(ops.ILE, "ilt not", _unless_swapped(ops.ILT)),
    row(ops.ULE, "ult not", _unless_swapped(ops.ULT)),
    row(ops.INE, "ieq not", _unless(ops.IEQ)),
    row(ops.FISNAN, "fne", _is_nan),
    row(ops.UTOF, "ushr iand itof fmul fadd", _unsigned_to_float),
    row(ops.FTOU, "fle fsub ftoi ixor fmax select", _float_to_unsigned),
    row(ops.INEG, "isub", lambda e, x: e.op(ops.ISUB, e.number(0, x), x)),
    row(ops.BTOF, "select", lambda e, x: e.select(x, e.number(1.0, x), e.number(0.0, x))),
    row(ops.FTOB, "fne", lambda e, x: e.op(ops.FNE, x, e.number(0.0, x))),
    row(ops.ITOB, "ine", lambda e, x: e.op(ops.INE, x, e.number(0, x))),
)
