"""Every key of register maps is described in the schema, every row of the schema is shown by a map, and readers of the
first revision find what they know."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.report.reflection import register_map
from glslc_multi.runtime.preamble import run_preamble
from tests.backends.agal.codegen.test_generate import INSTANCED
from tests.backends.pica200.codegen.fragment.units.fog import shaders as fog
from tests.backends.pica200.codegen.fragment.units.images import shaders as images
from tests.backends.pica200.codegen.fragment.units.lighting import shaders as lighting
from tests.backends.pica200.codegen.test_geometry import COPIES
from tests.glslc_multi.report.register_maps import (
    Row,
    documented_rows,
    example_shaders,
    faults,
    maps_of,
    real_shaders,
    seen_rows,
)

_SAMPLE, _SEED = 12, 26
_CHIPS = ("adreno", "xenos")
_VERTEX = "attribute vec4 p; varying vec2 v; void main() { gl_Position = p; v = p.xy; gl_PointSize = p.w; }"
_MEDIUM = "precision mediump float; varying vec2 v;"
_ES_3 = "#version 300 es\nprecision highp float; precision highp int;"


@dataclass(frozen=True, slots=True)
class Witness:
    """A shader, or a pair, whose map has keys that others do not have."""

    targets: tuple[str, ...]
    stages: Mapping[str, str]
    options: Mapping[str, object] = field(default_factory=dict)
    preamble: bool = False

    def maps(self, target: str) -> Iterator[dict[str, Any]]:
        asked: Any = {"target": target, "options": self.options, "preamble": self.preamble}
        if len(self.stages) == 1:
            ((stage, text),) = self.stages.items()
            made = [glslc_multi.compile(text, stage=stage, **asked)]
        else:
            made = list(glslc_multi.link(*self.stages.values(), **asked).stages.values())
        yield from (json.loads(register_map(shader.artifact)) for shader in made)


def _fragment(body: str, before: str = _MEDIUM) -> dict[str, str]:
    return {"fragment": f"{before} void main() {{ {body} }}"}


WITNESSES = {
    "a block": Witness(
        ("vc4",),
        {
            "vertex": f"{_ES_3} layout(std140) uniform Lights {{ mat3 turn; vec4 places[2]; }} lights[2]; in vec4 p;"
            "void main() { gl_Position = p + lights[1].places[0] + vec4(lights[0].turn * p.xyz, 1.0); }"
        },
    ),
    "level 0": Witness(
        ("agal",),
        {
            "fragment": f"{_ES_3} in vec2 v; out vec4 c; uniform sampler2D s;"
            "void main() { c = textureLod(s, v, 0.0); }"
        },
    ),
    "a 1D texture": Witness(
        ("adreno", "agal", "vc4", "xenos"),
        {"fragment": "#version 330\nin float v; out vec4 c; uniform sampler1D s; void main() { c = texture(s, v); }"},
    ),
    "a shadow sampler": Witness(
        ("adreno", "agal", "theia", "vc4", "xenos"),
        {
            "fragment": "#version 330\nin vec3 v; out vec4 c; uniform sampler2DShadow s; "
            "void main() { c = vec4(texture(s, v)); }"
        },
    ),
    "an initializer": Witness(
        target_names(),
        _fragment("gl_FragColor = tint * v.x;", f"#version 120\nuniform vec4 tint = vec4(0.5); {_MEDIUM[24:]}"),
    ),
    "an initializer that only the preamble reads": Witness(
        ("agal",),
        {"vertex": "#version 120\nuniform float t = 0.5; attribute vec4 p; void main() { gl_Position = p * sin(t); }"},
        preamble=True,
    ),
    "flat varyings": Witness(
        ("vc4",),
        {
            "vertex": f"{_ES_3} in vec4 p; flat out int n; out float x;"
            "void main() { gl_Position = p; n = int(p.y); x = p.x; }",
            "fragment": f"{_ES_3} flat in int n; in float x; out vec4 c; void main() {{ c = vec4(float(n) * x); }}",
        },
    ),
    "texels by number": Witness(
        (*_CHIPS, "vc4"),
        _fragment("c = texelFetch(s, ivec2(v), 0);", f"{_ES_3} in vec2 v; uniform sampler2D s; out vec4 c;"),
    ),
    "texels by number, in byte code": Witness(
        ("agal",),
        _fragment("c = texelFetch(s, ivec2(v), 0);", f"{_ES_3} in vec2 v; uniform sampler2D s; out vec4 c;"),
        {"agal_version": 2},
    ),
    "a loop that a uniform counts": Witness(
        ("pica200",),
        {
            "vertex": "attribute vec4 p; uniform int n; uniform vec4 k[8]; uniform bool on; void main() { vec4 s = p;"
            "for (int i = 0; i < n; i++) s = s.wxyz * 0.5 + k[i]; if (on) s = s.wzyx; gl_Position = s; }"
        },
    ),
    "a loop of a known number of rounds": Witness(
        _CHIPS,
        {
            "vertex": "attribute vec4 p; uniform vec4 k[64]; void main() { vec4 s = p;"
            "for (int i = 0; i < 64; i++) s = s * k[i] + fract(s); gl_Position = s; }"
        },
    ),
    "an image": Witness(("pica200",), {"fragment": images.DECLARED % images.BODIES["vignette"][0]}, {"images": True}),
    "fog": Witness(("pica200",), {"fragment": fog.shader("density")}),
    "colours of the host's lighting": Witness(
        ("pica200",), _fragment("gl_FragColor = picaPrimary() + picaSecondary();", "#include <pica200.glsl>\n")
    ),
    "whether anything is drawn": Witness(
        ("pica200",), _fragment("if (on) discard; gl_FragColor = vec4(1.0);", "uniform bool on;")
    ),
    "a spot": Witness(("pica200",), {"fragment": lighting.shader("spot that fades")}),
    "coordinates of all texture units": Witness(
        ("pica200",),
        _fragment(
            "gl_FragColor = texture2DProj(a, w) * texture2D(b, w.yx) * texture2D(b, w.zy);",
            "precision mediump float; uniform sampler2D a, b; varying vec4 w;",
        ),
    ),
    "depth in byte code": Witness(
        ("agal",),
        _fragment(
            "gl_FragColor = vec4(v, v); gl_FragDepthEXT = v.x;", f"#extension GL_EXT_frag_depth : require\n{_MEDIUM}"
        ),
        {"agal_version": 2},
    ),
    "a cube map at a level": Witness(
        ("vc4",), _fragment("c = textureLod(s, v, v.x);", f"{_ES_3} in vec3 v; uniform samplerCube s; out vec4 c;")
    ),
    "a geometry shader": Witness(("pica200",), {"geometry": COPIES}),
    "built-in inputs of a fragment": Witness(
        (*_CHIPS, "vc4"),
        _fragment("gl_FragColor = vec4(gl_FragCoord.xy, gl_PointCoord.x, gl_FrontFacing ? v.x : v.y);"),
    ),
    "depth of a fragment": Witness(
        _CHIPS, {"vertex": _VERTEX, **_fragment("gl_FragColor = vec4(gl_FragCoord.z * v.x);")}
    ),
    "rows from below": Witness(("xenos",), _fragment("gl_FragColor = gl_FragCoord;"), {"xenos_lower_left": True}),
    "place of a fragment, in byte code": Witness(
        ("agal",), {"vertex": _VERTEX, **_fragment("gl_FragColor = gl_FragCoord * v.x;")}
    ),
    "number of the instance": Witness(("agal",), {"vertex": INSTANCED}, {"agal_version": 3}),
}


@cache
def witness_maps(name: str) -> tuple[dict[str, Any], ...]:
    witness = WITNESSES[name]
    return tuple(data for target in witness.targets for data in witness.maps(target))


@cache
def example_maps(target: str) -> tuple[dict[str, Any], ...]:
    return tuple(data for path in example_shaders() for data in maps_of(path, target) if data is not None)


@pytest.mark.parametrize("target", target_names())
def test_maps_of_examples_keep_to_the_schema_and_to_that_of_the_first_revision(target: str) -> None:
    assert len(example_maps(target)) > 12
    assert [fault for data in example_maps(target) for fault in faults(data)] == []


@pytest.mark.parametrize("name", WITNESSES)
def test_maps_with_rare_keys_keep_to_the_schema(name: str) -> None:
    """Among them transforms that are younger than the first revision."""
    assert [fault for data in witness_maps(name) for fault in faults(data, by_old_reader=False)] == []


@pytest.mark.thorough
def test_every_row_of_the_schema_is_in_some_map() -> None:
    seen: set[Row] = set()
    for maps in [*map(example_maps, target_names()), *map(witness_maps, WITNESSES)]:
        seen.update(*map(seen_rows, maps))
    assert sorted(documented_rows(target_names()) - seen) == []


@pytest.mark.parametrize("target", target_names())
def test_maps_of_real_shaders_keep_to_the_schema(target: str) -> None:
    """A sample; all of them with `python -m tests.glslc_multi.report.register_maps`."""
    shaders = real_shaders()
    if not shaders:
        pytest.skip("shared data not found: corpus/real")
    chosen = Random(_SEED).sample(shaders, _SAMPLE)
    found = [data for path in chosen for data in maps_of(path, target) if data is not None]
    assert [fault for data in found for fault in faults(data)] == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("more", 1), ("host_state", {"speed": 1}), ("stream", [{"kind": "constants", "source": ""}])],
)
def test_what_the_schema_does_not_describe_is_found(key: str, value: object) -> None:
    (data,) = list(WITNESSES["fog"].maps("pica200"))
    assert list(faults(data | {key: value}))


def test_keys_within_closed_objects_would_break_old_readers() -> None:
    (data,) = list(WITNESSES["fog"].maps("pica200"))
    data["uniforms"][0]["locations"][0]["register"] = 3
    assert any(fault.startswith("revision 1") for fault in faults(data))


def test_the_preamble_of_a_map_computes_what_the_host_is_to_compute() -> None:
    """By its text alone."""
    shader = glslc_multi.compile(fog.shader("density"), target="pica200", stage="fragment")
    told = json.loads(register_map(shader.artifact))["preamble"]
    given = {"u_density": np.array(0.5), "u_fog": np.array([0.25, 0.5, 1.0])}
    assert {read["name"] for read in told["reads"]} == given.keys()
    module = parse_module(told["code"], "<map>", DiagnosticSink())
    assert module is not None
    found = run_preamble(module, given)
    assert found.keys() == set(told["computes"])
    assert shader.artifact.preamble is not None
    for name, numbers in run_preamble(shader.artifact.preamble, given).items():
        np.testing.assert_array_equal(found[name], numbers)
