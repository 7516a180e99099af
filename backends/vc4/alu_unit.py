"""Runs one ALU instruction or load on a machine: operands, results, flags, destinations, signals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from backends.vc4 import registers
from backends.vc4.instruction import FILE_A, FILE_B, Alu, Half, Load
from backends.vc4.isa import LANES, R4_LOADS, ROTATE_BY_R5, Condition, LoadMode, Operation, small_immediate
from backends.vc4.machine import Machine, SimulationFault
from backends.vc4.numbers import QPU, special_function
from backends.vc4.pack_unit import packed, packed_product, saturated_sum, unpacked
from backends.vc4.packing import MUL_PACKS, PACKS, SATURATED_WORD, UNDOCUMENTED_MUL_PACKS, UNPACKS
from backends.vc4.peripherals import Peripherals
from compiler.ir.lanes import Array

R4, R5 = 4, 5
LANE_NUMBERS = np.arange(LANES)
QUAD_STARTS = LANE_NUMBERS & ~3
PRODUCT_PACKS = {**MUL_PACKS, **UNDOCUMENTED_MUL_PACKS}
#: Peripherals that both ports read together.
SHARED_READS = (registers.UNIFORM_READ, registers.VARYING_READ, registers.VPM_READ)


def lanes_where(machine: Machine, condition: int) -> Array:
    """The lanes that a condition is true in."""
    if condition <= Condition.ALWAYS:
        return np.full(machine.shape, condition == Condition.ALWAYS)
    flag: Array = machine.flags[condition // 2 - 1]
    return ~flag if condition % 2 else flag.copy()


def run_alu(machine: Machine, alu: Alu, outside: Peripherals) -> None:
    """One ALU instruction: all reads come before all writes."""
    operands = _Operands(machine, alu, outside)
    rows = _rows(alu)
    halves = (alu.add, alu.mul)
    lanes = [lanes_where(machine, half.cond) for half in halves]
    pairs = [operands.pair(index) for index in (0, 1)]
    results = [
        np.broadcast_to(row.compute(QPU, *pair), machine.shape) if row.code else np.zeros(machine.shape, np.uint32)
        for row, pair in zip(rows, pairs, strict=True)
    ]
    if alu.sf:
        index = 0 if alu.add.op else 1
        row = rows[index]
        _set_flags(machine, results[index], row.carry(QPU, *pairs[index], results[index]), lanes[index])
    for index, row in enumerate(rows):
        result = _saturated(alu, row, pairs[index], results[index]) if index == 0 else results[index]
        _write(machine, alu, index, result, row.gives_float, lanes[index], outside)
    _run_signal(machine, alu, outside)
    if registers.VARYING_READ in operands.read_numbers:
        machine.accumulators[R5] = outside.varying_constant(machine)


def _rows(alu: Alu) -> tuple[Operation, Operation]:
    add, mul = alu.operations
    if add is None or mul is None:
        raise SimulationFault(f"ADD has no operation {alu.add.op}")
    return add, mul


def run_load(machine: Machine, load: Load, outside: Peripherals) -> None:
    """A load of an immediate.  Semaphores are taken to be free."""
    if load.mode == LoadMode.SEMAPHORE:
        if load.add.writes or load.mul.writes:
            raise SimulationFault("what a semaphore operation writes is not documented")
        return
    value = np.broadcast_to(loaded(load), machine.shape)
    lanes = [lanes_where(machine, half.cond) for half in (load.add, load.mul)]
    if load.sf:
        _set_flags(machine, value, np.zeros(machine.shape, np.bool_), lanes[0])
    for index in (0, 1):
        _write(machine, load, index, value, False, lanes[index], outside)


def loaded(load: Load) -> Array:
    """The word of a load, or the words by lane."""
    if load.mode == LoadMode.VALUE:
        return np.asarray(load.immediate, np.uint32)
    if load.mode not in (LoadMode.SIGNED, LoadMode.UNSIGNED):
        raise SimulationFault(f"loads have no mode {load.mode}")
    low, high = load.immediate >> LANE_NUMBERS & 1, load.immediate >> 16 + LANE_NUMBERS & 1
    weight = -2 if load.mode == LoadMode.SIGNED else 2
    return (low + weight * high).astype(np.int32).view(np.uint32)


def write_link(machine: Machine, index: int, ws: int, waddr: int, value: int, outside: Peripherals) -> None:
    """A link register of a branch."""
    halves = [Half(), Half()]
    halves[index] = Half(waddr=waddr)
    carrier = Alu(halves[0], halves[1], ws=ws)
    everywhere = np.ones(machine.shape, np.bool_)
    _write(machine, carrier, index, np.full(machine.shape, value, np.uint32), False, everywhere, outside)


# --- Operands ---------------------------------------------------------------------------------------------------------


class _Operands:
    """What an instruction reads; peripherals are read once, whether an operand names their port or not."""

    def __init__(self, machine: Machine, alu: Alu, outside: Peripherals) -> None:
        self._machine = machine
        self._alu = alu
        self._outside = outside
        #: Numbers of the peripherals that were read.
        self.read_numbers: set[int] = set()
        self._shared: dict[int, Array] = {}
        self._ports = {FILE_A: self._port(0, alu.raddr_a)}
        if alu.has_small_immediate:
            value = small_immediate(alu.raddr_b)
            self._ports[FILE_B] = np.full(machine.shape, value, np.uint32)
        else:
            self._ports[FILE_B] = self._port(1, alu.raddr_b)

    def pair(self, index: int) -> tuple[Array, Array]:
        """The operands of ADD or MUL."""
        half = self._alu.mul if index else self._alu.add
        first, second = self._unpacked(half.a), self._unpacked(half.b)
        if index and self._alu.rotates:
            return self._rotated(half.a, first), self._rotated(half.b, second)
        return first, second

    def _port(self, file: int, number: int) -> Array:
        if number < registers.FILE_SIZE:
            found: Array = self._machine.files[file, number]
            return found
        if number not in SHARED_READS:
            return self._outside.read(self._machine, file, number)
        self.read_numbers.add(number)
        if number not in self._shared:
            self._shared[number] = self._outside.read(self._machine, file, number)
        return self._shared[number]

    def _unpacked(self, operand: int) -> Array:
        value = self._ports[operand] if operand >= FILE_A else self._machine.accumulators[operand]
        if operand != (R4 if self._alu.pm else FILE_A) or not self._alu.unpack:
            return value
        # File A is unpacked to floats if any operation that reads it takes floats; r4 always is.
        return unpacked(UNPACKS[self._alu.unpack], value, bool(self._alu.pm) or takes_file_a_as_float(self._alu))

    def _rotated(self, operand: int, value: Array) -> Array:
        """Lane i moves to lane i + n; operands other than r0 to r3 rotate inside of their quads."""
        code = self._alu.raddr_b
        if code == ROTATE_BY_R5:
            distance = (self._machine.accumulators[R5] & np.uint32(15)).astype(np.int64)
        else:
            distance = np.full(self._machine.shape, code - ROTATE_BY_R5)
        source = LANE_NUMBERS - distance
        source = source % LANES if operand < R4 else QUAD_STARTS + source % 4
        return np.take_along_axis(value, source, axis=-1)


def takes_file_a_as_float(alu: Alu) -> bool:
    """Whether an operation that takes floats reads file A."""
    for half, row in zip((alu.add, alu.mul), alu.operations, strict=True):
        if row is not None and row.takes_float and FILE_A in (half.a, half.b)[: row.operands]:
            return True
    return False


# --- Results ----------------------------------------------------------------------------------------------------------


def _set_flags(machine: Machine, result: Array, carry: Array, lanes: Array) -> None:
    found = np.stack((result == 0, result >> np.uint32(31) == 1, np.broadcast_to(carry, machine.shape)))
    machine.flags = np.where(lanes, found, machine.flags)


def _saturated(alu: Alu, row: Operation, pair: tuple[Array, Array], result: Array) -> Array:
    """The sum with saturation, where the destination asks for it."""
    writes_a = not alu.ws and alu.add.waddr < registers.FILE_SIZE
    if alu.pm or alu.pack != SATURATED_WORD or not writes_a or row.name not in ("add", "sub"):
        return result
    return saturated_sum(*pair, subtracts=row.name == "sub")


def _write(
    machine: Machine,
    instruction: Alu | Load,
    index: int,
    result: Array,
    is_float: bool,
    lanes: Array,
    outside: Peripherals,
) -> None:
    """The destination of one half."""
    half = instruction.mul if index else instruction.add
    if not half.writes:
        return
    number, file = half.waddr, index ^ instruction.ws
    place = _place(machine, file, number)
    old = np.zeros(machine.shape, np.uint32) if place is None else place
    value = _packing(instruction, index, file, number, is_float)(result, old)
    if place is not None:
        place[:] = np.where(lanes, value, old)
    elif number == registers.R5:
        source = np.zeros(LANES, np.int64) if file else QUAD_STARTS
        machine.accumulators[R5] = np.where(lanes, value[:, source], machine.accumulators[R5])
    elif number in registers.SFU:
        found = special_function(number - registers.SFU.start, value)
        machine.accumulators[R4] = np.where(lanes, found, machine.accumulators[R4])
    else:
        outside.write(machine, file, number, value, lanes)


def _place(machine: Machine, file: int, number: int) -> Array | None:
    """The storage behind an address; None for peripherals."""
    if number < registers.FILE_SIZE:
        found: Array = machine.files[file, number]
        return found
    if number in registers.ACCUMULATORS:
        accumulator: Array = machine.accumulators[number - registers.R0]
        return accumulator
    return None


def _packing(
    instruction: Alu | Load, index: int, file: int, number: int, is_float: bool
) -> Callable[[Array, Array], Array]:
    """What happens to a result on its way, as a function of the result and the old value."""
    code = instruction.pack
    if code and instruction.pm and index:
        mode = PRODUCT_PACKS.get(code)
        if mode is None:
            raise SimulationFault(f"MUL's results have no pack mode {code}")
        return lambda result, old: packed_product(mode, result, old)
    if code and not instruction.pm and file == 0 and number < registers.FILE_SIZE:
        return lambda result, old: packed(PACKS[code], result, old, is_float)
    return lambda result, old: result


def _run_signal(machine: Machine, alu: Alu, outside: Peripherals) -> None:
    if alu.signal in R4_LOADS:
        machine.accumulators[R4] = outside.load_r4(machine, alu.signal)
