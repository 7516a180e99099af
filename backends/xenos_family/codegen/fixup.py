"""Small repairs and savings between selection and allocation, all on machine code with virtual registers.

`ensure_output`: every program exports something.  `fix_constants`: constants have a sign but no absolute value.
`fold_limits`: what computes a number limits it to 0...1 itself.  `fetch_first`: all vertex fetches are at the start,
which is no smaller, but keeps them together.
`position_first`: the last block computes and exports the position before the parameters, so that exports of one buffer
are adjacent.
"""

from __future__ import annotations

from collections import defaultdict

from glslc_multi.backends.xenos_family.codegen.machine_ops import CHANGE, FETCHES, MOVE, VECTOR, VERTEX
from glslc_multi.backends.xenos_family.codegen.register_files import EXPORT, GENERAL, POSITION, definitions
from glslc_multi.compiler.codegen.copies import copy_for
from glslc_multi.compiler.codegen.machine import (
    Def,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Uniform,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.records import replace


# ----------------------------------------------------------------------------------------------------- outputs
@step("ensure an output")
def ensure_output(function: MachineFunction, stage: str) -> None:
    """Every program exports its position or colour, be it 0."""
    needed = POSITION if stage == "vertex" else EXPORT[0]
    if not any(definition.register == needed for definition in definitions(function)):
        nothing = Use(Literal32((0.0,)), (0, 0, 0, 0))
        function.blocks[-1].instructions.insert(0, MachineInstruction(MOVE, [Def(needed, (0, 1, 2, 3))], [nothing]))


# -------------------------------------------------------------------------------------------------- constants
@step("fix constants")
def fix_constants(function: MachineFunction) -> None:
    """Take the absolute value of uniforms as the larger of them and their negative."""
    for block in function.blocks:
        fixed: list[MachineInstruction] = []
        for instruction in block.instructions:
            constants = [use for use in instruction.uses if use.absolute and isinstance(use.register, Uniform)]
            fixed += [*(_absolute_copy(function, instruction, use) for use in constants), instruction]
        block.instructions = fixed


def _absolute_copy(function: MachineFunction, reader: MachineInstruction, use: Use) -> MachineInstruction:
    """max(c, -c) to a register that `use` then names."""
    use.absolute = False
    larger = copy_for([use], function, VECTOR["MAXv"], GENERAL, reader.span)
    (constant,) = larger.uses
    larger.uses.append(replace(constant, negate=True))
    return larger


# ----------------------------------------------------------------------------------------------------- limits
@step("fold limits")
def fold_limits(function: MachineFunction) -> None:
    """Let the only writer of what is limited, and nothing else, write the limited number."""
    writers, readers = accesses(function)
    for block in function.blocks:
        gone: set[MachineInstruction] = set()
        for limit in block.instructions:
            if limit.op is not CHANGE or not limit.attributes.get("clamp"):
                continue
            writer = _foldable_writer(limit, writers, readers)
            if writer is not None and writer in block.instructions:
                _write_limited(writer, limit)
                gone.add(limit)
        if gone:
            block.instructions = [instruction for instruction in block.instructions if instruction not in gone]


Accesses = dict[VirtualRegister, list[MachineInstruction]]


def accesses(function: MachineFunction) -> tuple[Accesses, Accesses]:
    """Writers and readers of every virtual register."""
    writers: Accesses = defaultdict(list)
    readers: Accesses = defaultdict(list)
    for instruction in function.instructions():
        for definition in instruction.defs:
            if isinstance(definition.register, VirtualRegister):
                writers[definition.register].append(instruction)
        for use in instruction.all_uses():
            if isinstance(use.register, VirtualRegister):
                readers[use.register].append(instruction)
    return writers, readers


def _foldable_writer(limit: MachineInstruction, writers: Accesses, readers: Accesses) -> MachineInstruction | None:
    source, target = limit.uses[0], limit.defs[0]
    register = source.register
    if source.negate or source.absolute or not isinstance(register, VirtualRegister):
        return None
    if source.lanes != tuple(range(register.width)) or not isinstance(target.register, VirtualRegister):
        return None
    if len(writers[register]) != 1 or len(readers[register]) != 1 or len(writers[target.register]) != 1:
        return None
    writer = writers[register][0]
    is_whole = writer.defs[0].lanes == source.lanes and target.lanes == source.lanes
    return writer if is_whole and writer.op not in FETCHES else None


def _write_limited(writer: MachineInstruction, limit: MachineInstruction) -> None:
    writer.defs = limit.defs
    writer.attributes["clamp"] = True
    if writer.op.copy:
        writer.op = CHANGE


# ------------------------------------------------------------------------------------------------------- order
@step("fetch first")
def fetch_first(function: MachineFunction) -> None:
    """Move vertex fetches, which read only the index of the vertex, to the start."""
    fetches = [instruction for instruction in function.instructions() if instruction.op is VERTEX]
    for block in function.blocks:
        block.instructions = [instruction for instruction in block.instructions if instruction.op is not VERTEX]
    function.entry.instructions[:0] = fetches


def position_first(block: MachineBlock) -> None:
    """Reorder a block: what exports of the position and point size need, then the rest, each as they were."""
    wanted: set[object] = set()
    first: set[MachineInstruction] = set()
    for instruction in reversed(block.instructions):
        if _exports_position(instruction) or any(d.register in wanted for d in instruction.defs):
            first.add(instruction)
            wanted |= {use.register for use in instruction.all_uses() if isinstance(use.register, VirtualRegister)}
    rest = [instruction for instruction in block.instructions if instruction not in first]
    block.instructions = [*(instruction for instruction in block.instructions if instruction in first), *rest]


def _exports_position(instruction: MachineInstruction) -> bool:
    return any(
        d.register.file is EXPORT and d.register.index >= POSITION.index
        for d in instruction.defs
        if not isinstance(d.register, VirtualRegister)
    )
