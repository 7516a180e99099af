"""Messages about names: declarations, scopes, storage qualifiers and layouts (E03xx, W03xx)."""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error

UNDECLARED_NAME = error(
    "E0301",
    "'{name}' is not declared",
    """
    Every name must be declared before it is used, in the scope of the use or in one around it
    (GLSL ES 1.00 section 4.2.2).

        void main() {
            gl_FragColor = colour;   // error: no declaration of 'colour' stands before this line
        }
    """,
)
