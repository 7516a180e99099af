"""Lowering: a checked shader in, an IR module out.

Everything a program can do is spelled out here in opcodes: conversions, component-wise work on matrices,
copies of arguments, the order of side effects, early returns.  Variables stay in memory (`local`
variables); later passes make values of them.  `README.md` walks through it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.diagnostics import CompileError, DiagnosticSink, Span
from compiler.diagnostics.catalogue import limits
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Module
from compiler.ir.variables import Address, Variable
from compiler.shading.emitter import TooLarge
from compiler.shading.flow import Flow
from compiler.shading.operand import constant_operand
from frontends.glsl import ast
from frontends.glsl.block_layout import layout_of
from frontends.glsl.check import CheckedShader
from frontends.glsl.limits import INSTRUCTION_LIMIT
from frontends.glsl.lower.declarations import declarations
from frontends.glsl.lower.effects import discarding_functions
from frontends.glsl.lower.expressions import is_in_memory
from frontends.glsl.lower.interface import Interface
from frontends.glsl.lower.shader import ShaderLowering
from frontends.glsl.lower.statements import StatementLowering
from frontends.glsl.symbols import FunctionSymbol
from frontends.glsl.types import BOOL

__all__ = ["lower"]

#: Where an element and column of an output stands until the end, and the output.
_Copy = tuple[Address, Address]
#: Element and column of a variable.
_Cell = tuple[Variable, int, int]


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
    _initialise_globals(checked, statements)
    _lower_functions(checked, shader, statements, flow)
    used = shader.tally.variables
    written = list(_written(interface, used))
    _store_outputs(shader, flow, written)
    flow.finish()
    used.update(output.variable for _, output in written)
    interface.register(module, used)
    return module


def _initialise_globals(checked: CheckedShader, statements: StatementLowering) -> None:
    """Initialised globals get their values at the entry of `main`, in the order of the text."""
    for declaration in checked.unit.declarations:
        if isinstance(declaration, ast.VariableDeclaration):
            statements.declare(declaration)


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


def _store_outputs(shader: ShaderLowering, flow: Flow, written: Sequence[_Copy]) -> None:
    """Copy what was written to the outputs, each element and column once, at the only end of `main`."""
    if shader.module.stage == "geometry":
        _store_vertices(shader, written)
        return
    end, last = flow.emitter.span, _last_assignments(shader.module)
    for shadow, output in written:
        # What is copied comes from the assignment, not from the end of the function.
        flow.emitter.span = last.get((shadow.variable, shadow.offset, shadow.column), end)
        value = flow.emitter.load(shadow, ())
        flow.emitter.store(output, (), value)
    # What only ends the program comes from no line.
    flow.emitter.span = None


def _last_assignments(module: Module) -> dict[_Cell, Span | None]:
    """Where the text last assigns to each element and column of a variable, as far as indices are constant."""
    functions = [*(function for function in module.functions.values() if function is not module.main), module.main]
    stores = (i for function in functions for i in function.instructions() if i.op is ops.STORE)
    return {(store.address.variable, store.address.offset, store.address.column): store.span for store in stores}


def _store_vertices(shader: ShaderLowering, written: Sequence[_Copy]) -> None:
    """A geometry shader copies its outputs before each `emit_vertex` instead."""
    for function in shader.module.functions.values():
        for instruction in [i for i in function.instructions() if i.op is ops.EMIT_VERTEX]:
            builder = Builder.before(instruction)
            for shadow, output in written:
                builder.op(ops.STORE, builder.op(ops.LOAD, attribute=shadow), attribute=output)


def _written(interface: Interface, used: set[Variable]) -> Iterator[_Copy]:
    """Every element and column of the outputs that code writes."""
    for output in interface.outputs:
        for element in range(output.variable.length) if output.shadow in used else ():
            for column in range(output.variable.columns):
                yield Address(output.shadow, element, column), Address(output.variable, element, column)
