"""What SPIR-V of an environment has no form for, reported at its place in the source."""

from __future__ import annotations

from glslc_multi.backends.spirv.environments import Environment
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.spirv.built_ins import DECORATIONS

#: Roles of outputs that have a location.
_COLOURS = ("", "frag_color", "frag_data")


def refuse_inexpressible(module: Module, environment: Environment, sink: DiagnosticSink) -> None:
    """Report what has no form, and raise."""
    target = f"SPIR-V for {environment.name}"
    if module.stage == "geometry":
        help = "it is written for other stages"
        sink.report(NOT_EXPRESSIBLE, target=target, construct="a geometry shader", help=help)
    for declaration in module.declarations:
        # Blocks begin with what the host puts there.
        if environment.is_vulkan and any(number != 0 for _, numbers in declaration.defaults for number in numbers):
            construct = f"the initial value of '{declaration.name}'"
            help = "leave the initializer out, and let the host set the uniform"
            sink.report(NOT_EXPRESSIBLE, declaration.span, target=target, construct=construct, help=help)
    for variable in module.interface():
        is_rectangle = variable.storage == "sampler" and SAMPLER_KINDS[variable.type.kind].shape == "2DRect"
        if variable.role not in (*DECORATIONS, *_COLOURS) or (is_rectangle and environment.is_vulkan):
            construct = f"a {variable.type}" if is_rectangle else f"'{variable.name}'"
            sink.report(NOT_EXPRESSIBLE, variable.span, target=target, construct=construct)
    sink.raise_if_errors()
