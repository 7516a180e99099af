"""gl_FragCoord.xy of linked pairs: what vertex program and combiners make of it, beside the viewport's own formula.

Textures are ramps, whose colour is the coordinate; so a pixel that reads one shows where it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.meshes import Mesh
from glslc_multi.runtime.preview import Scene, prepare
from glslc_multi.runtime.shader import CompiledProgram

VERTEX = "uniform mat4 u_m; uniform int u_n; attribute vec4 p; varying vec2 t;\n%s\nvoid main() { t = p.xy; %s }"
FRAGMENT = """
#pragma pica200 range u_size 100 512
precision highp float;
uniform sampler2D u_a, u_b; uniform vec2 u_size, u_move; uniform float u_k; uniform bool u_on; varying vec2 t;
void main() { %s }
"""
#: Where w is 1 at all vertices, as the compiler can see.
FLAT = {
    "literal": ("", "gl_Position = vec4(p.xyz, 1.0);"),
    "of a function": ("vec4 f(vec3 a) { return vec4(a, 1); }", "gl_Position = f(p.xyz);"),
    "several stores": ("", "gl_Position = vec4(1.0); gl_Position.y = p.y; gl_Position.xz = p.xz;"),
    "early return": (
        "void f() { gl_Position = vec4(p.xyz, 1.0); }",
        "if (p.x < 0.0) { f(); return; } gl_Position = vec4(p.zyx, 1.0); gl_Position.xyz = gl_Position.zyx;",
    ),
    "loop": (
        "",
        """vec4 q = vec4(p.xyz, 1.0); for (int i = 0; i < u_n; i++) q.xy += 0.25;
        gl_Position = q; gl_Position.xy -= 0.5;""",
    ),
}
#: Where it is not, or may be something else.
DEEP = {
    "attribute": ("", "gl_Position = p;"),
    "matrix": ("", "gl_Position = u_m * p;"),
    "in one branch": ("", "gl_Position = vec4(p.xyz, 1.0); if (p.w > 1.5) gl_Position = p;"),
    "early return": ("", "if (p.w > 1.5) { gl_Position = p; return; } gl_Position = vec4(p.xyz, p.w);"),
    "loop": ("", "gl_Position = vec4(p.xyz, 0.0); for (int i = 0; i < u_n; i++) gl_Position.w += 0.5 * p.w;"),
}
#: Corners of a triangle in clip space; the viewport: x, y, width, height; where pixels are among the corners, as seen.
CORNERS = np.array([[-1.5, 0.5, 0.25, 2.0], [2.0, 1.0, 3.0, 4.0], [0.25, -0.5, 0.125, 1.0]])
VIEWPORT = (10.0, 20.0, 200.0, 100.0)
PIXELS = np.array([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5], [0.6, 0.1, 0.3], [0.0, 0.5, 0.5]])
SIZE = np.array([256.0, 128.0])
#: Steps of 1/255.
ROUNDING = 1.0


def linked(vertex: tuple[str, str], body: str, **options: Any) -> CompiledProgram:
    return glslc_multi.link(VERTEX % vertex, FRAGMENT % body, target="pica200", options=options)


def corners(kinds: object) -> Array:
    """With w of 1, the same places."""
    return CORNERS if kinds is DEEP else np.column_stack([CORNERS[:, :3] / CORNERS[:, 3:] * [1, 1, 0.5], np.ones(3)])


def window_of(position: Array) -> Array:
    """gl_FragCoord of the pixels: x, y, z are linear in the window (OpenGL ES 2.0 sections 2.12 and 3.5)."""
    left, low, width, height = VIEWPORT
    x, y, z = (position[:, component] / position[:, 3] for component in range(3))
    window = np.stack([(x + 1) / 2 * width + left, (y + 1) / 2 * height + low, (z + 1) / 2, 1 / position[:, 3]], axis=1)
    found: Array = PIXELS @ window
    return found


def seen(program: CompiledProgram, position: Array, engine: Any = "simulator", **uniforms: Any) -> Array:
    """The colours of the pixels: both programs on the simulator, and hardware between them."""
    left, low, width, height = VIEWPORT
    viewport = (width / 2, height / 2, left + width / 2, low + height / 2)
    given = {"$viewport": viewport, "u_size": SIZE, "u_move": (0.25, 0.125), "u_n": 2, "u_m": np.eye(4)} | uniforms
    ramp = np.zeros((512, 512, 4))
    ramp[..., 0], ramp[..., 1] = np.meshgrid(*[(np.arange(512) + 0.5) / 512] * 2)
    ramp[..., 3] = 1.0
    textures = {"u_a": Texture(ramp, "linear"), "u_b": Texture(ramp[..., [2, 3, 0, 1]], "linear")}
    vertex, fragment = program.stages["vertex"], program.stages["fragment"]
    outputs = run(vertex, {"p": position}, given, {}, engine)
    np.testing.assert_allclose(outputs.pop("gl_Position"), position, atol=1e-4)
    weights = PIXELS / position[:, 3]
    weights /= weights.sum(axis=1)[:, None]
    inputs = {name: weights @ np.asarray(value).reshape(3, -1) for name, value in outputs.items()}
    inputs = {name: value[:, 0] if name == "$texcoord0w" else value for name, value in inputs.items()}
    found = run(fragment, inputs | {"gl_FragCoord": window_of(position)}, given, textures, engine)
    return next(value for name, value in found.items() if name != "discarded")


def run(shader: Any, inputs: Mapping[str, Any], uniforms: Any, textures: Any, engine: Any) -> dict[str, Array]:
    """With those of the values that the shader declares, or was lent."""
    names = {v.name for v in (*shader.module.variables.values(), *shader.artifact.lent)}
    own = ({name: value for name, value in given.items() if name in names} for given in (inputs, uniforms, textures))
    found: dict[str, Array] = shader.run(*own, engine=engine)
    return found


def coordinates(program: CompiledProgram) -> list[str]:
    """The outputs of the rasteriser that the fragment stage reads."""
    varyings = program.stages["fragment"].reflection.varyings
    return sorted(binding.locations[0].space for binding in varyings)


@pytest.mark.parametrize("engine", ["simulator", "translated"])
@pytest.mark.parametrize(("kinds", "name"), [(kinds, name) for kinds in (FLAT, DEEP) for name in kinds])
def test_a_texture_at_the_place_of_the_pixel(kinds: dict[str, tuple[str, str]], name: str, engine: str) -> None:
    program, position = linked(kinds[name], "gl_FragColor = texture2D(u_a, gl_FragCoord.xy / u_size);"), corners(kinds)
    assert coordinates(program) == ["texcoord0"] + ["texcoord0w"] * (kinds is DEEP)
    check(seen(program, position, engine)[:, :2], window_of(position)[:, :2] / SIZE)


#: What is done with the place -> red and green of the pixel, of x, y and z of gl_FragCoord, t and numbers of uniforms.
EITHER = {
    "gl_FragColor = texture2D(u_a, gl_FragCoord.yx / 256.0);": lambda x, y, z: (y / 256, x / 256),
    "gl_FragColor = texture2D(u_a, vec2(gl_FragCoord.x / u_size.x, u_k));": lambda x, y, z: (x / 256, 0.75 + 0 * x),
    "gl_FragColor = texture2D(u_a, (gl_FragCoord.xy - 16.0) / u_size + u_move);": lambda x, y, z: (
        (x - 16) / 256 + 0.25, (y - 16) / 128 + 0.125
    ),
    "gl_FragColor = texture2DProj(u_a, vec3(gl_FragCoord.xy, 256.0));": lambda x, y, z: (x / 256, y / 256),
    "gl_FragColor = texture2D(u_a, u_on ? gl_FragCoord.xy / u_size : u_move);": lambda x, y, z: (x / 256, y / 128),
    "vec2 p = gl_FragCoord.xy / u_size; gl_FragColor = texture2D(u_a, p); gl_FragColor *= texture2D(u_a, p);":
        lambda x, y, z: ((x / 256) ** 2, (y / 128) ** 2),
    # The fog unit has depth beside it.
    """vec4 place = gl_FragCoord; vec4 a = texture2D(u_a, place.xy / u_size);
    gl_FragColor = vec4(mix(vec3(1.0), a.rgb, 1.0 - place.z * place.z), a.a);""": lambda x, y, z: (
        x / 256 + z * z * (1 - x / 256), y / 128 + z * z * (1 - y / 128)
    ),
}  # fmt: skip
FLAT_ONLY = {
    "vec2 p = gl_FragCoord.xy / u_size; gl_FragColor = texture2D(u_a, p) * texture2D(u_b, p.yx).baar;":
        lambda x, y, z: (x / 256 * y / 128, x / 256 * y / 128),
    "gl_FragColor = texture2D(u_a, gl_FragCoord.xy / u_size) * texture2D(u_a, gl_FragCoord.xy / 256.0);":
        lambda x, y, z: (x / 256 * x / 256, y / 128 * y / 256),
    "gl_FragColor = texture2D(u_a, gl_FragCoord.xy / 512.0 + t * 0.0625 + 0.25);": lambda x, y, z: (
        x / 512 + (x - 110) / 1600 + 0.25, y / 512 + (y - 70) / 800 + 0.25
    ),
}  # fmt: skip


@pytest.mark.parametrize("body", [*EITHER, *FLAT_ONLY])
def test_what_units_make_of_it(body: str) -> None:
    for kinds, name in ((FLAT, "literal"), (DEEP, "matrix")) if body in EITHER else ((FLAT, "literal"),):
        program, position = linked(kinds[name], body), corners(kinds)
        x, y, z, _ = window_of(position).T
        wanted = np.stack((EITHER | FLAT_ONLY)[body](x, y, z), axis=1)
        check(seen(program, position, u_k=0.75, u_on=True)[:, :2], wanted, program.stages["fragment"].stats.error_steps)


def check(found: Array, wanted: Array, bound: float | None = 0.0) -> None:
    assert bound is not None
    np.testing.assert_allclose(found, np.clip(wanted, 0, 1), atol=(bound + ROUNDING) / 255)


UPPER, INTEGER = "origin_upper_left", "pixel_center_integer"
PROMISES = "#pragma pica200 range gl_FragCoord.x 0 256\n#pragma pica200 range gl_FragCoord.y 0 128\n"


def test_a_colour_of_it() -> None:
    """x and y are promised, and so nobody is warned."""
    text = PROMISES + FRAGMENT % "gl_FragColor = vec4(gl_FragCoord.xy / vec2(256.0, 128.0), 0.0, 1.0);"
    program = glslc_multi.link(VERTEX % FLAT["literal"], text, target="pica200")
    assert [found.code for found in program.diagnostics] == []
    position = corners(FLAT)
    check(seen(program, position)[:, :2], window_of(position)[:, :2] / SIZE)


def test_a_colour_of_what_nobody_promised() -> None:
    """A render target has 1024 pixels at most; vertices may be farther away."""
    program = linked(FLAT["literal"], "gl_FragColor = vec4(min(gl_FragCoord.xy / 64.0, 1.5) * 0.5, 0.0, 1.0);")
    assert [(d.code, d.help) for d in program.diagnostics] == [
        ("W0730", f"promise its range: #pragma pica200 range gl_FragCoord.{axis} 0 400") for axis in "xy"
    ]
    position, bound = corners(FLAT), program.stages["fragment"].stats.error_steps
    # The colour has a 16th of a number in a byte.
    check(seen(program, position)[:, :2], np.minimum(window_of(position)[:, :2] / 64, 1.5) * 0.5, (bound or 0) + 8)


@pytest.mark.parametrize("promises", ["", PROMISES], ids=["unpromised", "promised"])
def test_an_image_of_it(promises: str) -> None:
    text = promises + FRAGMENT % "gl_FragColor = vec4(vec3(0.5 + 0.5 * sin(gl_FragCoord.x * 0.02)), 1.0);"
    program = glslc_multi.link(VERTEX % FLAT["literal"], text, target="pica200", options={"images": True})
    assert [found.code for found in program.diagnostics] == []
    position = corners(FLAT)
    wanted = 0.5 + 0.5 * np.sin(window_of(position)[:, :1] * 0.02)
    check(seen(program, position)[:, :1], wanted, program.stages["fragment"].stats.error_steps)


@pytest.mark.parametrize("kinds", [FLAT, DEEP], ids=["flat", "deep"])
@pytest.mark.parametrize("layout", [UPPER, INTEGER, f"{UPPER}, {INTEGER}"])
def test_other_conventions_of_coordinates(kinds: dict[str, tuple[str, str]], layout: str) -> None:
    """GLSL 1.50 section 4.3.8.1; the window has 160 rows."""
    fragment = f"""#version 150
    layout({layout}) in vec4 gl_FragCoord;
    uniform sampler2D u_a; out vec4 colour;
    void main() {{ colour = texture(u_a, (gl_FragCoord.xy + 0.5) / 256.0); }}"""
    vertex = "#version 150\nin vec4 p; void main() { gl_Position = vec4(p.xyz, %s); }"
    program = glslc_multi.link(vertex % ("1.0" if kinds is FLAT else "p.w"), fragment, target="pica200")
    position = corners(kinds)
    x, y, _, _ = window_of(position).T
    if UPPER in layout:
        y = 160 - y
    if INTEGER in layout:
        x, y = x - 0.5, y - 0.5
    check(seen(program, position, gl_WindowHeight=160.0)[:, :2], (np.stack([x, y], axis=1) + 0.5) / 256)


@pytest.mark.parametrize("settings", [{"opt": 0}, {"preamble": True}], ids=str)
@pytest.mark.parametrize("kinds", [FLAT, DEEP], ids=["flat", "deep"])
def test_other_ways_to_compile(kinds: dict[str, tuple[str, str]], settings: dict[str, Any]) -> None:
    fragment = """
    precision highp float; uniform sampler2D u_a; uniform vec2 u_size;
    vec2 place(float scale) { vec4 c = gl_FragCoord; return c.xy * scale; }
    void main() { gl_FragColor = texture2D(u_a, place(sqrt(0.25)) * 2.0 / u_size); }"""
    vertex = VERTEX % kinds["loop"]
    program, position = glslc_multi.link(vertex, fragment, target="pica200", **settings), corners(kinds)
    check(seen(program, position)[:, :2], window_of(position)[:, :2] / SIZE)


def test_the_map_has_the_viewport() -> None:
    program = linked(FLAT["literal"], "gl_FragColor = texture2D(u_a, gl_FragCoord.xy / u_size);")
    vertex, fragment = (program.stages[stage].reflection for stage in ("vertex", "fragment"))
    (viewport,) = (binding for binding in vertex.uniforms if binding.name == "$viewport")
    assert (viewport.type, [place.components for place in viewport.locations]) == ("vec4", ["xyzw"])
    assert [binding.name for binding in fragment.inputs] == []


@pytest.mark.parametrize("body", ["gl_FragColor = vec4(1.0 - gl_FragCoord.z);", "gl_FragColor = vec4(1.0);"])
def test_who_does_not_ask_gets_no_viewport(body: str) -> None:
    text = body.replace("vec4(1.0 -", "vec4(vec3(1.0 -").replace(".z);", ".z), 1.0);")
    vertex = linked(DEEP["attribute"], text).stages["vertex"].reflection
    assert [binding.name for binding in vertex.uniforms] == []


def test_depth_stays_in_the_map() -> None:
    body = "gl_FragColor = vec4(texture2D(u_a, gl_FragCoord.xy / u_size).rgb * gl_FragCoord.z, 1.0);"
    (binding,) = linked(DEEP["attribute"], body).stages["fragment"].reflection.inputs
    assert (binding.name, binding.locations[0].components, binding.locations[0].first) == ("gl_FragCoord", "z", 2)


def test_a_vertex_shader_without_a_position() -> None:
    program = linked(("", ""), "gl_FragColor = texture2D(u_a, gl_FragCoord.xy / u_size);")
    assert list(program.stages) == ["vertex", "fragment"]


def test_a_viewport_that_nobody_sets_has_64_pixels() -> None:
    program = linked(FLAT["literal"], "gl_FragColor = texture2D(u_a, gl_FragCoord.xy / u_size);")
    found = run(program.stages["vertex"], {"p": corners(FLAT)}, {"u_size": (64.0, 64.0)}, {}, "simulator")
    np.testing.assert_allclose(found["$texcoord0"], corners(FLAT)[:, :2] / 2 + 0.5, atol=1e-4)


@pytest.mark.parametrize("kinds", [FLAT, DEEP], ids=["flat", "deep"])
def test_a_preview_has_the_viewport_of_its_picture(kinds: dict[str, tuple[str, str]]) -> None:
    sink = DiagnosticSink()
    body = "gl_FragColor = texture2D(u_a, gl_FragCoord.xy / u_size);"
    sources = (
        make_source(VERTEX % kinds["matrix" if kinds is DEEP else "literal"], "a.vert"),
        make_source(FRAGMENT % body, "a.frag"),
    )
    preview = prepare(*sources, load_target("pica200"), Request(), sink)
    ramp = np.ones((64, 64, 4))
    ramp[..., 0], ramp[..., 1] = np.meshgrid(*[(np.arange(64) + 0.5) / 64] * 2)
    place = np.array([[-1, -1, 0, 1], [2, -2, 0, 2], [-1, 1, 0, 1], [2, 2, 0, 2]], float)
    place = place / (place[:, 3:] if kinds is FLAT else 1)
    mesh = Mesh(place[:, :3], place[:, :3], place[:, :2], np.array([[0, 1, 2], [2, 1, 3]]))
    uniforms = {"u_size": (40.0, 24.0), "u_m": np.eye(4)} if kinds is DEEP else {"u_size": (40.0, 24.0)}
    scene = Scene(mesh, 40, 24, uniforms, {"u_a": Texture(ramp, "linear")}, attributes={"p": place})
    wanted, found = (preview.draw(scene, engine).colour for engine in ("reference", "simulator"))
    np.testing.assert_allclose(found, wanted, atol=1 / 255)
    x, y = np.meshgrid((np.arange(40) + 0.5) / 40, (np.arange(24) + 0.5) / 24)
    np.testing.assert_allclose(found[4:-4, 4:-4, :2], np.stack([x, y], axis=-1)[4:-4, 4:-4], atol=0.02)


def test_the_page_of_the_documentation() -> None:
    page = (Path(__file__).parents[6] / "docs" / "pica200-fragment.md").read_text()
    (text,) = (each for each in re.findall(r"```glsl\n(.*?)```", page, re.DOTALL) if "gl_FragCoord.xy" in each)
    program = glslc_multi.link(VERTEX % FLAT["literal"], text, target="pica200")
    assert coordinates(program) == ["texcoord0", "texcoord1"]


# --- What does not fit ------------------------------------------------------------------------------------------------

#: Of a pair: what the fragment shader does -> code, text and help of the message.
REFUSED = {
    "gl_FragColor = vec4(gl_FragCoord.x / 256.0);": ("E0724", "'gl_FragCoord' is no input", "w of gl_Position be 1.0"),
    "gl_FragColor = vec4(0.5 + 0.5 * sin(gl_FragCoord.x));": ("E0724", "'gl_FragCoord'", "w of gl_Position be 1.0"),
    "gl_FragColor = texture2D(u_a, gl_FragCoord.xy + t);": ("E0724", "'gl_FragCoord'", "w of gl_Position be 1.0"),
    "gl_FragColor = texture2D(u_a, t) * texture2D(u_b, texture2D(u_a, t).xy * gl_FragCoord.xy);": (
        "E0722", "computed from a texel", "in the vertex shader"
    ),
    "vec2 p = gl_FragCoord.xy / u_size; gl_FragColor = texture2D(u_a, p) * texture2D(u_b, p);": (
        "E0721", "'u_a' and 'u_b' need unit 0 at 2 places", "let w of gl_Position be 1.0"
    ),
    "gl_FragColor = vec4(gl_FragCoord.w);": ("E0724", "'gl_FragCoord'", "in a varying"),
    "gl_FragColor = texture2D(u_a, gl_FragCoord.xw);": ("E0724", "'gl_FragCoord'", "in a varying"),
}  # fmt: skip


@pytest.mark.parametrize("images", [False, True])
@pytest.mark.parametrize("body", REFUSED)
def test_what_w_does_not_let_pass(body: str, images: bool) -> None:
    code, text, help = REFUSED[body]
    with pytest.raises(CompileError) as caught:
        linked(DEEP["attribute"], body, images=images)
    (error,) = (found for found in caught.value.diagnostics if found.severity == "error")
    assert (error.code, error.span and error.span.line) == (code, 5)
    assert text in error.message and help in (error.help or "")


@pytest.mark.parametrize("body", ["texture2D(u_a, gl_FragCoord.xy)", "vec4(gl_FragCoord.y)", "gl_FragCoord.xyzz"])
def test_a_fragment_shader_alone_is_told_to_link(body: str) -> None:
    with pytest.raises(CompileError) as caught:
        glslc_multi.compile(FRAGMENT % f"gl_FragColor = {body};", target="pica200", stage="fragment")
    (error,) = caught.value.diagnostics
    assert error.code == "E0724" and "link it with its vertex shader" in (error.help or "")
