"""Whether one module computes what another one says, by a few draws: the verdict on a text that was written of it.

Both run as sources do, over the same values by name.  Results have the same element, or are as near as roundings bring
them (see `compare.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from glslc_multi.compiler.artifact import Verdict
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.proof.compare import LIMIT, NEARNESS, NUDGES, QUICK, Differs, relative_gap, verdict_of
from glslc_multi.compiler.proof.draw import Draw, home
from glslc_multi.compiler.proof.numbers import MAGNIFIED, Number, Redraw, Undefined, Work, number_of
from glslc_multi.compiler.proof.operations import Decisions, MovedOperations, ProofOperations, SourceOperations
from glslc_multi.compiler.proof.quad import Lane, Quad
from glslc_multi.compiler.proof.reference import Corner, Reference
from glslc_multi.compiler.proof.snapshot import Cell, Components, Snapshot

#: An output of the other module, and the number of the element that is the first one of the source's.
Output = tuple[Variable | None, int]
#: That of float32.
_ROUNDING = 2.0**-24


def prove_module(
    source: Snapshot, other: Snapshot, outputs: Mapping[str, Output], draws: int = QUICK, steps: int = LIMIT
) -> Verdict:
    """Return the verdict on another module; `outputs` are its own ones, by the names that the source has for them."""
    work = Work(steps * draws)
    return verdict_of(lambda seed: _gaps(source, other, outputs, seed, work), draws)


def _gaps(source: Snapshot, other: Snapshot, outputs: Mapping[str, Output], seed: int, work: Work) -> list[float]:
    """Say how far results of one draw are apart that differ."""
    varying = {
        v.name
        for v in source.module.variables.values()
        if v.storage in ("varying", "attribute", "input") and not v.is_flat
    }

    def run(snapshot: Snapshot, way: int | None = None) -> Reference:
        decisions = Decisions()
        rounding = _ROUNDING * (1 << (way or 0) % 5)

        def run_lane(lane: Lane) -> Reference:
            draw = Draw(seed, 0.0 if way is None else rounding, way or 0, lane.number, varying)
            operations: ProofOperations = SourceOperations(decisions, rounding, lane)
            if way is not None:
                operations = MovedOperations(decisions, rounding, lane, 0.0, way)
            reference = Reference(snapshot, draw, operations, work)
            reference.run()
            return reference

        return Quad(run_lane).run(home(seed))

    wanted, left = run(source), run(other)
    if wanted.discarded != left.discarded:
        if any(run(source, way).discarded != wanted.discarded for way in range(NUDGES)):
            raise Redraw(MAGNIFIED)
        raise Differs(f"the source {'discards' if wanted.discarded else 'keeps'} the pixel", ())
    turns = [[is_turned for is_turned, _ in side.triangles] for side in (wanted, left)]
    if turns[0] != turns[1]:
        raise Differs(f"triangles are turned {turns[1]}, in the source {turns[0]}", ())
    gaps = []
    for corner, (variable, element, column) in [] if wanted.discarded else list(_cells(wanted, source.module.stage)):
        if variable not in wanted.written:
            continue
        own, first_element = outputs.get(variable.name, (None, 0))
        components: Components = [] if own is None else left.output(own, first_element + element, column, corner)
        for component, value in enumerate(wanted.output(variable, element, column, corner)):
            if isinstance(value, Undefined):
                continue
            first, second = _number(value), _number(components[component] if components else Undefined(0))
            if not math.isfinite(first.value) or first.element == second.element:
                continue
            gap = relative_gap(second.value, first.value)
            gaps.append(gap)
            if gap <= NEARNESS * _ROUNDING:
                continue
            for way in range(NUDGES):
                moved = run(source, way).output(variable, element, column, corner)[component]
                if not relative_gap(_number(moved).value, first.value) * 4 < gap:
                    raise Redraw(MAGNIFIED)
            raise Differs(f"{variable.name} is {second.value}, in the source {first.value}", ())
    return gaps


def _cells(run: Reference, stage: str) -> Iterator[tuple[Corner | None, Cell]]:
    """List what a run has left: of a geometry shader, what the corners of its triangles have."""
    if stage == "geometry":
        for number, (_, memories) in enumerate(run.triangles):
            yield from ((Corner(number, slot), cell) for slot, memory in enumerate(memories) for cell in memory)
    else:
        yield from ((None, cell) for cell in run.memory)


def _number(value: object) -> Number:
    if isinstance(value, Number):
        return value
    return number_of(math.nan if isinstance(value, Undefined) else float(value))  # type: ignore[arg-type]
