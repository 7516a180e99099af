"""The instruction table by numbers and by names."""

from __future__ import annotations

from frontends.spirv.grammar.arithmetic import ARITHMETIC, BITS, CONVERSIONS, DERIVATIVES, RELATIONS
from frontends.spirv.grammar.model import Row
from frontends.spirv.grammar.structure import COMPOSITE, FUNCTION, IMAGE, MODULE

TABLE: tuple[Row, ...] = (
    *(*MODULE, *FUNCTION, *COMPOSITE, *IMAGE),
    *(*CONVERSIONS, *ARITHMETIC, *BITS, *RELATIONS, *DERIVATIVES),
)
BY_NUMBER: dict[int, Row] = {row.number: row for row in TABLE}
BY_NAME: dict[str, Row] = {row.name: row for row in TABLE}
