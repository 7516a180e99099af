"""The reference page of the instruction set, made from its tables."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.theia.isa.instructions import FORMATS, INSTRUCTIONS, LIVE_SWIZZLES, SWIZZLES, Instruction
from glslc_multi.backends.theia.isa.program import ENTRIES, FIRMWARE
from glslc_multi.backends.theia.isa.registers import BY_NAME, RESERVED, VARIANTS
from glslc_multi.backends.theia.isa.rules import RULES
from glslc_multi.compiler.isa.document import format_section, introduction, rule_table
from glslc_multi.compiler.markdown import spaced_table

_INSTRUCTIONS = """
## Instructions

`D` is the destination register, `a` and `b` are sources, `L` is a jump target; unused register fields are `VOID`. A
register is a row of three lanes x, y, z; where no lane is named, the result is lane by lane. Cycles are those of the
arithmetic unit, an instruction takes one more; "-" means that it never completes.
"""
_FIELDS = """
## Fields of a word

A word has 64 bits.
"""
_SWIZZLES = """
## Swizzles

The operand of `SWIZZLE3D`, by code; only those marked are implemented, all others write zeros.
"""
_REGISTERS = """
## Registers

What is written to registers 0 to 31 and 128 to 131 is lost. Registers marked "firmware" cannot be overwritten.
"""
_ENTRIES = """
## Entry points

The first twelve slots of user code memory, each the address where a block begins; the numbers are the firmware's.
"""
_RULES = """
## Rules

What `validate` checks.
"""
_OPERANDS = {"I": "32'h...", "W": "SWIZZLE_...", "C": "RT_TRUE", "-": "VOID", "D": "D", "L": "L"}


def page() -> str:
    """The whole page."""
    live = ((code, f"`SWIZZLE_{name}`", "yes" if code in LIVE_SWIZZLES else "") for code, name in enumerate(SWIZZLES))
    entries = ((slot, f"`{name}`", *(FIRMWARE[v][name] for v in VARIANTS)) for slot, name in enumerate(ENTRIES))
    return "".join(
        (
            introduction("THEIA", "theia"),
            _INSTRUCTIONS,
            spaced_table(("code", "text", "result", *VARIANTS), map(_instruction_row, INSTRUCTIONS)),
            _FIELDS,
            *map(format_section, FORMATS),
            _SWIZZLES,
            spaced_table(("code", "text", "implemented"), live),
            _REGISTERS,
            spaced_table(("address", *VARIANTS, ""), _register_rows()),
            _ENTRIES,
            spaced_table(("slot", "block", *VARIANTS), entries),
            _RULES,
            rule_table(RULES),
        )
    )


def _instruction_row(row: Instruction) -> tuple[object, ...]:
    sources = iter("ab")
    operands = " ".join(next(sources) if letter == "S" else _OPERANDS[letter] for letter in row.shape)
    cycles = ("-" if row.cycles(variant) is None else row.cycles(variant) for variant in VARIANTS)
    return f"{row.code:02X}", f"`{row.name} {operands}`", row.meaning, *cycles


def _register_rows() -> Iterator[tuple[object, ...]]:
    addresses = sorted({address for names in BY_NAME.values() for address in names.values()})
    names = {variant: {address: name for name, address in BY_NAME[variant].items()} for variant in VARIANTS}
    for address in addresses:
        spelled = (f"`{names[v][address]}`" if address in names[v] else "" for v in VARIANTS)
        firmware = [variant for variant in VARIANTS if address in RESERVED[variant]]
        yield address, *spelled, "firmware" if firmware else ""
