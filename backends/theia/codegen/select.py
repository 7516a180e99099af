"""Instruction selection: the rules of all kinds, for `RowEmitter`."""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.selection import arithmetic, logic, memory
from glslc_multi.compiler.codegen.selection.rules import joined

RULES = joined(arithmetic.RULES, logic.RULES, memory.RULES)
