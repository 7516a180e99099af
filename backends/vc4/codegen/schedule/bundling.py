"""The QPU as the bundler sees it: pairs of operations, latencies, queues, hazards (section 6 of the reference)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from backends.vc4.codegen.machine_ops import BRANCH, END, JUMP, LOAD_IMMEDIATE, NOP, OUT, R4, STREAM, A, B
from backends.vc4.codegen.schedule.lookups import QUEUE, order_of
from backends.vc4.codegen.schedule.words import TILE, claim_of, word_of
from backends.vc4.isa.accesses import Access, both_files
from backends.vc4.isa.encoding import DELAY_SLOTS, Alu
from backends.vc4.isa.instructions import Signal
from backends.vc4.isa.registers import UNIFORM_ADDRESS, VARYING_READ
from compiler.codegen.bundle import BundleModel
from compiler.codegen.machine import AnyRegister, Literal32, MachineBlock, MachineInstruction, Slot, Uniform
from compiler.codegen.registers import Register

_END_SLOTS = 2
_SFU_LATENCY, _FILE_LATENCY = 3, 2
_STREAM_DISTANCE = 2
_FREE_OF_BRANCHES = _FREE_OF_TILES = 2
_FOURTEEN = both_files(1 << 14)
_VPM_QUEUES = ("vpm read", "vpm write")


class Qpu(BundleModel):
    """See the module's text."""

    reach = 4

    def __init__(self, *, is_fragment: bool, threads: int = 1) -> None:
        self.is_fragment = is_fragment
        self.threads = threads
        #: Blocks that are woven.
        self.woven: Mapping[MachineBlock, Sequence[tuple[Slot, list[int]]]] = {}

    def nop(self) -> MachineInstruction:
        return MachineInstruction(NOP)

    def first_word(self, bits: int) -> int:
        """The first word that may hold what claims these (see `words.py`)."""
        return _FREE_OF_TILES if self.is_fragment and bits & TILE else 0

    def words_of(self, block: MachineBlock) -> Sequence[tuple[Slot, list[int]]] | None:
        return self.woven.get(block)

    # dependences ---------------------------------------------------------------------------
    def latency(self, producer: MachineInstruction, consumer: MachineInstruction) -> int:
        if writes_sfu(producer) and touches_r4(consumer):
            return _SFU_LATENCY
        if STREAM in producer.op.writes:
            return _STREAM_DISTANCE + 1
        written = _files_written(producer)
        return _FILE_LATENCY if written and written & _files_read(consumer) else 1

    def overwrite(self, first: MachineInstruction, second: MachineInstruction) -> int:
        return _SFU_LATENCY if writes_sfu(first) and touches_r4(second) else 1

    def order_classes(self, instruction: MachineInstruction) -> Iterable[Hashable]:
        queue = instruction.attributes.get("queue")
        if queue is None:
            return ()
        if queue == QUEUE:
            return order_of(instruction)
        # Rows that come in and rows that go out share their memory: all are read before one is written.
        is_setup = instruction.op is LOAD_IMMEDIATE or "is_setup" in instruction.attributes
        is_data = queue in _VPM_QUEUES and not is_setup
        return (queue, "vpm") if is_data else (queue,)

    # words ---------------------------------------------------------------------------------
    def pair(self, slot: Slot, instruction: MachineInstruction) -> Slot | None:
        if instruction.op in (BRANCH, JUMP) or any(made.op in (BRANCH, JUMP) for made in slot):
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
            return all(made.op is not END for made in slot)
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
            wait = max(wait, max((_apart(made, instruction) - distance for made in slot), default=0))
        started = len(issued) if len(issued) < self.reach else self.reach
        if instruction.op in (BRANCH, JUMP):
            wait = max(wait, _FREE_OF_BRANCHES - started)
        if self.is_fragment and claim_of(instruction).bits & TILE:
            wait = max(wait, _FREE_OF_TILES - started)
        return wait


def _apart(first: MachineInstruction, second: MachineInstruction) -> int:
    """How many words must pass between two instructions."""
    if writes_sfu(first) and touches_r4(second):
        return _SFU_LATENCY - 1
    if takes_stream(second) and any(d.register == OUT[UNIFORM_ADDRESS] for d in first.defs):
        return _STREAM_DISTANCE
    is_rotated = "rotate" in second.attributes and any(d.register == second.uses[0].register for d in first.defs)
    return int(is_rotated or bool(_files_written(first) & _files_read(second)))


def writes_sfu(instruction: MachineInstruction) -> bool:
    return "waddr" in instruction.attributes


def touches_r4(instruction: MachineInstruction) -> bool:
    return any(use.register == R4 for use in instruction.uses) or any(d.register == R4 for d in instruction.defs)


def takes_stream(instruction: MachineInstruction) -> bool:
    """Whether it takes a word of the uniform stream."""
    return "slots" in instruction.attributes or any(
        isinstance(use.register, (Uniform, Literal32)) for use in instruction.uses
    )


def _is_in_file(place: AnyRegister) -> bool:
    return isinstance(place, Register) and (place.file is A or place.file is B)


def _files_written(instruction: MachineInstruction) -> set[AnyRegister]:
    return {d.register for d in instruction.defs if _is_in_file(d.register)}


def _files_read(instruction: MachineInstruction) -> set[AnyRegister]:
    return {use.register for use in instruction.uses if _is_in_file(use.register)}


def _may_end(access: Access) -> bool:
    """Whether a word may be one of the last three."""
    if access.touches_uniforms or access.numbers_read >> VARYING_READ & 1 or access.uses_vpm:
        return False
    return not (access.reads | access.written) & _FOURTEEN
