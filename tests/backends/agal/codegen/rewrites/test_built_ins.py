"""gl_FragCoord in linked pairs, gl_FrontFacing from the host, gl_PointSize for nobody."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.agal.isa.validate import validate_pair
from glslc_multi.backends.agal.machine.simulate import simulate
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_program
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.shader import link_shaders
from tests.backends.agal.compiled import LANES, build, compiled, dyadic, mnemonics, refusal, run

VERTEX = "attribute vec4 p; varying vec2 t; void main() { t = p.yx; gl_Position = p; }"
#: A triangle in clip space, its corners at different depths; a viewport of 200 x 100 pixels at (10, 20).
CORNERS = np.array([[-1.5, 0.5, 0.25, 2.0], [2.0, 1.0, 3.0, 4.0], [0.25, -0.5, 0.125, 1.0]])
VIEWPORT = (100.0, 50.0, 110.0, 70.0)
#: Where pixels are among the corners, as seen in the window.
PIXELS = np.array([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5], [0.6, 0.1, 0.3], [0.0, 0.5, 0.5]])


def pair(colour: str, vertex: str = VERTEX, **options: object) -> dict[str, Artifact]:
    text = f"precision highp float; varying vec2 t; void main() {{ gl_FragColor = {colour}; }}"
    sources = make_source(vertex, "a.vert", "vertex"), make_source(text, "a.frag", "fragment")
    return dict(
        compile_program(*sources, load_target("agal"), Request(target_options=options), DiagnosticSink()).stages
    )


def place_of(artifact: Artifact, name: str) -> str:
    bindings = (*artifact.reflection.uniforms, *artifact.reflection.varyings, *artifact.reflection.inputs)
    (at,) = next(binding for binding in bindings if binding.name == name).locations
    return f"{at.space}{at.index}.{at.components}"


def constants_of(artifact: Artifact) -> dict[str, list[float]]:
    """The literals, as a host uploads them, and the viewport."""
    found: dict[str, list[float]] = {}
    for literal in artifact.reflection.literals:
        register = found.setdefault(f"{literal.location.space}{literal.location.index}", [0.0] * 4)
        for letter, word in zip(literal.location.components, literal.words, strict=True):
            register["xyzw".index(letter)] = float(np.array(word, np.uint32).view(np.float32))
    if any(binding.name == "$viewport" for binding in artifact.reflection.uniforms):
        found[place_of(artifact, "$viewport").partition(".")[0]] = list(VIEWPORT)
    return found


def window_of(corners: Array) -> Array:
    """gl_FragCoord of the pixels: x, y, z and 1/w are linear in the window (OpenGL ES 2.0 sections 2.12 and 3.5)."""
    x, y, z, w = corners.T
    window = np.stack([x / w * VIEWPORT[0] + VIEWPORT[2], y / w * VIEWPORT[1] + VIEWPORT[3], z / w, 1 / w], axis=1)
    found: Array = PIXELS @ window
    return found


def interpolated(value: Array) -> Array:
    """A varying in the pixels, as hardware interpolates with regard to perspective."""
    weights = PIXELS / CORNERS[:, 3]
    found: Array = weights @ value / weights.sum(axis=1)[:, None]
    return found


def drawn(stages: dict[str, Artifact]) -> Array:
    """The colours of the pixels: both programs on the simulator, and hardware between them."""
    vertex, fragment = stages["vertex"], stages["fragment"]
    left = simulate(vertex.binary, {"va0": CORNERS}, constants_of(vertex), lanes=3).outputs
    varyings = {name: interpolated(value) for name, value in left.items() if name != "op"}
    np.testing.assert_array_equal(left["op"], CORNERS)
    return simulate(fragment.binary, varyings, constants_of(fragment), lanes=len(PIXELS)).outputs["oc"]


@pytest.mark.parametrize("wanted", ["xyzw", "xyxy", "yxyx", "zzzz", "wwww", "xxwz", "yyyw"])
def test_the_window_comes_through_a_varying(wanted: str) -> None:
    expected = window_of(CORNERS)[:, ["xyzw".index(letter) for letter in wanted]]
    np.testing.assert_allclose(drawn(pair(f"gl_FragCoord.{wanted}")), expected, rtol=1e-5)


def test_other_varyings_stay_right() -> None:
    places = interpolated(CORNERS[:, [1, 0]])
    expected = np.column_stack([window_of(CORNERS)[:, :2] * places, places])
    np.testing.assert_allclose(drawn(pair("vec4(gl_FragCoord.xy * t, t)")), expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("wanted", "place"), [("xyxy", "v0.xyz"), ("wwww", "v0.y"), ("xyzw", "v1.xyzw"), ("zwzw", "v0.xy")]
)
def test_what_is_read_is_passed(wanted: str, place: str) -> None:
    stages = pair(f"gl_FragCoord.{wanted} + t.x")
    assert [place_of(stages[stage], "$window") for stage in ("vertex", "fragment")] == [place] * 2


def test_depth_is_that_of_the_position_as_it_is_left() -> None:
    """With --agal-clip-z the position has (z + w) / 2."""
    stages = pair("gl_FragCoord", agal_clip_z=True)
    vertex = simulate(stages["vertex"].binary, {"va0": CORNERS}, constants_of(stages["vertex"]), lanes=3).outputs
    np.testing.assert_allclose(vertex["op"][:, 2], (CORNERS[:, 2] + CORNERS[:, 3]) / 2)
    np.testing.assert_allclose(vertex["v0"][:, 3], vertex["op"][:, 2])


def test_the_map_says_who_gives_what() -> None:
    stages = pair("gl_FragCoord.xyxy * t.x")
    assert place_of(stages["vertex"], "$viewport") == "vc0.xyzw"
    assert place_of(stages["fragment"], "gl_FragCoord") == "window0.xyzw"
    assert "fc" not in stages["fragment"].assembly
    assert [binding.name for binding in pair("gl_FragCoord.zwzw")["vertex"].reflection.uniforms] == []


def test_a_vertex_shader_without_a_position() -> None:
    stages = pair("gl_FragCoord", "attribute vec4 p; varying vec2 t; void main() { t = p.xy; }")
    assert validate_pair(stages["vertex"].binary, stages["fragment"].binary) == []


def test_a_linked_stage_runs_on_values_of_the_source() -> None:
    text = "precision highp float; varying vec2 t; void main() { gl_FragColor = gl_FragCoord.wzyx * t.x + t.y; }"
    sources = make_source(VERTEX, "a.vert", "vertex"), make_source(text, "a.frag", "fragment")
    shader = link_shaders(*sources, load_target("agal"), Request()).stages["fragment"]
    inputs = {"t": dyadic(1, 8, 2), "gl_FragCoord": np.abs(dyadic(2, 8, 4)) + 0.125}
    wanted, *others = (shader.run(inputs, engine=e)["gl_FragColor"] for e in ("reference", "simulator", "translated"))
    for found in others:
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


# --- gl_FragCoord of a fragment stage alone ---------------------------------------------------------------------------

ALONE = "precision highp float; {} varying vec2 t; void main() {{ {} gl_FragColor = {}; }}"
#: The vertex program of the host: what the target's page says.
_FOR_ALONE = """attribute vec4 p; uniform vec4 u_viewport; varying vec2 t; varying vec4 window;
void main() {
    t = p.yx;
    gl_Position = p;
    window = vec4(gl_Position.xy * u_viewport.xy + gl_Position.w * u_viewport.zw, gl_Position.wz);
}"""


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize(
    "colour", ["gl_FragCoord", "vec4(gl_FragCoord.xy * t, t)", "gl_FragCoord.zzww * t.x", "gl_FragCoord.yyyy"]
)
def test_a_fragment_stage_alone_runs(colour: str, opt: int, version: int) -> None:
    shader = build(ALONE.format("", "", colour), "fragment", opt=opt, agal_version=version)
    place, coordinate = dyadic(1, LANES, 2), np.abs(dyadic(2, LANES, 4)) + 0.125
    wanted = {
        "gl_FragCoord": coordinate,
        "vec4(gl_FragCoord.xy * t, t)": np.column_stack([coordinate[:, :2] * place, place]),
        "gl_FragCoord.zzww * t.x": coordinate[:, [2, 2, 3, 3]] * place[:, :1],
        "gl_FragCoord.yyyy": coordinate[:, [1] * 4],
    }[colour]
    given = {"t": place} if "t" in colour.replace("vec4", "") else {}
    found = run(shader, {**given, "gl_FragCoord": coordinate}, {})["gl_FragColor"]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_a_fragment_stage_alone_with_a_vertex_program_of_the_host() -> None:
    """By the registers alone: the vertex stage knows nothing of the fragment stage."""
    source = ALONE.format("", "", "gl_FragCoord.xyzw + vec4(t, t)")
    fragment, vertex = compiled(source, "fragment"), compiled(_FOR_ALONE, "vertex")
    assert place_of(fragment, "$window") == place_of(vertex, "window") == "v1.xyzw"
    assert validate_pair(vertex.binary, fragment.binary) == []
    constants = constants_of(vertex) | {place_of(vertex, "u_viewport").partition(".")[0]: list(VIEWPORT)}
    left = simulate(vertex.binary, {"va0": CORNERS}, constants, lanes=3).outputs
    varyings = {name: interpolated(value) for name, value in left.items() if name != "op"}
    found = simulate(fragment.binary, varyings, constants_of(fragment), lanes=len(PIXELS)).outputs["oc"]
    places = interpolated(CORNERS[:, [1, 0]])
    np.testing.assert_allclose(found, window_of(CORNERS) + np.column_stack([places, places]), rtol=1e-5)


def test_the_window_comes_after_the_other_varyings() -> None:
    """Whatever their names and places, these stay where they are without it."""
    declared = "varying vec4 b; varying mat2 Z;"
    for colour, places in (
        ("b", {"Z": 0, "b": 2, "t": 3}),
        ("b + gl_FragCoord", {"Z": 0, "b": 2, "t": 3, "$window": 4}),
    ):
        reflection = compiled(ALONE.format(declared, "", f"{colour} + vec4(Z[1], t)"), "fragment").reflection
        assert {v.name: min(place.index for place in v.locations) for v in reflection.varyings} == places
    pinned = "precision highp float; layout(location = 0) varying vec4 a; layout(location = 2) varying vec4 b;"
    artifact = compiled(f"{pinned} void main() {{ gl_FragColor = a * gl_FragCoord + b; }}", "fragment")
    assert place_of(artifact, "$window") == "v1.xyzw"


def test_no_varying_is_left() -> None:
    body = "+ ".join(f"a[{number}]" for number in range(7))
    assert compiled(
        ALONE.format("varying vec4 a[7];", "", f"gl_FragCoord + {body}").replace("varying vec2 t;", ""), "fragment"
    )
    source = ALONE.format("varying vec4 a[7];", "\n", f"gl_FragCoord + vec4(t, t) + {body}")
    found = refusal(source, "fragment")
    assert (found.code, found.message) == ("E0701", "needs 9 varying registers, agal 1 has 8")
    assert "gl_FragCoord comes in one more varying" in (found.help or "")
    assert found.span is not None and found.span.line == 2
    assert compiled(source, "fragment", agal_version=2)


# --- gl_FrontFacing, gl_PointSize -------------------------------------------------------------------------------------

SIDES = """
precision highp float; varying vec4 v; uniform vec2 u;
void main() {
gl_FragColor = gl_FrontFacing ? v : v.wzyx * u.x;
}
"""


@pytest.mark.parametrize("version", [1, 2, 3])
def test_the_side_is_in_a_constant(version: int) -> None:
    shader = build(SIDES, "fragment", agal_version=version, agal_pack_literals=True)
    is_front = np.arange(LANES) % 3 == 0
    values = dyadic(3, LANES, 4)
    found = run(shader, {"v": values, "gl_FrontFacing": is_front}, {"u": (3.0, 0.0)})["gl_FragColor"]
    np.testing.assert_array_equal(found, np.where(is_front[:, None], values, values[:, ::-1] * 3.0))


def test_a_literal_beside_the_side_stays() -> None:
    source = "precision highp float; varying vec4 v; void main() { gl_FragColor = gl_FrontFacing ? v : v * 0.375; }"
    shader = build(source, "fragment", agal_pack_literals=True)
    assert shader.artifact.stats.constants == 1
    values = dyadic(3, LANES, 4)
    found = run(shader, {"v": values, "gl_FrontFacing": np.arange(LANES) < 5}, {})["gl_FragColor"]
    np.testing.assert_array_equal(found, np.where(np.arange(LANES)[:, None] < 5, values, values * 0.375))


def test_both_sides_discard_for_themselves() -> None:
    source = "precision highp float; varying vec4 v; void main() { if (gl_FrontFacing) discard; gl_FragColor = v; }"
    is_front = np.arange(LANES) % 2 == 0
    found = run(build(source, "fragment"), {"v": dyadic(3, LANES, 4), "gl_FrontFacing": is_front}, {})
    np.testing.assert_array_equal(found["discarded"], is_front)


def test_the_map_and_a_warning_name_the_side() -> None:
    artifact = compiled(SIDES, "fragment")
    assert place_of(artifact, "gl_FrontFacing") == "fc1.x"
    assert [binding.name for binding in artifact.reflection.uniforms] == ["u"]
    (warning,) = artifact.diagnostics
    assert (warning.code, warning.span and warning.span.line) == ("W0873", 4)


def test_the_size_of_points_goes_nowhere() -> None:
    source = "attribute vec4 a;\nvoid main() {\ngl_Position = a.wzyx;\ngl_PointSize = sin(a.x);\n}"
    artifact = compiled(source, "vertex")
    assert mnemonics(artifact) == ["mov"]
    (warning,) = artifact.diagnostics
    assert (warning.code, warning.span and warning.span.line) == ("W0874", 4)


def test_a_size_that_means_nothing_is_not_mentioned() -> None:
    artifact = compiled("attribute vec4 a; void main() { float s; gl_PointSize = s; gl_Position = a; }", "vertex")
    assert "W0874" not in {diagnostic.code for diagnostic in artifact.diagnostics}
