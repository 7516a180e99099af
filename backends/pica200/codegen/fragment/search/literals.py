"""Colours that are written as literals, taken for any colours.

`mix(a, b, vec3(0.25, 0.5, 1.0))` is another formula in each channel, and in blue b has no part in it.  With a colour of
the host in the place of the literal it is one formula, of which the search sees how it is made: from the literals
themselves it might have to join channels that have nothing in common.  What is right for all colours between the
literal's least and greatest number is right for the literal.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from backends.pica200.codegen.fragment.algebra.polynomials import (
    Atom,
    HostNumber,
    HostPart,
    Number,
    Polynomial,
    one_object,
    polynomial,
)
from backends.pica200.codegen.fragment.bound import bound_of
from backends.pica200.codegen.fragment.problem import HostColour, NoSolution, Problem, Rgb, Solution
from backends.pica200.codegen.fragment.search import find_stages
from compiler.records import replace

_WIDTH = 3


class Literal(HostNumber):
    """A channel of a colour that is written down, as a number that is not known but for its range."""

    __slots__ = ("value",)

    def __new__(cls, name: str, low: Number, high: Number, value: Fraction) -> Literal:
        return one_object(cls, name, low, high, value)

    def __init__(self, name: str, low: Number, high: Number, value: Fraction) -> None:
        super().__init__(name, low, high)
        self.value = value


def general_literal(values: Sequence[Fraction]) -> list[Polynomial]:
    """The components of a literal; those of a colour whose channels differ are numbers of the host."""
    colour = values[:_WIDTH]
    if len(colour) < _WIDTH or len(set(colour)) == 1:
        return [polynomial(value) for value in values]
    name, low, high = ", ".join(map(str, colour)), min(colour), max(colour)
    channels = [Literal(f"({name}).{channel}", low, high, value) for channel, value in enumerate(colour)]
    return [*map(polynomial, channels), *map(polynomial, values[_WIDTH:])]


def find_general_stages(problem: Problem, general: Rgb) -> Solution | NoSolution:
    """Stages for a problem, of which `general` is the colour with literals taken for any colours: half of the work is
    for either."""
    half = replace(problem, work=problem.work // 2)
    solution = find_stages(replace(half, colour=general))
    if isinstance(solution, NoSolution):
        return find_stages(half)
    # Literals may have shorter programs than any colours.
    shorter = find_stages(replace(half, stages=len(solution.stages) - 1), anyhow=False)
    if isinstance(shorter, Solution) and shorter.bound <= problem.allowed:
        return shorter
    # With the literals' values.
    stages = tuple(replace(stage, constant=_with_values(stage.constant)) for stage in solution.stages)
    buffer = _with_values(solution.buffer_colour)
    bound = bound_of(stages, buffer, problem.errors, problem.rounding)
    return replace(
        replace(solution, stages=stages, buffer_colour=buffer, bound=bound),
        is_fewest=isinstance(shorter, NoSolution) and shorter.is_complete,
    )


def _with_values(colour: HostColour) -> HostColour:
    red, green, blue, alpha = (None if part is None else _with_value(part) for part in colour)
    return red, green, blue, alpha


def _with_value(part: Polynomial) -> Polynomial:
    """The polynomial without numbers that stand for literals, also in what the host cuts off."""
    values: dict[Atom, Polynomial] = {}
    for atom in part.atoms():
        if isinstance(atom, Literal):
            values[atom] = polynomial(atom.value)
        elif isinstance(atom, HostPart):
            inner = _with_value(atom.inner)
            constant = inner.constant
            values[atom] = polynomial(
                HostPart(inner) if constant is None else min(Fraction(1), max(Fraction(0), constant))
            )
    return part.substitute(values)
