"""Code generation, its phases in order: IR module to `.shbin`.

    legalize -> abi -> select -> outputs written where they are computed -> constants -> fixup -> address registers
    -> allocate -> finalize -> validate -> reflect

Of several variants of a module the one is taken that will be shortest; `build.py` has the phases from selection to
words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf
from typing import NamedTuple, cast

from backends.pica200.codegen.abi import TARGET_NAME, assign_interface
from backends.pica200.codegen.build import Build, Made, Task, make_program, shortest
from backends.pica200.codegen.finalize import NOWHERE
from backends.pica200.codegen.legalize import legalize, prepare, variants
from backends.pica200.codegen.length import prove_blocks
from backends.pica200.codegen.reflect import reflect, temporaries_of
from backends.pica200.codegen.rewrites.strips import emissions
from backends.pica200.codegen.rewrites.vertex_memory import move_inputs
from backends.pica200.isa.container import write
from backends.pica200.isa.program import Program
from backends.pica200.isa.validate import validate
from compiler.artifact import Artifact, Stats
from compiler.codegen.fit import attempt, fitting, raise_into
from compiler.codegen.invalid import require_valid
from compiler.codegen.regions import split_critical_edges
from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from compiler.ir.module import Module
from compiler.ir.primitive import primitive_of
from compiler.options import PROVE, TargetOptions
from compiler.passes.base import CostModel, PassContext


class _Variant(NamedTuple):
    """A legalised module, its registers, and what it reports."""

    module: Module
    task: Task
    sink: DiagnosticSink


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Make the `.shbin` of a vertex or geometry shader, with everything about it."""
    context = PassContext(costs, options.precise)
    prepare(module, context, sink)
    modules = variants(module, context, options.optimisation)
    tried = [attempt(partial(_legalised, each, context, options), sink.renewed()) for each in modules]
    legal = [each for each in tried if isinstance(each, _Variant)]
    if not legal:
        raise_into(sink, cast(CompileError, tried[0]))
    chosen, build = _shorter(legal)
    sink.absorb(chosen.sink)
    made, exceeded = fitting(partial(make_program, chosen.task, build), sink)
    require_valid(TARGET_NAME, validate(made.program))
    return _artifact(chosen, made, exceeded, proves=bool(options.values.get(PROVE.name)))


def _legalised(module: Module, context: PassContext, options: TargetOptions, sink: DiagnosticSink) -> _Variant:
    memory = move_inputs(module, primitive_of(module.pragmas))
    counted = legalize(module, context, sink)
    # A loop of the hardware has no code between its end and its head.
    split_critical_edges(module.main, context.analyses(module.main), back_edges=False)
    interface = assign_interface(module, counted, memory, str(options.values.get("outputs", "")), sink)
    vertices = emissions(module.main)
    return _Variant(module, Task(module.main, interface, counted, vertices, options.optimisation), sink)


def _shorter(variants: Sequence[_Variant]) -> tuple[_Variant, Build | None]:
    """Return the variant that takes the fewest words by estimate, and its code where that has been made."""
    if len(variants) == 1:
        return variants[0], None
    builds = [attempt(partial(shortest, variant.task), DiagnosticSink()) for variant in variants]
    words = [inf if isinstance(build, CompileError) else build.words() for build in builds]
    number = words.index(min(words))
    build = builds[number]
    return variants[number], None if isinstance(build, CompileError) else build


def _artifact(variant: _Variant, made: Made, exceeded: tuple[Diagnostic, ...], *, proves: bool) -> Artifact:
    program, constants = made.program, made.constants
    words, extra = len(program.code), {"descriptors": len(program.descriptors)}
    proofs = prove_blocks(made.blocks) if proves else ()
    return Artifact(
        write(program),
        partial(_text, program),
        reflect(variant.module, variant.task.interface, program, constants),
        Stats(words, words, temporaries_of(program), constants.used, extra, exceeded, proofs),
        origins=tuple(() if span is NOWHERE else (span,) for span in program.spans),
    )


def _text(program: Program) -> str:
    from backends.pica200.isa.disasm import disassemble_program

    return disassemble_program(program, DiagnosticSink())
