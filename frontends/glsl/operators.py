"""The operators by precedence, for the parser that reads them and the printer that writes them; the reserved ones."""

from __future__ import annotations

#: From loosest to tightest (GLSL ES 1.00 section 5.1); the reserved ones stand where C has them.
BINARY_LEVELS = ("||", "^^", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")

#: Reserved by section 5.1: the parser reads and reports them, so for the checker they have the type ERROR.
RESERVED_OPERATORS = frozenset("% ~ << >> & ^ | %= <<= >>= &= ^= |=".split())

#: Level of each operator, from 1.
LEVEL_OF = {op: level for level, ops in enumerate(BINARY_LEVELS, start=1) for op in ops.split()}
