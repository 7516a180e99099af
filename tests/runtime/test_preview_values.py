"""What previews give to shaders: a value of every attribute for each vertex."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.meshes import BUILT_IN
from glslc_multi.runtime.preview_defaults import CHECKS, TEXELS
from glslc_multi.runtime.preview_values import attributes_of, chequered, make_texture, textures_of

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
        ("vec3 a_color", MESH.position * 0.5 + 0.5),
        ("vec4 a_color", np.column_stack([MESH.position * 0.5 + 0.5, np.ones(COUNT)])),
        # One bone has all the weight.
        ("vec4 a_weights", np.tile([1.0, 0.0, 0.0, 0.0], (COUNT, 1))),
        ("vec4 a_bones", np.tile([0.0, 0.0, 0.0, 0.0], (COUNT, 1))),
        ("vec4 a_tangent", np.tile([1.0, 0.0, 0.0, 1.0], (COUNT, 1))),
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


DARK, LIGHT = [0.25, 0.4, 0.6], [0.95, 0.9, 0.8]


@pytest.mark.parametrize(
    ("sampler", "shape"),
    [
        ("sampler2D", (TEXELS, TEXELS, 3)),
        ("samplerCube", (6, TEXELS, TEXELS, 3)),
        ("sampler3D", (6, TEXELS, TEXELS, 3)),
        ("sampler2DArray", (6, TEXELS, TEXELS, 3)),
        ("sampler1D", (TEXELS, 3)),
    ],
)
def test_images_are_chequered(sampler: str, shape: tuple[int, ...]) -> None:
    """The first square is dark, the next one along either axis light; faces and slices are the same."""
    image = chequered(SAMPLER_KINDS[sampler])
    assert image.shape == shape
    square = TEXELS // CHECKS
    row = image.reshape(-1, TEXELS, 3)[0]
    colours = [DARK if number // square % 2 == 0 else LIGHT for number in range(TEXELS)]
    assert row.tolist() == colours
    if sampler != "sampler1D":
        slices = image.reshape(-1, TEXELS, TEXELS, 3)
        assert (slices == slices[:1]).all()
        assert slices[0, :, 0].tolist() == colours


@pytest.mark.parametrize(
    ("sampler", "target", "filter", "compare", "texels"),
    [
        ("sampler2D", "adreno", "linear", "", "float"),
        ("sampler2DShadow", "adreno", "nearest", "lequal", "float"),
        ("isampler2D", "adreno", "nearest", "", "int"),
        ("usampler2D", "adreno", "nearest", "", "uint"),
        ("samplerCube", "adreno", "linear", "", "float"),
    ],
)
def test_textures_are_what_samplers_read(sampler: str, target: str, filter: str, compare: str, texels: str) -> None:
    kind = SAMPLER_KINDS[sampler]
    found = make_texture(chequered(kind), find_target(target, DiagnosticSink()), kind)
    assert (found.kind, found.minify, found.magnify) == (kind.image_kind, filter, filter)
    assert (found.compare, found.texels) == (compare, texels)


def test_ints_count_to_255() -> None:
    kind = SAMPLER_KINDS["usampler2D"]
    found = make_texture(np.array([[[0.0, 0.5, 1.0, 1.0]]]), find_target("vc4", DiagnosticSink()), kind)
    assert found.levels[0].ravel().tolist() == [0, 127, 255, 255]


def test_every_element_of_an_array_of_samplers_has_a_texture() -> None:
    text = "precision mediump float; uniform sampler2D u_map, u_list[2]; varying vec2 v;"
    text += "void main() { gl_FragColor = texture2D(u_map, v) + texture2D(u_list[0], v) + texture2D(u_list[1], v); }"
    module = lower_source(make_source(text, "a.frag", "fragment"), FrontEndOptions(), DiagnosticSink())
    found = textures_of([module], find_target("adreno", DiagnosticSink()))
    assert sorted(found) == ["u_list[0]", "u_list[1]", "u_map"]
