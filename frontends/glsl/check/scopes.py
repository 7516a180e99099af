"""Scopes: what each name stands for, and which precision is the default, at one place of the text.

Variables, functions and structure types share one name space (GLSL ES 1.00 section 4.2.6); default
precisions follow the same nesting (section 4.5.3).
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.frontends.glsl.symbols import FunctionGroup, Stage, VariableSymbol
from glslc_multi.frontends.glsl.types import Precision, StructType

Symbol = VariableSymbol | FunctionGroup | StructType

_LOW_SAMPLERS: dict[str, Precision] = {"sampler2D": "lowp", "samplerCube": "lowp", "samplerExternalOES": "lowp"}
#: How many scopes there are in a function's outermost block: the globals', the parameters' and its own.
_OUTERMOST_BLOCK = 3


def default_precisions(stage: Stage, is_es: bool) -> dict[str, Precision]:
    """The defaults that hold before any `precision` statement (section 4.5.3)."""
    if stage == "fragment" and is_es:
        return {"int": "mediump", **_LOW_SAMPLERS}
    return {"float": "highp", "int": "highp", **_LOW_SAMPLERS}


class Scopes:
    """A stack of scopes; the first is the global one."""

    __slots__ = ("_names", "_precisions", "is_global")

    def __init__(self, precisions: dict[str, Precision]) -> None:
        self._names: list[dict[str, Symbol]] = [{}]
        self._precisions: list[dict[str, Precision]] = [precisions]
        #: Whether no scope is open but that of the globals.
        self.is_global = True

    def push(self) -> None:
        self._names.append({})
        self._precisions.append({})
        self.is_global = False

    def pop(self) -> None:
        self._names.pop()
        self._precisions.pop()
        self.is_global = len(self._names) == 1

    def declare(self, name: str, symbol: Symbol) -> None:
        self._names[-1][name] = symbol

    def find_here(self, name: str) -> Symbol | None:
        """What `name` was declared as in the innermost scope."""
        return self._names[-1].get(name)

    def find(self, name: str) -> Symbol | None:
        """What `name` stands for here: the innermost declaration."""
        for names in reversed(self._names):
            if name in names:
                return names[name]
        return None

    def hidden_parameter(self, name: str) -> VariableSymbol | None:
        """The parameter that a declaration of `name` here hides, in the outermost block of a function."""
        symbol = self._names[1].get(name) if len(self._names) == _OUTERMOST_BLOCK else None
        return symbol if isinstance(symbol, VariableSymbol) else None

    def visible(self) -> Iterator[tuple[str, Symbol]]:
        """Every visible name, inner ones first, for suggestions."""
        seen: set[str] = set()
        for names in reversed(self._names):
            yield from ((name, symbol) for name, symbol in names.items() if name not in seen)
            seen.update(names)

    def set_precision(self, type_name: str, precision: Precision) -> None:
        self._precisions[-1][type_name] = precision

    def precision(self, type_name: str) -> Precision | None:
        """The default precision of "float", "int" or a sampler type here, if it has one."""
        for precisions in reversed(self._precisions):
            if type_name in precisions:
                return precisions[type_name]
        return None
