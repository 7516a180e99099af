"""Uniforms as a host of THEIA takes them: numbers inside of instructions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.numbers import pattern_of
from glslc_multi.backends.theia.isa.program import ORIGIN
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.target import Update


def uniform_words(numbers: Array) -> Array:
    """Numbers in fixed point."""
    return np.array([pattern_of(number) for number in numbers.tolist()], np.uint32)


def theia_instructions(artifact: Artifact, updates: Sequence[Update]) -> dict[int, int]:
    """Instructions of 64 bits with the values in them, by address."""
    program = unpack(artifact.binary)
    return {
        address: program.words[address - ORIGIN] | int(word)
        for update in updates
        if update.space == "code"
        for address, word in enumerate(update.words[:, 0].tolist(), start=update.first)
    }
