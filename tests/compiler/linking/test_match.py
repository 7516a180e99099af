"""Linking two stages: the rules on declarations, exact messages, what is dropped, locations."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.linking.match import LinkedPair, link_modules
from tests.frontends.glsl.shaders import compile_shader

VERTEX_MAIN = "void main() { gl_Position = vec4(0.0); }"
FRAGMENT_MAIN = "void main() { gl_FragColor = vec4(1.0); }"


def link(vertex: str, fragment: str) -> LinkedPair:
    """The pair of two correct shaders, sound after linking."""
    modules = (
        compile_shader(vertex, filename="a.vert", stage="vertex", sink=DiagnosticSink()),
        compile_shader(fragment, filename="b.frag", stage="fragment", sink=DiagnosticSink()),
    )
    pair = link_modules(*modules, DiagnosticSink())
    assert [fault.text for module in modules for fault in verify_module(module, final=True)] == []
    return pair


def errors_of(vertex: str, fragment: str) -> list[str]:
    with pytest.raises(CompileError) as caught:
        link(vertex, fragment)
    texts = []
    for diagnostic in caught.value.diagnostics:
        assert diagnostic.span is not None
        texts.append(f"{diagnostic.span.location}: {diagnostic.message} [{diagnostic.code}]")
        texts += [f"{label.span.location}: {label.text}" for label in diagnostic.labels]
        texts += [f"help: {diagnostic.help}"] if diagnostic.help else []
    return texts


# ---------------------------------------------------------------------------------------- varyings
def test_a_varying_must_be_declared_where_it_is_used() -> None:
    fragment = "precision mediump float; varying vec2 uv; void main() { gl_FragColor = uv.xyxy; }"
    assert errors_of(VERTEX_MAIN, fragment) == [
        "b.frag:1:39: varying 'uv' is read by the fragment stage but the vertex stage does not declare it [E0501]",
        "help: declare 'varying vec2 uv;' in the vertex shader",
    ]


@pytest.mark.parametrize(
    ("declared", "used", "meant"),
    [
        ("varying vec2 v_uvs;", "", "help: did you mean 'v_uvs'?"),
        # Of another type, or taken.
        ("varying vec3 v_uvs;", "", "help: declare 'varying vec2 v_uv;' in the vertex shader"),
        ("varying vec2 v_uvs;", "varying vec2 v_uvs;", "help: declare 'varying vec2 v_uv;' in the vertex shader"),
    ],
)
def test_a_varying_of_nearly_the_same_name_is_offered(declared: str, used: str, meant: str) -> None:
    fragment = f"precision mediump float; {used} varying vec2 v_uv; void main() {{ gl_FragColor = v_uv.xyxy; }}"
    assert errors_of(f"{declared} {VERTEX_MAIN}", fragment)[-1] == meant


def test_the_help_for_a_missing_array_is_glsl() -> None:
    fragment = "precision mediump float; varying vec2 w[2]; void main() { gl_FragColor = w[0].xyxy; }"
    assert errors_of(VERTEX_MAIN, fragment)[1] == "help: declare 'varying vec2 w[2];' in the vertex shader"


def test_a_varying_used_only_in_code_that_never_runs_is_used() -> None:
    fragment = "precision mediump float; varying vec2 uv; float f() { return uv.x; }" + FRAGMENT_MAIN
    assert len(errors_of(VERTEX_MAIN, fragment)) == 2
    link(VERTEX_MAIN, "precision mediump float; varying vec2 uv;" + FRAGMENT_MAIN)


@pytest.mark.parametrize(
    ("ours", "theirs"), [("vec2 v", "vec3 v"), ("float v[2]", "float v[3]"), ("vec2 v", "vec2 v[1]")]
)
def test_types_of_varyings_must_agree(ours: str, theirs: str) -> None:
    def shown(declaration: str) -> str:
        return declaration.replace(" v", "")

    vertex = f"varying {ours}; {VERTEX_MAIN}"
    fragment = f"varying mediump {theirs}; {FRAGMENT_MAIN}"
    column = 1 + fragment.index("v;" if "[" not in theirs else "v[")
    place = f"a.vert:1:{1 + vertex.index(ours) + ours.index(' v') + 1}"
    assert errors_of(vertex, fragment) == [
        f"b.frag:1:{column}: varying 'v' is {shown(theirs)} here but {shown(ours)} in the vertex stage [E0502]",
        f"{place}: in the vertex stage",
    ]


def test_precisions_of_varyings_may_differ() -> None:
    pair = link(
        "varying highp vec4 v; void main() { v = vec4(1.0); gl_Position = v; }",
        "varying mediump vec4 v; void main() { gl_FragColor = v; }",
    )
    assert pair.fragment.variables["v"].location == pair.vertex.variables["v"].location == 0


@pytest.mark.parametrize(
    ("vertex", "fragment", "fits"),
    [
        ("invariant varying vec4 v;", "invariant varying mediump vec4 v;", True),
        ("invariant varying vec4 v;", "varying mediump vec4 v;", False),
        ("varying vec4 v;", "invariant varying mediump vec4 v;", False),
        ("#pragma STDGL invariant(all)\nvarying vec4 v;", "invariant varying mediump vec4 v;", True),
        ("varying vec4 v; invariant v;", "varying mediump vec4 v; invariant v;", True),
        ("varying vec4 v;", "#pragma STDGL invariant(all)\nvarying mediump vec4 v;", True),
        ("", "invariant gl_FragCoord;", False),
        ("invariant gl_Position;", "invariant gl_FragCoord;", True),
        ("invariant gl_Position;", "", True),
        ("invariant gl_Position;", "invariant gl_PointCoord;", False),
        ("invariant gl_PointSize;", "invariant gl_PointCoord;", True),
    ],
)
def test_invariance(vertex: str, fragment: str, fits: bool) -> None:
    sources = (f"{vertex}\n{VERTEX_MAIN}", f"{fragment}\n{FRAGMENT_MAIN}")
    if fits:
        link(*sources)
    else:
        assert errors_of(*sources)[0].endswith(("[E0503]", "[E0504]"))


def test_invariance_messages() -> None:
    assert errors_of(f"invariant varying vec4 v; {VERTEX_MAIN}", f"varying mediump vec4 v; {FRAGMENT_MAIN}") == [
        "b.frag:1:22: varying 'v' is not invariant here but invariant in the vertex stage [E0503]",
        "a.vert:1:24: in the vertex stage",
    ]
    assert errors_of(VERTEX_MAIN, f"invariant gl_FragCoord; {FRAGMENT_MAIN}") == [
        "b.frag:1:11: gl_FragCoord is invariant here but gl_Position is not in the vertex stage [E0504]",
        "help: add 'invariant gl_Position;' to the vertex shader",
    ]


# ---------------------------------------------------------------------------------------- uniforms
def uniforms(vertex: str, use: str, fragment: str, other: str) -> tuple[str, str]:
    return (
        f"{vertex}\nvoid main() {{ gl_Position = vec4({use}); }}",
        f"precision mediump float;\n{fragment}\nvoid main() {{ gl_FragColor = vec4({other}); }}",
    )


def test_types_of_uniforms_must_agree() -> None:
    assert errors_of(*uniforms("uniform float u;", "u", "uniform vec2 u;", "u, u")) == [
        "b.frag:2:14: uniform 'u' is vec2 here but float in the vertex stage [E0505]",
        "a.vert:1:15: in the vertex stage",
    ]
    assert errors_of(*uniforms("uniform sampler2D u;", "texture2D(u, vec2(0.0))", "uniform float u;", "u"))[0].endswith(
        "uniform 'u' is float here but sampler2D in the vertex stage [E0505]"
    )


@pytest.mark.parametrize(
    ("struct", "fits"),
    [
        ("struct S { vec4 a; float b[2]; }", True),
        ("struct T { vec4 a; float b[2]; }", False),
        ("struct S { float b[2]; vec4 a; }", False),
        ("struct S { vec4 a; float c[2]; }", False),
        ("struct S { vec4 a; float b[3]; }", False),
        ("struct S { vec4 a; }", False),
    ],
)
def test_uniform_structs_agree_in_name_and_members(struct: str, fits: bool) -> None:
    head = "precision mediump float; struct S { vec4 a; float b[2]; }; uniform S s;"
    sources = uniforms(head, "s.a", f"{struct}; uniform {struct.split()[1]} s;", "s.a")
    if fits:
        link(*sources)
    else:
        assert errors_of(*sources)[0].endswith("in the vertex stage [E0505]")


def test_precisions_of_uniforms_must_agree_where_both_stages_use_them() -> None:
    assert errors_of(*uniforms("uniform float u;", "u", "uniform float u;", "u"))[0] == (
        "b.frag:2:15: uniform 'u' has precision mediump here but highp in the vertex stage [E0506]"
    )
    struct = "struct S { vec2 a; lowp vec2 b; }; uniform S s;"
    assert errors_of(*uniforms(struct, "s.a, s.b", struct, "s.a, s.b"))[0].endswith(
        "uniform 's.a' has precision mediump here but highp in the vertex stage [E0506]"
    )
    link(*uniforms("uniform float u;", "1.0", "uniform float u;", "u"))
    link(*uniforms("uniform float u;", "u", "uniform float u;", "1.0"))


def test_an_attribute_and_a_uniform_may_share_a_name() -> None:
    link(*uniforms("attribute vec4 foo;", "foo", "uniform vec4 foo;", "foo"))


# ----------------------------------------------------------------------------- what is left to flow
def test_varyings_that_nobody_reads_are_removed_with_their_computation() -> None:
    pair = link(
        """
        attribute vec2 a; attribute vec4 position; uniform float u;
        varying vec2 uv; varying vec4 spare; varying float extra[2];
        void main() {
            uv = a; spare = vec4(u * 2.0); gl_Position = position;
            extra[1] = sin(u); if (u > 1.0) extra[0] = spare.x;
        }
        """,
        "precision mediump float; varying vec2 uv; varying vec4 spare; void main() { gl_FragColor = uv.xyxy; }",
    )
    vertex = print_module(pair.vertex)
    assert {v.name for v in pair.vertex.variables.values() if v.storage == "varying"} == {"uv"}
    assert "@extra" not in vertex and "fsin" not in vertex
    assert "@spare" not in vertex, "its last reader went with @extra"


def test_a_varying_that_nobody_writes_is_undefined() -> None:
    pair = link(
        f"varying vec4 v; {VERTEX_MAIN}",
        "precision mediump float; varying vec4 v; void main() { gl_FragColor = v * 2.0; }",
    )
    assert "v" not in pair.fragment.variables and "undef" in print_module(pair.fragment)


def test_linked_stages_compute_what_they_did() -> None:
    vertex = """
        attribute vec2 a; varying vec2 uv; varying vec3 dead; varying mat2 m;
        void main() { dead = vec3(a, 1.0); uv = a * 2.0; m = mat2(a, dead.yz); gl_Position = vec4(dead, 1.0); }
    """
    fragment = """
        precision mediump float; varying mat2 m; varying vec2 uv;
        void main() { gl_FragColor = vec4(m * uv, m[1]); }
    """
    pair = link(vertex, fragment)
    a = np.array([[1.0, 2.0], [3.0, -1.0]])
    middle = evaluate(pair.vertex, {"a": a}, {}, lanes=2).outputs
    np.testing.assert_array_equal(middle["gl_Position"], np.c_[a, np.ones((2, 2))])
    color = evaluate(pair.fragment, {name: middle[name] for name in ("m", "uv")}, {}, lanes=2).outputs["gl_FragColor"]
    matrices = [np.array([[x, y], [y, 1.0]]) for x, y in a]
    expected = [[*(matrix @ (2.0 * v)), *matrix[:, 1]] for matrix, v in zip(matrices, a, strict=True)]
    np.testing.assert_array_equal(color, expected)


# --------------------------------------------------------------------------------------- locations
def locations(pair: LinkedPair) -> dict[str, int | None]:
    found = [
        {v.name: v.location for v in m.variables.values() if v.storage == "varying"}
        for m in (pair.vertex, pair.fragment)
    ]
    assert found[0] == found[1]
    return found[0]


def varyings(*declarations: str) -> str:
    return "precision mediump float;\n" + "".join(f"{declaration};\n" for declaration in declarations)


WRITE = "void main() { a = vec2(1.0); m = mat3(1.0); w[1] = 1.0; gl_Position = vec4(0.0); }"
READ = "void main() { gl_FragColor = vec4(a, m[0][0], w[1]); }"


def test_locations_fill_the_gaps_between_pinned_ones() -> None:
    free = ("varying vec2 a", "varying mat3 m", "varying float w[2]")
    assert locations(link(varyings(*free) + WRITE, varyings(*free) + READ)) == {"a": 0, "m": 1, "w": 4}
    pinned = ("layout(location = 2) varying vec2 a", *free[1:])
    assert locations(link(varyings(*pinned) + WRITE, varyings(*free) + READ)) == {"a": 2, "m": 3, "w": 0}
    assert locations(link(varyings(*free) + WRITE, varyings(*pinned) + READ)) == {"a": 2, "m": 3, "w": 0}


def test_conflicting_pins() -> None:
    free = ("varying mat3 m", "varying float w[2]")
    one, two = (varyings(f"layout(location = {n}) varying vec2 a", *free) for n in (1, 2))
    assert errors_of(one + WRITE, two + READ)[0].endswith(
        "varying 'a' has location 2 here but 1 in the vertex stage [E0507]"
    )
    clash = varyings("layout(location = 2) varying vec2 a", "layout(location = 0) varying mat3 m", free[1])
    assert errors_of(clash + WRITE, clash + READ) == [
        "a.vert:3:35: varying 'm' overlaps 'a' at location 2 [E0508]",
        "a.vert:2:35: declared here",
    ]


def test_attributes_pinned_to_one_location() -> None:
    vertex = """
        layout(location = 1) attribute mat2 p;
        layout(location = 2) attribute vec4 q;
        void main() { gl_Position = q + p[0].xyxy; }
    """
    assert errors_of(vertex, FRAGMENT_MAIN)[0] == "a.vert:3:45: attribute 'q' overlaps 'p' at location 2 [E0508]"


# ------------------------------------------------------------------------------ modules from text
def parsed(text: str) -> Module:
    module = parse_module(text, "x.sir", DiagnosticSink())
    assert module is not None
    return module


def test_modules_without_declarations_speak_by_their_variables() -> None:
    vertex = """
        shader vertex
        varying @v: {}
        func @main {{
        ^entry:
          store @v, {}
          ret
        }}
    """
    fragment = """
        shader fragment
        varying @v: vec2
        output @gl_FragColor: vec4
        func @main {
        ^entry:
          %0:vec2 = load @v
          %1:vec4 = swizzle.xyxy %0
          store @gl_FragColor, %1
          ret
        }
    """
    link_modules(parsed(vertex.format("vec2", "vec2(1.0, 2.0)")), parsed(fragment), DiagnosticSink())
    with pytest.raises(CompileError, match=r"varying 'v' is vec2 here but float in the vertex stage \[E0502\]"):
        link_modules(parsed(vertex.format("float", "1.0")), parsed(fragment), DiagnosticSink())


# ------------------------------------------------------------------------- varyings that nobody writes
@pytest.mark.parametrize(
    ("vertex", "fragment", "warned"),
    [
        ("varying vec2 uv; void main() { gl_Position = vec4(0.0); }", "gl_FragColor = uv.xyxy;", True),
        (
            "varying vec2 uv; void f() { uv.x = 1.0; } void main() { gl_Position = vec4(0.0); }",
            "gl_FragColor = uv.xyxy;",
            True,
        ),
        ("varying vec2 uv; void main() { uv.x = 1.0; gl_Position = vec4(0.0); }", "gl_FragColor = uv.xyxy;", False),
        ("varying vec2 uv; void main() { gl_Position = vec4(0.0); }", "gl_FragColor = vec4(1.0);", False),
    ],
)
def test_a_varying_that_is_read_but_never_written(vertex: str, fragment: str, *, warned: bool) -> None:
    sink = DiagnosticSink()
    link_modules(
        compile_shader(vertex, filename="a.vert", stage="vertex", sink=DiagnosticSink()),
        compile_shader(
            f"precision mediump float; varying vec2 uv; void main() {{ {fragment} }}",
            filename="b.frag",
            stage="fragment",
            sink=DiagnosticSink(),
        ),
        sink,
    )
    texts = [f"{d.span.location}: {d.message} [{d.code}]" for d in sink.diagnostics if d.span is not None]
    message = "varying 'uv' is read by the fragment stage but the vertex stage never writes it"
    assert texts == ([f"b.frag:1:39: {message} [W0511]"] if warned else [])
    assert [str(label.span.location) for d in sink.diagnostics for label in d.labels] == ["a.vert:1:14"] * warned
