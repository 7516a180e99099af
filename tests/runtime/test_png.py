"""PNG files: what is written is read back, and the parts of the format that our writer does not use."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from glslc_multi.runtime.png import PngError, decode_png, encode_png

RANDOM = np.random.default_rng(4)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(
    width: int, height: int, depth: int, colour_type: int, rows: bytes, *, more: bytes = b"", lace: int = 0
) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, lace)
    parts = chunk(b"IHDR", header), more, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize("shape", [(3, 5), (3, 5, 1), (4, 2, 2), (1, 1, 3), (7, 9, 4)])
def test_images_are_read_back(shape: tuple[int, ...]) -> None:
    image = RANDOM.integers(0, 256, shape).astype(np.uint8)
    found = decode_png(encode_png(image))
    assert found.shape == (*shape[:2], shape[2] if len(shape) > 2 else 1)
    assert (found == image.reshape(found.shape)).all()


def test_smooth_and_repeating_pictures_are_small() -> None:
    """Either is large with the filter that the other needs."""
    smooth = (np.add.outer(np.arange(64) * 3, np.arange(64) * 2)[:, :, None] * [1, 2, 3]).astype(np.uint8)
    repeating = RANDOM.integers(0, 256, (8, 64, 3)).astype(np.uint8)[RANDOM.integers(0, 8, 64)]
    for image, most in ((smooth, 600), (repeating, 2500)):
        assert len(encode_png(image)) < most
        assert (decode_png(encode_png(image)) == image).all()


def filtered(filter_type: int, row: list[int], above: list[int], step: int) -> bytes:
    """Clause 9.2: what an encoder writes, byte by byte from the unfiltered values."""
    out = [filter_type]
    for place, value in enumerate(row):
        left = row[place - step] if place >= step else 0
        corner = above[place - step] if place >= step else 0
        up = above[place]
        distances = [(abs(left + up - corner - other), rank) for rank, other in enumerate((left, up, corner))]
        paeth = (left, up, corner)[min(distances)[1]]
        out.append((value - (0, left, up, (left + up) // 2, paeth)[filter_type]) % 256)
    return bytes(out)


def test_every_filter() -> None:
    image = RANDOM.integers(0, 256, (10, 6, 3)).astype(np.uint8)
    rows = image.reshape(10, -1).tolist()
    data = b"".join(filtered(n % 5, row, rows[n - 1] if n else [0] * 18, 3) for n, row in enumerate(rows))
    assert (decode_png(png(6, 10, 8, 2, data)) == image).all()


def test_small_and_large_samples() -> None:
    assert decode_png(png(3, 1, 1, 0, b"\x00\xa0")).ravel().tolist() == [255, 0, 255]
    assert decode_png(png(3, 1, 2, 0, b"\x00\x1c")).ravel().tolist() == [0, 85, 255]
    assert decode_png(png(3, 1, 4, 0, b"\x00\x0f\x10")).ravel().tolist() == [0, 255, 17]
    assert decode_png(png(2, 1, 16, 0, b"\x00\x12\x34\xff\xff")).ravel().tolist() == [0x12, 0xFF]


def test_palettes() -> None:
    palette = chunk(b"PLTE", bytes([1, 2, 3, 4, 5, 6]))
    assert decode_png(png(2, 1, 8, 3, b"\x00\x01\x00", more=palette)).tolist() == [[[4, 5, 6], [1, 2, 3]]]
    transparent = palette + chunk(b"tRNS", b"\x07")
    assert decode_png(png(2, 1, 1, 3, b"\x00\x40", more=transparent)).tolist() == [[[1, 2, 3, 7], [4, 5, 6, 255]]]


GOOD = encode_png(np.zeros((2, 2, 3), np.uint8))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        GOOD[:-5],
        GOOD[:40],
        GOOD.replace(b"IDAT", b"IDAX"),
        png(2, 1, 8, 0, b"\x00\x01"),
        png(2, 1, 8, 0, b"\x05\x01\x02"),
        png(2, 1, 3, 0, b"\x00\x01\x02"),
        png(0, 1, 8, 0, b""),
        png(2, 1, 8, 3, b"\x00\x01\x00"),
        png(2, 1, 8, 0, b"\x00\x01\x02", lace=1),
    ],
)
def test_bad_files_are_refused(data: bytes) -> None:
    with pytest.raises(PngError):
        decode_png(data)


HEADER = struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0)
_START, _DATA = b"\x89PNG\r\n\x1a\n", chunk(b"IDAT", zlib.compress(b"\x00\x01\x02")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x89PNG", "this is no PNG file"),
        (_START + _DATA, "the header is missing"),
        (_START + chunk(b"IHDR", HEADER[:-1]) + _DATA, "the header is missing"),
        (png(2, 1, 8, 5, b"\x00\x01\x02"), "the header makes no sense"),
        (png(2, 1, 4, 2, b"\x00\x01\x02"), "the header makes no sense"),
        (png(1 << 15, (1 << 13) + 1, 8, 0, b""), "the header makes no sense"),
        (png(2, 1, 8, 0, b"\x00\x01\x02\x03"), "do not have the size that the header says"),
        (png(2, 1, 8, 0, b"\x07\x01\x02"), "unknown filter 7"),
        (_START + chunk(b"IHDR", HEADER) + chunk(b"IDAT", b"no zlib") + chunk(b"IEND", b""), "data are damaged"),
        (GOOD[:-1] + b"\0", "the file is damaged or cut off"),
        (GOOD[:-12], "the file is cut off"),
        (png(2, 1, 8, 3, b"\x00\x01\x00", more=chunk(b"PLTE", b"\1\2\3")), "the palette is missing or too short"),
        (png(2, 1, 8, 3, b"\x00\x00\x00", more=chunk(b"PLTE", b"\1\2\3\4")), "the palette is missing or too short"),
    ],
)
def test_what_is_wrong_is_told(data: bytes, what: str) -> None:
    with pytest.raises(PngError, match=what):
        decode_png(data)


def test_data_may_come_in_several_chunks() -> None:
    whole = zlib.compress(b"\x00\x01\x02")
    parts = chunk(b"IDAT", whole[:5]) + chunk(b"IDAT", whole[5:]) + chunk(b"IEND", b"")
    assert decode_png(_START + chunk(b"IHDR", HEADER) + parts).ravel().tolist() == [1, 2]


def test_more_alphas_than_colours_mean_nothing() -> None:
    more = chunk(b"PLTE", bytes([1, 2, 3])) + chunk(b"tRNS", b"\x07\x08")
    assert decode_png(png(1, 1, 8, 3, b"\x00\x00", more=more)).tolist() == [[[1, 2, 3, 7]]]


@pytest.mark.parametrize("filter_type", [1, 3, 4])
def test_filters_of_samples_that_are_less_than_a_byte(filter_type: int) -> None:
    """The pixel to the left is the byte to the left (clause 9.2)."""
    rows = RANDOM.integers(0, 256, (2, 3)).astype(np.uint8).tolist()
    data = b"".join(filtered(filter_type, row, rows[n - 1] if n else [0] * 3, 1) for n, row in enumerate(rows))
    bits = np.unpackbits(np.array(rows, np.uint8), axis=1) * 255
    assert (decode_png(png(24, 2, 1, 0, data))[:, :, 0] == bits).all()


def test_arrays_that_are_no_images_are_refused() -> None:
    with pytest.raises(ValueError, match="an image is"):
        encode_png(np.zeros((2, 2, 5)))
