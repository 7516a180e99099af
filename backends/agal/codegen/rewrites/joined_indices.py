"""Indices that components of one vector give, computed together: those of the bones of a vertex, mostly.

In: indexed loads of uniforms, whose indices are floats (`indices.py`).  Out: numbers that the same operations with the
same constants make of components of one vector, such as floor(max(a.x, 0)) * 4 and floor(max(a.y, 0)) * 4, are
components of what these operations make of the vector.  The join of scalars that form a vector
(`compiler/passes/scalar/vectorize.py`) finds none here, since nothing puts indices together.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass

#: An operation, and its operands with None for the one that is no constant.
_Step = tuple[str, tuple[str | None, ...]]


@dataclass(frozen=True, slots=True)
class _Chain:
    """Operations on one component of a vector, the last one first."""

    steps: tuple[Instruction, ...]
    vector: Instruction
    component: int

    @property
    def shape(self) -> tuple[_Step, ...]:
        """What chains that can be joined have in common."""
        return tuple(
            (step.op.name, tuple(o.key if isinstance(o, Constant) else None for o in step.operands))
            for step in self.steps
        )


class JoinIndices(Pass):
    """Joins the indices of all loads of uniforms."""

    name = "agal-joined-indices"
    description = "computes indices by components of one vector together"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        groups: dict[tuple[Value, tuple[_Step, ...]], list[_Chain]] = {}
        for number in dict.fromkeys(i.operands[0] for i in function.instructions() if _is_index(i)):
            chain = _chain_of(number)
            if chain is not None:
                groups.setdefault((chain.vector, chain.shape), []).append(chain)
        joined = [chains for chains in groups.values() if len({chain.component for chain in chains}) > 1]
        for chains in joined:
            _join(chains)
        return bool(joined)


def _is_index(instruction: Instruction) -> bool:
    return instruction.op is ops.FTOI and any(user.op is ops.LOAD for user in instruction.users)


def _chain_of(number: Value) -> _Chain | None:
    steps: list[Instruction] = []
    while isinstance(number, Instruction) and number.op.component is not None and number.type.is_scalar:
        others = [operand for operand in number.operands if not isinstance(operand, Constant)]
        if len(others) != 1:
            return None
        steps.append(number)
        number = others[0]
    vector, component = source(number, 0)
    if not steps or not isinstance(vector, Instruction) or vector.type.is_scalar:
        return None
    return _Chain(tuple(steps), vector, component)


def _join(chains: list[_Chain]) -> None:
    first = chains[0]
    components = sorted({chain.component for chain in chains})
    builder = _builder_after(first.vector)
    joined: Value = builder.swizzle(first.vector, components)
    for step in reversed(first.steps):
        builder.span, builder.flags = step.span, step.flags
        width = len(components)
        operands = [
            Constant(o.type.with_width(width), o.components * width) if isinstance(o, Constant) else joined
            for o in step.operands
        ]
        joined = builder.op(step.op, *operands)
    parts = {component: builder.extract(joined, index) for index, component in enumerate(components)}
    for chain in chains:
        chain.steps[0].replace_all_uses_with(parts[chain.component])


def _builder_after(value: Instruction) -> Builder:
    assert value.block is not None
    following = iter(value.block)
    next(each for each in following if each is value)
    successor = value.block.first_non_phi if value.op is ops.PHI else next(following)
    return Builder(value.block, successor)
