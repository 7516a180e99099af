"""Which fetches pixels beside the drawn ones need: those whose results flow into a derivative.

Pixels run in blocks of 2x2, where some lie outside of the triangle.  A fetch leaves them out where it may
("fetch valid only", Xenos section 5); but a derivative is a difference between neighbours, so that what it is made of
must be there in all four.  Lookups that find their level of detail by themselves derive their coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module, Value

_DERIVATIVES = frozenset({ops.DDX, ops.DDY})
_BY_NEIGHBOURS = ("auto", "bias")


def needed_by_neighbours(module: Module) -> frozenset[Instruction]:
    """The lookups and derivatives of a legalised module from whose results something is derived."""
    if module.stage != "fragment":
        return frozenset()
    instructions = list(module.main.instructions())
    conditions = [operand for i in instructions if i.op is ops.CONDBR for operand in i.operands]
    seen: set[Instruction] = set()
    waiting = list(_instructions(operand for i in instructions for operand in _derived(i)))
    while waiting:
        instruction = waiting.pop()
        if instruction in seen:
            continue
        seen.add(instruction)
        waiting += _instructions(instruction.operands)
        if instruction.op is ops.PHI:
            # Which value it has depends on where the pixel went.
            waiting += _instructions(conditions)
    return frozenset(i for i in seen if i.op is ops.TEXTURE or i.op in _DERIVATIVES)


def _derived(instruction: Instruction) -> Iterable[Value]:
    """Operands of which an instruction needs the difference between neighbours."""
    if instruction.op in _DERIVATIVES:
        return instruction.operands
    if instruction.op is ops.TEXTURE and instruction.attribute.mode in _BY_NEIGHBOURS:
        # The indices of a sampler are gone by now: the coordinate is the first.
        return instruction.operands[:1]
    return ()


def _instructions(values: Iterable[Value]) -> Iterator[Instruction]:
    return (value for value in values if isinstance(value, Instruction))
