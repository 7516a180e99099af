"""Vertex buffers and textures of the form `freedreno`: types, functions, and packets with their addresses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from glslc_multi.backends.xenos_family.host.parts import Attribute, Fetch, Sampler, texture_count, vertex_structure


class Bindings:
    """What of a program has memory behind it."""

    def __init__(self, prefix: str, attributes: tuple[Attribute, ...], samplers: tuple[Sampler, ...]) -> None:
        self.prefix, self.attributes, self.samplers = prefix, attributes, samplers

    @cached_property
    def fetches(self) -> list[Fetch]:
        """In the order of the enumeration that the header has of them."""
        return [fetch for attribute in self.attributes for fetch in attribute.fetches]

    @property
    def first(self) -> int:
        """The first vertex constant."""
        return min((int(fetch["vertex_constant"]) for fetch in self.fetches), default=0)

    @property
    def buffer_count(self) -> int:
        return max((int(fetch["vertex_constant"]) + 1 - self.first for fetch in self.fetches), default=0)

    @property
    def is_interleaved(self) -> bool:
        return self.buffer_count == 1 and len(self.fetches) > 1

    def slots(self) -> Iterator[str]:
        """Rows of a table: fetch and slot."""
        return (f"{{{number}, {slot}}}," for number, row in enumerate(self.fetches) for slot in row["slots"])

    # --- Header ---------------------------------------------------------------------------------------------------
    def types(self) -> Iterator[str]:
        if not self.fetches:
            return
        if self.is_interleaved:
            yield "/* A vertex, of the one buffer that there is. */"
            yield from vertex_structure(f"{self.prefix}_vertex", self.attributes)
            yield ""
        yield "/* Where a fetch finds its numbers: vertex constant, format of the chip, bytes. */"
        yield f"typedef struct {self.prefix}_layout {{"
        yield "    uint32_t constant, format, stride, offset;"
        yield "    bool is_signed, is_fraction;"
        yield f"}} {self.prefix}_layout;"
        yield from ("", "enum {", *(f"    {line}," for line in self._fetch_names()), "};", "")

    def _fetch_names(self) -> Iterator[str]:
        for attribute in self.attributes:
            name = f"{self.prefix.upper()}_FETCH_{attribute.name}"
            count = len(attribute.fetches)
            yield from (f"{name}_{number}" for number in range(count)) if count > 1 else (name,)

    def prototypes(self) -> Iterator[str]:
        if self.fetches:
            yield "/* Another layout of a fetch, one of the enumeration above. */"
            yield f"void {self.prefix}_lay_out({self._program}, int fetch, {self.prefix}_layout layout);"
        if self.is_interleaved:
            yield f"/* All attributes: vertices as {self.prefix}_vertex has them. */"
            yield f"{self._vertices};"
        for attribute in () if self.is_interleaved else self.attributes:
            yield f"/* {attribute.declaration}{', columns apart' if len(attribute.fetches) > 1 else ''} */"
            yield f"{self._attribute(attribute)};"
        for sampler in self.samplers:
            yield f"/* {sampler.glsl}: constant {sampler.unit}{sampler.demands} */"
            yield f"{self._texture(sampler)};"

    # --- Functions ------------------------------------------------------------------------------------------------
    @property
    def _program(self) -> str:
        return f"{self.prefix}_program *program"

    @property
    def _vertices(self) -> str:
        return f"void {self.prefix}_vertices({self._program}, {self.prefix}_buffer buffer)"

    def _attribute(self, attribute: Attribute) -> str:
        column = "int column, " if len(attribute.fetches) > 1 else ""
        return f"void {self.prefix}_attribute_{attribute.name}({self._program}, {column}{self.prefix}_buffer buffer)"

    def _texture(self, sampler: Sampler) -> str:
        element = "" if sampler.binding.length is None else "int element, "
        return f"void {self.prefix}_bind_{sampler.name}({self._program}, {element}{self.prefix}_texture texture)"

    def functions(self) -> Iterator[str]:
        if self.is_interleaved:
            yield from (self._vertices, "{", "    program->buffers[0] = buffer;", "}", "")
        for attribute in () if self.is_interleaved else self.attributes:
            place, count = int(attribute.fetches[0]["vertex_constant"]) - self.first, len(attribute.fetches)
            yield from _setter(self._attribute(attribute), "buffers", place, count, "column" * (count > 1))
        for sampler in self.samplers:
            index = "" if sampler.binding.length is None else "element"
            yield from _setter(self._texture(sampler), "textures", sampler.unit, sampler.count, index)

    # --- Packets --------------------------------------------------------------------------------------------------
    def emit(self) -> Iterator[str]:
        if self.fetches:
            yield f"for (uint32_t i = 0; i < {self.buffer_count}; i++) {{"
            yield "    if (!program->buffers[i].data)"
            yield "        continue;"
            yield "    packet(ring, CP_SET_CONSTANT, 3);"
            yield f"    fd_ringbuffer_emit(ring, FETCH_CONSTANTS | 2 * ({self.first} + i));"
            yield "    address(ring, program->buffers[i].data, program->buffers[i].offset, 3);"
            yield "    fd_ringbuffer_emit(ring, program->buffers[i].size);"
            yield "}"
        if self.samplers:
            yield f"for (uint32_t i = 0; i < {texture_count(self.samplers)}; i++) {{"
            yield f"    const {self.prefix}_texture *texture = &program->textures[i];"
            yield "    if (!texture->image)"
            yield "        continue;"
            yield "    packet(ring, CP_SET_CONSTANT, 7);"
            yield "    fd_ringbuffer_emit(ring, FETCH_CONSTANTS | 6 * i);"
            yield "    fd_ringbuffer_emit(ring, texture->words[0]);"
            yield "    address(ring, texture->image, texture->offset, texture->words[1]);"
            yield "    for (int k = 2; k < 6; k++)"
            yield "        fd_ringbuffer_emit(ring, texture->words[k]);"
            yield "}"


def _setter(heading: str, array: str, place: int, count: int, index: str) -> Iterator[str]:
    """A function that stores its last argument at a place, or one of several."""
    value = array.removesuffix("s")
    yield from (heading, "{")
    if index:
        yield f"    if ({index} >= 0 && {index} < {count})"
        yield f"        program->{array}[{place} + {index}] = {value};"
    else:
        yield f"    program->{array}[{place}] = {value};"
    yield from ("}", "")
