"""Values in rows: where a component is found, and the emitter of selection that works in whole rows.

Every value of at most three components is one row: a scalar fills all lanes, so that it meets vectors lane by lane
without a shuffle.  `RowEmitter.use` finds a row that holds a value where it is computed, read or known; where none
does, it returns a register, for which the shuffle is emitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from glslc_multi.backends.theia.codegen.machine_ops import ANYTHING, END, FILE, FRESH, JUMP, OPS, ROW, ZERO
from glslc_multi.backends.theia.codegen.rows import shuffle
from glslc_multi.backends.theia.codegen.rows.layout import element_rows, position_in_element
from glslc_multi.backends.theia.codegen.settings import Settings
from glslc_multi.backends.theia.codegen.value_ranges import Ranges
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.codegen.machine import (
    Def,
    Lanes,
    Literal32,
    MachineBlock,
    MachineInstruction,
    MachineOp,
    Uniform,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register, RegisterClass
from glslc_multi.compiler.codegen.selection.emitter import Emitter, SelectionTarget
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass, replace

Row = VirtualRegister | Register | Uniform


@dataclass(frozen=True, slots=True)
class Found:
    """A component in a lane of a row, or of the row of an instruction's result; in all lanes where it is None."""

    row: Row | Instruction
    lane: int | None


@dataclass(frozen=True, slots=True)
class Known:
    """A number; None where any does."""

    number: float | None


class RowTarget(SelectionTarget):
    """What selection must know of one shader."""

    operations: ClassVar = {**OPS, "JUMP": JUMP, "END": END}
    move = OPS["COPY"]

    def __init__(
        self,
        rules: RuleSet[Any],
        temporaries: RegisterClass,
        inputs: dict[Variable, int],
        ranges: Ranges,
        settings: Settings,
    ) -> None:
        self.rules = rules
        self.values = temporaries
        #: First register of each input, and of what the block of constants has computed.
        self.inputs = inputs
        self.ranges = ranges
        self.settings = settings


class RowEmitter(Emitter[RowTarget]):
    """An emitter whose registers are rows."""

    __slots__ = ()

    # values --------------------------------------------------------------------------------
    def register(self, value: Instruction) -> VirtualRegister:
        if value not in self._registers:
            register = self._registers[value] = self.new_row()
            register.span = value.span
        return self._registers[value]

    def new_row(self) -> VirtualRegister:
        return self.temporary(1, self.target.values)

    def new(self, width: int = 1) -> Def:
        return Def(self.new_row(), ROW)

    def define(self, value: Instruction) -> Def:
        return Def(self.register(value), ROW)

    def use(self, value: Value, lanes: Lanes | None = None, *, width: int | None = None) -> Use:
        """A row with the components of `value` in its first lanes; of a scalar in all of them."""
        direct = self._direct([self.component(value, number) for number in range(value.type.width)])
        if direct is not None:
            return direct
        assert isinstance(value, Instruction)
        return Use(self.register(value), ROW)

    def number(self, number: float, width: int = 1) -> Use:
        return splat(number) if number else Use(ZERO, ROW)

    def component(self, value: Value, number: int) -> Found | Known:
        """Where a component is: seen through shuffles, and through numbers made of bools, which are the same."""
        origin, number = source(value, number)
        while isinstance(origin, Instruction) and origin.op is ops.BTOF:
            origin, number = source(origin.operands[0], number)
        if isinstance(origin, Constant):
            part = origin.components[number]
            return Known(None if part is None else float(part))
        assert isinstance(origin, Instruction)
        if origin.op is ops.LOAD:
            address = origin.address
            position = position_in_element(address.variable, address.column, number)
            first_register = self.target.inputs.get(address.variable)
            if first_register is None:
                return Found(Uniform(address.variable, address.offset, position.row), position.lane)
            first = first_register + address.offset * len(element_rows(address.variable))
            return Found(FILE[first + position.row], position.lane)
        if origin.op is ops.TEXTURE and number == 3:
            return Known(1.0)
        return Found(origin, None if origin.type.is_scalar else number)

    def row_at(self, found: Found) -> Use:
        """The row of a component; a result that is not looked at here need not be computed."""
        row = found.row
        return Use(self.register(row) if isinstance(row, Instruction) else row, ROW)

    def _direct(self, parts: Sequence[Found | Known]) -> Use | None:
        """The row that holds these components in its first lanes (one of them in all), if there is one."""
        if all(isinstance(part, Known) for part in parts):
            return literal([part.number for part in parts if isinstance(part, Known)])
        first = parts[0]
        wanted = [0, 1, 2] if len(parts) == 1 else range(len(parts))
        if not isinstance(first, Found) or (len(parts) == 1 and first.lane is not None):
            return None
        for lane, part in zip(wanted, parts, strict=False):
            if not isinstance(part, Found) or part.row != first.row or part.lane not in (lane, None):
                return None
        return self.row_at(first)

    # instructions --------------------------------------------------------------------------
    def emit(
        self,
        op: MachineOp,
        defs: Sequence[Def] = (),
        uses: Sequence[Use] = (),
        *,
        targets: Sequence[MachineBlock] = (),
        conditional: bool = False,
        **attributes: Any,
    ) -> MachineInstruction:
        """Rules name a row several times; every instruction has operands of its own."""
        own_defs, own_uses = [replace(target) for target in defs], [replace(use) for use in uses]
        return super().emit(op, own_defs, own_uses, targets=targets, conditional=conditional, **attributes)

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return super().copy(replace(target), replace(source))

    def move(self, value: Value, target: VirtualRegister | Register) -> None:
        """Copy a value; for one that is undefined no word is needed."""
        if isinstance(value, Constant) and value.is_undef:
            self.emit(ANYTHING, [Def(target, ROW)])
        else:
            self.copy(Def(target, ROW), self.use(value))

    def update(self, name: str, row: Use, immediate: Any, into: Def | None = None) -> Use:
        """`SETX`, `SETY`, `SETZ` or a swizzle of a copy."""
        target = into or self.new()
        self.copy(target, row)
        self.emit(OPS[name], [target], [Use(target.register, ROW)], immediate=immediate)
        return Use(target.register, ROW)

    def without_z(self, row: Use) -> Use:
        """The row with 0 in lane z."""
        return self.update("SETZ", row, 0.0)

    def gather(self, value: Value, target: VirtualRegister | Register) -> None:
        """Bring the components of a shuffle together."""
        parts = [self.component(value, number) for number in range(value.type.width)]
        self._shuffle(parts, Def(target, ROW))

    def row_of(self, parts: Sequence[Found | Known]) -> Use:
        """A row with these components in its first lanes."""
        direct = self._direct(parts)
        if direct is not None:
            return direct
        return self._shuffle(parts, self.new())

    def _shuffle(self, parts: Sequence[Found | Known], target: Def) -> Use:
        """Emit the shuffle that makes a row of components; a single one fills it."""
        if len(parts) == 1:
            parts = list(parts) * 3
        sources = {part.row: part for part in parts if isinstance(part, Found)}
        lanes = tuple(self._lanes_of(row, number, parts) for number, row in enumerate(sources))
        labels = [_label(part, list(sources)) for part in parts]
        rows = [self.row_at(part) for part in sources.values()]
        wanted = (*labels, None, None)[:3]
        found = shuffle.recipe(lanes, (wanted[0], wanted[1], wanted[2]))
        helpers = [self.update("SWIZZLE3D", rows[helper.row], helper.swizzle) for helper in found.helpers]
        for number, step in enumerate(found.steps):
            self._emit_step(step, target, rows, helpers, is_first=number == 0)
        return Use(target.register, ROW)

    def _lanes_of(self, row: Row | Instruction, number: int, parts: Sequence[Found | Known]) -> shuffle.Lanes:
        fills = any(isinstance(part, Found) and part.row == row and part.lane is None for part in parts)
        return shuffle.splat_lanes(number) if fills else shuffle.vector_lanes(number, 3)

    def _emit_step(
        self, step: shuffle.Step, target: Def, rows: Sequence[Use], helpers: Sequence[Use], *, is_first: bool
    ) -> None:
        accumulator = Use(target.register, ROW)

        def operand(source: shuffle.Source) -> Use:
            if source is None:
                return Use(target.register, ROW)
            kind, number = source
            if kind == "zero":
                return Use(ZERO, ROW)
            return rows[number] if kind == "row" else helpers[number]

        if step.name == "COPY":
            self.copy(target, operand(step.sources[0]))
        elif step.name == "XCHANGEX":
            self.emit(OPS["XCHANGEX"], [target], [operand(source) for source in step.sources])
        else:
            op: MachineOp = FRESH[step.name] if is_first else OPS[step.name]
            self.emit(op, [target], [] if is_first else [accumulator], immediate=step.value)


def _label(part: Found | Known, rows: Sequence[Row | Instruction]) -> shuffle.Label:
    if isinstance(part, Known):
        return None if part.number is None else (shuffle.NUMBER, part.number)
    return (rows.index(part.row), part.lane or 0)


def literal(numbers: Sequence[float | None]) -> Use:
    """A row of numbers; a single one is in all lanes."""
    x, y, z = (*numbers, None, None)[:3] if len(numbers) > 1 else (numbers[0],) * 3
    return Use(Literal32((x, y, z)), ROW)


def splat(number: float) -> Use:
    return literal([number])
