"""The module reads coordinates in the place of the varyings that images are functions of.

In: a flat module, an image of it, and the output of the rasteriser that is to be its coordinate.  Out: the module, in
which the image's values are computed of the coordinate.  A varying that is promised to lie in other limits than 0 to 1
is brought there at the vertices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backends.pica200.codegen.fragment.images.find import Image
from compiler.analysis.affine import AffineArithmetic, Part, Term
from compiler.analysis.ranges import Interval
from compiler.ir import ops
from compiler.ir.builder import Builder, float_constant
from compiler.ir.module import Instruction, Value
from compiler.ir.variables import Variable

_UNIT = Interval(0.0, 1.0)


def coordinate_of(
    image: Image, arithmetic: AffineArithmetic, promises: Mapping[Variable, Interval]
) -> tuple[Term, Term]:
    """What the vertex shader leaves; of one number twice the same."""
    terms = [_term(part, arithmetic, promises[part.variable]) for part in image.parts]
    return terms[0], terms[-1]


def _term(part: Part, arithmetic: AffineArithmetic, limits: Interval) -> Term:
    term = arithmetic.leaf("varying", part)
    if limits == _UNIT:
        return term
    moved = arithmetic.fsub(term, arithmetic.fconst(limits.low))
    scaled = arithmetic.fmul(moved, arithmetic.fconst(1 / max(limits.high - limits.low, 2.0**-24)))
    assert isinstance(scaled, Term)
    return scaled


def read_coordinate(image: Image, coordinate: Variable, promises: Mapping[Variable, Interval]) -> None:
    """Compute the image's values of the coordinate."""
    for value in image.values:
        builder = Builder.before(value)
        both = builder.load(coordinate)
        parts = {
            part: _unscaled(builder, builder.extract(both, n), promises[part.variable])
            for n, part in enumerate(image.parts)
        }
        # The value made of other numbers; without recursion, since chains may be long.
        copies: dict[Value, Value] = {}
        waiting: list[Value] = [value]
        while waiting:
            current = waiting[-1]
            if current in copies:
                waiting.pop()
                continue
            missing = [operand for operand in _varying_operands(current) if operand not in copies]
            if missing:
                waiting += missing
                continue
            copies[current] = _copy(current, parts, copies, builder)
        value.replace_all_uses_with(copies[value])


def _unscaled(builder: Builder, number: Value, limits: Interval) -> Value:
    if limits == _UNIT:
        return number
    scaled = builder.op(ops.FMUL, number, float_constant(limits.high - limits.low))
    return builder.op(ops.FADD, scaled, float_constant(limits.low))


def _varying_operands(value: Value) -> Sequence[Value]:
    return value.operands if isinstance(value, Instruction) and value.op is not ops.LOAD else ()


def _copy(value: Value, parts: Mapping[Part, Value], copies: Mapping[Value, Value], builder: Builder) -> Value:
    if not isinstance(value, Instruction):
        return value
    if value.op is not ops.LOAD:
        return builder.op(value.op, *(copies[operand] for operand in value.operands), attribute=value.attribute)
    address = value.address
    if address.variable.storage != "varying":
        return value
    load_parts = [Part(address.variable, address.offset, address.column, n) for n in range(value.type.width)]
    return builder.construct(*(parts.get(part, float_constant(0.0)) for part in load_parts))
