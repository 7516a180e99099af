"""What previews give to shaders: a value of every attribute for each vertex."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.diagnostics import DiagnosticSink
from compiler.driver import lower_source
from compiler.frontend import FrontEndOptions
from frontends.registry import make_source
from runtime.meshes import BUILT_IN
from runtime.preview_values import attributes_of

MESH = BUILT_IN["cube"]()
COUNT = len(MESH.position)


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("vec3 a_position", MESH.position),
        ("vec4 a_position", np.column_stack([MESH.position, np.ones(COUNT)])),
        ("vec2 a_uv", MESH.uv),
        ("vec3 a_normal", MESH.normal),
        ("float a_uv", MESH.uv[:, 0]),
        ("mat3 a_basis", np.tile(np.eye(3), (COUNT, 1, 1))),
    ],
)
def test_attributes(declaration: str, expected: np.ndarray) -> None:
    name = declaration.split(" ")[1]
    use = {"mat3": f"{name}[0].x", "float": name}.get(declaration.split(" ")[0], f"{name}.x")
    text = f"attribute {declaration}; void main() {{ gl_Position = vec4({use}); }}"
    module = lower_source(make_source(text, "a.vert", "vertex"), FrontEndOptions(), DiagnosticSink())
    (value,) = attributes_of(module, MESH).values()
    np.testing.assert_array_equal(value, expected)
