"""Linked pairs: before and after the fragment stage has chosen what flows between the stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.codegen.fragment.link import adapt
from glslc_multi.backends.pica200.codegen.fragment.read.flatten import COSTS
from glslc_multi.backends.pica200.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, optimise
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.linking.match import LinkedPair
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.programs import link_sources
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module

OPTIONS = checked_options(TARGET, "vertex", Request(), DiagnosticSink())


@dataclass(frozen=True, slots=True)
class Adapted:
    """A pair as it was written, and as it is for the machine."""

    written: LinkedPair
    made: LinkedPair


def adapted(vertex: str, fragment: str, *, preamble: bool = False, sink: DiagnosticSink | None = None) -> Adapted:
    """Both pairs; raises `CompileError` where the shaders do not fit."""
    sink = sink or DiagnosticSink()
    sources = make_source(vertex, "a.vert"), make_source(f"precision highp float;\n{fragment}", "a.frag")
    pair = link_sources(*sources, FrontEndOptions(), sink)
    written = LinkedPair(clone_module(pair.vertex), clone_module(pair.fragment))
    optimise(pair.fragment, 2, costs=COSTS, preamble=preamble)
    adapt(pair, OPTIONS, sink)
    for module in (pair.vertex, pair.fragment):
        check(module)
    return Adapted(written, pair)


def outputs(pair: Adapted) -> dict[str, int]:
    """The outputs of the rasteriser that the fragment stage reads -> numbers in each."""
    variables = pair.made.fragment.variables.values()
    return {v.name.removeprefix("$"): v.type.width for v in variables if v.storage == "varying"}


def pixel_values(
    pair: LinkedPair, attributes: Mapping[str, Any], weights: Array, uniforms: Mapping[str, Any], textures: Any
) -> dict[str, Array]:
    """What the fragment stage makes at points of one triangle, by weights of its vertices."""
    left = run_stage(pair.vertex, attributes, uniforms, lanes=weights.shape[1])
    inputs = {name: np.einsum("pv,v...->p...", weights, value) for name, value in left.items() if name != "gl_Position"}
    return run_stage(pair.fragment, inputs, uniforms, textures, lanes=len(weights))


def run_stage(
    module: Module, inputs: Mapping[str, Any], uniforms: Mapping[str, Any], textures: Any = None, *, lanes: int
) -> dict[str, Array]:
    names = {variable.name for variable in module.variables.values()}
    own, shared, maps = (
        {name: value for name, value in given.items() if name in names} for given in (inputs, uniforms, textures or {})
    )
    return run_module(module, own, shared, maps, lanes=lanes)


def smooth_image(seed: int, size: int = 64) -> Array:
    """An image that repeats without an edge, so that small differences of coordinates are small ones of texels."""
    y, x = np.mgrid[:size, :size] * (2 * np.pi / size)
    waves = [np.sin(x * (1 + c % 2) + y * (1 + c // 2) + seed + c) for c in range(4)]
    image: Array = np.stack(waves, axis=-1) * 0.5 + 0.5
    return image


def smooth_textures() -> dict[str, Texture]:
    """Images `u_a`, `u_b`, `u_c`, and the cube map `u_sky`."""
    flat = {f"u_{name}": Texture(smooth_image(number), "linear") for number, name in enumerate("abc")}
    return flat | {"u_sky": Texture(np.stack([smooth_image(face) for face in range(6)]), "linear", kind="cube")}
