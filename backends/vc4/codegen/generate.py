"""The code generator in order: legalise, plan the interface, select, schedule, finalise, judge, describe."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import inf
from typing import Any, cast

from backends.vc4.codegen.abi import make_interface, require_attributes_to_fit
from backends.vc4.codegen.finalize import finalize
from backends.vc4.codegen.judge import judge
from backends.vc4.codegen.legalize import legalize
from backends.vc4.codegen.reflect import reflect
from backends.vc4.codegen.schedule.strategy import schedule
from backends.vc4.codegen.select import select_program
from backends.vc4.codegen.statistics import statistics_of
from backends.vc4.isa.container import pack
from backends.vc4.isa.program import Program, Stage
from compiler.artifact import Artifact
from compiler.codegen.exact.proof import budget_of
from compiler.codegen.levels import Level, first_that_fits, required
from compiler.codegen.places import fill_places
from compiler.diagnostics import DiagnosticSink
from compiler.ir.module import Module
from compiler.options import TargetOptions
from compiler.passes.base import CostModel
from compiler.passes.control_flow.clone import clone_module
from compiler.records import replace

#: Costs other than the usual ones.
_LEVELS: tuple[Level[Mapping[str, Any]], ...] = (
    Level("branching", "code that costs more than a branch is skipped where no lane needs it", {}),
    Level("flat", "no branches but those of loops, which takes fewer registers", {"branch": inf}),
)


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Machine code for `module`; where that does not fit, without any branches."""
    if len(module.main.blocks) == 1:
        return _generate(module, costs, options, sink)

    def make(level: Level[Mapping[str, Any]], trial: DiagnosticSink) -> Artifact:
        return _generate(clone_module(module), replace(costs, **level.values), options, trial)

    found = required(first_that_fits(_LEVELS, make, sink), sink)
    return found.made.at_levels(found.taken)


def _generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    legalize(module, costs, options, sink)
    interface = make_interface(module, options, sink)
    function = select_program(module, interface)
    require_attributes_to_fit(interface, sink)
    fill_places(function)
    scheduled = schedule(function, interface, options.optimisation, budget_of(proves=options.prove), sink)
    code = finalize(function, scheduled.bundles, is_fragment=interface.is_fragment)
    judge(code, cast(Stage, interface.stage))
    program, stats = Program(tuple(code.words)), statistics_of(code, scheduled)
    return Artifact(
        binary=pack(program),
        write_assembly=partial(_text, program),
        reflection=reflect(module, interface, code.stream, stats.registers),
        stats=stats,
        origins=tuple(code.origins),
    )


def _text(program: Program) -> str:
    from backends.vc4.isa.disasm import disassemble_program

    return disassemble_program(program, is_canonical=True)
