"""One generated shader on one target: what its machine code computes otherwise than the evaluator.

What is exact in every number format by construction (sums of small fractions, counts, choices) must agree exactly; what
is approximate, within the error of the target's arithmetic.  The target's own checks (allocation, validation of
the emitted bytes) run in every compilation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Literal

import numpy as np

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Verdict
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.usage import PROOF_FAILED
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import NO_PROOF, QUICK_PROOF, Request, split_level
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.records import dataclass, field, replace
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.simulator import Simulated, position_program, run_artifact
from tests.code_generators import LEVELS
from tests.compiler.passes.oracle import ABSOLUTE, RELATIVE
from tests.conformance.engines.in_bytes import STEPS, beyond_promises, steps_of
from tests.conformance.engines.machine import slack_of
from tests.generated.values import Values, edge_values, own_values
from tests.generators.es300.aggregates import generate_aggregates
from tests.generators.es300.flow import generate_flow
from tests.generators.es300.integers import generate_integers
from tests.generators.es300.wide import generate_wide
from tests.generators.es300.wild import generate_sums, generate_wild
from tests.generators.glsl import LANES, Program, Stage, generate
from tests.generators.loops import generate_loops
from tests.generators.run_glsl import textures_of
from tests.generators.units import generate_units

Status = Literal["passed", "failed", "skipped"]
#: Limits of machines, and numbers from outside that are beyond what code for a machine expects.
LIMIT_CODES = ("E07", "E0664")
#: Kind of programs -> what makes one of a random source, a stage and a number of statements.
KINDS: Mapping[str, Callable[[Random, Stage, int], Program]] = {
    "any": generate,
    "loops": generate_loops,
    "integers": generate_integers,
    "flow": generate_flow,
    "aggregates": generate_aggregates,
    "units": generate_units,
    "wide": generate_wide,
    "wild": generate_wild,
    "sums": generate_sums,
}
STAGES: tuple[Stage, ...] = ("vertex", "fragment")
#: Of shaders: the least and the most statements of `main`.
_SIZES = (2, 12)
#: Of one of the runs on more edges.
_MORE_LANES = 25 * LANES


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a shader at a level; `reason` is a complaint, or the code of a limit."""

    seed: int
    level: str
    status: Status
    reason: str
    source: str
    #: Of the code, in the target's unit, and its registers; None where there is none.
    size: tuple[int, int] | None = None
    #: The verdict of the proof.
    proof: str = ""
    #: Whether values were compared: some programs have none that count.
    is_judged: bool = False


@dataclass(frozen=True, slots=True)
class Trials:
    """Generated shaders for one target."""

    target: str
    options: Mapping[str, str] = field(default_factory=dict)
    #: As after `-O`.
    levels: Sequence[str] = LEVELS
    #: Size of a shader; None for all sizes from 2 to 12.
    statements: int | None = None
    kind: str = "any"
    #: How thoroughly code is proven.
    proof: str = QUICK_PROOF

    def run(self, seed: int, more: int = 0) -> list[Outcome]:
        """Make the shader of a seed, compile and run it at every level; so many times more on nothing but edges."""
        random = Random(seed)
        stages = load_target(self.target).stages
        stage: Stage = random.choice([stage for stage in STAGES if stage in stages])
        program = KINDS[self.kind](random, stage, self.statements or random.randint(*_SIZES))
        sets = [own_values(program)]
        sets += [edge_values(program, random, _MORE_LANES, are_colours=bool(n % 2)) for n in range(more)]
        return self.outcomes_of(program, seed, sets)

    def outcomes_of(self, program: Program, seed: int = 0, sets: Sequence[Values] = ()) -> list[Outcome]:
        """Compile a shader and run it on sets of values, or its own, at every level."""
        target = load_target(self.target)
        trial = _Trial(target, self.options, program, self.proof, sets or [own_values(program)])
        return [self._outcome(trial, seed, level) for level in self.levels]

    @staticmethod
    def _outcome(trial: _Trial, seed: int, level: str) -> Outcome:
        source = trial.program.source
        try:
            complaint = trial.complaint(level)
        except CompileError as error:
            codes = [diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"]
            if codes and all(code.startswith(LIMIT_CODES) for code in codes):
                return Outcome(seed, level, "skipped", codes[0], source)
            complaint = error.summary
            if PROOF_FAILED.code in codes:
                complaint += f"; without the proof: {trial.unproven_complaint(level) or 'values are right'}"
        except Exception as error:
            complaint = f"crash: {type(error).__name__}: {error}"
        proof = "" if trial.verdict is None else trial.verdict.outcome
        status: Status = "failed" if complaint else "passed"
        return Outcome(seed, level, status, complaint, source, trial.size, proof, trial.is_judged)


class _Trial:
    """One shader on one target.  Levels share the front end's and the evaluator's work."""

    def __init__(
        self,
        target: Target,
        options: Mapping[str, str],
        program: Program,
        proof: str,
        sets: Sequence[Values],
    ) -> None:
        self.target = target
        self.sets = sets
        self.options = options
        self.program = program
        self.proof = proof
        self._textures = textures_of(program)
        #: Size and registers of what was compiled last; whether any of its values were compared.
        self.size: tuple[int, int] | None = None
        #: The proof's on it.
        self.verdict: Verdict | None = None
        self.is_judged = False
        #: What was compiled, with the complaint about it: several levels often make the same program.
        self._known: list[tuple[object, str]] = []
        self._wanted: dict[int, dict[str, Any]] = {}

    def complaint(self, level: str) -> str:
        """What the machine code of a level computes otherwise than the evaluator."""
        self.size = self.verdict = None
        shader = self._compiled(level, self.proof)
        self.size = self.target.size(shader.artifact.stats), shader.artifact.stats.registers
        self.verdict = shader.artifact.stats.verdict
        artifacts = [artifact for artifact in (shader.artifact, shader.position) if artifact is not None]
        content = [(artifact.binary, artifact.reflection, artifact.map_keys) for artifact in artifacts]
        for known, complaint in self._known:
            if known == content:
                return complaint
        complaint = self._compared(shader)
        self._known.append((content, complaint))
        return complaint

    def unproven_complaint(self, level: str) -> str:
        """What code computes otherwise of which the proof says that it does."""
        try:
            return self._compared(self._compiled(level, NO_PROOF))
        except CompileError as error:
            return error.summary

    @cached_property
    def _module(self) -> Module:
        source = make_source(self.program.source, "generated", self.program.stage)
        return lower_source(source, FrontEndOptions(), DiagnosticSink())

    def _wanted_of(self, number: int) -> dict[str, Any]:
        """What the evaluator makes of a set of values."""
        if number not in self._wanted:
            values = self.sets[number]
            given = values.inputs, values.uniforms, self._textures
            options: dict[str, Any] = {"lanes": values.lanes, "quads": self.program.quads, "fill": True}
            self._wanted[number] = run_module(clone_module(self._module), *given, **options)
        return self._wanted[number]

    def _compiled(self, level: str, proof: str) -> Simulated:
        optimisation, small = split_level(level)
        given = {**self.target.exact_outputs, **self.options}
        request = Request(optimisation, target_options=given, small=small, verify_each=True, proof=proof)
        sink = DiagnosticSink()
        module = clone_module(self._module)
        checked = checked_options(self.target, module.stage, request, sink)
        position = position_program(self.target, module, request)
        artifact = compile_module(module, self.target, checked, request, sink)
        return Simulated(self.target, artifact, self._module, checked.values, position)

    def _compared(self, shader: Simulated) -> str:
        return next(filter(None, (self._compared_on(shader, number) for number in range(len(self.sets)))), "")

    def _compared_on(self, shader: Simulated, number: int) -> str:
        complaint = self._difference(shader, number)
        if complaint and shader.options.get("f32") is False:
            # The same code with registers in float32: what is right there, rounded constants aside, differs by the
            # machine's number format alone.
            wider = replace(shader, options={**shader.options, "f32": True})
            complaint = self._difference(wider, number, exactly=False)
        return complaint

    def _found(self, shader: Simulated, values: Values) -> dict[str, Any]:
        given = values.inputs, values.uniforms, self._textures
        return run_artifact(shader, *given, lanes=values.lanes, quads=self.program.quads, fill=True)

    def _difference(self, shader: Simulated, number: int, *, exactly: bool = True) -> str:
        values = self.sets[number]
        wanted, found, steps = self._wanted_of(number), self._found(shader, values), steps_of(shader.artifact)
        lost = np.asarray(wanted.get("discarded", np.zeros(values.lanes, np.bool_)))
        # Lanes that read numbers of which the code was promised other ones.
        beyond = np.zeros_like(lost)
        if steps is not None:
            beyond = beyond_promises(shader.artifact, values.inputs, values.uniforms, values.lanes)
        if not np.array_equal(lost[~beyond], np.asarray(found.get("discarded", lost))[~beyond]):
            return f"discarded lanes are {found['discarded'].tolist()}, expected {lost.tolist()}"
        self.is_judged |= bool(lost[~beyond].any())
        slack = slack_of(self.target)
        for name, is_exact in self.program.outputs.items():
            ours = np.asarray(found[name], np.float64)[~lost & ~beyond]
            theirs = np.asarray(wanted[name], np.float64)[~lost & ~beyond]
            absolute, relative = (
                (0.0, 0.0) if is_exact and exactly else (ABSOLUTE + slack.absolute, RELATIVE + slack.relative)
            )
            if steps is not None:
                theirs, absolute, relative = np.clip(theirs, 0, 1), steps / STEPS, 0.0
            compared = np.isfinite(theirs)
            self.is_judged |= bool(compared.any())
            if not (np.abs(ours - theirs) <= absolute + relative * np.abs(theirs))[compared].all():
                return f"{name} is\n{ours.tolist()}, expected\n{theirs.tolist()}"
        return ""
