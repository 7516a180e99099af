"""Executes the bytes of a program over lanes (vertices or pixels), with numpy in float32.

In: a valid program's file, and values under register names: `va0` or `v0` (lanes, 1 to 4 components),
`vc0` (4 components), `fs0` (a texture).  Out: the registers that it wrote, (lanes, 4), and the discarded lanes.

Lanes that do not enter a block keep their registers: a write goes to active lanes only.  A discarded lane goes
on as a helper lane, so that its neighbours in the quad can take differences.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from backends.agal.isa.container import unpack
from backends.agal.isa.program import Program, Sampler, Source, Token, decode
from backends.agal.isa.registers import (
    ATTRIBUTE,
    BY_NAME,
    BY_TYPE,
    CONSTANT,
    DEPTH,
    INSTANCE,
    OUTPUT,
    SAMPLER,
    TEMPORARY,
    VARYING,
    components_of,
)
from backends.agal.isa.sampler_options import IGNORE_SAMPLER
from backends.agal.isa.validate import report, validate
from backends.agal.machine.sampling import sample, usable, with_sampler
from compiler.arithmetic.evaluation_error import fail
from compiler.arithmetic.lanes import LANES, Array, LaneArithmetic, quiet
from compiler.arithmetic.sampling import Texture
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.evaluation import (
    DERIVATIVE_WITHOUT_QUADS,
    LANES_NOT_QUADS,
    MISSING_VALUE,
    UNKNOWN_VALUE_NAME,
    WRONG_VALUE_SHAPE,
)
from compiler.records import dataclass, replace

#: A register: its four components, one number a lane (or one for all).
Vector = tuple[Array, ...]
#: What an attribute has in the components that the host does not set.
_MISSING_COMPONENTS = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Results:
    """The outputs under their register names (`op`, `v0`, `oc`, `od`), and which lanes were discarded."""

    outputs: dict[str, Array]
    discarded: Array


def simulate(
    data: bytes,
    inputs: Mapping[str, Any],
    constants: Mapping[str, Any] | None = None,
    textures: Mapping[str, Texture] | None = None,
    *,
    lanes: int,
    quads: bool = False,
    arithmetic: LaneArithmetic = LANES,
    host_samplers: Collection[int] = (),
    execute: Callable[[Machine], None] | None = None,
) -> Results:
    """Run a program on `lanes` lanes; raises `CompileError` for a program that breaks a rule.

    `execute` does the program's work in place of the interpreter.  Of the samplers in `host_samplers` filter, mip
    levels and wrap are those of the texture, not of the token.

    With `quads`, lanes 4k to 4k+3 are the pixels (x, y), (x+1, y), (x, y+1), (x+1, y+1).
    """
    if quads and lanes % 4:
        fail(LANES_NOT_QUADS, lanes=lanes)
    program = valid_program(data)
    machine = Machine(program, lanes, quads, arithmetic)
    machine.host_samplers = frozenset(host_samplers)
    with quiet():
        machine.set_inputs(inputs)
        machine.set_constants(constants or {})
        machine.set_textures(textures or {})
        (execute or interpret)(machine)
        return machine.results()


def interpret(machine: Machine) -> None:
    """Run the program token by token."""
    for word in machine.program.words:
        token = decode(word)
        assert token is not None
        machine.run(token)


@lru_cache(maxsize=64)
def valid_program(data: bytes) -> Program:
    """The program of a file; raises `CompileError` if it breaks a rule."""
    faults = validate(data)
    sink = DiagnosticSink()
    report(faults, sink)
    sink.raise_if_errors()
    return unpack(data)


def sources_of(token: Token, read: Callable[[Source, int], Any]) -> tuple[Any, ...]:
    """The operands that `compute` takes: vectors, and the rows of a matrix; `read` reads a row."""
    sources, rows = token.sources, token.instruction.rows
    if rows == 1:
        return tuple(read(source, 0) for source in sources)
    return read(sources[0], 0), tuple(read(sources[1], row) for row in range(rows))


@dataclass(slots=True)
class _Block:
    """An open condition: lanes that reached it, and those of them for which it holds."""

    reached: Array
    holds: Array


class Machine:
    """Registers and active lanes while a program runs."""

    def __init__(self, program: Program, lanes: int, quads: bool, arithmetic: LaneArithmetic) -> None:
        self.program = program
        self.lanes = lanes
        self.quads = quads
        self.arithmetic = arithmetic
        self.registers: dict[tuple[int, int], Vector] = {}
        self.constants: Array = np.zeros(0)
        self.given_constants: set[int] = set()
        self.textures: dict[int, Texture] = {}
        self.host_samplers: frozenset[int] = frozenset()
        self.active: Array = np.ones(lanes, dtype=np.bool_)
        self.discarded: Array = np.zeros(lanes, dtype=np.bool_)
        self.blocks: list[_Block] = []

    # --- Values from and to the host ----------------------------------------------------------------------------------

    def set_inputs(self, inputs: Mapping[str, Any]) -> None:
        types = (ATTRIBUTE, INSTANCE) if self.program.stage == "vertex" else (VARYING,)
        for name, value in inputs.items():
            type, number = self._register(name, types, "input")
            array = np.asarray(value)
            array = array[:, None] if array.ndim == 1 else array
            if array.ndim != 2 or len(array) != self.lanes or not 1 <= array.shape[1] <= 4:
                fail(WRONG_VALUE_SHAPE, kind="input", name=name, expected=f"({self.lanes}, 1 to 4)", found=array.shape)
            # All components of the instance id hold it.
            rows = [array[:, 0]] * 4 if type == INSTANCE else [*array.T, *_MISSING_COMPONENTS[array.shape[1] :]]
            self.registers[type, number] = tuple(self.arithmetic.encode("float", row) for row in rows)

    def set_constants(self, constants: Mapping[str, Any]) -> None:
        size = BY_TYPE[self.program.stage, CONSTANT].size(self.program.version)
        values = np.zeros((size, 4))
        for name, value in constants.items():
            _, number = self._register(name, (CONSTANT,), "constant")
            array = np.asarray(value, dtype=np.float64)
            if array.shape != (4,):
                fail(WRONG_VALUE_SHAPE, kind="constant", name=name, expected="(4,)", found=array.shape)
            values[number] = array
            self.given_constants.add(number)
        self.constants = self.arithmetic.encode("float", values)

    def set_textures(self, textures: Mapping[str, Texture]) -> None:
        for name, texture in textures.items():
            _, number = self._register(name, (SAMPLER,), "sampler")
            self.textures[number] = texture

    def _register(self, name: str, types: tuple[int, ...], kind: str) -> tuple[int, int]:
        """Type and number of a register that exists."""
        letters = name.rstrip("0123456789")
        digits = name[len(letters) :]
        bank = BY_NAME.get((self.program.stage, letters))
        if bank is None or bank.type not in types or not digits.isascii() or len(digits) > 5:
            fail(UNKNOWN_VALUE_NAME, kind=kind, name=name)
        number = int(digits or "0")
        if number >= bank.size(self.program.version):
            fail(UNKNOWN_VALUE_NAME, kind=kind, name=name)
        return bank.type, number

    def results(self) -> Results:
        outputs = {}
        types = (OUTPUT, VARYING) if self.program.stage == "vertex" else (OUTPUT, DEPTH)
        for (type, number), value in self.registers.items():
            if type in types:
                shaped = np.stack([np.broadcast_to(component, (self.lanes,)) for component in value]).T
                outputs[BY_TYPE[self.program.stage, type].spell(number)] = self.arithmetic.decode("float", shaped)
        return Results(outputs, self.discarded)

    # --- Instructions -------------------------------------------------------------------------------------------------

    def run(self, token: Token) -> None:
        match token.instruction.role:
            case "else":
                block = self.blocks[-1]
                self.active = block.reached & ~block.holds
            case "end":
                self.active = self.blocks.pop().reached
            case "if":
                self._enter(token)
            case "kill":
                (value,) = self._sources(token)
                negative = self.arithmetic.flt(value[0], self.arithmetic.fconst(0.0))
                self.discarded = self.discarded | (self.active & negative)
            case _:
                self._write(token, self._result(token))

    def _enter(self, token: Token) -> None:
        first, second = self._sources(token)
        assert token.instruction.relation is not None
        holds = np.broadcast_to(token.instruction.relation(self.arithmetic, first[0], second[0]), (self.lanes,))
        self.blocks.append(_Block(self.active, holds))
        self.active = self.active & holds

    def _result(self, token: Token) -> Vector:
        """The four components, before the write mask."""
        if token.sampler is not None:
            return self._texture(token.sampler, self._sources(token)[0])
        if token.instruction.role == "derivative":
            (value,) = self._sources(token)
            return tuple(self._difference(component, token.instruction.axis) for component in value)
        assert token.instruction.compute is not None
        return token.instruction.compute(self.arithmetic, *self._sources(token))

    def _write(self, token: Token, value: Vector) -> None:
        destination = token.destination
        assert destination is not None
        register = destination.type, destination.number
        zero = self.arithmetic.fconst(0.0)
        components = list(self.registers.get(register, (zero,) * 4))
        for index in destination.components:
            components[index] = np.where(self.active, value[index], components[index])
        self.registers[register] = tuple(components)

    # --- Sources ------------------------------------------------------------------------------------------------------

    def _sources(self, token: Token) -> tuple[Any, ...]:
        return sources_of(token, self._read)

    def _read(self, source: Source, row: int) -> Vector:
        """The swizzled value of a register, or of the one `row` behind it."""
        if source.indirect:
            value = self._constant_at(source, row)
        elif source.type == CONSTANT:
            value = self.constant(source.number + row)
        else:
            value = self.register(source.type, source.number + row)
        return tuple(value[component] for component in components_of(source.swizzle))

    def constant(self, number: int) -> Vector:
        """A constant that the host has set."""
        if number not in self.given_constants:
            self._fail_missing("constant", CONSTANT, number)
        return tuple(self.constants[number])

    def register(self, type: int, number: int) -> Vector:
        """A register of lanes."""
        value = self.registers.get((type, number))
        if value is not None:
            return value
        if type != TEMPORARY:
            self._fail_missing("input", type, number)
        return (self.arithmetic.fconst(0.0),) * 4

    def _constant_at(self, source: Source, row: int) -> Vector:
        """`constant[int(index) + offset + row]`; outside of the file, which is undefined, the nearest one."""
        register = Source(source.index_type, source.number)
        index = self.arithmetic.ftoi(np.asarray(self._read(register, 0)[source.index_component]))
        number = np.clip(index.astype(np.int64) + source.offset + row, 0, len(self.constants) - 1)
        return tuple(np.moveaxis(self.constants[number], -1, 0))

    def _fail_missing(self, kind: str, type: int, number: int) -> None:
        fail(MISSING_VALUE, kind=kind, name=BY_TYPE[self.program.stage, type].spell(number))

    # --- Quads and textures -------------------------------------------------------------------------------------------

    def _difference(self, value: Array, axis: int) -> Array:
        """Second minus first neighbour of each quad: along x for axis 1, along y for axis 0."""
        if not self.quads:
            fail(DERIVATIVE_WITHOUT_QUADS, what="the derivative")
        square = np.broadcast_to(value, (self.lanes,)).reshape(self.lanes // 4, 2, 2)
        first, second = (np.take(square, [side, side], axis=axis + 1) for side in (0, 1))
        return self.arithmetic.fsub(second, first).reshape(self.lanes)

    def _texture(self, sampler: Sampler, coordinate: Vector) -> Vector:
        texture = self.texture_of(sampler)
        size = 3 if sampler.dimension else 2
        place = np.stack([np.broadcast_to(component, (self.lanes,)) for component in coordinate[:size]])
        place = self.arithmetic.decode("float", place).astype(np.float64)
        return tuple(self.arithmetic.encode("float", sample(texture, place, sampler.bias)))

    def texture_of(self, sampler: Sampler) -> Texture:
        """The texture with the state that the sampler, or the host, gives it."""
        texture = self.textures.get(sampler.number)
        if texture is None:
            self._fail_missing("sampler", SAMPLER, sampler.number)
        assert texture is not None
        if sampler.number in self.host_samplers:
            sampler = replace(sampler, special=sampler.special | IGNORE_SAMPLER)
        return usable(with_sampler(texture, sampler), sampler, quads=self.quads)
