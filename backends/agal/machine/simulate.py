"""Executes the bytes of a program over lanes (vertices or pixels), with numpy in float32.

In: a valid program's file, and values under register names (`state.py`).  Out: the registers that it wrote, (lanes, 4),
and the discarded lanes.

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
from backends.agal.isa.registers import CONSTANT, components_of
from backends.agal.isa.validate import report, validate
from backends.agal.machine.sampling import sample
from backends.agal.machine.state import Machine, Results, Vector
from compiler.arithmetic.evaluation_error import fail
from compiler.arithmetic.lanes import LANES, Array, LaneArithmetic, quiet
from compiler.arithmetic.sampling import Texture
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.evaluation import DERIVATIVE_WITHOUT_QUADS, LANES_NOT_QUADS
from compiler.records import dataclass


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
        (execute or _interpret)(machine)
        return machine.results()


def _interpret(machine: Machine) -> None:
    """Run the program token by token."""
    interpreter = _Interpreter(machine)
    for word in machine.program.words:
        token = decode(word)
        assert token is not None
        interpreter.run(token)


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


class _Interpreter:
    """Runs tokens on a machine; knows the active lanes and the open conditions."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.arithmetic = machine.arithmetic
        self.active: Array = np.ones(machine.lanes, dtype=np.bool_)
        self.blocks: list[_Block] = []

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
                self.machine.discarded = self.machine.discarded | (self.active & negative)
            case _:
                self._write(token, self._result(token))

    def _enter(self, token: Token) -> None:
        first, second = self._sources(token)
        assert token.instruction.relation is not None
        holds = np.broadcast_to(token.instruction.relation(self.arithmetic, first[0], second[0]), (self.machine.lanes,))
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
        components = list(self.machine.registers.get(register, (zero,) * 4))
        for index in destination.components:
            components[index] = np.where(self.active, value[index], components[index])
        self.machine.registers[register] = tuple(components)

    # --- Sources ------------------------------------------------------------------------------------------------------

    def _sources(self, token: Token) -> tuple[Any, ...]:
        return sources_of(token, self._read)

    def _read(self, source: Source, row: int) -> Vector:
        """The swizzled value of a register, or of the one `row` after it."""
        if source.indirect:
            value = self._constant_at(source, row)
        elif source.type == CONSTANT:
            value = self.machine.constant(source.number + row)
        else:
            value = self.machine.register(source.type, source.number + row)
        return tuple(value[component] for component in components_of(source.swizzle))

    def _constant_at(self, source: Source, row: int) -> Vector:
        """`constant[int(index) + offset + row]`; outside of the file, which is undefined, the nearest one."""
        register = Source(source.index_type, source.number)
        index = self.arithmetic.ftoi(np.asarray(self._read(register, 0)[source.index_component]))
        number = np.clip(index.astype(np.int64) + source.offset + row, 0, len(self.machine.constants) - 1)
        return tuple(np.moveaxis(self.machine.constants[number], -1, 0))

    # --- Quads and textures -------------------------------------------------------------------------------------------

    def _difference(self, value: Array, axis: int) -> Array:
        """Second minus first neighbour of each quad: along x for axis 1, along y for axis 0."""
        if not self.machine.quads:
            fail(DERIVATIVE_WITHOUT_QUADS, what="the derivative")
        square = np.broadcast_to(value, (self.machine.lanes,)).reshape(self.machine.lanes // 4, 2, 2)
        first, second = (np.take(square, [side, side], axis=axis + 1) for side in (0, 1))
        return self.arithmetic.fsub(second, first).reshape(self.machine.lanes)

    def _texture(self, sampler: Sampler, coordinate: Vector) -> Vector:
        texture = self.machine.texture_of(sampler)
        size = 3 if sampler.dimension else 2
        point = np.stack([np.broadcast_to(component, (self.machine.lanes,)) for component in coordinate[:size]])
        point = self.arithmetic.decode("float", point).astype(np.float64)
        return tuple(self.arithmetic.encode("float", sample(texture, point, sampler.bias)))
