"""Registers of what happens to a pixel after the combiners."""

from __future__ import annotations

from backends.pica200.isa.fragment.registers.layout import Register, bits, flag, layout

#: Comparisons, by code.
COMPARISONS = dict(enumerate(("never", "always", "==", "!=", "<", "<=", ">", ">=")))

_ALPHA_TEST = layout(
    "alpha_test",
    flag("enable", 0, "whether there is a test"),
    bits("function", 6, 4, "drawn where alpha compares so with the reference", COMPARISONS),
    bits("reference", 15, 8, "what alpha is compared with"),
)

ALPHA_TEST = Register(0x104, "FRAGOP_ALPHA_TEST", _ALPHA_TEST, "alpha test")

ROWS: tuple[Register, ...] = (ALPHA_TEST,)
