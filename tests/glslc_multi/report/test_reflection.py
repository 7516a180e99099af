"""The register map keeps to its published schema, for every target and stage."""

from __future__ import annotations

import json
from typing import Any, get_args

import jsonschema
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.artifact import (
    REFLECTION_REVISION,
    REFLECTION_VERSION,
    Artifact,
    Binding,
    Literal32,
    Location,
    Reflection,
    Stats,
    Transform,
)
from glslc_multi.report.reflection import register_map
from tests.glslc_multi.report.register_maps import SCHEMA

VERTEX = """
attribute vec4 a_position; attribute vec2 a_uv;
uniform mat4 u_matrix; uniform vec3 u_lights[2];
varying vec2 v_uv;
void main() { gl_Position = u_matrix * a_position + vec4(u_lights[1], 0.25); v_uv = a_uv; }
"""
FRAGMENT = """
precision mediump float;
varying vec2 v_uv;
uniform sampler2D u_map; uniform vec4 u_tint;
void main() { gl_FragColor = texture2D(u_map, v_uv) * u_tint + vec4(0.125); }
"""


def check(artifact: Artifact) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(register_map(artifact))
    jsonschema.validate(found, SCHEMA)
    return found


def test_everything_a_reflection_can_hold_is_in_the_schema() -> None:
    location = Location("c", 4, "xy", "transpose", 1, 2, 0)
    binding = Binding("lights[].pos", "vec3", 3, (location,))
    reflection = Reflection(
        "fake", "vertex", (binding,), (binding,), (binding,), (binding,), (binding,), (binding,),
        (Literal32(location, (0x3F800000, 0)),), (("uniform", "u.x"),), {"words": (3, 512)}, {"depth": True},
    )  # fmt: skip
    found = check(Artifact(b"", str, reflection, Stats(1, 1, 1, 1)))
    assert found["version"] == REFLECTION_VERSION == SCHEMA["properties"]["version"]["const"]
    assert found["revision"] == REFLECTION_REVISION == SCHEMA["properties"]["revision"]["const"]
    assert found["uniforms"][0]["locations"][0]["transform"] == "transpose"
    assert found["limits"] == {"words": {"used": 3, "limit": 512}}


def test_the_schema_has_every_transform() -> None:
    listed = SCHEMA["$defs"]["location"]["properties"]["transform"]["enum"]
    assert sorted(listed) == sorted(get_args(Transform))


def test_a_target_may_add_keys() -> None:
    artifact = Artifact(
        b"", str, Reflection("fake", "vertex"), Stats(1, 1, 1, 1), make_map_keys=lambda: {"agalasm": "mov"}
    )
    assert check(artifact)["agalasm"] == "mov"


@pytest.mark.parametrize("target", target_names())
def test_the_maps_of_targets_keep_to_the_schema(target: str) -> None:
    stages = load_target(target).stages
    for stage, text in (("vertex", VERTEX), ("fragment", FRAGMENT)):
        if stage not in stages:
            continue
        artifact = glslc_multi.compile(text, target=target, stage=stage).artifact
        found = check(artifact)
        names = {binding["name"] for kind in ("attributes", "uniforms", "varyings") for binding in found[kind]}
        if artifact.preamble is not None:
            # What hosts compute constants of.
            names |= {variable.name for variable in artifact.preamble.variables.values()}
        assert names >= ({"a_position", "u_matrix", "v_uv"} if stage == "vertex" else {"v_uv", "u_tint"})
