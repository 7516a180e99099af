"""What a register is: an address, a name, and bit fields, some of them choices or floats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from glslc_multi.backends.pica200.isa.fragment.floats import FloatFormat
from glslc_multi.compiler.isa.fields import Field, Format
from glslc_multi.compiler.records import dataclass

#: Names of the codes of a field; codes that are not here have no known meaning.
Codes = Mapping[int, str]

WORD = 32
#: A write with this byte mask sets the whole register.
ALL_BYTES = 0xF


@dataclass(frozen=True)
class Layout:
    """The fields of a register; several registers can have one layout."""

    format: Format
    #: The codes of those fields that are choices.
    codes: Mapping[str, Codes]
    #: The number formats of those fields that are floats.
    floats: Mapping[str, FloatFormat]

    @cached_property
    def codes_by_name(self) -> Mapping[str, Mapping[str, int]]:
        """Field -> name -> code."""
        return {field: {name: code for code, name in codes.items()} for field, codes in self.codes.items()}

    def unknown(self, value: int) -> list[tuple[str, int]]:
        """The fields whose codes have no known meaning, with these codes."""
        fields = self.format.decode(value)
        return [(name, fields[name]) for name, codes in self.codes.items() if fields[name] not in codes]


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a layout."""

    field: Field
    codes: Codes | None = None
    float: FloatFormat | None = None


def bits(name: str, high: int, low: int, doc: str = "", codes: Codes | None = None, signed: bool = False) -> Part:
    """Bits as the manuals write them, highest first."""
    return Part(Field(name, low, high - low + 1, signed, doc=doc), codes)


def real(name: str, low: int, form: FloatFormat, doc: str = "") -> Part:
    """A float from bit `low` on."""
    return Part(Field(name, low, form.size, doc=doc), float=form)


def flag(name: str, bit: int, doc: str = "") -> Part:
    """One bit."""
    return bits(name, bit, bit, doc)


def layout(name: str, *parts: Part, ones: int = 0) -> Layout:
    """A layout of the parts; `ones` are bits that are always one."""
    format = Format(name, WORD, tuple(part.field for part in parts), ones)
    return Layout(
        format,
        {part.field.name: part.codes for part in parts if part.codes is not None},
        {part.field.name: part.float for part in parts if part.float is not None},
    )


def numbered(*names: str) -> Codes:
    """Codes from 0 on."""
    return dict(enumerate(names))


def colour(name: str, *, alpha: bool = True) -> Layout:
    """A colour of bytes, red lowest."""
    channels = "rgba" if alpha else "rgb"
    return layout(name, *(bits(channel, 8 * n + 7, 8 * n) for n, channel in enumerate(channels)))


@dataclass(frozen=True)
class Register:
    """One register."""

    address: int
    #: libctru's name without its prefix GPUREG_.
    name: str
    layout: Layout
    doc: str

    @property
    def format(self) -> Format:
        return self.layout.format


def byte_mask_bits(mask: int) -> int:
    """The bits of the bytes that a byte mask names."""
    return sum(0xFF << 8 * byte for byte in range(4) if mask >> byte & 1)
