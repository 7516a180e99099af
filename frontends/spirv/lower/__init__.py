"""Lowering: a module that was read in, an IR module of one of its entry points out."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir import types as ir
from glslc_multi.compiler.ir.module import Constant, Module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.operand import Operand
from glslc_multi.compiler.shading.outputs import store_outputs, written_cells
from glslc_multi.compiler.shading.types import BOOL, VOID
from glslc_multi.compiler.spirv.code import Invalid
from glslc_multi.frontends.spirv.lower.body import BodyLowering
from glslc_multi.frontends.spirv.lower.interface import Interface
from glslc_multi.frontends.spirv.lower.shader import ShaderLowering
from glslc_multi.frontends.spirv.module.contents import Contents, EntryPoint

__all__ = ["lower"]

#: Modules link with modules: by locations, not by names.
LANGUAGE = "SPIR-V"


def lower(contents: Contents, entry: EntryPoint, name: str) -> Module:
    """The IR of an entry point; raises `Invalid`, and `TooLarge` where it becomes too much."""
    source = contents.functions.get(entry.function)
    if source is None or source.parameters or source.type.result is not VOID:
        what = "the function of the entry point takes or yields something, or is none"
        raise Invalid(messages.BAD_INTERFACE, entry.at, name=entry.name, what=what)
    module = Module("vertex" if entry.stage == "vertex" else "fragment", name)
    module.exact_integers = True
    module.language = LANGUAGE
    interface = Interface(contents, entry)
    shader = ShaderLowering(module, contents, interface, source)
    flow = shader.new_flow(shader.main)
    _begin(shader, flow)
    _lower_functions(shader, flow)
    used = shader.tally.variables
    written = list(written_cells(interface.outputs, used))
    store_outputs(module, flow, written)
    flow.finish()
    used.update(output.variable for _, output in written)
    _refuse_built_ins(contents, shader)
    interface.register(module, used)
    for variable in shader.textures.register(used, interface.names):
        module.add_variable(variable)
    # What the module does wrong with control flow, such as a value that is not known where it is used.
    for fault in verify_module(module, final=True):
        error = Invalid(messages.BAD_CONTROL_FLOW, entry.at, what=f"in the function {fault.where}: {fault.message}")
        if fault.instruction is not None and fault.instruction.span is not None:
            error.span = fault.instruction.span
        raise error
    return module


def _begin(shader: ShaderLowering, flow: Flow) -> None:
    """What comes before the code of the entry point: flags, coordinates, variables that begin with a value."""
    if shader.callees_may_discard:
        shader.discarded.store(flow.emitter, Operand(BOOL, (Constant(ir.BOOL, (False,)),)))
    if shader.interface.coordinate is not None:
        shader.interface.coordinate.emit(flow.emitter)
    for memory, at in shader.interface.initialised:
        value = shader.contents.constants.operand(at.id(1), at)
        if value.type != memory.type:
            raise Invalid(messages.BAD_TYPES, at, name=at.name, what="its initial value is of another type")
        memory.store(flow.emitter, value)


def _lower_functions(shader: ShaderLowering, main_flow: Flow) -> None:
    """All functions that are called; `main` is left open at its end, since its outputs are known only then."""
    while (instance := shader.next_instance()) is not None:
        flow = main_flow if instance is shader.main else shader.new_flow(instance)
        BodyLowering(shader, instance, flow).lower()
        if instance is not shader.main:
            flow.finish()


def _refuse_built_ins(contents: Contents, shader: ShaderLowering) -> None:
    for function in shader.module.functions.values():
        for instruction in function.instructions():
            variable = instruction.address.variable if instruction.op.attribute == "address" else None
            if variable in shader.interface.refused:
                name = f"BuiltIn {shader.interface.refused[variable]}"
                error = Invalid(messages.NOT_SUPPORTED, None, name=name, what="no target has it")
                error.span = instruction.span
                raise error
