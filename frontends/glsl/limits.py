"""Bounds of the frontend: what is larger is refused with a message instead of exhausting Python's stack.

The syntax tree of an accepted shader is at most about `NESTING_LIMIT` + twice `CHAIN_LIMIT` nodes high, and more than
`NESTING_LIMIT` only along `Binary.left`, `Index.base`, `Field.base`, `Postfix.operand` and `If.otherwise`.
"""

from __future__ import annotations

#: Brackets, calls, prefix and conditional operators and blocks around one token.
NESTING_LIMIT = 256
#: Operators of one expression, and `else if` branches of one function.
CHAIN_LIMIT = 4096
#: Python frames that the deepest nesting needs in the parser (about ten a level), with room to spare.
RECURSION_LIMIT = 10_000
#: Tokens of all files of one shader; each takes about 500 bytes until it is an instruction.
TOKEN_LIMIT = 1 << 19
#: Instructions that lowering may make of one shader; large structures make many of a short text.
INSTRUCTION_LIMIT = 1 << 17
