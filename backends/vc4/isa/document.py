"""The reference page of the instruction set, made from its tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.backends.vc4.isa import formats, instructions, packing, registers, rules
from glslc_multi.compiler.isa.document import format_section, introduction, rule_table
from glslc_multi.compiler.markdown import spaced_table

_ADD = """
## Operations of ADD

`a` and `b` are the operands. C is the carry flag; Z and N are those of the result.
"""
_MUL = """
## Operations of MUL
"""
_SIGNALS = """
## Signals

An instruction has one; small immediates (13), loads (14) and branches (15) are signals, too.
"""
_CONDITIONS = """
## Conditions

Of a write, lane by lane, and of a branch, over all lanes.
"""
_SMALL = """
## Small immediates

Codes 0 to 31 are -16 to 15, 32 to 39 are 1.0, 2.0 ... 128.0, 40 to 47 are 1/256, 1/128 ... 1/2. Code 48 rotates MUL's
operands by the low four bits of r5, 48 + n by n: lane i moves to lane (i + n) mod 16.
"""
_PACKING = """
## Unpack and pack modes

With pm = 0 unpacking is of what is read from file A, packing of what is written to it; with pm = 1 unpacking is of r4,
packing of MUL's result.
"""
_REGISTERS = """
## Addresses

Addresses 0 to 31 are registers of the files. The first name is the one that the disassembler prints.
"""
_FORMATS = """
## Formats
"""
_RULES = """
## Rules of the hardware

What `validate` checks, by the name in its faults.
"""
_DRIVER = """
## Rules of the Linux driver

What `validate_driver.check` checks.
"""


def page() -> str:
    """The whole page."""
    return "".join(
        (
            introduction("VC4", "vc4"),
            _ADD,
            _operations(instructions.ADD_OPERATIONS),
            _MUL,
            _operations(instructions.MUL_OPERATIONS),
            _SIGNALS,
            spaced_table(
                ("code", "name", "effect"),
                ((str(int(signal)), signal.name.lower(), doc) for signal, doc in instructions.SIGNALS.items()),
            ),
            _CONDITIONS,
            spaced_table(("code", "write"), ((str(int(row)), row.name.lower()) for row in instructions.Condition)),
            spaced_table(
                ("code", "branch"), ((str(int(row)), row.name.lower()) for row in instructions.BranchCondition)
            ),
            _SMALL,
            _PACKING,
            *_packing_tables(),
            _REGISTERS,
            spaced_table(("address", "file", "read", "value"), map(_register_row, registers.READS)),
            spaced_table(("address", "file", "write", "effect"), map(_register_row, registers.WRITES)),
            _FORMATS,
            *map(format_section, formats.FORMATS),
            _RULES,
            rule_table(rules.HARDWARE),
            _DRIVER,
            rule_table(rules.DRIVER),
        )
    )


def _operations(rows: Iterable[instructions.Operation]) -> str:
    lines = ((str(row.code), row.name, str(row.operands), row.doc, row.carry_doc) for row in rows)
    return spaced_table(("code", "operation", "operands", "result", "C"), lines)


def _packing_tables() -> Iterable[str]:
    unpacks = ((str(mode.code), mode.name) for mode in packing.UNPACKS)
    yield spaced_table(("code", "unpack"), unpacks)
    modes = ((str(code), mode.name + "s" * mode.saturates) for code, mode in enumerate(packing.PACKS))
    yield spaced_table(("code", "pack, pm = 0"), modes)
    yield spaced_table(("code", "pack, pm = 1"), ((str(code), mode.name) for code, mode in packing.MUL_PACKS.items()))


def _register_row(row: registers.Register) -> Sequence[str]:
    return str(row.number), row.files, " ".join(f"`{name}`" for name in row.names), row.doc
