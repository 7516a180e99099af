"""Dual issue: operations of a run become slots with a vector and a scalar half.

In: instructions in a row on physical registers.  Out: slots.  Two operations share one where fields and units allow:

* the vector operation leaves source 3 to the scalar one, or reads the same register there in other channels;
* what only has one number to compute may run on the scalar unit, if its sources are one register, a constant and a
  register, or the scalar unit's previous result and anything else (empty halves in between retain that result);
* both write registers, or both write the same export; no component twice.

Position and point size come before the parameters (see `finalize.py`), fetches as soon as they can.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from backends.adreno import isa
from backends.adreno.encode import exports_of, is_scalar, scalar_channels, vector_channels
from backends.adreno.operations import FETCHES, SCALAR
from backends.adreno.registers import ADDRESS, POSITION, A, C
from compiler.codegen.bundle import BundleModel, bundle
from compiler.codegen.constants import ConstantTable
from compiler.codegen.machine import (
    Lanes,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Slot,
    Use,
    VirtualRegister,
)
from compiler.codegen.registers import Register
from compiler.records import replace

#: Vector operations with a scalar one that computes the same of one number, or of two from one register.
_SCALAR_OF = {
    "MAXv": "MAXs",
    "MINv": "MINs",
    "ADDv": "ADDs",
    "MULv": "MULs",
    "FRACv": "FRACs",
    "TRUNCv": "TRUNCs",
    "FLOORv": "FLOORs",
}
#: Operations that the scalar unit has between a constant and a register.
_WITH_CONSTANT = {"ADDv": "ADD", "MULv": "MUL"}
#: Comparisons that the scalar unit has against 0: (operation, the one with sources exchanged and negated).
_TESTS = {"SETEv": "SETEs", "SETNEv": "SETNEs", "SETGTv": "SETGTs", "SETGTEv": "SETGTEs"}


class DualIssue(BundleModel):
    """See `BundleModel`."""

    reach = 1

    def __init__(self, instructions: Sequence[MachineInstruction], constants: ConstantTable, *, final: bool) -> None:
        self.constants = constants
        #: Whether what goes to the scalar unit becomes one of its operations; the allocator wants moves as they are.
        self.final = final
        self.urgent = _feeding_position(instructions)

    def priority(self, instruction: MachineInstruction, height: int) -> tuple[float, ...]:
        return instruction in self.urgent, instruction.op in FETCHES, height

    def order_classes(self, instruction: MachineInstruction) -> Iterable[Hashable]:
        """What sets a0 and what reads it stay together, since there is one a0 only."""
        touches = any(use.relative is not None for use in instruction.uses) or any(
            _is_address(definition.register) for definition in instruction.defs
        )
        return (*super().order_classes(instruction), "address") if touches else super().order_classes(instruction)

    def join(self, slot: Slot, instruction: MachineInstruction, behind: Sequence[Slot]) -> Slot | None:
        if len(slot) != 1 or slot[0].op in FETCHES or instruction.op in FETCHES:
            return None
        for first, second in ((slot[0], instruction), (instruction, slot[0])):
            if first.op.name not in isa.VECTOR_BY_NAME:
                continue
            for scalar in (as_scalar(second, self.constants), with_previous(second, behind)):
                if scalar is not None and _fit(first, scalar):
                    return first, scalar if self.final else second
        return None


def _is_address(register: VirtualRegister | Register) -> bool:
    if isinstance(register, VirtualRegister):
        return register.register_class is ADDRESS
    return register.file is A


def arrange(function: MachineFunction, constants: ConstantTable) -> None:
    """Order blocks before allocation so that pairs stand together: registers are given out by that order then, and
    do not part them."""
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
    return _retain(block.slots)


def _feeding_position(instructions: Sequence[MachineInstruction]) -> set[MachineInstruction]:
    """What exports of position and point size need, and these."""
    found: set[MachineInstruction] = set()
    wanted: set[tuple[object, int]] = set()
    for instruction in reversed(instructions):
        written = {(d.register, lane) for d in instruction.defs for lane in d.lanes}
        if written & wanted or any(number >= POSITION.index for number in exports_of((instruction,))):
            found.add(instruction)
            wanted |= {(use.register, lane) for use in instruction.all_uses() for lane in use.lanes if lane is not None}
    return found


# ----------------------------------------------------------------------------------------------------- fitting
def _fit(vector: MachineInstruction, scalar: MachineInstruction) -> bool:
    """Whether the two can be halves of one slot."""
    uses = [*vector.uses, *scalar.uses]
    if any(use.relative is not None for use in uses):
        return False
    first, second = set(exports_of((vector,))), set(exports_of((scalar,)))
    if first != second and (first or second):
        return False
    if _written(vector) & _written(scalar):
        return False
    return len(vector.uses) < 3 or _share_source(vector, scalar)


def _written(instruction: MachineInstruction) -> set[tuple[object, int]]:
    return {(definition.register, lane) for definition in instruction.defs for lane in definition.lanes}


def _share_source(vector: MachineInstruction, scalar: MachineInstruction) -> bool:
    """Whether the scalar operation reads what the third source of the vector one names, and that only."""
    third = vector.uses[2]
    if not scalar.uses:
        return True
    if len(scalar.uses) == 2:
        return False
    own = scalar.uses[0]
    if (third.register, third.negate, third.absolute) != (own.register, own.negate, own.absolute):
        return False
    return agree(vector_channels(vector, 2), scalar_channels(own, is_shared=True))


def agree(first: Lanes, second: Lanes) -> bool:
    """Whether no channel is asked for two components."""
    return all(a is None or b is None or a == b for a, b in zip(first, second, strict=True))


# -------------------------------------------------------------------------------------------- the scalar unit
def as_scalar(instruction: MachineInstruction, constants: ConstantTable) -> MachineInstruction | None:
    """The operation on the scalar unit; None where it has none that does the same."""
    if is_scalar(instruction):
        return instruction
    if instruction.op.result != "each" or not instruction.defs:
        return None
    uses = [_one_lane(use) for use in instruction.uses]
    if None in uses:
        return None
    sources = [use for use in uses if use is not None]
    name, source = _scalar_form(instruction.op.name, sources, constants)
    new_sources = [source]
    if source is None:
        name, new_sources = _with_constant(instruction.op.name, sources)
    if None in new_sources:
        return None
    return MachineInstruction(
        SCALAR[name],
        instruction.defs,
        [use for use in new_sources if use is not None],
        attributes=instruction.attributes,
        span=instruction.span,
    )


def _one_lane(use: Use) -> Use | None:
    """The use with the one component that all lanes read; None if they read several."""
    different = set(use.lanes)
    return replace(use, lanes=(use.lanes[0],)) if len(different) == 1 else None


def _scalar_form(name: str, uses: list[Use], constants: ConstantTable) -> tuple[str, Use | None]:
    """The scalar operation and its source."""
    if name in _TESTS and len(uses) == 2:
        return _TESTS[name], _against_zero(name, uses, constants)
    if name not in _SCALAR_OF:
        return name, None
    if len(uses) == 1 and name != "MAXv":
        return _SCALAR_OF[name], uses[0]
    # A move is the larger of a number and itself.
    first, second = uses[0], uses[-1]
    if (first.register, first.absolute) != (second.register, second.absolute):
        return name, None
    both = (*first.lanes, *second.lanes)
    if first.negate == second.negate:
        return _SCALAR_OF[name], replace(first, lanes=both)
    if name != "ADDv":
        return name, None
    # The scalar difference is that of its first and second component.
    return "SUBs", replace(first, lanes=both[::-1] if first.negate else both, negate=False)


def _with_constant(name: str, uses: list[Use]) -> tuple[str, list[Use | None]]:
    """The operation between a constant and a register, whose sign both share."""
    if name not in _WITH_CONSTANT or len(uses) != 2:
        return name, [None]
    constant, register = sorted(uses, key=lambda use: not _is_constant(use))
    if not _is_constant(constant) or _is_constant(register) or register.absolute:
        return name, [None]
    form = _WITH_CONSTANT[name]
    if constant.negate != register.negate:
        if form != "ADD":
            return name, [None]
        form = "SUB"
    # The signs of both are that of the constant: c - r, or -c - (-r).
    low = register.register.index & 1 if isinstance(register.register, Register) else 0
    return f"{form}_CONST_{low}", [constant, replace(register, negate=constant.negate)]


# ------------------------------------------------------------------------------------- the previous result
#: Vector operations with a scalar one between a number and the previous result.
_WITH_PREVIOUS = {"ADDv": "ADD_PREVs", "MULv": "MUL_PREVs"}
_USES_PREVIOUS = frozenset((*_WITH_PREVIOUS.values(), "SUB_PREVs"))


def with_previous(instruction: MachineInstruction, behind: Sequence[Slot]) -> MachineInstruction | None:
    """The operation on the scalar unit with its previous result in place of a source, which that must be."""
    if instruction.op.name not in _WITH_PREVIOUS:
        return None
    places = _previous_result(behind)
    uses = [_one_lane(use) for use in instruction.uses]
    for source, other in (uses, uses[::-1]):
        if source is None or other is None or source.absolute or (source.register, source.lanes[0]) not in places:
            continue
        name = _WITH_PREVIOUS[instruction.op.name]
        if source.negate and name == "ADD_PREVs":
            name = "SUB_PREVs"
        elif source.negate:
            other.negate = not other.negate
        return MachineInstruction(
            SCALAR[name], instruction.defs, [other], attributes=instruction.attributes, span=instruction.span
        )
    return None


def _previous_result(behind: Sequence[Slot]) -> set[tuple[object, int]]:
    """The components that hold the previous result of the scalar unit, unchanged."""
    overwritten: set[tuple[object, int]] = set()
    for slot in reversed(behind):
        scalar = _scalar_half(slot)
        if scalar is not None:
            return set() if scalar.attributes.get("clamp") else _written(scalar) - overwritten
        for instruction in slot:
            overwritten |= _written(instruction)
    return set()


def _scalar_half(slot: Slot) -> MachineInstruction | None:
    """What runs on the scalar unit: the second of two."""
    return slot[-1] if len(slot) == 2 or is_scalar(slot[-1]) else None


def _retain(slots: Sequence[Slot]) -> list[Slot]:
    """The slots with the previous scalar result kept wherever it is still wanted."""
    made: list[Slot] = []
    is_wanted = False
    for slot in reversed(slots):
        scalar = _scalar_half(slot)
        if scalar is not None:
            is_wanted = scalar.op.name in _USES_PREVIOUS
        elif is_wanted and slot[0].op not in FETCHES:
            slot = (*slot, MachineInstruction(SCALAR["RETAIN_PREV"], span=slot[0].span))
        made.append(slot)
    return made[::-1]


def _is_constant(use: Use) -> bool:
    return isinstance(use.register, Register) and use.register.file is C


def _against_zero(name: str, uses: list[Use], constants: ConstantTable) -> Use | None:
    first, second = uses
    if _is_zero(second, constants):
        return first
    if not _is_zero(first, constants):
        return None
    is_symmetric = name in ("SETEv", "SETNEv")
    return second if is_symmetric else replace(second, negate=not second.negate)


def _is_zero(use: Use, constants: ConstantTable) -> bool:
    register = use.register
    if not isinstance(register, Register) or register.file is not C:
        return False
    numbers = constants.literals.get(register.index)
    return numbers is not None and all(lane is None or numbers[lane] == 0 for lane in use.lanes)
