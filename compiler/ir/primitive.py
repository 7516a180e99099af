"""What a geometry shader takes in one run, as its pragma says.

    #pragma geometry(triangles)                           or points, lines, or vertices = n
    #pragma geometry(fixed, vertices = n)                 the same, in memory that indices select from
    #pragma geometry(variable, vertices = n, most = m)    up to m vertices, of which the first n bring all inputs

The other vertices of a `variable` primitive bring only their position.  The front end checks declarations against it; a
back end finds its inputs with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, cast

from glslc_multi.compiler.records import dataclass

PrimitiveKind = Literal["point", "fixed", "variable"]

PRIMITIVE_FORMS = (
    "'geometry(points)', 'geometry(lines)', 'geometry(triangles)' or 'geometry(vertices = n)', one of these after "
    "'fixed,', or 'geometry(variable, vertices = n, most = m)'"
)
_NAMED = {"points": 1, "lines": 2, "triangles": 3}
_NUMBER = r"\s*=\s*([1-9]\d?)\s*"
# A text, so that the shaders of other stages do not wait for its compilation.
_PRAGMA = (
    rf"geometry\s*\(\s*(?:(fixed|variable)\s*,\s*)?(?:({'|'.join(_NAMED)})\s*|vertices{_NUMBER})"
    rf"(?:,\s*most{_NUMBER})?\)"
)


@dataclass(frozen=True, slots=True)
class Primitive:
    """How many vertices a run gets, and how."""

    kind: PrimitiveKind
    #: Vertices that bring all inputs.
    vertices: int
    #: Vertices that bring a position: the same number, or more for kind "variable", where a run may get fewer.
    positions: int


def read_primitive(pragma: str) -> Primitive | None:
    """What a pragma of geometry shaders says; None where it is none, or makes no sense."""
    match = re.fullmatch(_PRAGMA, pragma)
    if match is None:
        return None
    kind, name, number, most = match.groups()
    vertices = _NAMED.get(name) or int(number)
    if (kind == "variable") is (most is None) or int(most or vertices) < vertices:
        return None
    return Primitive(cast("PrimitiveKind", kind or "point"), vertices, int(most or vertices))


def primitive_of(pragmas: Iterable[str]) -> Primitive | None:
    """What the pragmas of a shader declare; the last one counts."""
    primitives = [primitive for primitive in map(read_primitive, pragmas) if primitive is not None]
    return primitives[-1] if primitives else None
