"""Whether machine code computes what its source says, by a few draws: the verdict on a compilation.

Each draw runs both sides on one lane.  Outputs must have the same element, or, where constants were rounded and
functions approximated, floats as near as the format allows.  Where they are farther apart the source is run again with
inputs moved by a rounding: if that moves its result as much, the draw says nothing, and another one is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from compiler.artifact import Binding, Location, Reflection, Verdict
from compiler.execution.machine_code import MachineCode, Make, Outputs, Slot
from compiler.ir.variables import PREAMBLE, Variable
from compiler.proof.draw import Draw, Part, home
from compiler.proof.lanes import ProofLanes, run_program
from compiler.proof.numbers import MachineStopped, Number, Redraw, Unsupported, number_of
from compiler.proof.operations import Decisions, MovedOperations, ProofOperations, SourceOperations
from compiler.proof.quad import Lane, Quad
from compiler.proof.reference import Corner, Reference
from compiler.proof.registers import COMPONENTS, Registers, parts
from compiler.proof.shown import shown_inputs, shown_tests
from compiler.proof.snapshot import Snapshot
from compiler.proof.words import WORDS, as_share

#: Draws of a quick and of a full proof, and how many may be thrown away for each that counts.
QUICK, FULL, THROWN_AWAY = 1, 64, 8
#: How often the source is run with inputs moved a little before something differs.
NUDGES = 10
#: Roundings of the machine that may lie between results that are near.
NEARNESS = 64
#: Places of a program, and instructions of its source, that a run may come to.
LIMIT = 200_000
#: Of a position, in front of its w.
_Z = 2
#: The bit of a lane's number that tells the rows of a quad apart.
_UPPER = 2
#: By how much a byte may round what it stands for.
_HALF_BYTE = 0.5 / 255.0


class _Differs(Exception):
    """What differs, in words; and the draw that shows it."""

    def __init__(self, what: str, notes: Sequence[str]) -> None:
        super().__init__(what)
        self.notes = tuple(notes)


def prove(
    source: Snapshot,
    reflection: Reflection,
    code: MachineCode,
    draws: int = QUICK,
    steps: int = LIMIT,
    reads: Collection[Part] | None = None,
    preamble: Snapshot | None = None,
) -> Verdict:
    """The verdict on the program of a register map, made of a module that the front end has left.

    What the host computes of uniforms, it computes by `preamble`.  Of the varyings of a vertex stage those in `reads`
    count, which the linked stage reads; all without it.
    """
    done, seed = 0, 0
    gaps: list[float] = []
    try:
        while done < draws:
            if seed >= draws * THROWN_AWAY:
                return Verdict("unknown", "inputs lie on edges too often", draws=done)
            seed += 1
            try:
                gaps += _Comparison(source, reflection, code, seed, steps, preamble).gaps(reads)
            except Redraw:
                continue
            done += 1
    except Unsupported as reason:
        return Verdict("unknown", str(reason), draws=done)
    except _Differs as difference:
        return Verdict("differs", str(difference), seed, draws=done, notes=difference.notes)
    return Verdict("near" if gaps else "equal", distance=max(gaps, default=0.0), draws=done)


#: A component of a register, and what the register map says is in it.
Place = tuple[Slot, Part, Binding, Location]


class _Check(NamedTuple):
    """A result, and what a run of the source wants it to be."""

    name: str
    found: Number | None
    wanted: Callable[[Reference], Number | None]
    #: By how much the machine's format may round it.
    step: float


class _Comparison:
    """One draw."""

    def __init__(
        self,
        source: Snapshot,
        reflection: Reflection,
        code: MachineCode,
        seed: int,
        steps: int,
        preamble: Snapshot | None,
    ) -> None:
        self._snapshot = source
        self._module = source.module
        self._reflection = reflection
        self._code = code
        self._seed = seed
        self._steps = steps
        self._preamble = preamble
        #: What differs between the lanes of a quad.
        self._varying = {
            v.name
            for v in source.module.variables.values()
            if v.storage in ("varying", "attribute", "input") and not v.is_flat
        }
        self._limits = code.limits(source.module)
        #: Lane, and how its inputs are moved -> values, which both sides read.
        self._draws: dict[tuple[int, float, int], Draw] = {}
        decisions = Decisions()
        self._source = self._run_source(partial(SourceOperations, decisions, code.rounding))
        try:
            self._machine = Quad(partial(self._run_machine, decisions)).run(self._machine_lane(home(seed)))
        except MachineStopped as stop:
            raise self._differs(f"the machine stops: {stop}") from None

    def _differs(self, what: str) -> _Differs:
        draw = self._draw(home(self._seed))
        return _Differs(what, [*shown_inputs(self._reflection, draw), *shown_tests(self._source.path)])

    def _run_machine(self, decisions: Decisions, lane: Lane) -> Outputs:
        draw = self._draw(self._machine_lane(lane.number))
        operations = ProofOperations(decisions, self._code.rounding, lane)
        hosted = {} if self._preamble is None else self._hosted(self._preamble, draw, operations)
        lanes = ProofLanes(self._code, Registers(self._reflection, self._module, draw, hosted), draw, operations)
        run_program(self._code.make(lanes), lane, self._steps)
        return lanes.outputs

    def _run_source(
        self, operations: Callable[[Lane], SourceOperations], nudge: float = 0.0, way: int = 0
    ) -> Reference:
        def run(lane: Lane) -> Reference:
            draw = self._draw(lane.number, nudge, way)
            code = self._code
            source = Reference(self._snapshot, draw, operations(lane), self._steps, code.lookup, code.largest)
            source.run()
            return source

        return Quad(run).run(home(self._seed))

    def _machine_lane(self, number: int) -> int:
        """The machine's number of a lane, and back."""
        return number ^ _UPPER if self._code.rows_down else number

    def _draw(self, number: int, nudge: float = 0.0, way: int = 0) -> Draw:
        found = self._draws.get((number, nudge, way))
        if found is None:
            found = Draw(self._seed, nudge, way, number, self._varying, self._limits)
            self._draws[number, nudge, way] = found
        return found

    def _hosted(self, preamble: Snapshot, draw: Draw, operations: ProofOperations) -> dict[Part, Number | int]:
        """What the host computes before the code runs."""
        host = Reference(preamble, draw, operations, self._steps)
        host.run(PREAMBLE)
        return {
            Part(variable.name, element, column, component): value
            for (variable, element, column), values in host.memory.items()
            for component, value in enumerate(values)
        }

    def _nudged(self, way: int, bound: float = 0.0) -> Reference:
        """The source where inputs and functions, and of a fixed point all results, are moved by a few roundings."""
        scale = 1 << way % 5
        rounding, step, decisions = self._code.rounding * scale, (self._code.step + bound) * scale, Decisions()
        return self._run_source(lambda lane: MovedOperations(decisions, rounding, lane, step, way), rounding, way)

    def gaps(self, reads: Collection[Part] | None) -> list[float]:
        """How far floats are apart where elements differ; raises where a result differs."""
        places = [*parts(self._reflection.outputs)]
        if self._reflection.stage == "fragment":
            discarded = self._source.discarded
            if discarded != self._code.discarded(self._machine):
                if any(self._nudged(way, self._code.bound).discarded != discarded for way in range(NUDGES)):
                    raise Redraw
                raise self._differs(f"the source {'discards' if discarded else 'keeps'} the pixel")
            if discarded:
                return []
        else:
            varyings = parts(self._reflection.varyings)
            places += [place for place in varyings if reads is None or place[1] in reads]
        self._require_places({part for _, part, *_ in places}, reads)
        found = [self._gap(check) for check in self._checks(places)]
        return [gap for gap in found if gap is not None]

    def _require_places(self, placed: Collection[Part], reads: Collection[Part] | None) -> None:
        """Require a place for all that the source leaves, and a source of all that has one."""
        named = self._module.variables
        for part in placed:
            if part.name not in named:
                raise Unsupported(f"{part.name}, which is not in the source")
        if self._reflection.stage not in ("vertex", "fragment"):
            return
        # Machines without alpha have no place for one component.
        known = {part[:3] for part in placed}
        wanted = None if reads is None else {part[:3] for part in reads}
        for variable, element, column in self._source.memory:
            place = variable.name, element, column
            is_result = variable.storage == "varying" or variable.role == "frag_color"
            if is_result and place not in known and (wanted is None or place in wanted):
                raise self._differs(f"{variable.name} (element {element}, column {column}) is in no register")

    def _checks(self, places: Collection[Place]) -> Iterator[_Check]:
        """All results: of a geometry shader those of every corner of its triangles."""
        if self._reflection.stage != "geometry":
            yield from self._stored(places, self._machine)
            yield from self._derived()
            return
        triangles = self._code.triangles(self._machine)
        turns, wanted = [is_turned for is_turned, _ in triangles], _turns(self._source)
        if turns != wanted:
            if any(_turns(self._nudged(way)) != wanted for way in range(NUDGES)):
                raise Redraw
            raise self._differs(f"triangles are turned {turns}, in the source {wanted}")
        for number, (_, corners) in enumerate(triangles):
            for slot, outputs in enumerate(corners):
                yield from self._stored(places, outputs, Corner(number, slot))

    def _stored(self, places: Iterable[Place], outputs: Outputs, corner: Corner | None = None) -> Iterator[_Check]:
        """What slots have of outputs."""
        for slot, part, binding, location in places:
            is_byte = location.transform == "unorm8"
            if is_byte and binding.kind != "float":
                raise Unsupported("integers that are stored as colours")
            found = self._code.output(slot, outputs)
            step = max(_HALF_BYTE, self._code.bound) if is_byte and isinstance(found, int) else 0.0
            wanted = partial(self._wanted, slot, part, is_byte, corner)
            yield _Check(_spelled(part, corner), _read(found, binding.kind, is_byte), wanted, step)

    def _derived(self) -> Iterator[_Check]:
        """What the chip reads of a position."""
        variable = next((v for v in self._module.outputs() if v.role == "position"), None)
        if variable is not None:
            for name, found, make, step in self._code.position(self._machine):
                yield _Check(name, found, partial(_made, make, variable), step)

    def _gap(self, check: _Check) -> float | None:
        """How far the floats of one result are apart; None where its elements are the same, or nothing is wanted."""
        wanted, found = check.wanted(self._source), check.found
        # What comes of an overflow, or of a division by zero, GLSL leaves to the machine.
        if wanted is None or not math.isfinite(wanted.value):
            return None
        if found is None:
            raise self._differs(f"{check.name} is never written")
        # 0 * NaN has the element of 0.
        if found.element == wanted.element and math.isfinite(found.value) == math.isfinite(wanted.value):
            return None
        gap, nearness = _gap(found.value, wanted.value), NEARNESS * self._code.rounding
        if check.step and abs(found.value - wanted.value) <= check.step + nearness * max(1.0, abs(wanted.value)):
            return None if self._code.bound <= _HALF_BYTE else gap
        if gap <= nearness:
            return gap
        for way in range(NUDGES):
            moved = check.wanted(self._nudged(way))
            if moved is None or not _gap(moved.value, wanted.value) * 4 < gap:
                raise Redraw
        raise self._differs(f"{check.name} is {found.value}, in the source {wanted.value}")

    def _wanted(self, slot: Slot, part: Part, is_byte: bool, corner: Corner | None, source: Reference) -> Number | None:
        """What a slot is to have of what the source leaves in a part of an output; None where it has no such part."""
        variable = self._module.variables.get(part.name)
        column = () if variable is None else source.output(variable, part.element, part.column, corner)
        if part.component >= len(column):
            return None
        value = column[part.component]
        if self._code.depth_from_zero and variable is not None and variable.role == "position" and part.component == _Z:
            value = source.a.fmul(source.a.fadd(value, column[_Z + 1]), number_of(0.5))
        found: Number = self._code.stored(
            source.a, slot, value if isinstance(value, Number) else number_of(float(value))
        )
        return _limited(found) if is_byte else found


def _made(make: Make, position: Variable, source: Reference) -> Number:
    found: Number = make(source.a, source.output(position, 0, 0))
    return found


def _read(left: Any, kind: str, is_byte: bool) -> Number | None:
    """What an output is as a number."""
    if left is None or isinstance(left, Number):
        return left
    if is_byte:
        return as_share(left)
    return WORDS.number(left) if kind == "float" else number_of(float(left))


def _limited(x: Number) -> Number:
    """A number as a byte can have it."""
    return x if not x.value <= 0.0 and not x.value >= 1.0 else number_of(float(x.value > 0.0))


def _gap(found: float, wanted: float) -> float:
    """How far two floats are apart, in parts of the second one or of 1."""
    if found == wanted:
        return 0.0
    gap = abs(found - wanted) / max(1.0, abs(wanted))
    return gap if gap == gap else math.inf


def _turns(source: Reference) -> list[bool]:
    """Of each triangle whether it is turned."""
    return [is_turned for is_turned, _ in source.triangles]


def _spelled(part: Part, corner: Corner | None) -> str:
    place = "" if corner is None else f" of corner {corner.slot} of triangle {corner.triangle}"
    return f"{part.name} (element {part.element}, column {part.column}).{COMPONENTS[part.component]}{place}"
