"""Which texture unit and which channel of the colour everything gets, and what does not fit."""

from __future__ import annotations

import re

import pytest

from glslc_multi.backends.pica200.codegen.fragment.read.flatten import flatten
from glslc_multi.backends.pica200.codegen.fragment.read.promises import promised_ranges
from glslc_multi.backends.pica200.codegen.fragment.read.walk import COLOUR
from glslc_multi.backends.pica200.codegen.fragment.units.textures import Wiring, drop_unread, wire
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.registry import make_source

DECLARATIONS = """
precision highp float;
varying vec2 v_a, v_b, v_uv1, v_uv2;
varying vec4 v_color, v_more;
varying vec3 v_way;
varying float v_fade;
uniform sampler2D u_0, u_1, u_2, u_3;
uniform samplerCube u_sky, u_room;
"""


def wired(body: str, hints: dict[str, str] | None = None, before: str = "") -> tuple[Module, Wiring]:
    source = make_source(f"{before}{DECLARATIONS}void main() {{ {body} }}", "a.frag")
    sink = DiagnosticSink()
    module = lower_source(source, FrontEndOptions(), sink)
    flatten(module, precise=False, sink=sink)
    return module, wire(module, hints or {}, sink, promised_ranges(module, "", sink))


def units(body: str, hints: dict[str, str] | None = None) -> dict[int, str]:
    return {number: f"{unit.sampler.name} {unit.type}" for number, unit in wired(body, hints)[1].units.items()}


def colour(body: str) -> list[str]:
    """The varying and component in each channel; a number where nothing is."""
    (output,) = (o for o in wired(body)[1].outputs if o.variable.name == COLOUR)
    parts = [term.part for term in output.terms]
    return ["1" if part is None else f"{part.variable.name}.{'xyzw'[part.component]}" for part in parts]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("gl_FragColor = texture2D(u_1, v_a) * texture2D(u_0, v_b);", {0: "u_0 2d", 1: "u_1 2d"}),
        ("gl_FragColor = texture2D(u_0, v_uv2);", {2: "u_0 2d"}),
        ("gl_FragColor = texture2D(u_0, v_uv2) * texture2D(u_1, v_uv1);", {2: "u_0 2d", 1: "u_1 2d"}),
        # The name asks for a unit that only one of them can have.
        ("gl_FragColor = texture2D(u_0, v_uv1) * texture2D(u_1, v_uv1);", {0: "u_0 2d", 1: "u_1 2d"}),
        ("gl_FragColor = texture2D(u_0, v_a) * textureCube(u_sky, v_way);", {0: "u_sky cube", 1: "u_0 2d"}),
        (
            "gl_FragColor = texture2D(u_0, v_a) * texture2D(u_1, v_a / v_fade);",
            {0: "u_1 projection", 1: "u_0 2d"},
        ),
    ],
)
def test_units(body: str, expected: dict[int, str]) -> None:
    assert units(body) == expected


def test_what_is_asked_for_by_a_pragma_comes_before_names() -> None:
    body = "gl_FragColor = texture2D(u_0, v_a) * texture2D(u_1, v_uv1);"
    assert units(body) == {0: "u_0 2d", 1: "u_1 2d"}
    assert units(body, {"v_a": "texcoord2", "v_uv1": "texcoord0"}) == {2: "u_0 2d", 0: "u_1 2d"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("gl_FragColor = v_color;", ["v_color.x", "v_color.y", "v_color.z", "v_color.w"]),
        ("gl_FragColor = vec4(v_way, v_fade);", ["v_way.x", "v_way.y", "v_way.z", "v_fade.x"]),
        # A vector comes first wherever it is read.
        ("gl_FragColor = vec4(v_fade * v_way, 1.0);", ["v_way.x", "v_way.y", "v_way.z", "v_fade.x"]),
        ("gl_FragColor = vec4(v_fade);", ["1", "1", "1", "v_fade.x"]),
        ("gl_FragColor = vec4(v_a * v_b, 1.0, 1.0);", ["v_a.x", "v_a.y", "v_b.x", "v_b.y"]),
        ("gl_FragColor = vec4(v_color.a);", ["1", "1", "1", "v_color.w"]),
        # The other two components of the coordinate are no colour.
        ("gl_FragColor = texture2D(u_0, v_color.xy) * v_color.z;", ["1", "1", "v_color.z"]),
    ],
)
def test_channels_of_the_colour(body: str, expected: list[str]) -> None:
    assert colour(body) == expected


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [
        ("gl_FragColor = v_color * v_more;", "E0726", r"8 numbers \('v_color', 'v_more'\) do not fit"),
        ("gl_FragColor = v_color * texture2D(u_0, v_a) + v_fade * v_fade;", "E0726", r"5 numbers"),
        (
            "gl_FragColor = texture2D(u_0, v_a) + texture2D(u_1, v_a) + texture2D(u_2, v_a) + texture2D(u_3, v_a);",
            "E0721",
            "'u_3' is one image too many: pica200 has 3 texture units",
        ),
        (
            "gl_FragColor = texture2D(u_0, v_a) + texture2D(u_0, v_b) + texture2D(u_0, v_a.yx) + texture2D(u_0, -v_a);",
            "E0721",
            "'u_0' is read at 4 places: pica200 has 3 texture units",
        ),
        (
            "gl_FragColor = texture2D(u_0, v_a) + texture2D(u_0, v_b) + texture2D(u_0, v_a.yx) + texture2D(u_1, v_a);",
            "E0721",
            "'u_0' and 'u_1' are read at 4 places",
        ),
        # Of four images, one of which is read twice, the fourth one is too many.
        (
            "gl_FragColor = texture2D(u_0, v_a) + texture2D(u_0, v_b) + texture2D(u_1, v_a) + texture2D(u_2, v_a)"
            " + texture2D(u_3, v_a);",
            "E0721",
            "'u_3' is one image too many",
        ),
        (
            "gl_FragColor = textureCube(u_sky, v_way) + textureCube(u_room, v_way);",
            "E0721",
            "'u_sky' and 'u_room' need unit 0 at 2 places: pica200 has no other with directions",
        ),
        (
            "gl_FragColor = textureCube(u_sky, v_way) + textureCube(u_sky, v_way.zyx);",
            "E0721",
            "'u_sky' needs unit 0 at 2 places",
        ),
        ("gl_FragColor = texture2D(u_0, sin(v_a));", "E0722", "not linear"),
        ("gl_FragColor = texture2D(u_0, v_a * v_b);", "E0722", "not linear"),
        ("gl_FragColor = texture2D(u_0, v_a / v_b);", "E0722", "not linear"),
        ("gl_FragColor = texture2D(u_0, v_a / v_fade + v_b / v_way.x);", "E0722", "not linear"),
        ("gl_FragColor = texture2D(u_0, vec2(v_a.x / v_fade, v_b.y / v_way.x));", "E0722", "not linear"),
        ("gl_FragColor = texture2D(u_0, gl_FragCoord.xy);", "E0724", "no input"),
        ("gl_FragColor = texture2D(u_0, texture2D(u_1, v_a).xy);", "E0722", "computed from a texel"),
    ],
)
def test_what_does_not_fit(body: str, code: str, text: str) -> None:
    with pytest.raises(CompileError) as caught:
        wired(body)
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert error.code == code
    assert re.search(text, error.message)
    assert error.span is not None


def test_a_wired_module_is_wired_the_same_way() -> None:
    body = "gl_FragColor = v_color * texture2D(u_0, v_a * 2.0) * textureCube(u_sky, v_way);"
    module, first = wired(body)
    drop_unread(module)
    second = wire(module, {}, DiagnosticSink())
    assert (second.units, second.unit_of) == (first.units, first.unit_of)
    assert not second.outputs
    assert {v.name for v in module.variables.values() if v.storage == "varying"} == {
        "$color", "$texcoord0", "$texcoord0w", "$texcoord1",
    }  # fmt: skip
