"""What a loader does to a number before it goes into a register, in C: the transforms of the register map that mean the
same everywhere (`glslc_multi.compiler.artifact.Transform`).  Targets add their own."""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.compiler.host_code.preamble_c import CNumber

Conversion = Callable[[CNumber], CNumber]


def _same(number: CNumber) -> CNumber:
    return number


def _to_float(number: CNumber) -> CNumber:
    return CNumber(f"(float){number.text}", "float")


def _count(number: CNumber) -> CNumber:
    """Rounds of a loop, less one: 0 to 255."""
    text = number.text
    return CNumber(f"({text} < 1 ? 0 : {text} > 256 ? 255 : (int32_t){text} - 1)", "int32_t")


def _byte(number: CNumber) -> CNumber:
    """0 to 1 in steps of 1/255; what is no number is 0."""
    text = number.text
    return CNumber(
        f"(!({text} > 0.0f) ? 0u : {text} >= 1.0f ? 255u : (uint32_t)(255.0 * (double){text} + 0.5))", "uint32_t"
    )


def _negated(number: CNumber) -> CNumber:
    return CNumber(f"(-{number.text})", number.type)


COMMON_CONVERSIONS: dict[str, Conversion] = {
    "identity": _same,
    "transpose": _same,
    "int-to-float": _to_float,
    "bool-to-float": _to_float,
    "count": _count,
    "unorm8": _byte,
    "negated": _negated,
}
