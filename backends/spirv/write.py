"""A module of the IR as a module of SPIR-V."""

from __future__ import annotations

from glslc_multi.backends.spirv.assembly import Assembly, make, remove_unread
from glslc_multi.backends.spirv.body import Body
from glslc_multi.backends.spirv.environments import Environment
from glslc_multi.backends.spirv.interface import Interface
from glslc_multi.backends.spirv.memory import Memory
from glslc_multi.backends.spirv.merges import nest_with_merges
from glslc_multi.backends.spirv.refuse import refuse_inexpressible
from glslc_multi.backends.spirv.values import Values
from glslc_multi.backends.spirv.writer import Writer
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.lowering.builtins import COMPOSITE, LowerBuiltins
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline import DCE, NESTED
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.spirv.code import Code, Instruction
from glslc_multi.compiler.spirv.grammar.enumerants import number_of

#: Instructions that do more than yield a value.
_EFFECTS = frozenset(
    {
        *("OpFunction", "OpFunctionEnd", "OpLabel", "OpStore", "OpLoopMerge", "OpSelectionMerge"),
        *("OpBranch", "OpBranchConditional", "OpReturn", "OpKill"),
    }
)


def write_module(module: Module, environment: Environment, sink: DiagnosticSink) -> Code:
    """Write a module, which changes it; what SPIR-V has no form for is reported."""
    run_pipeline(module, (*NESTED, LowerBuiltins(COMPOSITE), DCE), PassContext())
    refuse_inexpressible(module, environment, sink)
    tree = nest_with_merges(module.main)
    assembly = Assembly()
    interface = Interface(module, assembly, environment)
    writer = Writer(assembly)
    memory = Memory(writer, interface, module.stage)
    function_type = assembly.share("OpTypeFunction", assembly.share("OpTypeVoid"))
    main = make("OpFunction", assembly.share("OpTypeVoid"), assembly.take_id(), 0, function_type)
    writer.code.append(main)
    # Global variables of the shader are local to its only function.
    local = [*(v for v in module.variables.values() if v.storage == "local"), *module.main.variables.values()]
    storage = number_of("StorageClass", "Function")
    variables = [make("OpVariable", interface.local(v), interface.home(v).id, storage) for v in local]
    Body(module.main, writer, Values(writer, memory, module.stage), memory).write(tree, variables)
    writer.append("OpFunctionEnd")
    assembly.name(main.result, "main")
    model = number_of("ExecutionModel", module.stage.capitalize())
    entry = make("OpEntryPoint", 0, 0, model, main.result, "main", *interface.listed)
    function = remove_unread(writer.code, _EFFECTS)
    return assembly.finish([entry], _modes(module, main.result, environment), function)


def seen_from_below(code: Code) -> Code:
    """Return a module that counts the lines of the window from the bottom, as all machines here do."""
    upper, lower = (number_of("ExecutionMode", mode) for mode in ("OriginUpperLeft", "OriginLowerLeft"))
    instructions = [
        make(i.name, 0, 0, i.id(0), lower) if i.name == "OpExecutionMode" and i.id(1) == upper else i
        for i in code.instructions
    ]
    return replace(code, instructions=instructions)


def _modes(module: Module, main: int, environment: Environment) -> list[Instruction]:
    """List the modes of the entry point."""
    if module.stage != "fragment":
        return []
    names = ["OriginUpperLeft" if environment.is_vulkan else "OriginLowerLeft"]
    if any(v.role == "frag_depth" for v in module.variables.values()):
        names.append("DepthReplacing")
    return [make("OpExecutionMode", 0, 0, main, number_of("ExecutionMode", name)) for name in names]
