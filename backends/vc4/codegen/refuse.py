"""What the machine cannot express, said before code is made."""

from __future__ import annotations

from backends.vc4.codegen.abi import TARGET_NAME
from backends.vc4.isa.textures import TEXTURES
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from compiler.ir import ops
from compiler.ir.module import Instruction, Module


def refuse_inexpressible(module: Module, sink: DiagnosticSink) -> None:
    """Report what is left in a legalised module that the machine cannot do."""
    for instruction in module.main.instructions():
        refused = _refusal(instruction)
        if refused is not None:
            construct, help_ = refused
            sink.report(NOT_EXPRESSIBLE, instruction.span, help=help_, target=TARGET_NAME, construct=construct)
    sink.raise_if_errors()


def _refusal(instruction: Instruction) -> tuple[str, str] | None:
    """What the machine cannot do, and what to do instead; None for what it can."""
    if instruction.op is ops.TEXTURE and instruction.attribute.mode not in TEXTURES.modes:
        return "texture lookups with gradients", "use texture2D, or texture2DLodEXT with a level of detail"
    if instruction.op not in (ops.LOAD, ops.STORE, ops.TEXTURE) or not instruction.address.is_dynamic:
        return None
    if instruction.address.variable.storage == "uniform":
        return None
    return "a variable index of so large an array", "use a smaller array, a uniform one, or constant indices"
