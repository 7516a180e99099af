"""The code of a shader run on the simulator, with the values that the host and the chip would give.

In: an artifact and values by the locations of the reflection.  Out: the pixels' colours and which were discarded.
Values of the scene become rows of the firmware (`scene_rows.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.conventions import (
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
from glslc_multi.backends.theia.isa.numbers import ONE, pattern_of
from glslc_multi.backends.theia.isa.program import ORIGIN, Program
from glslc_multi.backends.theia.isa.registers import Variant, physical
from glslc_multi.backends.theia.machine.execute import OUTPUT, WRITES, Point, lanes_of, written_registers
from glslc_multi.backends.theia.machine.scene_rows import load_scene, patterns_of, row_of, scene_registers
from glslc_multi.backends.theia.machine.simulate import DEFAULT_STEPS, maker
from glslc_multi.backends.theia.machine.state import Machine
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Engine, LaneProgram, Lanes
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import MachineFault, MachineInputs, MachineOutputs


class Sampling(NamedTuple):
    """What the code's lookups were made for."""

    wrap: str = "repeat"
    filter: str = "nearest"


NEAREST = Sampling()


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from glslc_multi.compiler.native.programs import TranslatedCode

    engine = TranslatedCode(_pixel_shader(artifact, unpack(artifact.binary, _variant(options))))
    return lambda inputs: run(artifact, inputs, options, engine)


def run(
    artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any], engine: Engine | None = None
) -> MachineOutputs:
    """Run the constants block once, then the pixel shader for all pixels, which `engine` does or the interpreter."""
    sampling = Sampling(str(options.get("wrap", "repeat")), str(options.get("filter", "nearest")))
    machine = prepare(artifact, inputs, _variant(options), sampling)
    engine = engine or ArrayEngine(_pixel_shader(artifact, machine.program), MachineFault)
    state = machine.state(_varying_registers(artifact, machine.program.variant), inputs.max_steps)
    # Colours by pixel; one whose write was skipped is discarded.
    outputs = engine.run(state)
    is_register = machine.program.variant == "v1.2"
    channels = [(physical(SINK, machine.program.variant) if is_register else OUTPUT, channel) for channel in range(3)]
    colour = np.stack([outputs[key] / ONE for key in (*channels, (ALPHA, 0))], axis=1)
    return MachineOutputs({OUTPUT_SPACE: {0: colour}}, None if is_register else outputs[WRITES] == 0)


def _pixel_shader(artifact: Artifact, program: Program) -> Callable[[Lanes], LaneProgram[Point]]:
    """What makes the program of all pixels."""
    kept = [(ALPHA, 0)]
    if program.variant == "v1.2":
        kept += lanes_of([physical(SINK, program.variant)])
    return maker(program, program.entries["PIXELSHADER"], kept, _varying_registers(artifact, program.variant))


def _varying_registers(artifact: Artifact, variant: Variant) -> frozenset[int]:
    """The registers that may have another row for each pixel: all others are set by the constants block alone."""
    reflection = artifact.reflection
    locations = [each for binding in (*reflection.varyings, *reflection.inputs) for each in binding.locations]
    rows = {location.index for location in locations if location.space == ROW_SPACE}
    return frozenset(physical(address, variant) for address in scene_registers(variant) | rows)


def _variant(options: Mapping[str, Any]) -> Variant:
    return cast("Variant", options.get("variant", "trunk"))


def prepare(artifact: Artifact, inputs: MachineInputs, variant: Variant, sampling: Sampling = NEAREST) -> Machine:
    """A machine with code and values, after the constants block and before the shader."""
    program = _patched(unpack(artifact.binary, variant), inputs.constants.get(CODE_SPACE, {}))
    machine = Machine(program)
    machine.load(PIXEL, (0, 1, 2))
    machine.load(RAW_THREE, (3, 3, 3))
    machine.load(RAW_STEPS, (0, 1, 2))
    if "USERCONSTANTS" in program.entries:
        # The block of constants, once for all pixels.
        written = written_registers(machine.program)
        engine = ArrayEngine(maker(machine.program, program.entries["USERCONSTANTS"], lanes_of(written)), MachineFault)
        machine.take(engine.run(machine.state((), DEFAULT_STEPS)), written)
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
    machine.set_texture(np.arange(words.size), words)
    machine.load(TEXTURE_SIZE, (width * ONE,) * 3)
