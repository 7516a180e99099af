"""The quaternion that turns (0, 0, 1) to a normal, as instructions of a vertex shader.

Of all that do, it is the one that turns about an axis at right angles to both: (-y, x, 0, 1 + z), normalised.  It
changes little from vertex to vertex but near (0, 0, -1), where the axis may be any; there a half turn about x.  Where
the normals of a triangle's vertices have quaternions of opposite signs, the rasteriser changes the sign.
"""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import ops
from compiler.ir.builder import Builder, float_constant
from compiler.ir.module import Value

#: Below this the normal is taken for (0, 0, -1): less than the machine's 24 bits tell of 1 + z.
_SMALLEST = 2.0**-12


def quaternion_of_normal(builder: Builder, normal: Sequence[Value]) -> Value:
    """For a vector of any length but 0."""
    x, y, z = (builder.extract(builder.op(ops.NORMALIZE, builder.construct(*normal)), part) for part in range(3))
    # (-y, x, 0, 1 + z) has the square length 2 (1 + z).
    w = builder.op(ops.FADD, z, float_constant(1.0))
    is_opposite = builder.op(ops.FLT, w, float_constant(_SMALLEST))
    turned = builder.construct(builder.op(ops.FNEG, y), x, float_constant(0.0), w)
    half_turn = float_constant(1.0, 0.0, 0.0, 0.0)
    return builder.op(ops.NORMALIZE, builder.op(ops.SELECT, is_opposite, half_turn, turned))


def turned_axis(builder: Builder, quaternion: Value) -> Value:
    """(0, 0, 1) as a quaternion turns it, in the machine's way."""
    unit = builder.op(ops.NORMALIZE, quaternion)
    axis = builder.swizzle(unit, (0, 1, 2))
    w = builder.op(ops.FMUL, float_constant(0.0, 0.0, 1.0), builder.splat(builder.extract(unit, 3), 3))
    inner = builder.op(ops.FADD, builder.op(ops.CROSS, axis, float_constant(0.0, 0.0, 1.0)), w)
    double = builder.op(ops.FMUL, builder.op(ops.CROSS, axis, inner), float_constant(2.0, 2.0, 2.0))
    return builder.op(ops.FADD, float_constant(0.0, 0.0, 1.0), double)
