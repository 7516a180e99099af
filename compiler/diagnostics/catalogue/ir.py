"""Messages about the IR: its text form and the rules the verifier holds it to (E06xx, W06xx)."""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error

INVALID_IR_TEXT = error(
    "E0601",
    "expected {expected}, found {found}",
    """
    The text is not IR as the compiler prints it. `compiler/ir/README.md` describes the text form.
    """,
)
