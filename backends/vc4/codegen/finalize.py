"""Scheduled code to words, with the list of what the host puts into the uniform stream.

The stream is read in the order of the words.  A reset of its address, which the driver demands after branches, names
the position in the stream after its own word.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.vc4.codegen.abi import TARGET_NAME
from glslc_multi.backends.vc4.codegen.machine_ops import BRANCH, FLAGS, JUMP, LOAD_IMMEDIATE, R4, R5
from glslc_multi.backends.vc4.codegen.schedule.bundle import Bundle, word_of
from glslc_multi.backends.vc4.codegen.stream import STREAM_ADDRESS, StreamSlot, stream_slots
from glslc_multi.backends.vc4.isa.accesses import Access
from glslc_multi.backends.vc4.isa.encoding import DELAY_SLOTS, Alu, Branch, Instruction, decode, encode
from glslc_multi.backends.vc4.isa.formats import WORD_BYTES
from glslc_multi.backends.vc4.isa.instructions import BranchCondition, Condition, Signal
from glslc_multi.backends.vc4.isa.validate_driver import DriverVerdict, check
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, Slot, origins_of
from glslc_multi.compiler.codegen.phases import require_valid
from glslc_multi.compiler.isa.listing import Origins
from glslc_multi.compiler.records import dataclass, field

_STREAM_WORD = 4


@dataclass(slots=True)
class Code:
    """Words, and the stream that they read."""

    words: list[int] = field(default_factory=list)
    stream: list[StreamSlot] = field(default_factory=list)
    #: The source of each word.
    origins: list[Origins] = field(default_factory=list)
    #: What the Linux driver says of the words.
    verdict: DriverVerdict = DriverVerdict(None)

    @property
    def stream_words(self) -> int:
        """How many words the driver takes the stream to have."""
        return self.verdict.uniforms_size // _STREAM_WORD

    def add(self, word: Instruction, members: Sequence[MachineInstruction]) -> None:
        """Add the word that does these instructions."""
        _require_known_effects(word, members)
        self.words.append(encode(word))
        self.origins.append(origins_of(members))

    def complete(self, *, is_fragment: bool) -> None:
        """Bring the last word and the stream into the form that the hardware and the driver want."""
        if is_fragment:
            # It unlocks the scoreboard.
            last = decode(self.words[-1])
            assert isinstance(last, Alu) and last.signal == Signal.NONE
            self.words[-1] = encode(last._replace(signal=Signal.SBDONE))
        self.verdict = check(self.words)
        if self.stream_words == len(self.stream) + 1:
            self.stream.append(STREAM_ADDRESS)


def _require_known_effects(word: Instruction, members: Sequence[MachineInstruction]) -> None:
    """Require that a word writes r4, r5 and the flags where its instructions say so, by which they were ordered, and
    nowhere else."""
    written = Access(word).accumulators_written
    happens = {FLAGS: bool(word.sf), R4: bool(written >> 4 & 1), R5: bool(written >> 5 & 1)}
    said = {register for one in members for register in (*one.op.writes, *(each.register for each in one.defs))}
    wrong = [register for register, is_written in happens.items() if is_written != (register in said)]
    require_valid(TARGET_NAME, [f"{register} is written without notice, or not as said" for register in wrong])


def code_of_bundles(bundles: Sequence[Bundle]) -> Code:
    """Return the words of straight-line code."""
    code = Code()
    for bundle in bundles:
        instructions = [member.instruction for member in bundle.members]
        if bundle.takes_stream:
            code.stream += stream_slots(instructions)
        code.add(bundle.encode(), instructions)
    return code


def code_of_blocks(function: MachineFunction) -> Code:
    """Return the words of a function's blocks."""
    starts = _starts(function)
    code = Code()
    resets: list[int] = []
    for block in function.blocks:
        for slot in block.slots or ():
            is_load = _is_reset_load(slot)
            if is_load:
                resets.append(len(code.words))
            code.stream += stream_slots(slot)
            if resets and code.stream and code.stream[-1] == STREAM_ADDRESS and not is_load:
                code.words[resets.pop()] |= len(code.stream) * _STREAM_WORD
            code.add(_instruction(slot, len(code.words), starts), slot)
    return code


def _is_reset_load(slot: Slot) -> bool:
    """Whether a word loads the offset for a reset of the stream's address."""
    return any(instruction.op is LOAD_IMMEDIATE and "reset" in instruction.attributes for instruction in slot)


def _starts(function: MachineFunction) -> dict[MachineBlock, int]:
    """The number of each block's first word."""
    starts: dict[MachineBlock, int] = {}
    total = 0
    for block in function.blocks:
        starts[block] = total
        total += len(block.slots or ())
    return starts


def _instruction(slot: Slot, number: int, starts: dict[MachineBlock, int]) -> Instruction:
    first = slot[0]
    if first.op in (BRANCH, JUMP):
        (target,) = first.targets
        distance = starts[target] - (number + 1 + DELAY_SLOTS)
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
