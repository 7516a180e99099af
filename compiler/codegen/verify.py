"""The rules of machine code, checked: before allocation, after it, after bundling.

`verify_machine` returns the faults it finds, as texts that name block, instruction and rule.  It looks at what
`MachineOp` says of operands and lanes, and at blocks and branches.  After allocation, modes that tie components to
places are checked, too.  It does not ask whether what is read was written: shaders leave values undefined, and the
check of the allocator follows all others.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    Lanes,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.machine_text import print_instruction
from glslc_multi.compiler.codegen.registers import Register


def verify_machine(function: MachineFunction) -> list[str]:
    """What is wrong with a function."""
    faults = list(_block_faults(function))
    for block in function.blocks:
        for instruction in block.instructions:
            faults += [_at(block, instruction, fault) for fault in _instruction_faults(instruction)]
    return faults


def _at(block: MachineBlock, instruction: MachineInstruction, fault: str) -> str:
    return f"^{block.name}: {print_instruction(instruction)}: {fault}"


# ----------------------------------------------------------------------------------------------- blocks
def _block_faults(function: MachineFunction) -> Iterator[str]:
    blocks = set(function.blocks)
    for block in function.blocks:
        for after in block.successors:
            if after not in blocks:
                yield f"^{block.name}: its successor ^{after.name} is not in the function"
        ended = False
        for instruction in block.instructions:
            # In words, delay slots follow a terminator.
            if ended and not instruction.op.terminator and block.slots is None:
                yield _at(block, instruction, "stands after a terminator")
            ended |= instruction.op.terminator
            for target in instruction.targets:
                if target not in block.successors:
                    yield _at(block, instruction, f"leads to ^{target.name}, which is no successor of its block")
        if block.slots is not None and [made for slot in block.slots for made in slot] != block.instructions:
            yield f"^{block.name}: its words have other instructions than the block"


# ----------------------------------------------------------------------------------------- instructions
def _instruction_faults(instruction: MachineInstruction) -> Iterator[str]:
    op = instruction.op
    if len(instruction.uses) != len(op.sources):
        yield f"has {len(instruction.uses)} sources, {op.name} reads {len(op.sources)}"
        return
    if op.result == "none" and instruction.defs:
        yield f"{op.name} has no result"
    if instruction.conditional and not instruction.defs:
        yield "is conditional, but writes nothing"
    for definition in instruction.defs:
        register = definition.register
        yield from _range_faults("result", register, definition.lanes)
        if not definition.lanes:
            yield "result: has no lanes"
        if len(set(definition.lanes)) < len(definition.lanes):
            yield f"result: writes a component of {register} twice"
        if isinstance(register, Register) and not register.file.writable:
            yield f"result: {register} cannot be written"
    for number, use in enumerate(instruction.uses):
        yield from _use_faults(instruction, number, use)
    # What ties operands to each other, once they have places.
    for result, source in instruction.op.tied:
        definition, use = instruction.defs[result], instruction.uses[source]
        if _is_placed(definition, use) and (definition.register, definition.lanes) != (use.register, use.lanes):
            yield f"source {source + 1}: must be what is overwritten, {definition.register}, found {use.register}"
    if instruction.op.early_clobber:
        written = {definition.register for definition in instruction.defs if _is_placed(definition)}
        for number, use in enumerate(instruction.uses):
            if use.register in written:
                yield f"source {number + 1}: {use.register} is overwritten before it is read"


def _use_faults(instruction: MachineInstruction, number: int, use: Use) -> Iterator[str]:
    what = f"source {number + 1}"
    mode = instruction.op.sources[number]
    yield from _range_faults(what, use.register, use.lanes)
    if isinstance(use.register, Register) and not use.register.file.readable:
        yield f"{what}: {use.register} cannot be read"
    if mode == "each" and instruction.op.result == "each" and instruction.defs:
        width = len(instruction.defs[0].lanes)
        if len(use.lanes) != width:
            yield f"{what}: reads {len(use.lanes)} lanes, the result has {width}"
    if mode == "fixed" and isinstance(use.register, Register):
        moved = [lane for index, lane in enumerate(use.lanes) if lane not in (None, index)]
        if moved:
            yield f"{what}: has a swizzle, where {instruction.op.name} can have none"


def _range_faults(what: str, register: AnyRegister, lanes: Lanes) -> Iterator[str]:
    # Components of a register; 0 for what has no fixed number.
    if isinstance(register, VirtualRegister):
        width = register.width
    else:
        width = register.components if isinstance(register, Register) else 0
    wrong = [lane for lane in lanes if lane is not None and not 0 <= lane < width] if width else []
    if wrong:
        yield f"{what}: {register} has {width} components, found number {wrong[0]}"


def _is_placed(*operands: Def | Use) -> bool:
    return all(isinstance(operand.register, Register) for operand in operands)
