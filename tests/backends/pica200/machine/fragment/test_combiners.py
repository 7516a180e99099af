"""Bytes of the combiners: all of them against whole numbers, random configurations against one pixel at a time."""

from __future__ import annotations

import random
from fractions import Fraction
from math import floor

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.fragment.combiners import FUNCTIONS
from glslc_multi.backends.pica200.isa.fragment.program import Stage, passes
from glslc_multi.backends.pica200.isa.fragment.rounding import ROUNDINGS, Rounding
from glslc_multi.backends.pica200.machine.fragment.arithmetic import ByteArithmetic
from glslc_multi.backends.pica200.machine.fragment.register_file import SimulationFault
from glslc_multi.compiler.arithmetic.lanes import LANES
from tests.backends.pica200.machine.fragment import scalar
from tests.backends.pica200.machine.fragment.helpers import (
    combiner,
    configuration,
    of,
    random_colours,
    random_configuration,
    run,
)

_ALPHA = passes("primary", "a")


# --- Quotients --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rounding", "half"), [("azahar", 0), ("hardware", Fraction(1, 2))])
def test_all_products_of_bytes(rounding: Rounding, half: Fraction) -> None:
    products = np.unique(np.outer(np.arange(256), np.arange(256))).astype(np.int32)
    found = ByteArithmetic(LANES, rounding).over_whole(products)
    assert found.tolist() == [floor(Fraction(product, 255) + half) for product in products.tolist()]


def test_quotients_of_sums_are_limited() -> None:
    sums = np.arange(-2 * 255 * 255, 2 * 255 * 255 + 1, 7, dtype=np.int32)
    found = ByteArithmetic(LANES, "azahar").limited_quotient(sums)
    assert found.tolist() == [max(0, min(255, number // 255)) for number in sums.tolist()]


# --- Functions --------------------------------------------------------------------------------------------------------

#: Function, operands a, b, c, and the result by the reference: products cut off, then to nearest.
_BY_HAND = [
    ("REPLACE", (7, 0, 0), 7, 7),
    ("MODULATE", (255, 255, 0), 255, 255),
    ("MODULATE", (128, 255, 0), 128, 128),
    ("MODULATE", (100, 100, 0), 39, 39),
    ("MODULATE", (254, 254, 0), 253, 253),
    ("MODULATE", (127, 2, 0), 0, 1),
    ("ADD", (200, 100, 0), 255, 255),
    ("ADD_SIGNED", (128, 3, 0), 3, 3),
    ("ADD_SIGNED", (100, 20, 0), 0, 0),
    ("INTERPOLATE", (255, 0, 64), 64, 64),
    ("INTERPOLATE", (10, 250, 255), 10, 10),
    ("SUBTRACT", (3, 4, 0), 0, 0),
    ("MULTIPLY_ADD", (255, 200, 100), 255, 255),
    ("MULTIPLY_ADD", (10, 10, 10), 10, 10),
    ("ADD_MULTIPLY", (200, 200, 128), 128, 128),
]


@pytest.mark.parametrize(("function", "operands", "cut", "nearest"), _BY_HAND)
def test_functions(function: str, operands: tuple[int, int, int], cut: int, nearest: int) -> None:
    stage = Stage(
        combiner(f"{function} texture0.rgb texture1.rgb texture2.rgb"),
        combiner(f"{function} texture0.a texture1.a texture2.a"),
    )
    colours = {f"texture{number}": [operand] * 4 for number, operand in enumerate(operands)}
    for rounding, expected in zip(ROUNDINGS, (cut, nearest), strict=True):
        assert run(configuration(stage), colours, rounding).stages[0, 0].tolist() == [expected] * 4


def test_every_function_has_a_meaning() -> None:
    for name in FUNCTIONS:
        stage = Stage(combiner(f"{name} primary.rgb primary.rgb primary.rgb"), _ALPHA)
        assert run(configuration(stage), {"primary": [200, 100, 50, 10]}).stages.shape == (6, 1, 4)


@pytest.mark.parametrize("name", ["DOT3_RGB", "DOT3_RGBA"])
def test_a_dot_product_for_alpha_alone_is_a_fault(name: str) -> None:
    stage = Stage(passes("primary", "rgb"), combiner(f"{name} primary.a primary.a"))
    with pytest.raises(SimulationFault, match=f"stage 0: what {name} for alpha alone"):
        run(configuration(stage), {"primary": [0, 0, 0, 0]})


#: Measured on a console (Lectem, 3DS_gpu_tests, 2015): two colours and their dot product; and what the emulator has.
_MEASURED = [
    ((1, 1, 1), (1, 1, 1), 255, 255),
    ((60, 60, 60), (60, 60, 60), 210, 213),
    ((75, 75, 75), (75, 75, 75), 126, 129),
    ((131, 128, 128), (137, 127, 128), 0, 1),
]


@pytest.mark.parametrize(("first", "second", "measured", "emulated"), _MEASURED)
def test_measured_dot_products(first: tuple[int, ...], second: tuple[int, ...], measured: int, emulated: int) -> None:
    stage = Stage(combiner("DOT3_RGB texture0.rgb texture1.rgb"), _ALPHA)
    colours = {"texture0": [*first, 0], "texture1": [*second, 0], "primary": [0, 0, 0, 9]}
    assert run(configuration(stage), colours, "hardware").stages[0, 0].tolist() == [measured] * 3 + [9]
    assert run(configuration(stage), colours, "azahar").stages[0, 0].tolist() == [emulated] * 3 + [9]


def test_a_term_of_mixed_signs_is_one_less_on_the_console() -> None:
    # -1 * 1 in 255ths of 255ths: 0 by magnitude, and -1 by its sign; three of them against 1 * 255.
    stage = Stage(combiner("DOT3_RGB texture0.rgb texture1.rgb"), _ALPHA)
    colours = {"texture0": [255, 127, 127, 0], "texture1": [255, 128, 128, 0], "primary": [0] * 4}
    assert run(configuration(stage), colours, "hardware").stages[0, 0, 0] == 253
    assert run(configuration(stage), colours, "azahar").stages[0, 0, 0] == 254


# --- Scales, alpha, selections ----------------------------------------------------------------------------------------


def test_the_clamp_of_the_function_comes_before_the_scale() -> None:
    stage = Stage(combiner("SUBTRACT primary.rgb 1-primary.rgb", 4), combiner("ADD primary.a primary.a", 2))
    found = run(configuration(stage), {"primary": [100, 140, 250, 100]}).stages[0, 0]
    assert found.tolist() == [0, 100, 255, 255]


def test_dot3_rgba_takes_the_scale_of_alpha_and_replaces_its_function() -> None:
    stage = Stage(combiner("DOT3_RGBA primary.rgb primary.rgb", 1), combiner("REPLACE primary.a", 4))
    found = run(configuration(stage), {"primary": [160, 128, 128, 3]}).stages[0, 0]
    assert found.tolist() == [17, 17, 17, 68]


def test_selections() -> None:
    stage = Stage(combiner("ADD primary.ggg 1-primary.aaa"), combiner("REPLACE 1-primary.b"))
    assert run(configuration(stage), {"primary": [1, 2, 3, 250]}).stages[0, 0].tolist() == [7, 7, 7, 252]


# --- Stages and buffer ------------------------------------------------------------------------------------------------


def _with_constants(*reds: int, updates: str) -> list[Stage]:
    halves = passes("constant", "rgb"), passes("constant", "a")
    return [
        Stage(*halves, (red, 0, 0, red + 1), letter in "cb", letter in "ab")
        for red, letter in zip(reds, updates, strict=True)
    ]


def test_the_buffer_lags_one_stage_behind() -> None:
    stages = _with_constants(10, 20, 30, 40, 50, 60, updates="bca-..".replace(".", "-"))
    buffers = run(configuration(*stages, buffer_colour=(1, 2, 3, 4)), {}).buffers[:, 0]
    colours = [tuple(buffer) for buffer in buffers.tolist()]
    assert colours == [(0, 0, 0, 0), (1, 2, 3, 4), (10, 0, 0, 11), (20, 0, 0, 11), (20, 0, 0, 31), (20, 0, 0, 31)]


def test_alpha_does_not_see_the_colour_of_its_stage_and_the_next_one_does() -> None:
    first = Stage(passes("constant", "rgb"), passes("primary", "a"), (9, 8, 7, 6))
    second = Stage(passes("primary", "rgb"), combiner("REPLACE previous.g"))
    assert run(configuration(first, second), {"primary": [1, 2, 3, 4]}).stages[1, 0].tolist() == [1, 2, 3, 8]


def test_what_is_previous_in_the_first_stage() -> None:
    inert = configuration()
    assert run(inert, {"primary": [1, 2, 3, 4]}).colours.tolist() == [[1, 2, 3, 0]]
    assert run(inert, {"primary": [1, 2, 3, 4]}, "hardware").colours.tolist() == [[1, 2, 3, 4]]


def test_stages_hand_on() -> None:
    assert run(configuration(of("texture3")), {"texture3": [5, 6, 7, 8], "primary": [0] * 4}).colours.tolist() == [
        [5, 6, 7, 8]
    ]


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("translated", [False, True], ids=["interpreted", "translated"])
def test_random_configurations(rounding: Rounding, translated: bool) -> None:
    rng = random.Random(25)
    for _ in range(8 if translated else 60):
        found, colours = random_configuration(rng), random_colours(rng, 21)
        result = run(found, colours, rounding, translated=translated)
        for pixel in range(21):
            sources = {source: array[pixel].tolist() for source, array in colours.items()}
            assert [tuple(stage[pixel].tolist()) for stage in result.stages] == scalar.run(found, sources, rounding)
