"""The reference page of a machine, made from its tables and those of the family."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet, Opcode
from glslc_multi.compiler.isa.document import format_section, introduction, rule_table
from glslc_multi.compiler.markdown import spaced_table

_VECTOR = """
## Vector operations

One half of an ALU instruction, component by component unless the row says otherwise; `a`, `b`, `c` are sources 1 to 3
after their modifiers. Text names the third source first.
"""
_SCALAR = """
## Scalar operations

The other half. `x` and `y` are the swizzled W and X of source 3; `previous` is the result of the scalar operation
before.
"""
_FETCHES = """
## Fetches
"""
_CLAUSES = """
## Clauses
"""
_FORMATS = """
## Formats

Bits are numbered from 0, the lowest of the first dword. Bits that no field owns are 0, but for bit 19 of a vertex
fetch, which is 1.
"""
_RULES = """
## Rules

What `validate` checks on finished programs, by the name in its faults.
"""


def page(isa: InstructionSet, title: str) -> str:
    """The whole page."""
    return "".join(
        (
            introduction(title, isa.name),
            _VECTOR,
            spaced_table(
                ("code", "operation", "sources", "result"), map(_operation_row, instructions.VECTOR_OPERATIONS)
            ),
            _SCALAR,
            spaced_table(
                ("code", "operation", "components", "result"), map(_operation_row, instructions.SCALAR_OPERATIONS)
            ),
            _FETCHES,
            spaced_table(("code", "fetch", "format", "effect"), map(_opcode_row, isa.fetches)),
            _CLAUSES,
            spaced_table(("code", "clause", "format", "effect"), map(_opcode_row, isa.clauses)),
            _FORMATS,
            *map(format_section, (formats.ALU, *isa.formats.all)),
            _RULES,
            rule_table(isa.rules),
        )
    )


def _operation_row(row: instructions.Operation) -> Sequence[str]:
    return str(row.code), row.name, str(row.sources), row.doc


def _opcode_row(row: Opcode) -> Sequence[str]:
    return str(row.code), row.name, row.format.name, row.doc
