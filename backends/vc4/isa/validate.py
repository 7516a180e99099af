"""The rules of the hardware, checked on decoded words.

`validate` returns the faults; `validate_driver.py` has the rules of the Linux driver, which are stricter in other
respects.  Rules about neighbours follow the order of execution (`flow.py`), rules about a whole path through the
program are in `validate_paths.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.accesses import (
    REGISTERS,
    SFU,
    TMU,
    VPM_SETUPS,
    Access,
    address,
    both_files,
    numbers_of,
)
from glslc_multi.backends.vc4.isa.encoding import Alu, Branch, Instruction, Load, decode
from glslc_multi.backends.vc4.isa.flow import Flow, Step, target_of
from glslc_multi.backends.vc4.isa.formats import ALU_FORMAT, BRANCH_FORMAT, LOAD_FORMAT, NOWHERE
from glslc_multi.backends.vc4.isa.instructions import (
    ROTATE_BY_R5,
    THREAD_ENDS,
    THREAD_SWITCHES,
    BranchCondition,
    Condition,
    LoadMode,
    Signal,
)
from glslc_multi.backends.vc4.isa.packing import MUL_PACKS
from glslc_multi.backends.vc4.isa.program import Stage
from glslc_multi.backends.vc4.isa.registers import READ_NAMES
from glslc_multi.backends.vc4.isa.rules import Fault
from glslc_multi.backends.vc4.isa.validate_paths import path_faults
from glslc_multi.compiler.isa.fields import Format

_R4, _R5 = 4, 5
_ROTATED = numbers_of(range(_R4))
_SCOREBOARD_FREE = 2
#: Addresses that no register has.
_NAMELESS = sum(
    address(file, number)
    for file in "AB"
    for number in range(64)
    if number != NOWHERE and (file, number) not in READ_NAMES
)
#: Registers that a program with thread switches does not have.
_OF_ONE_THREAD = both_files(numbers_of(range(registers.THREADED_FILE_SIZE, registers.FILE_SIZE)))
_FOURTEEN = both_files(1 << 14)
_MS_MASK = address("A", registers.MS_MASK)
_TMU_NOSWAP, _UNIFORM_ADDRESS, _TLB_Z = (
    1 << number for number in (registers.TMU_NOSWAP, registers.UNIFORM_ADDRESS, registers.TLB_Z)
)
#: Numbers whose writes affect later instructions.
_HAS_AFTERMATH = SFU | _TMU_NOSWAP | _UNIFORM_ADDRESS | _TLB_Z
#: Numbers whose writes are events, in whatever lanes.
_QUEUES = TMU | 1 << registers.VPM
_FORMATS: Mapping[type[Instruction], Format] = {Alu: ALU_FORMAT, Load: LOAD_FORMAT, Branch: BRANCH_FORMAT}
_BRANCH_CONDITIONS, _LOAD_MODES = frozenset(BranchCondition), frozenset(LoadMode)


def validate(words: Sequence[int], stage: Stage) -> list[Fault]:
    """The faults of a program, by instruction."""
    program = [decode(word) for word in words]
    if not program:
        return [Fault("no-end", 0)]
    accesses = [Access(instruction) for instruction in program]
    flow = Flow(program)
    faults = {Fault("no-end", step.pc) for step in flow.leaving if not _is_bad_branch(program, step)}
    for index, (word, access) in enumerate(zip(words, accesses, strict=True)):
        faults.update([Fault(rule, index) for rule in _word_faults(word, access)])
        if _leads_nowhere(program, index):
            faults.add(Fault("branch-target", index))
    if stage == "fragment":
        faults.update(
            Fault("early-scoreboard", index)
            for index, access in enumerate(accesses[:_SCOREBOARD_FREE])
            if access.signal == Signal.SBWAIT or access.touches_tlb
        )
    faults.update(_whole_faults(accesses))
    for number, step in enumerate(flow.steps):
        faults.update(_neighbour_faults(accesses, flow, number))
        if step.ending >= 0 or accesses[step.pc].signal in THREAD_ENDS:
            faults.update(Fault(rule, step.pc) for rule in _end_faults(accesses[step.pc], step))
    faults.update(path_faults(accesses, flow))
    return sorted(faults, key=lambda fault: (fault.number, fault.rule))


# --- Single words -----------------------------------------------------------------------------------------------------


def _word_faults(word: int, access: Access) -> Iterator[str]:
    instruction = access.instruction
    if not _FORMATS[type(instruction)].accepts(word) or not _is_documented(instruction):
        yield "undefined-bits"
    if access.reads & _NAMELESS:
        yield "undefined-register"
    if access.special_accesses > 1:
        yield "one-access"
    if access.numbers_written & _QUEUES and _is_conditional(access):
        yield "conditional-write"
    if _clashes(access):
        yield "same-register"
    if access.numbers_written & VPM_SETUPS and access.vpm_setups + access.vpm_accesses > 1:
        yield "vpm-setup"
    if isinstance(instruction, Alu):
        if instruction.rotates:
            mul = instruction.operations[1]
            operands = (instruction.mul.a, instruction.mul.b)[: mul.operands if mul else 2]
            if any(operand >= _R4 for operand in operands):
                yield "rotate-source"
        is_partial = instruction.pm and instruction.pack in MUL_PACKS and not MUL_PACKS[instruction.pack].replicated
        if is_partial and instruction.mul.writes and instruction.mul.waddr > registers.R3:
            yield "partial-pack"


def _is_documented(instruction: Instruction) -> bool:
    """Whether its fields have values that the documents name."""
    if isinstance(instruction, Branch):
        return instruction.cond in _BRANCH_CONDITIONS
    if instruction.pm and instruction.pack and instruction.pack not in MUL_PACKS:
        return False
    if isinstance(instruction, Load):
        has_spare_bits = instruction.mode == LoadMode.SEMAPHORE and instruction.immediate >> 5
        return instruction.mode in _LOAD_MODES and not has_spare_bits
    return None not in instruction.operations


def _is_conditional(access: Access) -> bool:
    """Whether a write to a queue has a condition."""
    return any(_QUEUES >> number & 1 and condition != Condition.ALWAYS for _, number, condition in access.writes)


def _clashes(access: Access) -> bool:
    """Whether both halves write one register."""
    if access.written.bit_count() < 2 or access.numbers_written.bit_count() > 1:
        return False
    (file, number, condition), (other_file, other_number, other_condition) = access.writes
    if number != other_number or number < registers.FILE_SIZE:
        return False
    if number in registers.ACCUMULATORS or number == registers.R5:
        return condition < Condition.Z or condition ^ 1 != other_condition
    return (number, file) == (other_number, other_file) or len(
        registers.WRITE_ADDRESSES[registers.WRITE_NAMES[file, number]].files
    ) == 2


def _leads_nowhere(program: Sequence[Instruction], index: int) -> bool:
    """Whether it is a branch that leads to no instruction."""
    branch = program[index]
    if not isinstance(branch, Branch) or branch.use_register:
        return False
    target = target_of(branch, index)
    return target is None or not 0 <= target < len(program)


def _is_bad_branch(program: Sequence[Instruction], step: Step) -> bool:
    """Whether a path leaves the program because of a branch, which has a fault of its own."""
    return step.left == 1 and not 0 <= step.target < len(program)


# --- Whole programs ---------------------------------------------------------------------------------------------------


def _whole_faults(accesses: Sequence[Access]) -> Iterator[Fault]:
    """Rules of two threads about all instructions."""
    if not any(access.signal in THREAD_SWITCHES for access in accesses):
        return
    for index, access in enumerate(accesses):
        if (access.reads | access.written) & _OF_ONE_THREAD:
            yield Fault("switch-registers", index)


# --- Neighbours -------------------------------------------------------------------------------------------------------


def _neighbour_faults(accesses: Sequence[Access], flow: Flow, number: int) -> Iterator[Fault]:
    access = accesses[flow.steps[number].pc]
    first = flow.successors[number]
    for following in first:
        index = flow.steps[following].pc
        for rule in _next_faults(access, accesses[index]):
            yield Fault(rule, index)
    if not _has_aftermath(access):
        return
    second = [later for following in first for later in flow.successors[following]]
    for following in (*first, *second):
        index = flow.steps[following].pc
        for rule in _near_faults(access, accesses[index]):
            yield Fault(rule, index)


def _next_faults(access: Access, following: Access) -> Iterator[str]:
    """Rules about the next instruction."""
    if access.written & following.reads & REGISTERS:
        yield "register-latency"
    instruction = following.instruction
    if not isinstance(instruction, Alu) or not instruction.rotates:
        return
    rotated = (1 << instruction.mul.a | 1 << instruction.mul.b) & _ROTATED
    distance = 1 << _R5 if instruction.raddr_b == ROTATE_BY_R5 else 0
    if access.accumulators_written & (rotated | distance):
        yield "rotate-latency"


def _has_aftermath(access: Access) -> bool:
    """Whether an instruction affects the next two."""
    if access.numbers_written & _HAS_AFTERMATH or access.signal in THREAD_SWITCHES:
        return True
    return isinstance(access.instruction, Branch)


def _near_faults(access: Access, following: Access) -> Iterator[str]:
    """Rules about the next two instructions."""
    if access.writes_sfu and (following.accumulators_read | following.accumulators_written) >> _R4 & 1:
        yield "sfu-latency"
    if access.numbers_written & _TMU_NOSWAP and following.tmu_writes:
        yield "noswap-latency"
    if access.numbers_written & _UNIFORM_ADDRESS and following.touches_uniforms:
        yield "uniform-address"
    if isinstance(access.instruction, Branch) and isinstance(following.instruction, Branch):
        yield "branch-spacing"
    if access.numbers_written & _TLB_Z and following.reads & _MS_MASK:
        yield "depth-mask"
    if access.signal in THREAD_SWITCHES and (
        following.signal in THREAD_SWITCHES or isinstance(following.instruction, Branch)
    ):
        yield "switch-spacing"


def _end_faults(access: Access, step: Step) -> Iterator[str]:
    """Rules about the last three instructions."""
    if access.touches_uniforms or access.numbers_read >> registers.VARYING_READ & 1 or access.uses_vpm:
        yield "end-peripherals"
    if (access.reads | access.written) & _FOURTEEN:
        yield "end-register-14"
    if step.ending < 0 and access.registers_written:
        yield "end-register-write"
    if step.ending == 0 and access.numbers_written & _TLB_Z:
        yield "end-depth"
