"""Whether machine code computes what its source says, by a few draws: the verdict on a compilation.

Each draw runs both sides on one lane.  Outputs must have the same element, or, where constants were rounded and
functions approximated, floats as near as the format allows.  Where they are farther apart the source is run again with
inputs moved by a rounding: if that moves its result as much, the draw says nothing, and another one is made.
"""

from __future__ import annotations

import math
from typing import Literal

from compiler.artifact import Reflection
from compiler.execution.machine_code import MachineCode, Slot
from compiler.ir.module import Module
from compiler.proof.draw import Draw, Part
from compiler.proof.lanes import MachineStopped, ProofLanes, run_program
from compiler.proof.operations import Number, ProofOperations, Redraw, SourceOperations, Unsupported, number_of
from compiler.proof.reference import Reference
from compiler.proof.registers import COMPONENTS, Registers, parts
from compiler.records import dataclass

Outcome = Literal["equal", "near", "differs", "unknown"]
#: Draws of a quick and of a full proof, and how many may be thrown away for each that counts.
QUICK, FULL, THROWN_AWAY = 2, 64, 8
#: How often the source is run with inputs moved a little before something differs.
NUDGES = 10
#: Roundings of the machine that may lie between results that are near.
NEARNESS = 64
#: Places of a program, and instructions of its source, that a run may come to.
LIMIT = 200_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the comparison of a program with its source has shown."""

    outcome: Outcome
    #: Why it is unknown, or what differs.
    reason: str = ""
    #: Seed of the draw that differs.
    seed: int | None = None
    #: The largest difference of what is near, in parts of the result or of 1.
    distance: float = 0.0
    #: How many draws count.
    draws: int = 0


class _Differs(Exception):
    """What differs, in words."""


def prove(module: Module, reflection: Reflection, code: MachineCode, draws: int = QUICK) -> Verdict:
    """The verdict on the program of a register map, made of a module that the front end has left."""
    done, seed = 0, 0
    gaps: list[float] = []
    try:
        while done < draws:
            if seed >= draws * THROWN_AWAY:
                return Verdict("unknown", "inputs lie on edges too often", draws=done)
            seed += 1
            try:
                gaps += _Comparison(module, reflection, code, seed).gaps()
            except Redraw:
                continue
            done += 1
    except Unsupported as reason:
        return Verdict("unknown", str(reason), draws=done)
    except _Differs as difference:
        return Verdict("differs", str(difference), seed, draws=done)
    return Verdict("near" if gaps else "equal", distance=max(gaps, default=0.0), draws=done)


class _Comparison:
    """One draw."""

    def __init__(self, module: Module, reflection: Reflection, code: MachineCode, seed: int) -> None:
        self._module = module
        self._reflection = reflection
        self._code = code
        self._seed = seed
        draw = Draw(seed)
        self._source = self._run_source(draw)
        lanes = ProofLanes(code, Registers(reflection, module, draw), draw, ProofOperations(code.rounding))
        try:
            run_program(code.make(lanes), LIMIT)
        except MachineStopped as stop:
            raise _Differs(f"the machine stops: {stop}") from None
        self._machine = lanes.outputs

    def _run_source(self, draw: Draw) -> Reference:
        source = Reference(self._module, draw, SourceOperations(self._code.rounding), LIMIT)
        source.run()
        return source

    def gaps(self) -> list[float]:
        """How far floats are apart where elements differ; raises where a result differs."""
        bindings = self._reflection.outputs
        if self._reflection.stage == "fragment":
            discarded = bool(self._machine.get(self._code.discarded, False))
            if discarded != self._source.discarded:
                raise _Differs(f"the source {'discards' if self._source.discarded else 'keeps'} the pixel")
            if discarded:
                return []
        else:
            bindings += self._reflection.varyings
        found = [self._gap(slot, part) for slot, part, *_ in parts(bindings)]
        return [gap for gap in found if gap is not None]

    def _gap(self, slot: Slot, part: Part) -> float | None:
        """How far the floats of one output are apart; None where its elements are the same, or nothing is wanted."""
        wanted = self._wanted(self._source, part)
        if wanted is None:
            return None
        found = self._machine.get(self._code.output(slot))
        if not isinstance(found, Number):
            raise _Differs(f"{_spelled(part)} is never written")
        if math.isnan(wanted.value):
            return None
        # 0 * NaN has the element of 0.
        if found.element == wanted.element and math.isfinite(found.value) == math.isfinite(wanted.value):
            return None
        gap = _gap(found.value, wanted.value)
        if gap <= NEARNESS * self._code.rounding:
            return gap
        for way in range(NUDGES):
            nudged = Draw(self._seed, self._code.rounding * (1 << way % 5), way)
            moved = self._wanted(self._run_source(nudged), part)
            if moved is None or not _gap(moved.value, wanted.value) * 4 < gap:
                raise Redraw
        raise _Differs(f"{_spelled(part)} is {found.value}, in the source {wanted.value}")

    def _wanted(self, source: Reference, part: Part) -> Number | None:
        """What the source leaves in a part of an output; None where it has no such part."""
        variable = self._module.variables.get(part.name)
        column = () if variable is None else source.output(variable, part.element, part.column)
        if part.component >= len(column):
            return None
        value = column[part.component]
        return value if isinstance(value, Number) else number_of(float(value))


def _gap(found: float, wanted: float) -> float:
    """How far two floats are apart, in parts of the second one or of 1."""
    if found == wanted:
        return 0.0
    gap = abs(found - wanted) / max(1.0, abs(wanted))
    return gap if gap == gap else math.inf


def _spelled(part: Part) -> str:
    return f"{part.name} (element {part.element}, column {part.column}).{COMPONENTS[part.component]}"
