"""PNG images to arrays and back (ISO/IEC 15948), with nothing but zlib.

Arrays are (height, width, channels) of uint8 with the top row first; 1 to 4 channels mean grey, grey and alpha, RGB,
RGBA.  Interlaced images are not supported; of 16-bit samples the upper byte is kept.  Checksums are verified.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Colour type -> samples a pixel, and the depths that the standard allows (table 11.1).
_COLOUR_TYPES = {0: (1, (1, 2, 4, 8, 16)), 2: (3, (8, 16)), 3: (1, (1, 2, 4, 8)), 4: (2, (8, 16)), 6: (4, (8, 16))}
_TYPE_OF_CHANNELS = {1: 0, 2: 4, 3: 2, 4: 6}
_PALETTE = 3
#: More pixels than this are taken for a damaged header.
_LARGEST = 1 << 28


class PngError(ValueError):
    """Bytes that are no PNG image, or one of a kind that is not read."""


def encode_png(pixels: Any) -> bytes:
    """The file of an image; 2D arrays are grey."""
    image = np.asarray(pixels, dtype=np.uint8)
    image = image[:, :, None] if image.ndim == 2 else image
    if image.ndim != 3 or image.shape[2] not in _TYPE_OF_CHANNELS or not image.size:
        raise ValueError(f"an image is (height, width, 1 to 4 channels), found {image.shape}")
    height, width, channels = image.shape
    header = struct.pack(">IIBBBBB", width, height, 8, _TYPE_OF_CHANNELS[channels], 0, 0, 0)
    rows = image.reshape(height, -1)
    above = np.concatenate([np.zeros_like(rows[:1]), rows[:-1]])
    # Filter 0, none, or 2, up: smooth pictures take less than half as many bytes by what is new of a row.
    data = min((_compressed(0, rows), _compressed(2, rows - above)), key=len)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _compressed(filter_type: int, rows: Pixels) -> bytes:
    return zlib.compress(np.pad(rows, ((0, 0), (1, 0)), constant_values=filter_type).tobytes(), 6)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def decode_png(data: bytes) -> Pixels:
    """The pixels of a file; palettes become RGB or RGBA."""
    chunks: dict[bytes, bytes] = {}
    for kind, content in _chunks(data):
        chunks[kind] = chunks.get(kind, b"") + content
    if b"IHDR" not in chunks or len(chunks[b"IHDR"]) != 13:
        raise PngError("the header is missing")
    width, height, depth, colour_type, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    channels, depths = _COLOUR_TYPES.get(colour_type, (0, ()))
    if depth not in depths or not 0 < width * height <= _LARGEST:
        raise PngError("the header makes no sense")
    if interlaced:
        raise PngError("interlaced images are not read; save it without")
    samples = _samples(_unfiltered(chunks.get(b"IDAT", b""), width * channels * depth, height, channels * depth), depth)
    image = samples[:, : width * channels].reshape(height, width, channels)
    if colour_type == _PALETTE:
        indices = image[:, :, 0]
        palette = np.frombuffer(chunks.get(b"PLTE", b""), dtype=np.uint8)
        if not len(palette) or len(palette) % 3 or indices.max() >= len(palette) // 3:
            raise PngError("the palette is missing or too short")
        colours = palette.reshape(-1, 3)
        if b"tRNS" in chunks:
            alpha = np.full((len(colours), 1), 255, dtype=np.uint8)
            given = np.frombuffer(chunks[b"tRNS"], dtype=np.uint8)[: len(colours)]
            alpha[: len(given), 0] = given
            colours = np.concatenate([colours, alpha], axis=1)
        return colours[indices]
    if depth < 8:
        image = (image * (255 // (2**depth - 1))).astype(np.uint8)
    return image


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not data.startswith(_SIGNATURE):
        raise PngError("this is no PNG file")
    position = len(_SIGNATURE)
    kind = b""
    while kind != b"IEND":
        head = data[position : position + 8]
        if len(head) < 8:
            raise PngError("the file is cut off")
        length, kind = struct.unpack(">I4s", head)
        content = data[position + 8 : position + 8 + length]
        checksum = data[position + 8 + length : position + 12 + length]
        if checksum != struct.pack(">I", zlib.crc32(kind + content)):
            raise PngError("the file is damaged or cut off")
        yield kind, content
        position += 12 + length


def _unfiltered(compressed: bytes, row_bits: int, height: int, pixel_bits: int) -> Pixels:
    """Rows of bytes without the filters of clause 9; `step` is how far the pixel to the left is."""
    length, step = (row_bits + 7) // 8, max(pixel_bits // 8, 1)
    wanted = (length + 1) * height
    try:
        raw = zlib.decompressobj().decompress(compressed, wanted + 1)
    except zlib.error:
        raise PngError("the image data are damaged") from None
    if len(raw) != wanted:
        raise PngError("the image data do not have the size that the header says")
    rows = np.frombuffer(raw, dtype=np.uint8).reshape(height, length + 1)
    result = np.zeros((height, length), dtype=np.uint8)
    above = np.zeros(length, dtype=np.uint8)
    for number, (filter_type, row) in enumerate(zip(rows[:, 0].tolist(), rows[:, 1:], strict=True)):
        above = result[number] = _unfilter_row(filter_type, row, above, step)
    return result


def _unfilter_row(filter_type: int, row: Pixels, above: Pixels, step: int) -> Pixels:
    if filter_type == 0:
        return row
    if filter_type == 1:
        padded = np.pad(row, (0, -len(row) % step)).reshape(-1, step)
        return np.cumsum(padded, axis=0, dtype=np.uint8).ravel()[: len(row)]
    if filter_type == 2:
        return row + above
    if filter_type not in (3, 4):
        raise PngError(f"unknown filter {filter_type}")
    predict = _average if filter_type == 3 else _paeth
    # Each byte needs the one before it: these filters cannot be done a row at a time.
    done, up = [0] * step + row.tolist(), [0] * step + above.tolist()
    for index in range(step, len(done)):
        done[index] = (done[index] + predict(done[index - step], up[index], up[index - step])) & 255
    return np.array(done[step:], dtype=np.uint8)


def _average(left: int, up: int, _corner: int) -> int:
    return (left + up) // 2


def _paeth(left: int, up: int, corner: int) -> int:
    """The neighbour nearest to left + up - corner (clause 9.4)."""
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def _samples(rows: Pixels, depth: int) -> Pixels:
    """One byte for each sample of a row."""
    if depth == 8:
        return rows
    if depth == 16:
        return rows[:, ::2]
    bits = np.unpackbits(rows, axis=1).reshape(len(rows), -1, depth)
    return (np.packbits(bits, axis=2)[:, :, 0] >> (8 - depth)).astype(np.uint8)
