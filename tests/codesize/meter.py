"""Measures a case on any target: compile at -O2, run against the evaluator, give the size of each stage.

Inputs of the runs are random numbers by a fixed seed, and edges where no texture is read.  A lane counts as wrong when
a value is off by more than the target's arithmetic explains; values that are no finite numbers are not compared, nor
are those that differ for the evaluator, too, when inputs change in their last digits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Location
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.linking.match import LinkedPair, link_modules
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.pipeline import PROMOTE
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.programs import compile_linked
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.simulator import Simulated, run_artifact
from glslc_multi.runtime.textures import Texture
from tests.codesize.cases import SizeCase
from tests.codesize.runner import Measured
from tests.conformance.engines.machine import slack_of
from tests.edges import Format, edges

_LANES = 96
#: Inputs are odd multiples of half of this, uniforms multiples of it: every format holds them, and their sums are on no
#: edge between texels, where the last digit of a coordinate would decide.
_GRID = 2.0**-10
#: Lanes of edges, and the coarsest ones.
_EDGE_LANES = 32
_EDGES = edges(format=Format(-1, 1, step=0.125))
_LEVEL = 2
#: Relative errors that a few operations add up to, and the share of values that must not depend on them.
_NUDGE = 2.0**-19
_LEAST_COMPARED = 0.1
#: Rounding of a number to a byte, and an error of the number that tips the scales.
_UNORM8_STEP = 1.0 / 255.0
#: Mesa unrolls loops of up to 32 constant trips, so its sizes are those of unrolled code.
_UNROLL = (
    "inline,simplify-cfg,sroa,mem2reg,repeat(sccp,instcombine,simplify-cfg,dce),loop-unroll{max=4096},sroa,mem2reg"
)
_UNROLLED = ("adreno", "vc4")
#: Names of options in the inputs -> ours.
_OPTION_NAMES = {"version": "agal_version"}
#: Options where the inputs have none: the peer's programs are counted for one thread.
_DEFAULTS: Mapping[str, Mapping[str, object]] = {"vc4": {"threaded": False}}


@dataclass(frozen=True, slots=True)
class Meter:
    """Measures for one target."""

    target: Target

    def __call__(self, case: SizeCase) -> Mapping[str, Measured]:
        modules = _front_end(case)
        unrolled = self._unrolled(case, modules) if self.target.name in _UNROLLED else {}
        shipped = _compile(case, self.target, modules)
        return {stage: self._measured(stage, each, modules, unrolled.get(stage)) for stage, each in shipped.items()}

    def _unrolled(self, case: SizeCase, modules: Mapping[str, Module]) -> Mapping[str, Artifact]:
        """The code with loops as the peer has them; none where it would be too large."""
        modules = {stage: clone_module(module) for stage, module in modules.items()}
        _unroll(modules)
        try:
            return _compile(case, self.target, modules)
        except CompileError:
            return {}

    def _measured(
        self, stage: str, artifact: Artifact, modules: Mapping[str, Module], unrolled: Artifact | None
    ) -> Measured:
        module = modules.get(stage) or modules["vertex"]
        wrong = wrong_values(self.target, artifact, module, modules.get("vertex"))
        extra = artifact.stats.extra or {}
        dual = (extra["dual_slots"], extra["alu_slots"]) if "dual_slots" in extra else None
        nops = {name.removeprefix("nops_"): count for name, count in extra.items() if name.startswith("nops_")}
        size = self.target.size
        return Measured(size(artifact.stats), None if unrolled is None else size(unrolled.stats), wrong, dual, nops)


def make_meter(target: str) -> Meter:
    return Meter(load_target(target))


def artifacts_of(case: SizeCase, target: Target, level: int = _LEVEL) -> Mapping[str, Artifact]:
    """The code that is measured, by stage."""
    modules = _front_end(case)
    if target.name in _UNROLLED:
        _unroll(modules)
    return _compile(case, target, modules, level)


def prove_case(case: SizeCase, target: Target) -> Mapping[str, tuple[Artifact, str]]:
    """By stage the code that a solver had its way with, and what is wrong with its values."""
    modules = _front_end(case)
    made = _compile(replace(case, options={**case.options, "prove": True}), target, modules)
    return {
        stage: (
            artifact,
            wrong_values(
                target, artifact, modules["fragment" if stage == "fragment" else "vertex"], modules.get("vertex")
            ),
        )
        for stage, artifact in made.items()
    }


def _front_end(case: SizeCase) -> dict[str, Module]:
    sink = DiagnosticSink(max_errors=0)
    modules = {
        stage: lower_source(make_source(text, f"{case.name}.{stage}", stage), FrontEndOptions(), sink)
        for stage, text in case.sources.items()
    }
    if len(modules) == 2:
        link_modules(modules["vertex"], modules["fragment"], sink)
    return modules


def _unroll(modules: Mapping[str, Module]) -> None:
    for module in modules.values():
        run_pipeline(module, parse_pipeline(_UNROLL, DiagnosticSink()), PassContext())


def _compile(
    case: SizeCase, target: Target, modules: Mapping[str, Module], level: int = _LEVEL
) -> Mapping[str, Artifact]:
    """The code of modules, which stay as they are."""
    modules = {stage: clone_module(module) for stage, module in modules.items()}
    options = dict(_DEFAULTS.get(target.name, {}))
    options |= {_OPTION_NAMES.get(name, name): value for name, value in case.options.items()}
    request = Request(level, target_options=options)
    if len(modules) == 2:
        pair = LinkedPair(modules["vertex"], modules["fragment"])
        return compile_linked(pair, target, request, DiagnosticSink()).stages
    ((stage, module),) = modules.items()
    sink = DiagnosticSink()
    return {stage: compile_module(module, target, checked_options(target, stage, request, sink), request, sink)}


def wrong_values(target: Target, artifact: Artifact, module: Module, vertex: Module | None = None) -> str:
    """Tell what the code computes otherwise than the module means; "" when nothing.

    A fragment stage that was linked with a vertex stage may rely on what that writes.
    """
    rng = np.random.default_rng(7)
    reads = ("attribute", "input", "varying") if module.stage == "fragment" else ("attribute", "input")
    inputs = {v.name: _random(rng, v, _LANES) for v in module.variables.values() if v.storage in reads}
    samplers = _samplers(module)
    uniforms = _uniforms(rng, module)
    # An index out of range is what GLSL leaves undefined.
    if not samplers and not _has_indices(module):
        _give_edges(rng, inputs)
    all_uniforms = dict(uniforms)
    if module.stage == "fragment" and vertex is not None:
        before = np.random.default_rng(8)
        all_uniforms = _uniforms(before, vertex) | uniforms
        own = {name: all_uniforms[name] for name in _uniforms(before, vertex)}
        given = {
            v.name: _random(before, v, _LANES) for v in vertex.variables.values() if v.storage in ("attribute", "input")
        }
        texels = {v.name: [_texture(before, v, target) for _ in range(v.length)] for v in _samplers(vertex)}
        sent = run_module(clone_module(vertex), given, own, texels, lanes=_LANES, quads=True)
        inputs |= {name: value for name, value in sent.items() if name in inputs}
    textures = {v.name: [_texture(rng, v, target) for _ in range(v.length)] for v in samplers}
    wanted = run_module(clone_module(module), inputs, uniforms, textures, lanes=_LANES, quads=True)
    slack = slack_of(target)
    nudge = _NUDGE + slack.relative / 4
    nudged = [{name: _nudged(rng, nudge, value) for name, value in values.items()} for values in (inputs, uniforms)]
    beside = run_module(clone_module(module), nudged[0], nudged[1], textures, lanes=_LANES, quads=True)
    shader = Simulated(target, artifact, module)
    lent = {v.name: all_uniforms[v.name] for v in artifact.lent if v.storage == "uniform"}
    found = run_artifact(shader, inputs, uniforms | lent, textures, lanes=_LANES, quads=True)
    kept: slice | NDArray[np.bool_] = slice(None)
    if "discarded" in wanted:
        lost, uncertain = wanted["discarded"], beside["discarded"]
        if not (found["discarded"] == lost)[lost == uncertain].all():
            return "other pixels are discarded"
        kept = ~(lost | uncertain | found["discarded"])
    undefined = _undefined(module)
    compared = possible = 0
    outputs = artifact.reflection.outputs + (() if module.stage == "fragment" else artifact.reflection.varyings)
    # What a linker adds, as the depth of pixels, the module does not have.
    for binding in (each for each in outputs if each.name in wanted):
        for location in binding.locations:
            variable = module.variables[binding.name]
            part = [number for number in _part(location, variable) if number not in undefined[binding.name]]
            ours, theirs, nearby = (
                _flat(values[binding.name], variable)[kept][:, part] for values in (found, wanted, beside)
            )
            if len(ours) != len(theirs):
                return "other triangles are emitted"
            absolute, relative = 2e-4 + slack.absolute, 2e-4 + slack.relative
            certain = np.isfinite(theirs) & _agreement(nearby, theirs, absolute, relative)
            if location.transform == "unorm8":
                theirs, absolute = np.clip(theirs, 0.0, 1.0), absolute + _UNORM8_STEP
            if not _agreement(ours, theirs, absolute, relative)[certain].all():
                return f"{binding.name} differs"
            compared, possible = compared + certain.sum(), possible + certain.size
    return "" if compared >= _LEAST_COMPARED * possible else "its values depend on the last digits of its inputs"


def _agreement(ours: Array, theirs: Array, absolute: float, relative: float) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(ours - theirs) <= absolute + relative * np.abs(theirs))


def _part(location: Location, variable: Variable) -> range:
    """Which of a variable's numbers are in a place: a linker may have left out the others."""
    first = (location.element * variable.columns + location.column) * variable.type.width + location.first
    return range(first, first + len(location.components))


def _undefined(module: Module) -> Mapping[str, set[int]]:
    """List which numbers of variables the module leaves undefined: code may have anything there."""
    module = clone_module(module)
    # Before rules choose what is shortest for them.
    run_pipeline(module, PROMOTE, PassContext())
    numbers = defaultdict[str, set[int]](set)
    for store in (i for i in module.main.instructions() if i.op is ops.STORE and not i.address.is_dynamic):
        address, value = store.address, store.operands[-1]
        first = (address.offset * address.variable.columns + address.column) * value.type.width
        for component in range(value.type.width):
            origin, part = source(value, component)
            if isinstance(origin, Constant) and origin.components[part] is None:
                numbers[address.variable.name].add(first + component)
    return numbers


def _nudged(rng: np.random.Generator, nudge: float, values: Any) -> Any:
    """Numbers that are off by what rounding may have done to them."""
    values = np.asarray(values)
    if values.dtype.kind != "f":
        return values
    return values * (1.0 + nudge * rng.choice([-1.0, 1.0], values.shape))


def _flat(values: Array, variable: Variable) -> Array:
    """By lane, or corner of a triangle, all numbers of a variable, those of matrices column by column."""
    if variable.is_matrix:
        values = np.swapaxes(values, -1, -2)
    return np.asarray(values, np.float64).reshape(-1, prod(variable.dims) * variable.columns * variable.type.width)


def _random(rng: np.random.Generator, variable: Variable, lanes: int | None) -> Any:
    """Plausible values: fractions of both signs, small counts, matrices near to rotations, pixels in blocks of four."""
    if variable.role == "frag_coord":
        return _pixels(rng)
    element = (variable.type.width, variable.columns) if variable.is_matrix else (variable.type.width,)
    shape = (*(() if lanes is None else (lanes,)), *variable.dims, *element)
    kind = variable.outer_kind
    values: Array
    if kind == "bool":
        values = rng.integers(0, 2, shape)
    elif kind == "int":
        values = rng.integers(1, 5, shape)
    else:
        values = rng.uniform(0.05, 1.0, shape) * np.where(rng.uniform(size=shape) < 0.3, -1.0, 1.0)
        values = (np.floor(values / _GRID) + (0.0 if lanes is None else 0.5)) * _GRID
    if variable.is_matrix or variable.type.width > 1:
        return values
    return values[..., 0]


def _give_edges(rng: np.random.Generator, inputs: Mapping[str, Array]) -> None:
    """Put numbers at which code changes its mind into the last lanes."""
    for name, values in inputs.items():
        if values.dtype.kind == "f" and name != "gl_FragCoord":
            values[-_EDGE_LANES:] = rng.choice(_EDGES, values[-_EDGE_LANES:].shape)


def _uniforms(rng: np.random.Generator, module: Module) -> dict[str, Array]:
    return {v.name: _random(rng, v, None) for v in module.variables.values() if v.storage == "uniform"}


def _samplers(module: Module) -> list[Variable]:
    return [v for v in module.variables.values() if v.storage == "sampler"]


def _has_indices(module: Module) -> bool:
    """Tell whether something is selected at run time."""
    instructions = (made for function in module.functions.values() for made in function.instructions())
    return any(made.op in (ops.LOAD, ops.STORE) and made.address.is_dynamic for made in instructions)


def _pixels(rng: np.random.Generator) -> Array:
    """Middles of pixels: four in a row are a block, as derivatives see them."""
    corners = rng.integers(0, 32, (_LANES // 4, 2)) * 2
    within = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    places = (corners[:, np.newaxis] + within).reshape(_LANES, 2) + 0.5
    return np.concatenate([places, rng.uniform(0.125, 1.0, (_LANES, 2))], axis=1)


def _texture(rng: np.random.Generator, sampler: Variable, target: Target) -> Texture:
    """Random texels; opaque ones where textures have no alpha."""
    faces = (6,) if sampler.type.kind == "samplerCube" else ()
    texels = rng.integers(0, 256, (*faces, 8, 8, 4)).astype(np.uint8)
    if not target.has_alpha:
        texels[..., 3] = 255
    return Texture(texels, ("nearest", "nearest"), ("repeat", "repeat"))
