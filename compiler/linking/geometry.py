"""A vertex and a geometry shader that belong together: what flows between them.

In: two modules of the front end.  Each input of the geometry shader is the varying of that name, one element for each
vertex.  Varyings that it does not read are removed, and the registers of the others say where it finds its inputs.
"""

from __future__ import annotations

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink, Label
from glslc_multi.compiler.diagnostics.catalogue import link as messages
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.prune import remove_read, remove_written
from glslc_multi.compiler.ir.types import matrix_name
from glslc_multi.compiler.ir.variables import Variable


def match_modules(vertex: Module, geometry: Module, sink: DiagnosticSink) -> None:
    """Keep only the varyings that both stages have, in both modules."""
    written = {v.name: v for v in vertex.outputs() if v.storage == "varying"}
    declared = {d.name for d in vertex.declarations if d.storage == "varying"}
    read = {v.name: v for v in _inputs(geometry)}
    for name, variable in read.items():
        if name in written:
            _check_type(variable, written[name], sink)
        elif name not in declared:
            help = "declare it there as a varying; its element is what one vertex brings"
            sink.report(messages.PRIMITIVE_INPUT_NOT_WRITTEN, variable.span, help=help, name=name)
    sink.raise_if_errors()
    unread = [v for v in vertex.outputs() if v.role != "position" and v.name not in read]
    remove_written(vertex, unread)
    remove_read(geometry, [v for name, v in read.items() if name not in written])


def _inputs(geometry: Module) -> list[Variable]:
    return [v for v in geometry.variables.values() if v.storage == "input" and not v.role]


def _check_type(variable: Variable, other: Variable, sink: DiagnosticSink) -> None:
    if other.is_array or (variable.type, variable.columns) != (other.type, other.columns):
        labels = () if other.span is None else (Label(other.span, "in the vertex stage"),)
        found, expected = _spelled(variable), _spelled(other) + (f"[{other.length}]" if other.is_array else "")
        sink.report(
            messages.PRIMITIVE_INPUT_MISMATCH,
            variable.span,
            labels=labels,
            name=variable.name,
            found=found,
            expected=expected,
        )


def _spelled(variable: Variable) -> str:
    return matrix_name(variable.columns, variable.type.width) if variable.is_matrix else str(variable.type)


def pin_inputs(geometry: Module, vertex: Artifact) -> None:
    """For each vertex, the geometry stage finds the output registers of the vertex stage, in order."""
    first = {binding.name: binding.locations[0].index for binding in vertex.reflection.varyings}
    for variable in _inputs(geometry):
        variable.location = first[variable.name]
