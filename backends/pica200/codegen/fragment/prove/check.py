"""Whether stages compute what was asked, by other code than the search's: forward, and with numbers.

`check_values` runs the stages over exact fractions at random points and at corners, where a wrong polynomial or a
clamp that changes the result shows.  `check_bytes` runs them over bytes, as the machine does, and compares with the
problem's real numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import Any

from backends.pica200.codegen.fragment.prove.problem import HostColour, Problem, Solution
from backends.pica200.codegen.fragment.read.polynomials import (
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
from backends.pica200.codegen.fragment.read.ranges import TOLERANCE
from backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    CHANNELS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    dot3_term,
)
from backends.pica200.isa.fragment.program import Combiner, Operand
from backends.pica200.isa.fragment.rounding import Rounding, byte_of

Point = Mapping[Atom, Fraction]
Pixel = tuple[Any, Any, Any, Any]

_POINTS = 24

#: What is read of a source that the problem does not depend on.
_BLACK: Pixel = (0, 0, 0, 0)


def check_values(problem: Problem, solution: Solution) -> str | None:
    """What is wrong with the solution, if anything is."""
    random = Random(200)
    atoms = _atoms_of(problem, solution)
    for number in range(_POINTS):
        point = {atom: _random_value(atom, random, number) for atom in atoms}
        result = run_stages(solution, point, Real())
        for channel, wanted, got in zip(CHANNELS, (*problem.colour, problem.alpha), result, strict=True):
            if wanted is not None and abs(_clamped(_value(wanted, point)) - got) > TOLERANCE * 16:
                return f"{channel} is {float(got)} instead of {float(_value(wanted, point))} at {point}"
    return None


def check_bytes(problem: Problem, solution: Solution, samples: int = 32) -> float:
    """The largest difference in steps of 1/255 over some pixels of random bytes."""
    random = Random(255)
    atoms = _atoms_of(problem, solution)
    worst = 0.0
    for number in range(samples):
        point = {atom: _random_value(atom, random, number) for atom in atoms}
        result = run_stages(solution, point, MACHINES[problem.rounding])
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
    """Stages over real numbers: the meaning of the problem."""

    one: Any = Fraction(1)

    def channel(self, value: Fraction) -> Any:
        return value

    def constant(self, value: Fraction) -> Any:
        return _clamped(value)

    def combine(self, function: str, a: Any, b: Any, c: Any) -> Any:
        real = FUNCTIONS[function].real
        assert real is not None
        if function == "ADD_MULTIPLY":
            return min(self.one, a + b) * c
        return _clamped(Fraction(real(a, b, c)))

    def dot3(self, a: Sequence[Any], b: Sequence[Any]) -> Any:
        return _clamped(sum((Fraction(dot3_term(x, y)) for x, y in zip(a, b, strict=True)), Fraction(0)))


class Bytes(Real):
    """Stages over bytes, as the emulator of the recordings computes them: products are cut off."""

    one = 255

    def channel(self, value: Fraction) -> Any:
        return int(value * 255)

    def constant(self, value: Fraction) -> Any:
        return byte_of(value)

    def combine(self, function: str, a: Any, b: Any, c: Any) -> Any:
        return min(255, max(0, _BYTE_FUNCTIONS[function](self.over_whole, a, b, c)))

    def over_whole(self, product: int) -> int:
        return product // 255

    def dot3(self, a: Sequence[Any], b: Sequence[Any]) -> Any:
        return min(255, max(0, sum(map(self.dot3_term, a, b))))

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
MACHINES: Mapping[Rounding, Bytes] = {"azahar": Bytes(), "hardware": RoundedBytes()}

#: q: of the product of two bytes, a byte.
_BYTE_FUNCTIONS: Mapping[str, Callable[[Callable[[int], int], int, int, int], int]] = {
    "REPLACE": lambda q, a, b, c: a,
    "MODULATE": lambda q, a, b, c: q(a * b),
    "ADD": lambda q, a, b, c: a + b,
    "ADD_SIGNED": lambda q, a, b, c: a + b - 128,
    "INTERPOLATE": lambda q, a, b, c: q(a * c + b * (255 - c)),
    "SUBTRACT": lambda q, a, b, c: a - b,
    "MULTIPLY_ADD": lambda q, a, b, c: q(a * b + 255 * c),
    "ADD_MULTIPLY": lambda q, a, b, c: q(min(255, a + b) * c),
}


def run_stages(solution: Solution, point: Point, numbers: Real) -> Pixel:
    """The result of the last stage."""
    sources: dict[str, Pixel] = {}
    for atom, value in point.items():
        if isinstance(atom, Channel):
            old = sources.get(atom.source, _BLACK)
            new = [numbers.channel(value) if name == atom.channel else x for name, x in zip(CHANNELS, old, strict=True)]
            sources[atom.source] = (new[0], new[1], new[2], new[3])
    sources["buffer"] = _BLACK
    pending = _constants(solution.buffer_colour, point, numbers)
    for stage in solution.stages:
        sources["constant"] = _constants(stage.constant, point, numbers)
        colour = _colour(stage.colour, sources, numbers)
        (a,), (b,), (c,) = (
            _operand(operand, selection.channels, selection.complement, sources, numbers.one)
            for operand in stage.alpha.operands
            for selection in [ALPHA_SELECTIONS[operand.selection]]
        )
        alpha = _scaled(numbers.combine(stage.alpha.function, a, b, c), stage.alpha.scale, 1, numbers)
        if stage.colour.function == "DOT3_RGBA":
            alpha = _scaled(colour[0], 1, stage.alpha.scale, numbers)
        sources["buffer"] = pending
        scaled = [_scaled(value, stage.colour.scale, 1, numbers) for value in colour]
        sources["previous"] = (scaled[0], scaled[1], scaled[2], alpha)
        rgb = sources["previous"][:3] if stage.updates_colour else pending[:3]
        pending = (*rgb, alpha if stage.updates_alpha else pending[3])
    return sources["previous"]


def _scaled(value: Any, scale: int, other: int, numbers: Real) -> Any:
    return min(numbers.one, value * scale * other)


def _constants(colour: HostColour, point: Point, numbers: Real) -> Pixel:
    red, green, blue, alpha = (
        numbers.constant(Fraction(0) if value is None else _value(value, point)) for value in colour
    )
    return red, green, blue, alpha


def _operand(operand: Operand, channels: str, is_complement: bool, sources: Mapping[str, Pixel], one: Any) -> list[Any]:
    values = dict(zip(CHANNELS, sources.get(operand.source, _BLACK), strict=True))
    return [one - values[channel] if is_complement else values[channel] for channel in channels]


def _colour(combiner: Combiner, sources: Mapping[str, Pixel], numbers: Real) -> list[Any]:
    rows = [
        _operand(operand, selection.channels, selection.complement, sources, numbers.one)
        for operand in combiner.operands
        for selection in [COLOUR_SELECTIONS[operand.selection]]
    ]
    if FUNCTIONS[combiner.function].real is None:
        return [numbers.dot3(rows[0], rows[1])] * 3
    return [numbers.combine(combiner.function, a, b, c) for a, b, c in zip(*rows, strict=True)]
