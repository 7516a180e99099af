"""Numbers that a program keeps in all components of registers, as the single numbers that they are.

A vector is a splat where each operand is: of phis that is assumed until one of their operands is seen to be none.
"""

from __future__ import annotations

from collections.abc import Hashable

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value


def narrow_splats(function: Function) -> None:
    """Compute once what all components of a vector are."""
    splats = {
        each: None
        for each in function.instructions()
        if each.type.width > 1
        and (each.op is ops.PHI or (each.op.component is not None and each.op.attribute == "none"))
    }
    while others := [each for each in splats if not all(_is_splat(operand, splats) for operand in each.operands)]:
        for each in others:
            del splats[each]
    phis = [each for each in splats if each.op is ops.PHI]
    numbers: dict[Value, Value] = {}
    for phi in phis:
        assert phi.block is not None
        numbers[phi] = Builder(phi.block, phi.block.first).phi(phi.type.scalar)

    def number_of(value: Value, builder: Builder) -> Value:
        """The number that a splat is, or a number itself."""
        origin, component = source(value, 0)
        if origin not in numbers and origin in splats:
            assert isinstance(origin, Instruction)
            before = Builder.before(origin)
            numbers[origin] = before.op(origin.op, *(number_of(operand, before) for operand in origin.operands))
        return numbers[origin] if origin in numbers else builder.extract(origin, component)

    for each in splats:
        assert each.block is not None
        builder = Builder(each.block, each.block.first_non_phi) if each.op is ops.PHI else Builder.before(each)
        each.replace_all_uses_with(builder.splat(number_of(each, builder), each.type.width))
    for phi in phis:
        number = numbers[phi]
        assert isinstance(number, Instruction)
        for value, block in phi.incoming():
            assert block.last is not None
            number.add_incoming(number_of(value, Builder.before(block.last)), block)
    for each in splats:
        each.drop_operands()
    for each in splats:
        each.unlink()


def _is_splat(value: Value, splats: dict[Instruction, None]) -> bool:
    """Tell whether all components are the same number, as far as is known."""
    return len({_key(*source(value, component), splats) for component in range(value.type.width)}) == 1


def _key(value: Value, component: int, splats: dict[Instruction, None]) -> Hashable:
    """Return what components of the same number have in common."""
    if isinstance(value, Constant):
        return value.components[component]
    return value if value in splats else (value, component)
