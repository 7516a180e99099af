"""Places in the source for instructions that were made without one: copies, constants brought to registers, jumps.

In: machine code on virtual registers.  Out: the same; each instruction has a place where one can be told.
"""

from __future__ import annotations

from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, VirtualRegister
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.diagnostics import Span


@step("places")
def fill_places(function: MachineFunction) -> None:
    """Let instructions come from where their result does, else from what reads it, else from what goes before."""
    for block in function.blocks:
        if any(instruction.span is None for instruction in block.instructions):
            _fill(block, is_entry=block is function.entry)


def _fill(block: MachineBlock, *, is_entry: bool) -> None:
    reader: dict[object, Span] = {}
    for made in reversed(block.instructions):
        if made.span is None:
            made.span = next((place for define in made.defs if (place := _place(define.register, reader))), None)
        if made.span is not None:
            for use in made.all_uses():
                reader[use.register] = made.span
    # What begins and what ends the program comes from no line.
    latest = (
        None
        if is_entry
        else next((instruction.span for instruction in block.instructions if instruction.span is not None), None)
    )
    is_exit = not block.successors
    for made in block.instructions[: -1 if is_exit else None]:
        if made.span is None:
            made.span = latest
        latest = made.span or latest


def _place(register: object, reader: dict[object, Span]) -> Span | None:
    own = register.span if isinstance(register, VirtualRegister) else None
    return own or reader.get(register)
