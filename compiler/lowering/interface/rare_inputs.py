"""Built-in inputs that few machines have: for others the host passes them, or they are refused where they are read."""

from __future__ import annotations

from collections.abc import Collection

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module

#: Role -> what to do without it.  A target that has such an input names the role in `rare_inputs`.
_RARE = {"instance_id": "pass the number of the instance in an attribute or a uniform"}


#: Roles of what each vertex has for its own: without them, the host passes an attribute of that name.
_BY_VERTEX = frozenset({"vertex_id"})


def lower_rare_inputs(module: Module, target: str, rare_inputs: Collection[str], sink: DiagnosticSink) -> None:
    """Make attributes of inputs that the host can pass; report the reads of others that the target lacks."""
    for variable in module.variables.values():
        if variable.role in _BY_VERTEX and variable.role not in rare_inputs:
            variable.storage = "attribute"
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
