"""Where the data of vertices lie: format, offset and stride of each fetch.

In: the attributes with their numbers, and the options `attributes` and `attribute_formats`.  Out: a `Fetch` for each
attribute (a matrix has one a column).  `separate` gives each a buffer of its own, from fetch constant 20 on, in order
of the numbers; `interleaved` puts them behind each other in one buffer.  Elements begin at whole dwords.  Three
components of 8 or 16 bits take the place of four.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from backends.adreno.codegen.abi import FIRST_VERTEX_CONSTANT, SELECTORS, Part
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import usage
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir.variables import Variable
from compiler.options import TargetOptions
from compiler.records import dataclass

#: The field of a stride has 8 bits.
STRIDE_LIMIT = 255
_DWORD = 4
_NORMALISED = "-norm"


@dataclass(frozen=True, slots=True)
class Format:
    """How a component is stored, in GL's names."""

    #: Format of the machine for one to four components.
    codes: tuple[int, int, int, int]
    #: Bytes that so many components take.
    sizes: tuple[int, int, int, int]
    signed: bool = False
    #: Integers are fractions of their largest value, else numbers.
    normalised: bool = False
    #: The power of 2 that the stored number is multiplied with.
    exponent: int = 0


_INTEGERS: Mapping[str, Format] = {
    "byte": Format((2, 10, 6, 6), (1, 2, 4, 4), signed=True),
    "ubyte": Format((2, 10, 6, 6), (1, 2, 4, 4)),
    "short": Format((24, 25, 26, 26), (2, 4, 8, 8), signed=True),
    "ushort": Format((24, 25, 26, 26), (2, 4, 8, 8)),
}
FLOAT = "float"
FORMATS: Mapping[str, Format] = {
    FLOAT: Format((36, 37, 57, 38), (4, 8, 12, 16)),
    "half": Format((30, 31, 32, 32), (2, 4, 8, 8)),
    "fixed": Format((33, 34, 35, 35), (4, 8, 16, 16), signed=True, exponent=-16),
    **_INTEGERS,
    **{
        name + _NORMALISED: Format(row.codes, row.sizes, row.signed, normalised=True) for name, row in _INTEGERS.items()
    },
}


@dataclass(frozen=True, slots=True)
class Fetch:
    """What the fetch of an attribute says."""

    #: Vertex constant, three in each fetch constant from `FIRST_VERTEX_CONSTANT` on.
    constant: int
    name: str
    width: int
    offset: int
    stride: int

    @property
    def format(self) -> Format:
        return FORMATS[self.name]

    @property
    def code(self) -> int:
        return self.format.codes[self.width - 1]

    @property
    def place(self) -> tuple[int, int]:
        """The fetch constant and which third of it."""
        index, selector = divmod(self.constant, SELECTORS)
        return FIRST_VERTEX_CONSTANT + index, selector


def place_attributes(numbers: Mapping[Part, int], options: TargetOptions, sink: DiagnosticSink) -> dict[Part, Fetch]:
    """The fetches of attributes, whose numbers `numbers` are."""
    names = _format_names(str(options.values.get("attribute_formats", "")), numbers, sink)
    in_order = sorted(numbers, key=numbers.__getitem__)
    sizes = {part: _size(names.get(part[0].name, FLOAT), part[0].type.width) for part in in_order}
    is_interleaved = options.values.get("attributes") == "interleaved"
    total = sum(sizes.values())
    if is_interleaved and total > STRIDE_LIMIT:
        _report_stride(in_order, sizes, total, sink)
    fetches: dict[Part, Fetch] = {}
    offset = 0
    for part in in_order:
        name, width = names.get(part[0].name, FLOAT), part[0].type.width
        if is_interleaved:
            fetches[part] = Fetch(0, name, width, offset, total)
            offset += sizes[part]
        else:
            fetches[part] = Fetch(numbers[part], name, width, 0, sizes[part])
    return fetches


def _size(name: str, width: int) -> int:
    """Bytes from an element to what comes behind it: whole dwords."""
    return -(-FORMATS[name].sizes[width - 1] // _DWORD) * _DWORD


def _report_stride(parts: Iterable[Part], sizes: Mapping[Part, int], total: int, sink: DiagnosticSink) -> NoReturn:
    """Too large a vertex, at the attribute where the space ends."""
    end, beyond = 0, None
    for part in parts:
        end += sizes[part]
        if beyond is None and end > STRIDE_LIMIT:
            beyond = part[0]
    help_ = "use smaller formats (attribute_formats), or a buffer for each attribute (attributes=separate)"
    sink.report(
        RESOURCE_EXCEEDED,
        None if beyond is None else beyond.span,
        help=help_,
        need=total,
        what="bytes in a vertex",
        target="adreno",
        limit=STRIDE_LIMIT,
    )
    sink.raise_if_errors()
    raise AssertionError("an error was reported")


# --------------------------------------------------------------------------------------------------- the option
def _format_names(text: str, numbers: Iterable[Part], sink: DiagnosticSink) -> dict[str, str]:
    """The name of the format of each attribute that the option speaks of."""
    attributes = {variable.name: variable for variable, _, _ in numbers}
    names: dict[str, str] = {}
    for item in filter(None, (item.strip() for item in text.split(","))):
        attribute, _, name = item.partition("=")
        if name not in FORMATS:
            _report_value(f"NAME=FORMAT with a format of {', '.join(FORMATS)}", item, sink)
        elif attribute not in attributes:
            _report_value(f"names of attributes ({_listed(attributes.values())})", attribute, sink)
        names[attribute] = name
    sink.raise_if_errors()
    return names


def _listed(variables: Iterable[Variable]) -> str:
    return ", ".join(variable.name for variable in variables) or "the shader has none"


def _report_value(expected: str, value: str, sink: DiagnosticSink) -> None:
    sink.report(usage.INVALID_OPTION_VALUE, option="attribute_formats", expected=expected, value=value)
