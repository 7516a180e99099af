"""Registers after a generated program has set all uniforms by name, beside those of the register map: by
`runtime.program`, which shares no code with what generates the program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from backends.pica200.driver_forms import file_literals
from compiler.host_code.c_names import CNames, member_name
from compiler.host_code.uniforms import HostUniform, host_uniforms
from runtime.program import Program
from runtime.shader import CompiledProgram, CompiledShader
from tests.backends.pica200.host.stub import Call, run_stages
from tests.host_values import Flat, drawn, give, setter_call, stages_of

_UNITS = ("vertex", "geometry")
_FIRST = {"c": 0, "i": 0x60, "b": 0x68}

#: Stage, space and number -> words.
Registers = dict[tuple[str, str, int], tuple[int, ...]]


def check_uniforms(folder: Path, made: CompiledShader | CompiledProgram, seed: int) -> int:
    """Set all uniforms of what was compiled, in another order than they are declared in; how many registers agreed."""
    stages = stages_of(made)
    uniforms = host_uniforms(stages)
    values = drawn(uniforms, seed)
    calls = run_stages(folder, {"lit": stages}, _main(uniforms, values))
    found, wanted = registers_of(calls), _wanted(made, uniforms, values)
    for place, words in wanted.items():
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


def _main(uniforms: Iterable[HostUniform], values: Mapping[str, Flat]) -> str:
    names = CNames()
    members = {uniform.name: names.new(member_name(uniform.name)) for uniform in uniforms}
    calls = [setter_call(f"lit_set_{members[u.name]}", u, values[u.name]) for u in uniforms]
    lines = ["static lit_program state;", "lit_program *program = &state;", "lit_init(program);", "lit_bind(program);"]
    return "\n".join([*lines, *reversed(calls), "lit_update(program);", "lit_free(program);"])


def _wanted(
    made: CompiledShader | CompiledProgram, uniforms: Iterable[HostUniform], values: Mapping[str, Flat]
) -> dict[tuple[str, str, int], tuple[int | None, ...]]:
    """By the register map; None where a component is nobody's."""
    program = Program.of(made)
    uploaded = program.new_values()
    give(uploaded, uniforms, values)
    wanted: dict[tuple[str, str, int], tuple[int | None, ...]] = {}
    for stage, artifact in stages_of(made).items():
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
                wanted[stage, place.space, place.index] = known
    return wanted
