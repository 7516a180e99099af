"""The code generator in order: legalise, plan the interface, select, schedule, finalise, judge, describe."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import cast

from backends.vc4.codegen.abi import make_interface, require_attributes_to_fit
from backends.vc4.codegen.finalize import finalize
from backends.vc4.codegen.judge import judge
from backends.vc4.codegen.legalize import legalize
from backends.vc4.codegen.reflect import map_keys, reflect
from backends.vc4.codegen.refuse import refuse_inexpressible
from backends.vc4.codegen.schedule.strategy import schedule
from backends.vc4.codegen.select import select_program
from backends.vc4.codegen.statistics import statistics_of
from backends.vc4.isa.container import pack
from backends.vc4.isa.program import Program, Stage
from compiler.artifact import Artifact
from compiler.codegen.exact.budget import Budget, budget_of
from compiler.codegen.fit import Exceeded, fitting
from compiler.codegen.places import fill_places
from compiler.diagnostics import DiagnosticSink
from compiler.ir.module import Function, Module
from compiler.options import TargetOptions
from compiler.passes.base import CostModel
from compiler.passes.control_flow.clone import clone_module
from compiler.records import replace

#: A branch, its delay slots, and the reset of the stream after it.
_WORDS_OF_BRANCH = 8.0
#: Code without branches is taken that is shorter than this part of the code with them: what arms have in common is
#: computed once then, and what runs of the code with branches is seldom less.
_MUCH_SHORTER = 0.85


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Make machine code for `module`, with the branches that are worth it.

    Where registers run short there are none but those of loops, and instructions come in an order in which few values
    live at a time.
    """
    budget = budget_of(options.values, sink)
    spare = clone_module(module) if len(module.main.blocks) > 1 else None
    legalize(module, costs, options)
    first = flat = module
    if spare is not None and _has_skips(module.main):
        legalize(spare, replace(costs, branch=inf), options)
        flat = spare
        first = flat if _words(flat.main, costs) < _MUCH_SHORTER * _words(module.main, costs) else module
    make = partial(_generate, first, flat, options, budget)
    artifact, exceeded = fitting(make, sink)
    return replace(artifact, stats=replace(artifact.stats, exceeded=exceeded))


def _has_skips(function: Function) -> bool:
    """Whether some branch leads forward: over an arm, not back to the head of a loop."""
    number = {block: index for index, block in enumerate(function.blocks)}
    return any(
        len(block.successors) > 1 and all(number[after] > index for after in block.successors)
        for block, index in number.items()
    )


def _words(function: Function, costs: CostModel) -> float:
    """About how many words the code takes."""
    estimate = sum(costs.cost(instruction.op, instruction.type.width) for instruction in function.instructions())
    return estimate + _WORDS_OF_BRANCH * (len(function.blocks) - 1)


def _generate(
    module: Module,
    flat: Module,
    options: TargetOptions,
    budget: Budget | None,
    exceeded: Exceeded,
    sink: DiagnosticSink,
) -> Artifact:
    """Make machine code of a legalised module; of `flat`, which has no branches, where registers were too few."""
    if exceeded:
        from backends.vc4.codegen.order import order_for_few_registers

        module = flat
        order_for_few_registers(module.main)
    refuse_inexpressible(module, sink)
    interface = make_interface(module, options, sink)
    function = select_program(module, interface)
    require_attributes_to_fit(interface, sink)
    fill_places(function)
    scheduled = schedule(function, interface, options.optimisation, budget, sink)
    code = finalize(function, scheduled.bundles, is_fragment=interface.is_fragment)
    judge(code, cast(Stage, interface.stage))
    program, stats = Program(tuple(code.words)), statistics_of(code, scheduled)
    return Artifact(
        binary=pack(program),
        write_assembly=partial(_text, program),
        reflection=reflect(module, interface, code.stream, stats.registers),
        stats=stats,
        make_map_keys=partial(map_keys, interface, code.words, code.stream),
        origins=tuple(code.origins),
    )


def _text(program: Program) -> str:
    from backends.vc4.isa.disasm import disassemble_program

    return disassemble_program(program, is_canonical=True)
