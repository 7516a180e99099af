"""The jit engine: the front end, the host's own passes, and machine code for this computer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.native.compile import compile_module
from glslc_multi.runtime.jit import run_program
from tests.conformance.engines.reference import ReferenceEngine


class JitEngine(ReferenceEngine):
    """Judges values of all stages; the arithmetic is float32, so it has no slack."""

    judges_verdicts = False

    def _execute(self, module: Module, *values: Mapping[str, Any], lanes: int, quads: bool) -> dict[str, Array]:
        return run_program(compile_module(module), *values, lanes=lanes, quads=quads, fill=True)


def make_jit(_optimisation: int | str, _options: Mapping[str, str]) -> JitEngine:
    """The engine.  The host chooses its passes itself, so that the level has no influence."""
    return JitEngine(())
