"""The reference page of the instruction set, made from its tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.backends.pica200.isa import descriptors
from glslc_multi.backends.pica200.isa.instructions import LAYOUTS, OPERATIONS, Layout, Operation
from glslc_multi.backends.pica200.isa.rules import RULES
from glslc_multi.compiler.isa.document import field_table, introduction, rule_table
from glslc_multi.compiler.markdown import spaced_table

_INSTRUCTIONS = """
## Instructions

`s1`, `s2`, `s3` are the sources after swizzle and negation; only components in the descriptor's mask are written. A
name with an arrow has a second form, in which the last source is the wide one; the assembler picks the form. The codes
of CMP have five bits, those of MAD and MADI three; all others have six.
"""
_FORMATS = """
## Formats

Bits are numbered from 0, the lowest. Bits that no field owns are 0. The wide source has seven bits and may be a c
register.
"""
_DESCRIPTOR = """
## Operand descriptor
"""
_RULES = """
## Rules

What `validate` checks on finished programs, by the name in its faults.
"""


def page() -> str:
    """The whole page."""
    return "".join(
        (
            introduction("PICA200", "pica200"),
            _INSTRUCTIONS,
            spaced_table(("code", "instruction", "format", "effect"), map(_instruction_row, OPERATIONS)),
            _FORMATS,
            spaced_table(("format", "fields", "wide source"), map(_layout_row, LAYOUTS)),
            spaced_table(("field", "values"), _field_rows()),
            _DESCRIPTOR,
            field_table(descriptors.FORMAT),
            _RULES,
            rule_table(RULES),
        )
    )


def _instruction_row(row: Operation) -> Sequence[str]:
    width = row.layout.format.by_name["opcode"].width
    second = f" → {row.inverted}" if row.inverted else ""
    return f"`{row.opcode:0{width}b}`", f"{row.name}{second}", row.layout.format.name, row.doc


def _layout_row(layout: Layout) -> Sequence[str]:
    return layout.format.name, ", ".join(f"{part.name} {part.bits}" for part in layout.format.fields), layout.wide


def _field_rows() -> Iterable[Sequence[str]]:
    """Every field that has an explanation, once."""
    explained = {part.name: part.doc for layout in LAYOUTS for part in layout.format.fields if part.doc}
    sources = {"src1", "src2", "src3"}
    yield "src1, src2, src3", "v0-v15, r0-r15; the wide one also c0-c95"
    yield from ((name, doc) for name, doc in explained.items() if name not in sources)
