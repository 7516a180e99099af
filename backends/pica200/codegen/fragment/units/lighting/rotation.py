"""Normals that a quaternion turns, of the surface or of a normal map; and quaternions that turn to a normal.

    N = p + 2 cross(q.xyz, cross(q.xyz, p) + q.w p)        p = (0, 0, 1), or what a texel says

There are many ways to write that.  So a vector that depends on one varying of four numbers, and on one texel at most,
is compared with the machine's formula at some points: two algebraic functions that agree at enough points at random
are equal (Schwartz 1980), up to what rounding hides.

A vertex shader is given the quaternion that turns (0, 0, 1) to its normal.  Of all that do, it is the one that turns
about an axis at right angles to both: (-y, x, 0, 1 + z), normalised.  It changes little from vertex to vertex but near
(0, 0, -1), where the axis may be any; there a half turn about x.  Where the normals of a triangle's vertices have
quaternions of opposite signs, the rasteriser changes the sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.records import dataclass

_Numbers = list[float]

#: Below this 1 + z of a normal is taken for 0: x and y are smaller than any byte tells, and squares no denormals yet.
_SMALLEST = 2.0**-40

#: A formula has some twenty operations.
_MOST_OPERATIONS = 80
_TOLERANCE = 2.0**-12
#: Quaternions of several lengths, and texels; of the latter the last lie outside of the sphere.
_QUATERNIONS = (
    (0.3, -0.5, 0.1, 0.8),
    (-0.9, 0.2, 0.7, 0.4),
    (1.2, 1.1, -0.6, 0.3),
    (0.2, 0.1, 0.4, -1.5),
    (0.6, 0.6, 0.2, 0.5),
)
_TEXELS = (
    (0.61, 0.42, 0.9, 1.0),
    (0.5, 0.7, 0.8, 0.2),
    (0.2, 0.3, 0.95, 0.6),
    (0.8, 0.55, 0.3, 0.4),
    (0.97, 0.1, 0.6, 0.8),
)


@dataclass(frozen=True, slots=True)
class Rotation:
    """A turned normal: the load of the quaternion, the lookup of the map, and whether the map has z."""

    quaternion: Instruction
    lookup: Instruction | None = None
    has_z: bool = False

    @property
    def is_unit(self) -> bool:
        return not self.has_z


def rotation_of(value: Instruction) -> Rotation | None:
    """What the vector is, if it is that."""
    slice_ = _slice(value)
    loads = [i for i in slice_ if i.op is ops.LOAD]
    lookups = [i for i in slice_ if i.op is ops.TEXTURE]
    if len(loads) != 1 or loads[0].type.width != 4 or len(lookups) > 1 or not slice_:
        return None
    rows = [
        [float(part) for part in _evaluated(slice_, {loads[0]: q, **dict.fromkeys(lookups, t)})]
        for q, t in zip(_QUATERNIONS, _TEXELS, strict=True)
    ]
    for rotation in _candidates(loads[0], lookups):
        expected = [rotated(_unit(q), _normal(rotation, t)) for q, t in zip(_QUATERNIONS, _TEXELS, strict=True)]
        pairs = zip(chain(*rows), chain(*expected), strict=True)
        if all(abs(x - y) <= _TOLERANCE for x, y in pairs):
            return rotation
    return None


def _candidates(load: Instruction, lookups: Sequence[Instruction]) -> Iterator[Rotation]:
    if not lookups:
        yield Rotation(load)
    for lookup in lookups:
        yield Rotation(load, lookup, has_z=False)
        yield Rotation(load, lookup, has_z=True)


def _slice(value: Instruction) -> list[Instruction]:
    """All that a vector is computed of, operands first; empty where that is too much, or no arithmetic."""
    order: list[Instruction] = []
    seen: set[Instruction] = set()
    pending: list[tuple[Instruction, bool]] = [(value, False)]
    while pending:
        current, is_ready = pending.pop()
        if is_ready:
            order.append(current)
            continue
        if current in seen:
            continue
        seen.add(current)
        is_leaf = current.op is ops.TEXTURE or (
            current.op is ops.LOAD and current.address.variable.storage == "varying"
        )
        if len(seen) > _MOST_OPERATIONS or not (is_leaf or current.op.has_semantics):
            return []
        pending.append((current, True))
        if not is_leaf:
            pending += [(o, False) for o in current.operands if isinstance(o, Instruction)]
    return order


def _evaluated(slice_: Sequence[Instruction], leaves: Mapping[Instruction, Sequence[float]]) -> _Numbers:
    values: dict[Value, _Numbers] = {leaf: list(numbers) for leaf, numbers in leaves.items()}
    for instruction in slice_:
        if instruction in values:
            continue
        operands = [
            values[o] if not isinstance(o, Constant) else list(o.defined().components) for o in instruction.operands
        ]
        values[instruction] = ops.evaluate(instruction.op, PYTHON, instruction.attribute, operands)
    return values[slice_[-1]]


def _unit(quaternion: Sequence[float]) -> _Numbers:
    length = math.sqrt(sum(part * part for part in quaternion))
    return [part / length for part in quaternion]


def _normal(rotation: Rotation, texel: Sequence[float]) -> _Numbers:
    """Before it is turned."""
    if rotation.lookup is None:
        return [0.0, 0.0, 1.0]
    x, y, z = (2 * part - 1 for part in texel[:3])
    return [x, y, z if rotation.has_z else math.sqrt(max(0.0, 1 - x * x - y * y))]


def rotated(quaternion: Sequence[float], vector: Sequence[float]) -> _Numbers:
    """The machine's formula."""
    *axis, w = quaternion
    inner = [c + w * p for c, p in zip(_cross(axis, vector), vector, strict=True)]
    return [p + 2 * c for p, c in zip(vector, _cross(axis, inner), strict=True)]


def _cross(a: Sequence[float], b: Sequence[float]) -> _Numbers:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


# --- At vertices ------------------------------------------------------------------------------------------------------


def quaternion_of_normal(builder: Builder, normal: Sequence[Value]) -> Value:
    """For a vector of any length but 0."""
    unit = builder.op(ops.NORMALIZE, builder.construct(*normal))
    x, y, z = (builder.extract(unit, part) for part in range(3))
    # 1 + z is (x^2 + y^2) / (1 + |z|) + z + |z|, which near -1 loses no digits.
    sides, size = builder.swizzle(unit, (0, 1)), builder.op(ops.FABS, z)
    small = builder.op(ops.FDIV, builder.op(ops.DOT, sides, sides), builder.op(ops.FADD, size, float_constant(1.0)))
    w = builder.op(ops.FADD, small, builder.op(ops.FADD, z, size))
    # At the pole itself all four would be 0.
    is_opposite = builder.op(ops.BTOF, builder.op(ops.FLT, w, float_constant(_SMALLEST)))
    turned = builder.construct(builder.op(ops.FSUB, is_opposite, y), x, float_constant(0.0), w)
    return builder.op(ops.NORMALIZE, turned)


def turned_axis(builder: Builder, quaternion: Value) -> Value:
    """(0, 0, 1) as a quaternion turns it, in the machine's way."""
    unit = builder.op(ops.NORMALIZE, quaternion)
    axis = builder.swizzle(unit, (0, 1, 2))
    w = builder.op(ops.FMUL, float_constant(0.0, 0.0, 1.0), builder.splat(builder.extract(unit, 3), 3))
    inner = builder.op(ops.FADD, builder.op(ops.CROSS, axis, float_constant(0.0, 0.0, 1.0)), w)
    double = builder.op(ops.FMUL, builder.op(ops.CROSS, axis, inner), float_constant(2.0, 2.0, 2.0))
    return builder.op(ops.FADD, float_constant(0.0, 0.0, 1.0), double)
