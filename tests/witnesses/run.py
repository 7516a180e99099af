"""Compiles a witness, and runs the code against the evaluator.

Inputs are numbers that tell one sign, component and operand from another: quarters of both signs and zero, no two
components of a vector alike; in every other lane edges, as the witness's literals and what is next to them.  Bools and
ints that the host sets have two values each, one after the other, so that tests have either outcome and loops some
rounds and none.  Ints without a sign have any 32 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.primitive import primitive_of
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import NO_PROOF
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.simulator import Simulated, position_program, run_artifact
from glslc_multi.runtime.textures import Texture
from tests.conformance.engines.machine import slack_of
from tests.edges import UINTS, Format, edges, literals_of
from tests.witnesses.witness import SHARED, Witness

LANES = 32
#: As far as other inputs go: some witnesses have outputs, or arrays, for these only.
_EIGHTHS = Format(-2, 2, step=0.125)
#: Rounding of float32, beside that of the target.
_ABSOLUTE, _RELATIVE = 2e-5, 2e-5


@dataclass(frozen=True, slots=True)
class Compiled:
    """The code of a witness."""

    shader: Simulated
    literals: Sequence[float]

    @property
    def artifact(self) -> Artifact:
        return self.shader.artifact

    @property
    def size(self) -> int:
        """As `--stats` calls it: the target's own unit by which code is compared."""
        return self.shader.target.size(self.artifact.stats)

    def complaint(self, seed: int = 1) -> str:
        """What the code computes otherwise than the shader means; "" if nothing."""
        return complaint(self.shader, self.literals, seed)


def targets_of(witness: Witness) -> Sequence[str]:
    """Name the target that a witness is for; of what all share, those that have its stage and its options."""
    if witness.folder != SHARED:
        return (witness.folder,)
    return [target.name for target in map(load_target, target_names()) if witness.suits(target)]


def compile_witness(witness: Witness, target_name: str, *, is_checked: bool = True) -> Compiled:
    """Compile for a target; what it refuses is raised as a `CompileError`."""
    target = load_target(target_name)
    request = witness.request(dict(target.exact_outputs))
    if not is_checked:
        request = replace(request, proof=NO_PROOF, verify_each=False)
    module, sink = module_of(witness), DiagnosticSink()
    settled = checked_options(target, witness.stage, request, sink)
    artifact = compile_module(clone_module(module), target, settled, request, sink)
    position = position_program(target, module, request)
    return Compiled(Simulated(target, artifact, module, settled.values, position), literals_of(witness.source))


def module_of(witness: Witness) -> Module:
    """What the front end leaves of it, or the module that it is."""
    sink = DiagnosticSink()
    if not witness.is_module:
        return lower_source(make_source(witness.source, witness.place, witness.stage), FrontEndOptions(), sink)
    module = parse_module(witness.source, witness.place, sink)
    sink.raise_if_errors()
    assert module is not None
    return module


def complaint(shader: Simulated, literals: Sequence[float] = (), seed: int = 1) -> str:
    """What the code computes otherwise than the shader means; "" if nothing."""
    module, target = shader.module, shader.target
    random, drawn = Random(seed), Random(seed + 1)
    reads = ("attribute", "input", "varying") if module.stage == "fragment" else ("attribute", "input")
    variables = list(module.variables.values())
    inputs = {v.name: _values(random, v, LANES) for v in variables if v.storage in reads}
    for variable in variables:
        if variable.name in inputs:
            inputs[variable.name][1::2] = _values(drawn, variable, LANES // 2, edges_of(variable, literals))
    _keep_to_what_can_be(inputs, module)
    uniforms = {v.name: _values(random, v, None) for v in variables if v.storage == "uniform"}
    textures = {v.name: [_texture(random, v, shader)] * v.length for v in variables if v.storage == "sampler"}
    options: dict[str, Any] = {"lanes": LANES, "quads": module.stage == "fragment", "fill": True}
    has_tests = any(v.outer_kind != "float" for v in variables if v.storage == "uniform")
    for values in (uniforms, _opposites(variables, uniforms)) if has_tests else (uniforms,):
        wanted = run_module(clone_module(module), inputs, values, textures, **options)
        found = run_artifact(shader, inputs, values, textures, **options)
        difference = _difference(target, wanted, found)
        if difference:
            return difference
    return ""


def _keep_to_what_can_be(inputs: dict[str, Any], module: Module) -> None:
    """What the rasteriser and the host never give, machines need not know."""
    if "gl_FragCoord" in inputs:
        # Windows have no pixels left of them, nor behind the eye.
        inputs["gl_FragCoord"] = np.abs(inputs["gl_FragCoord"]) + 0.5
    primitive = primitive_of(module.pragmas)
    if primitive is not None and "gl_VerticesIn" in inputs:
        numbers = np.abs(inputs["gl_VerticesIn"]) + primitive.vertices
        inputs["gl_VerticesIn"] = np.minimum(numbers, primitive.positions)


def _opposites(variables: Iterable[Variable], uniforms: Mapping[str, Any]) -> dict[str, Any]:
    """Other values of the bools and ints, on which tests and the rounds of loops depend."""
    others = dict(uniforms)
    for variable in variables:
        if variable.storage == "uniform" and variable.outer_kind == "bool":
            others[variable.name] = 1 - uniforms[variable.name]
        elif variable.storage == "uniform" and variable.outer_kind == "int":
            values = uniforms[variable.name]
            others[variable.name] = np.where(values == 0, 3, -values)
    return others


def _difference(target: Target, wanted: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    lost = np.asarray(wanted.get("discarded", np.zeros(LANES, np.bool_)))
    if not np.array_equal(lost, found.get("discarded", lost)):
        return f"discarded lanes are {found['discarded'].tolist()}, expected {lost.tolist()}"
    slack = slack_of(target)
    for name, values in wanted.items():
        ours, theirs = (_kept(result, lost) for result in (found[name], values))
        if ours.shape != theirs.shape:
            return f"{name} has the shape {ours.shape}, expected {theirs.shape}"
        if np.asarray(values).dtype.kind in "iu":
            if not np.array_equal(ours, theirs):
                return f"{name} is\n{ours.tolist()}, expected\n{theirs.tolist()}"
            continue
        compared = np.isfinite(theirs)
        allowed = _ABSOLUTE + slack.absolute + (_RELATIVE + slack.relative) * np.abs(theirs)
        if not (np.abs(ours[compared] - theirs[compared]) <= allowed[compared]).all():
            return f"{name} is\n{ours.tolist()}, expected\n{theirs.tolist()}"
    return ""


def _kept(values: Any, lost: Any) -> Any:
    """The values of the lanes that are left; of geometry shaders, those of all triangles."""
    found = np.asarray(values, np.float64)
    return found[~lost] if lost.any() else found


def edges_of(variable: Variable, literals: Sequence[float]) -> list[float]:
    """Edges of the kind of a variable; none of bools and of ints, which loops count to."""
    if variable.outer_kind == "uint":
        return edges(literals, format=UINTS)
    return edges(literals, format=_EIGHTHS) if variable.outer_kind == "float" else []


def _values(random: Random, variable: Variable, lanes: int | None, chosen: Sequence[float] = ()) -> Any:
    """The value of a uniform, or of an input in every lane; of some numbers, where these are given."""
    element = (variable.columns, variable.type.width) if variable.is_matrix else (variable.type.width,)
    shape = (*variable.dims, *element)
    count = int(np.prod(shape))
    kind = variable.outer_kind
    rows = [random.choices(chosen, k=count) if chosen else _numbers(random, kind, count) for _ in range(lanes or 1)]
    values = np.array(rows).reshape((len(rows), *shape))
    if variable.is_matrix:
        # Values are given row after row; columns are what a shader names.
        values = values.swapaxes(-1, -2)
    elif variable.type.width == 1:
        values = values[..., 0]
    return values if lanes is not None else values[0]


def _numbers(random: Random, kind: str, count: int) -> list[float]:
    if kind == "bool":
        return [random.randint(0, 1) for _ in range(count)]
    if kind == "int":
        return [random.randint(-4, 4) for _ in range(count)]
    if kind == "uint":
        return [random.getrandbits(32) >> random.choice((0, 0, 8, 16, 28)) for _ in range(count)]
    choice = [number / 4 for number in range(-8, 9)]
    return [number for _ in range(0, count, 4) for number in random.sample(choice, 4)][:count]


def _texture(random: Random, sampler: Variable, shader: Simulated) -> Texture:
    """Random texels, as the code wants them: opaque ones where textures have no alpha."""
    kind = SAMPLER_KINDS[sampler.type.kind]
    shape = {"1d": (8, 4), "2d": (8, 8, 4), "cube": (6, 8, 8, 4)}[kind.image_kind]
    texels = np.array([random.randrange(256) for _ in range(int(np.prod(shape)))], np.uint8).reshape(shape)
    if not shader.target.has_alpha:
        texels[..., 3] = 255
    filter, wrap = shader.options.get("filter", "nearest"), shader.options.get("wrap", "repeat")
    compare = "lequal" if kind.is_shadow else ""
    return Texture(texels, (filter, filter), (wrap, wrap), kind=kind.image_kind, compare=compare)
