"""What the phases of code generation (`compiler/codegen/phases.py`) are for the QPUs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import cast

from glslc_multi.backends.vc4.codegen.abi import TARGET_NAME, Interface, make_interface, require_attributes_to_fit
from glslc_multi.backends.vc4.codegen.finalize import Code, code_of_blocks, code_of_bundles
from glslc_multi.backends.vc4.codegen.legalize import legalize
from glslc_multi.backends.vc4.codegen.reflect import map_keys, reflect
from glslc_multi.backends.vc4.codegen.refuse import refuse_inexpressible
from glslc_multi.backends.vc4.codegen.schedule.integrated import Schedule
from glslc_multi.backends.vc4.codegen.schedule.strategy import schedule
from glslc_multi.backends.vc4.codegen.select import select_program
from glslc_multi.backends.vc4.codegen.statistics import statistics_of
from glslc_multi.backends.vc4.isa.container import pack
from glslc_multi.backends.vc4.isa.program import Program, Stage
from glslc_multi.backends.vc4.isa.validate import validate
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.codegen.exact.budget import budget_of
from glslc_multi.compiler.codegen.fit import Exceeded
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.codegen.phases import CodeGenerator
from glslc_multi.compiler.codegen.places import fill_places
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.passes.base import CostModel
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import replace

#: A branch, its delay slots, and the reset of the stream after it.
_WORDS_OF_BRANCH = 8.0
#: Code without branches is taken that is shorter than this part of the code with them: what arms have in common is
#: computed once then, and what runs of the code with branches is seldom less.
_MUCH_SHORTER = 0.85


class Vc4Generator(CodeGenerator[Interface, MachineFunction, Code]):
    """Makes code with the branches that are worth it.

    Where registers run short there are none but those of loops, and instructions come in an order in which few values
    live at a time.
    """

    target = TARGET_NAME
    #: The module without branches but those of loops; `module` itself where that has no others.
    flat: Module
    scheduled: Schedule

    def legalize(self, sink: DiagnosticSink) -> None:
        self.budget = budget_of(self.options.values, sink)
        spare = clone_module(self.module) if len(self.module.main.blocks) > 1 else None
        legalize(self.module, self.costs, self.options)
        self.flat = self.module
        if spare is not None and _has_skips(self.module.main):
            self.flat = spare
            legalize(self.flat, replace(self.costs, branch=inf), self.options)
            if _words(self.flat.main, self.costs) < _MUCH_SHORTER * _words(self.module.main, self.costs):
                self.module = self.flat
        refuse_inexpressible(self.module, sink)

    def tighten(self, exceeded: Exceeded, sink: DiagnosticSink) -> None:
        from glslc_multi.backends.vc4.codegen.order import OrderForRegisters

        self.module = self.flat
        refuse_inexpressible(self.module, sink)
        run_pipeline(self.module, (OrderForRegisters(),))

    def plan(self, sink: DiagnosticSink) -> Interface:
        return make_interface(self.module, self.options, sink)

    def select(self, sink: DiagnosticSink) -> MachineFunction:
        return select_program(self.module, self.interface)

    def fix_up(self, machine: MachineFunction, sink: DiagnosticSink) -> None:
        require_attributes_to_fit(self.interface, sink)
        fill_places(machine)

    def allocate(self, machine: MachineFunction, sink: DiagnosticSink) -> None:
        self.scheduled = schedule(machine, self.interface, self.options.optimisation, self.budget, sink)

    def finalize(self, machine: MachineFunction, sink: DiagnosticSink) -> Code:
        bundles = self.scheduled.bundles
        code = code_of_blocks(machine) if bundles is None else code_of_bundles(bundles)
        code.complete(is_fragment=self.interface.is_fragment)
        return code

    def judge(self, code: Code) -> Iterator[object]:
        """Return what breaks the rules of the hardware, and of the Linux driver, on the decoded words."""
        yield from validate(code.words, cast(Stage, self.interface.stage))
        if code.verdict.fault is not None:
            yield code.verdict.fault
        if len(code.stream) != code.stream_words:
            yield f"the stream has {len(code.stream)} words, the driver derives {code.stream_words}"

    def describe(self, code: Code) -> Artifact:
        program, stats = Program(tuple(code.words)), statistics_of(code, self.scheduled)
        return Artifact(
            binary=pack(program),
            write_assembly=partial(_text, program),
            reflection=reflect(self.module, self.interface, code.stream, stats.registers),
            stats=stats,
            make_map_keys=partial(map_keys, self.interface, code.words, code.stream),
            origins=tuple(code.origins),
        )


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


def _text(program: Program) -> str:
    from glslc_multi.backends.vc4.isa.disasm import disassemble_program

    return disassemble_program(program, is_canonical=True)
