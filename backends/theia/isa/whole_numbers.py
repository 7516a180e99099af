"""How far the machine's whole numbers go, which are numbers of fixed point."""

from __future__ import annotations

from glslc_multi.compiler.isa.whole_numbers import WholeNumbers

#: The greatest number is short of 2^14, which only its negative is.
WHOLE_NUMBERS = WholeNumbers(exact=(1 << 14) - 1, outside=1 << 10, largest=(1 << 14) - 1)
