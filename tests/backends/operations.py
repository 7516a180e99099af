"""Modules of one operation each, and whether what is written of one computes the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Storage, Variable
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.runtime.reference import run_module

_LANES = 32
#: Operations on numbers; what has memory or control flow has tests of its own.
OPERATIONS = [op for op in ops.OPCODES.values() if op.component is not None and op is not ops.SELECT]


def operation(opcode: Opcode, width: int) -> Module:
    """A vertex shader that computes one operation of attributes, as floats."""
    module = Module("vertex")
    module.exact_integers = True
    builder = Builder(module.add_function("main").add_block("entry"))
    operands: list[Value] = []
    for number, kind in enumerate(opcode.signature.partition("->")[0].split(",")):
        name = {"F": "float", "I": "int", "B": "bool"}[kind.strip()]
        type_ = FLOAT.with_kind(name).with_width(width)  # type: ignore[arg-type]
        storage: Storage = "uniform" if name == "bool" else "attribute"
        operands.append(builder.load(module.add_variable(Variable(f"x{number}", storage, type_))))
    result: Value = builder.op(opcode, *operands)
    if result.type.kind != "float":
        result = builder.op(ops.BTOF if result.type.kind == "bool" else ops.ITOF, result)
    builder.store(module.add_variable(Variable("y", "varying", result.type)), result)
    builder.ret()
    return module


def check_operation(opcode: Opcode, width: int, write: Callable[[Module], Source]) -> None:
    """Compare an operation with what a writer makes of it, on random values and on those at edges."""
    module = operation(opcode, width)
    random = np.random.default_rng(3)
    whole = random.integers(1, 9, (3, _LANES, width))
    values = {
        "float": random.uniform(0.05, 0.95, (3, _LANES, width)).astype("f4"),
        "int": np.where(random.integers(0, 2, whole.shape) == 0, whole, -whole),
    }
    inputs, uniforms = {}, {}
    for number, variable in enumerate(v for v in module.variables.values() if v.name.startswith("x")):
        if variable.type.kind == "bool":
            uniforms[variable.name] = random.integers(0, 2, width)[0 if width == 1 else slice(None)]
        else:
            inputs[variable.name] = values[variable.type.kind][number].reshape(_LANES, *[width] * (width > 1))
    if opcode is ops.BITCAST_ITOF:
        inputs["x0"] = inputs["x0"] + 0x3F000000
    wanted = run_module(clone_module(module), inputs, uniforms, {}, lanes=_LANES)["y"]
    again = lower_source(write(module), FrontEndOptions(), DiagnosticSink())
    left = run_module(again, inputs, uniforms, {}, lanes=_LANES)["y"]
    np.testing.assert_allclose(left, wanted, rtol=2e-5, atol=1e-6)
