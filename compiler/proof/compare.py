"""Whether machine code computes what its source says, by a few draws: the verdict on a compilation.

Each draw runs both sides on one lane.  Outputs must have the same element, or, where constants were rounded and
functions approximated, floats as near as the format allows.  Where they are farther apart the source is run again with
inputs moved by a rounding: if that moves its result as much, the draw says nothing, and another one is made.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from glslc_multi.compiler.artifact import Binding, Location, Reflection, Verdict
from glslc_multi.compiler.execution.machine_code import MachineCode, Make, Outputs, Slot
from glslc_multi.compiler.execution.program import LaneProgram
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.proof.draw import Draw, Limits, Part, Texels, home
from glslc_multi.compiler.proof.lanes import ProofLanes, run_program
from glslc_multi.compiler.proof.numbers import (
    BEYOND,
    MAGNIFIED,
    MachineStopped,
    Number,
    Redraw,
    Undefined,
    Unsupported,
    Work,
    number_of,
)
from glslc_multi.compiler.proof.operations import Decisions, MovedOperations, ProofOperations, SourceOperations
from glslc_multi.compiler.proof.quad import Lane, Quad
from glslc_multi.compiler.proof.reference import Corner, Reference
from glslc_multi.compiler.proof.registers import Registers, parts
from glslc_multi.compiler.proof.shown import shown_inputs, shown_tests
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.proof.wave import Wave
from glslc_multi.compiler.proof.words import WORDS, as_share

#: Draws of a quick and of a full proof, and how many may be thrown away for each that counts.
QUICK, FULL, THROWN_AWAY = 1, 64, 8
#: How often the source is run with inputs moved a little before something differs: of 200,000 draws of real shaders,
#: ten left one where noise that a product magnifies turned a floor.
NUDGES = 40
#: The same to see how far roundings move what lies between vertices.
_GRAIN_NUDGES = 10
#: Roundings of the machine that may lie between results that are near.
NEARNESS = 64
#: Places of a program, and instructions of its source, that may be run for each draw that counts.
LIMIT = 200_000
#: How much more than roundings of some draws roundings may do.
_GRAINS = 2.0
#: Of a position, in front of its w.
_Z = 2
#: What sets inputs of another lane of the wave apart, as those of corners are.
_BESIDE = -1
#: The bit of a lane's number that tells the rows of a quad apart.
_UPPER = 2
#: By how much a byte may round what it stands for.
_HALF_BYTE = 0.5 / 255.0
_NONE: Mapping[Part, Number | int] = MappingProxyType({})


class Differs(Exception):
    """What differs, in words; and the draw that shows it."""

    def __init__(self, what: str, notes: Sequence[str]) -> None:
        super().__init__(what)
        self.notes = tuple(notes)


def prove(stage: Stage, draws: int = QUICK, steps: int = LIMIT, reads: Collection[Part] | None = None) -> Verdict:
    """The verdict on one stage.

    Of the varyings of a vertex stage those in `reads` count, which the linked stage reads; all without it.
    """
    work = Work(steps * draws)
    return verdict_of(lambda seed: Comparison(stage, seed, work, Decisions()).gaps(reads), draws)


def verdict_of(gaps_of: Callable[[int], Sequence[float]], draws: int) -> Verdict:
    """The verdict on so many draws, by seed, of which each says how far floats are apart."""
    done, seed = 0, 0
    gaps: list[float] = []
    reasons: Counter[str] = Counter()
    try:
        while done < draws:
            if seed >= draws * THROWN_AWAY:
                ((reason, _),) = reasons.most_common(1)
                return Verdict("unknown", f"too few draws count: {reason}", draws=done)
            seed += 1
            try:
                gaps += gaps_of(seed)
            except Redraw as redraw:
                reasons[str(redraw)] += 1
                continue
            done += 1
    except Unsupported as reason:
        return Verdict("unknown", str(reason), draws=done)
    except Differs as difference:
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


class Stage(NamedTuple):
    """A shader, and what became of it; what the host computes of uniforms, it computes by `preamble`."""

    source: Snapshot
    reflection: Reflection
    code: MachineCode
    preamble: Snapshot | None = None

    @property
    def module(self) -> Module:
        """The interface of the source."""
        return self.source.module


#: Makes the source's arithmetic of a lane.
MakeOperations = Callable[[Lane], SourceOperations]
#: Values by part, in a lane.
Given = Callable[[int], Mapping[Part, Number | int]]


class Before(Protocol):
    """The stage before, which brings inputs."""

    def of_source(self, operations: MakeOperations, nudge: float, way: int) -> Given:
        """What the source of the stage before leaves to each lane."""

    def of_machine(self, operations: ProofOperations, lane: int) -> Mapping[Slot, Any]:
        """What its code leaves in the slots of a lane, which has that number in the source."""

    def notes(self) -> list[str]:
        """Where that comes from."""


class Comparison:
    """One draw; of vertices each corner of a primitive has its own."""

    def __init__(
        self,
        stage: Stage,
        seed: int,
        work: Work,
        decisions: Decisions,
        lent: Collection[str] = (),
        *,
        corner: int = 0,
        before: Before | None = None,
        limits: Limits = MappingProxyType({}),
    ) -> None:
        self.stage = stage
        self._module = stage.module
        _, self._reflection, self._code, self._preamble = stage
        self._seed = seed
        self._work = work
        self._corner = corner
        self._before = before
        self._decisions = decisions
        #: Uniforms that code may read beside those of its source.
        self._lent = lent
        #: What differs between the lanes of a quad.
        self._varying = {
            v.name
            for v in self._module.variables.values()
            if v.storage in ("varying", "attribute", "input") and not v.is_flat
        }
        self._limits = {**self._code.limits(self._module), **limits}
        #: Lane -> its values, which both sides read where there is no stage before.
        self._draws: dict[int, Draw] = {}
        self._texels: Texels | None = {} if self._code.grain else None
        operations = partial(SourceOperations, decisions, self._code.rounding)
        self.source = self.run_source(operations, texels=self._texels)

    @cached_property
    def machine(self) -> Outputs:
        """What the code hands out."""
        try:
            return Quad(self._run_machine).run(self._machine_lane(home(self._seed)))
        except MachineStopped as stop:
            raise self._differs(f"the machine stops: {stop}") from None

    def _differs(self, what: str) -> Differs:
        before = [] if self._before is None else self._before.notes()
        return Differs(what, [*self.notes(), *before, *shown_tests(self.source.path)])

    def notes(self) -> list[str]:
        """The inputs that the source has."""
        return shown_inputs(self._reflection, self.source.draw, self._module.variables)

    def _run_machine(self, lane: Lane) -> Outputs:
        number = self._machine_lane(lane.number)
        draw = self._draw(number)
        operations = ProofOperations(self._decisions, self._code.rounding, lane)
        hosted = {} if self._preamble is None else self._hosted(self._preamble, draw, operations)
        wired = {} if self._before is None else self._before.of_machine(operations, number)
        registers = Registers(self._reflection, self._module, draw, hosted, wired, self._lent)
        lanes = ProofLanes(self._code, registers, draw, operations)
        program = self._code.make(lanes)
        # What the stage before leaves to other lanes is not known.
        is_alone = program.lanes_part or self._before is not None
        wave = None if is_alone else Wave(partial(self._program_beside, hosted))
        run_program(program, lane, self._work, wave)
        return lanes.outputs

    def _program_beside(self, hosted: Mapping[Part, Number | int]) -> LaneProgram[Any]:
        """Return the program on another lane of the wave, far from the quad of the one that is compared."""
        number = home(self._seed)
        draw = Draw(self._seed, 0.0, 0, number, self._varying, self._limits, _BESIDE)
        lane = Lane(Quad(self._run_machine), number, is_alone=True)
        operations = ProofOperations(Decisions(), self._code.rounding, lane)
        registers = Registers(self._reflection, self._module, draw, hosted, lent=self._lent)
        return self._code.make(ProofLanes(self._code, registers, draw, operations))

    def run_source(
        self,
        operations: MakeOperations,
        nudge: float = 0.0,
        way: int = 0,
        texels: Texels | None = None,
    ) -> Reference:
        """The source's run on the lane that is compared; `texels` are what lookups yield, by element."""
        given = None if self._before is None else self._before.of_source(operations, nudge, way)

        def run(lane: Lane) -> Reference:
            is_plain = given is None and texels is None and not nudge
            draw = self._draw(lane.number) if is_plain else self._moved_draw(lane.number, nudge, way, given, texels)
            code = self._code
            source = Reference(self.stage.source, draw, operations(lane), self._work, code.lookup, code.largest)
            source.run()
            return source

        return Quad(run).run(home(self._seed))

    def _machine_lane(self, number: int) -> int:
        """The machine's number of a lane, and back."""
        return number ^ _UPPER if self._code.rows_down else number

    def _draw(self, number: int) -> Draw:
        found = self._draws.get(number)
        if found is None:
            found = self._draws[number] = self._moved_draw(number)
        return found

    def _moved_draw(
        self,
        number: int,
        nudge: float = 0.0,
        way: int = 0,
        given: Given | None = None,
        texels: Texels | None = None,
    ) -> Draw:
        passed = _NONE if given is None else given(number)
        return Draw(self._seed, nudge, way, number, self._varying, self._limits, self._corner, passed, texels)

    def _hosted(self, preamble: Snapshot, draw: Draw, operations: ProofOperations) -> dict[Part, Number | int]:
        """What the host computes before the code runs."""
        host = Reference(preamble, draw, operations, self._work)
        host.run(PREAMBLE)
        return {
            Part(variable.name, element, column, component): value
            for (variable, element, column), values in host.memory.items()
            for component, value in enumerate(values)
        }

    def _nudged(self, way: int, bound: float = 0.0, texels: Texels | None = None) -> Reference:
        """The source where inputs and functions, and of a fixed point all results, are moved by a few roundings."""
        scale = 1 << way % 5
        rounding, step, decisions = self._code.rounding * scale, (self._code.step + bound) * scale, Decisions()
        return self.run_source(
            lambda lane: MovedOperations(decisions, rounding, lane, step, way), rounding, way, texels
        )

    def gaps(self, reads: Collection[Part] | None) -> list[float]:
        """How far floats are apart where elements differ; raises where a result differs."""
        places = [*parts(self._reflection.outputs)]
        if self._reflection.stage == "fragment":
            discarded = self.source.discarded
            if discarded != bool(self._code.discarded(self.machine)):
                if any(self._nudged(way, self._code.bound).discarded != discarded for way in range(NUDGES)):
                    raise Redraw(MAGNIFIED)
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
        for variable, element, column in self.source.memory:
            place = variable.name, element, column
            is_result = variable.storage == "varying" or variable.role == "frag_color"
            if is_result and place not in known and (wanted is None or place in wanted):
                raise self._differs(f"{variable.name} (element {element}, column {column}) is in no register")

    def _checks(self, places: Collection[Place]) -> Iterator[_Check]:
        """All results: of a geometry shader those of every corner of its triangles."""
        if self._reflection.stage != "geometry":
            yield from self._stored(places, self.machine)
            yield from self._derived()
            return
        triangles = self._code.triangles(self.machine)
        turns, wanted = [is_turned for is_turned, _ in triangles], _turns(self.source)
        if turns != wanted:
            if any(_turns(self._nudged(way)) != wanted for way in range(NUDGES)):
                raise Redraw(MAGNIFIED)
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
            for name, found, make, step in self._code.position(self.machine):
                yield _Check(name, found, partial(_made, make, variable), step)

    def _gap(self, check: _Check) -> float | None:
        """How far the floats of one result are apart; None where its elements are the same, or nothing is wanted."""
        wanted, found = check.wanted(self.source), check.found
        # What comes of an overflow, or of a division by zero, GLSL leaves to the machine.
        if wanted is None or not math.isfinite(wanted.value):
            return None
        if abs(wanted.value) > self._code.largest.get("float", math.inf):
            raise Redraw(BEYOND)
        if found is None:
            raise self._differs(f"{check.name} is never written")
        # 0 * NaN has the element of 0.
        if found.element == wanted.element and math.isfinite(found.value) == math.isfinite(wanted.value):
            return None
        gap, nearness = relative_gap(found.value, wanted.value), NEARNESS * self._code.rounding
        if check.step and abs(found.value - wanted.value) <= check.step + nearness * max(1.0, abs(wanted.value)):
            return None if self._code.bound <= _HALF_BYTE else gap
        if gap <= nearness or self._is_grain(check, gap - nearness):
            return gap
        for way in range(NUDGES):
            moved = check.wanted(self._nudged(way))
            if moved is None or not relative_gap(moved.value, wanted.value) * 4 < gap:
                raise Redraw(MAGNIFIED)
        raise self._differs(f"{check.name} is {found.value}, in the source {wanted.value}")

    def _is_grain(self, check: _Check, gap: float) -> bool:
        """Whether what lies between vertices moves a result so far by being rounded, beside the bound."""
        if self._before is None or not self._code.grain:
            return False
        wanted = check.wanted(self.source)
        # Lookups are at exact places.
        moved = [check.wanted(self._nudged(way, self._code.bound, self._texels)) for way in range(_GRAIN_NUDGES)]
        if wanted is None or any(each is None for each in moved):
            return False
        most = max(abs(each.value - wanted.value) for each in moved if each is not None)
        return gap <= self._code.bound + _GRAINS * most

    def _wanted(self, slot: Slot, part: Part, is_byte: bool, corner: Corner | None, source: Reference) -> Number | None:
        """Return what a slot is to have of what the source leaves in a part of an output; None where it has no such
        part, or nobody has written it."""
        variable = self._module.variables.get(part.name)
        column = () if variable is None else source.output(variable, part.element, part.column, corner)
        if part.component >= len(column):
            return None
        value = column[part.component]
        if isinstance(value, Undefined):
            return None
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


def relative_gap(found: float, wanted: float) -> float:
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
