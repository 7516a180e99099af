"""The calls of citro3d that set a configuration: the way back from registers, for programs written in C.

Every stage is set, inert ones too. Lights and tables are objects of the host's program and are not here; what registers
of the lighting unit and what tables a configuration has is in its `unit_writes` and `tables`.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.pica200.isa.fragment.combiners import ALPHA_SELECTIONS, COLOUR_SELECTIONS, SOURCES
from glslc_multi.backends.pica200.isa.fragment.encode import colour_word
from glslc_multi.backends.pica200.isa.fragment.program import Configuration, Stage
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import FOG_MODES, UPDATE_BUFFER
from glslc_multi.backends.pica200.isa.fragment.registers.fog import FOG_COLOR

#: A name and its arguments: numbers and enumerators, as they stand in C.
Call = tuple[str | int, ...]

_MODES = ("C3D_RGB", "C3D_Alpha")
_COMPARISONS = {
    "never": "GPU_NEVER",
    "always": "GPU_ALWAYS",
    "==": "GPU_EQUAL",
    "!=": "GPU_NOTEQUAL",
    "<": "GPU_LESS",
    "<=": "GPU_LEQUAL",
    ">": "GPU_GREATER",
    ">=": "GPU_GEQUAL",
}
_FOG_MODES = {"off": "GPU_NO_FOG", "fog": "GPU_FOG", "gas": "GPU_GAS"}
_GAS_MODES = ("GPU_PLAIN_DENSITY", "GPU_DEPTH_DENSITY")


def calls_of(configuration: Configuration) -> list[Call]:
    """Stages, buffer, alpha test, fog."""
    return [
        *(call for number, stage in enumerate(configuration.stages) for call in _stage_calls(number, stage)),
        *_buffer_calls(configuration),
        _alpha_test_call(configuration),
        *_fog_calls(configuration),
    ]


def _stage_calls(number: int, stage: Stage) -> Iterator[Call]:
    """The calls of one stage; the first makes it inert, and what it does so far needs no further call."""
    env, halves = f"env{number}", (stage.colour, stage.alpha)
    yield "C3D_TexEnvInit", env
    yield from _both(
        "C3D_TexEnvSrc",
        env,
        *(tuple(f"GPU_{SOURCES[operand.source].libctru}" for operand in half.operands) for half in halves),
    )
    colour = [COLOUR_SELECTIONS[operand.selection] for operand in stage.colour.operands]
    alpha = [ALPHA_SELECTIONS[operand.selection] for operand in stage.alpha.operands]
    if any(selection.code for selection in colour):
        yield "C3D_TexEnvOpRgb", env, *(f"GPU_TEVOP_RGB_{selection.libctru}" for selection in colour)
    if any(selection.code for selection in alpha):
        yield "C3D_TexEnvOpAlpha", env, *(f"GPU_TEVOP_A_{selection.libctru}" for selection in alpha)
    yield from _both("C3D_TexEnvFunc", env, *((f"GPU_{half.function}",) for half in halves))
    if any(half.scale != 1 for half in halves):
        yield from _both("C3D_TexEnvScale", env, *((f"GPU_TEVSCALE_{half.scale}",) for half in halves))
    yield "C3D_TexEnvColor", env, colour_word(stage.constant)


def _both(name: str, env: str, colour: Call, alpha: Call) -> Iterator[Call]:
    """One call for both combiners where they agree."""
    if colour == alpha:
        yield name, env, "C3D_Both", *colour
        return
    for mode, arguments in zip(_MODES, (colour, alpha), strict=True):
        yield name, env, mode, *arguments


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
    return "C3D_AlphaTest", "true", _COMPARISONS[test.function], test.reference


def _fog_calls(configuration: Configuration) -> Iterator[Call]:
    writes = {write.register: write.value for write in configuration.unit_writes}
    fields = UPDATE_BUFFER.format.decode(writes.get(UPDATE_BUFFER.address, 0))
    mode, density = _FOG_MODES[FOG_MODES[fields["mode"]]], _GAS_MODES[fields["depth_density"]]
    yield "C3D_FogGasMode", mode, density, "true" if fields["z_flip"] else "false"
    if FOG_COLOR.address in writes:
        yield "C3D_FogColor", writes[FOG_COLOR.address]
