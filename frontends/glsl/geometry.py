"""Geometry shaders in the syntax of GLSL ES 1.00, which has none: a pragma asks for them.

    #pragma geometry(triangles)         or points, lines, or vertices = n

With it, in the geometry stage, attributes are arrays with one element for each vertex of the primitive, as is
`gl_PositionIn`; `EmitVertex()` emits what the outputs hold as the next vertex of a triangle strip, `EndPrimitive()`
ends the strip.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from compiler.diagnostics import Span

#: What names that exist with the pragma alone ask for, as others ask for an extension.
PRAGMA = "#pragma geometry"
PRAGMA_FORMS = "'geometry(points)', 'geometry(lines)', 'geometry(triangles)' or 'geometry(vertices = n)'"

_PRIMITIVES = {"points": 1, "lines": 2, "triangles": 3}
_PRAGMA = re.compile(rf"geometry\s*\(\s*({'|'.join(_PRIMITIVES)}|vertices\s*=\s*([1-9]\d?))\s*\)")


def is_geometry_pragma(text: str) -> bool:
    """Whether this is a well-formed pragma of geometry shaders."""
    return _PRAGMA.fullmatch(text) is not None


def primitive_vertices(pragmas: Iterable[tuple[str, Span]]) -> int | None:
    """How many vertices a run of a geometry shader takes; None without the pragma.  The last one holds."""
    count = None
    for match in (_PRAGMA.fullmatch(text) for text, _ in pragmas):
        if match is not None:
            count = _PRIMITIVES.get(match[1]) or int(match[2])
    return count
