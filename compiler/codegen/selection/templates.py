"""The right side of a row: instructions of the machine on what the leaves of the pattern stand for.

    ADD(x, -y)          one instruction; a sign belongs to the source
    MAX(0.0, x)         numbers, one for each lane of the result
    NEG(DEC(x))         an instruction on the result of another one; equal parts are made once
    JUMP                no operands

An instruction whose result is one number serves values of several components, one different component after the
other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from glslc_multi.compiler.codegen.machine import Def, Lanes, Use
from glslc_multi.compiler.codegen.selection.emitter import AnyEmitter
from glslc_multi.compiler.codegen.selection.trees import IsNumber, Make, TreeTable, has_number
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.records import dataclass

_TOKEN = re.compile(r"\s*(?:(?P<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<name>-?[A-Za-z]\w*)|(?P<mark>[(),]))")


class TemplateError(Exception):
    """A row of a table of instructions is not written in the language."""


@dataclass(frozen=True, slots=True)
class Source:
    """A value that the pattern names, by its number."""

    number: int
    negate: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """An instruction on sources, numbers and the results of other instructions."""

    name: str
    operands: tuple[Source | float | Template, ...] = ()

    def select(self, e: AnyEmitter, instruction: Instruction, *values: Value) -> None:
        """Emit the code that computes an instruction."""
        width = instruction.type.width
        if width == 0:
            e.emit(e.target.operations[self.name], [], self.uses(e, values))
        elif width > 1 and e.target.operations[self.name].result == "replicate":
            register = e.register(instruction)
            groups: dict[object, tuple[list[Use], list[int]]] = {}
            for component in range(width):
                uses = self.uses(e, values, (component,))
                key = tuple([(use.register, use.lanes, use.negate, use.absolute) for use in uses])
                groups.setdefault(key, (uses, []))[1].append(component)
            for uses, components in groups.values():
                e.compute(self.name, *uses, into=Def(register, tuple(components)))
        else:
            e.compute(self.name, *self.uses(e, values, width=width), into=e.define(instruction))

    def emit(self, e: AnyEmitter, values: Sequence[Value], into: Def, lanes: Lanes | None = None) -> None:
        """Emit the code for all lanes of the values, or for some."""
        e.compute(self.name, *self.uses(e, values, lanes, width=len(into.lanes)), into=into)

    def uses(
        self,
        e: AnyEmitter,
        values: Sequence[Value],
        lanes: Lanes | None = None,
        *,
        width: int = 1,
        made: dict[Template, Use] | None = None,
    ) -> list[Use]:
        """The sources of the instruction, after the code that computes them; what is `made` already is not again."""
        uses = []
        for operand in self.operands:
            if isinstance(operand, Source):
                use = e.use(values[operand.number], lanes)
                if operand.negate:
                    use.negate = not use.negate
            elif isinstance(operand, Template):
                made = {} if made is None else made
                if operand not in made:
                    made[operand] = e.compute(
                        operand.name, *operand.uses(e, values, lanes, width=width, made=made), width=width
                    )
                use = Use(made[operand].register, made[operand].lanes)
            else:
                use = e.number(operand, width)
            uses.append(use)
        return uses


def parse_row(row: str) -> tuple[str, Make[Template]]:
    """Both sides of `pattern -> template`, of which the right one is read when it is needed."""
    pattern, _, template = row.partition("->")
    return pattern.strip(), partial(parse_template, template)


def table_of(*rows: str, is_number: IsNumber = has_number) -> TreeTable[Template]:
    """A table of rows, for rules that do more than to select one."""
    table: TreeTable[Template] = TreeTable(is_number)
    for row in rows:
        table.add(*parse_row(row))
    return table


def parse_template(text: str, names: Sequence[str]) -> Template:
    """The template that `text` shows, on the leaves of these names."""
    tokens = [found.group().strip() for found in _TOKEN.finditer(text)][::-1]
    if "".join(reversed(tokens)) != "".join(text.split()):
        raise TemplateError(f"cannot read {text!r}")
    try:
        template = _instruction(tokens, names)
    except (IndexError, ValueError):
        raise TemplateError(f"cannot read {text!r}") from None
    if tokens or template.name in names:
        raise TemplateError(f"{text!r} is no instruction")
    return template


def _instruction(tokens: list[str], names: Sequence[str]) -> Template:
    """Read one instruction off the end of `tokens`."""
    name = tokens.pop()
    if not name.isidentifier():
        raise ValueError(name)
    operands: list[Source | float | Template] = []
    if tokens and tokens[-1] == "(":
        while tokens.pop() != ")":
            operands.append(_operand(tokens, names))
    return Template(name, tuple(operands))


def _operand(tokens: list[str], names: Sequence[str]) -> Source | float | Template:
    if tokens[-2] == "(":
        return _instruction(tokens, names)
    token = tokens.pop()
    name = token.removeprefix("-")
    if name[0].isalpha():
        return Source(names.index(name), negate=token != name)
    return int(token) if name.isdigit() else float(token)
