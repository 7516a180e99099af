"""Instruction selection: which operations compute an IR instruction.

In: the legalised `main`.  Out: machine code on virtual registers, one operation an instruction; pairs of vector and
scalar operations are made later (`dual_issue.py`).  Signs, absolute values and swizzles belong to the sources.

Bools are floats, 1 or 0, and all conditions are comparisons.  Tests against 0 need no comparison: the machine
selects, kills and branches by the sign of a number.  The rules are in `selection/`.
"""

from __future__ import annotations

from glslc_multi.backends.xenos_family.codegen.selection import arithmetic, conditions, memory, textures
from glslc_multi.backends.xenos_family.codegen.selection.machine import Machine
from glslc_multi.compiler.codegen.selection.rules import joined


class Selection(Machine):
    """The target of one selection."""

    rules = joined(arithmetic.RULES, conditions.RULES, memory.RULES, textures.RULES)
