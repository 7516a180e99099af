"""The code of a shader run on the simulator, with the values that the host and the chip would give.

In: an artifact and values by the locations of the reflection.  Out: the pixels' colours and which were discarded.
Values of the scene become rows of the firmware (`scene_rows.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from backends.theia.isa.container import unpack
from backends.theia.isa.conventions import (
    ALPHA,
    CODE_SPACE,
    OUTPUT_SPACE,
    PIXEL,
    RAW_STEPS,
    RAW_THREE,
    ROW_SPACE,
    SINK,
    TARGET_NAME,
    TEXTURE_SIZE,
)
from backends.theia.isa.numbers import ONE, WORD_MASK, pattern_of
from backends.theia.isa.program import ORIGIN, Program
from backends.theia.isa.registers import Variant, physical
from backends.theia.machine.scene_rows import load_scene, patterns_of, row_of, scene_registers
from backends.theia.machine.simulate import run_block
from backends.theia.machine.state import Machine
from compiler.arithmetic.evaluation_error import fail
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import Texture
from compiler.artifact import Artifact
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.evaluation import TOO_MANY_STEPS
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from compiler.records import replace
from compiler.target import MachineInputs, MachineOutputs


class Sampling(NamedTuple):
    """What the code's lookups were made for."""

    wrap: str = "repeat"
    filter: str = "nearest"


NEAREST = Sampling()

#: What runs the pixel shader of a machine within a number of steps: words by pixel and address, and which wrote any.
Execute = Callable[[Machine, int], tuple[Array, Array]]


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from backends.theia.machine.translate import TranslatedProgram

    program = unpack(artifact.binary, _variant(options))
    kept = [(ALPHA, 0)]
    if program.variant == "v1.2":
        kept += [(physical(SINK, program.variant), lane) for lane in range(3)]
    varying = _varying_registers(artifact, program.variant)
    execute = TranslatedProgram(program, program.entries["PIXELSHADER"], kept, varying)
    return lambda inputs: run(artifact, inputs, options, execute)


def _varying_registers(artifact: Artifact, variant: Variant) -> frozenset[int]:
    """The registers that may have another row for each pixel: all others are set by the constants block alone."""
    reflection = artifact.reflection
    locations = [each for binding in (*reflection.varyings, *reflection.inputs) for each in binding.locations]
    rows = {location.index for location in locations if location.space == ROW_SPACE}
    return frozenset(physical(address, variant) for address in scene_registers(variant) | rows)


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
    outcomes = run_block(machine, machine.program.entries["PIXELSHADER"], max_steps)
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
    program = _patched(unpack(artifact.binary, variant), inputs.constants.get(CODE_SPACE, {}))
    machine = Machine(program)
    _load_fixed_rows(machine)
    if "USERCONSTANTS" in program.entries:
        run_block(machine, program.entries["USERCONSTANTS"])
    machine = machine.widened(inputs.lanes)
    for texture in inputs.textures.values():
        _load_texture(machine, texture, sampling)
    load_scene(machine, inputs)
    for register, values in inputs.inputs.get(ROW_SPACE, {}).items():
        machine.set_row(physical(register, variant), row_of(values, variant))
    return machine


def _patched(program: Program, values: Mapping[int, Any]) -> Program:
    """The program with the host's values in its instructions."""
    words = list(program.words)
    for address, numbers in values.items():
        words[address - ORIGIN] |= pattern_of(float(numbers[0]))
    return replace(program, words=tuple(words))


def _load_fixed_rows(machine: Machine) -> None:
    machine.load(PIXEL, (0, 1, 2))
    machine.load(RAW_THREE, (3, 3, 3))
    machine.load(RAW_STEPS, (0, 1, 2))


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
    words = patterns_of(texels[..., :3], machine.program.variant).ravel()
    machine.texture = {address: int(word) & WORD_MASK for address, word in enumerate(words)}
    machine.load(TEXTURE_SIZE, (width * ONE,) * 3)


def _results(machine: Machine, words: Array, writes: Array) -> MachineOutputs:
    """Colours by pixel; one whose write was skipped is discarded."""
    colour = words / ONE
    colour[:, 3] = machine.row_of(ALPHA)[0] / ONE
    if machine.program.variant == "v1.2":
        colour[:, :3] = machine.row(SINK).T / ONE
        return MachineOutputs({OUTPUT_SPACE: {0: colour}})
    return MachineOutputs({OUTPUT_SPACE: {0: colour}}, ~writes)
