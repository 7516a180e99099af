"""Lowering: a checked shader in, an IR module out.

Everything a program can do is spelled out here in opcodes: conversions, component-wise work on matrices,
copies of arguments, the order of side effects, early returns.  Variables stay in memory (`local`
variables); later passes make values of them.  `README.md` walks through it.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.shading.emitter import TooLarge
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.operand import constant_operand
from glslc_multi.compiler.shading.outputs import store_outputs, written_cells
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.block_layout import layout_of
from glslc_multi.frontends.glsl.check import CheckedShader
from glslc_multi.frontends.glsl.limits import INSTRUCTION_LIMIT
from glslc_multi.frontends.glsl.lower.declarations import declarations
from glslc_multi.frontends.glsl.lower.effects import discarding_functions
from glslc_multi.frontends.glsl.lower.expressions import is_in_memory
from glslc_multi.frontends.glsl.lower.interface import Interface
from glslc_multi.frontends.glsl.lower.shader import ShaderLowering
from glslc_multi.frontends.glsl.lower.statements import StatementLowering
from glslc_multi.frontends.glsl.symbols import FunctionSymbol
from glslc_multi.frontends.glsl.types import BOOL

__all__ = ["lower"]


def lower(checked: CheckedShader, main: FunctionSymbol, sink: DiagnosticSink, name: str = "") -> Module:
    """The IR of a shader without errors, whose entry point is `main`; raises `CompileError` if that is too large."""
    try:
        return _lower(checked, main, name)
    except TooLarge as too_large:
        sink.report(limits.SHADER_TOO_LARGE, too_large.span, limit=INSTRUCTION_LIMIT)
        raise CompileError(sink.diagnostics) from None


def _lower(checked: CheckedShader, main: FunctionSymbol, name: str) -> Module:
    module = Module(checked.stage, name)
    module.pragmas = [text for text, _ in checked.pragmas]
    module.exact_integers = checked.language.has("exact integers")
    if checked.language.has("links with itself alone"):
        module.language = checked.language.name
    symbols = [symbol for symbol in (*checked.builtin_variables, *checked.globals) if is_in_memory(symbol)]
    module.declarations = list(declarations(symbols, checked))
    module.blocks = [layout_of(block) for block in checked.blocks if block.storage == "uniform"]
    interface = Interface(checked.stage, symbols, all_invariant=checked.all_invariant)
    discarding = discarding_functions(checked.functions)
    shader = ShaderLowering(module, interface, main, discarding)
    flow = shader.new_flow(shader.main)
    statements = StatementLowering(shader, shader.main, flow)
    if discarding - {main}:
        shader.discarded.store(flow.emitter, constant_operand(BOOL, (False,)))
    if interface.coordinate is not None:
        interface.coordinate.emit(flow.emitter)
    # Initialised globals get their values at the entry of `main`, in the order of the text.
    for declaration in checked.unit.declarations:
        if isinstance(declaration, ast.VariableDeclaration):
            statements.declare(declaration)
    _lower_functions(checked, shader, statements, flow)
    used = shader.tally.variables
    written = list(written_cells(interface.outputs, used))
    store_outputs(module, flow, written)
    flow.finish()
    used.update(output.variable for _, output in written)
    interface.register(module, used)
    return module


def _lower_functions(
    checked: CheckedShader, shader: ShaderLowering, main_statements: StatementLowering, main_flow: Flow
) -> None:
    """All reachable functions; `main` is left open at its end, since its outputs are known only then."""
    while (instance := shader.next_instance()) is not None:
        definition = checked.definitions[instance.symbol]
        if instance is shader.main:
            _lower_body(definition, main_statements, main_flow)
            continue
        flow = shader.new_flow(instance)
        _lower_body(definition, StatementLowering(shader, instance, flow), flow)
        flow.finish()


def _lower_body(definition: ast.FunctionDeclaration, statements: StatementLowering, flow: Flow) -> None:
    assert definition.body is not None
    statements.lower(definition.body)
    flow.emitter.span = definition.span
    flow.start_exit()
