"""Code generation, its phases in order: IR module to `.shbin`.

    legalize -> abi -> select -> outputs written where they are computed -> constants -> fixup -> address registers
    -> allocate -> finalize -> validate -> reflect

A module is made in several variants, of which the shortest program is taken; `constraint_levels.py` and `build.py` have
the phases from selection to words.
"""

from __future__ import annotations

from functools import partial

from backends.pica200.codegen.abi import TARGET_NAME, Interface, assign_interface
from backends.pica200.codegen.build import Made, Task
from backends.pica200.codegen.constraint_levels import make_program
from backends.pica200.codegen.finalize import NOWHERE
from backends.pica200.codegen.legalize import Variant, legalize, prepare, variants
from backends.pica200.codegen.reflect import reflect, temporaries_of
from backends.pica200.codegen.rewrites.strips import emissions
from backends.pica200.codegen.rewrites.vertex_memory import move_inputs
from backends.pica200.isa.container import write
from backends.pica200.isa.program import Program
from backends.pica200.isa.validate import validate
from compiler.artifact import Artifact, Stats
from compiler.codegen.invalid import require_valid
from compiler.codegen.levels import Failure, Found, Level, required, smallest_that_fits
from compiler.codegen.regions import split_critical_edges
from compiler.diagnostics import DiagnosticSink
from compiler.ir.module import Module
from compiler.options import TargetOptions
from compiler.passes.base import CostModel, PassContext
from compiler.primitive import primitive_of
from compiler.records import dataclass, field


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A variant of the module, and its program."""

    module: Module
    interface: Interface
    found: Found[Made]


@dataclass(slots=True)
class _Bounds:
    """What a candidate has to stay below, for those so far."""

    words: int | None = None
    #: By families of variants.
    lower: dict[int, int] = field(default_factory=dict)


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """The `.shbin` of a vertex or geometry shader, with everything about it."""
    context = PassContext(costs, options.precise)
    prepare(module, context, sink)
    make = partial(_make, options, context, _Bounds())
    levels = variants(module, context, options.optimisation)
    # What is small goes first, so that others can be given up when they get no shorter.
    found = smallest_that_fits(levels, make, sink, size=_words, unit="words", order=_instructions)
    shortest = required(found, sink)
    candidate = shortest.made
    require_valid(TARGET_NAME, validate(candidate.found.made.program))
    return _artifact(candidate).at_levels((*shortest.taken, *candidate.found.taken))


def _instructions(variant: Variant) -> int:
    return sum(1 for _ in variant.module.main.instructions())


def _words(candidate: _Candidate) -> int:
    return len(candidate.found.made.program.code)


def _make(
    options: TargetOptions, context: PassContext, bounds: _Bounds, level: Level[Variant], sink: DiagnosticSink
) -> _Candidate | Failure:
    """The program of one variant, which becomes a bound for others; see `Task`."""
    module, family = level.values.module, level.values.family
    memory = move_inputs(module, primitive_of(module.pragmas))
    counted = legalize(module, context, sink)
    # A loop of the hardware has no code between its end and its head.
    split_critical_edges(module.main, context.analyses(module.main), back_edges=False)
    interface = assign_interface(module, counted, memory, str(options.values.get("outputs", "")), sink)
    vertices = emissions(module.main)
    lower = bounds.lower.get(family)
    task = Task(module.main, interface, counted, vertices, options.optimisation, bounds.words, lower, options.prove)
    found = make_program(task, sink)
    if isinstance(found, Failure):
        return found
    bounds.words, bounds.lower[family] = len(found.made.program.code) - 1, found.made.lower_bound
    return _Candidate(module, interface, found)


def _artifact(candidate: _Candidate) -> Artifact:
    program, constants = candidate.found.made.program, candidate.found.made.constants
    words, extra = len(program.code), {"descriptors": len(program.descriptors)}
    return Artifact(
        write(program),
        partial(_text, program),
        reflect(candidate.module, candidate.interface, program, constants),
        Stats(words, words, temporaries_of(program), constants.used, extra, proofs=candidate.found.made.proofs),
        origins=tuple(() if span is NOWHERE else (span,) for span in program.spans),
    )


def _text(program: Program) -> str:
    from backends.pica200.isa.disasm import disassemble_program

    return disassemble_program(program, DiagnosticSink())
