"""What operations compute, over the arithmetic protocol of `compiler/arithmetic/protocol.py`.

A vector operation's meaning takes the arithmetic and its sources, four components each, and gives four
components.  A scalar operation's takes x, y (two components of its source) and p, the previous scalar result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from glslc_multi.compiler.arithmetic.protocol import Arithmetic, Number

Vector = tuple[Number, Number, Number, Number]
#: The largest float32 and the smallest normal one; written out, because reading the tables must not need numpy.
LARGEST = (2 - 2**-23) * 2.0**127
SMALLEST_NORMAL = 2.0**-126


class ByComponent:
    """Computes each component of the result from the same ones of the sources, of which some may be left out."""

    def __init__(self, operation: Callable[..., Number]) -> None:
        self._operation = operation

    def __call__(self, a: Arithmetic, *sources: Sequence[Number]) -> Sequence[Number]:
        operation = self._operation
        return [operation(a, *components) for components in zip(*sources, strict=True)]


def everywhere(operation: Callable[..., Number]) -> Callable[..., Vector]:
    """One number for all components."""

    def compute(a: Arithmetic, *sources: Vector) -> Vector:
        result = operation(a, *sources)
        return result, result, result, result

    return compute


def one_if(a: Arithmetic, condition: Number) -> Number:
    return a.select(condition, a.fconst(1.0), a.fconst(0.0))


def as_number(holds: Callable[..., Number]) -> Callable[..., Number]:
    """1 where it holds, else 0."""
    return lambda a, *sources: one_if(a, holds(a, *sources))


def scalar_test(holds: Callable[[Arithmetic, Number], Number], if_true: float = 1.0) -> Callable[..., Number]:
    """A scalar row's test of x alone: `if_true` where it holds, else the other one of 0 and 1."""
    return lambda a, x, y, p: a.select(holds(a, x), a.fconst(if_true), a.fconst(1.0 - if_true))


def zero_if(a: Arithmetic, condition: Number, otherwise: Number) -> Number:
    return a.select(condition, a.fconst(0.0), otherwise)


def maximum(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.fle(y, x), x, y)


def minimum(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.flt(x, y), x, y)


def fract(a: Arithmetic, x: Number) -> Number:
    return a.fsub(x, a.ffloor(x))


def trunc(a: Arithmetic, x: Number) -> Number:
    return a.select(a.flt(x, a.fconst(0.0)), a.fneg(a.ffloor(a.fneg(x))), a.ffloor(x))


def dot(a: Arithmetic, x: Vector, y: Vector, width: int) -> Number:
    """The sum of products, from the left, beginning with +0."""
    total = a.fconst(0.0)
    for left, right in zip(x[:width], y[:width], strict=True):
        total = a.fadd(total, a.fmul(left, right))
    return total


#: Relations by their name in mnemonics.
RELATIONS: Mapping[str, Callable[[Arithmetic, Number, Number], Number]] = {
    "E": lambda a, x, y: a.feq(x, y),
    "NE": lambda a, x, y: a.bnot(a.feq(x, y)),
    "GT": lambda a, x, y: a.flt(y, x),
    "GTE": lambda a, x, y: a.fle(y, x),
}
SYMBOLS = {"E": "=", "NE": "≠", "GT": ">", "GTE": "≥"}


def versus_zero(name: str) -> Callable[[Arithmetic, Number], Number]:
    return lambda a, x: RELATIONS[name](a, x, a.fconst(0.0))


def select_if(name: str) -> ByComponent:
    return ByComponent(lambda a, x, y, z: a.select(RELATIONS[name](a, x, a.fconst(0.0)), y, z))


def any_component(name: str) -> Callable[[Arithmetic, Vector, Vector], Number]:
    def holds(a: Arithmetic, x: Vector, y: Vector) -> Number:
        found = a.bconst(False)
        for left, right in zip(x, y, strict=True):
            found = a.bor(found, RELATIONS[name](a, left, right))
        return found

    return holds


def distance(a: Arithmetic, x: Vector, y: Vector) -> Vector:
    return a.fconst(1.0), a.fmul(x[1], y[1]), x[2], y[3]


def face_of(a: Arithmetic, x: Number, y: Number, z: Number) -> Vector:
    """Where a direction meets the cube: t, s, 2 * major axis, face."""
    zero = a.fconst(0.0)
    ax, ay, az = a.fabs(x), a.fabs(y), a.fabs(z)
    z_major = a.band(a.fle(ax, az), a.fle(ay, az))
    y_major = a.fle(ax, ay)

    def pick(for_z: Number, for_y: Number, for_x: Number) -> Number:
        return a.select(z_major, for_z, a.select(y_major, for_y, for_x))

    def signed(axis: Number, negative: Number, positive: Number) -> Number:
        return a.select(a.flt(axis, zero), negative, positive)

    t = pick(a.fneg(y), signed(y, a.fneg(z), z), a.fneg(y))
    s = pick(signed(z, a.fneg(x), x), x, signed(x, z, a.fneg(z)))
    major = pick(z, y, x)
    faces = [a.fconst(float(face)) for face in range(6)]
    face = pick(signed(z, faces[5], faces[4]), signed(y, faces[3], faces[2]), signed(x, faces[1], faces[0]))
    return t, s, a.fadd(major, major), face


def cube(a: Arithmetic, first: Vector, second: Vector) -> Vector:
    """Where the direction meets the cube whose zzxy and yxzz are the sources."""
    z, _, x, y = first
    return face_of(a, x, y, z)


def push_predicate(name: str) -> Callable[[Arithmetic, Vector, Vector], Number]:
    holds = zero_and(name)
    return lambda a, x, y: holds(a, x[3], y[3])


def zero_and(name: str) -> Callable[[Arithmetic, Number, Number], Number]:
    return lambda a, x, y: a.band(a.feq(x, a.fconst(0.0)), RELATIONS[name](a, y, a.fconst(0.0)))


def push_result(name: str) -> Callable[..., Vector]:
    holds = zero_and(name)
    return everywhere(lambda a, x, y: zero_if(a, holds(a, x[0], y[0]), a.fadd(x[0], a.fconst(1.0))))


def rounded(a: Arithmetic, x: Number) -> Number:
    return a.ffloor(a.fadd(x, a.fconst(0.5)))


def reciprocal(a: Arithmetic, x: Number) -> Number:
    return a.fdiv(a.fconst(1.0), x)


def reciprocal_root(a: Arithmetic, x: Number) -> Number:
    return a.fdiv(a.fconst(1.0), a.fsqrt(x))


def is_infinite(a: Arithmetic, x: Number) -> Number:
    return a.feq(a.fabs(x), a.fconst(float("inf")))


def is_finite(a: Arithmetic, x: Number) -> Number:
    return a.flt(a.fabs(x), a.fconst(float("inf")))


def clamped(operation: Callable[..., Number]) -> Callable[..., Number]:
    """Infinities become the largest number of their sign."""

    def compute(a: Arithmetic, x: Number, y: Number, p: Number) -> Number:
        result = operation(a, x)
        largest = a.select(a.flt(result, a.fconst(0.0)), a.fconst(-LARGEST), a.fconst(LARGEST))
        return a.select(is_infinite(a, result), largest, result)

    return compute


def flushed(operation: Callable[..., Number]) -> Callable[..., Number]:
    """Infinities become zero of their sign."""

    def compute(a: Arithmetic, x: Number, y: Number, p: Number) -> Number:
        result = operation(a, x)
        zero = a.select(a.flt(result, a.fconst(0.0)), a.fconst(-0.0), a.fconst(0.0))
        return a.select(is_infinite(a, result), zero, result)

    return compute


def log2(a: Arithmetic, x: Number) -> Number:
    return a.elementary("log2", x)


def log_clamp(a: Arithmetic, x: Number, y: Number, p: Number) -> Number:
    result = log2(a, x)
    return a.select(a.feq(result, a.fconst(float("-inf"))), a.fconst(-LARGEST), result)


def multiply_by_previous(a: Arithmetic, x: Number, y: Number, p: Number) -> Number:
    """The product; a previous result comes as it is, so a denormal one has to be made the zero that it counts as."""
    is_small = a.flt(a.fabs(p), a.fconst(SMALLEST_NORMAL))
    return a.fmul(x, zero_if(a, is_small, p))


def multiply_for_lit(a: Arithmetic, x: Number, y: Number, p: Number) -> Number:
    usable = a.band(a.band(is_finite(a, p), is_finite(a, y)), a.flt(a.fconst(0.0), y))
    usable = a.band(usable, a.bnot(a.feq(p, a.fconst(-LARGEST))))
    return a.select(usable, multiply_by_previous(a, x, y, p), a.fconst(-LARGEST))


def invert(a: Arithmetic, x: Number, y: Number, p: Number) -> Number:
    was_zero = a.feq(x, a.fconst(0.0))
    return zero_if(a, is_one(a, x), a.select(was_zero, a.fconst(1.0), x))


def is_one(a: Arithmetic, x: Number) -> Number:
    return a.feq(x, a.fconst(1.0))


def minus_one(a: Arithmetic, x: Number) -> Number:
    return a.fsub(x, a.fconst(1.0))
