"""Uniforms as libctru and the registers of the GPU take them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from glslc_multi.backends.pica200.isa.numbers import nearest, pattern_of
from glslc_multi.compiler.artifact import Artifact, Location
from glslc_multi.compiler.target import Update

_ALL_ONES = 0xFFFFFFFF


def file_literals(artifact: Artifact) -> Iterator[tuple[Location, tuple[int, ...]]]:
    """Constants that stand in the file alone: start and step of loops, bools; the fragment stage's are its code."""
    if artifact.reflection.stage == "fragment":
        return
    from glslc_multi.backends.pica200.isa.container import read
    from glslc_multi.compiler.diagnostics import DiagnosticSink

    program = read(artifact.binary, "<artifact>", DiagnosticSink())
    assert program is not None, "the compiler writes well-formed files"
    for constant in program.executables[0].constants:
        if constant.bank == "i":
            yield Location("i", constant.register, "xyzw"), tuple(int(value) & 0xFF for value in constant.values)
        elif constant.bank == "b":
            yield Location("b", constant.register, "x"), (_ALL_ONES if constant.values[0] else 0,)


def pica_f32_words(update: Update) -> list[int]:
    """Float uniforms in the mode of 32 bits: four words a register, w first."""
    words: list[int] = update.words[:, ::-1].reshape(-1).tolist()
    return words


def pica_f24_words(update: Update) -> list[int]:
    """Float uniforms in the mode of 24 bits: three words a register, w in the upper bits of the first."""
    packed: list[int] = []
    for register in update.words.view(np.float32).tolist():
        x, y, z, w = (pattern_of(nearest(value)) for value in register)
        packed += [w << 8 | z >> 16, (z & 0xFFFF) << 16 | y >> 8, (y & 0xFF) << 24 | x]
    return packed


def pica_ranges(update: Update) -> list[int]:
    """Loop registers as words: the count in the lowest byte, then start, step and the unused one."""
    return _packed(update)


def pica_colors(update: Update) -> list[int]:
    """Constants of the fragment stage as words: red in the lowest byte."""
    return _packed(update)


def _packed(update: Update) -> list[int]:
    x, y, z, w = update.words.T
    words: list[int] = (x | y << np.uint32(8) | z << np.uint32(16) | w << np.uint32(24)).tolist()
    return words


def pica_bools(update: Update) -> dict[int, bool]:
    """Bool registers by number."""
    return {update.first + number: bool(word) for number, word in enumerate(update.words[:, 0].tolist())}
