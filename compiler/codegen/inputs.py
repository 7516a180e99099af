"""Built-in inputs that few machines have: refused here for all others, where the shader reads them."""

from __future__ import annotations

from collections.abc import Collection

from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from compiler.ir import ops
from compiler.ir.module import Module

#: Role -> what to do without it.  A target that has such an input names the role in `rare_inputs`.
_RARE = {"instance_id": "pass the number of the instance in an attribute or a uniform"}


def refuse_inputs(module: Module, target: str, rare_inputs: Collection[str], sink: DiagnosticSink) -> None:
    """Report the reads of inputs that the target lacks."""
    lacking = _RARE.keys() - rare_inputs
    variables = {variable for variable in module.variables.values() if variable.role in lacking}
    if not variables:
        return
    for function in module.functions.values():
        for load in function.instructions():
            if load.op is ops.LOAD and load.address.variable in variables:
                variable = load.address.variable
                variables.discard(variable)
                help = _RARE[variable.role]
                sink.report(NOT_EXPRESSIBLE, load.span, target=target, construct=variable.name, help=help)
    sink.raise_if_errors()
