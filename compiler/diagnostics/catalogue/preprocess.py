"""Messages of the preprocessor: directives, macros, includes, versions and extensions (E01xx, W01xx)."""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error

INVALID_CHARACTER = error(
    "E0101",
    "character {character} is not allowed in a shader",
    """
    GLSL ES 1.00 section 3.1 lists the characters that a shader may contain: letters, digits, `_`, white space
    and the operators' characters. Others may stand in comments only.

        float größe = 1.0;   // error: 'ö' outside a comment
    """,
)
