"""Dual issue: list scheduling of consecutive operations into slots with a vector and a scalar half.

The scheduler is `compiler/codegen/bundle.py` (after P. Gibbons and S. Muchnick, Efficient instruction scheduling for a
pipelined architecture, 1986).

In: consecutive instructions on physical registers.  Out: slots.  Two operations share one where fields and units allow:

* the vector operation leaves source 3 to the scalar one, or reads the same register there in other channels;
* what only has one number to compute may run on the scalar unit, if its sources are one register, a constant and a
  register, or the scalar unit's previous result and anything else (empty halves in between retain that result);
* both write registers, or both write the same export; no component twice.

Position and point size come before the parameters (see `finalize.py`), fetches as soon as they can.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import inf

from glslc_multi.backends.xenos_family.codegen.encode import exports_of, scalar_channels, vector_channels
from glslc_multi.backends.xenos_family.codegen.machine_ops import FETCHES
from glslc_multi.backends.xenos_family.codegen.register_files import ADDRESS, POSITION, A
from glslc_multi.backends.xenos_family.codegen.schedule.previous_result import (
    export_by_previous_result,
    retain,
    written,
)
from glslc_multi.backends.xenos_family.codegen.schedule.scalar_unit import as_scalar, with_previous
from glslc_multi.backends.xenos_family.isa import instructions as isa
from glslc_multi.compiler.codegen.bundle import BundleModel, bundle
from glslc_multi.compiler.codegen.constants import ConstantTable
from glslc_multi.compiler.codegen.machine import (
    Lanes,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Slot,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register

#: Instructions that one may pass before it has registers, which long blocks would run out of otherwise.
_MOST_PASSED = 256


class DualIssue(BundleModel):
    """See `BundleModel`."""

    reach = 1

    def __init__(self, instructions: Sequence[MachineInstruction], constants: ConstantTable, *, final: bool) -> None:
        self.constants = constants
        #: Whether what goes to the scalar unit becomes one of its operations; the allocator needs moves as they are.
        self.final = final
        self.most_passed = inf if final else _MOST_PASSED
        # What exports of position and point size need, and these.
        found: set[MachineInstruction] = set()
        wanted: set[tuple[object, int]] = set()
        for instruction in reversed(instructions):
            if written(instruction) & wanted or any(number >= POSITION.index for number in exports_of((instruction,))):
                found.add(instruction)
                wanted |= {
                    (use.register, lane) for use in instruction.all_uses() for lane in use.lanes if lane is not None
                }
        self.urgent = found
        #: Instructions as scalar operations, as far as computed.
        self.scalars: dict[MachineInstruction, MachineInstruction | None] = {}

    def priority(self, instruction: MachineInstruction, height: int) -> tuple[float, ...]:
        return instruction in self.urgent, instruction.op in FETCHES, height

    def order_classes(self, instruction: MachineInstruction) -> Iterable[Hashable]:
        """What sets a0 and what reads it stay together, since there is one a0 only."""
        touches = any(use.relative is not None for use in instruction.uses) or any(
            _is_address(definition.register) for definition in instruction.defs
        )
        return (*super().order_classes(instruction), "address") if touches else super().order_classes(instruction)

    def join(self, slot: Slot, instruction: MachineInstruction, issued: Sequence[Slot]) -> Slot | None:
        if len(slot) != 1 or slot[0].op in FETCHES or instruction.op in FETCHES:
            return None
        for first, second in ((slot[0], instruction), (instruction, slot[0])):
            if first.op.name not in isa.VECTOR_BY_NAME:
                continue
            if second not in self.scalars:
                self.scalars[second] = as_scalar(second, self.constants)
            for scalar in (self.scalars[second], with_previous(second, issued)):
                if scalar is not None and _fit(first, scalar):
                    return first, scalar if self.final else second
        return None


def _is_address(register: VirtualRegister | Register) -> bool:
    if isinstance(register, VirtualRegister):
        return register.register_class is ADDRESS
    return register.file is A


def arrange(function: MachineFunction, constants: ConstantTable) -> None:
    """Order blocks before allocation so that pairs are adjacent: registers are then given out in that order, and keep
    pairs possible."""
    instructions = list(function.instructions())
    bundle(function, DualIssue(instructions, constants, final=False))
    for block in function.blocks:
        block.slots = None


def make_slots(instructions: Sequence[MachineInstruction], constants: ConstantTable) -> list[Slot]:
    """Slots that do what the instructions do one after the other."""
    block = MachineBlock("run", 0)
    block.instructions = list(instructions)
    bundle(MachineFunction("run", [block]), DualIssue(instructions, constants, final=True))
    assert block.slots is not None
    return finish_slots(block.slots)


def finish_slots(slots: Sequence[Slot]) -> list[Slot]:
    """Slots whose operations find the previous results that they read; some exports are one."""
    return export_by_previous_result(retain(slots))


# ----------------------------------------------------------------------------------------------------- fitting
def _fit(vector: MachineInstruction, scalar: MachineInstruction) -> bool:
    """Whether the two can be halves of one slot."""
    uses = [*vector.uses, *scalar.uses]
    if any(use.relative is not None for use in uses):
        return False
    if set(exports_of((vector,))) != set(exports_of((scalar,))):
        return False
    return len(vector.uses) < 3 or _share_source(vector, scalar)


def _share_source(vector: MachineInstruction, scalar: MachineInstruction) -> bool:
    """Whether the scalar operation reads what the third source of the vector one names, and that only."""
    third = vector.uses[2]
    if len(scalar.uses) == 2:
        return False
    own = scalar.uses[0]
    if (third.register, third.negate, third.absolute) != (own.register, own.negate, own.absolute):
        return False
    return agree(vector_channels(vector, 2), scalar_channels(own, is_shared=True))


def agree(first: Lanes, second: Lanes) -> bool:
    """Whether no channel would read two components."""
    return all(a is None or b is None or a == b for a, b in zip(first, second, strict=True))
