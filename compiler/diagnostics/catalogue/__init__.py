"""Every message the compiler can print, one module a phase.

`all_entries()` imports the phase modules on demand, so a successful compile never loads them all.
"""

from __future__ import annotations

from importlib import import_module

from compiler.diagnostics.catalogue.registry import declared
from compiler.diagnostics.model import Entry

PHASES = ("preprocess", "syntax", "names", "types", "link", "ir", "limits", "machine", "usage")


def all_entries() -> dict[str, Entry]:
    """The whole catalogue by code."""
    for phase in PHASES:
        import_module(f"{__name__}.{phase}")
    return declared()
