"""The code of a shader run on the simulator, with the values that the host and the chip would give.

In: an artifact and values by the reflection's places (`abi.py`).  Out: the pixels' colours and which were discarded.
Values of the scene are turned back into the rows that the firmware would have left, so that the code computes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from backends.theia.codegen.abi import TARGET_NAME
from backends.theia.codegen.machine_ops import ALPHA, PIXEL, RAW_STEPS, RAW_THREE, SINK, TEXTURE_SIZE
from backends.theia.codegen.scene_inputs import MISS, SOURCES
from backends.theia.isa.container import unpack
from backends.theia.isa.numbers import ONE, WORD_MASK, pattern_of
from backends.theia.isa.program import ORIGIN, Program
from backends.theia.isa.registers import BY_NAME, Variant, physical
from backends.theia.machine.fixed_point import FIXED_POINT
from backends.theia.machine.simulate import Machine
from compiler.arithmetic.evaluation_error import fail
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import Texture
from compiler.artifact import Artifact
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.evaluation import TOO_MANY_STEPS
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from compiler.records import replace
from compiler.target import MachineInputs, MachineOutputs

_SOURCES = tuple(SOURCES)


class Sampling(NamedTuple):
    """What the code's lookups were made for."""

    wrap: str = "repeat"
    filter: str = "nearest"


NEAREST = Sampling()

#: What runs the pixel shader of a machine within a number of steps: words by pixel and address, who wrote any.
Execute = Callable[[Machine, int], tuple[Array, Array]]


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from backends.theia.machine.translate import TranslatedProgram

    program = unpack(artifact.binary, _variant(options))
    kept = [(ALPHA.index, 0)]
    if program.variant == "v1.2":
        kept += [(physical(SINK.index, program.variant), lane) for lane in range(3)]
    varying = _varying_registers(artifact, program.variant)
    execute = TranslatedProgram(program, program.entries["PIXELSHADER"], kept, varying)
    return lambda inputs: run(artifact, inputs, options, execute)


def _varying_registers(artifact: Artifact, variant: Variant) -> frozenset[int]:
    """The registers that may have another row for each pixel: all others are set by the constants block alone."""
    reflection = artifact.reflection
    places = [place for binding in (*reflection.varyings, *reflection.inputs) for place in binding.locations]
    given = {source: np.zeros((1, 4)) for source in _SOURCES}
    scene = {name for make in _ROWS.values() for name in make(given)}
    addresses = [_address_of(name, variant) for name in scene]
    addresses += [place.index for place in places if place.space == "row"]
    return frozenset(physical(address, variant) for address in addresses)


def _address_of(row: str, variant: Variant) -> int:
    """The address of a row of the firmware, named with its offset."""
    base, _, offset = row.partition("+")
    return BY_NAME[variant]["CREG_" + base] + int(offset or 0)


def _variant(options: Mapping[str, Any]) -> Variant:
    return cast("Variant", options.get("variant", "trunk"))


def run(
    artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any], execute: Execute | None = None
) -> MachineOutputs:
    """Run the constants block once, then the pixel shader for all pixels."""
    sampling = Sampling(str(options.get("wrap", "repeat")), str(options.get("filter", "nearest")))
    machine = prepare(artifact, inputs, _variant(options), sampling)
    return _results(machine, *(execute or _interpret)(machine, inputs.max_steps))


def _interpret(machine: Machine, max_steps: int) -> tuple[Array, Array]:
    outcomes = machine.run(machine.program.entries["PIXELSHADER"], max_steps=max_steps)
    if not outcomes.completes.all():
        fail(TOO_MANY_STEPS, limit=max_steps)
    words, writes = np.zeros((machine.count, 4), np.int64), np.zeros(machine.count, np.bool_)
    for write in outcomes.writes:
        writes[write.pixels] = True
        for address, word in zip(write.addresses, write.words, strict=True):
            words[write.pixels, address] = word
    return words, writes


def prepare(artifact: Artifact, inputs: MachineInputs, variant: Variant, sampling: Sampling = NEAREST) -> Machine:
    """A machine with code and values, after the constants block and before the shader."""
    program = _patched(unpack(artifact.binary, variant), inputs.constants.get("code", {}))
    machine = Machine(program)
    _load_fixed_rows(machine)
    if "USERCONSTANTS" in program.entries:
        machine.run(program.entries["USERCONSTANTS"])
    machine = machine.widened(inputs.lanes)
    for texture in inputs.textures.values():
        _load_texture(machine, texture, sampling)
    _load_scene(machine, inputs)
    for register, values in inputs.inputs.get("row", {}).items():
        machine.set_row(physical(register, variant), _row_of(values, variant))
    return machine


def _patched(program: Program, values: Mapping[int, Any]) -> Program:
    """The program with the host's values in its instructions."""
    words = list(program.words)
    for address, numbers in values.items():
        words[address - ORIGIN] |= pattern_of(float(numbers[0]))
    return replace(program, words=tuple(words))


def _patterns(values: Any, variant: Variant) -> Array:
    return FIXED_POINT[variant].encode("float", values)


def _row_of(values: Array, variant: Variant) -> Array:
    """Three components of each pixel as a row."""
    return _patterns(np.ascontiguousarray(values[:, :3].T), variant)


def _load_fixed_rows(machine: Machine) -> None:
    machine.load(PIXEL.index, (0, 1, 2))
    machine.load(RAW_THREE.index, (3, 3, 3))
    machine.load(RAW_STEPS.index, (0, 1, 2))


def _load_texture(machine: Machine, texture: Texture, sampling: Sampling) -> None:
    """The texels as words, three each; one that the machine cannot have is refused."""
    (_, height, width, _) = texture.levels[0].shape
    texels = texture.levels[0][0]
    wrong = None
    if height != width or width & (width - 1):
        wrong = f"a texture of {width} x {height} texels, which is no power of two"
    elif (texture.magnify, texture.minify) != (sampling.filter,) * 2:
        wrong = f"a texture's filter other than {sampling.filter}, with --filter={sampling.filter}"
    elif texture.wrap != (sampling.wrap,) * 2:
        wrong = f"a texture that does not {sampling.wrap}, with --wrap={sampling.wrap}"
    elif (texels[..., 3] != 1.0).any():
        wrong = "alpha of textures other than 1"
    if wrong is not None:
        sink = DiagnosticSink()
        sink.report(NOT_EXPRESSIBLE, target=TARGET_NAME, construct=wrong)
        sink.raise_if_errors()
    words = _patterns(texels[..., :3], machine.program.variant).ravel()
    machine.texture = {address: int(word) & WORD_MASK for address, word in enumerate(words)}
    machine.load(TEXTURE_SIZE.index, (width * ONE,) * 3)


def _results(machine: Machine, words: Array, writes: Array) -> MachineOutputs:
    """Colours by pixel; one whose write was skipped is discarded."""
    colour = words / ONE
    colour[:, 3] = machine.row_of(ALPHA.index)[0] / ONE
    if machine.program.variant == "v1.2":
        colour[:, :3] = machine.row(SINK.index).T / ONE
        return MachineOutputs({"output": {0: colour}})
    return MachineOutputs({"output": {0: colour}}, ~writes)


# --------------------------------------------------------------------------------------------------- scene
def _load_scene(machine: Machine, inputs: MachineInputs) -> None:
    """Rows that make the code compute the values given; those of one source alone can always be made."""
    given: dict[str, Array] = {}
    for space in (inputs.inputs, inputs.constants):
        for number, values in space.get("scene", {}).items():
            given[_SOURCES[number]] = np.broadcast_to(np.asarray(values, dtype=np.float64), (inputs.lanes, 4))
    rows: dict[str, Array] = {}
    for name, make in _ROWS.items():
        if name in given:
            for row, values in make(given).items():
                rows.setdefault(row, values)
    variant = machine.program.variant
    for name, values in rows.items():
        machine.set_row(physical(_address_of(name, variant), variant), _row_of(values, variant))


_Given = Mapping[str, Array]
_Rows = Mapping[str, Array]


def _splat(values: Array) -> Array:
    return np.repeat(values[:, :1], 3, axis=1)


def _row(name: str) -> Callable[[str], Callable[[_Given], _Rows]]:
    return lambda source: lambda given: {name: given[source]}


def _barycentric(given: _Given) -> _Rows:
    values = given["Barycentric"]
    return {"LAST_u": _splat(values), "LAST_v": _splat(values[:, 1:])}


def _hit(given: _Given) -> _Rows:
    return {"LAST_t": _splat(np.where(given["Hit"] != 0, 0.0, MISS))}


def _hit_position(given: _Given) -> _Rows:
    """Where camera and ray are not given, the ray has no length and the camera is there."""
    zeros = np.zeros_like(given["HitPosition"])
    way = given.get("RayDirection", zeros)[:, :3] * _splat(given.get("HitDistance", zeros))
    return {
        "CAMERA_POSITION": given["HitPosition"][:, :3] - way,
        "RAY_DIRECTION": zeros[:, :3],
        "LAST_t": zeros[:, :3],
    }


def _normal(given: _Given) -> _Rows:
    """Two sides of a triangle with this normal: vectors at right angles to it."""
    normal = given["Normal"][:, :3]
    axis = np.eye(3)[np.argmin(np.abs(normal), axis=1)]
    first = np.cross(normal, axis)
    first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-9)
    return {"E1_LAST": first, "E2_LAST": np.cross(normal, first)}


def _front_facing(given: _Given) -> _Rows:
    """A triangle in the plane of x and y, seen from in front (along -z) or from behind."""
    is_front = given["FrontFacing"][:, :1] != 0
    lanes = len(is_front)
    sides = {"E1_LAST": np.tile([1.0, 0.0, 0.0], (lanes, 1)), "E2_LAST": np.tile([0.0, 1.0, 0.0], (lanes, 1))}
    return {**sides, "RAY_DIRECTION": np.where(is_front, [[0.0, 0.0, -1.0]], [[0.0, 0.0, 1.0]])}


#: Source -> the rows that make it; the first maker of a row counts.
_ROWS: Mapping[str, Callable[[_Given], _Rows]] = {
    "FragCoord": lambda given: {"PIXEL_2D_POSITION": given["FragCoord"] - [0.5, 0.5, 0.0, 0.0]},
    "RayDirection": _row("RAY_DIRECTION")("RayDirection"),
    "CameraPosition": _row("CAMERA_POSITION")("CameraPosition"),
    "HitDistance": lambda given: {"LAST_t": _splat(given["HitDistance"])},
    "Barycentric": _barycentric,
    "TexCoord": lambda given: {f"UV{number}_LAST": given["TexCoord"] for number in range(3)},
    "Hit": _hit,
    "HitPosition": _hit_position,
    "Normal": _normal,
    "Diffuse": _row("TRI_DIFFUSE_LAST")("Diffuse"),
    "TextureColor": _row("TEXTURE_COLOR")("TextureColor"),
    "LightPosition": _row("FIRST_LIGTH")("LightPosition"),
    "LightDiffuse": _row("FIRST_LIGTH+1")("LightDiffuse"),
    "Resolution": _row("RESOLUTION")("Resolution"),
    "FrontFacing": _front_facing,
}
