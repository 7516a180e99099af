"""Fragment shaders compiled for the combiners, run beside their meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.shader import CompiledShader
from glslc_multi.runtime.textures import Texture

Array = NDArray[Any]

#: So many pixels, of which the first are corners.
LANES = 64
#: A texel for each pixel, by a coordinate that runs along them.
COORDINATES = np.stack([(np.arange(LANES) + 0.5) / LANES, np.full(LANES, 0.5)], axis=1)
_HEAD = "precision mediump float;\n"


def compiled(text: str, **options: Any) -> CompiledShader:
    """The shader, with a declaration of its precision."""
    return glslc_multi.compile(_HEAD + text, filename="a.frag", target="pica200", options=options)


def refused(text: str, **options: Any) -> tuple[str, str, int]:
    """Code, message and line of the first error; lines count from the text's own first."""
    try:
        compiled(text, **options)
    except CompileError as error:
        first = next(d for d in error.diagnostics if d.severity == "error")
        return first.code, first.message, 0 if first.span is None else first.span.line - 1
    raise AssertionError("it was compiled")


def random_bytes(seed: int, width: int = 4) -> Array:
    """Bytes by pixel; the first eight are black and white."""
    random = np.random.default_rng(seed)
    found = random.integers(0, 256, (LANES, width), np.uint8)
    found[:8] = random.integers(0, 2, (8, width), np.uint8) * 255
    return found


def texture(seed: int) -> Texture:
    """An image of which each pixel reads its own texel."""
    return Texture(random_bytes(seed)[None])


def bound_of(shader: CompiledShader) -> float:
    """Steps of 1/255 by which the result may differ."""
    return shader.stats.error_steps or 0.0


def difference(shader: CompiledShader, uniforms: Mapping[str, Any] | None = None) -> float:
    """The largest difference from the shader's meaning, in steps of 1/255, over pixels that are drawn."""
    variables = shader.module.variables.values()
    varyings = {v.name: _varying(v.name, v.type.width) for v in variables if v.storage == "varying"}
    samplers = {v.name: texture(n) for n, v in enumerate(variables) if v.storage == "sampler"}
    ours = shader.run(varyings, uniforms, samplers)
    meant = shader.run(varyings, uniforms, samplers, engine="reference")
    assert (ours["discarded"] == meant["discarded"]).all()
    colours = [np.clip(result["gl_FragColor"], 0.0, 1.0) for result in (ours, meant)]
    return float(np.abs(colours[0] - colours[1])[~meant["discarded"]].max(initial=0.0) * 255)


def _varying(name: str, width: int) -> Array:
    """Coordinates are those of the texels, and everything else is a colour."""
    if "uv" in name:
        return COORDINATES[:, :width]
    colours = random_bytes(len(name), width) / 255
    return colours[:, 0] if width == 1 else colours
