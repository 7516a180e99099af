"""The register map: every input, uniform and output is where the target's page says."""

from __future__ import annotations

from typing import Any

import pytest

from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.conventions import DEPTH, SCENE_VALUES, VARYINGS
from glslc_multi.backends.theia.isa.instructions import decode
from glslc_multi.backends.theia.isa.program import LIMITS, ORIGIN
from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.theia.compiled import compiled


def places(binding: Binding) -> list[tuple[Any, ...]]:
    return [(p.space, p.index, p.components, p.element, p.column, p.first) for p in binding.locations]


def of(bindings: tuple[Binding, ...], name: str) -> Binding:
    return next(binding for binding in bindings if binding.name == name)


def test_varyings_are_in_consecutive_rows() -> None:
    text = """varying float s; varying vec2 p; varying vec4 q; varying mat2 m; varying vec3 unused; varying vec2 r[2];
        void main() { gl_FragColor = q * s + vec4(m * p, r[0] + r[1].yx); }"""
    found = compiled(text).reflection.varyings
    assert [binding.name for binding in found] == ["s", "p", "q", "m", "r"]
    assert places(of(found, "s")) == [("row", 86, letter, 0, 0, 0) for letter in "xyz"]
    assert places(of(found, "p")) == [("row", 87, "x", 0, 0, 0), ("row", 87, "y", 0, 0, 1)]
    assert places(of(found, "q")) == [
        *(("row", 88, letter, 0, 0, part) for part, letter in enumerate("xyz")),
        *(("row", 89, letter, 0, 0, 3) for letter in "xyz"),
    ]
    assert places(of(found, "m")) == [
        ("row", 90 + column, letter, 0, column, part) for column in (0, 1) for part, letter in enumerate("xy")
    ]
    assert places(of(found, "r")) == [
        ("row", 92 + element, letter, element, 0, part) for element in (0, 1) for part, letter in enumerate("xy")
    ]
    assert [(binding.type, binding.length) for binding in found] == [
        *(("float", None), ("vec2", None), ("vec4", None), ("mat2", None), ("vec2", 2)),
    ]
    assert {place.transform for binding in found for place in binding.locations} == {"q17"}


def test_rows_of_a_varying_are_not_parted() -> None:
    """98 is not among the rows: what would lie on both sides of it begins behind it."""
    text = "varying mat4 a; varying vec3 b; varying mat4 c; void main() { gl_FragColor = c * (a * b.xyzx); }"
    found = compiled(text).reflection.varyings
    assert [min(place.index for place in binding.locations) for binding in found] == [86, 92, 99]
    text = "varying mat4 a, b; varying vec3 c; void main() { gl_FragColor = a * (b * c.xyzx); }"
    found = compiled(text).reflection.varyings
    assert [min(place.index for place in binding.locations) for binding in found] == [86, 92, 99]


def test_a_warning_names_the_register_of_each_varying() -> None:
    sink = DiagnosticSink()
    compiled("varying vec4 a; varying vec2 b; void main() { gl_FragColor = a + b.xyxy; }", sink)
    said = [each.values for each in sink.diagnostics]
    assert [(each["name"], each["register"]) for each in said] == [("a", "86"), ("b", "88")]


def test_too_many_varyings() -> None:
    used = "+".join(f"v[{number}]" for number in range(22))
    with pytest.raises(CompileError) as caught:
        compiled(f"varying vec3 v[22]; void main() {{ gl_FragColor = vec4({used}, 1.0); }}")
    (said,) = [each for each in caught.value.diagnostics if each.severity == "error"]
    assert (said.code, said.values["need"], said.values["limit"]) == ("E0701", "22", str(len(VARYINGS)))
    lines = "".join(f"varying vec3 v{number};" for number in range(21))
    used = "+".join(f"v{number}" for number in range(21))
    found = compiled(f"{lines} void main() {{ gl_FragColor = vec4({used}, 1.0); }}").reflection.varyings
    assert [binding.locations[0].index for binding in found] == list(VARYINGS)


def test_rows_that_lie_apart_may_be_lost() -> None:
    """Six rows and three, six that find none before 98, three more: 19 rows, of which the last does not fit."""
    declared = "varying mat4 a; varying mat3 b; varying mat4 c; varying vec3 d, e, f, g;"
    with pytest.raises(CompileError) as caught:
        compiled(f"{declared} void main() {{ gl_FragColor = a * (c * (b * (d + e + f + g)).xyzx); }}")
    (said,) = [each for each in caught.value.diagnostics if each.severity == "error"]
    assert (said.values["need"], said.values["limit"]) == (str(len(VARYINGS) + 1), str(len(VARYINGS)))


def sets(artifact: Artifact, binding: Binding) -> list[tuple[str, int]]:
    """The instruction at each address of a uniform, and its immediate value."""
    words = unpack(artifact.binary).words
    decoded = [decode(words[place.index - ORIGIN]) for place in binding.locations]
    return [(each.instruction.name, each.immediate) for each in decoded if each is not None]


def test_uniforms_are_in_instructions() -> None:
    text = """uniform float s; uniform vec3 u; uniform mat2 m; uniform vec4 w[2]; varying vec3 a;
        void main() { gl_FragColor = vec4(a * s + u, 1.0) + vec4(m * a.xy, a.yz * w[1].wx); }"""
    artifact = compiled(text)
    found = artifact.reflection.uniforms
    assert [(binding.name, binding.type, binding.length) for binding in found] == [
        *(("s", "float", None), ("u", "vec3", None), ("m", "mat2", None), ("w", "vec4", 2)),
    ]
    assert sets(artifact, of(found, "s")) == [("SETX", 0)]
    assert sets(artifact, of(found, "u")) == [("SETX", 0), ("SETY", 0), ("SETZ", 0)]
    assert [(place.column, place.first) for place in of(found, "m").locations] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [name for name, _ in sets(artifact, of(found, "m"))] == ["SETX", "SETY", "SETX", "SETY"]
    assert {(place.element, place.first) for place in of(found, "w").locations} == {(1, 0), (1, 3)}
    assert {place.components for binding in found for place in binding.locations} == {"x"}


def test_a_uniform_that_no_code_needs_has_no_address() -> None:
    text = "uniform float k; varying vec3 a; void main() { gl_FragColor = vec4(a, k); }"
    assert [len(compiled(text, options={"output": o}).reflection.uniforms[0].locations) for o in ("raw", "screen")] == [
        1,
        0,
    ]


def test_the_type_of_the_source_is_named() -> None:
    text = """uniform bool b; uniform ivec2 n; varying vec2 a;
        void main() { gl_FragColor = vec4(a * vec2(n), b ? 1.0 : a.x, 1.0); }"""
    found = compiled(text).reflection.uniforms
    assert [(binding.name, binding.type) for binding in found] == [("b", "bool"), ("n", "ivec2")]


def test_what_the_block_of_constants_computes_is_not_shown() -> None:
    text = "uniform vec3 u, v; varying vec3 a; void main() { gl_FragColor = vec4(a * (u * v + 0.5), 1.0); }"
    artifact = compiled(text)
    assert [binding.name for binding in artifact.reflection.uniforms] == ["u", "v"]
    assert "USERCONSTANTS" in artifact.assembly


def test_values_of_the_scene_are_named_by_their_numbers() -> None:
    text = """varying vec3 theia_Normal; uniform vec2 theia_Resolution; uniform vec3 u; varying vec3 a;
        void main() { gl_FragColor = vec4(theia_Normal * u + a, theia_Resolution.y); }"""
    found = compiled(text).reflection
    number = SCENE_VALUES.index
    assert places(of(found.varyings, "theia_Normal")) == [("scene", number("Normal"), "xyz", 0, 0, 0)]
    assert places(of(found.uniforms, "theia_Resolution")) == [("scene", number("Resolution"), "xy", 0, 0, 0)]
    assert [binding.name for binding in found.varyings] == ["theia_Normal", "a"]
    assert [binding.name for binding in found.uniforms] == ["theia_Resolution", "u"]
    assert found.inputs == ()


@pytest.mark.parametrize(("read", "has_depth"), [("xyxy", False), ("xyzw", True), ("xxxw", True)])
def test_depth_of_the_pixel_is_a_row_where_it_is_read(read: str, has_depth: bool) -> None:
    (binding,) = compiled(f"void main() {{ gl_FragColor = gl_FragCoord.{read}; }}").reflection.inputs
    wanted: list[tuple[Any, ...]] = [("scene", SCENE_VALUES.index("FragCoord"), "xyzw", 0, 0, 0)]
    assert places(binding) == [*wanted, *[("row", DEPTH, "xy", 0, 0, 2)] * has_depth]


@pytest.mark.parametrize(("output", "letters"), [("raw", "xyzw"), ("screen", "xyz")])
def test_the_colour_is_the_output(output: str, letters: str) -> None:
    text = "varying vec4 a; void main() { gl_FragColor = a; }"
    (binding,) = compiled(text, options={"output": output}).reflection.outputs
    assert (binding.name, places(binding)) == ("gl_FragColor", [("output", 0, letters, 0, 0, 0)])


def test_the_texture_is_the_sampler_that_is_read() -> None:
    text = """uniform sampler2D unused, s[2]; varying vec2 a;
        void main() { gl_FragColor = texture2D(s[1], a) + texture2D(s[1], a.yx); }"""
    (binding,) = compiled(text).reflection.samplers
    assert (binding.name, places(binding)) == ("s", [("texture", 0, "", 1, 0, 0)])


@pytest.mark.parametrize("variant", LIMITS)
def test_limits(variant: Any) -> None:
    artifact = compiled("varying vec4 a; void main() { gl_FragColor = a; }", options={"variant": variant})
    limits = artifact.reflection.limits
    assert limits is not None
    used, limit = limits["instructions"]
    assert used == artifact.stats.instructions == len(unpack(artifact.binary, variant).words)
    assert limit == {"trunk": 116, "icarus": 116, "v1.2": 500}[variant]


def test_statistics_count_registers_and_constants() -> None:
    text = "uniform vec3 u; varying vec3 a; void main() { gl_FragColor = vec4(a * u + vec3(0.25, 0.5, 0.75), 1.0); }"
    stats = compiled(text).stats
    assert stats.extra is not None
    assert stats.constants == 2 + 1
    assert set(stats.extra) == {"userconstants", "pixelshader"}
    assert sum(stats.extra.values()) == stats.instructions
