"""What is asked of the search for stages, what it answers, and what the answer means: stages over numbers of any kind.

The same stages run over real numbers, over a machine's bytes (`check.py`), and over intervals of errors (`bound.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Protocol

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Polynomial, Rgb
from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    CHANNELS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    STAGES,
    Arithmetic,
    Selection,
)
from glslc_multi.backends.pica200.isa.fragment.program import Combiner, Operand
from glslc_multi.backends.pica200.isa.fragment.rounding import Rounding
from glslc_multi.compiler.records import dataclass, field

#: Four numbers that the host makes bytes of: floor(255 x + 0.5), kept to 0 to 255.  None: nobody reads it.
HostColour = tuple[Polynomial | None, ...]

UNUSED: HostColour = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class Problem:
    """The pixel as polynomials; the output clamps each to 0 to 1.  Alpha is None where nobody looks at it."""

    colour: Rgb
    alpha: Polynomial | None
    #: How many stages may be used.
    stages: int = STAGES
    #: How much may be tried: a count of steps of the search, so that the answer depends on no clock.
    work: int = 130_000
    #: By how many steps of 1/255 inputs that are not exact may be off: (source, channel) -> least and greatest error.
    errors: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    #: By how many steps the result may differ: of programs that differ by more the longer one may be better.
    allowed: float = inf
    #: Which rounding that is for.
    rounding: Rounding = "azahar"


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage whose constant is not bytes yet."""

    colour: Combiner
    alpha: Combiner
    constant: HostColour = UNUSED
    updates_colour: bool = False
    updates_alpha: bool = False


@dataclass(frozen=True, slots=True)
class Solution:
    """Stages that compute the problem."""

    stages: tuple[PlannedStage, ...]
    buffer_colour: HostColour
    #: By how many steps of 1/255 the result may differ from the problem's real numbers; inputs are exact bytes.
    bound: float
    #: Whether all programs of fewer stages were tried, of the form that the search knows.
    is_fewest: bool


@dataclass(frozen=True, slots=True)
class NoSolution:
    """Why there is none."""

    #: Whether the search came to its end; otherwise it ran out of work.
    is_complete: bool
    #: The fewest stages that a program would need, as far as is known.
    at_least: int


class Numbers(Arithmetic, Protocol):
    """What stages compute with."""

    def channel(self, source: str, channel: str) -> Any:
        """Return what a pixel has in a channel of a source."""

    def constant(self, value: Polynomial | None) -> Any:
        """Return what the host makes of a number; None: nobody reads it."""

    def complement(self, a: Any) -> Any:
        """1 - a"""

    def scaled(self, a: Any, scale: int) -> Any:
        """Multiply a result by the scale of its combiner."""


def run_stages(stages: Sequence[PlannedStage], buffer_colour: HostColour, numbers: Numbers) -> tuple[Any, ...]:
    """Return the result of the last stage in its four channels."""
    previous = buffer = tuple(numbers.constant(None) for _ in CHANNELS)
    pending = tuple(map(numbers.constant, buffer_colour))
    for stage in stages:
        constant = tuple(map(numbers.constant, stage.constant))
        previous = _result(stage, {"buffer": buffer, "previous": previous, "constant": constant}, numbers)
        buffer = pending
        colour = previous[:3] if stage.updates_colour else pending[:3]
        pending = (*colour, previous[3] if stage.updates_alpha else pending[3])
    return previous


def _result(stage: PlannedStage, held: Mapping[str, tuple[Any, ...]], numbers: Numbers) -> tuple[Any, ...]:

    def read(operand: Operand, selections: Mapping[str, Selection]) -> list[Any]:
        selection, values = selections[operand.selection], held.get(operand.source)
        channels = [
            numbers.channel(operand.source, channel) if values is None else values[CHANNELS.index(channel)]
            for channel in selection.channels
        ]
        return [numbers.complement(value) for value in channels] if selection.complement else channels

    function = FUNCTIONS[stage.colour.function]
    colour = function.of_colours(numbers, [read(operand, COLOUR_SELECTIONS) for operand in stage.colour.operands])
    if function.name == "DOT3_RGBA":
        alpha = colour[0]
    else:
        operands = [read(operand, ALPHA_SELECTIONS)[0] for operand in stage.alpha.operands]
        alpha = FUNCTIONS[stage.alpha.function].of(numbers, operands)
    return (*(numbers.scaled(value, stage.colour.scale) for value in colour), numbers.scaled(alpha, stage.alpha.scale))
