"""Runs one ALU instruction or load on a machine: operands, results, flags, destinations, signals."""

from __future__ import annotations

import numpy as np

from backends.vc4.isa import registers
from backends.vc4.isa.encoding import Alu, Half, Load
from backends.vc4.isa.instructions import LANES, ROTATE_BY_R5, Condition, LoadMode, Operation
from backends.vc4.isa.packing import MUL_PACKS, PACKS, SATURATED_WORD, UNDOCUMENTED_MUL_PACKS
from backends.vc4.machine.arithmetic import QPU, Words, constant, integers, special_function
from backends.vc4.machine.packing import packed, packed_product, saturated_sum, unpacked
from backends.vc4.machine.peripherals import Peripherals
from backends.vc4.machine.state import (
    NOTHING,
    PORT_REGISTERS,
    R4_REGISTER,
    R5_REGISTER,
    UNPACKED_REGISTER,
    Machine,
    SimulationFault,
    chosen,
    written_register,
)
from backends.vc4.machine.steps import Step, Work
from compiler.arithmetic.lanes import Array

R4, R5 = 4, 5
LANE_NUMBERS = np.arange(LANES)
QUAD_STARTS = LANE_NUMBERS & ~3
PRODUCT_PACKS = {**MUL_PACKS, **UNDOCUMENTED_MUL_PACKS}


def run_alu(machine: Machine, step: Step, peripherals: Peripherals) -> None:
    """One ALU instruction: all reads come before all writes."""
    alu, state = step.alu, machine.registers
    _read(machine, step, peripherals)
    if step.works is None:
        raise SimulationFault(f"ADD has no operation {alu.add.op}")
    pairs = [(state[work.a], state[work.b]) for work in step.works]
    if step.rotates:
        pairs[-1] = _rotated(machine, alu, *pairs[-1])
    lanes = [None if work.condition is None else lanes_where(machine, work.condition) for work in step.works]
    for work, pair, where in zip(step.works, pairs, lanes, strict=True):
        result = _result(work.row, *pair)
        if work.sets_flags:
            _set_flags(machine, result, work.row.carry(QPU, *pair, result), where)
        if work.register is not None:
            state[work.register] = chosen(where, result, state[work.register])
        else:
            _write(
                machine, alu, work.unit, _saturated(alu, work, pair, result), work.row.gives_float, where, peripherals
            )
    if step.loads_r4:
        state[R4_REGISTER] = peripherals.load_r4(machine, alu.signal)
    if step.reads_varying:
        state[R5_REGISTER] = peripherals.varying_constant(machine)


def _read(machine: Machine, step: Step, peripherals: Peripherals) -> None:
    """Read peripherals, the small immediate and what is unpacked into registers of the simulator's own."""
    state = machine.registers
    for port in step.ports:
        state[port.register] = peripherals.read(machine, port.file, port.number)
    if step.immediate is not None:
        state[PORT_REGISTERS[1]] = step.immediate
    if step.unpacking is not None:
        mode, register, to_float = step.unpacking
        state[UNPACKED_REGISTER] = Words(unpacked(mode, state[register].bits, to_float))


def _result(row: Operation, x: Words, y: Words) -> Words:
    """The result of an operation; of a move, its operand."""
    if row.moves and x is y:
        return x
    result: Words = row.compute(QPU, x, y)
    return result


def lanes_where(machine: Machine, condition: int) -> Array | None:
    """The lanes that a condition is true in; None: all."""
    if condition == Condition.ALWAYS:
        return None
    if condition == Condition.NEVER:
        return np.zeros(machine.shape, np.bool_)
    flag = machine.flags[condition // 2 - 1]
    return ~flag if condition % 2 else flag


def run_load(machine: Machine, load: Load, peripherals: Peripherals) -> None:
    """A load of an immediate.  Semaphores are taken to be free."""
    if load.mode == LoadMode.SEMAPHORE:
        if load.add.writes or load.mul.writes:
            raise SimulationFault("what a semaphore operation writes is not documented")
        return
    value = Words(loaded(load))
    lanes = [lanes_where(machine, half.cond) for half in (load.add, load.mul)]
    if load.sf:
        _set_flags(machine, value, QPU.never(value), lanes[0])
    for index in (0, 1):
        _write(machine, load, index, value, False, lanes[index], peripherals)


def loaded(load: Load) -> Array:
    """The word of a load, or the words by lane."""
    if load.mode == LoadMode.VALUE:
        return np.array([load.immediate], np.uint32)
    if load.mode not in (LoadMode.SIGNED, LoadMode.UNSIGNED):
        raise SimulationFault(f"loads have no mode {load.mode}")
    low, high = load.immediate >> LANE_NUMBERS & 1, load.immediate >> 16 + LANE_NUMBERS & 1
    weight = -2 if load.mode == LoadMode.SIGNED else 2
    return (low + weight * high).astype(np.int32).view(np.uint32)


def write_link(machine: Machine, index: int, ws: int, waddr: int, value: int, peripherals: Peripherals) -> None:
    """A link register of a branch."""
    halves = [Half(), Half()]
    halves[index] = Half(waddr=waddr)
    carrier = Alu(halves[0], halves[1], ws=ws)
    _write(machine, carrier, index, constant(value), False, None, peripherals)


def _rotated(machine: Machine, alu: Alu, first: Words, second: Words) -> tuple[Words, Words]:
    """Lane i moves to lane i + n; operands other than r0 to r3 rotate inside of their quads."""
    code = alu.raddr_b
    if code == ROTATE_BY_R5:
        distance = (machine.spread(machine.registers[R5_REGISTER]) & np.uint32(15)).astype(np.int64)
    else:
        distance = np.full(machine.shape, code - ROTATE_BY_R5)
    source = LANE_NUMBERS - distance
    inside_quads = QUAD_STARTS + source % 4

    def moved(operand: int, value: Words) -> Words:
        sources = source % LANES if operand < R4 else inside_quads
        return Words(np.take_along_axis(machine.spread(value), sources, axis=-1))

    return moved(alu.mul.a, first), moved(alu.mul.b, second)


# --- Results ----------------------------------------------------------------------------------------------------------


def _set_flags(machine: Machine, result: Words, carry: Array, lanes: Array | None) -> None:
    signs = integers(result.bits)
    where = np.True_ if lanes is None else lanes
    for number, flag in enumerate((signs == 0, signs < 0, carry)):
        machine.flags[number] = np.where(where, flag, machine.flags[number])


def _saturated(alu: Alu, work: Work, pair: tuple[Words, Words], result: Words) -> Words:
    """The sum with saturation, where the pack mode says so."""
    writes_a = not work.unit and not alu.ws and alu.add.waddr < registers.FILE_SIZE
    if alu.pm or alu.pack != SATURATED_WORD or not writes_a or work.row.name not in ("add", "sub"):
        return result
    x, y = pair
    return Words(saturated_sum(x.bits, y.bits, subtracts=work.row.name == "sub"))


def _write(
    machine: Machine,
    instruction: Alu | Load,
    index: int,
    result: Words,
    is_float: bool,
    lanes: Array | None,
    peripherals: Peripherals,
) -> None:
    """The destination of one half."""
    half = instruction.mul if index else instruction.add
    if not half.writes:
        return
    number, file = half.waddr, index ^ instruction.ws
    register = written_register(file, number)
    if instruction.pack:
        old = NOTHING if register is None else machine.registers[register]
        result = _packed(instruction, index, result, old, is_float)
    if number == registers.R5:
        source = np.zeros(LANES, np.int64) if file else QUAD_STARTS
        register, result = R5_REGISTER, Words(machine.spread(result)[:, source])
    elif number in registers.SFU:
        register, result = R4_REGISTER, special_function(number - registers.SFU.start, result)
    if register is not None:
        machine.registers[register] = chosen(lanes, result, machine.registers[register])
    else:
        peripherals.write(machine, file, number, result, lanes)


def _packed(instruction: Alu | Load, index: int, result: Words, old: Words, is_float: bool) -> Words:
    """The result as it arrives, in the old value of its destination."""
    code, number = instruction.pack, (instruction.mul if index else instruction.add).waddr
    if instruction.pm and index:
        mode = PRODUCT_PACKS.get(code)
        if mode is None:
            raise SimulationFault(f"MUL's results have no pack mode {code}")
        return Words(packed_product(mode, result.bits, old.bits))
    if not instruction.pm and index == instruction.ws and number < registers.FILE_SIZE:
        return Words(packed(PACKS[code], result.bits, old.bits, is_float))
    return result
