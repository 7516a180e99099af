"""Whether stages compute what was asked, by other code than the search's: forward, and with numbers.

`check_values` runs the stages over exact fractions at random points and at corners, where a wrong polynomial or a
clamp that changes the result shows.  `check_bytes` runs them over bytes, as the machine does, and compares with the
problem's real numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import Any

from glslc_multi.backends.pica200.codegen.fragment.prove.problem import Problem, Solution, run_stages
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    BY_KEY,
    Atom,
    Channel,
    Clamp,
    HostByte,
    HostNumber,
    HostPart,
    Polynomial,
    all_atoms,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS, FUNCTIONS
from glslc_multi.backends.pica200.isa.fragment.rounding import Rounding, byte_of

Point = Mapping[Atom, Fraction]
_NOWHERE: Point = {}
_POINTS = 24
#: What the rounding of literals may add up to, as scales multiply it.
SLACK = 16 * TOLERANCE


def check_values(problem: Problem, solution: Solution) -> str | None:
    """Tell what is wrong with the solution, if anything is."""
    random = Random(200)
    atoms = _atoms_of(problem, solution)
    for number in range(_POINTS):
        point = {atom: _random_value(atom, random, number) for atom in atoms}
        result = run_stages(solution.stages, solution.buffer_colour, Real(point))
        for channel, wanted, got in zip(CHANNELS, (*problem.colour, problem.alpha), result, strict=True):
            if wanted is not None and abs(_clamped(_value(wanted, point)) - got) > SLACK:
                return f"{channel} is {float(got)} instead of {float(_value(wanted, point))} at {point}"
    return None


def check_bytes(problem: Problem, solution: Solution, samples: int = 32) -> float:
    """Return the largest difference in steps of 1/255 over some pixels of random bytes."""
    random = Random(255)
    atoms = _atoms_of(problem, solution)
    worst = 0.0
    for number in range(samples):
        point = {atom: _random_value(atom, random, number) for atom in atoms}
        result = run_stages(solution.stages, solution.buffer_colour, MACHINES[problem.rounding](point))
        for wanted, got in zip((*problem.colour, problem.alpha), result, strict=True):
            if wanted is not None:
                worst = max(worst, abs(float(255 * _clamped(_value(wanted, point)) - got)))
    return worst


def _atoms_of(problem: Problem, solution: Solution) -> list[Atom]:
    """Constants may have numbers of the host that make no difference to the result."""
    constants = [stage.constant for stage in solution.stages]
    colours = [(*problem.colour, problem.alpha), solution.buffer_colour, *constants]
    atoms = frozenset[Atom]().union(*(all_atoms(value) for colour in colours for value in colour if value is not None))
    return sorted((atom for atom in atoms if not isinstance(atom, Clamp | HostPart)), key=BY_KEY)


def _random_value(atom: Atom, random: Random, number: int) -> Fraction:
    """Bytes for channels; the first points are corners."""
    byte = random.choice((0, 255)) if number < 8 else random.randrange(256)
    if isinstance(atom, HostByte):
        return Fraction(random.randint(int(255 * atom.low), int(255 * atom.high)), 255)
    if isinstance(atom, HostNumber):
        return Fraction(atom.low) + (Fraction(atom.high) - atom.low) * Fraction(random.randrange(1001), 1000)
    return Fraction(byte, 255)


def _value(value: Polynomial, point: Point) -> Fraction:
    total = Fraction(0)
    for monomial, factor in value.terms.items():
        product = Fraction(factor)
        for atom in monomial:
            product *= _clamped(_value(atom.inner, point)) if isinstance(atom, Clamp | HostPart) else point[atom]
        total += product
    return total


def _clamped(value: Fraction) -> Fraction:
    return min(Fraction(1), max(Fraction(0), value))


class Real:
    """The numbers of a point: stages over them are the meaning of the problem."""

    one: Any = Fraction(1)

    def __init__(self, point: Point = _NOWHERE) -> None:
        self._point = point

    def channel(self, source: str, channel: str) -> Any:
        """Return a channel; what the problem does not depend on is black."""
        return self._point.get(Channel(source, channel), 0)

    def constant(self, value: Polynomial | None) -> Any:
        return Fraction(0) if value is None else _clamped(_value(value, self._point))

    def complement(self, a: Any) -> Any:
        return self.one - a

    def scaled(self, a: Any, scale: int) -> Any:
        return min(self.one, a * scale)

    def combine(self, function: str, *operands: Any) -> Any:
        """Apply a function to a channel."""
        return FUNCTIONS[function].of(self, operands)

    def add(self, a: Any, b: Any) -> Any:
        return min(self.one, a + b)

    def add_signed(self, a: Any, b: Any) -> Any:
        return _clamped(a + b - Fraction(1, 2))

    def subtract(self, a: Any, b: Any) -> Any:
        return max(0, a - b)

    def multiply(self, a: Any, b: Any) -> Any:
        return a * b

    def mix(self, a: Any, b: Any, weight: Any) -> Any:
        return a * weight + b * (1 - weight)

    def dot3(self, a: Sequence[Any], b: Sequence[Any]) -> Any:
        return min(self.one, max(0, sum(map(self.dot3_term, a, b))))

    def dot3_term(self, a: Any, b: Any) -> Any:
        """Return what a channel adds, of numbers that 0 to 1 stands for from -1 to 1."""
        return (2 * a - 1) * (2 * b - 1)


class Bytes(Real):
    """Stages over bytes, as the emulator of the recordings computes them: products are cut off."""

    one = 255

    def channel(self, source: str, channel: str) -> Any:
        return int(super().channel(source, channel) * 255)

    def constant(self, value: Polynomial | None) -> Any:
        return byte_of(super().constant(value))

    def over_whole(self, product: int) -> int:
        return product // 255

    def add_signed(self, a: int, b: int) -> int:
        return min(255, max(0, a + b - 128))

    def multiply(self, a: int, b: int) -> int:
        return self.over_whole(a * b)

    def mix(self, a: int, b: int, weight: int) -> int:
        return self.over_whole(a * weight + b * (255 - weight))

    def dot3_term(self, a: int, b: int) -> int:
        """Cut off towards 0, before terms are added."""
        term = ((2 * a - 255) * (2 * b - 255) + 128) / 256
        return floor(term) if term > 0 else ceil(term)


class RoundedBytes(Bytes):
    """Stages over bytes, as they are thought to be on a console: products are rounded to the nearest."""

    def over_whole(self, product: int) -> int:
        return (product + 127) // 255

    def dot3_term(self, a: int, b: int) -> int:
        """In one's complement."""
        x, y = (number if number >= 0 else ~number for number in (2 * a - 255, 2 * b - 255))
        term = self.over_whole(x * y)
        return term if (a > 127) == (b > 127) else ~term


#: What either rounding computes.
MACHINES: Mapping[Rounding, type[Bytes]] = {"azahar": Bytes, "hardware": RoundedBytes}
