"""What a program does to lanes (vertices or pixels), token by token; both engines run it.

Lanes that do not enter a block keep their registers: a write goes to active lanes only.  A discarded lane goes
on as a helper lane, so that its neighbours in the quad can take differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from glslc_multi.backends.agal.isa.program import Program, Sampler, Source, Token, decode
from glslc_multi.backends.agal.isa.registers import (
    BY_TYPE,
    COMPONENTS,
    CONSTANT,
    DEPTH,
    OUTPUT,
    TEMPORARY,
    VARYING,
    components_of,
)
from glslc_multi.backends.agal.isa.sampler_options import BIAS_STEPS
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import RIGHT, UP, Edge, LaneProgram, Lanes
from glslc_multi.compiler.records import dataclass

#: A register's four components.
Vector = tuple[Number, ...]
#: Key of the lanes that were discarded.
DISCARDED = "discarded"
#: Direction of a derivative by the row's `axis`.
_DIRECTIONS = (UP, RIGHT)


def tokens_of(program: Program) -> list[Token]:
    """The tokens of a valid program."""
    tokens = [decode(word) for word in program.words]
    return [token for token in tokens if token is not None]


def samplers_of(tokens: Iterable[Token]) -> list[Sampler]:
    """The samplers of a program, each once."""
    return list(dict.fromkeys(token.sampler for token in tokens if token.sampler is not None))


@dataclass(slots=True)
class _Block:
    """An open condition: lanes that reached it (None: all), and those for which it does not hold."""

    reached: Number | None
    fails: Number


class AgalProgram(LaneProgram[int]):
    """A valid program.  A place is the number of a token: there are no jumps.

    Inputs have keys (type, number, component); constants are words, four a register.  Textures have
    the order of `samplers_of`.
    """

    lanes_part = False

    def __init__(self, program: Program, lanes: Lanes) -> None:
        self._lanes = lanes
        self._a = lanes.operations
        self._tokens = tokens_of(program)
        self._constant_count = BY_TYPE[program.stage, CONSTANT].size(program.version)
        self._blocks: list[_Block] = []
        self._samplers = samplers_of(self._tokens)
        self._output_types = (OUTPUT, VARYING) if program.stage == "vertex" else (OUTPUT, DEPTH)

    @property
    def start(self) -> int:
        return 0

    def step(self, place: int) -> Sequence[Edge[int]]:
        if place == len(self._tokens):
            return ()
        self._run(self._tokens[place])
        return ((place + 1, None),)

    def finish(self) -> None:
        written = {(token.destination.type, token.destination.number) for token in self._tokens if token.destination}
        for type, number in sorted(written):
            if type in self._output_types:
                for component in range(len(COMPONENTS)):
                    value = self._lanes.read(_name(type, number, component))
                    self._lanes.output((type, number, component), value)
        if any(token.instruction.role == "kill" for token in self._tokens):
            kills = self._a.select(self._discarded(), self._a.iconst(1), self._a.iconst(0))
            self._lanes.output(DISCARDED, kills, "i32")

    def _discarded(self) -> Number:
        return self._lanes.read(DISCARDED, "i1")

    # --- Tokens -------------------------------------------------------------------------------------------------------

    def _run(self, token: Token) -> None:
        lanes = self._lanes
        match token.instruction.role:
            case "else":
                block = self._blocks[-1]
                lanes.mask = lanes.both(block.reached, block.fails)
            case "end":
                lanes.mask = self._blocks.pop().reached
            case "if":
                self._enter(token)
            case "kill":
                (value,) = self._sources(token)
                negative = self._a.flt(value[0], self._a.fconst(0.0))
                lanes.write(DISCARDED, self._a.bor(self._discarded(), negative))
            case _:
                self._write(token, self._result(token))

    def _enter(self, token: Token) -> None:
        first, second = self._sources(token)
        assert token.instruction.relation is not None
        holds = token.instruction.relation(self._a, first[0], second[0])
        self._blocks.append(_Block(self._lanes.mask, self._a.bnot(holds)))
        self._lanes.mask = self._lanes.both(self._lanes.mask, holds)

    def _result(self, token: Token) -> Vector:
        """The four components, before the write mask."""
        if token.sampler is not None:
            is_cube = bool(token.sampler.dimension)
            point = [self._a.widened(component) for component in self._sources(token)[0][: 3 if is_cube else 2]]
            bias = self._a.dconst(token.sampler.bias / BIAS_STEPS)
            colour = self._lanes.sample(
                self._samplers.index(token.sampler), point, bias, by_steps=True, is_cube=is_cube
            )
            return tuple(map(self._a.narrowed, colour))
        if token.instruction.role == "derivative":
            (value,) = self._sources(token)
            return tuple(self._lanes.step(component, _DIRECTIONS[token.instruction.axis]) for component in value)
        assert token.instruction.compute is not None
        return token.instruction.compute(self._a, *self._sources(token))

    def _write(self, token: Token, value: Vector) -> None:
        destination = token.destination
        assert destination is not None
        for index in destination.components:
            self._lanes.write(_name(destination.type, destination.number, index), value[index])

    # --- Sources ------------------------------------------------------------------------------------------------------

    def _sources(self, token: Token) -> tuple[Any, ...]:
        """The operands that `compute` takes: vectors, and the rows of a matrix."""
        sources, rows = token.sources, token.instruction.rows
        if rows == 1:
            return tuple(self._read(source, 0) for source in sources)
        return self._read(sources[0], 0), tuple(self._read(sources[1], row) for row in range(rows))

    def _read(self, source: Source, row: int) -> Vector:
        """The swizzled value of a register, or of the one `row` after it."""
        chosen, order = _swizzled(source.swizzle)
        number = source.number + row
        if source.indirect:
            components = [self._constant_at(source, row, component) for component in chosen]
        elif source.type == CONSTANT:
            first = len(COMPONENTS) * number
            components = [self._lanes.constant(first + component) for component in chosen]
        elif source.type == TEMPORARY or source.type in self._output_types:
            components = [self._lanes.read(_name(source.type, number, component)) for component in chosen]
        else:
            components = [self._lanes.input((source.type, number, component)) for component in chosen]
        return tuple([components[place] for place in order])

    def _constant_at(self, source: Source, row: int, component: int) -> Number:
        """`constant[int(index) + offset + row]`; outside of the file, which is undefined, the nearest one."""
        a, register = self._a, Source(source.index_type, source.number)
        index = a.widened(a.ftoi(self._read(register, 0)[source.index_component]))
        number = a.iadd(index, a.lconst(source.offset + row))
        number = a.imin(a.imax(number, a.lconst(0)), a.lconst(self._constant_count - 1))
        word = a.imul(number, a.lconst(len(COMPONENTS)))
        return self._lanes.constant_at(a.iadd(word, a.lconst(component)))

    # --- Textures -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _swizzled(swizzle: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The components that a swizzle names, each once, and the place of each of its four among them."""
    components = components_of(swizzle)
    distinct = tuple(dict.fromkeys(components))
    return distinct, tuple(distinct.index(component) for component in components)


@lru_cache(maxsize=4096)
def _name(type: int, number: int, component: int) -> str:
    """The variable of a register's component."""
    return f"{type}.{number}.{component}"
