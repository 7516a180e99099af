"""What the phases of code generation (`compiler/codegen/phases.py`) are for vertex and geometry shaders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import inf
from typing import NamedTuple, cast

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME, Interface, assign_interface
from glslc_multi.backends.pica200.codegen.build import Build, Made, Task, build_program, shortest
from glslc_multi.backends.pica200.codegen.finalize import NOWHERE
from glslc_multi.backends.pica200.codegen.legalize import legalize, prepare, variants
from glslc_multi.backends.pica200.codegen.length import prove_blocks
from glslc_multi.backends.pica200.codegen.reflect import reflect, temporaries_of
from glslc_multi.backends.pica200.codegen.rewrites.strips import emissions
from glslc_multi.backends.pica200.codegen.rewrites.vertex_memory import ReadVertexMemory, memory_of
from glslc_multi.backends.pica200.isa.container import write
from glslc_multi.backends.pica200.isa.program import Program
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.compiler.artifact import Artifact, Stats
from glslc_multi.compiler.codegen.fit import Exceeded, attempt, raise_into
from glslc_multi.compiler.codegen.phases import CodeGenerator
from glslc_multi.compiler.codegen.regions import split_critical_edges
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import PROVE
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.runner import run_pipeline


class Pica200Generator(CodeGenerator[Interface, Build, Made]):
    """Makes code of the variant of a module that will be shortest; `build.py` has the phases from selection on."""

    target = TARGET_NAME
    task: Task
    #: The code of the variant, where it was made to compare it with others.
    build: Build | None = None
    exceeded: Exceeded = frozenset()

    def prepare(self, sink: DiagnosticSink) -> None:
        self.context = PassContext(self.costs, self.options.precise)
        prepare(self.module, self.context, sink)

    def legalize(self, sink: DiagnosticSink) -> None:
        modules = variants(self.module, self.context, self.options.optimisation)
        tried = [attempt(partial(self._legalized, each), sink.renewed()) for each in modules]
        legal = [each for each in tried if isinstance(each, _Variant)]
        if not legal:
            raise_into(sink, cast(CompileError, tried[0]))
        chosen, self.build = _shorter(legal)
        self.module, self.task = chosen.module, chosen.task
        sink.absorb(chosen.sink)

    def _legalized(self, module: Module, sink: DiagnosticSink) -> _Variant:
        run_pipeline(module, (ReadVertexMemory(),), self.context)
        memory = memory_of(module)
        counted = legalize(module, self.context, sink)
        # A loop of the hardware has no code between its end and its head.
        split_critical_edges(module.main, self.context.analyses(module.main), back_edges=False)
        interface = assign_interface(module, counted, memory, str(self.options.values.get("outputs", "")), sink)
        vertices = emissions(module.main)
        return _Variant(module, Task(module.main, interface, counted, vertices, self.options.optimisation), sink)

    def tighten(self, exceeded: Exceeded, sink: DiagnosticSink) -> None:
        self.exceeded = exceeded

    def plan(self, sink: DiagnosticSink) -> Interface:
        return self.task.interface

    def select(self, sink: DiagnosticSink) -> Build:
        if self.build is not None and not self.exceeded:
            return self.build
        return build_program(self.task, self.exceeded, sink)

    def allocate(self, machine: Build, sink: DiagnosticSink) -> None:
        machine.allocate(sink)

    def finalize(self, machine: Build, sink: DiagnosticSink) -> Made:
        return machine.finish(sink)

    def judge(self, code: Made) -> Iterable[object]:
        return validate(code.program)

    def describe(self, code: Made) -> Artifact:
        program, constants = code.program, code.constants
        words, extra = len(program.code), {"descriptors": len(program.descriptors)}
        proofs = prove_blocks(code.blocks) if self.options.values.get(PROVE.name) else ()
        return Artifact(
            write(program),
            partial(_text, program),
            reflect(self.module, self.interface, program, constants),
            Stats(words, words, temporaries_of(program), constants.used, extra, proofs=proofs),
            origins=tuple(() if span is NOWHERE else (span,) for span in program.spans),
        )


class _Variant(NamedTuple):
    """A legalised module, its registers, and what it reports."""

    module: Module
    task: Task
    sink: DiagnosticSink


def _shorter(variants: Sequence[_Variant]) -> tuple[_Variant, Build | None]:
    """Return the variant that takes the fewest words by estimate, and its code where that has been made."""
    if len(variants) == 1:
        return variants[0], None
    builds = [attempt(partial(shortest, variant.task), DiagnosticSink()) for variant in variants]
    words = [inf if isinstance(build, CompileError) else build.words() for build in builds]
    number = words.index(min(words))
    build = builds[number]
    return variants[number], None if isinstance(build, CompileError) else build


def _text(program: Program) -> str:
    from glslc_multi.backends.pica200.isa.disasm import disassemble_program

    return disassemble_program(program, DiagnosticSink())
