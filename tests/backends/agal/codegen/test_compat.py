"""`--agal-compat`: what costs nothing is done for all, the rest for those who are named, and what is left is said."""

from __future__ import annotations

import pytest

from glslc_multi import compile
from glslc_multi.backends.agal.isa.consumers import BY_NAME
from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic
from glslc_multi.runtime.shader import CompiledShader

_HEAD = "attribute vec4 p; attribute vec2 b; attribute vec3 c; uniform mat4 m; uniform vec4 u[5]; varying vec4 v; "
#: The widths of p, b and c.
_WIDTHS = {0: 4, 1: 2, 2: 3}
POINT_OF_2 = "v = vec4(dot(vec3(b, 1.0), u[0].zxy)); gl_Position = p + b.xyxy;"
POINT_OF_3 = "v = vec4(dot(vec3(c.xy, 1.0), u[0].zxy)); gl_Position = p + b.xyxy + c.xyzz;"
ROW_FIRST = "gl_Position = p * m; v = m[0] * p.wzxy;"
ROW_LATER = "gl_Position = p * m; v = vec4(dot(gl_Position.wxyz, m[0]));"
PART = "gl_Position = vec4((m * p.wxyz).xyz, p.x); v = p;"
ARRAY = "gl_Position = p * u[int(p.w)]; v = u[0] * p;"


def _compiled(body: str, who: str = "", **options: object) -> CompiledShader:
    text = f"{_HEAD} void main() {{ {body} }}"
    return compile(text, target="agal", stage="vertex", options={"agal_compat": who, **options})


def _objections(shader: CompiledShader, who: str) -> int:
    return len(BY_NAME[who].objections(unpack(shader.binary), _WIDTHS))


def _warned(shader: CompiledShader) -> list[Diagnostic]:
    return [found for found in shader.diagnostics if found.code == "W0872"]


@pytest.mark.parametrize("body", [POINT_OF_2, ROW_FIRST])
def test_all_take_what_costs_nothing(body: str) -> None:
    shader, other = _compiled(body), _compiled(body, "air")
    assert shader.stats.instructions == other.stats.instructions
    assert shader.binary != other.binary
    assert _warned(shader) == _warned(other) == []
    assert [_objections(shader, name) for name in ("openfl", "ruffle")] == [0, 0]
    assert max(_objections(other, name) for name in ("openfl", "ruffle")) == 1


@pytest.mark.parametrize(("body", "who"), [(POINT_OF_3, "ruffle"), (ROW_LATER, "openfl"), (PART, "openfl")])
def test_what_costs_tokens_is_for_those_who_are_named(body: str, who: str) -> None:
    shader, named = _compiled(body), _compiled(body, who)
    assert named.stats.instructions == shader.stats.instructions + 1
    assert (_objections(shader, who), _objections(named, who)) == (1, 0)
    (warning,) = _warned(shader)
    assert who in warning.message and warning.span is not None
    assert _warned(named) == []
    both = _compiled(body, "openfl,ruffle")
    assert both.binary == named.binary


def test_exact_arithmetic_multiplies_nothing_by_zero() -> None:
    """0 * infinity is no number."""
    from glslc_multi.backends.agal.target import TARGET
    from glslc_multi.compiler.options import Request
    from glslc_multi.frontends.registry import make_source
    from glslc_multi.runtime.shader import compile_shader

    source = make_source(f"{_HEAD} void main() {{ {POINT_OF_2} }}", "t.vert")
    for precise in (False, True):
        shader = compile_shader(source, TARGET, Request(precise=precise))
        assert ("dp4" in shader.assembly) != precise


def test_what_cannot_be_had_is_an_error() -> None:
    (warning,) = _warned(_compiled(ARRAY))
    assert "openfl" in warning.message
    with pytest.raises(CompileError, match="E0871"):
        _compiled(ARRAY, "openfl")
    assert _warned(_compiled(ARRAY, "ruffle,air")) == []


def test_the_constrained_profile_is_asked_when_it_is_named() -> None:
    long = (
        "precision highp float; varying vec4 v; uniform vec4 u; void main() { vec4 a = v; "
        + "a = fract(a * u);" * 35
        + "gl_FragColor = a; }"
    )
    shader = compile(long, target="agal", stage="fragment")
    assert not shader.diagnostics and shader.stats.instructions > 64
    with pytest.raises(CompileError, match="baselineConstrained"):
        compile(long, target="agal", stage="fragment", options={"agal_compat": "baselineConstrained"})


def test_other_versions_are_for_those_who_read_them() -> None:
    assert _warned(_compiled(ARRAY, agal_version=2)) == []
    with pytest.raises(CompileError, match="version 1 only"):
        _compiled(ARRAY, "openfl", agal_version=2)
    many = "precision highp float; varying vec4 v; uniform vec4 u[40]; void main() { gl_FragColor = v"
    many += "".join(f" + u[{number}] * v.wzyx" for number in range(40)) + "; }"
    (warning,) = _warned(compile(many, target="agal", stage="fragment", options={"agal_version": 2}))
    assert "ruffle" in warning.message and "fc39" in warning.message


def test_all_who_are_named_say_what_they_object_to() -> None:
    lookup = "precision highp float; varying vec4 v; uniform sampler2D s; "
    lookup += "void main() { gl_FragColor = texture2D(s, v.xy, 1.0); }"
    for version, refusing in ((1, ["openfl", "ruffle"]), (2, ["baselineConstrained", "openfl", "ruffle"])):
        with pytest.raises(CompileError) as failed:
            options = {"agal_compat": ",".join(BY_NAME), "agal_version": version}
            compile(lookup, target="agal", stage="fragment", options=options)
        assert [found.message.split()[0] for found in failed.value.diagnostics] == refusing


def test_names_are_checked() -> None:
    with pytest.raises(CompileError, match="E0907"):
        _compiled(ARRAY, "openfl,rufle")


_INSTANCED = "attribute vec4 p; attribute mat4 m; varying vec4 v; void main() {{ gl_Position = p * m; {} }}"


@pytest.mark.parametrize(("more", "added"), [("v = p;", 0), ("v = m[0] + p;", 0), ("v = m[1];", 1)])
def test_openfl_has_matrices_in_attributes(more: str, added: int) -> None:
    """Whose rows are vectors as soon as the first one has been read."""
    air, free, named = (
        compile(_INSTANCED.format(more), target="agal", stage="vertex", options={"agal_compat": who})
        for who in ("air", "", "openfl")
    )
    assert (len(_warned(free)), _warned(named)) == (added, [])
    assert free.stats.instructions == air.stats.instructions
    assert named.stats.instructions == air.stats.instructions + added
    assert _objections(named, "openfl") == 0
