"""The combiners once more, one pixel at a time on whole numbers: the rules as the public notes put them.

Nothing of the product's arithmetic is used: quotients are Python's, formulas are written as they are published.  With
the rounding "exact" nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor, trunc
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.program import Combiner, Configuration, Operand

Pixel = Sequence[Any]
_BLACK = (0, 0, 0, 0)


def run(configuration: Configuration, sources: Mapping[str, Pixel], rounding: str) -> list[tuple[Any, ...]]:
    """What each stage makes of one pixel; `previous` is never read by the first stage."""
    buffer, following = list(_BLACK), list(configuration.buffer_colour)
    previous: tuple[Any, ...] = _BLACK
    results: list[tuple[Any, ...]] = []
    for stage in configuration.stages:
        known: dict[str, Pixel] = {**sources, "constant": stage.constant, "previous": previous, "buffer": tuple(buffer)}
        colour = _colour(stage.colour, known, rounding)
        scaled = [min(255, channel * stage.colour.scale) for channel in colour]
        alpha = colour[0] if stage.colour.function == "DOT3_RGBA" else _alpha(stage.alpha, known, rounding)
        previous = (scaled[0], scaled[1], scaled[2], min(255, alpha * stage.alpha.scale))
        results.append(previous)
        buffer = list(following)
        if stage.updates_colour:
            following[:3] = previous[:3]
        if stage.updates_alpha:
            following[3] = previous[3]
    return results


def _colour(combiner: Combiner, known: Mapping[str, Pixel], rounding: str) -> list[Any]:
    operands = [_vector(operand, known) for operand in combiner.operands]
    if combiner.function.startswith("DOT3"):
        term = {"hardware": _console_term, "azahar": _emulator_term, "exact": _exact_term}[rounding]
        total = sum(term(a, b) for a, b in zip(operands[0], operands[1], strict=True))
        return [max(0, min(255, total))] * 3
    return [_function(combiner.function, a, b, c, rounding) for a, b, c in zip(*operands, strict=True)]


def _alpha(combiner: Combiner, known: Mapping[str, Pixel], rounding: str) -> Any:
    first, second, third = (_scalar(operand, known) for operand in combiner.operands)
    return _function(combiner.function, first, second, third, rounding)


def _vector(operand: Operand, known: Mapping[str, Pixel]) -> list[Any]:
    pixel = known[operand.source]
    letters = operand.selection.removeprefix("1-")
    channels = [pixel["rgba".index(letter)] for letter in letters]
    return [255 - channel for channel in channels] if operand.selection.startswith("1-") else channels


def _scalar(operand: Operand, known: Mapping[str, Pixel]) -> Any:
    channel = known[operand.source]["rgba".index(operand.selection.removeprefix("1-"))]
    return 255 - channel if operand.selection.startswith("1-") else channel


def _function(name: str, a: Any, b: Any, c: Any, rounding: str) -> Any:
    def over(product: Any) -> Any:
        exact = Fraction(product) / 255
        if rounding == "exact":
            return exact
        return floor(exact + Fraction(1, 2)) if rounding == "hardware" else floor(exact)

    values = {
        "REPLACE": a,
        "MODULATE": over(a * b),
        "ADD": a + b,
        "ADD_SIGNED": a + b - (Fraction(255, 2) if rounding == "exact" else 128),
        "INTERPOLATE": over(a * c + b * (255 - c)),
        "SUBTRACT": a - b,
        "MULTIPLY_ADD": over(a * b + 255 * c),
        "ADD_MULTIPLY": over(min(255, a + b) * c),
    }
    return max(0, min(255, values[name]))


def _emulator_term(a: int, b: int) -> int:
    return trunc(Fraction((2 * a - 255) * (2 * b - 255) + 128, 256))


def _exact_term(a: Any, b: Any) -> Any:
    return (2 * a - 255) * (2 * b - 255) / Fraction(255)


def _console_term(a: int, b: int) -> int:
    x, y = 2 * a - 255, 2 * b - 255
    magnitude = [-v - 1 if v < 0 else v for v in (x, y)]
    quotient = floor(Fraction(magnitude[0] * magnitude[1] + 127, 255))
    return quotient if (x < 0) == (y < 0) else -quotient - 1
