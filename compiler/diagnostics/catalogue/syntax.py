"""Messages of the parser: tokens where the grammar allows none of them (E02xx, W02xx)."""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error

UNEXPECTED_TOKEN = error(
    "E0201",
    "expected {expected}, found {found}",
    """
    The text does not follow the grammar of GLSL ES 1.00 (section 9) at this place.

        float a = 1.0        // error: expected ';', found 'float'
        float b = 2.0;
    """,
)
