"""The state that instructions read and write: registers, constants and flags of a wave's lanes.

Constants are words that all lanes share, laid out as the numbers here say; float constants come with denormal
numbers as zeros, since only operands are made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.backends.xenos_family.isa.instructions import COMPONENTS
from glslc_multi.backends.xenos_family.isa.operands import Source
from glslc_multi.backends.xenos_family.isa.registers import (
    ADDRESS_RANGE,
    BOOL_BITS,
    BOOL_WORDS,
    COMPONENT_COUNT,
    CONSTANTS,
    LOOP_CONSTANTS,
    REGISTERS,
)
from glslc_multi.backends.xenos_family.machine.arithmetic import FamilyArithmetic
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Lanes
from glslc_multi.compiler.target import MachineFault

#: Words of the constants: after the float constants those of bools and loops, then whether textures are cube maps.
FIRST_BOOL = COMPONENT_COUNT * CONSTANTS
FIRST_LOOP = FIRST_BOOL + BOOL_WORDS
FIRST_CUBE = FIRST_LOOP + LOOP_CONSTANTS
WORDS = FIRST_CUBE + 32

#: Key of the output that says which lanes were killed, and the first part of the keys of buffers.
KILLED, BUFFER = "killed", "buffer"
_PREDICATE, _PREVIOUS, _ADDRESS, _COUNTER = "predicate", "previous", "a0", "aL"


#: Variables of the components of registers; what a register begins with is the input of this name.
REGISTER_NAMES = tuple(tuple(f"R{number}.{letter}" for letter in COMPONENTS) for number in range(REGISTERS))
_UNKNOWN = (None, None, False)


class SimulationFault(MachineFault):
    """The program does what the machine leaves undefined, or what the simulator has no data for."""


class Machine:
    """Registers, constants and flags; at the start all are false or +0 but for registers that the chip fills."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.a = FamilyArithmetic(lanes.operations)
        #: Components of registers and constants: the row that was read (rows never change), the operand that it is, and
        #: whether that is zero in no lane.
        self._operands: dict[str | int, tuple[Number, Number, bool]] = {}

    # --- Flags --------------------------------------------------------------------------------------------------------

    def activate(self, fields: Mapping[str, int]) -> None:
        """What is written next is written in the lanes that run an instruction with these fields."""
        self.lanes.mask = self.wanting(fields["pred_condition"]) if fields["predicated"] else None

    def wanting(self, condition: int) -> Number:
        """Lanes whose predicate is as wanted."""
        predicate = self.lanes.read(_PREDICATE, "i1")
        return predicate if condition else self.a.bnot(predicate)

    def set_predicate(self, holds: Number) -> None:
        self.lanes.write(_PREDICATE, holds)

    def killed(self) -> Number:
        return self.lanes.read(KILLED, "i1")

    def kill(self, where: Number) -> None:
        self.lanes.write(KILLED, self.a.bor(self.killed(), where))

    def is_bool(self, fields: Mapping[str, int]) -> Number:
        """Whether a bool constant is as wanted."""
        a, (dword, bit) = self.a, divmod(fields["bool_addr"], BOOL_BITS)
        word = self.lanes.constant(FIRST_BOOL + dword, "i32")
        return a.ieq(a.bits_and(a.shr(word, a.iconst(bit)), a.iconst(1)), a.iconst(fields["condition"]))

    # --- The previous scalar result, a0 of each lane, and aL, which all lanes share -----------------------------------

    @property
    def previous(self) -> Number:
        return self.lanes.read(_PREVIOUS)

    @previous.setter
    def previous(self, result: Number) -> None:
        self.lanes.write(_PREVIOUS, result)

    def set_address(self, x: Number) -> None:
        """a0 of a whole number; 0 of NaN."""
        self.lanes.write(_ADDRESS, self.lanes.limited(self.a.ftoi(x), *ADDRESS_RANGE))

    @property
    def counter(self) -> Number:
        """aL."""
        return self.lanes.read(_COUNTER, "i32")

    @counter.setter
    def counter(self, value: Number) -> None:
        self.lanes.write(_COUNTER, value)

    # --- Registers ----------------------------------------------------------------------------------------------------

    def register(self, number: int, relative: str | int, component: int) -> Number:
        """A component of a register, which may be relative to aL; +0 outside of the registers."""
        if not relative:
            name = REGISTER_NAMES[number][component]
            return self.lanes.read(name, given=name)
        found = self.a.fconst(0.0)
        for register, is_meant in self._relative(number):
            found = self.a.select(is_meant, self.register(register, 0, component), found)
        return found

    def write_register(self, number: int, relative: int, component: int, value: Number) -> None:
        """Nothing is written outside of the registers."""
        if relative:
            for register, is_meant in self._relative(number):
                chosen = self.a.select(is_meant, value, self.register(register, 0, component))
                self.write_register(register, 0, component, chosen)
            return
        name = REGISTER_NAMES[number][component]
        self.lanes.write(name, value, given=name)

    def _relative(self, number: int) -> Iterator[tuple[int, Number]]:
        """The registers that aL + `number` may be, and whether it is this one."""
        meant = self.a.iadd(self.counter, self.a.iconst(number))
        known = self.lanes.known(meant)
        for register in range(REGISTERS):
            if known in (None, register):
                yield register, self.a.ieq(meant, self.a.iconst(register))

    # --- Operands -----------------------------------------------------------------------------------------------------

    def operands(self, source: Source) -> tuple[list[Number], bool]:
        """Return the components of a source with denormal numbers as zeros, and whether it is known that none is zero.

        There are none but zeros outside of the registers and constants.
        """
        is_register, number, relative_to, components, is_absolute, is_negated = source
        values, are_nonzero = [], not relative_to
        for component in components:
            key: str | int
            if relative_to:
                read = self._relative_register if is_register else self._relative_constant
                values.append(read(number, relative_to, component))
                continue
            if is_register:
                key = name = REGISTER_NAMES[number][component]
                row = self.lanes.read(name, given=name)
            else:
                key = word = COMPONENT_COUNT * number + component
                row = self.lanes.constant(word)
            known, value, is_nonzero = self._operands.get(key, _UNKNOWN)
            if known is not row:
                is_nonzero = self.a.is_known_nonzero(row)
                value = row if is_nonzero or not is_register else self.a.flushed(row)
                self._operands[key] = row, value, is_nonzero
            values.append(value)
            are_nonzero = are_nonzero and is_nonzero
        if is_absolute:
            values = [self.a.fabs(value) for value in values]
        if is_negated:
            values = [self.a.fneg(value) for value in values]
        return values, are_nonzero

    def _relative_register(self, number: int, relative_to: str, component: int) -> Number:
        return self.a.flushed(self.register(number, relative_to, component))

    def _relative_constant(self, number: int, relative_to: str, component: int) -> Number:
        a = self.a
        offset = self.lanes.read(_ADDRESS, "i32") if relative_to == "a0" else self.counter
        index = a.iadd(offset, a.iconst(number))
        is_inside = self.lanes.is_inside(index, CONSTANTS)
        first = a.imul(a.select(is_inside, index, a.iconst(0)), a.iconst(COMPONENT_COUNT))
        word = a.widened(a.iadd(first, a.iconst(component)))
        return a.select(is_inside, self.lanes.constant_at(word), a.fconst(0.0))
