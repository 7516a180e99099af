"""Code generation, its phases in order: IR module to `.shbin`.

    legalize -> abi -> select -> outputs written where they are computed -> constants -> fixup -> address registers
    -> allocate -> finalize -> validate -> reflect

A module is made in several variants, of which the shortest program is taken; `constraint_levels.py` and `build.py` have
the phases from selection to words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from backends.pica200.codegen.abi import TARGET_NAME, Interface, assign_interface
from backends.pica200.codegen.build import Failure, Made, Task
from backends.pica200.codegen.constraint_levels import make_program
from backends.pica200.codegen.legalize import Variant, legalize, prepare, variants
from backends.pica200.codegen.reflect import reflect, temporaries_of
from backends.pica200.codegen.rewrites.loops import join_back_edges
from backends.pica200.codegen.rewrites.strips import emissions
from backends.pica200.codegen.rewrites.vertex_memory import move_inputs
from backends.pica200.isa.container import write
from backends.pica200.isa.program import Program
from backends.pica200.isa.validate import validate
from compiler.artifact import Artifact, Stats
from compiler.codegen.attempts import made_or_error
from compiler.codegen.invalid import require_valid
from compiler.codegen.regions import split_critical_edges
from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from compiler.ir.module import Module
from compiler.options import TargetOptions
from compiler.passes.base import CostModel, PassContext
from compiler.primitive import primitive_of
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A variant of the module, and its program."""

    module: Module
    interface: Interface
    made: Made
    notes: DiagnosticSink

    @property
    def words(self) -> int:
        return len(self.made.program.code)


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """The `.shbin` of a vertex or geometry shader, with everything about it."""
    context = PassContext(costs, options.precise)
    prepare(module, context, sink)
    shortest = _shortest(variants(module, context, options.optimisation), options, context, sink)
    sink.absorb(shortest.notes)
    require_valid(TARGET_NAME, validate(shortest.made.program))
    return _artifact(shortest)


def _shortest(
    found: Sequence[Variant], options: TargetOptions, context: PassContext, sink: DiagnosticSink
) -> _Candidate:
    """The candidate with the fewest words; where none fits, the errors of the last variant are raised."""
    shortest: _Candidate | None = None
    #: By families of variants.
    lower_bounds: dict[int, int] = {}
    failures: dict[int, Sequence[Diagnostic]] = {}
    # What is small goes first, so that others can be given up when they get no shorter.
    for number, variant in sorted(enumerate(found), key=lambda each: each[1].size):
        upper_bound = None if shortest is None else shortest.words - 1
        make = partial(_make, variant, options, context, upper_bound, lower_bounds.get(variant.family))
        candidate = made_or_error(make, DiagnosticSink())
        if isinstance(candidate, _Candidate):
            shortest = candidate
            lower_bounds[variant.family] = candidate.made.lower_bound
        else:
            failures[number] = candidate.diagnostics
    if shortest is None:
        raise CompileError([*sink.diagnostics, *failures[max(failures)]])
    return shortest


def _make(
    variant: Variant,
    options: TargetOptions,
    context: PassContext,
    upper_bound: int | None,
    lower_bound: int | None,
    sink: DiagnosticSink,
) -> _Candidate | Failure:
    """The program of one variant; for the bounds see `Task`."""
    module = variant.module
    memory = move_inputs(module, primitive_of(module.pragmas))
    counted = legalize(module, context)
    split_critical_edges(module.main, context.analyses(module.main))
    join_back_edges(module.main)
    interface = assign_interface(module, counted, memory, str(options.values.get("outputs", "")), sink)
    vertices = emissions(module.main)
    task = Task(module.main, interface, counted, vertices, options.optimisation, upper_bound, lower_bound)
    made = make_program(task)
    return made if isinstance(made, Failure) else _Candidate(module, interface, made, sink)


def _artifact(candidate: _Candidate) -> Artifact:
    program, constants = candidate.made.program, candidate.made.constants
    words, extra = len(program.code), {"descriptors": len(program.descriptors)}
    return Artifact(
        write(program),
        partial(_text, program),
        reflect(candidate.module, candidate.interface, program, constants),
        Stats(words, words, temporaries_of(program), constants.used, extra),
        origins=tuple((span,) for span in program.spans),
    )


def _text(program: Program) -> str:
    from backends.pica200.isa.disasm import disassemble_program

    return disassemble_program(program, DiagnosticSink())
