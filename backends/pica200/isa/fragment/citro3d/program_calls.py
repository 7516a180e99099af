"""The calls that set a configuration: the way back from registers, for programs written in C.

Every stage is set, inert ones too. Lights and tables are objects of the host's program and are not here; what registers
of the lighting unit and what tables a configuration has is in its `unit_writes` and `tables`.
"""

from __future__ import annotations

from collections.abc import Iterator

from backends.pica200.isa.fragment.citro3d.enumerators import name_of
from backends.pica200.isa.fragment.combiners import ALPHA_SELECTIONS, COLOUR_SELECTIONS, FUNCTIONS, SCALES, SOURCES
from backends.pica200.isa.fragment.encode import COMPARISON_CODES, colour_word
from backends.pica200.isa.fragment.program import Combiner, Configuration, Stage
from backends.pica200.isa.fragment.registers.combiners import UPDATE_BUFFER
from backends.pica200.isa.fragment.registers.fog import FOG_COLOR

#: A name and its arguments: numbers and enumerators, as they stand in C.
Call = tuple[str | int, ...]

_MODES = ("C3D_RGB", "C3D_Alpha")


def calls_of(configuration: Configuration) -> list[Call]:
    """Stages, buffer, alpha test, fog."""
    return [
        *(call for number, stage in enumerate(configuration.stages) for call in stage_calls(number, stage)),
        *_buffer_calls(configuration),
        _alpha_test_call(configuration),
        *_fog_calls(configuration),
    ]


def stage_calls(number: int, stage: Stage) -> Iterator[Call]:
    """The calls of one stage; the first makes it inert, and what it does so far needs no further call."""
    env = f"env{number}"
    yield "C3D_TexEnvInit", env
    yield from _both("C3D_TexEnvSrc", env, *(_sources(half) for half in (stage.colour, stage.alpha)))
    yield from _operand_calls(env, stage)
    yield from _both("C3D_TexEnvFunc", env, *(_function(half) for half in (stage.colour, stage.alpha)))
    scales = [_scale(half) for half in (stage.colour, stage.alpha)]
    if scales != [_scale_name(1)] * 2:
        yield from _both("C3D_TexEnvScale", env, *scales)
    yield "C3D_TexEnvColor", env, colour_word(stage.constant)


def _both(name: str, env: str, colour: Call, alpha: Call) -> Iterator[Call]:
    """One call for both combiners where they agree."""
    if colour == alpha:
        yield name, env, "C3D_Both", *colour
        return
    for mode, arguments in zip(_MODES, (colour, alpha), strict=True):
        yield name, env, mode, *arguments


def _sources(combiner: Combiner) -> Call:
    return tuple(name_of("source", SOURCES[operand.source].code) for operand in combiner.operands)


def _operand_calls(env: str, stage: Stage) -> Iterator[Call]:
    colour = [COLOUR_SELECTIONS[operand.selection].code for operand in stage.colour.operands]
    alpha = [ALPHA_SELECTIONS[operand.selection].code for operand in stage.alpha.operands]
    if any(colour):
        yield "C3D_TexEnvOpRgb", env, *(name_of("rgb operand", code) for code in colour)
    if any(alpha):
        yield "C3D_TexEnvOpAlpha", env, *(name_of("alpha operand", code) for code in alpha)


def _function(combiner: Combiner) -> Call:
    return (name_of("function", FUNCTIONS[combiner.function].code),)


def _scale(combiner: Combiner) -> Call:
    return _scale_name(combiner.scale)


def _scale_name(factor: int) -> Call:
    return (name_of("scale", SCALES.index(factor)),)


def _buffer_calls(configuration: Configuration) -> Iterator[Call]:
    colour = sum(stage.updates_colour << number for number, stage in enumerate(configuration.stages))
    alpha = sum(stage.updates_alpha << number for number, stage in enumerate(configuration.stages))
    for mode, mask in zip(_MODES, (colour, alpha), strict=True):
        yield "C3D_TexEnvBufUpdate", mode, mask
    yield "C3D_TexEnvBufColor", colour_word(configuration.buffer_colour)


def _alpha_test_call(configuration: Configuration) -> Call:
    test = configuration.alpha_test
    if test is None:
        return "C3D_AlphaTest", "false", "GPU_ALWAYS", 0
    return "C3D_AlphaTest", "true", name_of("comparison", COMPARISON_CODES[test.function]), test.reference


def _fog_calls(configuration: Configuration) -> Iterator[Call]:
    writes = {write.register: write.value for write in configuration.unit_writes}
    fields = UPDATE_BUFFER.format.decode(writes.get(UPDATE_BUFFER.address, 0))
    mode = name_of("fog mode", fields["mode"])
    yield (
        "C3D_FogGasMode",
        mode,
        name_of("gas mode", fields["depth_density"]),
        name_of("bool", fields["z_flip"]),
    )
    if FOG_COLOR.address in writes:
        yield "C3D_FogColor", writes[FOG_COLOR.address]
