"""A program translated for this computer, on what `compiler/native/translation.py` offers.

In: a valid program.  Out: `TranslatedProgram`, which does to a `Machine` what the interpreter does.
AGAL has no jumps: lanes that a condition excludes are masked, as there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from backends.agal.isa.program import Program, Sampler, Source, Token, decode
from backends.agal.isa.registers import BY_TYPE, COMPONENTS, CONSTANT, DEPTH, OUTPUT, TEMPORARY, VARYING, components_of
from backends.agal.isa.sampler_options import BIAS_STEPS
from backends.agal.machine.simulate import sources_of
from backends.agal.machine.state import Machine
from backends.agal.machine.state import Vector as Arrays
from compiler.arithmetic.evaluation_error import fail
from compiler.arithmetic.lanes import Array
from compiler.diagnostics.catalogue.evaluation import DERIVATIVE_WITHOUT_QUADS
from compiler.native import machine as host
from compiler.native.arithmetic import HostArithmetic
from compiler.native.emitter import Value
from compiler.native.lookup import RIGHT, UP
from compiler.native.sampling import BY_STEPS
from compiler.native.translation import LaneState, TranslatedCode, Translator
from compiler.records import dataclass

Vector = tuple[Value, ...]

_DISCARDED = "discarded"
#: Direction of a derivative by the row's `axis`.
_DIRECTIONS = (UP, RIGHT)


class TranslatedProgram:
    """A program as a function of this computer."""

    def __init__(self, program: Program) -> None:
        self._translator = _Translator(program)
        self._code = TranslatedCode(self._translator)

    def __call__(self, machine: Machine) -> None:
        """Run on the registers of a machine."""
        if self._translator.takes_differences and not machine.quads:
            fail(DERIVATIVE_WITHOUT_QUADS, what="the derivative")
        for number in self._translator.constants:
            machine.constant(number)
        inputs = {(type, number, c): machine.register(type, number)[c] for type, number, c in self._code.inputs}
        textures = [machine.texture_of(sampler) for sampler in self._translator.samplers]
        values = self._code.run(LaneState(machine.lanes, inputs, machine.constants.ravel(), textures))
        machine.discarded = values.pop(_DISCARDED, np.zeros(machine.lanes)) != 0
        _put(machine.registers, values)


def _put(registers: dict[tuple[int, int], Arrays], values: dict[Any, Array]) -> None:
    """Outputs by component to registers."""
    for type, number in dict.fromkeys((type, number) for type, number, _ in values):
        registers[type, number] = tuple(values[type, number, c] for c in range(len(COMPONENTS)))


@dataclass(slots=True)
class _Block:
    """An open condition: lanes that reached it (None: all), and those for which it does not hold."""

    reached: Value | None
    fails: Value


class _Translator(Translator[int]):
    """What the shared translator calls a place is the number of a token."""

    lanes_part = False

    def __init__(self, program: Program) -> None:
        super().__init__(host.host().width)
        self._a = HostArithmetic(self.emitter)
        self._tokens = [_decoded(word) for word in program.words]
        self._constant_count = BY_TYPE[program.stage, CONSTANT].size(program.version)
        self._blocks: list[_Block] = []
        self._output_types = (OUTPUT, VARYING) if program.stage == "vertex" else (OUTPUT, DEPTH)
        #: Numbers of the constants that are read by number, and samplers in the order of their textures.
        self.constants: set[int] = set()
        self.samplers: list[Sampler] = []
        self.takes_differences = any(token.instruction.role == "derivative" for token in self._tokens)

    @property
    def start(self) -> int:
        return 0

    def followers(self, place: int) -> Sequence[int]:
        return (place + 1,) if place < len(self._tokens) else ()

    def emit(self, place: int) -> Sequence[Value]:
        if place < len(self._tokens):
            self._emit_token(self._tokens[place])
        return ()

    def finish(self) -> None:
        written = {(token.destination.type, token.destination.number) for token in self._tokens if token.destination}
        for type, number in sorted(written):
            if type in self._output_types:
                for c in range(len(COMPONENTS)):
                    self.output((type, number, c), self.read(_name(type, number, c)))
        if any(token.instruction.role == "kill" for token in self._tokens):
            self.output(_DISCARDED, self.emitter.convert("zext", self._discarded(), self.emitter.i32), "i32")

    def _discarded(self) -> Value:
        return self.read(_DISCARDED, self.emitter.mask)

    # --- Tokens -------------------------------------------------------------------------------------------------------

    def _emit_token(self, token: Token) -> None:
        match token.instruction.role:
            case "else":
                block = self._blocks[-1]
                self.mask = self.both(block.reached, block.fails)
            case "end":
                self.mask = self._blocks.pop().reached
            case "if":
                self._enter(token)
            case "kill":
                (value,) = self._sources(token)
                negative = self._a.flt(value[0], self._a.fconst(0.0))
                self.write(_DISCARDED, self._a.bor(self._discarded(), negative))
            case _:
                self._write(token, self._result(token))

    def _enter(self, token: Token) -> None:
        first, second = self._sources(token)
        assert token.instruction.relation is not None
        holds = token.instruction.relation(self._a, first[0], second[0])
        self._blocks.append(_Block(self.mask, self._a.bnot(holds)))
        self.mask = self.both(self.mask, holds)

    def _result(self, token: Token) -> Vector:
        """The four components, before the write mask."""
        if token.sampler is not None:
            return self._texture(token.sampler, self._sources(token)[0])
        if token.instruction.role == "derivative":
            (value,) = self._sources(token)
            return tuple(self.lookup.step(component, _DIRECTIONS[token.instruction.axis]) for component in value)
        assert token.instruction.compute is not None
        return token.instruction.compute(self._a, *self._sources(token))

    def _write(self, token: Token, value: Vector) -> None:
        destination = token.destination
        assert destination is not None
        for index in destination.components:
            self.write(_name(destination.type, destination.number, index), value[index])

    # --- Sources ------------------------------------------------------------------------------------------------------

    def _sources(self, token: Token) -> tuple[Any, ...]:
        return sources_of(token, self._read)

    def _read(self, source: Source, row: int) -> Vector:
        """The swizzled value of a register, or of the one `row` after it."""
        chosen = components_of(source.swizzle)
        found = {c: self._component(source, row, c) for c in dict.fromkeys(chosen)}
        return tuple(found[c] for c in chosen)

    def _component(self, source: Source, row: int, component: int) -> Value:
        number = source.number + row
        if source.indirect:
            return self._constant_at(source, row, component)
        if source.type == CONSTANT:
            self.constants.add(number)
            return self.constant(len(COMPONENTS) * number + component)
        if source.type == TEMPORARY or source.type in self._output_types:
            return self.read(_name(source.type, number, component))
        return self.input((source.type, number, component))

    def _constant_at(self, source: Source, row: int, component: int) -> Value:
        """`constant[int(index) + offset + row]`; outside of the file, which is undefined, the nearest one."""
        emitter = self.emitter
        register = Source(source.index_type, source.number)
        index = self._a.ftoi(self._component(register, 0, source.index_component))
        number = emitter.binary("add", emitter.convert("sext", index, emitter.i64), self._long(source.offset + row))
        number = emitter.intrinsic("smax", emitter.i64, number, self._long(0))
        number = emitter.intrinsic("smin", emitter.i64, number, self._long(self._constant_count - 1))
        word = emitter.binary("mul", number, self._long(len(COMPONENTS)))
        return self.constant_at(emitter.binary("add", word, self._long(component)))

    def _long(self, value: int) -> Value:
        return self.emitter.ints(value, "i64")

    # --- Textures -----------------------------------------------------------------------------------------------------

    def _texture(self, sampler: Sampler, coordinate: Vector) -> Vector:
        point = [self.lookup.wide(component) for component in coordinate[: 3 if sampler.dimension else 2]]
        bias = self.emitter.doubles(sampler.bias / BIAS_STEPS)
        arguments = [*point, bias, *self.lookup.steps(point)]
        self.samplers.append(sampler)
        colour = self.lookup.emit(len(self.samplers) - 1, BY_STEPS, arguments, is_cube=bool(sampler.dimension))
        return tuple(self.emitter.convert("fptrunc", component, self.emitter.float) for component in colour)


def _decoded(word: int) -> Token:
    token = decode(word)
    assert token is not None, "the program is valid"
    return token


def _name(type: int, number: int, component: int) -> str:
    """The variable of a register's component."""
    return f"{type}.{number}.{component}"
