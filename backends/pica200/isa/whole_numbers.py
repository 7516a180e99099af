"""How far the machine's whole numbers go, which are floats."""

from __future__ import annotations

from glslc_multi.compiler.isa.whole_numbers import WholeNumbers

WHOLE_NUMBERS = WholeNumbers(exact=1 << 16, outside=1 << 12)
