"""The layout of vertices: all attributes in one buffer, one after the other, as libxenon has them.

In: the attributes with their numbers, and the option `usages`.  Out: a `VertexFetch` for each attribute (a matrix has
one a column).  libxenon replaces format, offset and stride by those of the vertices at hand; it finds an attribute by
its usage and index, and knows floats in twos, threes and fours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from glslc_multi.backends.xenos.isa.usages import INDICES, USAGES, default_usage
from glslc_multi.backends.xenos_family.codegen.conventions import VertexFetch
from glslc_multi.backends.xenos_family.isa.vertex_formats import FLOAT, STORAGE_FORMATS
from glslc_multi.compiler.codegen.interface import Column
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.options import TargetOptions

#: The vertex constant that libxenon sets, and how many attributes a program may have.
VERTEX_CONSTANT, ATTRIBUTES = 95, 16
_LEAST_WIDTH = 2
_USAGE = re.compile(r"([A-Z]+?)(\d*)\Z")


def lay_out_vertices(
    numbers: Mapping[Column, int], options: TargetOptions, sink: DiagnosticSink
) -> dict[Column, VertexFetch]:
    """The fetches of attributes; `numbers` are those of the attributes."""
    named = _usages(str(options.values.get("usages", "")), numbers, sink)
    in_order = sorted(numbers, key=numbers.__getitem__)
    widths = {part: max(part[0].type.width, _LEAST_WIDTH) for part in in_order}
    sizes = {part: STORAGE_FORMATS[FLOAT].size(widths[part]) for part in in_order}
    stride, offset = sum(sizes.values()), 0
    fetches: dict[Column, VertexFetch] = {}
    for part in in_order:
        found = named.get(part, default_usage(numbers[part]))
        fetches[part] = VertexFetch(VERTEX_CONSTANT, FLOAT, widths[part], offset, stride, found)
        offset += sizes[part]
    owners: dict[tuple[int, int] | None, Column] = {}
    for part, fetch in fetches.items():
        owner = owners.setdefault(fetch.usage, part)
        if owner is not part and fetch.usage is not None:
            number, index = fetch.usage
            _report("a usage of its own for each attribute", f"{part[0].name}={USAGES[number]}{index}", sink)
    sink.raise_if_errors()
    return fetches


# --- The option -------------------------------------------------------------------------------------------------------


def _usages(text: str, parts: Iterable[Column], sink: DiagnosticSink) -> dict[Column, tuple[int, int]]:
    """The usages that the option names; columns and elements of one attribute count on from its index."""
    by_name: dict[str, list[Column]] = {}
    for part in parts:
        by_name.setdefault(part[0].name, []).append(part)
    usages: dict[Column, tuple[int, int]] = {}
    for item in filter(None, (item.strip() for item in text.split(","))):
        name, _, spelled = item.partition("=")
        match = _USAGE.match(spelled)
        if match is None or match[1] not in USAGES:
            _report(f"NAME=USAGE with a usage of {', '.join(USAGES)} and its index", item, sink)
        elif name not in by_name:
            _report(f"names of attributes ({', '.join(by_name) or 'the shader has none'})", name, sink)
        elif int(match[2] or 0) + len(by_name[name]) > INDICES:
            _report(f"an index of which no column is beyond {INDICES - 1}", item, sink)
        else:
            first = int(match[2] or 0)
            usages |= {part: (USAGES.index(match[1]), first + at) for at, part in enumerate(by_name[name])}
    sink.raise_if_errors()
    return usages


def _report(expected: str, value: str, sink: DiagnosticSink) -> None:
    sink.report(usage.INVALID_OPTION_VALUE, option="usages", expected=expected, value=value)
