"""A fragment configuration as plain data: what the registers of the fragment stage hold."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.pica200.isa.fragment.combiners import FUNCTIONS, STAGES
from glslc_multi.compiler.records import dataclass, field

#: Red, green, blue and alpha.
Bytes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A name of `SOURCES`, and one of `COLOUR_SELECTIONS` or `ALPHA_SELECTIONS`."""

    source: str
    selection: str


@dataclass(frozen=True, slots=True)
class Combiner:
    """The colour or the alpha half of a stage; operands that the function does not take are there all the same."""

    function: str
    operands: tuple[Operand, ...]
    scale: int = 1

    @property
    def taken(self) -> tuple[Operand, ...]:
        """The operands that the function takes."""
        return self.operands[: FUNCTIONS[self.function].operands]


def passes(source: str, selection: str) -> Combiner:
    """The combiner that hands over a source."""
    rest = Operand("primary", selection)
    return Combiner("REPLACE", (Operand(source, selection), rest, rest))


@dataclass(frozen=True, slots=True)
class Stage:
    """One of the six."""

    colour: Combiner
    alpha: Combiner
    constant: Bytes = (255, 255, 255, 255)
    #: Whether the buffer takes the result of this stage (stages 0 to 3), two stages later.
    updates_colour: bool = False
    updates_alpha: bool = False


#: What a stage does that is not in use: it hands over what it gets.
INERT = Stage(passes("previous", "rgb"), passes("previous", "a"))


@dataclass(frozen=True, slots=True)
class AlphaTest:
    """A pixel is drawn where its alpha compares so with the reference: never, always, ==, !=, <, <=, > or >=."""

    function: str
    reference: int


@dataclass(frozen=True, slots=True)
class Write:
    """One register write: those bytes of the register whose bit is in `mask`."""

    register: int
    value: int
    mask: int = 0xF


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything that a compiled fragment shader sets."""

    stages: tuple[Stage, ...]
    buffer_colour: Bytes = (0, 0, 0, 0)
    alpha_test: AlphaTest | None = None
    #: Fog and lighting, where the program has them; texture units are the host's. The mode of fog is a write of
    #: TEXENV_UPDATE_BUFFER with the bytes of fog alone.
    unit_writes: tuple[Write, ...] = ()
    #: Names of `TABLES` (tables.py) -> raw entries.
    tables: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert len(self.stages) == STAGES, "inert stages are stages, too"
