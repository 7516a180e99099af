"""Tables that the host evaluates, and the compiler, too, to see how well they fit.

In: what makes the value of a table at a place, as instructions.  Out: values at many places, with uniforms at some
numbers.  What does not depend on the place is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host, HostResult, HostTable, PreambleWriter
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.artifact import Binding, Location
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT, type_name
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.records import dataclass, field

#: Points of a line that are looked at.
POINTS = 4
_PLACE = "$place"
_KINDS: Mapping[str, Callable[[Any], Any]] = {"float": PYTHON.fconst, "int": int, "bool": bool}
_Numbers = list[Any]
#: What makes the value of a table at a place.
MakeValue = Callable[[PreambleWriter, Value], Value]
#: Each uniform at one number, all of its components.
Sample = Mapping[Variable, float]


@dataclass(slots=True)
class UnitCode:
    """What a unit beside the combiners adds to a configuration, to the preamble, and to the register map."""

    writes: list[Write] = field(default_factory=list)
    tables: dict[str, tuple[int, ...]] = field(default_factory=dict)
    results: list[HostResult] = field(default_factory=list)
    host_tables: list[HostTable] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    #: Registers that the host writes for the results, and for the entries of the tables, when uniforms change.
    host_writes: int = 0
    #: What the host has to set beside the registers.
    host_state: dict[str, int] = field(default_factory=dict)

    def add(self, other: UnitCode) -> None:
        """Add what another unit adds."""
        self.writes += other.writes
        self.tables |= other.tables
        self.results += other.results
        self.host_tables += other.host_tables
        self.bindings += other.bindings
        self.host_writes += other.host_writes
        self.host_state |= other.host_state

    def add_result(self, result: HostResult, place: Location, registers: int = 1) -> None:
        """Add a vector that the host computes, and where it goes."""
        self.results.append(result)
        self.host_writes += registers
        self.bindings.append(Binding(result.name, type_name("float", len(result.components)), None, (place,)))

    def add_table(self, table: HostTable, space: str, index: int, entries: int = 0) -> None:
        """Add a table that the host computes, and where it goes: registers, an index and the entries, or an image."""
        self.host_tables.append(table)
        self.host_writes += 1 + entries if entries else 0
        self.bindings.append(Binding(table.name, "float", table.length, (Location(space, index, "x", "table"),)))


def samples_of(promises: Mapping[Variable, Interval]) -> list[dict[Variable, float]]:
    """Uniforms at the ends of their ranges, and each at another place of its range."""
    floats = [variable for variable in promises if variable.type.kind != "int"]
    parts = {variable: (number + 1) / (len(floats) + 1) for number, variable in enumerate(floats)}
    ranges = {variable: promises[variable] for variable in floats}
    rest = {variable: 1.0 for variable in promises if variable not in ranges}
    return [
        {**{v: r.low + (r.high - r.low) * place(v) for v, r in ranges.items()}, **rest}
        for place in (lambda _: 1.0, parts.__getitem__)
    ]


def values_at(host: Host, make: MakeValue, places: Sequence[float], sample: Sample | None) -> list[float] | None:
    """The values at these places; None where uniforms count and none are given."""
    block, result = _block(host, make)
    names = {variable.name: number for variable, number in (sample or {}).items()}
    if sample is None and len(block.function.module.variables) > 1:
        return None
    steps: list[tuple[Instruction, list[Value]]] = []
    values: dict[Value, _Numbers] = {result: _constant(result)} if isinstance(result, Constant) else {}
    depends: set[Value] = set()
    for instruction in block:
        values.update((o, _constant(o)) for o in instruction.operands if isinstance(o, Constant))
        if instruction.op is ops.LOAD and instruction.address.variable.name == _PLACE:
            depends.add(instruction)
            argument: Value = instruction
        elif instruction.op is ops.LOAD:
            values[instruction] = [
                _KINDS[instruction.type.kind](names[instruction.address.variable.name])
            ] * instruction.type.width
        elif depends.isdisjoint(instruction.operands):
            values[instruction] = _computed(instruction, list(instruction.operands), values)
        else:
            depends.add(instruction)
            steps.append((instruction, list(instruction.operands)))
    if not depends:
        return [values[result][0]] * len(places)
    return list(map(partial(_at, steps, values, argument, result), places))


def _block(host: Host, make: MakeValue) -> tuple[Block, Value]:
    """The value as instructions."""
    module = Module("fragment", "table")
    argument = module.add_variable(Variable(_PLACE, "uniform", FLOAT))
    writer = host.writer(module.add_function(PREAMBLE))
    result = make(writer, writer.builder.load(argument))
    return writer.builder.block, result


def _at(
    steps: Sequence[tuple[Instruction, list[Value]]],
    values: dict[Value, _Numbers],
    place: Value,
    result: Value,
    number: float,
) -> float:
    values[place] = [PYTHON.fconst(number)]
    for instruction, operands in steps:
        values[instruction] = _computed(instruction, operands, values)
    return float(values[result][0])


def _computed(instruction: Instruction, operands: Sequence[Value], values: Mapping[Value, _Numbers]) -> _Numbers:
    return ops.evaluate(instruction.op, PYTHON, instruction.attribute, [values[operand] for operand in operands])


def _constant(constant: Constant) -> _Numbers:
    make = _KINDS[constant.type.kind]
    return [make(component) for component in constant.defined().components]
