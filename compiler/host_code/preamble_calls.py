"""The preamble of a shader (`-fpreamble`) in a language where every operation is the call of a function.

In: a preamble (see `compiler/preamble.py`), how the language declares a number, and the names of the arrays that hold
what it reads and what it computes, flat as OpenGL takes them.  Out: statements.

The functions have the names of the arithmetic (`compiler/arithmetic/protocol.py`), and those of
`compiler/arithmetic/elementary.py`: `fadd(x, y)`, `fsin(x)`.  A target has them beside its templates, so that float32
and ints of 32 bits are that file's business, and the statements are the same in all languages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from glslc_multi.compiler.arithmetic.protocol import BOOL_RESULTS, INT_RESULTS
from glslc_multi.compiler.preamble import walk_preamble
from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.ir.variables import Variable


@dataclass(frozen=True, slots=True)
class CallSyntax:
    """How a language spells what is no call."""

    #: Kind of a number ("float", "int", "bool") -> the declaration of one, with `{name}` and `{value}`.
    declared: Mapping[str, str]
    #: After each statement.
    end: str
    #: A choice with `{condition}`, `{yes}` and `{no}`.
    choice: str
    #: Of "true", "false", "nan", "inf".
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CallNumber:
    """Text that can be an argument, and the kind of its number."""

    text: str
    kind: str


def call_lines(preamble: Module, arrays: Mapping[Variable, str], syntax: CallSyntax) -> list[str]:
    """The statements that compute what the preamble does; arrays of tables (`Places.fill`) do not occur on machines
    whose languages these are."""
    writer = _Writer(arrays, syntax)
    walk_preamble(preamble, writer, writer)
    return writer.lines


class _Writer:
    """An arithmetic and the places of uniforms: both write statements.  What it lacks by name is a call."""

    def __init__(self, arrays: Mapping[Variable, str], syntax: CallSyntax) -> None:
        self.arrays = arrays
        self.syntax = syntax
        self.lines: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., CallNumber]:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(self._call, name, "bool" if name in BOOL_RESULTS else "int" if name in INT_RESULTS else "float")

    def _call(self, function: str, kind: str, *arguments: CallNumber) -> CallNumber:
        return self._new(kind, f"{function}({', '.join(argument.text for argument in arguments)})")

    def _new(self, kind: str, text: str) -> CallNumber:
        name = f"t{len(self.lines)}"
        self.lines.append(self.syntax.declared[kind].format(name=name, value=text) + self.syntax.end)
        return CallNumber(name, kind)

    def elementary(self, name: str, *arguments: CallNumber) -> CallNumber:
        return self._call(f"f{name}", "float", *arguments)

    # uniforms ------------------------------------------------------------------------------------
    def load(self, variable: Variable, element: Any, column: Any) -> list[CallNumber]:
        width, array = variable.type.width, self.arrays[variable]
        if isinstance(element, int) and isinstance(column, int):
            first = str((element * variable.columns + column) * width)
        else:
            first = f"({_text(element)} * {variable.columns} + {_text(column)}) * {width}"
        kind = {"uint": "int"}.get(variable.type.kind, variable.type.kind)
        return [self._loaded(kind, f"{array}[{first} + {part}]") for part in range(width)]

    def _loaded(self, kind: str, text: str) -> CallNumber:
        """Arrays hold floats, whatever the uniform's kind is."""
        return self._new(kind, text if kind == "float" else f"load_{kind}({text})")

    def store(self, variable: Variable, value: list[CallNumber]) -> None:
        for part, number in enumerate(value):
            text = number.text if number.kind == "float" else f"store_{number.kind}({number.text})"
            self.lines.append(f"{self.arrays[variable]}[{part}] = {text}{self.syntax.end}")

    def fill(self, table: Variable, entry: Callable[[Any], Any]) -> None:
        raise AssertionError(f"{table.name} is a table: machines without tables have these languages")

    # constants -----------------------------------------------------------------------------------
    def bconst(self, value: bool) -> CallNumber:
        return CallNumber(self.syntax.words["true" if value else "false"], "bool")

    def iconst(self, value: int) -> CallNumber:
        return CallNumber(str(value), "int")

    def fconst(self, value: float) -> CallNumber:
        if math.isfinite(value):
            return CallNumber(repr(float(value)), "float")
        sign = "-" if value < 0 else ""
        return CallNumber(sign + self.syntax.words["nan" if math.isnan(value) else "inf"], "float")

    def select(self, condition: CallNumber, if_true: CallNumber, if_false: CallNumber) -> CallNumber:
        text = self.syntax.choice.format(condition=condition.text, yes=if_true.text, no=if_false.text)
        return self._new(if_true.kind, text)


def _text(number: Any) -> str:
    return str(number) if isinstance(number, int) else str(number.text)
