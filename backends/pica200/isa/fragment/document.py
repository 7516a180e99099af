"""The reference page `docs/isa/pica200-fragment.md`, made from the tables of the fragment stage.

`python -m glslc_multi.backends.pica200.isa.fragment.document` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from glslc_multi.backends.pica200.isa.fragment import combiners, container, floats, tables
from glslc_multi.backends.pica200.isa.fragment.registers import REGISTERS
from glslc_multi.backends.pica200.isa.fragment.registers.layout import Register
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import CONFIGURATIONS
from glslc_multi.backends.pica200.isa.fragment.validate import RULES
from glslc_multi.compiler.isa.fields import Field
from glslc_multi.compiler.markdown import spaced_table, write_page

#: The number of a stage, light, data register or side in the name of a register.
_NUMBER = re.compile(r"(?<=TEXENV)\d|(?<=^LIGHT)\d|(?<=DATA)\d|(?<=ADDR)\d")
PAGE: Path = Path(__file__).resolve().parents[4] / "docs" / "isa" / "pica200-fragment.md"

_INTRODUCTION = """# Registers of the PICA200's fragment stage

Made from the tables in `backends/pica200/isa/fragment` by
`python -m glslc_multi.backends.pica200.isa.fragment.document`; do not edit.
The text form, files and dumps of these registers have
[a page of their own](../pica200-fragment-text.md).

The stage has no program. Six texture combiners run one after the other, each with a colour and an alpha half; then
follow the alpha test, fog, and what is drawn at all. A value between stages is a byte a channel, 0 to 255 for 0 to 1.
"""
_FUNCTIONS = """
## Combiners

`a`, `b` and `c` are the operands in the order of the registers. A result is clamped to 0 to 1, multiplied by its scale
(1, 2 or 4) and clamped again. `dot3` is the sum over red, green and blue of the products of the operands, in which 0 to
1 stands for -1 to 1. ADD_MULTIPLY clamps its sum before the product.
"""
_OPERANDS = """
An operand is a source and the channels that are taken of it; `1 - ` before it takes them from 1. The code of that is
one more. What the alpha half has instead of `rgb` is one channel.
"""
_BUFFER = """
The buffer lags behind: stage n reads what it held before stage n - 1 wrote into it. Stages 0 to 3 can write; stage 0
reads 0.
"""
_REGISTERS = """
## Registers

n is the number of a stage, light, unit or side, in the order of the addresses. Bits in no field are 0.
"""
_LAYOUTS = """
## Fields

A field that is a choice has the names of its codes; other codes have no known meaning. Floats are described below.
"""
_TABLES = """
## Tables

The index register names a table and the entry that is written next. A write to any of eight data registers stores the
entry and moves on.
"""
_CONFIGURATIONS = """
Tables of the lighting unit count if its configuration has them; those of distance always do.
"""
_FLOATS = """
## Short floats

One sign bit. Numbers are cut off, not rounded. The smallest exponent has no subnormals; its pattern without a mantissa
is zero.
"""
_COMMANDS = """
## Command lists

A command is a value, a header and further values; commands begin at even words.
"""
_RULES = """
## Rules

What `validate` checks, by the name in its faults.
"""


def page() -> str:
    """The whole page."""
    return "".join(_parts())


def _parts() -> Iterator[str]:
    yield _INTRODUCTION
    yield _FUNCTIONS
    yield spaced_table(("code", "function", "formula"), _function_rows())
    yield _OPERANDS
    yield spaced_table(
        ("code", "source", "libctru"),
        ((source.code, f"`{source.name}`", f"GPU_{source.libctru}") for source in combiners.SOURCES.values()),
    )
    for what, rows in (("colour", combiners.COLOUR_SELECTIONS), ("alpha", combiners.ALPHA_SELECTIONS)):
        yield spaced_table(
            ("code", f"channels of {what} operands"), ((row.code, f"`{row.name}`") for row in rows.values())
        )
    yield _BUFFER
    yield _REGISTERS
    yield spaced_table(("address", "register", "layout", "what"), _register_rows())
    yield _LAYOUTS
    yield spaced_table(("layout", "bits", "field", "meaning"), _layout_rows())
    yield _TABLES
    yield spaced_table(("table", "index", "data", "entries", "what"), map(_table_row, tables.TABLES.values()))
    yield _CONFIGURATIONS
    yield spaced_table(("code", "tables"), ((code, ", ".join(names)) for code, names in CONFIGURATIONS.items()))
    yield _FLOATS
    yield spaced_table(
        ("format", "exponent", "mantissa"), ((f.name, f.exponent, f.mantissa) for f in floats.FLOATS.values())
    )
    yield _COMMANDS
    yield spaced_table(("bits", "field", "meaning"), ((_bits(f), f.name, f.doc) for f in container.HEADER.fields))
    yield _RULES
    yield spaced_table(("rule", "what it requires"), ((f"`{rule}`", text) for rule, text in RULES.items()))


def _function_rows() -> Iterable[Sequence[object]]:
    for function in combiners.FUNCTIONS_BY_CODE.values():
        yield function.code, function.name, f"`{function.formula.format(*'abc')}`"


def _register_rows() -> Iterator[Sequence[object]]:
    """Registers that differ by a number are one row."""
    rows: dict[str, list[Register]] = {}
    for register in REGISTERS:
        rows.setdefault(_NUMBER.sub("n", register.name), []).append(register)
    for name, registers in rows.items():
        first = registers[0]
        what = re.sub(r"^(stage|light) 0: ", "", first.doc) if len(registers) > 1 else first.doc
        # Addresses in hexadecimal; those that follow each other as a range.
        runs = []
        for _, group in groupby(enumerate([row.address for row in registers]), lambda pair: pair[1] - pair[0]):
            run = [address for _, address in group]
            runs.append(f"{run[0]:03X}" if len(run) == 1 else f"{run[0]:03X}-{run[-1]:03X}")
        yield ", ".join(runs), name, first.format.name, what


def _layout_rows() -> Iterator[Sequence[object]]:
    """Every layout once, field by field; of fields with the same choices, the first one lists them."""
    layouts = {register.format.name: register.layout for register in REGISTERS}
    for layout in layouts.values():
        listed: dict[str, str] = {}
        for index, field in enumerate(layout.format.fields):
            form = layout.floats.get(field.name)
            kind = [form.name] if form is not None else ["signed"] if field.signed else []
            choices = ", ".join(f"{code} {name}" for code, name in layout.codes.get(field.name, {}).items())
            first = listed.setdefault(choices, field.name)
            if choices and first != field.name:
                choices = f"choices as of {first}"
            meaning = "; ".join(part for part in (field.doc, *kind, choices) if part)
            yield layout.format.name if index == 0 else "", _bits(field), field.name, meaning


def _table_row(table: tables.Table) -> Sequence[object]:
    index = f"{table.index_register:03X} = {table.first:X}"
    return f"`{table.name}`", index, f"{table.data_register:03X}", table.size, table.doc


def _bits(field: Field) -> str:
    high = field.low + field.width - 1
    return f"{high}:{field.low}" if field.width > 1 else str(field.low)


if __name__ == "__main__":
    write_page(PAGE, page())
