"""One generated shader on one target: what its machine code computes otherwise than the evaluator.

What is exact in every number format by construction (sums of small fractions, counts, choices) must agree exactly; what
is approximate, within the error of the target's arithmetic.  The target's own checks (allocation, validation of
the emitted bytes) run in every compilation.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Literal

import numpy as np

from backends.registry import load_target
from compiler.artifact import Artifact
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.driver import compile_module, lower_source, settle_options
from compiler.frontend import FrontEndOptions
from compiler.ir.module import Module
from compiler.options import Request, split_level
from compiler.passes.control_flow.clone import clone_module
from compiler.records import dataclass, replace
from frontends.registry import make_source
from runtime.reference import run_module
from runtime.simulator import Simulated, position_program, run_artifact
from tests.compiler.passes.oracle import ABSOLUTE, RELATIVE
from tests.conformance.machine import slack_of
from tests.generators.glsl import LANES, Program, Stage, generate
from tests.generators.run_glsl import textures_of

Status = Literal["passed", "failed", "skipped"]
_LIMIT_CODES = "E07"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a shader; `reason` is a complaint, or the code of a limit."""

    seed: int
    status: Status
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class Trials:
    """Generated shaders for one target."""

    target: str
    #: As after `-O`.
    level: int | str = 2
    statements: int = 6
    options: Mapping[str, str] | None = None

    def run(self, seed: int) -> Outcome:
        """Make, compile and run the shader of a seed."""
        backend = load_target(self.target)
        random = Random(seed)
        stages: list[Stage] = [stage for stage in ("vertex", "fragment") if stage in backend.stages]
        program = generate(random, random.choice(stages), self.statements)
        try:
            complaint = self._complaint(program)
        except CompileError as error:
            return self._refused(seed, program, error)
        except Exception as error:
            complaint = f"crash: {type(error).__name__}: {error}"
        return Outcome(seed, "failed" if complaint else "passed", complaint, program.source)

    def _refused(self, seed: int, program: Program, error: CompileError) -> Outcome:
        codes = [diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"]
        is_limit = bool(codes) and all(code.startswith(_LIMIT_CODES) for code in codes)
        reason = codes[0] if is_limit else str(error)
        return Outcome(seed, "skipped" if is_limit else "failed", reason, program.source)

    def _complaint(self, program: Program) -> str:
        module = lower_source(
            make_source(program.source, "generated", program.stage), FrontEndOptions(), DiagnosticSink()
        )
        textures = textures_of(program)
        values: dict[str, Any] = {"lanes": LANES, "quads": program.quads, "fill": True}
        wanted = run_module(clone_module(module), program.inputs, program.uniforms, textures, **values)
        shader = self._compiled(clone_module(module), module, program.stage)
        found = run_artifact(shader, program.inputs, program.uniforms, textures, **values)
        complaint = self._difference(program, wanted, found)
        if complaint and shader.options.get("f32") is False:
            # The same code with registers in float32: what is right there, rounded constants aside, differs by the
            # machine's number format alone.
            wider = replace(shader, options={**shader.options, "f32": True})
            found = run_artifact(wider, program.inputs, program.uniforms, textures, **values)
            complaint = self._difference(program, wanted, found, exactly=False)
        return complaint

    def _compiled(self, module: Module, interface: Module, stage: str) -> Simulated:
        backend = load_target(self.target)
        optimisation, small = split_level(self.level)
        given = {**backend.exact_outputs, **(self.options or {})}
        request = Request(optimisation, target_options=given, small=small, verify_each=True)
        sink = DiagnosticSink()
        settled = settle_options(backend, stage, request, sink)
        position = position_program(backend, module, request)
        artifact: Artifact = compile_module(module, load_target(self.target), settled, request, sink)
        return Simulated(backend, artifact, interface, settled.values, position)

    def _difference(
        self, program: Program, wanted: Mapping[str, Any], found: Mapping[str, Any], *, exactly: bool = True
    ) -> str:
        lost = np.asarray(wanted.get("discarded", np.zeros(LANES, np.bool_)))
        if not np.array_equal(lost, found.get("discarded", lost)):
            return f"discarded lanes are {found['discarded'].tolist()}, expected {lost.tolist()}"
        slack = slack_of(load_target(self.target))
        for name, is_exact in program.outputs.items():
            ours = np.asarray(found[name], np.float64)[~lost]
            theirs = np.asarray(wanted[name], np.float64)[~lost]
            absolute, relative = (
                (0.0, 0.0) if is_exact and exactly else (ABSOLUTE + slack.absolute, RELATIVE + slack.relative)
            )
            compared = np.isfinite(theirs)
            if not (np.abs(ours - theirs) <= absolute + relative * np.abs(theirs))[compared].all():
                return f"{name} is\n{ours.tolist()}, expected\n{theirs.tolist()}"
        return ""
