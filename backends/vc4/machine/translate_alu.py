"""Code of one ALU instruction or load: `alu.py` again, emitted."""

from __future__ import annotations

from collections.abc import Collection

from backends.vc4.isa import registers
from backends.vc4.isa.encoding import FILE_A, FILE_B, Alu, Load
from backends.vc4.isa.instructions import LANES, R4_LOADS, ROTATE_BY_R5, Condition, LoadMode, Operation, small_immediate
from backends.vc4.isa.packing import PACKS, SATURATED_WORD, UNPACKS
from backends.vc4.machine.alu import LANE_NUMBERS, PRODUCT_PACKS, QUAD_STARTS, R4, R5, loaded
from backends.vc4.machine.arithmetic import QPU, constant
from backends.vc4.machine.state import LOST
from backends.vc4.machine.steps import SHARED_READS, reads, takes_file_a_as_float
from backends.vc4.machine.translate_arithmetic import (
    HostQpu,
    packed,
    packed_product,
    saturated_sum,
    special_function,
    unpacked,
)
from backends.vc4.machine.translate_peripherals import REGISTER, PeripheralCode, ProgramPoint, constant_of
from compiler.arithmetic.lanes import quiet
from compiler.native.emitter import Value
from compiler.native.translation import Translator, refuse

#: Zero, negative, carry.
_FLAGS = 3


class AluCode:
    """Emits instructions."""

    def __init__(
        self, translator: Translator[ProgramPoint], a: HostQpu, peripherals: PeripheralCode, given: Collection[str]
    ) -> None:
        self._given = given
        self._translator = translator
        self._a = a
        self._peripherals = peripherals

    def run_alu(self, alu: Alu) -> None:
        """One ALU instruction: all reads come before all writes."""
        add, mul = alu.operations
        if add is None or mul is None:
            refuse(f"operation {alu.add.op} of ADD")
        rows = (add, mul)
        ports = self._ports(alu)
        lanes = [self._lanes_where(half.cond) for half in (alu.add, alu.mul)]
        pairs = [self._pair(alu, index, ports) for index in (0, 1)]
        results = [self._result(row, *pair) for row, pair in zip(rows, pairs, strict=True)]
        if alu.sf:
            index = 0 if alu.add.op else 1
            carry = rows[index].carry(self._a, *pairs[index], results[index])
            self._set_flags(results[index], carry, lanes[index])
        results[0] = self._saturated(alu, add, pairs[0], results[0])
        for index, row in enumerate(rows):
            self._write(alu, index, results[index], row.gives_float, lanes[index])
        if alu.signal in R4_LOADS:
            self._translator.write(_accumulator(R4), self._peripherals.load_r4(alu.signal))
        if reads(alu, registers.VARYING_READ):
            self._translator.write(_accumulator(R5), self._peripherals.varying_constant())

    def _result(self, row: Operation, x: Value, y: Value) -> Value:
        """The result of an operation; of constants a constant, as setups must be."""
        known = [constant_of(operand) for operand in (x, y)]
        if not row.code:
            return self._a.iconst(0)
        if None in known:
            result: Value = row.compute(self._a, x, y)
            return result
        with quiet():
            return self._a.iconst(int(row.compute(QPU, *map(constant, known)).bits[0]))

    def run_load(self, load: Load) -> None:
        """A load of an immediate.  Semaphores are taken to be free."""
        if load.mode == LoadMode.SEMAPHORE:
            if load.add.writes or load.mul.writes:
                refuse("a semaphore operation that writes a register")
            return
        value = self._loaded(load)
        lanes = [self._lanes_where(half.cond) for half in (load.add, load.mul)]
        if load.sf:
            self._set_flags(value, self._a.never(value), lanes[0])
        for index in (0, 1):
            self._write(load, index, value, False, lanes[index])

    def _loaded(self, load: Load) -> Value:
        words = [int(word) & 0xFFFFFFFF for word in loaded(load).ravel()]
        if len(words) == 1:
            return self._a.iconst(words[0])
        emitter = self._a.emitter
        return Value(f"<{', '.join(f'i32 {word}' for word in words)}>", emitter.i32)

    def flags(self, number: int) -> Value:
        return self._translator.read(_flag(number), self._a.emitter.mask)

    def lose(self) -> None:
        """What a thread switch does to accumulators and flags."""
        for number in range(R5 + 1):
            self._translator.write(_accumulator(number), self._a.iconst(LOST))
        for number in range(_FLAGS):
            self._translator.write(_flag(number), self._a.never(self._a.iconst(0)))

    def _lanes_where(self, condition: int) -> Value | None:
        """The lanes that a condition is true in (None: all; where it never is, nothing is written anyway)."""
        if condition <= Condition.ALWAYS:
            return None if condition == Condition.ALWAYS else self._a.never(self._a.iconst(0))
        flag = self.flags(condition // 2 - 1)
        return self._not(flag) if condition % 2 else flag

    def _not(self, mask: Value) -> Value:
        return self._a.emitter.binary("xor", mask, self._a.emitter.splat("i1", "true"))

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _ports(self, alu: Alu) -> dict[int, Value]:
        """What both ports read; a peripheral is read once, whether an operand names its port or not."""
        shared: dict[int, Value] = {}
        first = self._port(0, alu.raddr_a, shared)
        if alu.has_small_immediate:
            return {FILE_A: first, FILE_B: self._a.iconst(small_immediate(alu.raddr_b))}
        return {FILE_A: first, FILE_B: self._port(1, alu.raddr_b, shared)}

    def _port(self, file: int, number: int, shared: dict[int, Value]) -> Value:
        if number < registers.FILE_SIZE:
            return self._named(register_name(file, number))
        if number not in SHARED_READS:
            return self._peripherals.read(file, number)
        if number not in shared:
            shared[number] = self._peripherals.read(file, number)
        return shared[number]

    def _named(self, name: str) -> Value:
        """A register or accumulator."""
        given = (REGISTER, name) if name in self._given else None
        return self._translator.read(name, self._a.emitter.i32, given=given)

    def _pair(self, alu: Alu, index: int, ports: dict[int, Value]) -> tuple[Value, Value]:
        """The operands of ADD or MUL."""
        half = alu.mul if index else alu.add
        first, second = self._operand(alu, half.a, ports), self._operand(alu, half.b, ports)
        if index and alu.rotates:
            return self._rotated(alu, half.a, first), self._rotated(alu, half.b, second)
        return first, second

    def _operand(self, alu: Alu, operand: int, ports: dict[int, Value]) -> Value:
        if operand >= FILE_A:
            value = ports[operand]
        else:
            value = self._named(_accumulator(operand))
        if operand != (R4 if alu.pm else FILE_A) or not alu.unpack:
            return value
        return unpacked(self._a, UNPACKS[alu.unpack], value, bool(alu.pm) or takes_file_a_as_float(alu))

    def _rotated(self, alu: Alu, operand: int, value: Value) -> Value:
        """Lane i moves to lane i + n; operands other than r0 to r3 rotate inside of their quads."""
        if alu.raddr_b != ROTATE_BY_R5:
            return self._moved(operand, value, alu.raddr_b - ROTATE_BY_R5)
        a = self._a
        distance, found = a.bits_and(self._named(_accumulator(R5)), a.iconst(LANES - 1)), value
        for count in range(1, LANES):
            found = a.select(a.ieq(distance, a.iconst(count)), self._moved(operand, value, count), found)
        return found

    def _moved(self, operand: int, value: Value, distance: int) -> Value:
        sources = LANE_NUMBERS - distance
        sources = sources % LANES if operand < R4 else QUAD_STARTS + sources % 4
        return self._a.emitter.shuffle(value, sources.tolist())

    # --- Results ------------------------------------------------------------------------------------------------------

    def _set_flags(self, result: Value, carry: Value, lanes: Value | None) -> None:
        a, zero = self._a, self._a.iconst(0)
        for number, flag in enumerate((a.ieq(result, zero), a.ilt(result, zero), carry)):
            self._translator.write(_flag(number), flag, lanes)

    def _saturated(self, alu: Alu, row: Operation, pair: tuple[Value, Value], result: Value) -> Value:
        """The sum with saturation, where the pack mode says so."""
        writes_a = not alu.ws and alu.add.waddr < registers.FILE_SIZE
        if alu.pm or alu.pack != SATURATED_WORD or not writes_a or row.name not in ("add", "sub"):
            return result
        return saturated_sum(self._a, *pair, subtracts=row.name == "sub")

    def _write(self, instruction: Alu | Load, index: int, result: Value, is_float: bool, lanes: Value | None) -> None:
        """The destination of one half."""
        half = instruction.mul if index else instruction.add
        if not half.writes:
            return
        number, file = half.waddr, index ^ instruction.ws
        value = self._packed(instruction, index, file, result, is_float)
        if number < registers.FILE_SIZE or number in registers.ACCUMULATORS:
            self._translator.write(_variable_of(file, number), value, lanes)
        elif number == registers.R5:
            sources = [0] * LANES if file else QUAD_STARTS.tolist()
            self._translator.write(_accumulator(R5), self._a.emitter.shuffle(value, sources), lanes)
        elif number in registers.SFU:
            found = special_function(self._a, number - registers.SFU.start, value)
            self._translator.write(_accumulator(R4), found, lanes)
        else:
            self._peripherals.write(file, number, value, lanes)

    def _packed(self, instruction: Alu | Load, index: int, file: int, result: Value, is_float: bool) -> Value:
        """The result as it arrives, in the old value of its destination."""
        code, number = instruction.pack, (instruction.mul if index else instruction.add).waddr
        is_register = number < registers.FILE_SIZE
        if code and instruction.pm and index:
            mode = PRODUCT_PACKS.get(code)
            if mode is None:
                refuse(f"pack mode {code} of MUL's results")
            return packed_product(self._a, mode, result, self._old(file, number))
        if code and not instruction.pm and file == 0 and is_register:
            return packed(self._a, PACKS[code], result, self._old(file, number), is_float)
        return result

    def _old(self, file: int, number: int) -> Value:
        """What a destination holds; 0 of peripherals."""
        if number < registers.FILE_SIZE or number in registers.ACCUMULATORS:
            return self._named(_variable_of(file, number))
        return self._a.iconst(0)


def register_name(file: int, number: int) -> str:
    """A register of file A or B."""
    return f"r{'ab'[file]}{number}"


def _variable_of(file: int, number: int) -> str:
    """The variable of an address."""
    return register_name(file, number) if number < registers.FILE_SIZE else _accumulator(number - registers.R0)


def _accumulator(number: int) -> str:
    return f"r{number}"


def _flag(number: int) -> str:
    return f"flag{number}"
