"""Numbers that the machine would clamp at the vertices are warned of, unless arithmetic or a promise says otherwise."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.pica200.codegen.fragment.link.pairs import adapted

FRAGMENT = "varying vec3 v_light; varying vec4 v_color; uniform vec3 u_tint; void main() { gl_FragColor = BODY; }"
LIT = "vec4(v_light, 1.0)"


def warnings(light: str, body: str = LIT, *, in_vertex: str = "", in_fragment: str = "") -> list[str]:
    vertex = f"""{in_vertex}
    attribute vec4 a_position, a_color;
    attribute vec3 a_normal, a_shade;
    uniform vec3 u_way;
    varying vec3 v_light;
    varying vec4 v_color;
    float cosine() {{ return dot(normalize(a_normal), normalize(u_way)); }}
    void main() {{
        gl_Position = a_position;
        v_light = {light};
        v_color = vec4(v_light * 2.0, 1.0);
    }}"""
    sink = DiagnosticSink()
    adapted(vertex, f"{in_fragment}\n{FRAGMENT.replace('BODY', body)}", sink=sink)
    assert {d.code for d in sink.diagnostics} <= {"W0730"}
    return [d.message for d in sink.diagnostics]


@pytest.mark.parametrize(
    "light",
    [
        "clamp(vec3(cosine()), 0.0, 1.0)",
        "mix(a_color.rgb, vec3(1.0), 0.25)",
        "a_color.rgb * clamp(cosine(), 0.0, 1.0)",
        "vec3(cosine() > 0.0 ? 0.5 : 0.25)",
        "0.5 + 0.5 * sin(a_normal)",
    ],
)
def test_what_arithmetic_shows(light: str) -> None:
    assert not warnings(light)


@pytest.mark.parametrize(
    ("light", "limits"),
    [("sin(a_normal)", "-1 to 1"), ("a_color.rgb * 2.0", "0 to 2"), ("a_color.rgb - 0.25", "-0.25 to 0.75")],
)
def test_the_warning_has_the_range(light: str, limits: str) -> None:
    assert warnings(light) == [f"'v_light' is read as a colour, and may be {limits} at the vertices"]


def test_anything_may_come_of_attributes() -> None:
    assert "may be any number" in warnings("a_shade")[0]
    assert not warnings("a_shade", in_vertex="#pragma pica200 range a_shade 0 1")
    assert warnings("a_shade + u_way", in_vertex="#pragma pica200 range a_shade 0 1")


@pytest.mark.parametrize("promise", ["0 1", "-1 1", "0 2"])
def test_promises(promise: str) -> None:
    assert not warnings("sin(a_normal)", in_fragment=f"#pragma pica200 range v_light {promise}")


def test_a_name_is_a_promise() -> None:
    assert not warnings("sin(a_normal)", "v_color")


def test_what_nobody_reads_as_a_colour_is_free() -> None:
    assert not warnings("sin(a_normal)", "vec4(u_tint, 1.0)")
