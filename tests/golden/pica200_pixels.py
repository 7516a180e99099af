"""Checks of recorded pixels of the PICA200: combiners, alpha test, fog, blending, texture units, lighting.

Recorded by running a known emulator, whose arithmetic is the simulator's mode `azahar`; `console_dot3` was measured on
a console, and is checked in the mode `hardware`.  Every byte must agree, but that of lighting may be a step away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glslc_multi.backends.pica200.isa.fragment.combiners import STAGES
from glslc_multi.backends.pica200.isa.fragment.decode import decode
from glslc_multi.backends.pica200.isa.fragment.program import (
    INERT,
    AlphaTest,
    Bytes,
    Combiner,
    Configuration,
    Operand,
    Stage,
    Write,
    passes,
)
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import STAGE_BASES
from glslc_multi.backends.pica200.isa.fragment.registers.output import COMPARISONS
from glslc_multi.backends.pica200.isa.fragment.rounding import Rounding
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile
from glslc_multi.backends.pica200.machine.fragment.set_up import set_up_of, words_of
from glslc_multi.backends.pica200.machine.fragment.simulate import Pixels, Result, maker, simulate
from glslc_multi.backends.pica200.machine.fragment.texture_units import samplers_of
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Engine
from glslc_multi.compiler.records import replace
from tests.backends.pica200.machine.fragment.helpers import wraps_of
from tests.golden.runner import Failure, Skip, Verdict

Record = Mapping[str, Any]
Array = NDArray[Any]

#: In the order of the recorded inputs.
SOURCES = ("texture0", "texture1", "texture2", "texture3", "primary", "lighting0", "lighting1")
_BUFFER_COLOUR = "TEXENV_BUFFER_COLOR"
_UPDATE_BUFFER = "TEXENV_UPDATE_BUFFER"
#: Bits of LIGHTING_CONFIG1 that sources read differently: which of the reflection tables is off.
_DISPUTED = 0b111 << 20
_LIGHTING_STEPS = 1


# --- Combiners --------------------------------------------------------------------------------------------------------


def combiners(case: Record, document: Any) -> Verdict:
    """Six stages, with what each of them makes and finds in the buffer."""
    configuration = _configuration(case["stages"], case["e0"], case["fd"])
    runs = case["runs"]
    result = _run(configuration, Pixels(len(runs), _sources(run["in"] for run in runs)))
    return _first(
        _compare(result.stages, np.moveaxis(np.array([run["out"] for run in runs]), 0, 1), "results of stages"),
        _compare(result.buffers, np.moveaxis(np.array([run["buffer"] for run in runs]), 0, 1), "buffers"),
    )


def combiner_buffer(case: Record, document: Any) -> Verdict:
    """The same of constants alone."""
    result = _run(_configuration(case["stages"], case["e0"], case["fd"]), Pixels(1, {}))
    return _first(
        _compare(result.stages[:, 0], case["out"], "results of stages"),
        _compare(result.buffers[:, 0], case["buffer"], "buffers"),
    )


def combiner_operands(case: Record, document: Any) -> Verdict:
    """Every source and selection, in the second stage."""
    result = _run(_configuration(case["stages"], 0, case["fd"]), Pixels(1, _sources([case["in"]])))
    return _compare(result.colours[0], case["out"], "colour")


def combiner_stage0(case: Record, document: Any) -> Verdict:
    """`previous` in the first stage: the emulator's reading, about which consoles are said to differ."""
    result = _run(_configuration([case["stage0"]], 0, case["fd"]), Pixels(1, _sources([case["in"]])))
    return _compare(result.stages[0, 0], case["out"], "result of stage 0")


def combiner_functions(case: Record, document: Any) -> Verdict:
    """A function of one channel, in colour and in alpha."""
    function, scale, *operands, expected = case.values()
    textures = {f"texture{number}": [[operand] * 4] for number, operand in enumerate(operands)}
    result = _run_one(function, function, scale, scale, Pixels(1, textures))
    return _compare(result.stages[0, 0], [expected] * 4, "result")


def combiner_dot3(case: Record, document: Any) -> Verdict:
    """A dot product, with an alpha that it may replace."""
    function, scale, alpha_scale, first, second, alpha, expected = case.values()
    textures = {"texture0": [[*first, alpha]], "texture1": [[*second, 0]], "texture2": [[0] * 4]}
    result = _run_one(function, "REPLACE", scale, alpha_scale, Pixels(1, textures))
    return _compare(result.stages[0, 0], expected, "result")


def console_dot3(case: Record, document: Any) -> Verdict:
    """A dot product measured on a console."""
    first, second, expected = case.values()
    textures = {"texture0": [[*first, 0]], "texture1": [[*second, 0]], "texture2": [[0] * 4]}
    result = _run_one("DOT3_RGB", "REPLACE", 1, 1, Pixels(1, textures), "hardware")
    return _compare(result.stages[0, 0, :3], [expected] * 3, "result")


def _run_one(
    function: str, alpha_function: str, scale: int, alpha_scale: int, pixels: Pixels, rounding: Rounding = "azahar"
) -> Result:
    configuration, engine = _one_stage(function, alpha_function, scale, alpha_scale, rounding)
    return simulate(set_up_of(configuration, rounding, is_traced=True), words_of(configuration), pixels, engine)


@lru_cache(maxsize=128)
def _one_stage(
    function: str, alpha_function: str, scale: int, alpha_scale: int, rounding: Rounding
) -> tuple[Configuration, Engine]:
    """A function of the textures in the first stage."""
    configuration = _passing(
        Stage(_of_textures(function, "rgb", scale), _of_textures(alpha_function, "a", alpha_scale))
    )
    return configuration, ArrayEngine(maker(set_up_of(configuration, rounding, is_traced=True)))


def _of_textures(function: str, selection: str, scale: int) -> Combiner:
    first, second, third = (Operand(f"texture{number}", selection) for number in range(3))
    return Combiner(function, (first, second, third), scale)


def _configuration(stages: Sequence[Sequence[int]], update_buffer: int, buffer_colour: Bytes) -> Configuration:
    """The configuration of recorded registers; stages that are not recorded hand on."""
    recorded = zip(STAGE_BASES, stages, strict=False)
    writes = [Write(base + place, word) for base, stage in recorded for place, word in enumerate(stage)]
    writes.append(_write(_UPDATE_BUFFER, update_buffer, mask=0b0010))
    writes.append(_write(_BUFFER_COLOUR, sum(channel << 8 * place for place, channel in enumerate(buffer_colour))))
    return decode(writes)


def _passing(*stages: Stage) -> Configuration:
    return Configuration((*stages, *[INERT] * (STAGES - len(stages))))


def _sources(runs: Any) -> dict[str, Array]:
    """Recorded inputs by their sources."""
    return dict(zip(SOURCES, np.moveaxis(np.array(list(runs)), 0, 1), strict=True))


def _run(configuration: Configuration, pixels: Pixels) -> Result:
    return simulate(set_up_of(configuration, is_traced=True), words_of(configuration), pixels)


# --- After the combiners ----------------------------------------------------------------------------------------------

_PRIMARY = Stage(passes("primary", "rgb"), passes("primary", "a"))


def alpha_test(case: Record, document: Any) -> Verdict:
    """Which of all alphas pass."""
    register, expected = case.values()
    fields = BY_NAME["FRAGOP_ALPHA_TEST"].format.decode(register)
    test = AlphaTest(COMPARISONS[fields["function"]], fields["reference"]) if fields["enable"] else None
    alphas = np.repeat(np.arange(256)[:, None], 4, axis=1)
    result = _run(replace(_passing(_PRIMARY), alpha_test=test), Pixels(256, {"primary": alphas}))
    drawn = "".join("0" if discarded else "1" for discarded in result.discarded)
    return None if drawn == expected else Failure(f"drawn are {drawn}, recorded {expected}")


def fog(case: Record, document: Any) -> Verdict:
    """A table of fog over depth."""
    depths, colours, expected = zip(*case["samples"], strict=True)
    red, green, blue = case["color"]
    writes = (_write(_UPDATE_BUFFER, case["e0"], mask=0b0101), _write("FOG_COLOR", red | green << 8 | blue << 16))
    configuration = replace(_passing(_PRIMARY), unit_writes=writes, tables={"fog": tuple(case["lut"])})
    pixels = Pixels(len(depths), {"primary": np.array(colours)}, {"depth": np.array(depths)})
    return _compare(_run(configuration, pixels).colours, expected, "colours")


def blending(case: Record, document: Any) -> Verdict:
    """A pixel over another one."""
    operation, function, logic, constant, mask, source, destination, expected = case.values()
    writes = (
        _write("COLOR_OPERATION", operation),
        _write("BLEND_FUNC", function),
        _write("LOGIC_OP", logic),
        _write("BLEND_COLOR", sum(channel << 8 * place for place, channel in enumerate(constant))),
        _write("DEPTH_COLOR_MASK", mask),
    )
    configuration = replace(_passing(_PRIMARY), unit_writes=writes)
    pixels = Pixels(1, {"primary": [source], "destination": [destination]})
    return _compare(_run(configuration, pixels).colours[0], expected, "colour")


# --- Texture units ----------------------------------------------------------------------------------------------------

_SIZE = 8
#: What distinguishes the images: sides of the cube of unit 0, units 1 and 2.
_TAGS = (range(6), (9,), (10,))
_CUBE = 1


def texture_units(case: Record, document: Any) -> Verdict:
    """Which texel each unit reads."""
    registers = RegisterFile(_unit_writes(case))
    samplers = samplers_of(registers)
    textures = {
        unit: Texture(image, wrap=wraps_of(registers, unit))
        for unit, image in enumerate(_images(case["type"] == _CUBE))
    }
    varyings = {
        **{f"texcoord{number}": [case[f"coord{number}"]] for number in range(3)},
        "texcoord0w": [case["coord0w"]],
    }
    stages = (Stage(passes(source, "rgb"), passes(source, "a")) for source in samplers)
    configuration = replace(_passing(*stages), unit_writes=tuple(_unit_writes(case)))
    set_up = set_up_of(configuration, samplers=samplers, is_traced=True)
    result = simulate(set_up, words_of(configuration), Pixels(1, {}, varyings, textures))
    return _compare(result.stages[: len(samplers), 0], case["out"], "texels")


def _unit_writes(case: Record) -> list[Write]:
    writes = [_write("TEXUNIT_CONFIG", case["080"])]
    for unit, ((s, t), border) in enumerate(zip(case["wrap_s_t"], case["border"], strict=True)):
        fields = {"wrap_s": s, "wrap_t": t, **({"type": case["type"]} if unit == 0 else {})}
        writes.append(_write(f"TEXUNIT{unit}_PARAM", BY_NAME[f"TEXUNIT{unit}_PARAM"].format.encode(fields)))
        writes.append(_write(f"TEXUNIT{unit}_BORDER_COLOR", border))
    return writes


def _images(is_cube: bool) -> list[Array]:
    """The images that the head of the file describes."""
    found = [np.array([_image(tag) for tag in tags]) for tags in _TAGS]
    return [found[0] if is_cube else found[0][0], found[1][0], found[2][0]]


def _image(tag: int) -> Array:
    y, x = np.mgrid[:_SIZE, :_SIZE]
    return np.stack([16 * x + tag, 16 * y, np.full_like(x, 200), 255 - 16 * x], axis=-1).astype(np.uint8)


# --- Lighting ---------------------------------------------------------------------------------------------------------


def lighting(case: Record, document: Any) -> Verdict:
    """The two colours of the lighting unit."""
    registers = {int(address, 16): value for address, value in case["registers"].items()}
    if registers[BY_NAME["LIGHTING_CONFIG1"].address] & _DISPUTED not in (0, _DISPUTED):
        return Skip("sources differ in which bit turns off which reflection table")
    names = {
        table.number: name for name, table in TABLES.items() if table.index_register == TABLES["d0"].index_register
    }
    configuration = Configuration(
        (
            Stage(passes("lighting0", "rgb"), passes("lighting0", "a")),
            Stage(passes("lighting1", "rgb"), passes("lighting1", "a")),
            *[INERT] * (STAGES - 2),
        ),
        unit_writes=tuple(Write(address, value) for address, value in registers.items()),
        tables={names[int(number)]: tuple(document["luts"][table]) for number, table in case["luts"].items()},
    )
    samples = case["samples"]
    textures = {f"texture{unit}": [sample["textures"][unit] for sample in samples] for unit in range(3)}
    varyings = {
        "normalquat": [sample["quaternion"] for sample in samples],
        "view": [sample["view"] for sample in samples],
    }
    result = _run(configuration, Pixels(len(samples), textures, varyings))
    return _first(
        _compare(result.stages[0], [sample["primary"] for sample in samples], "primary", _LIGHTING_STEPS),
        _compare(result.stages[1], [sample["secondary"] for sample in samples], "secondary", _LIGHTING_STEPS),
    )


# --- Helpers ----------------------------------------------------------------------------------------------------------


def _write(name: str, value: int, *, mask: int = 0xF) -> Write:
    return Write(BY_NAME[name].address, value, mask)


def _compare(found: Any, expected: Any, what: str, steps: int = 0) -> Verdict:
    difference = np.abs(np.asarray(found, np.int64) - np.asarray(expected))
    if difference.max(initial=0) <= steps:
        return None
    return Failure(f"{what}: {np.asarray(found).tolist()}, recorded {np.asarray(expected).tolist()}")


def _first(*verdicts: Verdict) -> Verdict:
    return next((verdict for verdict in verdicts if verdict is not None), None)
