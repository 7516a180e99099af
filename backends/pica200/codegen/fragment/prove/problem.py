"""What is asked of the search for stages, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from backends.pica200.codegen.fragment.read.polynomials import Polynomial, Rgb
from backends.pica200.isa.fragment.combiners import STAGES
from backends.pica200.isa.fragment.program import Combiner
from backends.pica200.isa.fragment.rounding import Rounding
from compiler.records import dataclass, field

#: Four numbers that the host makes bytes of: floor(255 x + 0.5), kept to 0 to 255.  None: nobody reads it.
HostColour = tuple[Polynomial | None, Polynomial | None, Polynomial | None, Polynomial | None]

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
