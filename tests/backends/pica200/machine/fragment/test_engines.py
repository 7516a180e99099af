"""The engine that translates gives what the one that interprets gives, to the bit, whatever is set up."""

from __future__ import annotations

import random

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.fragment.program import AlphaTest, Configuration, Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME, REGISTERS
from glslc_multi.backends.pica200.isa.fragment.registers.layout import Register
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.set_up import set_up_of, words_of
from glslc_multi.backends.pica200.machine.fragment.simulate import Pixels, maker, simulate
from glslc_multi.backends.pica200.machine.fragment.texture_units import Sampler
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.native.programs import TranslatedCode
from glslc_multi.compiler.records import replace
from tests.backends.pica200.machine.fragment.helpers import (
    configuration,
    fog_writes,
    of,
    random_colours,
    random_configuration,
    write,
)

_COUNT = 37


def assert_same(found: Configuration, pixels: Pixels, samplers: dict[str, Sampler] | None = None) -> Array:
    """Both engines agree; the colours."""
    set_up, values = set_up_of(found, samplers=samplers), words_of(found)
    wanted = simulate(set_up, values, pixels)
    translated = simulate(set_up, values, pixels, TranslatedCode(maker(set_up)))
    np.testing.assert_array_equal(translated.colours, wanted.colours)
    np.testing.assert_array_equal(translated.discarded, wanted.discarded)
    return wanted.colours


@pytest.mark.parametrize("seed", range(3))
def test_after_the_combiners(seed: int) -> None:
    rng = random.Random(seed)
    found = random_configuration(rng)
    fog = tuple(rng.randrange(1 << 24) for _ in range(TABLES["fog"].size))
    writes = (
        *fog_writes(10, 200, 90, z_flip=seed % 2),
        write("COLOR_OPERATION", mode="normal", blend=1),
        write("BLEND_FUNC", rgb_source="src_alpha", rgb_destination="dst_color", a_source="one", a_equation="max"),
        write("DEPTH_COLOR_MASK", write=0b1011),
    )
    found = replace(found, unit_writes=writes, tables={"fog": fog}, alpha_test=AlphaTest(">=", 100))
    colours = random_colours(rng, _COUNT)
    colours["destination"] = random_colours(rng, _COUNT)["primary"]
    assert_same(found, Pixels(_COUNT, colours, {"depth": np.linspace(-0.1, 1.1, _COUNT)}))


@pytest.mark.parametrize("kind", ["2d", "projection", "cube"])
@pytest.mark.parametrize("filter", ["nearest", "linear"])
def test_texture_units(kind: str, filter: str) -> None:
    random = np.random.default_rng(3)
    image = random.integers(0, 256, (6, 8, 8, 4), np.uint8)
    textures = {0: Texture(image if kind == "cube" else image[0], filter), 1: Texture(image[1], filter, wrap="clamp")}
    samplers = {"texture0": Sampler(0, 0, kind), "texture1": Sampler(1, 1, borders=(True, False))}
    varyings = {name: random.normal(size=(_COUNT, 2)) for name in ("texcoord0", "texcoord1")}
    varyings["texcoord0w"] = random.normal(size=(_COUNT, 1))
    for source in samplers:
        found = assert_same(configuration(of(source)), Pixels(_COUNT, {}, varyings, textures), samplers)
        assert len(np.unique(found)) > 10


@pytest.mark.parametrize("kind", ["2d", "projection"])
def test_mipmaps_in_quads(kind: str) -> None:
    # From pixel to pixel it is 1, 2 and 4 texels; each level has one colour.
    levels = [np.full((size, size, 4), 50 * number, np.uint8) for number, size in enumerate((16, 8, 4, 2, 1))]
    texture = Texture(levels[0], "nearest_mipmap_nearest", mips=levels[1:])
    steps = np.array([1 / 16, 2 / 16, 4 / 16])
    places = np.concatenate([[[0, 0], [step, 0], [0, step], [step, step]] for step in steps]) + 0.03
    w = 1.0 if kind == "2d" else 4.0
    varyings = {"texcoord0": places * w, "texcoord0w": np.full((len(places), 1), w)}
    pixels = Pixels(len(places), {}, varyings, {0: texture}, quads=True)
    found = assert_same(configuration(of("texture0")), pixels, {"texture0": Sampler(0, 0, kind)})
    assert found[::4, 0].tolist() == [0, 50, 100]


@pytest.mark.parametrize("seed", range(6))
def test_lighting(seed: int) -> None:
    rng = random.Random(seed)
    writes = [_random_write(rng, register) for register in REGISTERS if register.name.startswith(_OF_LIGHTING)]
    writes += [write("LIGHTING_ENABLE0", enable=1), write("LIGHTING_LIGHT_PERMUTATION", slot0=2, slot1=0, slot2=1)]
    tables = {
        name: tuple(rng.randrange(1 << 24) for _ in range(table.size))
        for name, table in TABLES.items()
        if table.index_register == BY_NAME["LIGHTING_LUT_INDEX"].address
    }
    numbers = np.random.default_rng(seed)
    varyings = {"normalquat": numbers.normal(size=(_COUNT, 4)), "view": numbers.normal(size=(_COUNT, 3))}
    textures = {
        source: colour for source, colour in random_colours(rng, _COUNT).items() if source.startswith("texture")
    }
    for source in ("lighting0", "lighting1"):
        found = replace(configuration(of(source)), unit_writes=tuple(writes), tables=tables)
        assert_same(found, Pixels(_COUNT, textures, varyings))


def test_the_engine_that_is_given_runs() -> None:
    set_up, values = set_up_of(configuration(of("primary"))), words_of(configuration(of("primary")))
    other = TranslatedCode(maker(set_up_of(configuration(of("texture0")))))
    found = simulate(set_up, values, Pixels(1, {"primary": [[1] * 4], "texture0": [[2] * 4]}), other)
    assert found.colours.tolist() == [[2] * 4]


def test_lighting_that_nobody_reads_needs_no_inputs() -> None:
    found = replace(configuration(of("primary")), unit_writes=(write("LIGHTING_ENABLE0", enable=1),))
    assert assert_same(found, Pixels(1, {"primary": [[7] * 4]})).tolist() == [[7] * 4]


def test_no_word_has_two_meanings() -> None:
    places = [
        *(range(first, first + 4) for first in (words.BUFFER_COLOUR, words.FOG_COLOUR, words.BLEND_COLOUR)),
        range(words.CONSTANTS, words.CONSTANTS + 24),
        range(words.ALPHA_REFERENCE, words.ALPHA_REFERENCE + 1),
        range(words.BORDERS, words.BORDERS + 12),
        range(words.FOG_TABLE, words.FOG_TABLE + 128),
        range(words.AMBIENT, words.AMBIENT + 3),
        *(range(words.table(number), words.table(number) + 256) for number in range(24)),
    ]
    for light in range(8):
        for name in words.LIGHT_VALUES:
            first = words.light_value(light, name)
            places.append(range(first, first + (2 if name == "attenuation" else 3)))
    taken = [word for place in places for word in place]
    assert len(set(taken)) == len(taken)
    assert max(taken) < words.COUNT


_OF_LIGHTING = (
    "LIGHT0",
    "LIGHT1",
    "LIGHT2",
    "LIGHTING_AMBIENT",
    "LIGHTING_CONFIG",
    "LIGHTING_NUM",
    "LIGHTING_LUTINPUT",
)


def _random_write(rng: random.Random, register: Register) -> Write:
    """Any value whose codes have a meaning, and whose floats are moderate."""
    layout = register.layout
    fields = {field.name: rng.randrange(1 << field.width) for field in layout.format.fields if not field.signed}
    fields |= {name: rng.choice(list(codes)) for name, codes in layout.codes.items()}
    fields |= {name: form.pattern_of(rng.uniform(-2, 2)) for name, form in layout.floats.items()}
    chosen = {"bump_unit": 0, "shadow_unit": 1, "last": 2, "configuration": rng.choice((4, 5, 6, 8))}
    return Write(register.address, layout.format.encode({name: chosen.get(name, fields[name]) for name in fields}))
