"""Modules on the host back end, called like the evaluator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glslc_multi.compiler.arithmetic.lanes import LANES, LaneArithmetic
from glslc_multi.compiler.ir.evaluate import DEFAULT_MAX_STEPS, Result
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.native.compile import compile_module


def evaluate_on_host(
    module: Module,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, Any],
    textures: Mapping[str, Any] | None = None,
    *,
    lanes: int,
    quads: bool = False,
    max_steps: int = DEFAULT_MAX_STEPS,
    arithmetic: LaneArithmetic = LANES,
) -> Result:
    """Compile and run; has the parameters of `glslc_multi.compiler.ir.evaluate.evaluate`."""
    assert arithmetic is LANES
    program = compile_module(module)
    return program.run(inputs, uniforms, textures, lanes=lanes, quads=quads, max_steps=max_steps)
