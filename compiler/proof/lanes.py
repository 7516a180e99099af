"""The engine that proves: a lane of a machine's program, whose numbers are those of `operations.py`.

The third one beside the interpreter over arrays and the translator (`compiler/execution`).  It branches as the floats
say, so that a run is one path; where lanes vote, another one has a say (`wave.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from glslc_multi.compiler.execution.machine_code import Given, MachineCode, Slot
from glslc_multi.compiler.execution.program import Element, Key, LaneProgram, Lanes, Word
from glslc_multi.compiler.proof.draw import Draw
from glslc_multi.compiler.proof.field import oracle
from glslc_multi.compiler.proof.lookups import on_cube
from glslc_multi.compiler.proof.numbers import MachineStopped, Number, Unsupported, Work, number_of
from glslc_multi.compiler.proof.operations import ProofOperations
from glslc_multi.compiler.proof.quad import Lane
from glslc_multi.compiler.proof.registers import Registers
from glslc_multi.compiler.proof.wave import Vote, Wave
from glslc_multi.compiler.proof.words import Bits

_ZEROS: Mapping[Element, Any] = {"i1": False, "i32": 0, "i64": 0, "float": number_of(0.0), "double": number_of(0.0)}


class ProofLanes(Lanes):
    """One lane."""

    operations: ProofOperations

    def __init__(self, code: MachineCode, registers: Registers, draw: Draw, operations: ProofOperations) -> None:
        self.operations = operations
        self._code = code
        self._registers = registers
        self._draw = draw
        self._variables: dict[str, Any] = {}
        self._constants: dict[tuple[int, Element], Any] = {}
        self.outputs: dict[Key, Any] = {}

    # --- Variables ----------------------------------------------------------------------------------------------------

    def read(self, name: str, element: Element = "float", given: Key = None) -> Any:
        found = self._variables.get(name)
        if found is None:
            found = self._variables[name] = self._beginning(element, given)
        return found

    def _beginning(self, element: Element, given: Key) -> Any:
        if isinstance(given, Word):
            return self.constant(given.number, element)
        return _ZEROS[element] if given is None else self.input(given, element)

    def write(self, name: str, value: Any, where: bool | None = None, given: Key = None) -> None:
        if self.mask is not False and where is not False:
            self._variables[name] = value

    # --- Values from outside ------------------------------------------------------------------------------------------

    def input(self, key: Key, element: Element = "float") -> Any:
        return _as_element(self._value(self._code.input(key)), element)

    def _value(self, found: Given) -> Any:
        if isinstance(found, Slot):
            passed = None if found in self._registers.wired else self._code.passed.get(found)
            if passed is None:
                return self._given(found)
            found = passed
        return found(self.operations, self._given) if callable(found) else found

    def _given(self, slot: Slot) -> Any:
        return self._registers.read(slot)

    def constant(self, index: int, element: Element = "float") -> Any:
        found = self._constants.get((index, element))
        if found is None:
            found = _as_element(self._value(self._code.constant(index)), element)
            self._constants[index, element] = found
        return found

    def constant_at(self, index: int, element: Element = "float") -> Any:
        return self.constant(index, element)

    def element(self, key: Key, address: int, count: int, read: Callable[[], Sequence[Any]]) -> Sequence[Any]:
        first = self._code.memory(key, address)
        if first is None:
            return [_ZEROS["float"]] * count
        return [_as_element(self._given(first._replace(component=number)), "float") for number in range(count)]

    def size(self, key: Key) -> int:
        raise Unsupported("bytes of a buffer")

    def load(self, key: Key, address: int, element: Element) -> Any:
        raise Unsupported("bytes of a buffer")

    def lane_numbers(self) -> int:
        return self.operations.lane.number

    # --- Values to the outside ----------------------------------------------------------------------------------------

    def output(self, key: Key, value: Any, element: Element = "float") -> None:
        self.outputs[key] = value

    def append(self, key: Key, value: Any, number: int, where: bool, element: Element = "float") -> None:
        if where:
            self.outputs[key] = [*self.outputs.get(key, ()), value]

    # --- All lanes ----------------------------------------------------------------------------------------------------

    def any(self, mask: bool) -> Vote:
        return Vote(mask)

    def negated(self, condition: Vote) -> Vote:
        return condition.negated()

    def either(
        self, condition: Vote, then: Callable[[], Sequence[Any]], otherwise: Callable[[], Sequence[Any]]
    ) -> Sequence[Any]:
        return then() if condition else otherwise()

    def known(self, value: Any) -> int | None:
        return None if isinstance(value, Number) else int(value)

    # --- Textures -----------------------------------------------------------------------------------------------------

    def sample(
        self,
        texture: int,
        coordinate: Sequence[Number],
        level: Number,
        *,
        by_steps: bool,
        is_cube: bool,
        steps: Sequence[Number] = (),
    ) -> Sequence[Number]:
        sampler = self._registers.samplers.get(self._code.sampler(texture))
        if sampler is None:
            raise Unsupported("a texture that no sampler has")
        place = on_cube(self.operations, coordinate) if is_cube else coordinate
        colour = [_stored(texel) for texel in self._draw.colour(sampler, place, [level, *steps])]
        # A depth is in all channels, and so in the three high bytes of their word.
        return colour[:1] * len(colour) if sampler[0] in self._registers.depths else colour

    # --- Mistakes -----------------------------------------------------------------------------------------------------

    def require(self, mask: bool, reason: str) -> None:
        if not mask:
            self.fault(reason)

    def fault(self, reason: str) -> NoReturn:
        raise MachineStopped(reason)


def _stored(texel: Number) -> Number:
    """Return a texel; textures have numbers, whatever place is asked for, but at no place the texel of the source."""
    return texel if math.isfinite(texel.value) else Number(0.5, oracle("no place", texel.element))


def _as_element(value: Number | float | None, element: Element) -> Any:
    """A register's content in the type that a program reads; what nothing stands in is 0."""
    if value is None:
        return _ZEROS[element]
    if element in ("float", "double"):
        return value if isinstance(value, Number) else number_of(float(value))
    return Bits.of(value) if isinstance(value, Number) else int(value)


def run_program(program: LaneProgram[Any], lane: Lane, work: Work, wave: Wave | None) -> None:
    """Run to the end, beside another lane where lanes vote."""
    place = program.start
    while True:
        work.take(1)
        lane.place = place
        edges = program.step(place)
        if not edges:
            program.finish()
            return
        if wave is not None:
            edges = wave.agree(place, edges)
        place = next(target for target, condition in edges if condition is None or condition)
