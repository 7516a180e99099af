"""The previous result of the scalar unit, which its next operation may read instead of a source.

In: slots in order.  Every scalar half leaves its result, an empty one an undefined number; only
RETAIN_PREV keeps what is there.  `previous_result` says where that number also is; `retain` fills the empty halves
before its reader; `export_by_previous_result` exports numbers so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.backends.xenos_family.codegen.encode import exports_of, is_scalar
from glslc_multi.backends.xenos_family.codegen.machine_ops import FETCHES, SCALAR
from glslc_multi.backends.xenos_family.isa import instructions
from glslc_multi.compiler.codegen.machine import MachineInstruction, Slot, Use
from glslc_multi.compiler.records import replace

#: Slots that the previous result is followed through.
_REACH = 8
#: Scalar operations that read the previous result.
_READERS = frozenset(row.name for row in instructions.SCALAR_OPERATIONS if row.of_previous)


def written(instruction: MachineInstruction) -> set[tuple[object, int]]:
    return {(definition.register, lane) for definition in instruction.defs for lane in definition.lanes}


def previous_result(issued: Sequence[Slot]) -> set[tuple[object, int]]:
    """The components that hold the previous result of the scalar unit, unchanged."""
    overwritten: set[tuple[object, int]] = set()
    for slot in reversed(issued[-_REACH:]):
        scalar = scalar_half(slot)
        if scalar is not None:
            return set() if scalar.attributes.get("clamp") else written(scalar) - overwritten
        for instruction in slot:
            overwritten |= written(instruction)
    return set()


def scalar_half(slot: Slot) -> MachineInstruction | None:
    """What runs on the scalar unit: the second of two."""
    return slot[-1] if len(slot) == 2 or is_scalar(slot[-1]) else None


def retain(slots: Sequence[Slot]) -> list[Slot]:
    """The slots with the previous scalar result kept until its reader."""
    slots_: list[Slot] = []
    is_wanted = False
    for slot in reversed(slots):
        scalar = scalar_half(slot)
        if scalar is not None:
            is_wanted = scalar.op.name in _READERS
        elif is_wanted and slot[0].op not in FETCHES:
            slot = (*slot, MachineInstruction(SCALAR["RETAIN_PREV"], span=slot[0].span))
        slots_.append(slot)
    return slots_[::-1]


def export_by_previous_result(slots: list[Slot]) -> list[Slot]:
    """Export what is only moved as previous result of the scalar unit, beside operations that leave it no source.

    Colours with an alpha of 1 are such: an earlier slot has the scalar unit read the number.  Few shaders have them
    (0.1 % of all slots), but to a pixel shader of three slots one is a third.
    """
    for exporter in [slot for slot in slots if is_export_of_number(slot)]:
        if exporter not in slots:
            # It carries another export.
            continue
        end, move = slots.index(exporter), exporter[0]
        carrier = next((n for n, slot in enumerate(slots) if _may_carry(slot, move)), None)
        reader = None if carrier is None else _idle_before(slots, carrier)
        if carrier is None or reader is None or reader == end:
            continue
        if _is_changed(move.uses[0], slots[min(reader, end) : max(reader, end)]):
            continue
        lane = move.uses[0].lanes[0]
        source = replace(move.uses[0], lanes=(lane, lane))
        slots[reader] = (*slots[reader], MachineInstruction(SCALAR["MAXs"], [], [source], span=move.span))
        for number in range(reader + 1, carrier):
            if slots[number][0].op not in FETCHES:
                slots[number] = (*slots[number], MachineInstruction(SCALAR["RETAIN_PREV"], span=move.span))
        export = MachineInstruction(SCALAR["RETAIN_PREV"], move.defs, attributes=move.attributes, span=move.span)
        slots[carrier] = (*slots[carrier], export)
        del slots[end]
    return slots


def is_export_of_number(slot: Slot) -> bool:
    """Whether all that a slot does is to export one number."""
    move = slot[0]
    if len(slot) > 1 or move.op.name != "MAXv" or len(move.uses) != 1 or not exports_of(slot):
        return False
    return move.uses[0].relative is None and len(set(move.uses[0].lanes)) == 1


def _may_carry(slot: Slot, move: MachineInstruction) -> bool:
    is_lone = len(slot) == 1 and slot[0].op.name in instructions.VECTOR_BY_NAME
    return is_lone and exports_of(slot) == exports_of((move,)) and not written(slot[0]) & written(move)


def _idle_before(slots: Sequence[Slot], end: int) -> int | None:
    """The last slot before `end` whose scalar half may read a source of its own, with none in use after it."""
    for number in range(end - 1, -1, -1):
        vector = slots[number][0]
        if vector.op in FETCHES:
            continue
        if scalar_half(slots[number]) is not None:
            return None
        if len(vector.uses) < 3 and all(use.relative is None for use in vector.uses):
            return number
    return None


def _is_changed(use: Use, slots: Iterable[Slot]) -> bool:
    changed = {component for slot in slots for instruction in slot for component in written(instruction)}
    return any((use.register, lane) in changed for lane in use.lanes)
