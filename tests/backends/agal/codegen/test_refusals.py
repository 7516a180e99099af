"""What AGAL cannot express: said where the source has it, with what to do about it; and what just fits."""

from __future__ import annotations

import pytest

from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.program import decode
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.agal.compiled import compiled, refusal

_FRAGMENT = "precision highp float; varying vec4 v; uniform vec4 u; uniform int k; uniform sampler2D m;"
_LOD = "#extension GL_EXT_shader_texture_lod : require\n"
_DEPTH = "#extension GL_EXT_frag_depth : require\n"
_BUFFERS = "#extension GL_EXT_draw_buffers : require\n"
_DERIVATIVES = "#extension GL_OES_standard_derivatives : enable\n"
_LEVEL = "a texture lookup with an explicit level of detail"
_BIAS = "a level of detail bias that is no constant in eighths"
_STEPS = "use a constant from -16 to 15.875"


def fragment(statement: str, declarations: str = "", extension: str = "") -> str:
    """The statement stands in the line after `void main() {`."""
    return f"{extension}{_FRAGMENT} {declarations} void main() {{\n{statement}\n}}"


def vertex(statement: str, declarations: str = "") -> str:
    return f"attribute vec4 a; uniform int k; {declarations} void main() {{ gl_Position = a;\n{statement}\n}}"


_FRAGMENTS = [
    (fragment("gl_FragColor = texture2DLodEXT(m, v.xy, 1.0);", "", _LOD), _LEVEL, "let the hardware choose the level"),
    (fragment("gl_FragColor = texture2DGradEXT(m, v.xy, v.xy, v.zw);", "", _LOD), _LEVEL, "let the hardware choose"),
    (fragment("gl_FragColor = texture2D(m, v.xy, v.x);"), _BIAS, _STEPS),
    (fragment("gl_FragColor = texture2D(m, v.xy, 0.3);"), _BIAS, _STEPS),
    (fragment("gl_FragColor = texture2D(m, v.xy, 16.0);"), _BIAS, _STEPS),
    (fragment("gl_FragColor = texture2D(m, v.xy, -16.125);"), _BIAS, _STEPS),
    (
        fragment("gl_FragColor = texture2D(m, v.xy) * texture2D(m, v.zw, 0.5);"),
        "different biases of 'm'",
        "give all lookups of a sampler the same bias, or use two samplers",
    ),
    (
        fragment("gl_FragColor = texture2D(n[k], v.xy);", "uniform sampler2D n[70];"),
        "an index into so many samplers",
        "use fewer samplers, or constant indices",
    ),
    (fragment("gl_FragColor = gl_PointCoord.xyxy;"), "gl_PointCoord", "draw points as quads, with a varying"),
    (
        fragment("gl_FragColor = t[k];", "uniform vec4 t[90];"),
        "an index into the 90 elements of 't' in a fragment shader",
        "use a smaller array, a texture, or look it up in the vertex shader",
    ),
    (
        fragment("gl_FragColor = t[k];", "varying vec4 t[90];"),
        "an index into the 90 elements of 't'",
        "use a smaller array",
    ),
]
_ONLY_IN_VERSION_1 = [
    (fragment("gl_FragDepthEXT = v.x; gl_FragColor = v;", "", _DEPTH), "gl_FragDepthEXT in version 1"),
    (fragment("gl_FragData[1] = v; gl_FragData[0] = v;", "", _BUFFERS), "gl_FragData[1]"),
    (fragment("gl_FragColor = dFdy(v);", "", _DERIVATIVES), "derivatives in version 1"),
    (fragment("gl_FragColor = dFdx(v);", "", _DERIVATIVES), "derivatives in version 1"),
]
_VERTICES = [
    (vertex("gl_PointSize = a.x;"), "gl_PointSize", "draw points as quads"),
    (
        vertex("a2 = texture2D(m, a.xy);", "uniform sampler2D m; varying vec4 a2;"),
        "texture lookups in vertex shaders",
        "look up in the fragment shader",
    ),
    (vertex("t[k] = a;", "varying vec4 t[90];"), "an index into the 90 elements of 't'", "use a smaller array"),
]


@pytest.mark.parametrize("version", [1, 3])
@pytest.mark.parametrize(("source", "construct", "help"), _FRAGMENTS)
def test_what_no_fragment_program_has(source: str, construct: str, help: str, version: int) -> None:
    _check(source, "fragment", version, construct, help)


@pytest.mark.parametrize("version", [1, 3])
@pytest.mark.parametrize(("source", "construct", "help"), _VERTICES)
def test_what_no_vertex_program_has(source: str, construct: str, help: str, version: int) -> None:
    _check(source, "vertex", version, construct, help)


@pytest.mark.parametrize(("source", "construct"), _ONLY_IN_VERSION_1)
def test_what_version_1_lacks(source: str, construct: str) -> None:
    _check(source, "fragment", 1, construct, "--agal-version 2 has it")
    for version in (2, 3):
        assert compiled(source, "fragment", agal_version=version)


def _check(source: str, stage: str, version: int, construct: str, help: str) -> None:
    found = refusal(source, stage, agal_version=version, agal_point_size="refuse")
    assert (found.code, found.message) == ("E0702", f"agal {version} cannot express {construct}")
    assert help in (found.help or "")
    assert found.span is not None
    assert found.span.line == source[: source.index("{")].count("\n") + 2


def test_each_construct_is_reported_once_at_each_place() -> None:
    source = fragment("gl_FragColor = vec4(gl_PointCoord, dFdx(v.x), 1.0) + dFdx(v);", "", _DERIVATIVES)
    with pytest.raises(CompileError) as caught:
        compiled(source, "fragment")
    messages = sorted(diagnostic.message.split()[-1] for diagnostic in caught.value.diagnostics)
    assert messages == ["1", "1", "gl_PointCoord"]
    assert len({diagnostic.span for diagnostic in caught.value.diagnostics}) == len(messages)


def test_what_nobody_writes_is_not_missed() -> None:
    """An undefined value of an output that there is not is no reason to refuse."""
    assert compiled(vertex("float size; gl_PointSize = size;"), "vertex")


# --- What just fits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bias", "eighths"), [("0.5", 4), ("-0.125", -1), ("15.875", 127), ("-16.0", -128)])
def test_a_bias_of_whole_eighths_is_in_the_token(bias: str, eighths: int) -> None:
    source = fragment(f"gl_FragColor = texture2D(m, v.xy, {bias}) + texture2D(m, v.zw, {bias});")
    tokens = [decode(word) for word in unpack(compiled(source, "fragment").binary).words]
    biases = [token.sampler.bias for token in tokens if token is not None and token.sampler is not None]
    assert biases == [eighths] * 2


# --- Loops ------------------------------------------------------------------------------------------------------------

_LOOPS = """precision highp float; varying float v; uniform int n; uniform float e;
void main() {
    float s = v;
    for (int i = 0; i < n; i++)
        s = s * 2.0 + v;
    while (s < e)
        s = s * 2.0 + 1.0;
    gl_FragColor = vec4(s);
}"""


def test_each_loop_is_refused_at_its_test() -> None:
    with pytest.raises(CompileError) as caught:
        compiled(_LOOPS, "fragment")
    found = caught.value.diagnostics
    assert sorted(diagnostic.span.line for diagnostic in found if diagnostic.span is not None) == [4, 6]
    assert {diagnostic.message for diagnostic in found} == {"agal 1 cannot express a loop that is not unrolled"}
    assert {diagnostic.help for diagnostic in found} == {
        "bound the loop by a small constant, or let --agal-loop-limit N end it after N rounds"
    }


def test_each_loop_that_is_ended_is_warned_of() -> None:
    found = compiled(_LOOPS, "fragment", agal_loop_limit=3).diagnostics
    assert sorted(diagnostic.span.line for diagnostic in found if diagnostic.span is not None) == [4, 6]
    assert {diagnostic.code for diagnostic in found} == {"W0860"}
    assert all("3" in diagnostic.message and "agal 1" in diagnostic.message for diagnostic in found)
    assert all("--agal-loop-limit sets another limit, 0 refuses" in (diagnostic.help or "") for diagnostic in found)


# --- Length -----------------------------------------------------------------------------------------------------------


def test_tokens_that_are_too_many_are_reported_at_the_first_without_room() -> None:
    """Sines of sines in version 1: a line each, and one token each."""
    lines = "\n".join("s = sin(s);" for _ in range(205))
    source = f"precision highp float; varying vec4 v; void main() {{ vec4 s = v;\n{lines}\ngl_FragColor = s; }}"
    found = refusal(source, "fragment")
    assert found.message == "needs at least 205 tokens, agal 1 has 200"
    assert found.help == "compute less, or let loops run fewer times: they are unrolled; --agal-version 2 would do"
    assert found.span is not None and found.span.line == 202


def test_a_program_may_have_as_many_tokens_as_there_are() -> None:
    def source(count: int) -> str:
        lines = "".join("s = sin(s);" for _ in range(count))
        return f"precision highp float; varying vec4 v; void main() {{ vec4 s = v; {lines} gl_FragColor = s; }}"

    assert compiled(source(200), "fragment").stats.instructions == 200
    assert "tokens" in refusal(source(201), "fragment").message


def test_a_nest_of_loops_is_refused_before_it_is_unrolled() -> None:
    """2^40 copies of the body: the message names what they take, and where."""
    body = "".join(f"for (int i{i} = 0; i{i} < 2; i{i}++) {{" for i in range(40)) + "v2 *= v2;" + "}" * 40
    found = refusal(vertex(f"v2 = a; {body}", "varying vec4 v2;"), "vertex")
    assert (found.code, found.message) == ("E0703", "the shader takes more than 32768 operations")
    assert str(2**40) in (found.help or "")
    assert found.span is not None


@pytest.mark.parametrize(
    ("loops", "what"),
    [
        ("for (int i = 0; i < 4000; i++) v2 = v2 * v2 + a;", "each round of a loop is a copy"),
        ("for (int i = 0; i < 4000; i++) { if (v2.x > 2.0) break; v2 *= v2; }", "each round of a loop is a copy"),
        ("for (int i = 0; i < 2000; i++) for (int j = 0; j < 20; j++) v2 *= v2;", "all rounds of loops take 40000"),
    ],
)
def test_loops_of_too_many_rounds_are_too_large(loops: str, what: str) -> None:
    found = refusal(vertex(f"v2 = a; {loops}", "varying vec4 v2;"), "vertex")
    assert (found.code, found.help) == ("E0703", f"{what}, since agal 1 has no loops; let them run less often")


def test_loops_that_count_away_are_refused_at_their_place() -> None:
    """However many rounds the loop around it has."""
    body = "for (int i = 0; i < 255; i++) {\n"
    body += "for (float z = 0.0; z < 10.0; z += -1.0) { v2 += a; if (v2.x > 2.0) break; } }"
    found = refusal(vertex(f"v2 = a; {body}", "varying vec4 v2;"), "vertex")
    assert (found.code, found.message) == ("E0702", "agal 1 cannot express a loop that is not unrolled")
