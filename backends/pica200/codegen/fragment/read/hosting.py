"""What the host computes: all that depends on uniforms and literals alone, whatever it takes.

In: a flat block.  Out: for each component of such a value an atom with its range, and at the end the *preamble*
(`compiler/preamble.py`): a function from uniforms to the constants of the stages.

Sums and products of the host stay polynomials, so that the search sees through `1.0 - u_mix`; every other operation
makes a new atom, as does a polynomial that has grown long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from math import ceil, floor, isfinite

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    Atom,
    HostByte,
    HostNumber,
    HostPart,
    Number,
    Polynomial,
    polynomial,
    rational,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import range_of
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE, byte_of
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.ranges import Interval, value_ranges
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT, INT
from glslc_multi.compiler.ir.variables import PREAMBLE, Address, Variable
from glslc_multi.compiler.preamble import INDEX, table_function
from glslc_multi.compiler.records import dataclass, replace

#: What stands for infinity in ranges of polynomials.
ANY = 1 << 24
#: What an atom stands for, made where the preamble is built.
_Make = Callable[["PreambleWriter"], Value]
_NO_MAKERS: Mapping[str, _Make] = {}


@dataclass(frozen=True, slots=True)
class HostResult:
    """A vector that the host computes for a place of the machine: its name, and what makes each component."""

    name: str
    components: tuple[_Make, ...]


@dataclass(frozen=True, slots=True)
class HostTable:
    """An array that the host computes: its name, its length, and what makes an element of its number."""

    name: str
    length: int
    make: Callable[[PreambleWriter, Value], Value]


class Unbounded(Exception):
    """What the host computes lies between no two numbers, as far as is known."""

    def __init__(self, interval: Interval) -> None:
        self.interval = interval
        super().__init__()


class Host:
    """The atoms of a block, and what they stand for."""

    def __init__(self, block: Block, promises: Mapping[Variable, Interval]) -> None:
        self.values = host_values(block)
        self._ranges = value_ranges(block.function, AnalysisManager(block.function), promises)
        self._makers: dict[str, _Make] = {}
        #: Atoms whose range is not known, and what they are components of.
        self.unbounded: dict[Atom, Instruction] = {}

    def is_host(self, value: Value) -> bool:
        return isinstance(value, Constant) or value in self.values

    def atom(self, value: Instruction, component: int) -> Polynomial:
        """A component of a value of the host as a number of its own; of a bool, 1 or 0."""
        interval = self._ranges.of(value)[component]
        name = _name(value, component)
        return self._named(name, interval, lambda writer: writer.component(value, component))

    def atom_of_any(self, value: Instruction, component: int) -> Polynomial:
        """The same of a number that may be any: it may yet be of no consequence, as under a clamp of the host."""
        name = _name(value, component)
        atom = HostNumber(name, -ANY, ANY)
        self._makers[name] = lambda writer: writer.component(value, component)
        self.unbounded[atom] = value
        return polynomial(atom)

    def reciprocal(self, divisor: Polynomial, interval: Interval) -> Polynomial:
        """One divided by a polynomial of the host."""
        return self._named(f"1/({divisor})", interval, lambda writer: writer.reciprocal(divisor))

    def whole(self, value: Polynomial, *, up: bool) -> Polynomial:
        """The next whole number of steps that is not below, or not above, by the floats that bytes are."""

        def make(writer: PreambleWriter) -> Value:
            op, one, whole = writer.builder.op, float_constant(1.0), float_constant(float(WHOLE))
            number = writer.polynomial(value)
            nearest = op(ops.FFLOOR, op(ops.FADD, op(ops.FMUL, number, whole), float_constant(0.5)))
            byte = op(ops.FDIV, nearest, whole)
            is_missed = op(ops.BTOF, op(ops.FLT, *((byte, number) if up else (number, byte))))
            step = op(ops.FMUL, is_missed, one if up else float_constant(-1.0))
            return op(ops.FDIV, op(ops.FADD, nearest, step), whole)

        name = f"{'ceil' if up else 'floor'}({value})"
        low, high = (Fraction((ceil if up else floor)(WHOLE * end), WHOLE) for end in range_of(value))
        self._makers[name] = make
        return polynomial(HostByte(name, low, high))

    def at_most_one(self, value: Polynomial, low: float) -> Polynomial:
        """A polynomial of the host that is `low` at least, and 1 where it is more."""

        def make(writer: PreambleWriter) -> Value:
            return writer.builder.op(ops.FMIN, writer.polynomial(value), float_constant(1.0))

        return self._named(f"min({value}, 1)", Interval(low, 1.0), make)

    def anything(self, value: Instruction, component: int) -> Polynomial:
        """A component that no combiner reads, so that its range does not matter."""
        name = f"any %{value.id}.{component}"
        return self._named(name, Interval(-1.0, 1.0), lambda writer: writer.component(value, component))

    def length(self, value: Instruction) -> Polynomial:
        """The length of a vector."""
        largest = [max(abs(part.low), abs(part.high)) for part in self._ranges.of(value)]
        interval = Interval(0.0, sum(part * part for part in largest) ** 0.5)
        return self._named(f"length(%{value.id})", interval, lambda writer: writer.length(value))

    def interval(self, value: Value) -> Sequence[Interval]:
        """Between which numbers the components of a value of the host lie."""
        return self._ranges.of(value)

    def _named(self, name: str, interval: Interval, make: _Make) -> Polynomial:
        if interval.is_single:
            return polynomial(rational(interval.low))
        if not (isfinite(interval.low) and isfinite(interval.high)):
            raise Unbounded(interval)
        self._makers[name] = make
        return polynomial(HostNumber(name, rational(interval.low), rational(interval.high)))

    def preamble(
        self, module: Module, results: Iterable[HostResult], tables: Iterable[HostTable] = ()
    ) -> Module | None:
        """The functions that compute all results, as a module of their own; None where there are none."""
        wanted, arrays = list(results), list(tables)
        if not wanted and not arrays:
            return None
        made = Module(module.stage, PREAMBLE)
        writer = self.writer(made.add_function(PREAMBLE))
        for result in wanted:
            value = writer.builder.construct(*(make(writer) for make in result.components))
            variable = made.add_variable(Variable(result.name, "uniform", value.type, role=PREAMBLE))
            writer.builder.store(variable, value)
        writer.builder.ret()
        for table in arrays:
            variable = Variable(table.name, "uniform", FLOAT, dims=(table.length,), role=PREAMBLE)
            made.add_variable(variable)
            writer = self.writer(made.add_function(table_function(variable)))
            number = writer.builder.function.add_variable(Variable(f"{INDEX}.{table.name}", "local", INT))
            index = writer.builder.load(number)
            writer.builder.store(variable, table.make(writer, index), index)
            writer.builder.ret()
        Builder(made.add_function("main").add_block("entry")).ret()
        return made

    def writer(self, function: Function) -> PreambleWriter:
        """For the body of an empty function."""
        return PreambleWriter(Builder(function.add_block("entry")), self._makers)


def polynomial_of(value: Polynomial) -> _Make:
    """What makes a component of a result from a polynomial."""
    return lambda writer: writer.polynomial(value)


def byte_from(value: Polynomial) -> _Make:
    """What makes the number of a byte; what is known is made that byte now, as it is in the file and in the bound."""
    number = value.constant
    return polynomial_of(value if number is None else polynomial(Fraction(byte_of(number), WHOLE)))


def host_values(block: Block) -> frozenset[Instruction]:
    """What is pure and depends on nothing but uniforms and constants."""
    values: set[Instruction] = set()
    for instruction in block:
        is_load = instruction.op is ops.LOAD and instruction.address.variable.storage == "uniform"
        can_move = is_load or (instruction.op.is_pure and instruction.op.has_semantics)
        if can_move and all(isinstance(o, Constant) or o in values for o in instruction.operands):
            values.add(instruction)
    return frozenset(values)


def _name(value: Instruction, component: int) -> str:
    """Readable for uniforms, unique for all."""
    if value.op is not ops.LOAD or value.address.is_dynamic or value.address.variable.length > 1:
        return f"%{value.id}.{component}"
    return f"{value.address.variable.name}[{value.address.column}].{'xyzw'[component]}"


class PreambleWriter:
    """Writes the preamble: copies of the block's instructions, and arithmetic on polynomials."""

    def __init__(self, builder: Builder, makers: Mapping[str, _Make] = _NO_MAKERS) -> None:
        self.builder = builder
        self._makers = makers
        self._copies: dict[Value, Value] = {}
        self._atoms: dict[Atom, Value] = {}

    def value(self, value: Value) -> Value:
        """A constant, or an instruction of the block."""
        return self._copy(value)

    def component(self, value: Instruction, component: int) -> Value:
        """A component of an instruction of the block as a float."""
        scalar = self.builder.extract(self._copy(value), component)
        return self.builder.op(ops.BTOF, scalar) if scalar.type.kind == "bool" else scalar

    def length(self, value: Instruction) -> Value:
        return self.builder.op(ops.LENGTH, self._copy(value))

    def reciprocal(self, divisor: Polynomial) -> Value:
        return self.builder.op(ops.FDIV, float_constant(1.0), self.polynomial(divisor))

    def polynomial(self, value: Polynomial) -> Value:
        """The sum of its terms."""
        total: Value | None = None
        for monomial, coefficient in value.terms.items():
            term: Value = float_constant(float(coefficient))
            for atom in monomial:
                other = self.atom(atom)
                if isinstance(term, Constant) and term.components[0] == 1.0:
                    term = other
                else:
                    term = self.builder.op(ops.FMUL, term, other)
            total = term if total is None else self.builder.op(ops.FADD, total, term)
        return float_constant(0.0) if total is None else total

    def atom(self, atom: Atom) -> Value:
        if atom not in self._atoms:
            assert isinstance(atom, HostNumber), "the host knows no pixel"
            self._atoms[atom] = (
                self.builder.op(ops.FSATURATE, self.polynomial(atom.inner))
                if isinstance(atom, HostPart)
                else self._makers[atom.name](self)
            )
        return self._atoms[atom]

    def scaled(self, value: Value, low: Number | float, width: Number | float) -> Value:
        """(value - low) / width"""
        moved = self.builder.op(ops.FSUB, value, float_constant(float(low)))
        return self.builder.op(ops.FMUL, moved, float_constant(float(1 / width)))

    def given_atom(self, atom: Atom, value: Value) -> None:
        """Take a value for an atom that is none of the host's."""
        self._atoms[atom] = value

    def _copy(self, value: Value) -> Value:
        """The instruction in the preamble, after what it needs; without recursion, since chains may be long."""
        waiting = [value]
        while waiting:
            current = waiting[-1]
            if isinstance(current, Constant) or current in self._copies:
                waiting.pop()
                continue
            assert isinstance(current, Instruction)
            missing = [o for o in current.operands if not isinstance(o, Constant) and o not in self._copies]
            if missing:
                waiting += missing
                continue
            attribute = current.attribute
            if isinstance(attribute, Address):
                module = self.builder.function.module
                variable = module.variables.get(attribute.variable.name)
                variable = variable or module.add_variable(copy(attribute.variable))
                attribute = replace(attribute, variable=variable)
            operands = [self._copies.get(operand, operand) for operand in current.operands]
            copied = Instruction(current.op, current.type, operands, attribute, flags=current.flags, span=current.span)
            self._copies[current] = self.builder.block.insert_before(self.builder.insertion_point, copied)
        return value if isinstance(value, Constant) else self._copies[value]

    def given(self, value: Value, copied: Value) -> None:
        """Take a value that was made already for one of the block."""
        self._copies[value] = copied
