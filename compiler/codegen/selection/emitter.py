"""The emitter: where rules put machine instructions, and where they find values.

A machine whose values are not components of registers derives an emitter of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    Lanes,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.operands import (
    NO_MODIFIERS,
    Modifiers,
    Operand,
    by_origin,
    components_of,
    lanes_of,
    see_through,
)
from glslc_multi.compiler.codegen.registers import Register, RegisterClass
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Indexed:
    """A place whose register number has a value added to it (`Use.relative`)."""

    place: AnyRegister
    index: Value


class Rules(Protocol):
    """The rules of a target (`rules.py`)."""

    def select(self, e: Any, instruction: Instruction) -> None:
        """Emit the code of an instruction."""
        ...


class SelectionTarget:
    """What selection must know of a target, which derives this."""

    rules: Rules
    #: Where values may live.
    values: RegisterClass
    #: The instructions that rows of rules name.
    operations: ClassVar[Mapping[str, MachineOp]]
    #: The plain move.
    move: ClassVar[MachineOp]
    modifiers: Modifiers = NO_MODIFIERS

    def place(self, load: Instruction) -> AnyRegister | Indexed | None:
        """What an operand names instead of loading: a uniform, an input register; None when a rule must load."""
        return None

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(self.move, [target], [source])


T = TypeVar("T", bound=SelectionTarget)


class Emitter(Generic[T]):
    """See the module's text."""

    __slots__ = ("_registers", "function", "made", "span", "target")

    def __init__(self, target: T, function: MachineFunction) -> None:
        self.target = target
        self.function = function
        #: The instructions of the rule at work, and the place in the source of what it computes.
        self.made: list[MachineInstruction] = []
        self.span: Span | None = None
        self._registers: dict[Instruction, VirtualRegister] = {}

    # registers -----------------------------------------------------------------------------
    def register(self, value: Instruction) -> VirtualRegister:
        """The register of a value, made when first asked for."""
        if value not in self._registers:
            self._registers[value] = self.temporary(value.type.width, self.target.values)
            self._registers[value].span = value.span
        return self._registers[value]

    def is_wanted(self, value: Value) -> bool:
        """Whether an emitted instruction reads the value."""
        return value in self._registers

    def temporary(self, width: int, register_class: RegisterClass, *, ordered: bool = False) -> VirtualRegister:
        """A register of the emitted code's own."""
        return self.function.new_register(width, register_class, ordered=ordered, span=self.span)

    def new(self, width: int = 1) -> Def:
        """A place for a result of the emitted code's own."""
        return Def(self.temporary(width, self.target.values), tuple(range(width)))

    def define(self, value: Instruction) -> Def:
        """The definition of all components of a value."""
        return Def(self.register(value), tuple(range(value.type.width)))

    # sources -------------------------------------------------------------------------------
    def use(self, value: Value, lanes: Lanes | None = None, *, width: int | None = None) -> Use:
        """A source that reads `lanes` of a value: by default all, repeated for `width` lanes if it is a scalar."""
        if lanes is None:
            lanes = lanes_of(value, value.type.width if width is None else width)
        return self.use_operand(see_through(value, lanes, self.target.modifiers))

    def use_operand(self, operand: Operand) -> Use:
        """The source for an operand."""
        base = operand.base
        if isinstance(base, Constant):
            # A source of which no lane matters is read all the same.
            return literal(*([0] * len(operand.lanes) if operand.is_undefined else operand.numbers()))
        assert isinstance(base, Instruction)
        place = self.target.place(base) if base.op is ops.LOAD else None
        if isinstance(place, Indexed):
            relative = self.use(place.index)
            return Use(place.place, operand.lanes, operand.negate, operand.absolute, relative)
        return Use(self.register(base) if place is None else place, operand.lanes, operand.negate, operand.absolute)

    def number(self, number: float, width: int = 1) -> Use:
        """A source of one number in every lane."""
        return literal(*[number] * width)

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
        """Append an instruction to what is being emitted."""
        instruction = MachineInstruction(
            op, defs, uses, attributes=attributes, targets=targets, conditional=conditional, span=self.span
        )
        self.made.append(instruction)
        return instruction

    def compute(self, name: str, *uses: Use, into: Def | None = None, width: int = 1) -> Use:
        """Emit an instruction by its name; its result, in a register of its own where there is no other place."""
        target = into or self.new(width)
        self.emit(self.target.operations[name], [target], uses)
        return Use(target.register, target.lanes)

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        instruction = self.target.copy(target, source)
        instruction.span = self.span
        self.made.append(instruction)
        return instruction

    def move(self, value: Value, target: VirtualRegister) -> None:
        """Bring a value to a register of its own; one that is undefined has nothing to bring."""
        operand = see_through(value, lanes_of(value, target.width), self.target.modifiers)
        if isinstance(operand.base, Instruction) and operand.base.op in (ops.CONSTRUCT, ops.INSERT):
            self.gather(value, target)
        elif not (isinstance(operand.base, Constant) and operand.base.is_undef):
            self.copy(Def(target, tuple(range(target.width))), self.use_operand(operand))

    def gather(self, value: Value, target: VirtualRegister | Register) -> None:
        """Put a vector together: one copy for all components of one origin, none for what is undefined."""
        self.assemble(components_of(value, self.target.modifiers), target)

    def assemble(self, parts: Sequence[Operand], target: VirtualRegister | Register) -> None:
        """The same with the origin of each component."""
        for components, operand in by_origin(parts):
            self.copy(Def(target, components), self.use_operand(operand))


AnyEmitter = Emitter[Any]


def literal(*numbers: float | int | None) -> Use:
    """A source of these numbers, one a lane; None where any will do."""
    return Use(Literal32(numbers), tuple(range(len(numbers))))


def negated(use: Use) -> Use:
    """Another operand, which shares nothing with `use`: operands are rewritten in place."""
    relative = None if use.relative is None else replace(use.relative)
    return replace(use, negate=not use.negate, relative=relative)
