"""Directions on cube maps: machines compute the face that one meets, and the point there, before they look it up.

What a program does in between is known once the passes have made values of registers; until then where a direction
meets the cube is a lookup of its own, and a texture is read at a point of a face.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.ir.types import SAMPLER_CUBE
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lifting.parts import Part, parts_of

#: What a machine computes of a vector.
Compute: TypeAlias = Callable[[Sequence[Value]], Sequence[Value]]
#: What is known of a face: the point, t first, twice the coordinate along the axis, and its number.
_T, _S, _AXIS, _FACE = range(4)
#: The middle of a face, and of what a reciprocal is.
_MIDDLE, _ONE = Part.of(float_constant(1.5), 0), Part.of(float_constant(1.0), 0)


class Cubes:
    """The directions of a program."""

    def __init__(self, builder: Builder) -> None:
        """What is computed in the end, `builder` makes, which the machine's arithmetic has, too."""
        self._builder = builder
        self._marker = Variable("faces", "sampler", SAMPLER_CUBE)
        self._faces: dict[Value, Compute] = {}
        self._points: dict[Instruction, Compute] = {}

    def face_of(self, direction: Sequence[Value], compute: Compute) -> Sequence[Value]:
        """Return where a direction meets the cube, as `compute` will say."""
        lookup = self._builder.texture(self._marker, self._builder.construct(*direction))
        self._faces[lookup] = compute
        return [self._builder.extract(lookup, component) for component in range(lookup.type.width)]

    def look_up(self, texture: Instruction, compute: Compute) -> None:
        """Note that a texture is read at a point of a face, whose direction `compute` says."""
        self._points[texture] = compute

    def resolve(self) -> None:
        """Look textures up by the directions that the program began with; compute what is neither."""
        for texture, compute in self._points.items():
            point = parts_of(texture.operands[0])
            face = point[-1].value
            if face in self._faces and isinstance(face, Instruction) and _is_met(point, face):
                texture.set_operand(0, face.operands[0])
            else:
                texture.set_operand(0, self._computed(texture, compute))
        for face, compute in self._faces.items():
            assert isinstance(face, Instruction)
            if face.block is not None:
                if face.users:
                    face.replace_all_uses_with(self._computed(face, compute))
                face.erase()

    def _computed(self, instruction: Instruction, compute: Compute) -> Value:
        """Compute before an instruction what is said of its first operand."""
        b = self._builder
        assert instruction.block is not None
        b.block, b.insertion_point = instruction.block, instruction
        vector = instruction.operands[0]
        return b.construct(*compute([b.extract(vector, component) for component in range(vector.type.width)]))


def _is_met(point: Sequence[Part], face: Instruction) -> bool:
    """Tell whether a point is where the direction of a face lookup meets the cube: s / |axis| + 1.5, and t likewise."""
    wanted = ((face, _S), (face, _T), (face, _FACE))
    for part, own in zip(point[:-1], wanted, strict=False):
        terms = _operands(part, ops.FMAD)
        if not terms:
            sums = sorted(_operands(part, ops.FADD), key=lambda term: term.key == _MIDDLE.key)
            terms = [*_operands(sums[0], ops.FMUL), sums[1]] if sums else []
        if (
            not terms
            or terms[2].key != _MIDDLE.key
            or not any(scaled.key == own and _is_reciprocal(scale, face) for scaled, scale in (terms[:2], terms[1::-1]))
        ):
            return False
    return point[-1].key == wanted[-1]


def _is_reciprocal(part: Part, face: Instruction) -> bool:
    """Tell whether a number is one over the size of the coordinate along the axis."""
    terms = _operands(part, ops.FDIV)
    return (
        bool(terms) and terms[0].key == _ONE.key and [t.key for t in _operands(terms[1], ops.FABS)] == [(face, _AXIS)]
    )


def _operands(part: Part, op: ops.Opcode) -> list[Part]:
    """Return the operands that an operation by components makes a number of; none of another operation."""
    value = part.value
    if not isinstance(value, Instruction) or value.op is not op:
        return []
    return [Part.of(operand, part.component) for operand in value.operands]
