"""Uniforms for engines: what comes out for each machine, against its documents and against a run of its code."""

from __future__ import annotations

import struct
import threading
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.options import resolve_options
from glslc_multi.compiler.target import MachineInputs
from glslc_multi.runtime.drivers import (
    agal_vectors,
    pica_bools,
    pica_f24_words,
    pica_f32_words,
    pica_ranges,
    theia_instructions,
    vc4_stream,
)
from glslc_multi.runtime.program import Program, UniformValues, Update
from glslc_multi.runtime.recompile import recompile, relink
from glslc_multi.runtime.shader import CompiledShader

VERTEX = """
struct Lamp { vec3 way; float power; };
attribute vec4 place;
uniform mat4 camera;
uniform mat3 turn;
uniform Lamp lamps[2];
uniform vec2 shift[3];
uniform int number;
uniform bool flag;
varying vec3 light;
void main() {
    light = turn * place.xyz + lamps[0].way * lamps[0].power + lamps[1].way * lamps[1].power + float(number);
    light.xy += shift[0] + shift[1] * 2.0 + shift[2] * (flag ? 0.5 : 4.0);
    gl_Position = camera * place;
}
"""
#: Distinct numbers, exact in every format.
VALUES: dict[str, Any] = {
    "camera": [float(n + 1) for n in range(16)],
    "turn": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]],
    "lamps": [{"way": (0.5, 1.5, 2.5), "power": 2.0}, {"way": (3.5, 4.5, 5.5), "power": 4.0}],
    "shift": [(0.25, 0.75), (1.25, 1.75), (2.25, 2.75)],
    "number": 3,
    "flag": True,
}
VERTEX_TARGETS = ("agal", "pica200", "adreno", "vc4")


def compiled(target: str, text: str = VERTEX, stage: str = "vertex", **options: Any) -> CompiledShader:
    return glslc_multi.compile(text, target=target, stage=stage, **options)


def loaded(values: UniformValues) -> dict[str, dict[int, Any]]:
    """What a machine holds after the updates: its registers as the simulators take them."""
    found: dict[str, dict[int, Any]] = {}
    for update in values.take_updates():
        for number, words in enumerate(update.words):
            kinds = {"i": words.tolist(), "b": [bool(words[0])]}
            register = kinds.get(update.space, words.view(np.float32).tolist())
            found.setdefault(update.space, {})[update.first + number] = register
    return found


@pytest.mark.parametrize("preamble", [False, True])
@pytest.mark.parametrize("target", VERTEX_TARGETS[:3])
def test_the_words_make_the_code_compute_the_same(target: str, preamble: bool) -> None:
    """Registers from the updates, not from the reflection: the simulated code gives what the source means."""
    shader = compiled(target, preamble=preamble)
    values = Program.of(shader).new_values()
    values.set(VALUES)
    machine = MachineInputs(1, constants=loaded(values), inputs=_inputs(shader))
    backend = find_target(target, DiagnosticSink())
    left = backend.simulate(shader.artifact, machine, resolve_options(backend.options, {}, DiagnosticSink()))
    wanted = shader.run({"place": [[1.0, 2.0, 3.0, 1.0]]}, VALUES, engine="reference")["light"][0]
    (location,) = next(b for b in shader.reflection.varyings if b.name == "light").locations
    np.testing.assert_allclose(left.outputs[location.space][location.index][0, :3], wanted, rtol=1e-4)
    np.testing.assert_allclose(shader.run({"place": [[1.0, 2.0, 3.0, 1.0]]}, VALUES)["light"][0], wanted, rtol=1e-4)


def _inputs(shader: CompiledShader) -> dict[str, dict[int, Any]]:
    (place,) = shader.reflection.attributes
    return {place.locations[0].space: {place.locations[0].index: np.array([[1.0, 2.0, 3.0, 1.0]])}}


def test_every_word_of_the_stream_of_vc4() -> None:
    """By the names in the stream itself: `name[element].column.component`, where matrices may lie in rows."""
    shader = compiled("vc4")
    values = Program.of(shader).new_values()
    values.set(VALUES)
    stream = shader.reflection.stream
    own = {slot: 77 for slot in stream if slot[0] not in ("constant", "uniform")}
    words = vc4_stream(shader.reflection, values.words("vertex", "stream"), own)
    turned = {b.name for b in shader.reflection.uniforms for p in b.locations if p.transform == "transpose"}
    for (kind, source), word in zip(stream, words, strict=True):
        if kind == "constant":
            assert word == int(source, 16)
        elif kind == "uniform":
            assert word == _word(source, turned), source
        else:
            assert word == 77
    with pytest.raises(KeyError, match="driver's own"):
        vc4_stream(shader.reflection, values.words("vertex", "stream"), {})


def _word(source: str, turned: set[str]) -> int:
    name, _, rest = source.rpartition("[")
    element, _, place = rest.partition("]")
    column, component = int(place.split(".")[1]), "xyzw".index(place[-1])
    column, component = (component, column) if name in turned else (column, component)
    given: Any = {
        "camera": lambda: VALUES["camera"][4 * column + component],
        "turn": lambda: VALUES["turn"][component][column],
        "lamps[].way": lambda: VALUES["lamps"][int(element)]["way"][component],
        "lamps[].power": lambda: VALUES["lamps"][int(element)]["power"],
        "shift": lambda: VALUES["shift"][int(element)][component],
    }
    if name == "number":
        return 3
    if name == "flag":
        return 0xFFFFFFFF
    word: int = struct.unpack("<I", struct.pack("<f", given[name]()))[0]
    return word


def test_only_what_changed_comes_out() -> None:
    values = Program.of(compiled("adreno")).new_values()
    values.set(VALUES)
    assert values.take_updates()
    values.set(VALUES)
    assert values.take_updates() == []
    values["lamps[1].power"] = 8.0
    (update,) = values.take_updates()
    assert update.words.shape == (1, 4) and update.words.view(np.float32)[0, 0] == 8.0
    values["camera"] = [0.0] * 16
    assert [u.words.shape[0] for u in values.take_updates("vertex")] == [4]
    assert values.take_updates() == []
    values.upload_again()
    assert sum(u.words.shape[0] for u in values.take_updates()) > 10


def test_mistakes_name_what_exists_and_change_nothing() -> None:
    values = Program.of(compiled("agal")).new_values()
    values.take_updates()
    with pytest.raises(CompileError) as raised:
        values.set({"camera": [1.0] * 16, "strength": 1.0})
    assert "camera, turn, lamps[].way, lamps[].power, shift" in str(raised.value.diagnostics[0].help)
    with pytest.raises(CompileError, match=r"'turn' must have shape \(3, 3\), found \(2,\)"):
        values["turn"] = (1, 2)
    with pytest.raises(CompileError, match="the array has 2 elements"):
        values["lamps[2].power"] = 1.0
    assert values.take_updates() == []
    assert values.get("camera").tolist() == [[0.0] * 4] * 4


def test_each_thread_has_its_own_values() -> None:
    """One program, values of many objects at once: everyone gets its own numbers."""
    program = Program.of(compiled("agal", preamble=True))
    results: dict[int, set[float]] = {}

    def work(number: int) -> None:
        values = program.new_values()
        seen = set()
        for _ in range(20):
            values["camera"] = [float(number)] * 16
            seen |= set(values.words("vertex", "vc").view(np.float32)[:4].reshape(-1).tolist())
        results[number] = seen

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: {float(number)} for number in range(1, 5)}


# ------------------------------------------------------------------------------------------- forms
def test_floats_of_pica200_in_both_forms() -> None:
    """24 bits: sign, 7 bits of an exponent of which 63 is 2^0, 16 of a mantissa; packed from x upward, the last word
    first."""
    numbers = [1.0 + 0xABCD / 65536, 2.0 + 0x1234 / 32768, -1.0 - 0x5A5B / 65536, 0.0]
    update = Update("vertex", "c", 0, np.array([numbers], np.float32).view(np.uint32))
    patterns = [0x3FABCD, 0x401234, 0xBF5A5B, 0]
    assert pica_f32_words(update) == [0, 0xBFAD2D80, 0x40091A00, 0x3FD5E680]
    packed = b"".join(pattern.to_bytes(3, "little") for pattern in patterns)
    assert pica_f24_words(update) == list(struct.unpack("<3I", packed))[::-1]
    assert agal_vectors(update) == numbers


LOOP = """
attribute vec4 place;
uniform int rounds;
uniform bool twice;
void main() {
    vec4 sum = place;
    for (int i = 0; i < 16; i++) { if (i >= rounds) break; sum += place.yzwx; }
    if (twice) sum *= 2.0;
    gl_Position = sum;
}
"""


def test_rounds_and_bools_of_pica200() -> None:
    """A register of rounds has the count less one in its lowest byte, and start and step of the file."""
    shader = compiled("pica200", LOOP)
    values = Program.of(shader).new_values()
    values.set({"rounds": 5, "twice": True})
    updates = {update.space: update for update in values.take_updates()}
    bools = [p.index for b in shader.reflection.uniforms if b.name == "twice" for p in b.locations if p.space == "b"]
    if bools:
        assert pica_bools(updates["b"])[bools[0]] is True
    counts = [p.index for b in shader.reflection.uniforms if b.name == "rounds" for p in b.locations if p.space == "i"]
    if counts:
        assert pica_ranges(updates["i"])[counts[0] - updates["i"].first] & 0xFF == 4
    assert bools or counts


def test_instructions_of_theia_hold_the_values() -> None:
    text = "precision highp float; uniform vec3 tint; uniform float power; varying vec2 uv;\n"
    text += "void main() { gl_FragColor = vec4(tint * uv.x + power, 1.0); }"
    shader = compiled("theia", text, "fragment")
    values = Program.of(shader).new_values()
    values.set({"tint": (0.5, -0.25, 2.0), "power": 1.0})
    updates = values.take_updates()
    instructions = theia_instructions(shader.artifact, updates)
    wanted = {"tint": (0.5, -0.25, 2.0), "power": (1.0,)}
    for binding in shader.reflection.uniforms:
        for place in binding.locations:
            # 17 bits of fraction, two's complement, in the lower half.
            number = round(wanted[binding.name][place.first] * 2**17) & 0xFFFFFFFF
            assert instructions[place.index] & 0xFFFFFFFF == number
    assert {place.index for b in shader.reflection.uniforms for place in b.locations} == set(instructions)


# ------------------------------------------------------------------------------------- recompilation
@pytest.mark.parametrize("target", VERTEX_TARGETS[:3])
def test_a_changed_shader_keeps_its_places(target: str) -> None:
    shader = compiled(target)
    changed = VERTEX.replace("uniform mat4 camera;", "uniform vec4 extra;\nuniform mat4 camera;").replace(
        "camera * place", "camera * place + extra"
    )
    again = recompile(shader, changed)
    before = {b.name: {(p.space, p.index) for p in b.locations} for b in shader.reflection.uniforms}
    after = {b.name: {(p.space, p.index) for p in b.locations} for b in again.reflection.uniforms}
    assert {name: after[name] for name in before} == before
    others = set().union(*(places for name, places in after.items() if name != "extra"))
    assert not after["extra"] & others
    moved = compiled(target, changed)
    assert {b.name: {(p.space, p.index) for p in b.locations} for b in moved.reflection.uniforms} != after


@pytest.mark.parametrize("target", ["agal", "adreno"])
def test_a_linked_pair_keeps_its_places(target: str) -> None:
    fragment = """precision mediump float; varying vec3 light;
    uniform sampler2D a; uniform sampler2D b; uniform vec4 dye;
    void main() { gl_FragColor = vec4(light, 1.0) * texture2D(b, light.xy) * texture2D(a, light.yz) * dye; }"""
    program = glslc_multi.link(VERTEX, fragment, target=target)
    changed = fragment.replace("uniform sampler2D a; uniform sampler2D b;", "uniform sampler2D b, a; uniform vec4 c;")
    again = relink(program, VERTEX, changed.replace("* dye", "* dye + c"))
    for stage in program.stages:
        before, after = program.stages[stage].reflection, again.stages[stage].reflection
        places = {b.name: b.locations[0].index for b in (*after.uniforms, *after.samplers)}
        # Samplers of adreno have no locations.
        for binding in (*before.uniforms, *(before.samplers if target == "agal" else ())):
            assert places[binding.name] == binding.locations[0].index


def test_preambles_of_two_stages_do_not_mix() -> None:
    """What they compute has the same names in both."""
    vertex = "attribute vec4 p; uniform float u; varying vec4 c; void main() { gl_Position = p * (u * u); c = p; }"
    fragment = "precision mediump float; varying vec4 c; uniform float v; void main() { gl_FragColor = c * (v + v); }"
    values = Program.of(glslc_multi.link(vertex, fragment, target="agal", preamble=True)).new_values()
    values.set({"u": 3.0, "v": 5.0})
    found = {update.stage: update.words.view(np.float32)[0, 0] for update in values.take_updates()}
    assert found == {"vertex": 9.0, "fragment": 10.0}


def test_what_stands_for_built_in_inputs_is_set_by_its_name() -> None:
    vertex = "attribute vec4 p; uniform vec4 shift; void main() { gl_Position = p + shift; }"
    fragment = """
    precision highp float;
    uniform vec4 back;
    void main() { gl_FragColor = gl_FrontFacing ? gl_FragCoord.xyxy : back; }
    """
    program = Program.of(glslc_multi.link(vertex, fragment, target="agal"))
    assert set(program.uniforms) == {"shift", "back", "$viewport", "gl_FrontFacing"}
    values = program.new_values()
    values.set({"$viewport": (320, 240, 322, 244), "gl_FrontFacing": True})
    held = loaded(values)
    (viewport,) = next(b for b in program.stages["vertex"].reflection.uniforms if b.name == "$viewport").locations
    (side,) = next(b for b in program.stages["fragment"].reflection.inputs if b.name == "gl_FrontFacing").locations
    assert held[viewport.space][viewport.index] == [320.0, 240.0, 322.0, 244.0]
    assert held[side.space][side.index][0] == 1.0
    values["gl_FrontFacing"] = False
    (update,) = values.take_updates()
    assert (update.space, update.first, update.words.view(np.float32).tolist()[0][0]) == (side.space, side.index, 0.0)


NOT_SQUARE = """#version 330
in vec4 p; uniform mat2x3 a[2]; uniform mat4x2 b; out vec3 v;
void main() { gl_Position = p; v = a[1] * (b * p) + a[0][1]; }"""


@pytest.mark.parametrize("target", ["adreno", "agal", "pica200", "vc4", "xenos"])
def test_matrices_that_are_not_square(target: str) -> None:
    """Their type is theirs, and each number goes to its place: `mat2x3` has two columns of three numbers."""
    shader = glslc_multi.compile(NOT_SQUARE, target=target, stage="vertex")
    uniforms = {binding.name: binding for binding in shader.reflection.uniforms}
    assert {name: binding.type for name, binding in uniforms.items()} == {"a": "mat2x3", "b": "mat4x2"}
    a, b = np.arange(1, 13).reshape(2, 2, 3), np.arange(20, 28).reshape(4, 2)
    given: dict[str, Any] = {"a": [list(map(float, one.ravel())) for one in a], "b": list(map(float, b.ravel()))}
    found = shader.run({"p": [[1, 2, 3, 4]]}, {"a": a.swapaxes(1, 2), "b": b.T})["v"][0]
    np.testing.assert_allclose(found, np.array([1, 2, 3, 4]) @ b @ a[1] + a[0][1], rtol=1e-4)
    if target in ("pica200", "vc4"):
        return  # Its words are no floats of registers.
    values = Program.of(shader).new_values()
    values.set(given)
    for update in values.take_updates():
        numbers = update.words.view(np.float32)
        for name, matrices in (("a", a), ("b", b[None])):
            for place in uniforms[name].locations:
                row = numbers[place.index - update.first]
                wanted = matrices[place.element][place.column]
                if place.transform == "transpose":
                    wanted = matrices[place.element][:, place.column]
                assert [row["xyzw".index(letter)] for letter in place.components] == list(wanted)


def test_a_table_comes_out_whole() -> None:
    """Fog by depth: 129 values of exp2(-density z), whenever one of them changes."""
    text = """
        #pragma pica200 range u_density 0 4
        precision highp float;
        uniform float u_density;
        uniform vec3 u_fog;
        void main() { gl_FragColor = vec4(mix(u_fog, vec3(1.0), exp2(-u_density * gl_FragCoord.z)), 1.0); }"""
    values = Program.of(glslc_multi.compile(text, target="pica200", stage="fragment")).new_values()
    values.set({"u_fog": (0.5, 0.25, 1.0), "u_density": 0.0})
    assert {update.space for update in values.take_updates()} == {"tev", "fog"}
    for density in (1.0, 3.0):
        values["u_density"] = density
        (update,) = values.take_updates()
        assert (update.space, update.first, update.words.shape) == ("fog", 0, (1, 129))
        numbers = update.words[0].view(np.float32)
        np.testing.assert_allclose(numbers, 2.0 ** (-density * np.arange(129) / 128), rtol=1e-6)
    values["u_fog"] = (0.5, 0.25, 0.0)
    assert [update.space for update in values.take_updates()] == ["tev"]
