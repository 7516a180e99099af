"""The binary operators by precedence, for the parser that reads them and the printer that writes them."""

from __future__ import annotations

#: From loosest to tightest (GLSL ES 1.00 section 5.1); the reserved ones stand where C has them.
BINARY_LEVELS = ("||", "^^", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")

#: Level of each operator, from 1.
LEVEL_OF = {op: level for level, ops in enumerate(BINARY_LEVELS, start=1) for op in ops.split()}
