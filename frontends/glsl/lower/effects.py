"""What evaluating something does besides yielding a value: answers that decide how it is lowered."""

from __future__ import annotations

from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.symbols import FunctionSymbol
from glslc_multi.frontends.glsl.walk import Node, children, is_effect, walk


class Effects:
    """Which expressions assign or call a function; every part of the tree is looked at once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Node, bool] = {}

    def of(self, expression: ast.Expression) -> bool:
        """Whether it must be evaluated exactly as often as the text says.

        Everything else is total in the IR (no operation traps), so evaluating it in vain does no harm.
        """
        known = self._known
        if expression not in known:
            for node in reversed(list(walk(expression))):
                known[node] = is_effect(node) or any(known[part] for part in children(node))
        return known[expression]


def discarding_functions(functions: list[FunctionSymbol]) -> set[FunctionSymbol]:
    """The functions that contain a `discard` or call one that does; `functions` lists callees before callers."""
    found: set[FunctionSymbol] = set()
    for function in functions:
        if function.discards or not found.isdisjoint(function.calls):
            found.add(function)
    return found
