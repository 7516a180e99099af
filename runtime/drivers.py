"""What the drivers of the machines take: words of registers in their forms.

| target | spaces | what a driver is given |
| --- | --- | --- |
| agal | `vc`, `fc` | numbers for `setProgramConstantsFromVector`: `agal_vectors` |
| pica200 | `c`, `i`, `b` | words for the upload: `pica_f32_words` or `pica_f24_words`, `pica_ranges`; `pica_bools` |
| adreno | `C`, `loop` | dwords of the stage's constant window, as they are: register n at dword 4n; loop constants |
| vc4 | `stream`, `buffer` | all words in order: `vc4_stream`; slices of arrays |
| theia | `code` | instructions with the values in them: `theia_instructions` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from compiler.arithmetic.lanes import Array
from compiler.artifact import Artifact, Location, Reflection

if TYPE_CHECKING:
    from runtime.program import Update

Words = NDArray[np.uint32]

#: Spaces whose registers are a single word.
_NARROW = frozenset({"b", "loop", "stream", "buffer", "code"})
_MOST_ROUNDS = 255
_ALL_ONES = 0xFFFFFFFF


def register_width(space: str) -> int:
    """Words that a register of a space has."""
    return 1 if space in _NARROW else 4


def words_of(numbers: Array, target: str, type: str, transform: str) -> Words:
    """Numbers of a uniform of a GLSL type as the words that the code reads."""
    kind = {"i": "int", "b": "bool"}.get(type[0], "float")
    if kind == "bool":
        numbers = np.asarray(numbers != 0, dtype=np.float64)
    elif kind == "int":
        numbers = np.clip(np.trunc(np.nan_to_num(numbers)), -(2.0**31), 2.0**31 - 1)
    if target == "theia":
        from backends.theia.isa.numbers import pattern_of

        return np.array([pattern_of(number) for number in numbers.tolist()], np.uint32)
    if transform == "count":
        rounds: Words = np.clip(numbers - 1, 0, _MOST_ROUNDS).astype(np.uint32)
        return rounds
    if transform in ("identity", "transpose") and kind == "bool":
        masks: Words = (numbers != 0).astype(np.uint32) * np.uint32(_ALL_ONES)
        return masks
    if transform in ("identity", "transpose") and kind == "int":
        return numbers.astype(np.int32).view(np.uint32)
    with np.errstate(over="ignore"):
        return numbers.astype(np.float32).view(np.uint32)


def file_literals(artifact: Artifact) -> list[tuple[Location, tuple[int, ...]]]:
    """Constants that are in a target's file and not in the reflection: start and step of PICA200's loops, its bools."""
    if artifact.reflection.target != "pica200":
        return []
    from backends.pica200.isa.container import read
    from compiler.diagnostics import DiagnosticSink

    program = read(artifact.binary, "<artifact>", DiagnosticSink())
    assert program is not None, "the compiler writes well-formed files"
    constants = program.executables[0].constants
    found = [
        (Location("i", c.register, "xyzw"), tuple(int(value) & 0xFF for value in c.values))
        for c in constants
        if c.bank == "i"
    ]
    return found + [
        (Location("b", c.register, "x"), (_ALL_ONES if c.values[0] else 0,)) for c in constants if c.bank == "b"
    ]


# ---------------------------------------------------------------------------------------------- agal
def agal_vectors(update: Update) -> list[float]:
    """`data` of `setProgramConstantsFromVector`; `firstRegister` is the update's, `numRegisters` a fourth of these."""
    numbers: list[float] = update.words.view(np.float32).reshape(-1).tolist()
    return numbers


# ------------------------------------------------------------------------------------------- pica200
def pica_f32_words(update: Update) -> list[int]:
    """Float uniforms in the mode of 32 bits: four words a register, w first."""
    words: list[int] = update.words[:, ::-1].reshape(-1).tolist()
    return words


def pica_f24_words(update: Update) -> list[int]:
    """Float uniforms in the mode of 24 bits: three words a register, w in the upper bits of the first."""
    from backends.pica200.isa.numbers import pattern_of

    packed: list[int] = []
    for register in update.words.view(np.float32).tolist():
        x, y, z, w = map(pattern_of, register)
        packed += [w << 8 | z >> 16, (z & 0xFFFF) << 16 | y >> 8, (y & 0xFF) << 24 | x]
    return packed


def pica_ranges(update: Update) -> list[int]:
    """Loop registers as words: the count in the lowest byte, then start, step and the unused one."""
    x, y, z, w = update.words.T
    words: list[int] = (x | y << np.uint32(8) | z << np.uint32(16) | w << np.uint32(24)).tolist()
    return words


def pica_bools(update: Update) -> dict[int, bool]:
    """Bool registers by number."""
    return {update.first + number: bool(word) for number, word in enumerate(update.words[:, 0].tolist())}


# ----------------------------------------------------------------------------------------------- vc4
def vc4_stream(reflection: Reflection, words: Words, own: Mapping[tuple[str, str], int]) -> list[int]:
    """The uniform stream of a stage, from `UniformValues.words(stage, "stream")`.

    `own` are the words that only the driver knows, by kind and source: scales of the viewport, texture configuration,
    addresses (`reflection.stream` lists them).  One that is missing is an error.
    """
    stream = [0] * len(reflection.stream)
    stream[: len(words)] = words[:, 0].tolist()
    for place, slot in enumerate(reflection.stream):
        if slot[0] in ("constant", "uniform"):
            continue
        if slot not in own:
            raise KeyError(f"word {place} of the stream is the driver's own {slot[0]!r} of {slot[1]!r}: give a value")
        stream[place] = own[slot]
    return stream


# --------------------------------------------------------------------------------------------- theia
def theia_instructions(artifact: Artifact, updates: Sequence[Update]) -> dict[int, int]:
    """Instructions of 64 bits with the values in them, by address."""
    from backends.theia.isa.container import unpack
    from backends.theia.isa.program import ORIGIN

    program = unpack(artifact.binary)
    return {
        address: program.words[address - ORIGIN] | int(word)
        for update in updates
        if update.space == "code"
        for address, word in enumerate(update.words[:, 0].tolist(), start=update.first)
    }
