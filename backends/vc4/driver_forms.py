"""Uniforms as the Linux driver takes them: one stream of words for each stage."""

from __future__ import annotations

from collections.abc import Mapping

from compiler.arithmetic.lanes import Array
from compiler.artifact import Reflection


def vc4_stream(reflection: Reflection, words: Array, own: Mapping[tuple[str, str], int]) -> list[int]:
    """The uniform stream of a stage, from `UniformValues.words(stage, "stream")`.

    `own` are the words that only the driver knows, by kind and source: scales of the viewport, texture configuration,
    addresses (`reflection.stream` lists them).  One that is missing is an error.
    """
    stream = [0] * len(reflection.stream)
    stream[: len(words)] = words[:, 0].tolist()
    for number, slot in enumerate(reflection.stream):
        if slot[0] in ("constant", "uniform"):
            continue
        if slot not in own:
            raise KeyError(f"word {number} of the stream is the driver's own {slot[0]!r} of {slot[1]!r}: give a value")
        stream[number] = own[slot]
    return stream
