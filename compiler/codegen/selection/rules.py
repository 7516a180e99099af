"""The rules of a target: what code computes an instruction of the IR.

A rule is a row, `fsub(x, y) -> ADD(x, -y)`, or a function where a row cannot say it.  A function gets the emitter, the
instruction, and the values that the leaves of its pattern stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Generic, TypeVar

from glslc_multi.compiler.codegen.selection.emitter import AnyEmitter, Emitter
from glslc_multi.compiler.codegen.selection.templates import Template, parse_row
from glslc_multi.compiler.codegen.selection.trees import IsNumber, Make, TreeTable, has_number
from glslc_multi.compiler.ir.module import Instruction

E = TypeVar("E", bound=Emitter[Any])
#: Emits the code for an instruction.
Action = Callable[Concatenate[E, Instruction, ...], None]


class NoRule(Exception):
    """An instruction that no rule of the target matches: legalisation should have removed it."""

    def __init__(self, instruction: Instruction) -> None:
        super().__init__(f"no rule selects {instruction.op.name} with type {instruction.type}")
        self.instruction = instruction


class RuleSet(Generic[E]):
    """Rules of one target, for emitters of its kind."""

    def __init__(self, *rows: str, is_number: IsNumber = has_number) -> None:
        self.table: TreeTable[Action[E]] = TreeTable(is_number)
        for row in rows:
            pattern, make = parse_row(row)
            self.table.add(pattern, _action_of(make))

    def rule(
        self, *patterns: str, where: Callable[[Instruction], bool] | None = None
    ) -> Callable[[Action[E]], Action[E]]:
        """Decorator: the function is a rule for these trees, of which `where` may ask what no pattern can."""

        def register(action: Action[E]) -> Action[E]:
            for pattern in patterns:
                self.table.add(pattern, lambda _: action, where)
            return action

        return register

    def select(self, e: E, instruction: Instruction) -> None:
        """Emit the code of an instruction by the rule that fits it."""
        match = self.table.find(instruction)
        if match is None:
            raise NoRule(instruction)
        action, values = match
        action(e, instruction, *values)


def _action_of(make: Make[Template]) -> Make[Action[Any]]:
    return lambda names: make(names).select


def joined(*parts: RuleSet[E]) -> RuleSet[E]:
    """The rules of a target, of all its files."""
    rules: RuleSet[E] = RuleSet(is_number=parts[0].table.is_number)
    for part in parts:
        rules.table.include(part.table)
    return rules


# ------------------------------------------------------------------------------- rules that several targets have
def gather(e: AnyEmitter, instruction: Instruction, *_: object) -> None:
    """A vector of components from several places."""
    e.gather(instruction, e.register(instruction))


def copy(e: AnyEmitter, instruction: Instruction, *_: object) -> None:
    """What an operand can express, where a register is needed."""
    e.copy(e.define(instruction), e.use(instruction))
