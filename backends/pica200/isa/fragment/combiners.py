"""The table of a combiner stage: what it reads, how, and what it computes.

A stage has two combiners, one for colour and one for alpha, each with a function of three operands and a scale. Numbers
between stages are bytes, 0 to 255 for 0 to 1. Encoder, text, validator, simulator and code generator read these rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from glslc_multi.compiler.records import dataclass

STAGES = 6

CHANNELS = "rgba"


@dataclass(frozen=True, slots=True)
class Source:
    """Where an operand comes from."""

    name: str
    code: int
    #: libctru's name without its prefix GPU_.
    libctru: str


SOURCES: Mapping[str, Source] = {
    source.name: source
    for source in (
        Source("primary", 0, "PRIMARY_COLOR"),
        Source("lighting0", 1, "FRAGMENT_PRIMARY_COLOR"),
        Source("lighting1", 2, "FRAGMENT_SECONDARY_COLOR"),
        Source("texture0", 3, "TEXTURE0"),
        Source("texture1", 4, "TEXTURE1"),
        Source("texture2", 5, "TEXTURE2"),
        Source("texture3", 6, "TEXTURE3"),
        Source("buffer", 13, "PREVIOUS_BUFFER"),
        Source("constant", 14, "CONSTANT"),
        Source("previous", 15, "PREVIOUS"),
    )
}

#: Names of varyings in shaders (`#include <pica200.glsl>`) -> the source that they are.
LIGHTING_SOURCES: Mapping[str, str] = {"pica_primary": "lighting0", "pica_secondary": "lighting1"}


@dataclass(frozen=True, slots=True)
class Selection:
    """Which channels of its source an operand takes, and whether it takes what is missing to 1."""

    name: str
    code: int
    #: The channel for red, green and blue of the colour combiner; the one channel of the alpha combiner.
    channels: str
    complement: bool
    #: libctru's name without its prefix GPU_TEVOP_RGB_ or GPU_TEVOP_A_.
    libctru: str


def _selections(rows: tuple[tuple[str, str, int, str], ...]) -> dict[str, Selection]:
    """Each row, and its complement, whose code is one more."""
    pairs = [
        (
            Selection(name, code, channels, False, libctru),
            Selection(f"1-{name}", code + 1, channels, True, f"ONE_MINUS_{libctru}"),
        )
        for name, channels, code, libctru in rows
    ]
    return {selection.name: selection for pair in pairs for selection in pair}


#: No others exist: the colour combiner sees all three channels or one of them three times.
COLOUR_SELECTIONS: Mapping[str, Selection] = _selections(
    (
        ("rgb", "rgb", 0, "SRC_COLOR"),
        ("aaa", "aaa", 2, "SRC_ALPHA"),
        ("rrr", "rrr", 4, "SRC_R"),
        ("ggg", "ggg", 8, "SRC_G"),
        ("bbb", "bbb", 12, "SRC_B"),
    )
)
ALPHA_SELECTIONS: Mapping[str, Selection] = _selections(
    (("a", "a", 0, "SRC_ALPHA"), ("r", "r", 2, "SRC_R"), ("g", "g", 4, "SRC_G"), ("b", "b", 6, "SRC_B"))
)


class Arithmetic(Protocol):
    """What functions are made of, over numbers of 0 to 1 or what stands for them; each result is clamped."""

    def add(self, a: Any, b: Any) -> Any:
        """a + b"""

    def add_signed(self, a: Any, b: Any) -> Any:
        """a + b - 1/2"""

    def subtract(self, a: Any, b: Any) -> Any:
        """a - b"""

    def multiply(self, a: Any, b: Any) -> Any:
        """a * b"""

    def mix(self, a: Any, b: Any, weight: Any) -> Any:
        """a * weight + b * (1 - weight), rounded once"""

    def dot3(self, a: Sequence[Any], b: Sequence[Any]) -> Any:
        """Sum products over three channels, of numbers that 0 to 1 stands for from -1 to 1."""


class Unclamped:
    """The arithmetic of real numbers, or of polynomials, without clamps."""

    def add(self, a: Any, b: Any) -> Any:
        return a + b

    def add_signed(self, a: Any, b: Any) -> Any:
        return a + b - 0.5

    def subtract(self, a: Any, b: Any) -> Any:
        return a - b

    def multiply(self, a: Any, b: Any) -> Any:
        return a * b

    def mix(self, a: Any, b: Any, weight: Any) -> Any:
        return a * weight + b * (1 - weight)

    def dot3(self, a: Sequence[Any], b: Sequence[Any]) -> Any:
        red, green, blue = ((2 * x - 1) * (2 * y - 1) for x, y in zip(a, b, strict=True))
        return red + green + blue


UNCLAMPED = Unclamped()


@dataclass(frozen=True, slots=True)
class Sought:
    """An operand that a function can be solved for, since it is affine in it."""

    place: int
    #: Whether the other operands may change places.
    symmetric: bool = False
    #: Whether only a constant may be the weight: others occur as their complement, too.
    constant_weight: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """What a combiner computes of its operands."""

    #: That of libctru, without its prefix GPU_.
    name: str
    code: int
    #: As text, over the operands in the order of the registers.
    formula: str
    #: In an arithmetic, over the operands that it takes.
    meaning: Callable[..., Any]
    #: What the search solves it for, each once: INTERPOLATE(x, y, z) is INTERPOLATE(y, x, 1-z).
    sought: tuple[Sought, ...] = ()
    #: Whether an operand is all three channels, and the result is that of each; else one channel is like the other.
    joins_channels: bool = False

    @property
    def operands(self) -> int:
        """The number of operands that it takes."""
        return self.formula.count("{")

    def of(self, arithmetic: Arithmetic, operands: Sequence[Any]) -> Any:
        """Return the result for operands, of which it takes the first ones."""
        return self.meaning(arithmetic, *operands[: self.operands])

    def of_colours(self, arithmetic: Arithmetic, operands: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the results in three channels, for operands of three each."""
        if self.joins_channels:
            return [self.of(arithmetic, operands)] * 3
        return [self.of(arithmetic, channels) for channels in zip(*operands, strict=True)]


#: Every function in one place: encoder, texts, simulator, search, bound and check read these rows.  Of programs that
#: are as good the search takes the one with the functions that stand first.
FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        Function("REPLACE", 0, "{0}", lambda n, a: a, (Sought(0),)),
        Function("MODULATE", 1, "{0} * {1}", lambda n, a, b: n.multiply(a, b), (Sought(1),)),
        Function("ADD", 2, "{0} + {1}", lambda n, a, b: n.add(a, b), (Sought(1),)),
        Function("SUBTRACT", 5, "{0} - {1}", lambda n, a, b: n.subtract(a, b), (Sought(0), Sought(1))),
        Function("ADD_SIGNED", 3, "{0} + {1} - 0.5", lambda n, a, b: n.add_signed(a, b), (Sought(1),)),
        Function(
            "MULTIPLY_ADD",
            8,
            "{0} * {1} + {2}",
            lambda n, a, b, c: n.add(n.multiply(a, b), c),
            (Sought(1), Sought(2, symmetric=True)),
        ),
        Function(
            "INTERPOLATE",
            4,
            "mix({1}, {0}, {2})",
            lambda n, a, b, c: n.mix(a, b, c),
            (Sought(0), Sought(1, constant_weight=True), Sought(2, symmetric=True)),
        ),
        # Its sum is clamped before the product, so that it is affine in neither term of it.
        Function("ADD_MULTIPLY", 9, "({0} + {1}) * {2}", lambda n, a, b, c: n.multiply(n.add(a, b), c)),
        Function("DOT3_RGB", 6, "dot3({0}, {1})", lambda n, a, b: n.dot3(a, b), joins_channels=True),
        # Its result is that of the alpha combiner, too, whatever that one computes.
        Function("DOT3_RGBA", 7, "dot3_rgba({0}, {1})", lambda n, a, b: n.dot3(a, b), joins_channels=True),
    )
}

FUNCTIONS_BY_CODE: Mapping[int, Function] = {
    function.code: function for function in sorted(FUNCTIONS.values(), key=lambda function: function.code)
}

#: Factors of a scale, by code; a result is scaled after the clamp of its function, and clamped again.
SCALES: tuple[int, ...] = (1, 2, 4)
