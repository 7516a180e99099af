"""ALU instructions and loads: operands, results, flags, destinations."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.instructions import LANES, Condition, LoadMode
from glslc_multi.backends.vc4.isa.packing import Pack
from glslc_multi.backends.vc4.machine.arithmetic import QpuArithmetic
from glslc_multi.backends.vc4.machine.packing import packed, packed_product, saturated_sum, unpacked
from glslc_multi.backends.vc4.machine.peripherals import Peripherals
from glslc_multi.backends.vc4.machine.steps import (
    ACCUMULATORS,
    PORTS,
    QUAD_STARTS,
    R4,
    R5,
    UNPACKED,
    AluStep,
    LoadStep,
    Work,
    Write,
)
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Lanes

#: First part of the keys of registers as inputs and outputs.
REGISTER = "register"
FLAGS = ("zero", "negative", "carry")
_NO_OTHERS: Mapping[str, Number] = {}
#: What accumulators hold once a thread switch has lost their values.
LOST = 0xDEADBEEF


class AluUnit:
    """Runs prepared instructions on lanes; registers are variables, and those that are `given` begin with inputs."""

    def __init__(self, lanes: Lanes, a: QpuArithmetic, peripherals: Peripherals, given: Collection[str]) -> None:
        self._lanes = lanes
        self._a = a
        self._peripherals = peripherals
        self._given = {name: (REGISTER, name) for name in given}
        #: Registers that were used: these are variables of words, whatever goes into them.
        self._used: set[str] = set()

    def start(self) -> None:
        """Give the registers what they begin with."""
        for name, key in self._given.items():
            self._lanes.read(name, "i32", key)
            self._used.add(name)

    def read(self, name: str) -> Number:
        """A register."""
        return self._lanes.read(name, "i32")

    def flag(self, number: int) -> Number:
        return self._lanes.read(FLAGS[number], "i1")

    def lose(self) -> None:
        """What a thread switch does to accumulators and flags."""
        for name in ACCUMULATORS:
            self._set(name, self._a.iconst(LOST), None)
        for name in FLAGS:
            self._lanes.write(name, self._a.bconst(False))

    # --- Instructions -------------------------------------------------------------------------------------------------

    def run_alu(self, step: AluStep) -> None:
        """All reads come before all writes."""
        found = self._operands(step) if step.has_others else _NO_OTHERS
        ready = []
        for work in step.works:
            x = self._operand(work.a, found)
            y = x if work.a == work.b else self._operand(work.b, found)
            if work.rotation is not None:
                distance, *in_quads = work.rotation
                x = self._rotated(x, distance, in_quads[0])
                y = x if work.moves else self._rotated(y, distance, in_quads[1])
            ready.append((work, x, y, None if work.condition is None else self._lanes_where(work.condition)))
        for work, x, y, where in ready:
            self._work(work, x, y, where)
        if step.loads_r4:
            self._set(R4, self._peripherals.load_r4(step.signal), None)
        if step.reads_varying:
            self._set(R5, self._peripherals.varying_constant(), None)

    def run_load(self, step: LoadStep) -> None:
        lanes = [None if write.condition is None else self._lanes_where(write.condition) for write in step.writes]
        # The word of a load, or two bits for each lane.
        a, word = self._a, self._a.iconst(step.load.immediate)
        if step.load.mode == LoadMode.VALUE:
            value = word
        else:
            number = self._lanes.lane_numbers()
            low = a.part(a.shr(word, number), 0, 1)
            high = a.part(a.shr(word, a.iadd(number, a.iconst(LANES))), 0, 1)
            weight = a.iconst(-2 if step.load.mode == LoadMode.SIGNED else 2)
            value = a.iadd(low, a.imul(high, weight))
        if step.load.sf:
            condition = step.load.add.cond
            where = None if condition == Condition.ALWAYS else self._lanes_where(condition)
            self._set_flags(value, self._a.bconst(False), where)
        for write, where in zip(step.writes, lanes, strict=True):
            self.write(write, value, where)

    def _lanes_where(self, condition: int) -> Number:
        """The lanes that a condition is true in."""
        if condition == Condition.NEVER:
            return self._a.bconst(False)
        flag = self.flag(condition // 2 - 1)
        return self._a.bnot(flag) if condition % 2 else flag

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _operands(self, step: AluStep) -> dict[str, Number]:
        """What is no register: peripherals, the small immediate and what is unpacked."""
        operands: dict[str, Number] = {}
        for file, number in step.ports:
            operands[PORTS[file]] = self._peripherals.read(file, number)
        if step.immediate is not None:
            operands[PORTS[1]] = self._a.literal(step.immediate)
        if step.unpacking is not None:
            mode, name, to_float = step.unpacking
            operands[UNPACKED] = unpacked(self._a, mode, self._operand(name, operands), to_float)
        return operands

    def _operand(self, name: str, found: Mapping[str, Number]) -> Number:
        return found[name] if name in found else self._lanes.read(name, "i32")

    def _rotated(self, value: Number, distance: int, in_quads: bool) -> Number:
        """Lane i moves to lane i + n, n being r5 where `distance` is 0; or all lanes of a quad do so in it."""
        a = self._a
        if distance:
            return a.permuted(value, _order(distance, in_quads))
        by_lane, found = a.part(a.words(self.read(R5)), 0, 4), value
        for count in range(1, LANES):
            moved = a.permuted(value, _order(count, in_quads))
            found = a.select(a.ieq(by_lane, a.iconst(count)), moved, found)
        return found

    # --- Results ------------------------------------------------------------------------------------------------------

    def _work(self, work: Work, x: Number, y: Number, where: Number | None) -> None:
        if not work.keeps_floats:
            x, y = self._a.words(x), self._a.words(y)
        result = x if work.moves else work.row.compute(self._a, x, y)
        if work.sets_flags:
            self._set_flags(result, work.row.carry(self._a, x, y, result), where)
        if work.saturates:
            result = saturated_sum(self._a, x, y, subtracts=work.row.name == "sub")
        if work.write is None:
            return
        if work.write.register is not None and work.write.pack is None:
            self._set(work.write.register, result, where)
        else:
            self.write(work.write, result, where, is_float=work.row.gives_float)

    def _set_flags(self, result: Number, carry: Number, where: Number | None) -> None:
        a, word, zero = self._a, self._a.words(result), self._a.iconst(0)
        for name, flag in zip(FLAGS, (a.ieq(word, zero), a.ilt(word, zero), carry), strict=True):
            self._lanes.write(name, flag, where)

    def write(self, write: Write, result: Number, where: Number | None, *, is_float: bool = False) -> None:
        """A destination, in some lanes (None: in all)."""
        value = result if write.pack is None else self._packed(write, write.pack, result, is_float)
        if write.register is not None:
            self._set(write.register, value, where)
        elif write.number == registers.R5:
            self._set(R5, self._a.permuted(value, (0,) * LANES if write.file else QUAD_STARTS), where)
        elif write.number in registers.SFU:
            self._set(R4, self._a.special_function(write.number - registers.SFU.start, value), where)
        else:
            self._peripherals.write(write.file, write.number, self._a.words(value), where)

    def _packed(self, write: Write, pack: Pack, result: Number, is_float: bool) -> Number:
        """The result as it arrives, in the old value of its destination."""
        old = self._a.iconst(0) if write.register is None else self.read(write.register)
        if write.of_product:
            return packed_product(self._a, pack, result, old)
        return packed(self._a, pack, result, old, is_float)

    def _set(self, name: str, value: Number, where: Number | None) -> None:
        if name not in self._used:
            self.read(name)
            self._used.add(name)
        self._lanes.write(name, value, where)


def _order(distance: int, in_quads: bool) -> list[int]:
    """The lane that each lane gets its value from."""
    lanes = [lane - distance for lane in range(LANES)]
    return [QUAD_STARTS[at] + lane % 4 if in_quads else lane % LANES for at, lane in enumerate(lanes)]
