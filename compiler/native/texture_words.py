"""What a texture is like as words in memory, and the code that reads them.

A *descriptor* is words of 64 bits: what is the same for all levels (`HEAD`), then for each level the address of the
texels, and width, height and slices as doubles.  Texels are four doubles each, as `Texture.levels` holds them.
"""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import COMPARES, FILTERS, WRAPS, Texture
from glslc_multi.compiler.native.emitter import Emitter, Value
from glslc_multi.compiler.native.vectors import DoubleArithmetic

#: Numbers of words: minification within a level is linear; between levels 0 none, 1 nearest, 2 linear; magnification is
#: linear; wraps; the level matters; the last level; the comparison; depths to compare with are limited to 0 to 1.
MIN_LINEAR, BETWEEN, MAG_LINEAR, WRAP_S, WRAP_T, WRAP_R, NEEDS_LEVEL, LAST_LEVEL, COMPARE, IS_FIXED = range(10)
HEAD = 10
#: Words of a level, and of them the sizes of the image.
LEVEL_WORDS, WIDTH, HEIGHT, SLICES = 4, 1, 2, 3
_BETWEEN_NUMBERS = {"": 0, "nearest": 1, "linear": 2}
WRAP_NUMBERS = {"repeat": 0, "clamp": 1, "mirror": 2}
assert WRAP_NUMBERS.keys() == WRAPS.keys()
#: Bits: the comparison holds where the depth is less, equal, greater, or one of both is NaN.
LESS, EQUAL, GREATER, UNORDERED = 1, 2, 4, 8
_COMPARE_NUMBERS = {
    "": 0,
    "never": 0,
    "less": LESS,
    "equal": EQUAL,
    "lequal": LESS | EQUAL,
    "greater": GREATER,
    "notequal": LESS | GREATER | UNORDERED,
    "gequal": GREATER | EQUAL,
    "always": LESS | EQUAL | GREATER | UNORDERED,
}
assert _COMPARE_NUMBERS.keys() == {"", *COMPARES}


def describe(texture: Texture) -> tuple[Array, list[Array]]:
    """The descriptor of a texture, and the arrays that must stay alive while it is used."""
    within, between = FILTERS[texture.minify]
    kept = [np.ascontiguousarray(level, dtype=np.float64) for level in texture.levels]
    words = np.zeros(HEAD + LEVEL_WORDS * len(kept), dtype=np.int64)
    words[:HEAD] = [
        within == "linear",
        _BETWEEN_NUMBERS[between],
        texture.magnify == "linear",
        *(WRAP_NUMBERS[texture.wrap_of(axis)] for axis in range(3)),
        texture.needs_level,
        len(kept) - 1,
        _COMPARE_NUMBERS[texture.compare],
        texture.is_fixed,
    ]
    for number, level in enumerate(kept):
        offset = HEAD + LEVEL_WORDS * number
        words[offset] = level.ctypes.data
        words[offset + WIDTH : offset + LEVEL_WORDS].view(np.float64)[:] = level.shape[2::-1]
    return words, kept


class TextureCode:
    """What functions about textures share: words of the descriptor and colours in memory."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.a = DoubleArithmetic(emitter)

    def word(self, number: int) -> Value:
        pointer = self.emitter.element(Value("%texture", "ptr"), number, "i64")
        return self.emitter.load("i64", pointer, 8)

    def is_word(self, number: int, expected: int) -> Value:
        return self.emitter.compare("icmp eq", self.word(number), Value(str(expected), "i64"))

    def size(self, level: int, axis: int) -> Value:
        """A size of a level (`WIDTH` ...), in every lane."""
        emitter = self.emitter
        pointer = emitter.element(Value("%texture", "ptr"), HEAD + LEVEL_WORDS * level + axis, "i64")
        return emitter.broadcast(emitter.load("double", pointer, 8))

    def level_words(self, level: Value) -> tuple[Value, tuple[Value, Value, Value]]:
        """Address of the texels, and width, height and slices, of each lane's level."""
        emitter = self.emitter
        offset = emitter.binary("mul", level, emitter.ints(LEVEL_WORDS, "i64"))
        places = [emitter.binary("add", offset, emitter.ints(HEAD + k, "i64")) for k in range(LEVEL_WORDS)]
        base, *sizes = (emitter.element(Value("%texture", "ptr"), place, "i64") for place in places)
        width, height, slices = (emitter.gather(emitter.double, size, 8) for size in sizes)
        return emitter.gather(emitter.pointers, base, 8), (width, height, slices)

    def whole(self, x: Value) -> Value:
        """A double without fraction as an i64."""
        emitter = self.emitter
        return emitter.convert("sext", emitter.convert("fptosi", x, emitter.i32), emitter.i64)

    def texel(self, base: Value, number: Value, count: int = 4) -> list[Value]:
        """The first components of a texel by its number, a double."""
        emitter = self.emitter
        place = emitter.binary("shl", self.whole(number), emitter.ints(2, "i64"))
        components = (emitter.binary("add", place, emitter.ints(component, "i64")) for component in range(count))
        return [emitter.gather(emitter.double, emitter.element(base, place, "double"), 8) for place in components]

    def vector(self, base: str, number: int) -> Value:
        """The address of one of the vectors that follow `base`."""
        return self.emitter.element(Value(base, "ptr"), number, self.emitter.double)

    def store_colour(self, colour: list[Value], base: str = "%colour") -> None:
        for number, component in enumerate(colour):
            self.emitter.store(component, self.vector(base, number), 8)

    def load_colour(self, base: str) -> list[Value]:
        return [self.emitter.load(self.emitter.double, self.vector(base, number), 8) for number in range(4)]

    def blend(self, first: list[Value], second: list[Value], share: Value) -> list[Value]:
        a = self.a
        rest = a.fsub(a.fconst(1.0), share)
        return [a.fadd(a.fmul(x, rest), a.fmul(y, share)) for x, y in zip(first, second, strict=True)]
