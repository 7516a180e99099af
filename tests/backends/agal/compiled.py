"""What tests of compiled shaders share: compile, run the bytes, look at the text, see what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.agal.target import TARGET
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.simulator import Simulated, run_artifact

LANES = 16


def build(source: str, stage: str, *, opt: int = 2, **options: object) -> Simulated:
    """The machine code of a shader, with what running it needs."""
    module = lower_source(make_source(source, "test", stage), FrontEndOptions(), DiagnosticSink())
    kept, sink = clone_module(module), DiagnosticSink()
    request = Request(opt, target_options=options)
    artifact = compile_module(module, load_target("agal"), checked_options(TARGET, stage, request, sink), request, sink)
    return Simulated(TARGET, artifact, kept, {})


def compiled(source: str, stage: str, **options: Any) -> Artifact:
    return build(source, stage, **options).artifact


def mnemonics(artifact: Artifact) -> list[str]:
    return [line.split()[0] for line in artifact.assembly.splitlines() if not line.startswith("//")]


def run(
    shader: Simulated,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, Any],
    textures: Mapping[str, Any] | None = None,
    *,
    quads: bool = False,
) -> dict[str, Array]:
    return run_artifact(shader, inputs, uniforms, textures, lanes=LANES, quads=quads)


def refusal(source: str, stage: str, **options: Any) -> Diagnostic:
    """The one error that a shader is refused with."""
    with pytest.raises(CompileError) as caught:
        compiled(source, stage, **options)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def dyadic(seed: int, *shape: int) -> Array:
    """Small fractions, with which sums and products are exact."""
    return np.random.default_rng(seed).integers(-16, 17, shape) / 8
