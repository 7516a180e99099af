"""Functions of cosines evaluated by the compiler: for tables that need no uniform, and to see how well tables fit.

In: the content of a table.  Out: its values at points of all lines, with uniforms at some numbers.  What does not
depend on the cosine is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from backends.pica200.codegen.fragment.hosting import Host
from backends.pica200.codegen.fragment.lighting.functions import Functions
from backends.pica200.codegen.fragment.lighting.tables import Content, cosines_of
from backends.pica200.codegen.fragment.lighting.unit import TableUse
from compiler.arithmetic.protocol import PYTHON
from compiler.ir import ops
from compiler.ir.module import Block, Constant, Instruction, Module, Value
from compiler.ir.types import FLOAT
from compiler.ir.variables import PREAMBLE, Variable

_COSINE = "$cosine"
_KINDS: Mapping[str, Callable[[Any], Any]] = {"float": PYTHON.fconst, "int": int, "bool": bool}
_Numbers = list[Any]
#: Each uniform at one number, all of its components.
Sample = Mapping[Variable, float]


class Evaluator:
    """The contents of the tables of a shader."""

    def __init__(self, functions: Functions, host: Host) -> None:
        self._functions = functions
        self._host = host
        self._known: dict[tuple[str, str, str], list[float] | None] = {}

    def values(self, use: TableUse, sample: Sample | None) -> list[float] | None:
        """At the points of all lines; None where uniforms count and none are given."""
        key = str(use.domain), str(use.content), str(sample)
        if key not in self._known:
            self._known[key] = self._evaluated(use, sample)
        return self._known[key]

    def _evaluated(self, use: TableUse, sample: Sample | None) -> list[float] | None:
        block, result = self._block(use)
        names = {variable.name: number for variable, number in (sample or {}).items()}
        if sample is None and len(block.function.module.variables) > 1:
            return None
        steps: list[tuple[Instruction, list[Value]]] = []
        values: dict[Value, _Numbers] = {}
        depends: set[Value] = set()
        for instruction in block:
            values.update((o, _constant(o)) for o in instruction.operands if isinstance(o, Constant))
            if instruction.op is ops.LOAD and instruction.address.variable.name == _COSINE:
                depends.add(instruction)
                place: Value = instruction
            elif instruction.op is ops.LOAD:
                values[instruction] = _loaded(instruction, names)
            elif depends.isdisjoint(instruction.operands):
                values[instruction] = _computed(instruction, list(instruction.operands), values)
            else:
                depends.add(instruction)
                steps.append((instruction, list(instruction.operands)))
        if not depends:
            return [values[result][0]] * len(cosines_of(use.domain))
        return list(map(partial(_at, steps, values, place, result), cosines_of(use.domain)))

    def _block(self, use: TableUse) -> tuple[Block, Value]:
        """The content as instructions."""
        module = Module("fragment", "table")
        place = module.add_variable(Variable(_COSINE, "uniform", FLOAT))
        writer = self._host.writer(module.add_function(PREAMBLE))
        result = Content(writer, use, self._functions).value(writer.builder.load(place))
        return writer.builder.block, result


def _at(
    steps: Sequence[tuple[Instruction, list[Value]]],
    values: dict[Value, _Numbers],
    place: Value,
    result: Value,
    cosine: float,
) -> float:
    values[place] = [PYTHON.fconst(cosine)]
    for instruction, operands in steps:
        values[instruction] = _computed(instruction, operands, values)
    return float(values[result][0])


def _computed(instruction: Instruction, operands: Sequence[Value], values: Mapping[Value, _Numbers]) -> _Numbers:
    return ops.evaluate(instruction.op, PYTHON, instruction.attribute, [values[operand] for operand in operands])


def _constant(constant: Constant) -> _Numbers:
    make = _KINDS[constant.type.kind]
    return [make(component) for component in constant.settled().components]


def _loaded(load: Instruction, numbers: Mapping[str, float]) -> _Numbers:
    return [_KINDS[load.type.kind](numbers[load.address.variable.name])] * load.type.width
