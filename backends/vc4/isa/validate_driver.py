"""The rules of the Linux driver, which refuses programs that could read memory they must not.

It reads a program once, in the order of the words.  `check` also returns the bytes of the uniform stream that the
driver expects; a program's list of uniforms must have this length; and the requests to the texture units in the order
in which they are submitted, which is that of the buffers that the host hands over with the stream.

One rule refuses what the driver takes, and draws wrongly or not at all: it never forgets that a TMU has loaded a word
directly, so that it takes the parameters of that unit's later lookups for addresses in a buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.encoding import (
    DELAY_SLOTS,
    FILE_A,
    FILE_B,
    Alu,
    Branch,
    Half,
    Instruction,
    Load,
    decode,
)
from glslc_multi.backends.vc4.isa.flow import END_SLOTS
from glslc_multi.backends.vc4.isa.formats import WORD_BYTES
from glslc_multi.backends.vc4.isa.instructions import ADD, THREAD_SWITCHES, Condition, Signal
from glslc_multi.backends.vc4.isa.rules import Fault
from glslc_multi.compiler.records import dataclass, field

_REFUSED_SIGNALS = frozenset((Signal.BKPT, Signal.LOADCV, Signal.LDCEND, Signal.LOADAM))
#: Host interrupt, tmu_noswap, alpha mask, mutex and VPM transfers.
_REFUSED_WRITES = frozenset(
    (38, registers.TMU_NOSWAP, registers.TLB_ALPHA_MASK, registers.MUTEX, registers.VPM_ADDRESS),
)
_ALWAYS = int(Condition.ALWAYS)
_SWITCH_DISTANCE = 3
_UNIFORM_BYTES = 4
_PARAMETER_LIMIT = 4
_MIN, _MAX = ADD["min"].code, ADD["max"].code
#: A register of file A or, from 32 on, of file B, or, from 64 on, an accumulator.
_Register = int
_IN_B, _ACCUMULATORS = registers.FILE_SIZE, 2 * registers.FILE_SIZE


class Request(NamedTuple):
    """A lookup, or a load of a word, in order of submission: which words of the stream are its parameters."""

    is_direct: bool
    words: tuple[int, ...]
    #: The texture unit, and the instructions that write its parameters.
    unit: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DriverVerdict:
    """The first fault, or the size of the uniform stream in bytes and the requests to texture units."""

    fault: Fault | None
    uniforms_size: int = 0
    requests: tuple[Request, ...] = ()


class _Refused(Exception):
    """A rule is broken: the driver looks no further."""

    def __init__(self, rule: str, number: int) -> None:
        super().__init__(rule)
        self.fault = Fault(rule, number)


def check(words: Sequence[int]) -> DriverVerdict:
    """The driver's verdict on a program."""
    try:
        check = _Check([decode(word) for word in words])
        return DriverVerdict(None, check.run(), tuple(check.requests))
    except _Refused as refused:
        return DriverVerdict(refused.fault)


@dataclass(slots=True)
class _Known:
    """What is known of registers inside of a block."""

    #: Values of unconditional loads.
    immediates: dict[_Register, int] = field(default_factory=dict)
    #: Results of max(x, 0), and of min(those, uniform).
    not_negative: set[_Register] = field(default_factory=set)
    clamped: set[_Register] = field(default_factory=set)

    def forget_accumulators(self) -> None:
        for register in [register for register in self.immediates if register >= _ACCUMULATORS]:
            del self.immediates[register]
        self.not_negative = {register for register in self.not_negative if register < _ACCUMULATORS}
        self.clamped = {register for register in self.clamped if register < _ACCUMULATORS}


class _Check:
    """One pass over a program."""

    def __init__(self, program: Sequence[Instruction]) -> None:
        self._program = program
        self._end = len(program)
        self._targets: set[int] = set()
        self._known = _Known()
        #: By texture unit: the words of the stream that its next request has so far, and who writes them.
        self._parameters: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        self.requests: list[Request] = []
        self._has_loaded_directly = [False, False]
        self._size = 0
        self._needs_reset = self._needs_reset_for_loop = False
        self._last_switch: int | None = None
        self._uses_high_registers = False
        self._pc = 0

    def run(self) -> int:
        """The size of the uniform stream; raises `_Refused`."""
        self._find_targets()
        for number, instruction in enumerate(self._program[: self._end]):
            self._pc = number
            self._instruction(instruction)
        if self._last_switch is not None and self._uses_high_registers:
            self._refuse("driver-switch-registers")
        return self._size + (_UNIFORM_BYTES if self._needs_reset_for_loop else 0)

    def _refuse(self, rule: str, number: int | None = None) -> NoReturn:
        raise _Refused(rule, self._pc if number is None else number)

    # --- Branches -----------------------------------------------------------------------------------------------------

    def _find_targets(self) -> None:
        """The end of the program, and the instructions that branches lead to."""
        ends = [number for number, instruction in enumerate(self._program) if instruction.signal == Signal.THREND]
        if not ends or ends[0] + END_SLOTS >= len(self._program):
            self._refuse("driver-end", len(self._program) - 1)
        self._end = ends[0] + END_SLOTS + 1
        # The driver begins as if instruction -2 were a branch.
        last = -2
        for number, instruction in enumerate(self._program[: self._end]):
            if not isinstance(instruction, Branch):
                continue
            if number - last <= DELAY_SLOTS:
                self._refuse("driver-branch-slots", number)
            last = number
            if instruction.use_register or not instruction.relative or instruction.add.writes or instruction.mul.writes:
                self._refuse("driver-branch-kind", number)
            following = number + 1 + DELAY_SLOTS
            for target in (following + instruction.immediate // WORD_BYTES, following):
                # Nothing may lead to the last two instructions, which belong to the end.
                if instruction.immediate % WORD_BYTES or not 0 <= target < self._end - END_SLOTS:
                    self._refuse("driver-branch-target", number)
                self._targets.add(target)

    # --- Instructions -------------------------------------------------------------------------------------------------

    def _instruction(self, instruction: Instruction) -> None:
        if self._pc in self._targets:
            # An instruction that branches lead to: nothing is known here.
            if any(self._parameters):
                self._refuse("driver-tmu-parameters")
            self._known = _Known()
            self._needs_reset = True
        if self._last_switch is not None and self._pc == self._last_switch + _SWITCH_DISTANCE:
            self._known.forget_accumulators()
        if instruction.signal in _REFUSED_SIGNALS:
            self._refuse("driver-signal")
        is_switch = instruction.signal in THREAD_SWITCHES
        is_near = self._last_switch is not None and self._pc < self._last_switch + _SWITCH_DISTANCE
        if is_near and (is_switch or isinstance(instruction, Branch)):
            self._refuse("driver-switch")
        if is_switch:
            self._last_switch = self._pc
        if isinstance(instruction, Branch):
            self._needs_reset_for_loop |= instruction.immediate < 0
            return
        self._writes(instruction)
        if isinstance(instruction, Alu):
            if _reads_uniform(instruction):
                self._size += _UNIFORM_BYTES
                if self._needs_reset:
                    self._refuse("driver-uniform-read")
            self._uses_high_registers |= _is_high(instruction.raddr_a)
            if not instruction.has_small_immediate:
                self._uses_high_registers |= _is_high(instruction.raddr_b)

    def _writes(self, instruction: Alu | Load) -> None:
        add, mul = instruction.add, instruction.mul
        if add.waddr in registers.TMU and mul.waddr in registers.TMU:
            self._refuse("driver-two-tmu-writes")
        written = _written_register(instruction, 0), _written_register(instruction, 1)
        self._write(instruction, 0, add, written[0])
        self._write(instruction, 1, mul, written[1])
        # Keep the registers that hold clamped addresses.
        known = self._known
        is_clamp = isinstance(instruction, Alu) and _is_clamp(instruction, known.not_negative)
        if known.not_negative:
            known.not_negative.difference_update(written)
        if known.clamped:
            known.clamped.difference_update(written)
        by_add = written[0]
        if by_add is None or instruction.add.cond != _ALWAYS or not isinstance(instruction, Alu):
            return
        if is_clamp:
            known.clamped.add(by_add)
        elif instruction.add.op == _MAX and _has_zero(instruction):
            known.not_negative.add(by_add)

    def _write(self, instruction: Alu | Load, index: int, half: Half, register: _Register | None) -> None:
        """One destination, as the driver looks at it: whether or not its condition lets it write."""
        number = half.waddr
        if register is not None:
            is_known = isinstance(instruction, Load) and not instruction.pack and half.cond == _ALWAYS
            self._known.immediates.pop(register, None)
            if is_known and isinstance(instruction, Load):
                self._known.immediates[register] = instruction.immediate
            self._uses_high_registers |= _is_high(number)
        elif number in _REFUSED_WRITES:
            self._refuse("driver-register")
        elif number == registers.UNIFORM_ADDRESS:
            if index ^ instruction.ws:
                self._refuse("driver-register")
            if not isinstance(instruction, Alu) or not self._is_reset(instruction, index):
                self._refuse("driver-uniform-reset")
            self._needs_reset = self._needs_reset_for_loop = False
        elif number in registers.TMU:
            self._texture(instruction, index, number)

    # --- Uniform address ----------------------------------------------------------------------------------------------

    def _is_reset(self, alu: Alu, index: int) -> bool:
        """Whether it adds the offset after this uniform to the stream's address."""
        if index or alu.signal != Signal.NONE or alu.add.op != ADD["add"].code or alu.mul.op or alu.mul.writes:
            return False
        if alu.add.cond != _ALWAYS or alu.pack:
            return False
        register = _first_operand(alu)
        offset = None if register is None else self._known.immediates.get(register)
        return offset == self._size + _UNIFORM_BYTES and _second_is_uniform(alu)

    # --- TMU ----------------------------------------------------------------------------------------------------------

    def _texture(self, instruction: Alu | Load, index: int, number: int) -> None:
        unit = (number - registers.TMU.start) // 4
        is_submit = number in registers.TMU_S
        is_direct = is_submit and not self._parameters[unit]
        if is_direct:
            is_sum = isinstance(instruction, Alu) and not index and instruction.add.op == ADD["add"].code
            if not isinstance(instruction, Alu) or not is_sum or instruction.has_small_immediate:
                self._refuse("driver-direct-load")
            if _first_operand(instruction) not in self._known.clamped or not _second_is_uniform(instruction):
                self._refuse("driver-direct-load")
        elif isinstance(instruction, Alu) and _reads_uniform(instruction):
            self._refuse("driver-tmu-uniform")
        if len(self._parameters[unit]) >= _PARAMETER_LIMIT:
            self._refuse("driver-tmu-parameters")
        self._parameters[unit].append((self._size // _UNIFORM_BYTES, self._pc))
        if not is_direct:
            if self._needs_reset:
                self._refuse("driver-uniform-read")
            self._size += _UNIFORM_BYTES
        if is_submit:
            # The end of a request.
            if self._has_loaded_directly[unit] and not is_direct:
                self._refuse("driver-direct-unit")
            self._has_loaded_directly[unit] |= is_direct
            words, places = zip(*self._parameters[unit], strict=True)
            self.requests.append(Request(is_direct, words, unit, places))
            self._parameters[unit].clear()


def _is_high(number: int) -> bool:
    """Whether it is a register that a second thread would have."""
    return registers.THREADED_FILE_SIZE <= number < registers.FILE_SIZE


def _reads_uniform(alu: Alu) -> bool:
    in_b = alu.raddr_b == registers.UNIFORM_READ and not alu.has_small_immediate
    return alu.raddr_a == registers.UNIFORM_READ or in_b


def _written_register(instruction: Alu | Load, index: int) -> _Register | None:
    """The register or accumulator that a half writes."""
    half = instruction.mul if index else instruction.add
    if half.waddr < registers.FILE_SIZE:
        return half.waddr + (_IN_B if index ^ instruction.ws else 0)
    return half.waddr - registers.R0 + _ACCUMULATORS if half.waddr in registers.ACCUMULATORS else None


def _first_operand(alu: Alu) -> _Register | None:
    """The register or accumulator that is ADD's first operand."""
    operand = alu.add.a
    if operand == FILE_A:
        return alu.raddr_a if alu.raddr_a < registers.FILE_SIZE else None
    if operand == FILE_B and not alu.has_small_immediate:
        return alu.raddr_b + _IN_B if alu.raddr_b < registers.FILE_SIZE else None
    return operand + _ACCUMULATORS if operand <= 3 else None


def _second_is_uniform(alu: Alu) -> bool:
    in_a = alu.add.b == FILE_A and alu.raddr_a == registers.UNIFORM_READ
    in_b = alu.add.b == FILE_B and alu.raddr_b == registers.UNIFORM_READ and not alu.has_small_immediate
    return in_a or in_b


def _is_clamp(alu: Alu, not_negative: set[_Register]) -> bool:
    """Whether it is the minimum of something that is not negative and a uniform."""
    return alu.add.op == _MIN and _first_operand(alu) in not_negative and _second_is_uniform(alu)


def _has_zero(alu: Alu) -> bool:
    """Whether one of ADD's operands is the small immediate 0."""
    return alu.has_small_immediate and alu.raddr_b == 0 and FILE_B in (alu.add.a, alu.add.b)
