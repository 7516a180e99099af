"""The structure of a vertex, its loaders, and the buffer that has an array of them.

An attribute is floats, as many as GLSL has; a matrix or an array of them takes a register for each column, and so a
loader for each.  Loaders are the unit's attributes in order, of which there are 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.compiler.artifact import Artifact, Binding, Location
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.host_code.places import size_of
from glslc_multi.compiler.records import dataclass

_LOADERS = Limit(
    "pica200", "attributes that one vertex loads", 12, "columns of matrices and elements of arrays count, too"
)


@dataclass(frozen=True, slots=True)
class Vertex:
    """What templates take of the attributes of a shader."""

    structure: tuple[str, ...]
    #: Statements that fill `C3D_AttrInfo *info`.
    loaders: tuple[str, ...]
    #: Arguments of BufInfo_Add after the stride.
    buffer: str


def vertex_of(artifact: Artifact, prefix: str, sink: DiagnosticSink) -> Vertex | None:
    """None for a shader without attributes, which nothing is loaded for."""
    attributes = artifact.reflection.attributes
    places = [location for attribute in attributes for location in attribute.locations]
    if len(places) > _LOADERS.most:
        _LOADERS.report(len(places), None, sink)
        sink.raise_if_errors()
    if not places:
        return None
    order = sum(number << 4 * number for number in range(len(places)))
    return Vertex(
        structure=(
            f"typedef struct {prefix}_vertex {{",
            *(f"    {line}" for line in _members(attributes)),
            f"}} {prefix}_vertex;",
        ),
        loaders=tuple(_loaders(places)),
        buffer=f"{len(places)}, 0x{order:X}",
    )


def _members(attributes: Sequence[Binding]) -> Iterator[str]:
    names = CNames()
    for attribute in attributes:
        count = size_of(attribute)
        extent = "" if count == 1 else f"[{count}]"
        in_glsl = f"{attribute.type} {attribute.name}{'' if attribute.length is None else f'[{attribute.length}]'}"
        yield f"float {names.new(member_name(attribute.name))}{extent}; /* {in_glsl} */"


def _loaders(places: Sequence[Location]) -> Iterator[str]:
    for place in places:
        yield f"AttrInfo_AddLoader(info, {place.index}, GPU_FLOAT, {len(place.components)});"
    # The function above has 32 bits for what eight loaders fill.
    registers = sum(place.index << 4 * number for number, place in enumerate(places))
    if len(places) >= 8:
        yield f"info->permutation = 0x{registers:X}ULL;"
