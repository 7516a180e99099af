"""From stages to registers, and what the host computes for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backends.pica200.codegen.fragment.algebra.polynomials import ONE, Polynomial
from backends.pica200.codegen.fragment.finish.alpha_test import Test
from backends.pica200.codegen.fragment.host_tables import UnitCode
from backends.pica200.codegen.fragment.hosting import HostResult, byte_from, polynomial_of
from backends.pica200.codegen.fragment.problem import HostColour, Solution
from backends.pica200.isa.fragment.combiners import STAGES
from backends.pica200.isa.fragment.program import INERT, Bytes, Configuration, Stage
from backends.pica200.isa.fragment.rounding import WHOLE, byte_of
from compiler.ir.variables import PREAMBLE
from compiler.records import dataclass

#: Places of the space "tev": after the constants of the stages.
_BUFFER_COLOUR, _ALPHA_REFERENCE = 6, 7


@dataclass(frozen=True, slots=True)
class Place:
    """Where a result of the host goes."""

    index: int
    components: str
    space: str = "tev"


def configuration_of(solution: Solution, test: Test, units: Sequence[UnitCode]) -> Configuration:
    """The registers; in constants of the host's, what it computes is 0."""
    stages = [
        Stage(stage.colour, stage.alpha, _bytes(stage.constant), stage.updates_colour, stage.updates_alpha)
        for stage in solution.stages
    ]
    stages += [INERT] * (STAGES - len(stages))
    writes = tuple(write for unit in units for write in unit.writes)
    tables = {name: entries for unit in units for name, entries in unit.tables.items()}
    return Configuration(tuple(stages), _bytes(solution.buffer_colour), test.test, writes, tables)


def host_results(solution: Solution, test: Test) -> Iterator[tuple[HostResult, Place]]:
    """What the host computes, and where it goes."""
    for number, stage in enumerate(solution.stages):
        yield from _colour(f"constant{number}", stage.constant, number)
    yield from _colour("buffer_colour", solution.buffer_colour, _BUFFER_COLOUR)
    if test.reference is not None:
        yield HostResult(f"${PREAMBLE}.alpha_reference", (test.reference,)), Place(_ALPHA_REFERENCE, "x")
    if test.never:
        yield HostResult(f"${PREAMBLE}.drawn", (polynomial_of(1 - test.never),)), Place(0, "x", "draw")


def _colour(name: str, colour: HostColour, index: int) -> Iterator[tuple[HostResult, Place]]:
    if all(part is None or part.constant is not None for part in colour):
        return
    # What nobody reads is 1, as in the library's own constants.
    components = tuple(byte_from(ONE if part is None else part) for part in colour)
    yield HostResult(f"${PREAMBLE}.{name}", components), Place(index, "xyzw")


def _bytes(colour: HostColour) -> Bytes:
    red, green, blue, alpha = map(_byte, colour)
    return red, green, blue, alpha


def _byte(part: Polynomial | None) -> int:
    if part is None:
        return WHOLE
    number = part.constant
    return 0 if number is None else byte_of(number)
