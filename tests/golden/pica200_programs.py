"""Checks of recorded fragment programs of the PICA200: GLSL that was fitted by hand, or found not to.

What fits is compiled to no more stages, with a bound of its error that is at most a step above what was seen of the
recorded program, and runs in the simulator within that bound of the GLSL's recorded meaning.  What does not fit is
refused by the code of the recorded reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.registry import TARGETS
from compiler.arithmetic.sampling import Texture
from compiler.artifact import Artifact
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.driver import compile_pair, compile_source
from compiler.options import Request
from compiler.target import MachineInputs
from frontends.registry import make_source
from runtime.preamble import run_preamble
from tests.golden.runner import Failure, Skip, Verdict

Record = Mapping[str, Any]
Array = NDArray[Any]

#: Recorded reason -> code of the message.
CODES = {
    "stages": "E0720",
    "textures": "E0721",
    "coordinates": "E0722",
    "operation": "E0723",
    "input": "E0724",
    "range": "E0725",
    "varyings": "E0726",
}
_SPACES = {"color": "primary", "normalquat": "quaternion", "view": "view"}
_SLACK = 1.0
#: What a recorded number may be off by itself: floats have three decimals.
_DECIMALS = 2e-3


def program(case: Record, document: Any) -> Verdict:
    """A program that fits, does not, or is open."""
    try:
        artifact = _compile(case)
    except CompileError as error:
        return _check_refusal(case, error)
    if case["fits"] is None:
        return Skip("nobody knows whether it fits")
    if not case["fits"]:
        return Failure(f"fits, though it is recorded as none: {case['why']}")
    return _check_cost(case, artifact) or _check_runs(case, artifact)


def _check_refusal(case: Record, error: CompileError) -> Verdict:
    if case["fits"] is None:
        return Skip("nobody knows whether it fits")
    codes = [diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"]
    if case["fits"]:
        return Failure(f"is refused: {error.summary}")
    return None if codes == [CODES[case["kind"]]] else Failure(f"is refused by {codes}, not as '{case['kind']}'")


def _compile(case: Record) -> Artifact:
    ranges = ",".join(f"{name}=0..{limit:g}" for name, limit in case.get("uniform_ranges", {}).items())
    request = Request(target_options={"ranges": ranges})
    target, fragment = TARGETS.load("pica200"), make_source(case["glsl"], "recorded.frag", "fragment")
    try:
        return compile_source(fragment, target, request, DiagnosticSink())
    except CompileError:
        if not case["fits"]:
            raise
    # What a vertex shader has to compute for it is there when the two are linked.
    vertex = make_source(_vertex_text(case["glsl"]), "recorded.vert", "vertex")
    return compile_pair(vertex, fragment, target, request, DiagnosticSink()).stages["fragment"]


def _vertex_text(fragment: str) -> str:
    """A vertex shader that hands over all varyings."""
    declared = [line for line in fragment.splitlines() if line.startswith("varying ")]
    lines, body = ["attribute vec4 a_position;"], ["gl_Position = a_position;"]
    for line in declared:
        _, type, names = line.rstrip(";").split(None, 2)
        for name in (part.strip() for part in names.split(",")):
            lines += [f"varying {type} {name};", f"attribute {type} a_{name};"]
            body.append(f"{name} = a_{name};")
    return "\n".join([*lines, "void main() {", *body, "}"])


def _check_cost(case: Record, artifact: Artifact) -> Verdict:
    stages = artifact.stats.instructions
    if stages > case["stages_used"]:
        return Failure(f"takes {stages} stages, {case['stages_used']} are enough")
    allowed = case["max_difference_steps"] + _SLACK
    if bound_of(artifact) > allowed:
        return Failure(f"has a bound of {bound_of(artifact):.2f} steps, {allowed:.2f} are allowed")
    return None


def bound_of(artifact: Artifact) -> float:
    """By how many steps of 1/255 the code may differ from the GLSL."""
    return (artifact.stats.extra or {})["error_percent"] / 100


# --- Running ----------------------------------------------------------------------------------------------------------


def _check_runs(case: Record, artifact: Artifact) -> Verdict:
    target = TARGETS.load("pica200")
    for number, run in enumerate(case["runs"]):
        result = target.simulate(artifact, _inputs(case, run, artifact), {"rounding": "azahar"})
        discarded = bool(result.discarded is not None and result.discarded[0])
        if discarded != run.get("float_discarded", False):
            return Failure(f"run {number} is {'' if discarded else 'not '}discarded")
        found = np.asarray(result.outputs["color"][0][0]) * 255
        difference = np.abs(found - np.array(run["float"])).max()
        if not discarded and difference > bound_of(artifact) + _DECIMALS:
            return Failure(f"run {number} differs by {difference:.2f} steps, the bound is {bound_of(artifact):.2f}")
    return None


def _inputs(case: Record, run: Record, artifact: Artifact) -> MachineInputs:
    given = run["in"]
    inputs = {
        space: {0: _row(given[name], 255.0 if name == "primary" else 1.0)}
        for space, name in _SPACES.items()
        if name in given
    }
    inputs |= {space: {0: _row([0.5, 0.5], 1.0)} for space in ("texcoord0", "texcoord0w", "texcoord1", "texcoord2")}
    uniforms = run.get("uniforms", case.get("uniforms", {}))
    return MachineInputs(1, _constants(artifact, uniforms), inputs, _textures(case, given, artifact))


def _row(numbers: Any, unit: float) -> Array:
    row = np.zeros((1, 4))
    row[0, : len(numbers)] = np.array(numbers) / unit
    return row


def _constants(artifact: Artifact, uniforms: Record) -> dict[str, dict[int, list[float]]]:
    """What the host computes, in its registers."""
    if artifact.preamble is None:
        return {}
    computed = run_preamble(artifact.preamble, {name: np.array(value) for name, value in uniforms.items()})
    registers: dict[str, dict[int, list[float]]] = {}
    for binding in artifact.reflection.uniforms:
        numbers = np.ravel(computed[binding.name])
        for location in binding.locations:
            register = registers.setdefault(location.space, {}).setdefault(location.index, [0.0] * 4)
            for letter, number in zip(location.components, numbers[location.first :], strict=False):
                register["xyzw".index(letter)] = float(number)
    return registers


def _textures(case: Record, given: Record, artifact: Artifact) -> dict[int, Texture]:
    """One texel for each unit, by the unit that the record has for the sampler."""
    found: dict[int, Texture] = {}
    for binding in artifact.reflection.samplers:
        recorded = case["textures"][binding.name] if "textures" in case else int(binding.name[-1])
        number = recorded[0] if isinstance(recorded, list) else recorded
        texel = np.array(given[f"texture{number}"], np.uint8).reshape(1, 1, 4)
        for location in binding.locations:
            found[location.index] = Texture(texel, filter="nearest")
    return found
