"""How far the machine's whole numbers go, which are numbers of fixed point."""

from __future__ import annotations

from compiler.isa.whole_numbers import WholeNumbers

WHOLE_NUMBERS = WholeNumbers(exact=1 << 14, outside=1 << 10)
