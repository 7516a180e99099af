"""The rules of the hardware, checked on decoded words.

`validate` gives the faults; `driver.py` has those of the Linux driver, which are stricter in other ways.  Rules about
neighbours go by the order of execution (`flow.py`), rules about a whole way through the program by `paths.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backends.vc4 import registers
from backends.vc4.accesses import Access
from backends.vc4.flow import Flow, Step, target_of
from backends.vc4.formats import format_of
from backends.vc4.instruction import Alu, Branch, Instruction, Load, decode
from backends.vc4.isa import ROTATE_BY_R5, THREAD_SWITCHES, BranchCondition, Condition, LoadMode, Signal
from backends.vc4.packing import MUL_PACKS
from backends.vc4.paths import path_faults
from backends.vc4.program import Stage
from backends.vc4.registers import READ_NAMES
from backends.vc4.rules import Fault

_R4, _R5 = 4, 5
_SCOREBOARD_FREE = 2


def validate(words: Sequence[int], stage: Stage) -> list[Fault]:
    """The faults of a program, by instruction."""
    program = [decode(word) for word in words]
    if not program:
        return [Fault("no-end", 0)]
    accesses = [Access(instruction) for instruction in program]
    flow = Flow(program)
    found = {Fault("no-end", step.pc) for step in flow.leaves_behind if not _is_bad_branch(program, step)}
    for index, (word, access) in enumerate(zip(words, accesses, strict=True)):
        found.update(Fault(rule, index) for rule in _word_faults(word, access))
        found.update(Fault(rule, index) for rule in _branch_faults(program, index))
    if stage == "fragment":
        found.update(_scoreboard_faults(accesses))
    found.update(_whole_faults(accesses))
    for step in flow.successors:
        found.update(_neighbour_faults(accesses, flow, step))
        found.update(Fault(rule, step.pc) for rule in _end_faults(accesses[step.pc], step))
    found.update(path_faults(accesses, flow))
    return sorted(found, key=lambda fault: (fault.place, fault.rule))


# --- Single words -----------------------------------------------------------------------------------------------------


def _word_faults(word: int, access: Access) -> Iterator[str]:
    instruction = access.instruction
    if not format_of(word).accepts(word) or not _is_documented(instruction):
        yield "undefined-bits"
    if any(number >= registers.FILE_SIZE and place not in READ_NAMES for place in access.reads for number in place[1:]):
        yield "undefined-register"
    if access.special_accesses > 1:
        yield "one-access"
    if any(_is_queue(number) and condition != Condition.ALWAYS for _, number, condition in access.writes):
        yield "conditional-write"
    if _clashes(access):
        yield "same-register"
    if access.vpm_setups and len(access.vpm_setups) + len(access.vpm_data) > 1:
        yield "vpm-setup"
    if isinstance(instruction, Alu):
        yield from _alu_faults(instruction)


def _is_documented(instruction: Instruction) -> bool:
    """Whether its fields have values that the documents name."""
    if isinstance(instruction, Branch):
        return instruction.cond in BranchCondition.__members__.values()
    if instruction.pm and instruction.pack and instruction.pack not in MUL_PACKS:
        return False
    if isinstance(instruction, Load):
        has_spare_bits = instruction.mode == LoadMode.SEMAPHORE and instruction.immediate >> 5
        return instruction.mode in LoadMode.__members__.values() and not has_spare_bits
    return None not in instruction.operations


def _alu_faults(alu: Alu) -> Iterator[str]:
    mul = alu.operations[1]
    operands = (alu.mul.a, alu.mul.b)[: mul.operands if mul else 2]
    if alu.rotates and any(operand >= _R4 for operand in operands):
        yield "rotate-source"
    is_partial = alu.pm and alu.pack in MUL_PACKS and not MUL_PACKS[alu.pack].replicated
    if is_partial and alu.mul.writes and alu.mul.waddr > registers.R3:
        yield "partial-pack"


def _is_queue(number: int) -> bool:
    """Whether a write is an event, in whatever lanes."""
    return number == registers.VPM or number in registers.TMU


def _clashes(access: Access) -> bool:
    """Whether both halves write one register."""
    if len(access.writes) < 2:
        return False
    (file, number, condition), (other_file, other_number, other_condition) = access.writes
    if number != other_number or number < registers.FILE_SIZE:
        return False
    if number in registers.ACCUMULATORS or number == registers.R5:
        return condition < Condition.Z or condition ^ 1 != other_condition
    return (number, file) == (other_number, other_file) or len(registers.WRITE_PLACES[_name(file, number)].files) == 2


def _name(file: str, number: int) -> str:
    return registers.WRITE_NAMES[file, number]


def _branch_faults(program: Sequence[Instruction], index: int) -> Iterator[str]:
    branch = program[index]
    if not isinstance(branch, Branch) or branch.use_register:
        return
    target = target_of(branch, index)
    if target is None or not 0 <= target < len(program):
        yield "branch-target"


def _is_bad_branch(program: Sequence[Instruction], step: Step) -> bool:
    """Whether a way leaves the program because of a branch, which has a fault of its own."""
    return step.left == 1 and not 0 <= step.target < len(program)


# --- Whole programs ---------------------------------------------------------------------------------------------------


def _scoreboard_faults(accesses: Sequence[Access]) -> Iterator[Fault]:
    for index, access in enumerate(accesses[:_SCOREBOARD_FREE]):
        if access.signal == Signal.SBWAIT or access.touches_tlb:
            yield Fault("early-scoreboard", index)


def _whole_faults(accesses: Sequence[Access]) -> Iterator[Fault]:
    """What two threads ask of all instructions."""
    if not any(access.signal in THREAD_SWITCHES for access in accesses):
        return
    for index, access in enumerate(accesses):
        numbers = {number for _, number in access.registers_read | access.registers_written}
        if any(number >= registers.THREADED_FILE_SIZE for number in numbers):
            yield Fault("switch-registers", index)


# --- Neighbours -------------------------------------------------------------------------------------------------------


def _neighbour_faults(accesses: Sequence[Access], flow: Flow, step: Step) -> Iterator[Fault]:
    access = accesses[step.pc]
    first, second = flow.next_after(step, 1), flow.next_after(step, 2)
    for index in first:
        yield from (Fault(rule, index) for rule in _next_faults(access, accesses[index]))
    for index in first | second:
        yield from (Fault(rule, index) for rule in _near_faults(access, accesses[index]))


def _next_faults(access: Access, following: Access) -> Iterator[str]:
    """Rules about the next instruction."""
    if access.registers_written & following.registers_read:
        yield "register-latency"
    instruction = following.instruction
    if not isinstance(instruction, Alu) or not instruction.rotates:
        return
    rotated = {operand for operand in (instruction.mul.a, instruction.mul.b) if operand < _R4}
    distance = {_R5} if instruction.raddr_b == ROTATE_BY_R5 else set()
    if access.accumulators_written & (rotated | distance):
        yield "rotate-latency"


def _near_faults(access: Access, following: Access) -> Iterator[str]:
    """Rules about the next two instructions."""
    if access.writes_sfu and (_R4 in following.accumulators_read | following.accumulators_written):
        yield "sfu-latency"
    if registers.TMU_NOSWAP in access.write_numbers and following.tmu_writes:
        yield "noswap-latency"
    if registers.UNIFORM_ADDRESS in access.write_numbers and following.touches_uniforms:
        yield "uniform-address"
    if isinstance(access.instruction, Branch) and isinstance(following.instruction, Branch):
        yield "branch-spacing"
    if registers.TLB_Z in access.write_numbers and ("A", registers.MS_MASK) in following.reads:
        yield "depth-mask"
    if access.signal in THREAD_SWITCHES and (
        following.signal in THREAD_SWITCHES or isinstance(following.instruction, Branch)
    ):
        yield "switch-spacing"


def _end_faults(access: Access, step: Step) -> Iterator[str]:
    """Rules about the last three instructions."""
    if step.ending < 0 and access.signal not in (Signal.THREND, Signal.LDCEND):
        return
    uses_vpm = access.vpm_data or access.vpm_setups
    if access.touches_uniforms or registers.VARYING_READ in access.read_numbers or uses_vpm:
        yield "end-peripherals"
    if any(number == 14 for _, number in access.registers_read | access.registers_written):
        yield "end-register-14"
    if step.ending < 0 and access.registers_written:
        yield "end-register-write"
    if step.ending == 0 and registers.TLB_Z in access.write_numbers:
        yield "end-depth"
