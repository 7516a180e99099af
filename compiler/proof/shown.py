"""A draw, as the message about a difference shows it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.proof.draw import Draw
from glslc_multi.compiler.proof.registers import parts

#: Inputs and tests that a message names.
_MOST_INPUTS, _MOST_TESTS = 12, 8


def shown_inputs(reflection: Reflection, draw: Draw, names: Collection[str]) -> list[str]:
    """The values of a draw for these names."""
    given = (*reflection.attributes, *reflection.uniforms)
    if reflection.stage == "fragment":
        given += reflection.varyings
    shown: dict[str, float] = {}
    for _, part, binding, _ in parts(binding for binding in given if binding.name in names):
        value = draw.number(part).value if binding.kind == "float" else draw.whole(part, binding.kind)
        column = f", column {part.column}" if part.column else ""
        element = binding.element_name(part.element)
        shown[f"{element}{column}.{COMPONENTS[part.component]}"] = value
    lines = [f"with {name} = {value:.9g}" for name, value in shown.items()]
    more = len(lines) - _MOST_INPUTS
    return lines[:_MOST_INPUTS] + ([f"and {more} inputs more"] if more > 0 else [])


def shown_tests(path: Sequence[tuple[Span, bool]]) -> list[str]:
    """Which way the source goes."""
    shown = [f"line {span.line} {'yes' if taken else 'no'}" for span, taken in path[:_MOST_TESTS]]
    more = len(path) - _MOST_TESTS
    return [f"tests on the way: {', '.join(shown)}{f', and {more} more' if more > 0 else ''}"] if shown else []
