"""Pieces of expansions that evaluate polynomials, and the arc tangents that need nothing else.

A polynomial is its coefficients, from the constant one on; how good it must be is up to the number format, so
lowerings bring their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.lowering.expansion import Emitter, Row, row

Coefficients = tuple[float, ...]


def constant(e: Emitter, value: float, like: Value) -> Constant:
    """A number that float32 may not hold exactly."""
    return e.number(round_to_float32(value), like)


def horner(e: Emitter, coefficients: Coefficients, x: Value) -> Value:
    *lower, highest = coefficients
    total: Value = constant(e, highest, x)
    for coefficient in reversed(lower):
        total = e.add(e.mul(total, x), constant(e, coefficient, x))
    return total


def odd(e: Emitter, coefficients: Coefficients, x: Value) -> Value:
    """x * polynomial(x * x)"""
    return e.mul(x, horner(e, coefficients, e.mul(x, x)))


def with_sign_of(e: Emitter, x: Value, magnitude: Value) -> Value:
    return e.select(e.op(ops.FLT, x, e.number(0.0, x)), e.op(ops.FNEG, magnitude), magnitude)


def arc_tangents(coefficients: Coefficients) -> tuple[Row, Row]:
    """`fatan` and `fatan2` by a polynomial for atan(sqrt(u)) / sqrt(u), u up to 1."""

    def first_quadrant(e: Emitter, y: Value, x: Value) -> Value:
        """The angle of (x, y), neither negative: that of the smaller over the larger, or what it lacks to a
        right angle."""
        low = odd(e, coefficients, e.op(ops.FDIV, e.op(ops.FMIN, y, x), e.op(ops.FMAX, y, x)))
        return e.select(e.op(ops.FLT, x, y), e.sub(constant(e, math.pi / 2, x), low), low)

    def arc_tangent(e: Emitter, x: Value) -> Value:
        return with_sign_of(e, x, first_quadrant(e, e.op(ops.FABS, x), e.number(1.0, x)))

    def angle(e: Emitter, y: Value, x: Value) -> Value:
        right = first_quadrant(e, e.op(ops.FABS, y), e.op(ops.FABS, x))
        left = e.sub(constant(e, math.pi, x), right)
        return with_sign_of(e, y, e.select(e.op(ops.FLT, x, e.number(0.0, x)), left, right))

    uses = "fmul fadd fsub fabs fmin fmax fdiv flt select fneg"
    expansions: list[tuple[ops.Opcode, Callable[..., Value]]] = [(ops.FATAN, arc_tangent), (ops.FATAN2, angle)]
    first, second = (row(opcode, uses, make) for opcode, make in expansions)
    return first, second
