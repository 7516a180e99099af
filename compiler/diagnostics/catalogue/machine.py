"""Messages about machine code: assembly text, containers and programs that break a hardware rule (E08xx, W08xx)."""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error

INVALID_ASSEMBLY = error(
    "E0801",
    "expected {expected}, found {found}",
    """
    The assembly text does not follow the target's syntax. The README of the target's folder describes it.
    """,
)
