"""What instructions compute, over the arithmetic protocol of `compiler/arithmetic/protocol.py`.

Sources are vectors of four components after swizzle and negation, and so is the result, before the write mask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from glslc_multi.compiler.arithmetic.protocol import Arithmetic, Number

Vector = Sequence[Number]
Compute = Callable[..., Vector]
#: Meaning of an instruction that sets cmp.x and cmp.y.
Flags = Callable[..., tuple[Number, Number]]

#: Relations of CMP by number; 6 and 7 are not to be emitted and seem to be always true.
RELATIONS: Mapping[str, Callable[[Arithmetic, Number, Number], Number]] = {
    "eq": lambda a, x, y: a.feq(x, y),
    "ne": lambda a, x, y: a.bnot(a.feq(x, y)),
    "lt": lambda a, x, y: a.flt(x, y),
    "le": lambda a, x, y: a.fle(x, y),
    "gt": lambda a, x, y: a.flt(y, x),
    "ge": lambda a, x, y: a.fle(y, x),
}
RELATION_NAMES = tuple(RELATIONS)

#: Largest magnitude that LITP lets through in y.
_LIT_LIMIT = 127.99609375


def _each(operation: Callable[..., Number]) -> Compute:
    """Component by component."""

    def each(a: Arithmetic, *sources: Vector) -> Vector:
        return tuple([operation(a, *components) for components in zip(*sources, strict=True)])

    return each


def _spread(operation: Callable[..., Number]) -> Compute:
    """One number to all four components."""

    def spread(a: VectorArithmetic, *sources: Vector) -> Vector:
        value = operation(a, *sources)
        return value, value, value, value

    return spread


class VectorArithmetic(Arithmetic, Protocol):
    """What instructions are computed with."""

    def dot(self, s: Vector, t: Vector) -> Number:
        """`sum_of_products`, by whatever steps are quick."""


def sum_of_products(a: Arithmetic, s: Vector, t: Vector) -> Number:
    """What a dot product is: rounded products are added one by one, from the left."""
    total = a.fconst(0.0)
    for x, y in zip(s, t, strict=True):
        total = a.fadd(total, a.fmul(x, y))
    return total


def _one_if(a: Arithmetic, condition: Number) -> Number:
    return a.select(condition, a.fconst(1.0), a.fconst(0.0))


def _larger(a: Arithmetic, x: Number, y: Number) -> Number:
    """The second operand when the two have no order."""
    return a.select(a.flt(y, x), x, y)


def _smaller(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.flt(x, y), x, y)


def _reciprocal(a: Arithmetic, x: Number) -> Number:
    # Adding zero makes +0 of -0: the reciprocal of either is +infinity.
    return a.fdiv(a.fconst(1.0), a.fadd(x, a.fconst(0.0)))


def lit(a: Arithmetic, s: Vector) -> Vector:
    zero = a.fconst(0.0)
    y = _smaller(a, _larger(a, s[1], a.fconst(-_LIT_LIMIT)), a.fconst(_LIT_LIMIT))
    return _larger(a, s[0], zero), y, zero, _larger(a, s[3], zero)


ADD = _each(lambda a, x, y: a.fadd(x, y))
MUL = _each(lambda a, x, y: a.fmul(x, y))
MAD = _each(lambda a, x, y, z: a.fadd(a.fmul(x, y), z))
SGE = _each(lambda a, x, y: _one_if(a, a.fle(y, x)))
SLT = _each(lambda a, x, y: _one_if(a, a.flt(x, y)))
FLR = _each(lambda a, x: a.ffloor(x))
MAX = _each(_larger)
MIN = _each(_smaller)
DP3 = _spread(lambda a, s, t: a.dot(s[:3], t[:3]))
DP4 = _spread(lambda a, s, t: a.dot(s, t))
DPH = _spread(lambda a, s, t: a.fadd(a.dot(s[:3], t[:3]), t[3]))
EX2 = _spread(lambda a, s: a.elementary("exp2", s[0]))
LG2 = _spread(lambda a, s: a.elementary("log2", s[0]))
RCP = _spread(lambda a, s: _reciprocal(a, s[0]))
RSQ = _spread(lambda a, s: _reciprocal(a, a.fsqrt(s[0])))


def dst(a: Arithmetic, s: Vector, t: Vector) -> Vector:
    return a.fconst(1.0), a.fmul(s[1], t[1]), s[2], t[3]


def mov(a: Arithmetic, s: Vector) -> Vector:
    return s


def lit_flags(a: Arithmetic, s: Vector) -> tuple[Number, Number]:
    return a.fle(a.fconst(0.0), s[0]), a.fle(a.fconst(0.0), s[3])


def compare(a: Arithmetic, s: Vector, t: Vector, cmpx: int, cmpy: int) -> tuple[Number, Number]:
    return relate(a, cmpx, s[0], t[0]), relate(a, cmpy, s[1], t[1])


def relate(a: Arithmetic, number: int, x: Number, y: Number) -> Number:
    """Whether relation `number` of CMP holds."""
    if number >= len(RELATION_NAMES):
        return a.bor(a.feq(x, y), a.bconst(True))
    return RELATIONS[RELATION_NAMES[number]](a, x, y)
