"""Runs a program's words over many vertices at once: values of the host in, what the vertices leave out.

Lanes at the same place run together.  A condition may split them; those deep inside of constructs go first, so that
they meet again.

Two number formats: `f32` computes like the known emulators, the default like the hardware (24 bits).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.isa.program import Executable, Program
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.backends.pica200.machine.emission import COUNT
from glslc_multi.backends.pica200.machine.execute import (
    ADDRESSABLE,
    ADDRESSES,
    BOOLS,
    COUNTER,
    FLAGS,
    INTEGERS,
    MOST,
    RANGE,
    WIDTH,
    PicaProgram,
)
from glslc_multi.backends.pica200.machine.lane_arithmetic import F24, F32
from glslc_multi.backends.pica200.machine.places import Place
from glslc_multi.backends.pica200.machine.triangles import Triangle, triangles_of
from glslc_multi.compiler.arithmetic.lanes import Array, quiet
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Engine, Key, LaneProgram, Lanes, LaneState
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.target import MachineFault

DEFAULT_MAX_STEPS = 1 << 16
#: How many triangles of a lane there is room for at first.
_USUAL_TRIANGLES = 4
_NO_INPUTS: Mapping[Key, Any] = {
    (register, component): np.float32(0) for register in range(BANKS["v"]) for component in range(WIDTH)
}


class SimulationFault(MachineFault):
    """The program did what no program may: left the code, met no instruction, met BREAK outside of a loop."""


@dataclass(frozen=True, slots=True)
class Uniforms:
    """Uniform registers by number; they override the program's own constants, the rest is 0."""

    floats: Mapping[int, Sequence[float]]
    integers: Mapping[int, Sequence[int]]
    bools: Mapping[int, bool]


NO_UNIFORMS = Uniforms({}, {}, {})


@dataclass(frozen=True, slots=True)
class Result:
    """What the vertices leave; the first axis of every array is the lane."""

    #: [lane][register][component]
    outputs: Array
    #: [lane][a0.x, a0.y]; this and the next two where the engine's program leaves them.
    address: Array
    #: aL
    counter: Array
    #: [lane][cmp.x, cmp.y]
    flags: Array
    #: Instructions executed; 0 where the engine does not count them.
    steps: Array
    #: Triangles of a geometry shader, by lane.
    emitted: Mapping[int, list[Triangle]]


def simulate(
    program: Program,
    inputs: Mapping[int, Array],
    uniforms: Uniforms = NO_UNIFORMS,
    *,
    executable: int = 0,
    f32: bool = False,
    max_steps: int = DEFAULT_MAX_STEPS,
    engine: Engine | None = None,
) -> Result:
    """Run an executable of `program`; `inputs` gives input registers as [lane][component].

    `engine` does it, made for this executable and format; else it is interpreted.  Raises `SimulationFault` where a
    program misbehaves, and `CompileError` where a lane needs more than `max_steps`.
    """
    engine = engine or ArrayEngine(maker(program, executable=executable, f32=f32), SimulationFault)
    lanes = max((len(values) for values in inputs.values()), default=1)
    arithmetic = F32 if f32 else F24
    with quiet():
        rows = {
            (register, component): row
            for register, values in inputs.items()
            for component, row in enumerate(arithmetic.encode("float", np.ascontiguousarray(values.T)))
        }
        words = _words(program.executables[executable], uniforms, f32)
    state = LaneState(lanes, {**_NO_INPUTS, **rows}, words, max_steps=max_steps, most=_USUAL_TRIANGLES)
    outputs = _run(engine, state)
    steps = engine.steps if isinstance(engine, ArrayEngine) else np.zeros(lanes, np.int64)
    return _result(outputs, lanes, steps)


def maker(
    program: Program, *, executable: int = 0, f32: bool = False, leaves_state: bool = True
) -> Callable[[Lanes], LaneProgram[Place]]:
    """What makes the program on the lanes of an engine; see `PicaProgram`."""
    return partial(PicaProgram, program, executable, f32, leaves_state)


def _words(shader: Executable, uniforms: Uniforms, f32: bool) -> Array:
    """The words of the program's own constants and of uniforms; see `PicaProgram`."""
    given: dict[str, dict[int, Any]] = {"c": {}, "i": {}, "b": {}}
    for constant in shader.constants:
        if constant.register >= BANKS[constant.bank]:
            raise SimulationFault(f"word {shader.entry}: a constant is for {constant.bank}{constant.register}")
        values = constant.floats if constant.bank == "c" else constant.values
        given[constant.bank][constant.register] = values[0] if constant.bank == "b" else values
    words = np.zeros(MOST + 1, np.int32)
    floats = words[:INTEGERS].view(np.float32).reshape(ADDRESSABLE, WIDTH)
    floats[BANKS["c"] :] = 1.0
    registers = {**given["c"], **uniforms.floats}
    arithmetic = F32 if f32 else F24
    floats[list(registers)] = arithmetic.encode("float", np.array(list(registers.values())).reshape(-1, WIDTH))
    for register, values in {**given["i"], **uniforms.integers}.items():
        first = INTEGERS + len(RANGE) * register
        words[first : first + len(RANGE)] = [int(value) & 0xFF for value in values[: len(RANGE)]]
    for register, value in {**given["b"], **uniforms.bools}.items():
        words[BOOLS + register] = bool(value)
    return words


def _run(engine: Engine, state: LaneState) -> dict[Key, Any]:
    """The outputs, with room for all triangles."""
    state.constants[MOST] = state.most
    outputs = engine.run(state)
    needed = int(outputs[COUNT].max(initial=0)) if COUNT in outputs else 0
    return outputs if needed <= state.most else _run(engine, replace(state, most=needed))


def _result(found: Mapping[Key, Any], lanes: int, steps: Array) -> Result:
    outputs = np.zeros((BANKS["o"], WIDTH, lanes), np.float32)
    address, counter, flags = np.zeros((2, lanes), np.int32), np.zeros(lanes, np.int32), np.zeros((2, lanes), np.bool_)
    for key, values in found.items():
        if key in ADDRESSES:
            address[ADDRESSES.index(key)] = values
        elif key in FLAGS:
            flags[FLAGS.index(key)] = values
        elif key == COUNTER:
            counter = values
        elif isinstance(key, tuple) and len(key) == 2:
            outputs[key] = values
    return Result(np.moveaxis(outputs, -1, 0), address.T, counter, flags.T, steps, triangles_of(found))
