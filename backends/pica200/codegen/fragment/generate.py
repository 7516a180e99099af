"""Code generation for the fragment stage, its phases in order: an IR module to the registers of the combiners.

flatten -> wire textures and varyings -> walk (polynomials, host) -> alpha test -> search for stages -> registers,
preamble, register map
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import ceil, inf
from typing import cast

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.fragment.finish.alpha_test import NoTest, Test, plan_test
from glslc_multi.backends.pica200.codegen.fragment.finish.artifact import configuration_of, reflect, stage_code
from glslc_multi.backends.pica200.codegen.fragment.plan import Plan, plan
from glslc_multi.backends.pica200.codegen.fragment.prove.check import SLACK, check_bytes, check_values
from glslc_multi.backends.pica200.codegen.fragment.prove.problem import NoSolution, Problem, Solution
from glslc_multi.backends.pica200.codegen.fragment.read.promises import is_opaque
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import refuse, refuse_discard
from glslc_multi.backends.pica200.codegen.fragment.read.steps import saturated
from glslc_multi.backends.pica200.codegen.fragment.read.walk import Pixel
from glslc_multi.backends.pica200.codegen.fragment.search.fewest import (
    find_general_stages,
    find_stages,
    general_literal,
)
from glslc_multi.backends.pica200.codegen.fragment.search.goals import pattern_of
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.find import warn_of_lighting
from glslc_multi.backends.pica200.codegen.fragment.unplaced import refuse_plain_parts, refuse_problem
from glslc_multi.backends.pica200.isa.fragment.container import write
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from glslc_multi.backends.pica200.isa.fragment.listing import list_writes
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import STAGE_BASES, STAGE_REGISTERS
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE, Rounding
from glslc_multi.backends.pica200.isa.fragment.validate import validate
from glslc_multi.compiler.artifact import Artifact, Stats
from glslc_multi.compiler.codegen.phases import CodeGenerator
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import COMBINER_INEXACT, COMBINER_ROUGH
from glslc_multi.compiler.isa.listing import Origins
from glslc_multi.compiler.records import replace

#: Steps of 1/255 by which a result may differ without a warning.
_ROUGH = 8
#: Pixels on which every program is tried.
_SAMPLES = 12


#: What is looked for, and what the search answers.
_Attempt = tuple[Plan, Test, Problem, Solution | NoSolution]


class CombinerGenerator(CodeGenerator[Plan, Solution, Solution]):
    """Makes the register writes of a fragment shader: a search finds the stages of the combiners."""

    target = TARGET_NAME
    problem: Problem

    def legalize(self, sink: DiagnosticSink) -> None:
        self.interface = plan(self.module, self.options, sink)
        refuse_plain_parts(self.interface.wiring, sink)

    def plan(self, sink: DiagnosticSink) -> Plan:
        return self.interface

    def select(self, sink: DiagnosticSink) -> Solution:
        self.allowed = int(self.options.values.get("max_error", 32))
        plans = [self.interface, *self.interface.others]
        best = min((self._attempt(each, sink) for each in plans), key=self._cost)
        self.interface, self.test, self.problem, solution = best
        if isinstance(solution, NoSolution) or solution.bound > self.allowed:
            self.interface.walk.refuse_steps()
        if isinstance(solution, NoSolution):
            refuse_problem(self.interface, solution, sink)
        return solution

    def _attempt(self, planned: Plan, sink: DiagnosticSink) -> _Attempt:
        rounding = cast("Rounding", self.options.values.get("rounding", "azahar"))
        test = _test(planned.pixel, is_opaque(self.module), sink)
        problem = Problem(
            planned.pixel.colour, test.alpha, errors=planned.errors, allowed=self.allowed, rounding=rounding
        )
        if planned.walk.has_steps:
            # Rows of doublings are found soon or not at all.
            problem = replace(problem, work=problem.work // 2)
        return planned, test, *_solved(planned, problem)

    def _cost(self, attempt: _Attempt) -> tuple[float, int]:
        """Return the number of stages, and what a change of uniforms costs the host."""
        planned, _, _, solution = attempt
        if isinstance(solution, NoSolution) or solution.bound > self.allowed:
            return inf, 0
        return len(solution.stages), planned.host_writes

    def finalize(self, machine: Solution, sink: DiagnosticSink) -> Solution:
        # Say how exact the result is where it is far from it.
        span, exact = self.interface.pixel.colour_span, self.interface.bound_of(machine.bound)
        bound = f"{exact:.1f}"
        if self.interface.lit is not None:
            warn_of_lighting(self.interface.lit, span, sink)
        if exact > self.allowed:
            help = f"--max-error {ceil(exact)} allows it"
            refuse(sink, COMBINER_INEXACT, span, bound=bound, allowed=self.allowed, help=help)
        if exact > _ROUGH:
            sink.report(COMBINER_ROUGH, span, bound=bound, target=TARGET_NAME)
        self.code = stage_code(machine, self.test)
        for unit in self.interface.units:
            self.code.add(unit)
        self.writes = encode(configuration_of(machine, self.test, self.code))
        return machine

    def judge(self, code: Solution) -> Iterator[object]:
        yield from _faults(self.problem, code)
        yield from validate(self.writes)

    def describe(self, code: Solution) -> Artifact:
        planned, stages = self.interface, len(code.stages)
        constants = sum(any(part is not None for part in stage.constant) for stage in code.stages)
        on_host = {"host_tables": len(self.code.host_tables), "host_writes": self.code.host_writes}
        used = {"texture_units": len(planned.wiring.units)} | {name: count for name, count in on_host.items() if count}
        bound = ceil(100 * planned.bound_of(code.bound) - 1e-9) / 100
        return Artifact(
            write(self.writes),
            partial(_text, self.writes),
            reflect(self.module, planned.wiring, self.code, stages),
            Stats(stages, stages, 0, constants, used, error_steps=bound, is_shortest=code.is_fewest),
            preamble=planned.host.preamble(self.module, self.code.results, self.code.host_tables),
            origins=_origins(self.writes, stages, planned.pixel.colour_span),
        )


def _solved(planned: Plan, problem: Problem) -> tuple[Problem, Solution | NoSolution]:
    """Return the pixel as it is written, or where that takes fewer stages, with what the host adds to it held to 1."""
    # Where channels are different formulas, they may be one with other numbers for literals.
    general = None
    if not planned.units and pattern_of(problem.colour) is None:
        general = planned.walk.general_colour(planned.block, general_literal)
    if general is None or pattern_of(general) is None:
        solution = find_stages(problem)
    else:
        solution = find_general_stages(problem, general)
    colour = tuple(saturated(channel, planned.host) for channel in problem.colour)
    if colour == problem.colour or (isinstance(solution, Solution) and len(solution.stages) == 1):
        return problem, solution
    held = replace(problem, colour=colour)
    other = find_stages(held)
    is_better = isinstance(other, Solution) and (
        isinstance(solution, NoSolution) or len(other.stages) < len(solution.stages)
    )
    return (held, other) if is_better else (problem, solution)


def _faults(problem: Problem, solution: Solution) -> Iterator[str]:
    """Return what other code than the search finds wrong: by real numbers, and by the machine's on pixels."""
    fault = check_values(problem, solution)
    if fault is not None:
        yield fault
    difference = check_bytes(problem, solution, _SAMPLES)
    if difference > solution.bound + WHOLE * SLACK:
        yield f"a pixel is off by {difference:.2f} steps, the bound is {solution.bound:.2f}"


def _test(pixel: Pixel, is_opaque: bool, sink: DiagnosticSink) -> Test:
    try:
        return plan_test(pixel.discard, None if is_opaque else pixel.alpha)
    except NoTest as failure:
        refuse_discard(pixel.discard_span, str(failure), sink)


def _origins(writes: Sequence[Write], stages: int, colour: Span | None) -> tuple[Origins, ...]:
    """Registers of the stages in use come from what computes the colour."""
    used = {base + index for base in STAGE_BASES[:stages] for index in range(len(STAGE_REGISTERS))}
    return tuple(
        (colour,) if colour is not None and int(word.address, 16) in used else () for word in list_writes(writes)
    )


def _text(writes: Sequence[Write]) -> str:
    from glslc_multi.backends.pica200.isa.fragment.text.disassemble import disassemble

    return disassemble(writes)
