"""Messages about types and expressions: operators, calls, constructors, assignments (E04xx, W04xx)."""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error

TYPE_MISMATCH = error(
    "E0401",
    "expected {expected}, found {found}",
    """
    The expression has another type than its place needs. GLSL ES 1.00 has no implicit conversions
    (section 4.1.10): convert with a constructor.

        float a = 1;          // error: expected float, found int
        float b = float(1);   // fine
        float c = 1.0;        // fine
    """,
)
