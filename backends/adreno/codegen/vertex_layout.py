"""The layout of vertices in memory: format, offset and stride of each fetch.

In: the attributes with their numbers, and the options `attributes` and `attribute_formats`.  Out: a `VertexFetch` for
each attribute (a matrix has one a column).  `separate` gives each a buffer of its own, from fetch constant 20 on, in
order of the numbers; `interleaved` puts them one after another into one buffer.  Elements begin at whole dwords.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate

from glslc_multi.backends.xenos_family.codegen.conventions import VertexFetch
from glslc_multi.backends.xenos_family.isa.registers import SELECTORS
from glslc_multi.backends.xenos_family.isa.vertex_formats import FLOAT, STORAGE_FORMATS
from glslc_multi.compiler.codegen.interface import Column, check_limit
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import TargetOptions

#: The field of a stride has 8 bits.
STRIDE_LIMIT = 255
_SMALLER = "use smaller formats (attribute_formats), or a buffer for each attribute (attributes=separate)"
_STRIDE = Limit("adreno", "bytes in a vertex", STRIDE_LIMIT, _SMALLER)
_DWORD = 4
#: Vertex constants begin at fetch constant 20, three in each; samplers use those before it.
FIRST_FETCH_CONSTANT, VERTEX_CONSTANTS = 20, 36
_FIRST = FIRST_FETCH_CONSTANT * SELECTORS


def lay_out_vertices(
    numbers: Mapping[Column, int], options: TargetOptions, sink: DiagnosticSink
) -> dict[Column, VertexFetch]:
    """The fetches of attributes; `numbers` are those of the attributes."""
    names = _format_names(str(options.values.get("attribute_formats", "")), numbers, sink)
    in_order = sorted(numbers, key=numbers.__getitem__)
    sizes = {part: _size(names.get(part[0].name, FLOAT), part[0].type.width) for part in in_order}
    is_interleaved = options.values.get("attributes") == "interleaved"
    ends = dict(zip(in_order, accumulate(sizes.values()), strict=True))
    total = sum(sizes.values())
    if is_interleaved:
        check_limit(_STRIDE, {part: end - 1 for part, end in ends.items()}, sink)
        sink.raise_if_errors()
    fetches: dict[Column, VertexFetch] = {}
    for part in in_order:
        name, width = names.get(part[0].name, FLOAT), part[0].type.width
        if is_interleaved:
            fetches[part] = VertexFetch(_FIRST, name, width, ends[part] - sizes[part], total)
        else:
            fetches[part] = VertexFetch(_FIRST + numbers[part], name, width, 0, sizes[part])
    return fetches


def _size(name: str, width: int) -> int:
    """Bytes from an element to the one after it: whole dwords."""
    return -(-STORAGE_FORMATS[name].size(width) // _DWORD) * _DWORD


# --------------------------------------------------------------------------------------------------- the option
def _format_names(text: str, numbers: Iterable[Column], sink: DiagnosticSink) -> dict[str, str]:
    """The name of the format of each attribute that the option names."""
    attributes = {variable.name: variable for variable, _, _ in numbers}
    names: dict[str, str] = {}
    for item in filter(None, (item.strip() for item in text.split(","))):
        attribute, _, name = item.partition("=")
        if name not in STORAGE_FORMATS:
            _report_value(f"NAME=FORMAT with a format of {', '.join(STORAGE_FORMATS)}", item, sink)
        elif attribute not in attributes:
            _report_value(f"names of attributes ({_listed(attributes.values())})", attribute, sink)
        names[attribute] = name
    sink.raise_if_errors()
    return names


def _listed(variables: Iterable[Variable]) -> str:
    return ", ".join(variable.name for variable in variables) or "the shader has none"


def _report_value(expected: str, value: str, sink: DiagnosticSink) -> None:
    sink.report(usage.INVALID_OPTION_VALUE, option="attribute_formats", expected=expected, value=value)
