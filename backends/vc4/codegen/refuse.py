"""What the machine cannot express, said before code is made."""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.abi import TARGET_NAME
from glslc_multi.backends.vc4.isa.textures import TEXTURES
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.lowering.indexing import refuse_indices
from glslc_multi.compiler.passes.memory.local_variables import tables_of


def refuse_inexpressible(module: Module, sink: DiagnosticSink) -> None:
    """Report what is left in a legalised module that the machine cannot do."""
    help = "use texture2D, or texture2DLodEXT with a level of detail"
    for lookup in module.main.instructions():
        if lookup.op is ops.TEXTURE and lookup.attribute.mode not in TEXTURES.modes:
            construct = "texture lookups with gradients"
            sink.report(NOT_EXPRESSIBLE, lookup.span, help=help, target=TARGET_NAME, construct=construct)
    refuse_indices(module, TARGET_NAME, sink, tables=tables_of(module))
