"""The memory of a GLSL variable."""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.compiler.ir import variables as ir
from glslc_multi.compiler.shading.lvalues import Slot
from glslc_multi.compiler.shading.memory import Names, local_slot
from glslc_multi.frontends.glsl.symbols import VariableSymbol


def symbol_slot(symbol: VariableSymbol, names: Names, register: Callable[[ir.Variable], object]) -> Slot:
    """Fresh `local` memory for a GLSL variable, under a name of its own."""
    return local_slot(names.unique(symbol.name or "unnamed"), symbol.type, symbol.precision, symbol.span, register)
