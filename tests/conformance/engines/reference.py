"""The reference engine: the front end and the passes of a level, and the IR they leave run by the evaluator."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.compiler.ir.evaluate import value_shape
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import check as verify
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from glslc_multi.compiler.linking.match import link_modules
from glslc_multi.compiler.options import split_level
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.pipeline import Pipeline, level
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.verification import verifying
from glslc_multi.frontends.glsl.check import CheckedShader, require_complete
from glslc_multi.frontends.glsl.lower import lower
from glslc_multi.runtime.names import split_name
from glslc_multi.runtime.reference import run_module
from tests.conformance.blocks import blocks_of
from tests.conformance.engines.engines import Observation, Outputs
from tests.conformance.engines.textures import texture
from tests.conformance.model import Dialect, Language, Run, Tolerance, Verdict
from tests.frontends.glsl.shaders import check_shader

#: Our own front end, without anything in between.
GLSL = "glsl"


class ReferenceEngine:
    """Judges everything: verdicts, and values of all stages, in float32."""

    judges_verdicts = True
    slack = Tolerance(0.0, 0.0)
    whole_numbers: WholeNumbers | None = None
    wider = None

    def __init__(self, pipeline: Pipeline) -> None:
        #: The passes that run before the evaluator.
        self.pipeline = pipeline

    def takes(self, stages: Collection[str]) -> bool:
        return True

    def check_verdict(self, verdict: Verdict) -> Observation:
        """A stage is accepted without a `main`, since only linking needs one; what has one is lowered too."""
        checked: dict[str, CheckedShader] = {}
        stage_errors: dict[str, Sequence[Diagnostic]] = {}
        for stage, source in verdict.sources.items():
            try:
                checked[stage] = check_source(source, stage, verdict.dialect, verdict.language)
                _lower_if_complete(checked[stage])
            except CompileError as error:
                stage_errors[stage] = _errors(error)
        if len(checked) < 2:
            return Observation(stage_errors)
        try:
            link_modules(lower_checked(checked["vertex"]), lower_checked(checked["fragment"]), DiagnosticSink())
        except CompileError as error:
            return Observation(stage_errors, _errors(error))
        return Observation(stage_errors)

    def run_values(self, run: Run) -> Outputs:
        modules = lowered(run)
        if len(modules) == 2:
            return self._run_pair(modules["vertex"], modules["fragment"], run)
        (module,) = modules.values()
        blocks = blocks_of(module)
        return replace(self._run_stage(module, run.inputs, run, run.lanes), blocks=blocks)

    def _run_pair(self, vertex: Module, fragment: Module, run: Run) -> Outputs:
        link_modules(vertex, fragment, DiagnosticSink())
        written = self._run_stage(vertex, run.inputs, run, run.lanes).values
        # The elements of arrays are listed besides the arrays; the fragment stage has variables for the whole only.
        corners = {name: values for name, values in written.items() if name in fragment.variables}
        if not run.pixels:
            return self._run_stage(fragment, corners, run, run.lanes)
        varyings = {name: np.array(run.pixels) @ np.array(corners[name]) for name in corners}
        return self._run_stage(fragment, varyings, run, len(run.pixels))

    def _run_stage(self, module: Module, inputs: Mapping[str, object], run: Run, lanes: int) -> Outputs:
        with verifying(True):
            run_pipeline(module, self.pipeline)
        results = self._execute(
            module,
            as_read(module, inputs),
            declared(module, run.uniforms),
            {name: texture(data) for name, data in declared(module, run.textures).items()},
            lanes=lanes,
            quads=run.quads,
        )
        discarded = results.pop("discarded", np.zeros(lanes, dtype=np.bool_))
        return Outputs(dict(flat_outputs(module, results)), discarded.tolist())

    def _execute(self, module: Module, *values: Mapping[str, Any], lanes: int, quads: bool) -> dict[str, Array]:
        """Run a module; values that a record does not give are 0."""
        return run_module(module, *values, lanes=lanes, quads=quads, fill=True)


def make_reference(optimisation: int | str, _options: Mapping[str, str]) -> ReferenceEngine:
    """The engine, running the passes of an optimisation level; it has no options of its own."""
    return ReferenceEngine(level(split_level(optimisation)[0]))


def lowered(run: Run) -> dict[str, Module]:
    """Modules of the stages of a run, to be changed at will: what the front end made is kept for the next engine."""
    return {
        stage: clone_module(_front_end(source, stage, run.dialect, run.language))
        for stage, source in run.sources.items()
    }


def use_front_end(name: str) -> None:
    """Let `lowered` go another way from here on: "glsl", or one of `tests/conformance/spirv/compilers.py`."""
    global _way
    _way = name
    _front_end.cache_clear()


_way = GLSL


def front_end_in_use() -> str:
    return _way


@lru_cache(maxsize=4)
def _front_end(source: str, stage: str, dialect: Dialect, language: Language) -> Module:
    if _way != GLSL:
        from tests.conformance.spirv.route import module_of

        return module_of(source, stage, language, _way)  # type: ignore[arg-type]
    return lower_checked(check_source(source, stage, dialect, language))


def check_source(source: str, stage: str, dialect: Dialect, language: Language) -> CheckedShader:
    """The front end without lowering.  What WebGL forbids beyond the language is an error in its dialect."""
    assert stage in ("vertex", "fragment")
    sink = DiagnosticSink(max_errors=0, error_groups=frozenset({"portability"} if dialect == "webgl" else ()))
    return check_shader(
        source,
        filename=stage,
        stage=stage,  # type: ignore[arg-type]
        dialect=dialect,
        std=language.std,
        # GLSL 1.10, the version of a text that names none, has no profile without the fixed functions.
        compat=language.compat or (language.std == "110" and "#version" not in source),
        sink=sink,
    )


def lower_checked(checked: CheckedShader) -> Module:
    """The verified module of a shader that has a `main` and every function it calls."""
    sink = DiagnosticSink()
    require_complete(checked, sink)
    sink.raise_if_errors()
    assert checked.main is not None
    module = lower(checked, checked.main, sink)
    sink.raise_if_errors()
    verify(module, final=True)
    return module


def _lower_if_complete(checked: CheckedShader) -> None:
    if checked.main is not None and not checked.undefined:
        lower_checked(checked)


def _errors(error: CompileError) -> list[Diagnostic]:
    return [diagnostic for diagnostic in error.diagnostics if diagnostic.severity == "error"]


def declared(module: Module, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of variables that this stage uses; a record gives those of all stages."""
    return {name: value for name, value in values.items() if split_name(name)[0] in module.variables}


def as_read(module: Module, inputs: Mapping[str, Any]) -> dict[str, Array]:
    """The inputs that the shader uses; those wider than declared are cut off, as OpenGL does."""
    read = {}
    for name, value in declared(module, inputs).items():
        size = prod(value_shape(module.variables[name]))
        read[name] = np.array(value, dtype=np.float64)[:, :size]
    return read


def flat_outputs(module: Module, results: Mapping[str, Array]) -> Iterator[tuple[str, list[list[float]]]]:
    """Each output as the numbers of each lane, arrays also element by element."""
    for name, value in results.items():
        variable = module.variables[name]
        by_columns = np.swapaxes(value, -1, -2) if variable.is_matrix else value
        lanes = len(value)
        yield name, by_columns.reshape(lanes, -1).tolist()
        for index in range(variable.length if variable.is_array else 0):
            yield f"{name}[{index}]", by_columns[:, index].reshape(lanes, -1).tolist()
