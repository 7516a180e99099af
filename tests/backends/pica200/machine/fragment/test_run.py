"""Fragment shaders run under the names of GLSL: what the register map says is where values go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.fragment import container
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from glslc_multi.backends.pica200.isa.fragment.program import AlphaTest, Configuration, Stage, passes
from glslc_multi.backends.pica200.isa.fragment.rounding import ROUNDINGS
from glslc_multi.backends.pica200.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact, Binding, Location, Reflection, Stats
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.records import replace
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.simulator import Simulated, Translations, run_artifact
from tests.backends.pica200.machine.fragment.helpers import combiner, configuration, fog_writes, of, write
from tests.backends.pica200.machine.fragment.lit import colour, light, lit, unit

_ENGINES = pytest.mark.parametrize("translated", [False, True], ids=["interpreted", "translated"])


def binding(name: str, type: str, *places: Location) -> Binding:
    """A value of the source."""
    return Binding(name, type, None, places)


def reflection(
    varyings: tuple[Binding, ...] = (),
    samplers: tuple[Binding, ...] = (),
    uniforms: tuple[Binding, ...] = (),
    inputs: tuple[Binding, ...] = (),
) -> Reflection:
    """The register map of a shader that writes gl_FragColor."""
    output = binding("gl_FragColor", "vec4", Location("color", 0, "xyzw", "unorm8"))
    return Reflection(
        "pica200",
        "fragment",
        varyings=varyings,
        samplers=samplers,
        uniforms=uniforms,
        inputs=inputs,
        outputs=(output,),
    )


def run(
    glsl: str,
    found: Configuration,
    reflected: Reflection,
    given: Mapping[str, Any],
    uniforms: Mapping[str, Any] | None = None,
    textures: Mapping[str, Any] | None = None,
    *,
    translated: bool = False,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Array]:
    """A shader whose machine code and register map are written by hand."""
    source = make_source("precision mediump float;\n" + glsl, "a.frag")
    module = lower_source(source, FrontEndOptions(), DiagnosticSink())
    artifact = Artifact(container.write(encode(found)), str, reflected, Stats(6, 30, 0, 0))
    execute = Translations(TARGET, options or {}) if translated else None
    simulated = Simulated(TARGET, artifact, module, options or {}, execute=execute)
    return run_artifact(simulated, given, uniforms or {}, textures)


_TINTED = """
varying vec4 v_color;
varying vec2 v_uv;
uniform sampler2D u_map;
uniform vec4 u_tint;
void main() { gl_FragColor = texture2D(u_map, v_uv) * v_color * u_tint; if (gl_FragColor.a < 0.5) discard; }
"""
_IMAGE = np.array([[[255, 0, 0, 255], [0, 255, 0, 100]]], np.uint8)


@_ENGINES
def test_names_of_the_source(translated: bool) -> None:
    first = Stage(combiner("MODULATE texture1.rgb primary.rgb"), combiner("MODULATE texture1.a primary.a"))
    second = Stage(combiner("MODULATE previous.rgb constant.rgb"), combiner("MODULATE previous.a constant.a"))
    found = replace(configuration(first, second), alpha_test=AlphaTest(">=", 128))
    result = run(
        _TINTED,
        found,
        reflection(
            varyings=(
                binding("v_color", "vec4", Location("color", 0, "xyzw")),
                binding("v_uv", "vec2", Location("texcoord1", 0, "xy")),
            ),
            samplers=(binding("u_map", "sampler2D", Location("texture", 1, "x")),),
            uniforms=(binding("u_tint", "vec4", Location("tev", 1, "xyzw", "unorm8")),),
        ),
        {"v_color": [[1.0, 0.5, 0.2, 1.0]] * 3, "v_uv": [[0.2, 0.5], [0.7, 0.5], [1.2, 0.5]]},
        {"u_tint": [0.5, 1.0, 2.0, 1.0]},
        {"u_map": Texture(_IMAGE)},
        translated=translated,
    )
    # 255 * 0.5 is 128 as a byte, 0.5 of that 64; 100 alpha is below the reference.
    assert np.round(result["gl_FragColor"] * 255).tolist() == [[128, 0, 0, 255], [0, 128, 0, 100], [128, 0, 0, 255]]
    assert result["discarded"].tolist() == [False, True, False]


@_ENGINES
@pytest.mark.parametrize(("kind", "coordinate"), [("samplerCube", (0.1, 0.2, -3.0)), ("sampler2D", (1.4, 1.0, 2.0))])
def test_unit_0_takes_directions_and_projections(
    kind: str, coordinate: tuple[float, float, float], translated: bool
) -> None:
    lookup = "textureCube(u_map, v_at)" if kind == "samplerCube" else "texture2DProj(u_map, v_at)"
    sides = np.array([np.full((2, 2, 4), 10 * side, np.uint8) for side in range(6)])
    texture = Texture(sides if kind == "samplerCube" else _IMAGE)
    result = run(
        f"varying vec3 v_at; uniform {kind} u_map; void main() {{ gl_FragColor = {lookup}; }}",
        configuration(of("texture0")),
        reflection(
            varyings=(
                binding("v_at", "vec3", Location("texcoord0", 0, "xy"), Location("texcoord0w", 0, "x", first=2)),
            ),
            samplers=(binding("u_map", kind, Location("texture", 0, "x")),),
        ),
        {"v_at": [coordinate]},
        textures={"u_map": texture},
        translated=translated,
    )
    expected = [50] * 4 if kind == "samplerCube" else [0, 255, 0, 100]
    assert np.round(result["gl_FragColor"][0] * 255).tolist() == expected


def test_one_image_in_two_units() -> None:
    found = configuration(Stage(combiner("ADD texture0.rgb texture2.rgb"), combiner("SUBTRACT texture0.a texture2.a")))
    result = run(
        "varying vec2 a; varying vec2 b; uniform sampler2D u_map;"
        "void main() { gl_FragColor = texture2D(u_map, a) + texture2D(u_map, b); }",
        found,
        reflection(
            varyings=(
                binding("a", "vec2", Location("texcoord0", 0, "xy")),
                binding("b", "vec2", Location("texcoord2", 0, "xy")),
            ),
            samplers=(binding("u_map", "sampler2D", Location("texture", 0, "x"), Location("texture", 2, "x")),),
        ),
        {"a": [[0.2, 0.5]], "b": [[0.7, 0.5]]},
        textures={"u_map": Texture(_IMAGE)},
    )
    assert np.round(result["gl_FragColor"][0] * 255).tolist() == [255, 255, 0, 155]


def test_components_that_the_host_does_not_set_are_those_of_the_file() -> None:
    stage = Stage(passes("constant", "rgb"), passes("constant", "a"), (10, 20, 30, 40))
    result = run(
        "uniform float u_x; void main() { gl_FragColor = vec4(0.0, u_x, 0.0, 0.0); }",
        configuration(stage),
        reflection(uniforms=(binding("u_x", "float", Location("tev", 0, "y", "unorm8")),)),
        {},
        {"u_x": 1.0},
    )
    assert np.round(result["gl_FragColor"] * 255).tolist() == [[10, 255, 30, 40]]


def test_values_of_the_host_beside_the_stages() -> None:
    inert = passes("previous", "a")
    second = Stage(passes("buffer", "rgb"), passes("primary", "a"))
    third = Stage(passes("previous", "rgb"), inert)
    found = replace(configuration(of("primary"), second, third), alpha_test=AlphaTest("<", 0))
    given = "uniform vec3 u_b; uniform float u_r; varying vec4 v; void main() { gl_FragColor = v + vec4(u_b, u_r); }"
    result = run(
        given,
        found,
        reflection(
            varyings=(binding("v", "vec4", Location("color", 0, "xyzw")),),
            uniforms=(
                binding("u_b", "vec3", Location("tev", 6, "xyz", "unorm8")),
                binding("u_r", "float", Location("tev", 7, "x", "unorm8")),
            ),
        ),
        {"v": [[0.0, 0.0, 0.0, 0.4], [0.0, 0.0, 0.0, 0.6]]},
        {"u_b": [1.0, 0.0, 0.2], "u_r": 0.5},
    )
    assert np.round(result["gl_FragColor"][0] * 255).tolist() == [255, 0, 51, 102]
    assert result["discarded"].tolist() == [False, True]


def test_fog_sees_the_depth_of_the_window() -> None:
    """By the map of depth of citro3d the unit's depth is 1 at the near plane, where gl_FragCoord.z is 0."""
    entries = tuple(round(2047 * i / 128) << 13 | 16 for i in range(128))
    found = replace(configuration(of("primary")), unit_writes=fog_writes(255, 255, 255), tables={"fog": entries})
    result = run(
        "varying vec4 v; void main() { gl_FragColor = mix(v, vec4(1.0), gl_FragCoord.z); }",
        found,
        reflection(
            varyings=(binding("v", "vec4", Location("color", 0, "xyzw")),),
            inputs=(binding("gl_FragCoord", "vec4", Location("window", 0, "z", first=2)),),
        ),
        {"v": [[0.0, 0.0, 0.0, 1.0]] * 3, "gl_FragCoord": [[5, 5, z, 1] for z in (0.0, 0.25, 1.0)]},
    )
    assert np.abs(result["gl_FragColor"][:, 0] - [0.0, 0.25, 1.0]).max() < 2 / 255


@_ENGINES
def test_lights_of_the_host(translated: bool) -> None:
    writes = unit(*light(0, (0, 0, 0), directional=1), colour("LIGHT0_DIFFUSE", 0, 0, 0))
    found = lit(writes)
    found = replace(found, stages=(found.stages[0], *configuration().stages[1:]))
    result = run(
        "uniform vec3 u_light; uniform vec3 u_diffuse; varying vec3 v; varying vec4 q;"
        "void main() { gl_FragColor = vec4(u_light + u_diffuse + v, 1.0) * q; }",
        found,
        reflection(
            varyings=(
                binding("v", "vec3", Location("view", 0, "xyz")),
                binding("q", "vec4", Location("normalquat", 0, "xyzw")),
            ),
            uniforms=(
                binding("u_light", "vec3", Location("position", 0, "xyz")),
                binding("u_diffuse", "vec3", Location("diffuse", 0, "xyz")),
            ),
        ),
        {"v": [[0.0, 0.0, 1.0]], "q": [[0.0, 0.0, 0.0, 1.0]]},
        {"u_light": [0.0, 3.0, 4.0], "u_diffuse": [1.0, 0.5, 0.25]},
        translated=translated,
    )
    assert np.abs(result["gl_FragColor"][0] - [0.8, 0.4, 0.2, 1.0]).max() < 1.5 / 255


def test_normals_are_what_a_quaternion_turns_to() -> None:
    writes = unit(*light(0, (0.36, -0.48, 0.8), directional=1, two_sided=1), colour("LIGHT0_DIFFUSE", 1, 1, 1))
    normals = np.array([[0.36, -0.48, 0.8], [0.0, 0.0, 5.0], [0.0, 0.0, -1.0], [3.0, 0.0, 0.0], [1.0, 2.0, -2.0]])
    found = lit(writes)
    result = run(
        "varying vec3 n; varying vec3 v; void main() { gl_FragColor = vec4(n + v, 1.0); }",
        replace(found, stages=(found.stages[0], *configuration().stages[1:])),
        reflection(
            varyings=(
                binding("n", "vec3", Location("normalquat", 0, "xyz", "quaternion")),
                binding("v", "vec3", Location("view", 0, "xyz")),
            )
        ),
        {"n": normals, "v": [[0.0, 0.0, 1.0]] * len(normals)},
    )
    units = normals / np.linalg.norm(normals, axis=1)[:, None]
    assert np.abs(result["gl_FragColor"][:, 0] - np.abs(units @ [0.36, -0.48, 0.8])).max() < 1.5 / 255


@_ENGINES
@pytest.mark.parametrize(("signed", "ends"), [(0, np.linspace(0, 1, 257)), (1, np.linspace(-1, 1, 257))])
def test_tables_of_the_host(signed: int, ends: Array, translated: bool) -> None:
    writes = unit(
        *light(0, (0, 0.6, 0.8), directional=1),
        colour("LIGHT0_SPECULAR0", 1, 1, 1),
        write("LIGHTING_LUTINPUT_SELECT", d0="l_dot_n"),
        write("LIGHTING_LUTINPUT_ABS", signed_d0=signed),
        used=["d0"],
    )
    found = replace(lit(writes), stages=configuration(of("lighting1")).stages)
    table = Binding("u_table", "float", 257, (Location("lut", 0, "x", "table"),))
    result = run(
        "uniform float u_table[257]; varying vec3 v; varying vec4 q;"
        "void main() { gl_FragColor = vec4(u_table[0] + v, 1.0) * q; }",
        found,
        reflection(
            varyings=(
                binding("v", "vec3", Location("view", 0, "xyz")),
                binding("q", "vec4", Location("normalquat", 0, "xyzw")),
            ),
            uniforms=(table,),
        ),
        {"v": [[0.0, 0.0, 1.0]] * 2, "q": [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]]},
        {"u_table": 0.5 + 0.4 * ends},
        translated=translated,
    )
    behind = 0.5 - 0.4 * 0.8 if signed else 0.5
    assert np.abs(result["gl_FragColor"][:, 0] - [0.5 + 0.4 * 0.8, behind]).max() < 1.5 / 255


def test_the_rasteriser_limits_colours() -> None:
    result = run(
        "varying vec4 v; void main() { gl_FragColor = v; }",
        configuration(of("primary")),
        reflection(varyings=(binding("v", "vec4", Location("color", 0, "xyzw")),)),
        {"v": [[-0.2, 7.0, 0.5, np.nan]]},
    )
    assert np.round(result["gl_FragColor"][0] * 255).tolist() == [51, 255, 128, 0]


@_ENGINES
def test_rounding_is_an_option(translated: bool) -> None:
    stage = Stage(combiner("MODULATE primary.rgb primary.rgb"), passes("primary", "a"))
    found = {
        rounding: run(
            "varying vec4 v; void main() { gl_FragColor = v * v; }",
            configuration(stage),
            reflection(varyings=(binding("v", "vec4", Location("color", 0, "xyzw")),)),
            {"v": [[0.1, 0.1, 0.1, 1.0]]},
            translated=translated,
            options={"rounding": rounding},
        )["gl_FragColor"][0, 0]
        for rounding in ROUNDINGS
    }
    # 26 * 26 / 255 is 2.65.
    assert {rounding: round(value * 255) for rounding, value in found.items()} == {"azahar": 2, "hardware": 3}
