"""Sizes, texels by number and offsets on machines that have none of them: against the image, on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.lowering.interface.texture_sizes import LowerTextureSizes
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.runtime.simulator import Simulated, run_artifact
from glslc_multi.runtime.textures import Texture
from tests.compiler.ir.evaluating import parse

TARGETS = ("adreno", "agal", "theia", "vc4")
WIDTH, HEIGHT = 8, 4
IMAGE = np.random.default_rng(5).integers(0, 5, (HEIGHT, WIDTH, 4)) / 4
#: THEIA's images are squares without alpha.
IMAGES = {"theia": np.random.default_rng(5).integers(0, 5, (WIDTH, WIDTH, 3)) / 4}
#: Half a step of colours of 8 bits.
NEAR = 0.5 / 255 + 1e-4
#: Numbers of texels, which lanes hand over as floats.
TEXELS = [(0, 0), (7, 3), (3, 1), (5, 2)]


def shader(body: str, sampler: str = "sampler2D", stage: str = "fragment") -> Module:
    return parse(
        f"""
        shader {stage}
        varying @p: vec2
        uniform @n: int
        sampler @map: {sampler}
        output @gl_FragColor: vec4 role(frag_color)

        func @main {{
        ^entry:
          %0:vec2 = load @p
        {body}
          store @gl_FragColor, %9
          ret
        }}
        """
    )


SIZE = shader(
    """
    %1:ivec2 = texture_size @map, 0
    %2:vec2 = itof %1
    %3:vec2 = fmul %2, vec2(0.03125)
    %4:vec2 = fadd %3, %0
    %9:vec4 = swizzle.xyxy %4
    """
)
FETCH = shader(
    """
    %1:ivec2 = ftoi %0
    %9:vec4 = texture.fetch @map, %1, 0
    """
)
FETCH_MOVED = shader(
    """
    %1:ivec2 = ftoi %0
    %9:vec4 = texture.fetch offset(-2, 1) @map, %1, 0
    """
)
OFFSET = shader("%9:vec4 = texture offset(3, -1) @map, %0")


def compiled(module: Module, target: str) -> Artifact:
    found, request, sink = load_target(target), Request(), DiagnosticSink()
    options = checked_options(found, module.stage, request, sink)
    return compile_module(clone_module(module), found, options, request, sink)


def run(module: Module, target: str, places: Any, texture: Texture) -> Any:
    simulated = Simulated(load_target(target), compiled(module, target), module)
    inputs = {"p": np.array(places, dtype=np.float64)}
    return run_artifact(simulated, inputs, {}, {"map": texture}, fill=True)["gl_FragColor"]


@pytest.mark.parametrize("target", TARGETS)
def test_the_host_tells_the_size(target: str) -> None:
    image = IMAGES.get(target, IMAGE)
    found = run(SIZE, target, [(0.0, 0.0)] * 4, Texture(image))
    assert found[0, :3] == pytest.approx([WIDTH / 32, len(image) / 32, WIDTH / 32], abs=NEAR)
    assert [(each.name, each.type) for each in compiled(SIZE, target).reflection.uniforms if "(" in each.name] == [
        ("textureSize(map, 0)", "ivec2")
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_texels_by_number(target: str) -> None:
    image, wrap = IMAGES.get(target, IMAGE), "repeat" if target == "theia" else "clamp"
    found = run(FETCH, target, TEXELS, Texture(image, wrap=wrap))
    wanted = [image[y, x] for x, y in TEXELS]
    channels = image.shape[2]
    assert found[:, :channels] == pytest.approx(np.array(wanted), abs=NEAR)
    inside = [(x, y) for x, y in TEXELS if x - 2 >= 0 and y + 1 < HEIGHT]
    moved = run(FETCH_MOVED, target, inside, Texture(image, wrap=wrap))
    wanted = [image[y + 1, x - 2] for x, y in inside]
    assert moved[:, :channels] == pytest.approx(np.array(wanted), abs=NEAR)


@pytest.mark.parametrize("target", ("adreno", "agal", "vc4"))
def test_offsets(target: str) -> None:
    places = [((x + 0.5) / WIDTH, (y + 0.5) / HEIGHT) for x, y in TEXELS]
    found = run(OFFSET, target, places, Texture(IMAGE, wrap="repeat"))
    wanted = [IMAGE[(y - 1) % HEIGHT, (x + 3) % WIDTH] for x, y in TEXELS]
    assert found == pytest.approx(np.array(wanted), abs=NEAR)


def test_what_the_host_must_see_to() -> None:
    state = compiled(FETCH, "vc4").reflection.host_state or {}
    assert (state["map.filter"], state["map.mipmaps"]) == ("nearest", False)
    state = compiled(OFFSET, "agal").reflection.host_state or {}
    assert ("map.filter" in state, state["map.mipmaps"]) == (False, False)
    assert "map.filter" not in (compiled(SIZE, "vc4").reflection.host_state or {})
    with pytest.raises(CompileError, match="must have the filter nearest, or the code for adreno"):
        run(FETCH, "adreno", TEXELS, Texture(IMAGE, "linear"))
    with pytest.raises(CompileError, match="must have no mipmaps, or the code for vc4"):
        run(OFFSET, "vc4", TEXELS, Texture(IMAGE, "nearest_mipmap_nearest", mips=True))


def test_samplers_of_an_array_have_sizes_of_their_own() -> None:
    module = parse(
        """
        shader fragment
        uniform @n: int
        sampler @maps: sampler2D[3]
        output @gl_FragColor: vec4 role(frag_color)

        func @main {
        ^entry:
          %0:int = load @n
          %1:ivec2 = texture_size @maps[%0 + 1], 0
          %2:ivec2 = texture_size @maps[1], 0
          %3:ivec4 = construct %1, %2
          %4:vec4 = itof %3
          %9:vec4 = fmul %4, vec4(0.0625)
          store @gl_FragColor, %9
          ret
        }
        """
    )
    lowered = clone_module(module)
    run_pipeline(lowered, (LowerTextureSizes(),), PassContext())
    assert 'uniform @"textureSize(maps, 0)": ivec2[3] highp role(texture_size)' in print_module(lowered)
    images = [Texture(np.zeros((2, width, 3))) for width in (4, 8, 16)]
    simulated = Simulated(load_target("vc4"), compiled(module, "vc4"), module)
    found = run_artifact(simulated, {}, {"n": 1}, {"maps": images}, lanes=4)["gl_FragColor"]
    assert found[0] == pytest.approx([1.0, 0.125, 0.5, 0.125], abs=NEAR)


@pytest.mark.parametrize(
    ("sampler", "body", "construct"),
    [
        ("sampler3D", "%9:vec4 = texture @map, vec3(0.5)", "3D textures"),
        ("sampler2DArray", "%9:vec4 = texture @map, vec3(0.5)", "arrays of 2D textures"),
        ("samplerBuffer", "%9:vec4 = texture.fetch @map, 1, 0", "buffer textures"),
        ("usampler2D", "%1:ivec4 = texture @map, vec2(0.5)\n%9:vec4 = itof %1", "textures of whole numbers"),
        ("sampler2D", "%9:vec4 = texture.fetch @map, ivec2(1), 1", "sizes and texels of levels other than 0"),
        (
            "sampler2D",
            "%1:int = load @n\n%2:ivec2 = texture_size @map, %1\n%3:ivec4 = swizzle.xyxy %2\n%9:vec4 = itof %3",
            "sizes and texels of levels other than 0",
        ),
    ],
)
@pytest.mark.parametrize("target", TARGETS)
def test_what_no_machine_has_is_refused(target: str, sampler: str, body: str, construct: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(shader(body, sampler), target)
    (refused,) = caught.value.diagnostics
    assert refused.code == "E0702" and construct in refused.message and refused.help


def test_a_machine_that_computes_no_coordinates_refuses_questions_too() -> None:
    module = parse(
        """
        shader vertex
        sampler @map: sampler2D
        output @gl_Position: vec4 role(position)

        func @main {
        ^entry:
          %0:ivec2 = texture_size @map, 0
          %1:ivec4 = swizzle.xyxy %0
          %2:vec4 = itof %1
          store @gl_Position, %2
          ret
        }
        """
    )
    with pytest.raises(CompileError, match="cannot express sizes of textures"):
        compiled(module, "pica200")
