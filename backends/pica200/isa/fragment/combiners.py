"""The table of a combiner stage: what it reads, how, and what it computes.

A stage has two combiners, one for colour and one for alpha, each with a function of three operands and a scale. Numbers
between stages are bytes, 0 to 255 for 0 to 1. Encoder, text, validator, simulator and code generator read these rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from compiler.records import dataclass

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


@dataclass(frozen=True, slots=True)
class Function:
    """What a combiner computes of its operands, one channel like the other; DOT3 joins the channels."""

    #: That of libctru, without its prefix GPU_.
    name: str
    code: int
    #: As text, over the operands in the order of the registers.
    formula: str
    #: Over real numbers 0 to 1, without clamps; None for DOT3, which is the sum of `dot3_term` over r, g and b.
    real: Callable[[Any, Any, Any], Any] | None

    @property
    def operands(self) -> int:
        """The number of operands that it takes."""
        return self.formula.count("{")


def dot3_term(a: Any, b: Any) -> Any:
    """What a channel adds to DOT3: the product of two numbers that 0 to 1 stands for from -1 to 1."""
    return (2 * a - 1) * (2 * b - 1)


FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        Function("REPLACE", 0, "{0}", lambda a, b, c: a),
        Function("MODULATE", 1, "{0} * {1}", lambda a, b, c: a * b),
        Function("ADD", 2, "{0} + {1}", lambda a, b, c: a + b),
        Function("ADD_SIGNED", 3, "{0} + {1} - 0.5", lambda a, b, c: a + b - 0.5),
        Function("INTERPOLATE", 4, "mix({1}, {0}, {2})", lambda a, b, c: a * c + b * (1 - c)),
        Function("SUBTRACT", 5, "{0} - {1}", lambda a, b, c: a - b),
        Function("DOT3_RGB", 6, "dot3({0}, {1})", None),
        #: Its result is that of the alpha combiner, too, whatever that one computes.
        Function("DOT3_RGBA", 7, "dot3_rgba({0}, {1})", None),
        Function("MULTIPLY_ADD", 8, "{0} * {1} + {2}", lambda a, b, c: a * b + c),
        #: The sum is clamped before the product.
        Function("ADD_MULTIPLY", 9, "({0} + {1}) * {2}", lambda a, b, c: (a + b) * c),
    )
}

#: Factors of a scale, by code; a result is scaled after the clamp of its function, and clamped again.
SCALES: tuple[int, ...] = (1, 2, 4)
