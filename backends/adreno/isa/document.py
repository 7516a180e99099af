"""The reference page `docs/isa/adreno.md`, made from the instruction table.

`python -m backends.adreno.isa.document` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from backends.adreno.isa import formats, instructions
from backends.adreno.isa.rules import RULES
from compiler.isa.fields import Field, Format
from compiler.markdown import spaced_table, write_page

PAGE: Path = Path(__file__).resolve().parents[3] / "docs" / "isa" / "adreno.md"

_INTRODUCTION = """# Adreno A2xx instruction set

Made from the tables in `backends/adreno/isa`
by `python -m backends.adreno.isa.document`; do not edit. What the machine is like is told in
[the target's README](../../backends/adreno/README.md).
"""
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
_LAYOUTS = (
    formats.ALU,
    formats.VERTEX,
    formats.TEXTURE,
    formats.EXEC,
    formats.LOOP,
    formats.JUMP,
    formats.ALLOC,
    formats.NONE,
)


def page() -> str:
    """The whole page."""
    return "".join(
        (
            _INTRODUCTION,
            _VECTOR,
            spaced_table(
                ("code", "operation", "sources", "result"), map(_operation_row, instructions.VECTOR_OPERATIONS)
            ),
            _SCALAR,
            spaced_table(
                ("code", "operation", "components", "result"), map(_operation_row, instructions.SCALAR_OPERATIONS)
            ),
            _FETCHES,
            spaced_table(("code", "fetch", "format", "effect"), map(_opcode_row, instructions.FETCHES)),
            _CLAUSES,
            spaced_table(("code", "clause", "format", "effect"), map(_opcode_row, instructions.CLAUSES)),
            _FORMATS,
            *map(_format, _LAYOUTS),
            _RULES,
            spaced_table(("rule", "what it asks"), ((f"`{rule}`", text) for rule, text in RULES.items())),
        )
    )


def _operation_row(row: instructions.Operation) -> Sequence[str]:
    return str(row.code), row.name, str(row.sources), row.doc


def _opcode_row(row: instructions.Opcode) -> Sequence[str]:
    return str(row.code), row.name, row.format.name, row.doc


def _format(layout: Format) -> str:
    title = f"\n### {layout.name}, {layout.size} bits\n"
    return title + spaced_table(("bits", "field", "meaning"), map(_field_row, layout.fields))


def _field_row(part: Field) -> Sequence[str]:
    high = part.low + part.width - 1
    return (f"{high}:{part.low}" if part.width > 1 else str(part.low)), part.name, part.doc


if __name__ == "__main__":
    write_page(PAGE, page())
