"""Pieces of host code in C that the targets of the family have in common.

In: the stages of a program.  Out: lines for templates: the code as arrays, a structure for vertices, units of textures;
and how numbers go into constants, which are floats in fours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from glslc_multi.backends.xenos_family.isa.registers import SAMPLER_SPACE
from glslc_multi.backends.xenos_family.isa.vertex_formats import NORMALISED, STORAGE_FORMATS
from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.host_code.c_uniforms import RegisterWrite
from glslc_multi.compiler.host_code.textures import demands_of
from glslc_multi.compiler.records import dataclass

_BYTES_IN_A_LINE, _WORDS_IN_A_LINE = 12, 6
#: A row of the register map's `fetches`.
Fetch = Mapping[str, Any]
#: What a loader calls the types of an attribute's numbers.
C_NUMBERS: Mapping[str, tuple[str, int]] = {
    "float": ("float", 4), "half": ("uint16_t", 2), "fixed": ("int32_t", 4), "byte": ("int8_t", 1),
    "ubyte": ("uint8_t", 1), "short": ("int16_t", 2), "ushort": ("uint16_t", 2),
}  # fmt: skip
_DWORD = 4


# --- Code -------------------------------------------------------------------------------------------------------------


def bytes_array(declaration: str, data: bytes) -> Iterator[str]:
    yield f"{declaration}[{len(data)}] = {{"
    for start in range(0, len(data), _BYTES_IN_A_LINE):
        yield "    " + " ".join(f"0x{byte:02x}," for byte in data[start : start + _BYTES_IN_A_LINE])
    yield "};"


def words_array(declaration: str, words: Sequence[int]) -> Iterator[str]:
    yield f"{declaration}[{len(words)}] = {{"
    for start in range(0, len(words), _WORDS_IN_A_LINE):
        yield "    " + " ".join(f"0x{word:08x}," for word in words[start : start + _WORDS_IN_A_LINE])
    yield "};"


# --- Uniforms ---------------------------------------------------------------------------------------------------------


def four_floats(write: RegisterWrite) -> str:
    """The numbers of a constant as a list of C; what nothing reads is 0."""
    numbers = (write.numbers.get(letter) for letter in "xyzw")
    return ", ".join("0.0f" if number is None else number.text for number in numbers)


# --- Textures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sampler:
    """A sampler of a program: its name in C, and the unit of its first element."""

    binding: Binding
    name: str
    unit: int
    #: For comments.
    demands: str

    @property
    def count(self) -> int:
        return self.binding.length or 1

    @property
    def glsl(self) -> str:
        length = "" if self.binding.length is None else f"[{self.binding.length}]"
        return f"{self.binding.type} {self.binding.name}{length}"


def samplers_of(stages: Mapping[str, Artifact]) -> tuple[Sampler, ...]:
    """Each once: linked stages number them together."""
    samplers: dict[str, Binding] = {}
    for artifact in stages.values():
        for binding in artifact.reflection.samplers:
            samplers.setdefault(binding.name, binding)
    names = CNames()
    return tuple(
        Sampler(
            binding,
            names.new(member_name(name)),
            min(location.index for location in binding.locations if location.space == SAMPLER_SPACE),
            demands_of(stages, name),
        )
        for name, binding in samplers.items()
    )


def texture_count(samplers: Iterable[Sampler]) -> int:
    """One more than the last unit."""
    return max((sampler.unit + sampler.count for sampler in samplers), default=0)


# --- Vertices ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute as a member of a structure: so many columns (or elements), each of so many numbers."""

    name: str
    glsl_name: str
    fetches: tuple[Fetch, ...]

    @property
    def declaration(self) -> str:
        """Declare it as a member of the whole dwords of its format; what a fetch does not ask for is not read."""
        format_name, width = str(self.fetches[0]["type"]), self.fetches[0]["width"]
        type_, size = C_NUMBERS[format_name.removesuffix(NORMALISED)]
        dwords = -(-STORAGE_FORMATS[format_name].size(width) // _DWORD)
        columns = f"[{len(self.fetches)}]" if len(self.fetches) > 1 else ""
        return f"{type_} {self.name}{columns}[{dwords * _DWORD // size}]"


def attributes_of(vertex: Artifact) -> tuple[Attribute, ...]:
    """The attributes in the order of their numbers."""
    rows = sorted(fetches_of(vertex), key=lambda row: row["attribute_number"])
    names = CNames()
    groups = groupby(rows, key=lambda row: str(row["name"]))
    return tuple(Attribute(names.new(member_name(name)), name, tuple(group)) for name, group in groups)


def fetches_of(vertex: Artifact) -> list[Fetch]:
    return list(cast("Iterable[Fetch]", vertex.map_keys.get("fetches", ())))


def vertex_structure(name: str, attributes: Iterable[Attribute]) -> Iterator[str]:
    """Vertices in one buffer, one attribute after the other."""
    yield f"typedef struct {name} {{"
    for attribute in attributes:
        yield f"    {attribute.declaration}; /* {attribute.glsl_name} */"
    yield f"}} {name};"
