"""Configurations as register writes, and back."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    SCALES,
    SOURCES,
)
from glslc_multi.backends.pica200.isa.fragment.decode import UnknownCode, decode
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from glslc_multi.backends.pica200.isa.fragment.program import (
    INERT,
    AlphaTest,
    Combiner,
    Configuration,
    Operand,
    Stage,
    Write,
)
from glslc_multi.compiler.isa.fields import FieldError
from glslc_multi.compiler.records import replace

_COMPARISONS = ("never", "always", "==", "!=", "<", "<=", ">", ">=")


def _combiner(random: random.Random, selections: list[str]) -> Combiner:
    first, second, third = (Operand(random.choice(list(SOURCES)), random.choice(selections)) for _ in range(3))
    return Combiner(random.choice(list(FUNCTIONS)), (first, second, third), random.choice(SCALES))


def _stage(random: random.Random, number: int) -> Stage:
    red, green, blue, alpha = random.randbytes(4)
    return Stage(
        _combiner(random, list(COLOUR_SELECTIONS)),
        _combiner(random, list(ALPHA_SELECTIONS)),
        (red, green, blue, alpha),
        number < 4 and random.random() < 0.5,
        number < 4 and random.random() < 0.5,
    )


def random_configuration(random: random.Random) -> Configuration:
    red, green, blue, alpha = random.randbytes(4)
    test = AlphaTest(random.choice(_COMPARISONS), random.randrange(256)) if random.random() < 0.5 else None
    fog = random.random() < 0.5
    return Configuration(
        tuple(_stage(random, number) for number in range(6)),
        (red, green, blue, alpha),
        test,
        (Write(0x0E0, 0x10005, 5), Write(0x0E1, random.randrange(1 << 24))) if fog else (),
        {"fog": tuple(random.randrange(1 << 24) for _ in range(128))} if fog else {},
    )


def test_configuration_and_writes() -> None:
    for seed in range(300):
        configuration = random_configuration(random.Random(seed))
        assert decode(encode(configuration)) == configuration


def test_inert_stages_are_as_the_driver_library_leaves_them() -> None:
    # citro3d's C3D_TexEnvInit: sources previous, primary, primary; all else 0; white.
    words = {write.register: write.value for write in encode(Configuration((INERT,) * 6))}
    for base in (0x0C0, 0x0C8, 0x0D0, 0x0D8, 0x0F0, 0x0F8):
        assert [words[base + place] for place in range(5)] == [0x000F000F, 0, 0, 0xFFFFFFFF, 0]
    assert (words[0x0E0], words[0x104]) == (0, 0x10)


def test_words_of_a_stage() -> None:
    """Bits from the tables of the reference: operands at 4 n and 16 + 4 n, channels at 4 n and 12 + 4 n."""
    colour = Combiner(
        "ADD_MULTIPLY", (Operand("texture0", "1-bbb"), Operand("lighting1", "aaa"), Operand("constant", "ggg")), 4
    )
    alpha = Combiner("SUBTRACT", (Operand("texture3", "1-b"), Operand("buffer", "r"), Operand("primary", "1-g")), 2)
    stages = (INERT, INERT, INERT, Stage(colour, alpha, (1, 2, 3, 4), False, True), INERT, INERT)
    words = {write.register: write.value for write in encode(Configuration(stages))}
    assert words[0x0D8] == 0x00D60E23
    assert words[0x0D9] == 0x0052782D
    assert words[0x0DA] == 0x00050009
    assert words[0x0DB] == 0x04030201
    assert words[0x0DC] == 0x00010002
    assert words[0x0E0] == 0x8000


@pytest.mark.parametrize(
    "write", [Write(0x0C0, 0x007), Write(0x0C9, 0x006), Write(0x0D2, 0xA0000), Write(0x0FC, 0x3), Write(0x0FC, 0x30000)]
)
def test_codes_without_a_meaning(write: Write) -> None:
    with pytest.raises(UnknownCode):
        decode([write])


def test_bytes_of_a_register() -> None:
    configuration = decode([Write(0x0E0, 0xFFFFFFFF, 0b0010), Write(0x0FD, 0x11223344, 0b1001)])
    assert configuration.buffer_colour == (0x44, 0xFF, 0xFF, 0x11)
    assert [(stage.updates_colour, stage.updates_alpha) for stage in configuration.stages] == [
        *[(True, True)] * 4,
        *[(False, False)] * 2,
    ]
    assert not configuration.unit_writes


def test_part_of_a_table() -> None:
    with pytest.raises(UnknownCode, match="table fog has 1 of its 128 entries"):
        decode([Write(0x0E6, 0), Write(0x0EF, 5)])


@pytest.mark.parametrize("number", [4, 5])
def test_the_last_stages_cannot_write_into_the_buffer(number: int) -> None:
    stages = [INERT] * 6
    stages[number] = replace(INERT, updates_alpha=True)
    with pytest.raises(FieldError, match="a must be 0 to 15"):
        encode(Configuration(tuple(stages)))
