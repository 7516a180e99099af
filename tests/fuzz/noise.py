"""Bytes that are hardly a shader: random ones, broken UTF-8, control characters, long lines, long repetitions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

_BROKEN_UTF8 = (
    *(b"\x80", b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xf0\x9f\x98"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xe2\x80\xa8", b"\xc2\x85", b"\xef\xbf\xbd"),
)
_CONTROLS = bytes(range(32)) + b"\x7f"
_UNITS = (b"a", b"1", b"(", b"-", b"{", b"[", b"\\\n", b"/*", b"#", b"#if 1\n", b" ", b"\t", b"1+", b"a.", b"f(", b"\n")
_PUNCTUATION = b"(){}[];,.=+-*/<>!?:&|^~%#\"'\\ \n"


def make_noise(random: Random, shader: bytes) -> bytes:
    """Noise of one kind; `shader` is what some of it is thrown into."""
    return random.choice(_NOISES)(random, shader)


def _random_bytes(random: Random, _: bytes) -> bytes:
    return random.randbytes(random.choice((1, 3, 30, 300)))


def _printable(random: Random, _: bytes) -> bytes:
    return bytes(random.choice(_PUNCTUATION + bytes(range(32, 127))) for _ in range(random.choice((2, 20, 200))))


def _characters(random: Random, _: bytes) -> bytes:
    """Any characters of Unicode, surrogates too."""
    text = "".join(chr(random.choice((random.randrange(128), random.randrange(0x110000)))) for _ in range(60))
    return text.encode("utf-8", "surrogatepass")


def _bits(random: Random, shader: bytes) -> bytes:
    """A shader with flipped bits."""
    data = bytearray(shader or b" ")
    for _ in range(random.choice((1, 3, 20))):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def _strewn(random: Random, shader: bytes) -> bytes:
    """A shader with broken UTF-8 and control characters in it."""
    data = shader
    for _ in range(random.choice((1, 1, 4))):
        place = random.randrange(len(data) + 1)
        grain = random.choice(_BROKEN_UTF8) if random.random() < 0.5 else bytes([random.choice(_CONTROLS)])
        data = data[:place] + grain + data[place:]
    return data


def _long(random: Random, shader: bytes) -> bytes:
    """A long line or a deep nest, alone or inside a shader."""
    count = int(10 ** random.uniform(1.5, 3.7))
    run = random.choice(_UNITS) * count
    place = random.randrange(len(shader) + 1)
    return random.choice((run, shader[:place] + run + shader[place:]))


def _joined(random: Random, shader: bytes) -> bytes:
    """Everything in one line, or lines ended in other ways."""
    return shader.replace(b"\n", random.choice((b" ", b"\r", b"\r\n", b"\n\r", b"\\\n", b"\x0b", b"\x00")))


_NOISES: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(_random_bytes, _printable, _characters, _bits, _bits, _strewn, _strewn, _strewn, _long, _joined),
)
