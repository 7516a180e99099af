"""Triangle strips of geometry shaders: which slot each EMIT fills, and whether it issues a triangle.

The hardware keeps three vertices.  Vertex k of a strip goes to slot k mod 3; from the third on each completes a
triangle, and every other triangle is marked as wound in the opposite direction.  SETEMIT says so with constants, which
suits a vertex whose index in its strip is the same on every path to its EMIT.

For the others the index is counted when the program runs: `pica200-strip-indices` stores it before their EMIT into a
variable of its own, and selection makes of that store a choice among the SETEMITs that are possible there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction
from glslc_multi.compiler.ir.types import FLOAT, INT
from glslc_multi.compiler.ir.variables import MACHINE, Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass

#: Slots, and vertices before the first triangle's last one.
_SLOTS, _LEAD = 3, 2
#: After so many triangles slots and winding are the same again.
_CYCLE = 6
#: Indices that differ: those of the lead, and those of one cycle.
_INDICES = _LEAD + _CYCLE


@dataclass(frozen=True, slots=True)
class Emission:
    """What SETEMIT says of a vertex."""

    slot: int
    issues: bool
    is_turned: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The vertices that an EMIT may make, by their indices in the strip."""

    by_index: Mapping[int, Emission]


def _emission(index: int) -> Emission:
    return Emission(index % _SLOTS, index >= _LEAD, index >= _LEAD and index % 2 == 1)


def emissions(main: Function) -> dict[Instruction, Emission | Choice]:
    """What SETEMIT says before every `emit_vertex`; where that is a choice, at the store of the index."""
    before = {second: first for block in main.blocks for first, second in pairwise(block)}
    by_instruction: dict[Instruction, Emission | Choice] = {}
    for instruction, indices in _indices(main).items():
        store = before.get(instruction)
        if store is not None and store.op is ops.STORE and store.address.variable.name == _INDEX_NAME:
            by_instruction[store] = Choice({index: _emission(index) for index in sorted(indices)})
        else:
            (index,) = indices
            by_instruction[instruction] = _emission(index)
    return by_instruction


def _indices(main: Function) -> dict[Instruction, set[int]]:
    """The vertices of a strip that an `emit_vertex` may make, by their numbers."""
    indices: dict[Instruction, set[int]] = {}
    seen: set[tuple[Block, int]] = set()
    waiting = [(main.entry, 0)]
    while waiting:
        block, index = waiting.pop()
        if (block, index) in seen:
            continue
        seen.add((block, index))
        for instruction in block:
            if instruction.op is ops.END_PRIMITIVE:
                index = 0
            elif instruction.op is ops.EMIT_VERTEX:
                indices.setdefault(instruction, set()).add(index)
                index = index + 1 if index + 1 < _INDICES else _LEAD
        waiting += [(successor, index) for successor in block.successors]
    return indices


# --- Indices that are counted ----------------------------------------------------------------------------------------

_INDEX_NAME = "$StripIndex"


class CountIndices(Pass):
    """Store the index of every vertex that may have several, counted in a local variable, for `mem2reg` to promote."""

    name = "pica200-strip-indices"
    description = "counts the vertices of triangle strips where paths differ in their number"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        ambiguous = {emission for emission, indices in _indices(function).items() if len(indices) > 1}
        if ambiguous:
            _count(function, ambiguous)
        return bool(ambiguous)


def _count(main: Function, ambiguous: Collection[Instruction]) -> None:
    counter = main.add_variable(Variable("strip_place", "local", INT))
    index = main.module.add_variable(Variable(_INDEX_NAME, "output", FLOAT, role=MACHINE))
    Builder(main.entry, main.entry.first_non_phi).store(counter, Constant(INT, (0,)))
    for instruction in [i for i in main.instructions() if i.op in (ops.EMIT_VERTEX, ops.END_PRIMITIVE)]:
        builder = Builder.before(instruction)
        if instruction.op is ops.END_PRIMITIVE:
            builder.store(counter, Constant(INT, (0,)))
            continue
        number = builder.load(counter)
        # The index of the next vertex.
        following = builder.op(ops.IADD, number, Constant(INT, (1,)))
        is_less = builder.op(ops.ILT, following, Constant(INT, (_INDICES,)))
        builder.store(counter, builder.op(ops.SELECT, is_less, following, Constant(INT, (_LEAD,))))
        if instruction in ambiguous:
            builder.store(index, builder.op(ops.ITOF, number))
