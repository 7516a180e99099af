"""Linked stages as one, from what vertices are given to what comes out: linking may have moved work between them.

In each draw the source and the code of the vertex stage run for the corners of a primitive, each with values of its
own.  What they leave is interpolated, on both sides by the same weights: random elements that add up to 1.  The second
stage of the source finds that by the names of varyings, that of the code by the wires between registers.  So it does
not matter which of the stages computes what.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from glslc_multi.compiler.artifact import Binding, Verdict
from glslc_multi.compiler.execution.machine_code import Slot
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.primitive import primitive_of
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.window import VIEWPORT
from glslc_multi.compiler.proof.compare import Comparison, Given, MakeOperations, Stage, verdict_of
from glslc_multi.compiler.proof.draw import Draw, Part
from glslc_multi.compiler.proof.field import PRIME, oracle
from glslc_multi.compiler.proof.numbers import UNDEFINED, Number, Unsupported, Work, defined, number_of
from glslc_multi.compiler.proof.operations import Decisions, ProofOperations
from glslc_multi.compiler.proof.reference import Reference
from glslc_multi.compiler.proof.registers import parts
from glslc_multi.compiler.proof.words import WORDS

#: Of a line: what lies between two vertices is as random as what lies between three.  The last one gives its values to
#: varyings that are flat.
_CORNERS = 2
#: What the first corner has at least of a value, how much more in some draws, and in other lanes of a quad.
_LEAST, _MORE, _SLOPE = 0.2, 0.2, 0.05
_Z, _W = 2, 3
_HALF = number_of(0.5)


def prove_linked(
    first: Stage, second: Stage, draws: int, steps: int, lent: Collection[str] = (), *, keeps_flat: bool = True
) -> Verdict:
    """The verdict on a vertex stage and the fragment or geometry stage that was linked with it.

    `lent` are names of uniforms that code has beside those of its source.  A machine that does not keep what is flat
    interpolates it, too, which is right where it is the same at all corners.
    """
    lent = {*lent, *(each.name for each in first.reflection.uniforms if each.name.startswith(VIEWPORT))}
    limits = {**first.code.limits(first.module), **second.code.limits(second.module)}
    is_fragment = second.module.stage == "fragment"
    work = Work(steps * draws)

    def gaps(seed: int) -> list[float]:
        made = partial(Comparison, seed=seed, work=work, decisions=Decisions(), lent=lent, limits=limits)
        corners = [made(first, corner=n) for n in range(_CORNERS if is_fragment else _vertices_of(second.module))]
        before = Line(corners, second, seed, keeps_flat) if is_fragment else Primitive(corners, second)
        end = made(second, before=before)
        return [gap for each in corners for gap in each.gaps(())] + end.gaps(None)

    return verdict_of(gaps, draws)


def _vertices_of(geometry: Module) -> int:
    primitive = primitive_of(geometry.pragmas)
    if primitive is None or primitive.kind != "point":
        raise Unsupported("vertices in the memory of a geometry shader")
    return primitive.vertices


class _Vertices:
    """What the corners of a primitive leave."""

    def __init__(self, corners: Sequence[Comparison], stage: Stage) -> None:
        self._corners = corners
        self._stage = stage

    def notes(self) -> list[str]:
        """The values of each corner."""
        return [f"at corner {number}, {line}" for number, corner in enumerate(self._corners) for line in corner.notes()]

    def _sources(self, operations: MakeOperations, nudge: float, way: int) -> list[Reference]:
        if not nudge:
            return [corner.source for corner in self._corners]
        return [corner.run_source(operations, nudge, way) for corner in self._corners]

    def _left(self, bindings: Sequence[Binding], wire: Callable[[Slot], Hashable]) -> list[dict[Hashable, Any]]:
        """What the code of each corner leaves, by what brings it to the other stage."""
        code, places = self._corners[0].stage.code, [*parts(bindings)]
        return [
            {wire(slot): _word(code.output(slot, corner.machine), binding.kind) for slot, _, binding, _ in places}
            for corner in self._corners
        ]


class Primitive(_Vertices):
    """What a geometry shader gets: all vertices, one after the other."""

    def of_source(self, operations: MakeOperations, nudge: float, way: int) -> Given:
        sources = self._sources(operations, nudge, way)
        found: dict[Part, Number | int] = {}
        written = {("gl_PositionIn" if v.role == "position" else v.name): v for v in sources[0].written}
        for variable in self._stage.module.variables.values():
            other = written.get(variable.name)
            if variable.storage != "input" or other is None:
                continue
            for element, source in enumerate(sources):
                for column in range(variable.columns):
                    values = [*map(defined, source.output(other, 0, column))]
                    found |= {Part(variable.name, element, column, c): x for c, x in enumerate(values)}
        return lambda lane: found

    def of_machine(self, operations: ProofOperations, lane: int) -> Mapping[Slot, Any]:
        reflection, before = self._stage.reflection, self._corners[0].stage.reflection
        count = int((reflection.host_state or {})["geometry_stride"]) // len(self._corners)
        left = self._left((*before.outputs, *before.varyings), lambda slot: (slot.number, slot.component))
        found: dict[Slot, Any] = {}
        for slot, *_ in parts(reflection.inputs):
            corner, number = divmod(slot.number, count)
            found[slot] = left[corner].get((number, slot.component), UNDEFINED)
        return found


class Line(_Vertices):
    """What a fragment shader gets: values between those of two vertices."""

    def __init__(self, corners: Sequence[Comparison], stage: Stage, seed: int, keeps_flat: bool) -> None:
        super().__init__(corners, stage)
        self._seed = seed
        self._keeps_flat = keeps_flat

    # --- The source ---------------------------------------------------------------------------------------------------

    def of_source(self, operations: MakeOperations, nudge: float, way: int) -> Given:
        sources = self._sources(operations, nudge, way)

        def given(lane: int) -> Mapping[Part, Number | int]:
            a = sources[0].a
            weights = _Weights(a, self._seed, lane, [_position(source) for source in sources])
            found: dict[Part, Number | int] = {}
            for variable in self._stage.module.variables.values():
                other = sources[0].variable(variable.name)
                if variable.storage == "varying" and other is not None:
                    found |= self._between(variable, other, sources, weights)
            if nudge:
                found = {part: _moved(x, self._stage.code.grain, way, part) for part, x in found.items()}
            return found | self._window(a, weights)

        return given

    def _between(
        self, variable: Variable, other: Variable, sources: Sequence[Reference], weights: _Weights
    ) -> Mapping[Part, Number | int]:
        found: dict[Part, Number | int] = {}
        is_flat = variable.is_flat and self._keeps_flat
        for element in range(variable.length):
            for column in range(variable.columns):
                corners = [[*map(defined, source.output(other, element, column))] for source in sources]
                for component, values in enumerate(zip(*corners, strict=True)):
                    part = Part(variable.name, element, column, component)
                    found[part] = values[-1] if is_flat else weights.value(values, variable.interpolation)
        return found

    def _window(self, a: ProofOperations, weights: _Weights) -> dict[Part, Number | int]:
        """gl_FragCoord, where the vertex stage passes what it is made of."""
        first = self._corners[0].stage
        passes_all = bool(self._stage.code.passed)
        if not passes_all and VIEWPORT not in {binding.name for binding in first.reflection.uniforms}:
            return {}
        draw = Draw(self._seed)
        half, centre = ([draw.number(Part(VIEWPORT, 0, 0, 2 * k + c)) for c in range(2)] for k in range(2))
        clip = weights.clip()
        place = [a.fadd(a.fmul(a.fdiv(clip[c], clip[_W]), half[c]), centre[c]) for c in range(2)]
        found: dict[Part, Number | int] = {Part("gl_FragCoord", 0, 0, c): x for c, x in enumerate(place)}
        found[Part("gl_FragCoord", 0, 0, _W)] = a.fdiv(number_of(1.0), clip[_W])
        if passes_all:
            depth = clip[_Z]
            if first.code.depth_from_zero:
                depth = a.fmul(a.fadd(depth, clip[_W]), _HALF)
            found[Part("gl_FragCoord", 0, 0, _Z)] = a.fdiv(depth, clip[_W])
        return found

    # --- The code -----------------------------------------------------------------------------------------------------

    def of_machine(self, operations: ProofOperations, lane: int) -> Mapping[Slot, Any]:
        a, code, reflection = operations, self._stage.code, self._stage.reflection
        first = self._corners[0].stage
        corners = self._left(first.reflection.varyings, first.code.wire)
        weights = _Weights(a, self._seed, lane, [_position(corner.source) for corner in self._corners])
        ways = reflection.interpolation or {}
        found: dict[Slot, Any] = {}
        for slot, part, *_ in parts(reflection.varyings):
            values = [corner.get(code.wire(slot)) for corner in corners]
            if any(value is None for value in values):
                found[slot] = UNDEFINED
            elif code.is_flat(slot):
                found[slot] = values[-1]
            else:
                numbers = [code.at_corner(a, slot, _word(x, "float")) for x in values]
                found[slot] = weights.value(numbers, ways.get(part.name, ""))
        return found


class _Weights:
    """Where a pixel lies between two corners: what it has of each of them."""

    def __init__(self, a: ProofOperations, seed: int, lane: int, positions: Sequence[Sequence[Number]]) -> None:
        self._a = a
        self._positions = positions
        share = _weight(seed, lane)
        self._smooth = [share, a.fsub(number_of(1.0), share)]

    def value(self, values: Sequence[Any], interpolation: str) -> Number | int:
        """What is between values of corners; ints, which should be equal, are the nearest one."""
        if any(not isinstance(x, Number) for x in values):
            between = self._sum(self._smooth, [number_of(float(x)) for x in values])
            return self._a.ftoi(self._a.ffloor(self._a.fadd(between, _HALF)))
        return self._sum(self._linear() if interpolation == "noperspective" else self._smooth, values)

    def clip(self) -> list[Number]:
        """The position."""
        return [self._sum(self._smooth, values) for values in zip(*self._positions, strict=True)]

    def _linear(self) -> list[Number]:
        """The weights on the screen."""
        a = self._a
        shares = [a.fmul(weight, position[_W]) for weight, position in zip(self._smooth, self._positions, strict=True)]
        return [a.fdiv(share, a.fadd(*shares)) for share in shares]

    def _sum(self, weights: Sequence[Number], values: Sequence[Number]) -> Number:
        a = self._a
        return a.fadd(*(a.fmul(weight, value) for weight, value in zip(weights, values, strict=True)))


def _weight(seed: int, lane: int) -> Number:
    share, slope = (oracle("weight", seed, *place) for place in ((), (lane,)))
    return Number(_LEAST + _MORE * share / PRIME + _SLOPE * slope / PRIME, slope)


def _position(source: Reference) -> Sequence[Number]:
    variable = next((v for v in source.written if v.role == "position"), None)
    return [UNDEFINED] * 4 if variable is None else source.output(variable, 0, 0)


def _moved(x: Number | int, grain: float, way: int, part: Part) -> Number | int:
    """A value as a chip may round it."""
    if isinstance(x, Number) and grain:
        return Number(x.value + grain * (1 if oracle(way, *part) & 1 else -1), x.element)
    return x


def _word(left: Any, kind: str) -> Any:
    """What a slot has, as a number where it is one."""
    return WORDS.number(left) if kind == "float" and isinstance(left, int) else left
