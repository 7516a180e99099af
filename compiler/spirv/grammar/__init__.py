"""The instruction table by numbers and by names."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.spirv.grammar.arithmetic import ARITHMETIC, BITS, CONVERSIONS, DERIVATIVES, RELATIONS
from glslc_multi.compiler.spirv.grammar.model import Row
from glslc_multi.compiler.spirv.grammar.structure import COMPOSITE, FUNCTION, IMAGE, MODULE

TABLE: tuple[Row, ...] = (
    *(*MODULE, *FUNCTION, *COMPOSITE, *IMAGE),
    *(*CONVERSIONS, *ARITHMETIC, *BITS, *RELATIONS, *DERIVATIVES),
)
BY_NUMBER: dict[int, Row] = {row.number: row for row in TABLE}
BY_NAME: dict[str, Row] = {row.name: row for row in TABLE}


def kind_at(row: Row, index: int, before: Sequence[object]) -> str:
    """The kind of the operand after those `before`; OpSpecConstantOp has the operands of another instruction."""
    if row.kinds[:1] == ("opcode",) and index:
        inner = BY_NUMBER.get(before[0]) if isinstance(before[0], int) else None
        kinds, index = (inner.kinds if inner else ()), index - 1
    else:
        kinds = row.kinds
    return kinds[min(index, len(kinds) - 1)] if kinds else "literal"
