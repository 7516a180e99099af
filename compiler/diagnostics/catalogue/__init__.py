"""Every message the compiler can print, one module a phase.

`all_entries()` imports the phase modules on demand, so a successful compile never loads them all.
"""

from __future__ import annotations

from importlib import import_module

from glslc_multi.compiler.diagnostics.catalogue.registry import declared
from glslc_multi.compiler.diagnostics.model import Entry

#: The modules in order, with the digits that their codes begin with.
PHASES = {
    "preprocess": "01",
    "syntax": "02",
    "names": "03",
    "types": "04",
    "link": "05",
    "ir": "06",
    "evaluation": "06",
    "limits": "07",
    "machine": "08",
    "usage": "09",
    "spirv": "10",
}


def all_entries() -> dict[str, Entry]:
    """The whole catalogue by code."""
    for phase in PHASES:
        import_module(f"{__name__}.{phase}")
    return declared()
