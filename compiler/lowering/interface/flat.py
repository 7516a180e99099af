"""Flat varyings on machines that interpolate all: what is equal at all vertices of a primitive stays so.

In: a fragment shader.  Out: ints that come between stages are floats, which are rounded to the nearest whole number:
interpolation of equal numbers is off by rounding errors.  That others than the last vertex count where they differ, no
code can mend: it is warned of.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_FLAT
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.pieces import builder_after


def interpolate_flat(module: Module, target: str, sink: DiagnosticSink) -> None:
    """Read flat varyings as what interpolation leaves of them."""
    flat = [v for v in module.variables.values() if v.storage == "varying" and v.is_flat]
    for variable in flat:
        sink.report(NOT_FLAT, variable.span, name=variable.name, target=target)
    ints = {variable for variable in flat if variable.type.kind == "int"}
    for variable in ints:
        variable.source_kind = variable.source_kind or "int"
        variable.type = variable.type.with_kind("float")
    for function in module.functions.values() if ints else ():
        _round(function, ints)


def _round(function: Function, ints: set[Variable]) -> None:
    for load in [i for i in function.instructions() if i.op is ops.LOAD and i.address.variable in ints]:
        load.type = load.type.with_kind("float")
        users = list(load.users)
        builder = builder_after(load)
        half = builder.op(ops.FADD, load, Constant.splat(load.type, 0.5))
        whole = builder.op(ops.FTOI, builder.op(ops.FFLOOR, half))
        for user in users:
            for position, operand in enumerate(user.operands):
                if operand is load:
                    user.set_operand(position, whole)
        load.mark_changed()
