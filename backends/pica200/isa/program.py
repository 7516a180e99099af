"""A program as plain data: what a `.shbin` file holds, taken apart.

Several executables (a vertex and a geometry shader, say) share one code memory and one descriptor table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from glslc_multi.backends.pica200.isa import numbers
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import Span

Stage = Literal["vertex", "geometry"]

#: Kinds of rasteriser output by the number that the output table has; 7 is not in use.
SEMANTICS: Mapping[int, str] = {
    0: "position",
    1: "normalquat",
    2: "color",
    3: "texcoord0",
    4: "texcoord0w",
    5: "texcoord1",
    6: "texcoord2",
    8: "view",
    9: "dummy",
}

#: Kind of rasteriser output -> components that it takes.
SEMANTIC_WIDTHS: Mapping[str, int] = {
    "position": 4,
    "normalquat": 4,
    "color": 4,
    "texcoord0": 2,
    "texcoord0w": 1,
    "texcoord1": 2,
    "texcoord2": 2,
    "view": 3,
    "dummy": 4,
}

#: First number of each bank in the uniform table, where v, c, i and b follow one another.
UNIFORM_BASE: Mapping[str, int] = {"v": 0x00, "c": 0x10, "i": 0x70, "b": 0x78}

#: The directive that begins the text of another shader; it is not picasso's.
ANOTHER_SHADER = "dvle"

GeometryKind = Literal["point", "variable", "fixed"]
GEOMETRY_KINDS: tuple[GeometryKind, ...] = ("point", "variable", "fixed")

ConstantBank = Literal["b", "i", "c"]
CONSTANT_BANKS: tuple[ConstantBank, ...] = ("b", "i", "c")


@dataclass(frozen=True, slots=True)
class Constant:
    """A register that the loader sets: one 0 or 1 (b), four bytes (i) or four 24-bit patterns (c)."""

    bank: ConstantBank
    register: int
    values: tuple[int, ...]

    @property
    def floats(self) -> tuple[float, ...]:
        """The values of a c register."""
        return tuple(map(numbers.value_of, self.values))


@dataclass(frozen=True, slots=True)
class Output:
    """What the rasteriser takes from an output register; `mask` has x in the lowest bit."""

    semantic: int
    register: int
    mask: int


@dataclass(frozen=True, slots=True)
class Uniform:
    """A name for registers `first` to `last`, numbered as in `UNIFORM_BASE`."""

    name: str
    first: int
    last: int

    @property
    def start(self) -> tuple[str, int] | None:
        """Bank and index of the first register; None when the range is in no bank."""
        for bank, base in UNIFORM_BASE.items():
            if base <= self.first <= self.last < base + BANKS[bank]:
                return bank, self.first - base
        return None


def spelling_of(name: str) -> str:
    """A name in ASCII without blanks."""
    return name.encode("unicode_escape").decode("ascii").replace(" ", r"\x20")


def name_of(spelling: str) -> str:
    """The name that is spelled so; a spelling that is none stands for itself."""
    try:
        return spelling.encode("ascii").decode("unicode_escape").encode("utf-8").decode("utf-8")
    except UnicodeError:
        return spelling


@dataclass(frozen=True, slots=True)
class Label:
    """A named address in the code; the common assembler writes none."""

    number: int
    kind: int
    address: int
    size: int
    name: str


@dataclass(frozen=True, slots=True)
class Geometry:
    """How a geometry shader takes its vertices."""

    kind: GeometryKind
    #: fixed: first c register of the array of vertices.
    array: int = 0
    #: variable: number of full vertices; fixed: number of vertices.
    count: int = 0


@dataclass(slots=True)
class Executable:
    """One shader of a program."""

    entry: int = 0
    #: End of the entry procedure.
    end: int = 0
    #: None for a vertex shader.
    geometry: Geometry | None = None
    #: Vertex and geometry output maps are to be merged.
    merges_outputs: bool = False
    #: Bit n: input register n is in use; likewise outputs.
    input_mask: int = 0
    output_mask: int = 0
    constants: list[Constant] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    uniforms: list[Uniform] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    @property
    def stage(self) -> Stage:
        return "geometry" if self.geometry else "vertex"


@dataclass(slots=True)
class Program:
    """Code, operand descriptors, and the shaders made of them."""

    code: list[int]
    descriptors: list[int]
    executables: list[Executable]
    #: Where each word of the code comes from, when it was assembled.
    spans: list[Span] = field(default_factory=list, compare=False)
