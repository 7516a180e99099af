"""Checks of recorded fragment programs of the PICA200: GLSL that was fitted by hand, or found not to.

What fits is compiled to no more stages, with a bound of its error that is at most a step above what was seen of the
recorded program, and runs in the simulator within that bound of the GLSL's recorded meaning.  What does not fit is
refused by the code of the recorded reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.codegen.output_semantics import RASTERISER
from glslc_multi.backends.registry import TARGETS
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.lent import with_lent
from glslc_multi.runtime.shader import CompiledShader, compile_shader, link_shaders
from tests.golden.runner import Failure, Skip, Verdict

Record = Mapping[str, Any]

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
#: Part of the name of a varying -> what is recorded for it.
_DIRECTIONS = {"normal": "normal", "quat": "quaternion", "view": "view"}
#: Outputs of the rasteriser that texture units read at, by the number of the unit.
COORDINATES = ("texcoord0", "texcoord1", "texcoord2")
_SLACK = 1.0
#: Programs whose bound is wider than a step above what was seen on the 96 recorded samples, and why.  Bounds hold for
#: all inputs: where inputs differ by more than the step allows, no bound can be closer.
WIDE_BOUNDS = {
    "gain4": "inputs differ by 5.8 steps",
    "dot3_bump": "inputs differ by 3.7 steps",
    "terrain": "inputs differ by 5.4 steps",
    "character": "inputs differ by 5.1 steps",
}
#: What a recorded number may be off by itself: floats have three decimals.
_DECIMALS = 2e-3


def program(case: Record, document: Any) -> Verdict:
    """A program that fits, does not, or is open."""
    try:
        shader = _compile(case)
    except CompileError as error:
        return _check_refusal(case, error)
    if case["fits"] is None:
        return Skip("nobody knows whether it fits")
    if not case["fits"]:
        return Failure(f"fits, though it is recorded as none: {case['why']}")
    return _check_stages(case, shader.artifact) or _check_runs(case, shader) or _check_bound(case, shader.artifact)


def _check_refusal(case: Record, error: CompileError) -> Verdict:
    if case["fits"] is None:
        return Skip("nobody knows whether it fits")
    codes = [diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"]
    if case["fits"]:
        return Failure(f"is refused: {error.summary}")
    return None if codes == [CODES[case["kind"]]] else Failure(f"is refused by {codes}, not as '{case['kind']}'")


def _compile(case: Record) -> CompiledShader:
    ranges = ",".join(f"{name}=0..{limit:g}" for name, limit in case.get("uniform_ranges", {}).items())
    request = Request(target_options={"ranges": ranges})
    target, fragment = TARGETS.load("pica200"), make_source(case["glsl"], "recorded.frag", "fragment")
    try:
        return compile_shader(fragment, target, request)
    except CompileError:
        if not case["fits"]:
            raise
    # What a vertex shader has to compute for it is there when the two are linked.
    vertex = make_source(_vertex_text(case["glsl"]), "recorded.vert", "vertex")
    return link_shaders(vertex, fragment, target, request).stages["fragment"]


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


def _check_stages(case: Record, artifact: Artifact) -> Verdict:
    stages = artifact.stats.instructions
    if stages > case["stages_used"]:
        return Failure(f"takes {stages} stages, {case['stages_used']} are enough")
    return None


def _check_bound(case: Record, artifact: Artifact) -> Verdict:
    allowed = case["max_difference_steps"] + _SLACK
    if bound_of(artifact) <= allowed:
        return None
    reason = f"has a bound of {bound_of(artifact):.2f} steps, {allowed:.2f} are allowed"
    known = WIDE_BOUNDS.get(case["name"])
    return Failure(reason) if known is None else Skip(f"{case['name']} {reason}: {known}")


def bound_of(artifact: Artifact) -> float:
    """By how many steps of 1/255 the code may differ from the GLSL."""
    assert artifact.stats.error_steps is not None
    return artifact.stats.error_steps


# --- Running ----------------------------------------------------------------------------------------------------------


def _check_runs(case: Record, shader: CompiledShader) -> Verdict:
    bound = bound_of(shader.artifact)
    for number, run in enumerate(case["runs"]):
        uniforms = run.get("uniforms", case.get("uniforms", {}))
        result = shader.run(_inputs(case, run["in"], shader), uniforms, _textures(case, run["in"], shader))
        discarded = bool(result["discarded"][0])
        if discarded != run.get("float_discarded", False):
            return Failure(f"run {number} is {'' if discarded else 'not '}discarded")
        difference = np.abs(result["gl_FragColor"][0] * 255 - np.array(run["float"])).max()
        if not discarded and difference > bound + _DECIMALS:
            return Failure(f"run {number} differs by {difference:.2f} steps, the bound is {bound:.2f}")
    return None


def _inputs(case: Record, given: Record, shader: CompiledShader) -> dict[str, Any]:
    """One pixel by the names of its varyings, those that linking has chosen included."""
    varyings = [v for v in with_lent(shader.module, shader.artifact).variables.values() if v.storage == "varying"]
    return {v.name: [_input(v.name, v.type.width, case, given)] for v in varyings}


def _input(name: str, width: int, case: Record, given: Record) -> Any:
    place = case.get("colour", {}).get(name)
    if place is not None:
        _, _, letters = place.partition(".")
        colour = [given["primary"]["rgba".index(letter)] / 255 for letter in (letters or "rgba")[:width]]
        return colour[0] if width == 1 else colour
    output = case.get("coordinates", {}).get(name, name.removeprefix(RASTERISER))
    if output in COORDINATES:
        # Each output of the rasteriser reads the texel of its unit.
        return [(COORDINATES.index(output) + 0.5) / len(COORDINATES), 0.5, 1.0, 1.0][:width]
    number = next((given[key] for part, key in _DIRECTIONS.items() if part in name), [0.5] * width)
    return number[:width]


def _textures(case: Record, given: Record, shader: CompiledShader) -> dict[str, Texture]:
    """A row of a texel for each output of the rasteriser, by the units that the record has for the sampler."""
    found = {}
    for variable in (v for v in shader.module.variables.values() if v.storage == "sampler"):
        recorded = case["textures"][variable.name] if "textures" in case else int(variable.name[-1])
        units = recorded if isinstance(recorded, list) else [recorded]
        numbers = [number if number in units else units[0] for number in range(len(COORDINATES))]
        row = np.array([[given[f"texture{number}"] for number in numbers]], np.uint8)
        is_cube = variable.type.kind == "samplerCube"
        found[variable.name] = Texture(np.stack([row[:, :1]] * 6) if is_cube else row)
    return found
