"""The operators by precedence, for the parser that reads them; those that work on bits, which old versions reserve."""

from __future__ import annotations

#: From loosest to tightest (GLSL ES 3.00 section 5.1).
BINARY_LEVELS = ("||", "^^", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")

#: Reserved by section 5.1 of versions without integer bits: the parser reads and reports them, so for the checker they
#: have the type ERROR.
RESERVED_OPERATORS = frozenset("% ~ << >> & ^ | %= <<= >>= &= ^= |=".split())

#: Their right operand is a number of bits, of any integer type.
SHIFTS = frozenset(("<<", ">>"))
#: What takes integers only, and yields them.
OF_INTEGERS = frozenset("% << >> & ^ |".split())

#: Level of each operator, from 1.
LEVEL_OF = {op: level for level, ops in enumerate(BINARY_LEVELS, start=1) for op in ops.split()}
