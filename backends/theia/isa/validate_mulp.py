"""The rule about MULP: lanes x and y of its result are undefined, so nothing may read them.

A flow analysis from each instruction to the next: which lanes of which registers may be undefined there.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.control_flow import Flow
from glslc_multi.backends.theia.isa.instructions import Decoded
from glslc_multi.backends.theia.isa.program import ORIGIN
from glslc_multi.backends.theia.isa.registers import Variant, physical, spell
from glslc_multi.backends.theia.isa.rules import Fault

#: A register and the letter of a lane.
_Lane = tuple[int, str]
_Lanes = frozenset[_Lane]
_UNDEFINED = "XY"
#: The instructions that replace one lane and keep the others.
_SETS = {"SETX": "X", "SETY": "Y", "SETZ": "Z"}


def mulp_faults(flow: Flow) -> Iterator[Fault]:
    """A fault for each instruction that may read an undefined lane."""
    for index, undefined in sorted(_undefined_before(flow).items()):
        decoded = flow.code[index]
        if decoded is None:
            continue
        for register, lane in sorted(undefined & _lanes_read(decoded, flow.program.variant)):
            name = spell(register, flow.program.variant)
            yield Fault("mulp-lanes", ORIGIN + index, f"lane {lane.lower()} of {name} is undefined after MULP")


def _undefined_before(flow: Flow) -> dict[int, _Lanes]:
    """For each reachable instruction, the lanes that may be undefined when it begins."""
    before: dict[int, _Lanes] = {index: frozenset() for index in flow.starts if index is not None}
    waiting = list(before)
    while waiting:
        index = waiting.pop()
        decoded = flow.code[index]
        after = before[index] if decoded is None else _after(decoded, before[index], flow.program.variant)
        for successor in flow.successors[index]:
            if successor is None:
                continue
            state_before = before.get(successor)
            merged = after if state_before is None else state_before | after
            if merged != state_before:
                before[successor] = merged
                waiting.append(successor)
    return before


def _after(decoded: Decoded, undefined: _Lanes, variant: Variant) -> _Lanes:
    instruction = decoded.instruction
    if not instruction.has_destination:
        return undefined
    register = physical(decoded.destination, variant)
    written = _SETS.get(instruction.name, instructions.LANES)
    kept = frozenset(lane for lane in undefined if lane[0] != register or lane[1] not in written)
    return kept | _lanes(register, _UNDEFINED, variant) if instruction.name == "MULP" else kept


def _lanes_read(decoded: Decoded, variant: Variant) -> _Lanes:
    """The lanes whose values matter to an instruction."""
    instruction = decoded.instruction
    if instruction.shape == "DW":
        picked = instructions.LIVE_SWIZZLES.get(decoded.immediate, ())
        return _lanes(decoded.destination, "".join(instructions.LANES[lane] for lane in picked), variant)
    sources = zip(instruction.shape[1:], (decoded.first, decoded.second), instruction.lanes, strict=False)
    read = (_lanes(register, lanes, variant) for letter, register, lanes in sources if letter == "S")
    return frozenset[_Lane]().union(*read)


def _lanes(register: int, letters: str, variant: Variant) -> _Lanes:
    return frozenset((physical(register, variant), letter) for letter in letters)
