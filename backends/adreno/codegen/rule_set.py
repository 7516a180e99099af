"""The target of one selection, its rule set, and what the rules share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from backends.adreno.codegen.abi import Interface
from backends.adreno.codegen.machine_ops import CHANGE, MOVE
from backends.adreno.codegen.register_files import FETCHED, GENERAL, R
from compiler.codegen.machine import AnyRegister, Def, Literal32, MachineInstruction, Uniform, Use
from compiler.codegen.operands import Modifiers
from compiler.codegen.registers import RegisterClass
from compiler.codegen.select import Emitter, RuleSet
from compiler.ir.module import Instruction
from compiler.records import dataclass, field

RULES = RuleSet()
_MODIFIERS = Modifiers(negate=True, absolute=True)
Emit = Callable[[Emitter], None]


@dataclass(frozen=True, slots=True)
class Selection:
    """The target of one selection; see `SelectionTarget`."""

    interface: Interface
    #: Branches of loops that the machine counts -> how often they run.
    counted: Mapping[Instruction, int] = field(default_factory=dict)
    rules: RuleSet = RULES
    modifiers: Modifiers = _MODIFIERS

    def place(self, load: Instruction) -> AnyRegister | None:
        """Uniforms and varyings are read where they are."""
        address, variable = load.address, load.address.variable
        if address.is_dynamic:
            return None
        if variable.storage == "uniform":
            return Uniform(variable, address.offset, address.column)
        if variable.storage == "varying":
            return R[self.interface.varyings[variable, address.offset, address.column]]
        return None

    def register_class(self, value: Instruction) -> RegisterClass:
        return GENERAL

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        is_plain = not (source.negate or source.absolute)
        return MachineInstruction(MOVE if is_plain else CHANGE, [target], [source])


def interface_of(e: Emitter) -> Interface:
    return cast(Selection, e.target).interface


def literal(*values: float) -> Use:
    return Use(Literal32(values), tuple(range(len(values))))


def found(width: int) -> Use:
    """The components of what a fetch finds."""
    return Use(FETCHED, tuple(range(width)))


def negated(use: Use) -> Use:
    use.negate = not use.negate
    return use


def discard(_: object) -> None:
    """Makes an expression the body of a rule's emitter, which returns nothing."""
