"""The jit engine: a shader's IR compiled for this computer, with values under GLSL names.

In: a module (any stage of optimisation) and values as users write them (see `names.py`).
Out: as from `reference.run_module`, much sooner for many lanes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from compiler.ir.evaluate import DEFAULT_MAX_STEPS
from compiler.ir.lanes import Array
from runtime.reference import bind_values, lane_count, show_result

if TYPE_CHECKING:
    from backends.host.compile import HostProgram


def run_program(
    program: HostProgram,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, Any],
    textures: Mapping[str, Any] | None = None,
    *,
    lanes: int | None = None,
    quads: bool = False,
    fill: bool = False,
    max_steps: int = DEFAULT_MAX_STEPS,
) -> dict[str, Array]:
    """Run compiled code on as many lanes as the inputs have.

    Values that are read but not given are an error, or 0 with `fill`.
    """
    count = lane_count(inputs) if lanes is None else lanes
    values = bind_values(program.module, inputs, uniforms, textures, lanes=count, fill=fill)
    result = program.run(*values, lanes=count, quads=quads, max_steps=max_steps)
    return show_result(program.module, result)
