"""Alpha test, fog and blending, by values worked out by hand from the public formulas."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.fragment.program import AlphaTest, Configuration, Write
from glslc_multi.backends.pica200.machine.fragment.register_file import SimulationFault
from glslc_multi.backends.pica200.machine.fragment.set_up import set_up_of, words_of
from glslc_multi.backends.pica200.machine.fragment.simulate import Pixels, Result, simulate
from glslc_multi.compiler.records import replace
from tests.backends.pica200.machine.fragment.helpers import configuration, fog_writes, of, write

_PIXEL = (200, 100, 50, 128)


def run(found: Configuration, pixels: Pixels) -> Result:
    return simulate(set_up_of(found), words_of(found), pixels)


# --- Alpha test -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "holds"),
    [
        ("never", lambda x, y: False),
        ("always", lambda x, y: True),
        ("==", operator.eq),
        ("!=", operator.ne),
        ("<", operator.lt),
        ("<=", operator.le),
        (">", operator.gt),
        (">=", operator.ge),
    ],
)
def test_alpha_test(function: str, holds: Callable[[int, int], bool]) -> None:
    found = replace(configuration(of("primary")), alpha_test=AlphaTest(function, 7))
    result = run(found, Pixels(3, {"primary": [[1, 2, 3, alpha] for alpha in (6, 7, 8)]}))
    assert result.discarded.tolist() == [not holds(alpha, 7) for alpha in (6, 7, 8)]
    assert result.colours[0].tolist() == [1, 2, 3, 6]


# --- Fog --------------------------------------------------------------------------------------------------------------


def _entry(value: int, difference: int) -> int:
    return value << 13 | difference & 0x1FFF


def _fog(entries: tuple[int, ...], *, z_flip: int = 0) -> Configuration:
    writes = fog_writes(0, 100, 255, z_flip=z_flip)
    return replace(configuration(of("primary")), unit_writes=writes, tables={"fog": entries})


@pytest.mark.parametrize(("z_flip", "depths"), [(0, (0.0, 0.5, 1 / 256)), (1, (1.0, 0.5, 255 / 256))])
def test_fog_is_between_entries(z_flip: int, depths: tuple[float, ...]) -> None:
    # At the first entry all of the pixel remains, in the middle of the table none, between two entries a half.
    entries = [_entry(0, 0)] * 128
    entries[0] = _entry(2047, -2047)
    pixels = Pixels(3, {"primary": [_PIXEL] * 3}, {"depth": np.array(depths)})
    found = run(_fog(tuple(entries), z_flip=z_flip), pixels).colours.tolist()
    assert found == [[200, 100, 50, 128], [0, 100, 255, 128], [100, 100, 152, 128]]


def test_the_end_of_the_fog_table() -> None:
    # Behind the last entry its difference counts, and nothing is beyond 0 or 1.
    entries = (*[_entry(0, 0)] * 127, _entry(2047, 2047))
    pixels = Pixels(1, {"primary": [_PIXEL]}, {"depth": [1.0]})
    assert run(_fog(entries), pixels).colours.tolist() == [[200, 100, 50, 128]]


def test_gas_is_a_fault() -> None:
    found = replace(configuration(of("primary")), unit_writes=(write("TEXENV_UPDATE_BUFFER", mode="gas"),))
    with pytest.raises(SimulationFault, match="gas is not simulated"):
        set_up_of(found)


# --- Output -----------------------------------------------------------------------------------------------------------

_DESTINATION = (10, 20, 30, 64)


def _mixed(*writes: Write) -> list[int]:
    found = replace(configuration(of("primary")), unit_writes=writes)
    pixels = Pixels(1, {"primary": [_PIXEL], "destination": [_DESTINATION]})
    colour: list[int] = run(found, pixels).colours[0].tolist()
    return colour


_ALL = write("DEPTH_COLOR_MASK", write=0b1111)
_BLENDS = write("COLOR_OPERATION", mode="normal", blend=1)


def _blend(rgb: tuple[str, str, str], a: tuple[str, str, str]) -> Write:
    names = [f"{part}_{field}" for part in ("rgb", "a") for field in ("equation", "source", "destination")]
    return write("BLEND_FUNC", **dict(zip(names, (*rgb, *a), strict=True)))


_OVER = ("add", "src_alpha", "one_minus_src_alpha")


@pytest.mark.parametrize(
    ("rgb", "a", "expected"),
    [
        # (200 * 128 + 10 * 127) / 255 and so on, cut off.
        (_OVER, ("add", "one", "zero"), [105, 60, 40, 128]),
        (("add", "one", "one"), ("add", "one", "one"), [210, 120, 80, 192]),
        (("subtract", "one", "one"), ("reverse_subtract", "one", "one"), [190, 80, 20, 0]),
        (("min", "zero", "one"), ("max", "zero", "one"), [0, 0, 0, 64]),
        (("add", "src_color", "zero"), ("add", "dst_alpha", "zero"), [156, 39, 9, 32]),
        (("add", "one_minus_dst_color", "dst_color"), ("add", "src_alpha_saturate", "zero"), [192, 93, 47, 128]),
        (("add", "src_alpha_saturate", "zero"), ("add", "zero", "zero"), [100, 50, 25, 0]),
        (("add", "constant_color", "zero"), ("add", "constant_alpha", "zero"), [0, 39, 50, 100]),
        (("add", "one_minus_constant_alpha", "zero"), ("add", "zero", "one_minus_constant_color"), [43, 21, 10, 13]),
    ],
)
def test_blending(rgb: tuple[str, str, str], a: tuple[str, str, str], expected: list[int]) -> None:
    constant = write("BLEND_COLOR", r=0, g=100, b=255, a=200)
    assert _mixed(_BLENDS, _ALL, constant, _blend(rgb, a)) == expected


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("clear", lambda s, d: 0),
        ("and", lambda s, d: s & d),
        ("and_reverse", lambda s, d: s & ~d),
        ("copy", lambda s, d: s),
        ("set", lambda s, d: -1),
        ("copy_inverted", lambda s, d: ~s),
        ("noop", lambda s, d: d),
        ("invert", lambda s, d: ~d),
        ("nand", lambda s, d: ~(s & d)),
        ("or", lambda s, d: s | d),
        ("nor", lambda s, d: ~(s | d)),
        ("xor", lambda s, d: s ^ d),
        ("equiv", lambda s, d: ~(s ^ d)),
        ("and_inverted", lambda s, d: ~s & d),
        ("or_reverse", lambda s, d: s | ~d),
        ("or_inverted", lambda s, d: ~s | d),
    ],
)
def test_logic_operations(operation: str, expected: Callable[[int, int], int]) -> None:
    found = _mixed(write("COLOR_OPERATION", mode="normal"), _ALL, write("LOGIC_OP", operation=operation))
    assert found == [expected(s, d) & 0xFF for s, d in zip(_PIXEL, _DESTINATION, strict=True)]


def test_the_mask_keeps_channels() -> None:
    copied = write("LOGIC_OP", operation="copy")
    some = write("DEPTH_COLOR_MASK", write=0b1010)
    assert _mixed(write("COLOR_OPERATION", mode="normal"), some, copied) == [10, 100, 30, 128]


def test_shadow_maps_are_a_fault() -> None:
    with pytest.raises(SimulationFault, match="fragments for shadow are not simulated"):
        _mixed(write("COLOR_OPERATION", mode="shadow"))
