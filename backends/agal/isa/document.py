"""The reference page of the instruction set, made from its tables."""

from __future__ import annotations

from glslc_multi.backends.agal.isa.instructions import DESTINATION, INSTRUCTIONS, SAMPLER, SOURCE, Instruction
from glslc_multi.backends.agal.isa.registers import BANKS, TOKEN_LIMITS, TYPE_NAMES, Bank
from glslc_multi.backends.agal.isa.rules import RULES
from glslc_multi.backends.agal.isa.sampler_options import OPTIONS
from glslc_multi.compiler.isa.document import format_section, introduction, rule_table
from glslc_multi.compiler.markdown import spaced_table

_INSTRUCTIONS = """
## Instructions

`D` is the destination, `a` and `b` are sources after their swizzle, `s` is a sampler. Only components in the write mask
are written, each from the same component of the result. "xyz" means that the write mask must be exactly this.
"""
_REGISTERS = """
## Registers

How many there are in versions 1, 2 and 3, and what assembly text can name where that differs.
"""
_FIELDS = """
## Fields of a token

A token is 24 bytes, little-endian: opcode (32 bits), destination (32 bits), source 1 (64 bits), source 2 or sampler
(64 bits). Operands that an instruction does not have are 0.
"""
_OPTIONS = """
## Sampler options

The words between `<` and `>` of `tex`; a number is the level of detail bias.
"""
_RULES = """
## Rules

What `validate` checks, by the number of the runtime's error.
"""


def page() -> str:
    """The whole page."""
    return "".join(
        (
            introduction("AGAL", "agal"),
            _INSTRUCTIONS,
            spaced_table(
                ("code", "text", "from version", "stages", "mask", "result"), map(_instruction_row, INSTRUCTIONS)
            ),
            _REGISTERS,
            spaced_table(("type", "stage", "names", "number", "in text"), map(_bank_row, BANKS)),
            f"\nTokens of a program: {_sizes(tuple(TOKEN_LIMITS.values()))}.\n",
            _FIELDS,
            *map(format_section, (DESTINATION, SOURCE, SAMPLER)),
            _OPTIONS,
            spaced_table(("word", "field", "value"), ((f"`{word}`", *field) for word, field in OPTIONS.items())),
            _RULES,
            rule_table(RULES),
        )
    )


def _instruction_row(row: Instruction) -> tuple[object, ...]:
    text = f"`{row.name} {', '.join(row.operands)}`".replace(" `", "`")
    stages = "fragment" if row.fragment_only else "both"
    return f"{row.code:02X}", text, row.version, stages, "xyz" if row.only_xyz else "", row.meaning


def _bank_row(bank: Bank) -> tuple[object, ...]:
    names = ", ".join(f"`{name}`" for name in bank.names)
    number = f"{TYPE_NAMES[bank.type]} ({bank.type})"
    return number, bank.stage, names, _sizes(bank.sizes), _sizes(bank.named_sizes) if bank.named_sizes else ""


def _sizes(sizes: tuple[int, ...]) -> str:
    return str(sizes[0]) if len(set(sizes)) == 1 else ", ".join(map(str, sizes))
