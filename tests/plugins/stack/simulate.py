"""Runs programs of the stack machine over lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.target import MachineInputs, MachineOutputs
from tests.plugins.stack.instructions import unpack


def simulate(artifact: Artifact, inputs: MachineInputs) -> MachineOutputs:
    code, numbers = unpack(artifact.binary)
    stack: list[Array] = []
    kept: dict[int, Array] = {}
    outputs: dict[int, Array] = {}
    for name, argument in code:
        register, component = divmod(argument, 4)
        if name == "const":
            stack.append(np.full(inputs.lanes, numbers[argument], np.float32))
        elif name == "uniform":
            stack.append(np.full(inputs.lanes, inputs.constants["uniform"][register][component], np.float32))
        elif name == "input":
            stack.append(np.asarray(inputs.inputs["input"][register][:, component], np.float32))
        elif name == "output":
            outputs.setdefault(register, np.zeros((inputs.lanes, 4)))[:, component] = stack.pop()
        elif name == "keep":
            kept[argument] = stack.pop()
        elif name == "take":
            stack.append(kept[argument])
        elif name == "neg":
            stack.append(-stack.pop())
        elif name != "end":
            second, first = stack.pop(), stack.pop()
            stack.append(_BINARY[name](first, second))
    return MachineOutputs({"output": outputs})


_BINARY: dict[str, Any] = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}
