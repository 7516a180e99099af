"""Multiply-adds in two parts, where that lets slots be shared.

A multiply-add reads three sources, so that nothing that reads another one fits beside it; a product and a sum leave
the third source to the scalar unit each.  That is an operation more, and saves a slot where both parts find room
beside scalar operations, or run as such.  MULADDv rounds twice, so the result is the same.

In: consecutive instructions on physical registers.  Out: their slots, the best that trying one multiply-add after
another finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backends.adreno.codegen.encode import is_scalar
from backends.adreno.codegen.machine_ops import VECTOR
from backends.adreno.codegen.register_files import R
from backends.adreno.codegen.schedule.previous_result import written
from compiler.codegen.machine import MachineInstruction, Slot, Use
from compiler.codegen.registers import Register
from compiler.options import TargetOptions

#: Effort by level of optimisation; the last one is for the smallest code, too.
_EFFORT = (0, 0, 160, 2048)


def effort_of(options: TargetOptions) -> int:
    """How many instructions may be made into slots again, in search of fewer slots."""
    return _EFFORT[-1 if options.small else options.optimisation]


def split_multiply_adds(
    instructions: Sequence[MachineInstruction],
    make_slots: Callable[[Sequence[MachineInstruction]], list[Slot]],
    effort: int,
) -> list[Slot]:
    """The slots; `effort` is how many instructions may be made into slots again."""
    best = make_slots(instructions)
    tries = effort // max(len(instructions), 1)
    for candidate in [instruction for instruction in instructions if _may_split(instruction)][:tries]:
        if not any(_is_half_idle(slot) for slot in best):
            break
        at = instructions.index(candidate)
        changed = [*instructions[:at], *_parts(candidate), *instructions[at + 1 :]]
        slots = make_slots(changed)
        if len(slots) < len(best):
            instructions, best = changed, slots
    return best


def _is_half_idle(slot: Slot) -> bool:
    """Whether the vector unit does nothing."""
    return len(slot) == 1 and is_scalar(slot[0])


def _may_split(instruction: MachineInstruction) -> bool:
    """Whether the product may wait in the register of the result, which the sum must not read otherwise."""
    if instruction.op is not VECTOR["MULADDv"] or any(use.relative is not None for use in instruction.uses):
        return False
    register, addend = instruction.defs[0].register, instruction.uses[2]
    if not isinstance(register, Register) or register.file is not R:
        return False
    return not any((addend.register, lane) in written(instruction) for lane in addend.lanes)


def _parts(instruction: MachineInstruction) -> list[MachineInstruction]:
    first, second, addend = instruction.uses
    (result,) = instruction.defs
    product = Use(result.register, result.lanes)
    total = MachineInstruction(VECTOR["ADDv"], [result], [product, addend], attributes=instruction.attributes)
    total.span = instruction.span
    return [MachineInstruction(VECTOR["MULv"], [result], [first, second], span=instruction.span), total]
