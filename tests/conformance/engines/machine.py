"""The engine of a target: shaders compiled to machine code, which its simulator runs.

Of a linked pair, the stages that the target lacks run on the evaluator.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import INTEGER_MAY_BE_INEXACT
from glslc_multi.compiler.driver import checked_options, compile_module
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.linking.match import LinkedPair, link_modules
from glslc_multi.compiler.options import QUICK_PROOF, Request, split_level
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.programs import compile_linked
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.target import Target
from glslc_multi.runtime.lent import with_lent
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.simulator import Simulated, Translations, position_program, run_artifact
from tests.conformance.engines.engines import InexactInteger, Observation, Outputs
from tests.conformance.engines.in_bytes import beyond_promises, steps_of
from tests.conformance.engines.reference import as_read, declared, flat_outputs, lowered
from tests.conformance.engines.textures import texture
from tests.conformance.model import Run, Tolerance, Verdict

#: The option of an engine by which ints that its machine may not hold are warned of, not refused.
INEXACT_INTEGERS = "inexact-integers"


def slack_of(target: Target) -> Tolerance:
    """The error of a target's arithmetic beyond float32."""
    precision = target.precision
    return Tolerance(precision.absolute, precision.relative, largest=precision.largest)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A stage ready to run: the source's module, and machine code where the target has the stage."""

    module: Module
    artifact: Artifact | None
    #: The program that leaves the position of vertices, where it is another one.
    position: Artifact | None = None

    @property
    def seen(self) -> Module:
        """The interface of what is run."""
        return self.module if self.artifact is None else with_lent(self.module, self.artifact)

    @property
    def content(self) -> list[object]:
        """What running it depends on besides the values."""
        artifacts = (self.artifact, self.position)
        return [(a.binary, a.reflection, a.map_keys) for a in artifacts if a is not None]


class KeptOutputs:
    """What programs computed for the run at hand: engines of several levels often make the same programs of it."""

    def __init__(self) -> None:
        self._run: Run | None = None
        self._found: list[tuple[object, Outputs]] = []

    def of(self, run: Run, programs: object, compute: Callable[[], Outputs]) -> Outputs:
        """The outputs of programs that are equal to these, else those that `compute` gives."""
        if run is not self._run:
            self._run, self._found = run, []
        for known, outputs in self._found:
            if known == programs:
                return outputs
        outputs = compute()
        self._found.append((programs, outputs))
        return outputs


class MachineEngine:
    """Compiles and simulates for one target."""

    judges_verdicts = False

    def __init__(
        self,
        target: Target,
        request: Request,
        run_options: Mapping[str, object],
        kept: KeptOutputs,
        *,
        translated: bool = False,
    ) -> None:
        self.target = target
        self.request = request
        self.run_options = run_options
        self.kept = kept
        self.translated = translated
        self.slack = slack_of(target)
        self.whole_numbers = target.whole_numbers
        self.wider = self._float32() if "f32" in run_options and not run_options["f32"] else None
        self._last: tuple[object, dict[str, _Compiled]] | None = None
        self._execute: Translations | None = None

    def _float32(self) -> MachineEngine:
        """This engine with the simulator's registers in float32."""
        options = {**self.run_options, "f32": True}
        engine = MachineEngine(self.target, self.request, options, self.kept, translated=self.translated)
        engine.slack = Tolerance(1e-5, 1e-5)
        return engine

    def takes(self, stages: Collection[str]) -> bool:
        """A pair counts where the target has its vertex stage: the fragment half then runs wherever it can."""
        return ("vertex" if "vertex" in stages else "fragment") in self.target.stages

    def check_verdict(self, verdict: Verdict) -> Observation:
        raise AssertionError("verdicts are judged by the reference engine")

    def run_values(self, run: Run) -> Outputs:
        compiled = self._compiled(run)
        programs = [program.content for program in compiled.values()]
        return self.kept.of(run, (programs, self.run_options, self.translated), lambda: self._run(run, compiled))

    def _run(self, run: Run, compiled: Mapping[str, _Compiled]) -> Outputs:
        if len(compiled) == 1:
            (only,) = compiled.values()
            return self._run_stage(only, run.inputs, run, run.lanes)
        written = self._run_stage(compiled["vertex"], run.inputs, run, run.lanes).values
        fragment = compiled["fragment"]
        corners = {name: values for name, values in written.items() if name in fragment.seen.variables}
        if not run.pixels:
            return self._run_stage(fragment, corners, run, run.lanes)
        varyings = {name: np.array(run.pixels) @ np.array(corners[name]) for name in corners}
        return self._run_stage(fragment, varyings, run, len(run.pixels))

    def _compiled(self, run: Run) -> dict[str, _Compiled]:
        """The stages of a run; those of the last one are kept, since runs of a record share them."""
        key = (tuple(run.sources.items()), run.dialect, run.language)
        if self._last is None or self._last[0] != key:
            modules = lowered(run)
            compiled = self._compile_pair(modules) if len(modules) == 2 else self._compile_one(modules)
            _require_exact_integers(compiled)
            self._last = (key, compiled)
            self._execute = Translations(self.target, self.run_options) if self.translated else None
        return self._last[1]

    def _compile_one(self, modules: Mapping[str, Module]) -> dict[str, _Compiled]:
        ((stage, module),) = modules.items()
        sink = DiagnosticSink()
        options = checked_options(self.target, stage, self.request, sink)
        position = position_program(self.target, module, self.request)
        return {
            stage: _Compiled(
                clone_module(module), compile_module(module, self.target, options, self.request, sink), position
            )
        }

    def _compile_pair(self, modules: Mapping[str, Module]) -> dict[str, _Compiled]:
        pair = link_modules(modules["vertex"], modules["fragment"], DiagnosticSink())
        kept = {stage: clone_module(pair.of_stage(stage)) for stage in ("vertex", "fragment")}
        program = compile_linked(LinkedPair(pair.vertex, pair.fragment), self.target, self.request, DiagnosticSink())
        position = program.stages.get(self.target.position_stage or "")
        return {
            stage: _Compiled(module, program.stages.get(stage), position if stage == "vertex" else None)
            for stage, module in kept.items()
        }

    def _run_stage(self, stage: _Compiled, inputs: Mapping[str, object], run: Run, lanes: int) -> Outputs:
        module, artifact = stage.seen, stage.artifact
        given, uniforms = as_read(module, inputs), declared(module, run.uniforms)
        textures = {name: texture(data) for name, data in declared(module, run.textures).items()}
        if artifact is None:
            results = run_module(module, given, uniforms, textures, lanes=lanes, quads=run.quads, fill=True)
        else:
            position, execute = stage.position, self._execute
            shader = Simulated(self.target, artifact, module, self.run_options, position, execute)
            results = run_artifact(shader, given, uniforms, textures, lanes=lanes, quads=run.quads, fill=True)
        discarded = results.pop("discarded", np.zeros(lanes, dtype=np.bool_))
        found = Outputs(dict(flat_outputs(module, results)), discarded.tolist())
        steps = None if artifact is None else steps_of(artifact)
        if artifact is None or steps is None:
            return found
        beyond = beyond_promises(artifact, given, run.uniforms, lanes)
        return replace(found, steps=steps, open_lanes=frozenset(np.flatnonzero(beyond).tolist()))


def _require_exact_integers(compiled: Mapping[str, _Compiled]) -> None:
    for stage in compiled.values():
        for diagnostic in stage.artifact.diagnostics if stage.artifact else ():
            if diagnostic.entry is INTEGER_MAY_BE_INEXACT:
                raise InexactInteger(diagnostic)


def make_machine(
    name: str, optimisation: int | str, options: Mapping[str, str], *, translated: bool = False
) -> MachineEngine:
    """The engine of the target `name`, with its options: its simulator, or its code translated."""
    (engine,) = make_machines(name, [optimisation], options, translated=translated)
    return engine


def make_machines(
    name: str, levels: Sequence[int | str], options: Mapping[str, str], *, translated: bool = False
) -> list[MachineEngine]:
    """Engines of several levels, which run once what they make alike."""
    sink = DiagnosticSink()
    target = find_target(name, sink)
    kept = KeptOutputs()
    inexact = options.get(INEXACT_INTEGERS) == "true"
    own = {name: value for name, value in options.items() if name != INEXACT_INTEGERS}
    engines = []
    for effort, small in map(split_level, levels):
        given = {**target.exact_outputs, **own}
        request = Request(effort, target_options=given, small=small, inexact_integers=inexact, proof=QUICK_PROOF)
        settled = checked_options(target, target.stages[0], request, sink)
        engines.append(MachineEngine(target, request, settled.values, kept, translated=translated))
    return engines
