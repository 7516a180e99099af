"""What generated programs leave in registers of the shader units and for vertices, beside the register map: numbers by
`glslc_multi.runtime.program`, which shares no code with what generates the program."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.backends.pica200.driver_forms import file_literals
from glslc_multi.compiler.artifact import Location
from tests.backends.pica200.host.stub import Call
from tests.backends.pica200.host.trial import Trial

_UNITS = ("vertex", "geometry")
_FIRST = {"c": 0, "i": 0x60, "b": 0x68}
_FLOATS = 3

#: Stage, space and number -> words.
Registers = dict[tuple[str, str, int], tuple[int, ...]]


def check_registers(trial: Trial, calls: Iterable[Call]) -> int:
    """How many registers agreed."""
    found, wanted = registers_of(calls), wanted_registers(trial)
    for place, words in wanted.items():
        assert place in found, f"{place} is not set"
        components = tuple(zip(found[place], words, strict=True))
        assert all(word is None or number == word for number, word in components), (place, components)
    assert found.keys() <= wanted.keys(), "no register is set that is not of a uniform"
    return len(wanted)


def registers_of(calls: Iterable[Call]) -> Registers:
    """What calls leave in the registers of the shader units."""
    found: Registers = {}
    for name, *rest in calls:
        if name in _FIRST:
            unit, number, *words = rest
            found[_UNITS[unit], name, number - _FIRST[name]] = tuple(words)
    return found


def wanted_registers(trial: Trial) -> dict[tuple[str, str, int], tuple[int | None, ...]]:
    """By the register map; None where a component is nobody's."""
    uploaded = trial.uploaded()
    wanted: dict[tuple[str, str, int], tuple[int | None, ...]] = {}
    for stage, artifact in trial.stages.items():
        ranges = {place.index: words for place, words in file_literals(artifact) if place.space == "i"}
        for binding in artifact.reflection.uniforms:
            for place in (place for place in binding.locations if place.space in _FIRST):
                words = [int(word) for word in uploaded.words(stage, place.space)[place.index]]
                if place.space == "i":
                    words = [words[0], *ranges[place.index][1:]]
                elif place.space == "b":
                    words = [int(words[0] != 0)]
                mine = range(4) if place.space == "i" else list(map("xyzw".index, place.components))
                known = tuple(word if number in mine else None for number, word in enumerate(words))
                before = wanted.get((stage, place.space, place.index), (None,) * len(known))
                both = zip(before, known, strict=True)
                wanted[stage, place.space, place.index] = tuple(b if k is None else k for b, k in both)
    return wanted


def check_attributes(trial: Trial, calls: Iterable[Call]) -> int:
    """Numbers of a vertex, in the order of its structure, loader by loader; how many loaders there are."""
    if not trial.vertex_size:
        return 0
    attributes = trial.stages["vertex"].reflection.attributes
    places = [place for attribute in attributes for place in attribute.locations]
    found = {name: rest for name, *rest in calls}
    permutation, *formats = found["attributes"]
    assert found["buffer"] == [4 * trial.vertex_size, len(places), int("BA9876543210"[-len(places) :], 16)]
    assert len(formats) == 2 * len(places) and permutation < 16 ** len(places)
    assert sum(formats[1::2]) == trial.vertex_size
    vertex = list(struct.unpack(f"<{trial.vertex_size}f", struct.pack(f"<{trial.vertex_size}I", *found["vertices"])))
    loaded = {}
    for loader, (format, count) in enumerate(zip(formats[::2], formats[1::2], strict=True)):
        assert format == _FLOATS
        loaded[permutation >> 4 * loader & 0xF] = [vertex.pop(0) for _ in range(count)]
    assert loaded == {place.index: values for place, values in zip(places, _parts(places), strict=True)}
    return len(places)


def _parts(places: Sequence[Location]) -> Iterator[list[float]]:
    """The numbers of each place, in the order of the attributes' values."""
    following = 0
    for place in places:
        yield [float(following + n) for n in range(len(place.components))]
        following += len(place.components)
