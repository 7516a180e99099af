"""Calls of the driver library as register writes.

What is expected here is from the library's documentation and the public notes; `python -m tests.golden` compares with
what the library was recorded to send.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from glslc_multi.backends.pica200.isa.fragment.decode import registers_after
from glslc_multi.backends.pica200.isa.fragment.program import Write
from tests.backends.pica200.citro3d.context import Context
from tests.backends.pica200.citro3d.driver import UnknownCall, writes_of_calls
from tests.golden.pica200_registers import recorded_writes
from tests.shared_data import shared_path


def _words(*calls: tuple[Any, ...]) -> dict[int, int]:
    return {write.register: write.value for write in writes_of_calls(calls)}


def test_nothing_is_sent_without_calls() -> None:
    assert writes_of_calls([]) == []


def test_a_stage() -> None:
    words = _words(
        ("C3D_TexEnvSrc", "env4", "C3D_Both", "GPU_TEXTURE0", "GPU_PRIMARY_COLOR", "GPU_PREVIOUS"),
        ("C3D_TexEnvFunc", "env4", "C3D_RGB", "GPU_MODULATE"),
        ("C3D_TexEnvScale", "env4", "C3D_Alpha", "GPU_TEVSCALE_4"),
    )
    # The stages before the gap end at 0DC, the fifth one begins at 0F0.
    assert words == {0x0F0: 0x0F030F03, 0x0F1: 0, 0x0F2: 1, 0x0F3: 0xFFFFFFFF, 0x0F4: 0x20000}


def test_buffer_and_fog_share_a_register() -> None:
    writes = writes_of_calls(
        [
            ("C3D_TexEnvBufUpdate", "C3D_RGB", 0b0101),
            ("C3D_TexEnvBufUpdate", "C3D_Both", 0b0010),
            ("C3D_TexEnvBufUpdate", "C3D_Alpha", 0b1000),
            ("C3D_FogGasMode", "GPU_FOG", "GPU_PLAIN_DENSITY", "true"),
        ]
    )
    assert writes[0] == Write(0x0E0, 0x18205, 0b0111)


def test_alpha_test() -> None:
    assert _words(("C3D_AlphaTest", "true", "GPU_GEQUAL", 128))[0x104] == 0x8071


def test_fog_table_is_sent_while_there_is_fog() -> None:
    bind = (("FogLut_Exp", "fogLut", 0.05, 1.5, 0.1, 10.0), ("C3D_FogLutBind", "fogLut"))
    assert 0x0E8 not in _words(*bind)
    assert 0x0E8 in _words(*bind, ("C3D_FogGasMode", "GPU_FOG", "GPU_PLAIN_DENSITY", "false"))


def test_lights() -> None:
    words = _words(
        ("C3D_LightEnvInit", "lightEnv"),
        ("C3D_LightEnvBind", "lightEnv"),
        # Blue first: ambient, diffuse, two speculars, emission.
        ("C3D_LightEnvMaterial", "lightEnv", [0, 0, 0, 0.25, 0.5, 1, 0, 0, 0, 0, 0, 0, 0, 0.5, 2]),
        *(("C3D_LightInit", f"light{number}", "lightEnv") for number in range(3)),
        ("C3D_LightDiffuse", "light1", 1.0, 0.5, 0.0),
        ("C3D_LightPosition", "light1", 1.0, -2.0, 0.5, 0.0),
        ("C3D_LightEnable", "light0", "false"),
        ("C3D_LightShadowEnable", "light2", "true"),
        ("C3D_LightSpotDir", "light2", 0.0, 0.0, -3.0),
    )
    assert (words[0x08F], words[0x1C6]) == (1, 0)
    assert words[0x152] == 0xFF << 20 | 0x3F << 10
    assert (words[0x154], words[0x155], words[0x159]) == (0xC0003C00, 0x3800, 1)
    # Emission above 1 is held to 255; slots have the lights that are on.
    assert words[0x1C0] == 0xFF << 20 | 0x7F << 10
    assert (words[0x1C2], words[0x1D9]) == (1, 0x21)
    assert words[0x1C4] == 0xFFFFFFFB
    # The opposite direction, 11 fraction bits.
    assert words[0x167] == 0x0800


_IMAGE = ("C3D_TexInit", "tex0", 64, 32, "GPU_RGB565")
_CUBE = ("C3D_TexInitWithParams", "tex1", 8, 8, "GPU_RGB8", "GPU_TEX_CUBE_MAP", 0, 0)


def test_an_image() -> None:
    words = _words(
        _CUBE,
        _IMAGE,
        ("C3D_TexBind", 2, "tex0"),
        ("C3D_TexSetFilter", "tex0", "GPU_LINEAR", "GPU_NEAREST"),
        ("C3D_TexSetWrap", "tex0", "GPU_REPEAT", "GPU_CLAMP_TO_BORDER"),
        ("C3D_TexSetLodBias", "tex0", -0.5),
        ("tex->border", "tex0", 0x11223344),
    )
    # What was set after it was bound counts, too; the sides of the cube take 6 * 192 bytes before it.
    assert (words[0x099], words[0x09A], words[0x09B]) == (0x11223344, 64 << 16 | 32, 1 << 1 | 1 << 8 | 2 << 12)
    assert (words[0x09C], words[0x09E]) == (0x1F80, 3)
    assert words[0x09D] - _words(_IMAGE, ("C3D_TexBind", 2, "tex0"))[0x09D] == 6 * 192 // 8


def test_units_that_are_on() -> None:
    bound = _IMAGE, ("C3D_TexBind", 0, "tex0"), ("C3D_TexBind", 1, "tex0")
    assert writes_of_calls(bound)[-3:-1] == [Write(0x080, 0x11003, 0b1011), Write(0x080, 0x10000, 0b0100)]
    assert Write(0x080, 0x11002, 0b1011) in writes_of_calls([*bound, ("C3D_TexBind", 0, None)])


def test_units_beside_the_first_take_no_cube() -> None:
    assert writes_of_calls([_CUBE, ("C3D_TexBind", 1, "tex1")]) == []
    words = _words(_CUBE, ("C3D_TexBind", 0, "tex1"))
    assert words[0x083] == 1 << 28
    assert [words[0x085 + side] - words[0x085] & 0x3FFFFF for side in range(6)] == [24 * side for side in range(6)]


def test_shadow_maps() -> None:
    """24 bits of the bias, of which the lowest says whether there is a perspective."""
    assert _words(("C3D_TexShadowParams", "false", -0.5)) == {0x080: 0x1000, 0x08B: 0x800001}
    assert _words(("C3D_TexShadowParams", "true", 7.0))[0x08B] == 0xFFFFFE
    made = ("C3D_TexInitWithParams", "tex0", 8, 8, "GPU_RGBA8", "GPU_TEX_SHADOW_CUBE", 0, 0)
    assert _words(made, ("C3D_TexBind", 0, "tex0"))[0x083] == 4 << 28 | 1 << 20


@pytest.mark.parametrize(
    ("tables", "code"),
    [
        ((), 0),
        (("GPU_LUT_D0", "GPU_LUT_RR"), 0),
        (("GPU_LUT_FR",), 1),
        (("GPU_LUT_D0", "GPU_LUT_D1"), 2),
        (("GPU_LUT_D1", "GPU_LUT_FR"), 3),
        (("GPU_LUT_D1", "GPU_LUT_RB"), 4),
        (("GPU_LUT_RG", "GPU_LUT_FR"), 5),
        (("GPU_LUT_D1", "GPU_LUT_FR", "GPU_LUT_RR"), 8),
    ],
)
def test_configuration_that_has_the_tables(tables: tuple[str, ...], code: int) -> None:
    """A spot takes part where there is one: configurations 2 and 3 have no table for it."""
    calls = [
        ("C3D_LightEnvInit", "lightEnv"),
        ("C3D_LightEnvBind", "lightEnv"),
        ("LightLut_Phong", "lut0", 5.0),
        *(("C3D_LightEnvLut", "lightEnv", table, "GPU_LUTINPUT_NH", "false", "lut0") for table in tables),
    ]
    if "GPU_LUT_RR" in tables and len(tables) == 3:
        calls += [("C3D_LightEnvLut", "lightEnv", "GPU_LUT_RB", "GPU_LUTINPUT_CP", "false", "lut0")]
    assert _words(*calls)[0x1C3] >> 4 & 0xF == code


@pytest.mark.parametrize(
    "call",
    [
        ("C3D_Nothing",),
        ("C3D_FogColor",),
        ("C3D_AlphaTest", "true", "GPU_SOMETIMES", 1),
        ("C3D_AlphaTest", "true", "GPU_ALWAYS", 256),
        ("C3D_TexEnvFunc", "env6", "C3D_RGB", "GPU_ADD"),
        ("C3D_FogLutBind", "nobody"),
        ("C3D_LightColor", "light0", 1.0, 1.0, 1.0),
        ("C3D_TexBind", 0, "tex0"),
        ("C3D_TexInitWithParams", "tex0", 8, 8, "GPU_L8", "GPU_TEX_2D", 0, 1),
        ("C3D_TexInitWithParams", "tex0", 8, 8, "GPU_L8", "GPU_TEX_2D", 3, 0),
    ],
)
def test_calls_that_cannot_be(call: tuple[Any, ...]) -> None:
    with pytest.raises(UnknownCall):
        writes_of_calls([call])


def test_recorded_programs() -> None:
    """Calls of whole programs, and what the library starts with."""
    for case in json.loads(shared_path("golden/pica200-fragment/programs.json").read_text())["cases"]:
        calls = case.get("citro3d") or case.get("citro3d_of_first_run")
        if calls:
            writes = case.get("writes") or case["writes_of_first_run"]
            assert writes_of_calls(calls) == recorded_writes(writes), case["name"]


def test_recorded_start() -> None:
    rows = json.loads(shared_path("golden/pica200-fragment/registers_tev.json").read_text())["after_init"]
    # The cache of texels is cleared once.
    expected = registers_after(recorded_writes(rows), {}) | {0x080: 0x1000}
    context = Context().registers
    assert {address: context.get(address, 0) for address in expected} == expected
