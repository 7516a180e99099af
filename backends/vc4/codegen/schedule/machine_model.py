"""The QPU as the dependence graph and the shared bundler see it: pairs of operations, latencies, queues, hazards.

Section 6 of the VideoCore IV reference guide has the rules.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from glslc_multi.backends.vc4.codegen.machine_ops import BRANCH, END, JUMP, LOAD_IMMEDIATE, NOP, OUT, R4, STREAM, A, B
from glslc_multi.backends.vc4.codegen.schedule.bundle import word_of
from glslc_multi.backends.vc4.codegen.schedule.resources import STREAM_WORDS, TILE, resources_of
from glslc_multi.backends.vc4.codegen.schedule.texture_queue import QUEUE, order_of
from glslc_multi.backends.vc4.isa.accesses import Access, both_files
from glslc_multi.backends.vc4.isa.encoding import DELAY_SLOTS, Alu
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.backends.vc4.isa.registers import UNIFORM_ADDRESS, VARYING_READ
from glslc_multi.compiler.codegen.bundle import BundleModel
from glslc_multi.compiler.codegen.machine import AnyRegister, MachineBlock, MachineInstruction, Slot
from glslc_multi.compiler.codegen.registers import Register

_END_SLOTS = 2
_SFU_LATENCY, _FILE_LATENCY = 3, 2
_STREAM_DISTANCE = 2
_FREE_OF_BRANCHES = _FREE_OF_TILES = 2
_FOURTEEN = both_files(1 << 14)
_VPM_QUEUES = ("vpm read", "vpm write")


class QpuModel(BundleModel):
    """See the module's text."""

    reach = 4

    def __init__(self, *, is_fragment: bool, threads: int = 1) -> None:
        self.is_fragment = is_fragment
        self.threads = threads
        #: The words of blocks that are scheduled already.
        self.scheduled: Mapping[MachineBlock, Sequence[tuple[Slot, list[int]]]] = {}

    def nop(self) -> MachineInstruction:
        return MachineInstruction(NOP)

    def first_word(self, mask: int) -> int:
        """The first word of a program that may hold an instruction with these resources."""
        return _FREE_OF_TILES if self.is_fragment and mask & TILE else 0

    def words_of(self, block: MachineBlock) -> Sequence[tuple[Slot, list[int]]] | None:
        return self.scheduled.get(block)

    # dependences ---------------------------------------------------------------------------
    def latency(self, producer: MachineInstruction, consumer: MachineInstruction) -> int:
        if writes_sfu(producer) and touches_r4(consumer):
            return _SFU_LATENCY
        if STREAM in producer.op.writes:
            return _STREAM_DISTANCE + 1
        written = _files_written(producer)
        return _FILE_LATENCY if written and written & _registers_read(consumer) else 1

    def overwrite(self, first: MachineInstruction, second: MachineInstruction) -> int:
        return _SFU_LATENCY if writes_sfu(first) and touches_r4(second) else 1

    def order_classes(self, instruction: MachineInstruction) -> Iterable[Hashable]:
        queue = instruction.attributes.get("queue")
        if queue is None:
            return ()
        if queue == QUEUE:
            return order_of(instruction)
        # Input and output rows share their memory: all are read before one is written.
        is_setup = instruction.op is LOAD_IMMEDIATE or "is_setup" in instruction.attributes
        is_data = queue in _VPM_QUEUES and not is_setup
        return (queue, "vpm") if is_data else (queue,)

    # words ---------------------------------------------------------------------------------
    def pair(self, slot: Slot, instruction: MachineInstruction) -> Slot | None:
        if instruction.op in (BRANCH, JUMP) or any(member.op in (BRANCH, JUMP) for member in slot):
            return None
        if instruction.op is END:
            return self._with_end(slot, instruction)
        joined = (*slot, instruction)
        return joined if word_of(joined) is not None else None

    def _with_end(self, slot: Slot, end: MachineInstruction) -> Slot | None:
        joined = (end,) if slot[0].op is NOP else (*slot, end)
        word = word_of(joined)
        if not isinstance(word, Alu):
            return None
        access = Access(word)
        is_bad = access.registers_written or access.touches_tlb or not _may_end(access)
        return None if is_bad else joined

    def delay(self, terminator: MachineInstruction) -> int:
        return _END_SLOTS if terminator.op is END else DELAY_SLOTS

    def may_delay(self, terminator: MachineInstruction, slot: Slot) -> bool:
        if terminator.op is not END:
            return all(member.op is not END for member in slot)
        word = word_of(slot)
        if not isinstance(word, Alu):
            return False
        # The last word of a fragment shader has the signal that unlocks the scoreboard.
        is_plain = not self.is_fragment or word.signal == Signal.NONE
        return is_plain and _may_end(Access(word))

    # hazards -------------------------------------------------------------------------------
    def ready(self, instruction: MachineInstruction, issued: Sequence[Slot]) -> int:
        wait = 0
        for distance, slot in enumerate(reversed(issued[-_SFU_LATENCY + 1 :])):
            wait = max(wait, max((_distance(member, instruction) - distance for member in slot), default=0))
        started = len(issued) if len(issued) < self.reach else self.reach
        if instruction.op in (BRANCH, JUMP):
            wait = max(wait, _FREE_OF_BRANCHES - started)
        if self.is_fragment and resources_of(instruction).mask & TILE:
            wait = max(wait, _FREE_OF_TILES - started)
        return wait


def _distance(first: MachineInstruction, second: MachineInstruction) -> int:
    """How many words must pass between two instructions."""
    if writes_sfu(first) and touches_r4(second):
        return _SFU_LATENCY - 1
    if takes_stream(second) and any(d.register == OUT[UNIFORM_ADDRESS] for d in first.defs):
        return _STREAM_DISTANCE
    is_rotated = "rotate" in second.attributes and any(d.register == second.uses[0].register for d in first.defs)
    return int(is_rotated or bool(_files_written(first) & _registers_read(second)))


def writes_sfu(instruction: MachineInstruction) -> bool:
    return "waddr" in instruction.attributes


def touches_r4(instruction: MachineInstruction) -> bool:
    return any(use.register == R4 for use in instruction.uses) or any(d.register == R4 for d in instruction.defs)


def takes_stream(instruction: MachineInstruction) -> bool:
    """Whether it takes a word of the uniform stream."""
    return "slots" in instruction.attributes or any(isinstance(use.register, STREAM_WORDS) for use in instruction.uses)


def _files_written(instruction: MachineInstruction) -> set[AnyRegister]:
    return {
        d.register
        for d in instruction.defs
        if isinstance(d.register, Register) and (d.register.file is A or d.register.file is B)
    }


def _registers_read(instruction: MachineInstruction) -> set[AnyRegister]:
    return {use.register for use in instruction.uses}


def _may_end(access: Access) -> bool:
    """Whether a word may be one of the last three."""
    if access.touches_uniforms or access.numbers_read >> VARYING_READ & 1 or access.uses_vpm:
        return False
    return not (access.reads | access.written) & _FOURTEEN
