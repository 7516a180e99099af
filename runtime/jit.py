"""The jit engine: a shader's IR compiled for this computer, with values under GLSL names.

In: a module (any stage of optimisation) and values as users write them (see `names.py`).
Out: as from `reference.run_module`, much sooner for many lanes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.runtime.reference import RunOptions, Values, run_with

if TYPE_CHECKING:
    from glslc_multi.compiler.native.compile import HostProgram


def run_program(
    program: HostProgram,
    inputs: Values,
    uniforms: Values,
    textures: Values | None = None,
    **options: Unpack[RunOptions],
) -> dict[str, Array]:
    """Run compiled code on as many lanes as the inputs have."""
    return run_with(program.run, program.module, inputs, uniforms, textures, **options)
