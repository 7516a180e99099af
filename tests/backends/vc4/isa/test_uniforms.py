"""Words of the uniform stream and setups of the VPM, as the driver and its shaders have them."""

from __future__ import annotations

import pytest

from glslc_multi.backends.vc4.isa.fixed_function import vpm_setup, vpm_setup_of
from glslc_multi.backends.vc4.isa.uniforms import (
    TEXTURE_KINDS,
    Slot,
    TextureKind,
    texture_parameter,
    texture_source,
    texture_source_of,
    word_of,
)


def test_words_of_slots() -> None:
    assert [word_of(slot) for slot in (-1, Slot("stream"), Slot("buffer", 2), Slot("texture"))] == [
        0xFFFFFFFF,
        0x20000000,
        0x40040000,
        None,
    ]


def test_addresses_of_buffers_behind_large_ones_are_words() -> None:
    """Sources count words of uniforms: behind five arrays of as many matrices as shaders take, say."""
    far = word_of(Slot("buffer", 5 * 256 * 16))
    assert far is not None and 0x40000000 < far < 2**32


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (TextureKind(False, None), "texture_config0"),
        (TextureKind(True, None), "texture_config0_lod"),
        (TextureKind(False, 3), "texture_config0_a"),
        (TextureKind(True, 1), "texture_config0_lod_g"),
    ],
)
def test_names_of_parameters_say_the_kind_of_lookup(kind: TextureKind, name: str) -> None:
    assert texture_parameter(0, kind) == name
    assert TextureKind.of(texture_source_of(5, name)) == kind
    assert texture_source_of(5, name) == texture_source(5, TEXTURE_KINDS.index(kind))


@pytest.mark.parametrize(
    ("word", "row", "stride", "length"),
    [(0x00201A00, 0, 1, 2), (0x00001A04, 4, 1, 16), (0x00302A01, 1, 2, 3), (0x00100A3F, 63, 64, 1)],
)
def test_setups_of_rows(word: int, row: int, stride: int, length: int) -> None:
    assert vpm_setup_of(word) == (row, stride, length)
    if stride == 1:
        assert vpm_setup(row, length) == word


@pytest.mark.parametrize("word", [0x80000000, 0x00000000, 0x00001800, 0x00001200])
def test_setups_of_other_accesses(word: int) -> None:
    """Transfers from memory, bytes, halves, columns."""
    assert vpm_setup_of(word) is None
