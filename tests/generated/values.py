"""What a generated shader is run on: its own values, and edges within what these are up to.

Own values are small fractions, with which sums and products are exact in every number format; so are the edges: zero,
the shader's literals, powers of two and ends of ranges with what is next to them; at times in all components.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from glslc_multi.compiler.records import dataclass
from tests.edges import Format, edges, literals_of
from tests.generators.glsl import LANES, Program

#: The step of edges of floats, of which that of own values is a part.
_STEP = 0.25
_SPLAT = 0.25


@dataclass(frozen=True, slots=True)
class Values:
    """Inputs, with a value for each lane, and uniforms."""

    inputs: dict[str, list[Any]]
    uniforms: dict[str, Any]
    lanes: int


def own_values(program: Program) -> Values:
    """Take the program's own values, and after them as many lanes of edges."""
    beside = edge_values(program, Random(program.source), LANES)
    inputs = {name: [*own, *beside.inputs[name]] for name, own in program.inputs.items()}
    return Values(inputs, program.uniforms, 2 * LANES)


def edge_values(program: Program, random: Random, lanes: int, *, are_colours: bool = False) -> Values:
    """Draw all inputs and uniforms from edges; colours are from 0 to 1, as hosts promise some machines."""
    literals = literals_of(program.source)
    inputs, uniforms = {}, {}
    for name, own in program.inputs.items():
        numbers = _numbers(own, literals, are_colours)
        inputs[name] = [_like(own[0], numbers, random) for _ in range(lanes)]
    for name, own in program.uniforms.items():
        uniforms[name] = _like(own, _numbers(own, literals, are_colours), random)
    return Values(inputs, uniforms, lanes)


def _numbers(own: Any, literals: Sequence[float], are_colours: bool) -> list[float]:
    """Edges of a value's kind that are no larger than its own numbers."""
    leaves = list(_leaves(own))
    if isinstance(leaves[0], bool):
        return [False, True]
    largest = max(1, *map(abs, leaves))
    if isinstance(leaves[0], int):
        # What is never negative may be unsigned.
        least = -int(largest) if min(leaves) < 0 else 0
        return [int(x) for x in edges(literals, format=Format(least, int(largest), step=1))]
    least, greatest = (0, 1) if are_colours else (-largest, largest)
    return edges(literals, format=Format(least, greatest, step=_STEP))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _like(own: Any, numbers: Sequence[float], random: Random) -> Any:
    """A value of the same shape."""
    if not isinstance(own, list):
        return random.choice(numbers)
    same = random.choice(numbers)
    if not isinstance(own[0], list) and random.random() < _SPLAT:
        return [same] * len(own)
    return [_like(part, numbers, random) for part in own]
