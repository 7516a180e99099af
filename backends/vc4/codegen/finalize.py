"""Bundled machine code to words, with the list of what the host puts into the uniform stream.

The stream is read in the order of the words.  A reset of its address, which the driver demands behind branches, names
the place behind its own word.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.vc4.codegen.abi import DRIVER_WORDS
from backends.vc4.codegen.machine_ops import BRANCH, JUMP, LOAD_IMMEDIATE
from backends.vc4.codegen.schedule.words import Draft, word_of
from backends.vc4.isa.encoding import DELAY_SLOTS, Alu, Branch, Instruction, encode
from backends.vc4.isa.formats import WORD_BYTES
from backends.vc4.isa.instructions import BranchCondition, Condition, Signal
from compiler.codegen.machine import (
    Lanes,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Slot,
    Uniform,
    origins_of,
)
from compiler.ir.variables import Variable
from compiler.isa.listing import Origins
from compiler.records import dataclass, field

_STREAM_WORD = 4


@dataclass(frozen=True, slots=True)
class StreamSlot:
    """One word of the stream: its kind and source as text, and the uniform behind it, where it is one."""

    kind: str
    source: str
    uniform: Uniform | None = None
    component: int = 0


@dataclass(slots=True)
class Code:
    """Words, and the stream they read."""

    words: list[int] = field(default_factory=list)
    stream: list[StreamSlot] = field(default_factory=list)
    #: Where each word comes from.
    origins: list[Origins] = field(default_factory=list)


STREAM_ADDRESS = StreamSlot("stream_address", "")


def finalise_drafts(drafts: Sequence[Draft], *, is_fragment: bool) -> Code:
    """The words of straight code as the search left them."""
    code = Code()
    for draft in drafts:
        slot = [claim.made for claim in draft.claims]
        if draft.takes_stream:
            code.stream += _stream_slots(slot)
        code.words.append(encode(draft.encode()))
        code.origins.append(origins_of(slot))
    if is_fragment:
        _unlock(code)
    return code


def finalise(function: MachineFunction, *, is_fragment: bool) -> Code:
    """The words of a bundled function."""
    starts = _starts(function)
    code = Code()
    resets: list[int] = []
    for block in function.blocks:
        for slot in block.slots or ():
            if any(made.op is LOAD_IMMEDIATE and "reset" in made.attributes for made in slot):
                resets.append(len(code.words))
            code.stream += _stream_slots(slot)
            if resets and code.stream and code.stream[-1] == STREAM_ADDRESS and not _is_reset_load(slot):
                place = resets.pop()
                code.words[place] |= len(code.stream) * _STREAM_WORD
            code.words.append(encode(_instruction(slot, len(code.words), starts)))
            code.origins.append(origins_of(slot))
    if is_fragment:
        _unlock(code)
    return code


def _is_reset_load(slot: Slot) -> bool:
    return any("reset" in made.attributes and made.op is LOAD_IMMEDIATE for made in slot)


def _starts(function: MachineFunction) -> dict[MachineBlock, int]:
    """The number of each block's first word."""
    starts: dict[MachineBlock, int] = {}
    total = 0
    for block in function.blocks:
        starts[block] = total
        total += len(block.slots or ())
    return starts


def _instruction(slot: Slot, place: int, starts: dict[MachineBlock, int]) -> Instruction:
    first = slot[0]
    if first.op in (BRANCH, JUMP):
        (target,) = first.targets
        distance = starts[target] - (place + 1 + DELAY_SLOTS)
        return Branch(distance * WORD_BYTES, _branch_condition(first.attributes))
    word = word_of(slot)
    assert word is not None, f"no word for {slot}"
    return word


def _branch_condition(attributes: dict[str, object]) -> int:
    """Any lane in which the condition holds, or all."""
    when = attributes.get("when")
    if not isinstance(when, Condition):
        return BranchCondition.ALWAYS
    code = (when // 2 - 1) * 4 + when % 2
    return code if attributes.get("all") else code + 2


def _unlock(code: Code) -> None:
    """The last word of a fragment shader unlocks the scoreboard."""
    from backends.vc4.isa.encoding import decode

    last = decode(code.words[-1])
    assert isinstance(last, Alu) and last.signal == Signal.NONE
    code.words[-1] = encode(last._replace(signal=Signal.SBDONE))


def _stream_slots(slot: Sequence[MachineInstruction]) -> list[StreamSlot]:
    """What a word takes from the stream: shared reads count once."""
    seen: list[tuple[Uniform | Literal32, Lanes]] = []
    found: list[StreamSlot] = []
    for made in slot:
        for use in made.uses:
            if isinstance(use.register, (Uniform, Literal32)) and (use.register, use.lanes) not in seen:
                seen.append((use.register, use.lanes))
                found.append(_slot_of(use.register, use.lanes))
        found += [StreamSlot(kind, source) for kind, source, _ in made.attributes.get("slots", ())]
    return found


def _slot_of(place: Uniform | Literal32, lanes: Sequence[int | None]) -> StreamSlot:
    if isinstance(place, Literal32):
        return StreamSlot("constant", f"0x{place.values[0]:08x}")
    variable, component = place.variable, lanes[0] or 0
    if variable in DRIVER_WORDS:
        return StreamSlot(variable.role, "")
    if variable is STREAM_VARIABLE:
        return STREAM_ADDRESS
    if variable.role.startswith("buffer "):
        return StreamSlot("buffer", variable.role.removeprefix("buffer "))
    source = f"{variable.name}[{place.offset}].{place.column}.{'xyzw'[component]}"
    return StreamSlot("uniform", source, place, component)


def _stream_variable() -> Variable:
    from compiler.ir.types import INT

    return Variable("stream_address", "uniform", INT)


#: Stands for the address of the stream itself.
STREAM_VARIABLE = _stream_variable()
