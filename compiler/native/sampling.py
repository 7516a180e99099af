"""Sampling of textures as vector code: `compiler.arithmetic.sampling` again, operation by operation, in doubles.

The code is the same for all shaders, so it is compiled once: one function for 2D textures and one for cube maps,
which kernels call by address.  What a texture is like (filters, wraps, sizes) stands in a *descriptor* in memory:

    words of 64 bits: 0 minification within a level is linear; 1 between levels: 0 none, 1 nearest, 2 linear;
    2 magnification is linear; 3 wrap of s, 4 of t: 0 repeat, 1 clamp, 2 mirror; 5 the level matters; 6 last level;
    then for each level: address of the texels, width, height (both as doubles)

Texels are four doubles each, as `Texture.levels` holds them.  Infinite coordinates and NaN, of which the language says
nothing, may read another texel than in the evaluator.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import FACES, FILTERS, WRAPS, Texture
from compiler.native import machine
from compiler.native.elementary import log2
from compiler.native.emitter import Emitter, Value
from compiler.native.machine import LinkedFunction, link_function
from compiler.native.vectors import DoubleArithmetic
from compiler.records import dataclass

_HEAD, _LEVEL_WORDS = 7, 3
_MIN_LINEAR, _BETWEEN, _MAG_LINEAR, _WRAP_S, _WRAP_T, _NEEDS_LEVEL, _LAST_LEVEL = range(_HEAD)
_BETWEEN_NUMBERS = {"": 0, "nearest": 1, "linear": 2}
_WRAP_NUMBERS = {"repeat": 0, "clamp": 1, "mirror": 2}
assert _WRAP_NUMBERS.keys() == WRAPS.keys()
_LARGEST = float(np.finfo(np.float64).max)

#: How the level of detail is given: as a number, or by the steps of the coordinate to the neighbours and a bias.
BY_LEVEL, BY_STEPS = 0, 1
#: Vectors that a call hands over at most: a cube map's coordinate, level or bias, and two steps.
ARGUMENT_COUNT = 10


# ------------------------------------------------------------------------------------- descriptors
def describe(texture: Texture) -> tuple[Array, list[Array]]:
    """The descriptor of a texture, and the arrays that must stay alive while it is used."""
    within, between = FILTERS[texture.minify]
    kept = [np.ascontiguousarray(level, dtype=np.float64) for level in texture.levels]
    words = np.zeros(_HEAD + _LEVEL_WORDS * len(kept), dtype=np.int64)
    words[:_HEAD] = [
        within == "linear",
        _BETWEEN_NUMBERS[between],
        texture.magnify == "linear",
        *(_WRAP_NUMBERS[wrap] for wrap in texture.wrap),
        texture.needs_level,
        len(kept) - 1,
    ]
    for number, level in enumerate(kept):
        place = _HEAD + _LEVEL_WORDS * number
        words[place] = level.ctypes.data
        words[place + 1 : place + 3].view(np.float64)[:] = level.shape[2], level.shape[1]
    return words, kept


@dataclass(frozen=True)
class Samplers:
    """The compiled functions."""

    plane: LinkedFunction
    cube: LinkedFunction

    @property
    def addresses(self) -> tuple[int, int]:
        return self.plane.address, self.cube.address


@cache
def samplers(width: int) -> Samplers:
    """The functions for this process: `void (descriptor, arguments, colour, mode)`."""
    plane, cube = (link_function("sample", sampler_text(width, is_cube=is_cube)) for is_cube in (False, True))
    return Samplers(plane, cube)


def sampler_text(width: int, *, is_cube: bool) -> str:
    """The LLVM module of one function; arguments are coordinate, level or bias, steps to the right and up."""
    attributes = machine.host().attributes
    filtered, sample = Emitter(width), Emitter(width)
    _Filter(filtered).emit()
    _Sample(sample, is_cube).emit()
    vectors = f"<{width} x i64> %level, <{width} x i64> %face, <{width} x double> %s, <{width} x double> %t"
    return "\n".join(
        [
            f"define internal fastcc void @filtered(ptr %texture, i1 %is_linear, {vectors}, ptr %colour) "
            f"noinline {attributes} {{",
            *filtered.lines,
            "}",
            f"define void @sample(ptr %texture, ptr %arguments, ptr %colour, i64 %mode) {attributes} {{",
            *sample.lines,
            "}",
        ]
    )


class _Code:
    """What both functions share: words of the descriptor and colours in memory."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.a = DoubleArithmetic(emitter)

    def word(self, number: int) -> Value:
        pointer = self.emitter.element(Value("%texture", "ptr"), number, "i64")
        return self.emitter.load("i64", pointer, 8)

    def is_word(self, number: int, expected: int) -> Value:
        return self.emitter.compare("icmp eq", self.word(number), Value(str(expected), "i64"))

    def size(self, level: int) -> tuple[Value, Value]:
        """Width and height of a level, in every lane."""
        emitter = self.emitter
        place = _HEAD + _LEVEL_WORDS * level
        pointers = (emitter.element(Value("%texture", "ptr"), place + k, "i64") for k in (1, 2))
        width, height = (emitter.broadcast(emitter.load("double", pointer, 8)) for pointer in pointers)
        return width, height

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


class _Filter(_Code):
    """`Texture._filtered`: the colour at (%s, %t) of level %level and %face in each lane."""

    def emit(self) -> None:
        emitter, a = self.emitter, self.a
        level, face = Value("%level", emitter.i64), Value("%face", emitter.i64)
        self.base, self.width, self.height = self._level_words(level)
        self.face = a.itof(emitter.convert("trunc", face, emitter.i32))
        s = a.fmul(self._reduced(Value("%s", emitter.double), _WRAP_S), self.width)
        t = a.fmul(self._reduced(Value("%t", emitter.double), _WRAP_T), self.height)
        emitter.branch(Value("%is_linear", "i1"), "linear", "nearest")
        emitter.label("nearest")
        self.store_colour(self._texels(a.ffloor(s), a.ffloor(t)))
        emitter.line("ret void")
        emitter.label("linear")
        self.store_colour(self._linear(s, t))
        emitter.line("ret void")

    def _level_words(self, level: Value) -> tuple[Value, Value, Value]:
        """Address of the texels, width and height of each lane's level."""
        emitter = self.emitter
        offset = emitter.binary("mul", level, emitter.ints(_LEVEL_WORDS, "i64"))
        places = [emitter.binary("add", offset, emitter.ints(_HEAD + k, "i64")) for k in range(3)]
        base, width, height = (emitter.element(Value("%texture", "ptr"), place, "i64") for place in places)
        return (
            emitter.gather(emitter.pointers, base, 8),
            emitter.gather(emitter.double, width, 8),
            emitter.gather(emitter.double, height, 8),
        )

    def _by_wrap(self, word: int, repeat: Value, clamp: Value, mirror: Value) -> Value:
        emitter = self.emitter
        other = emitter.select(self.is_word(word, _WRAP_NUMBERS["clamp"]), clamp, mirror)
        return emitter.select(self.is_word(word, _WRAP_NUMBERS["repeat"]), repeat, other)

    def _reduced(self, s: Value, word: int) -> Value:
        """A coordinate in a small range, where it means the same texel."""
        a = self.a
        repeat = a.fsub(s, a.ffloor(s))
        halves = a.ffloor(a.fdiv(s, a.fconst(2.0)))
        return self._by_wrap(word, repeat, a.clamp(s, -1.0, 2.0), a.fsub(s, a.fmul(a.fconst(2.0), halves)))

    def _wrapped(self, texel: Value, size: Value, word: int) -> Value:
        """A texel's number; the reduced coordinate is at most one texel outside of the period."""
        a = self.a
        last = a.fsub(size, a.fconst(1.0))
        clamp = a.fmin(a.fmax(texel, a.fconst(0.0)), last)
        period = a.fadd(size, size)
        phase = self._once_round(texel, period)
        mirror = a.fmin(phase, a.fsub(a.fsub(period, a.fconst(1.0)), phase))
        return self._by_wrap(word, self._once_round(texel, size), clamp, mirror)

    def _once_round(self, texel: Value, period: Value) -> Value:
        a = self.a
        up = a.select(a.flt(texel, a.fconst(0.0)), a.fadd(texel, period), texel)
        return a.select(a.fle(period, up), a.fsub(up, period), up)

    def _texels(self, column: Value, row: Value) -> list[Value]:
        emitter, a = self.emitter, self.a
        column, row = self._wrapped(column, self.width, _WRAP_S), self._wrapped(row, self.height, _WRAP_T)
        line = a.fadd(a.fmul(self.face, self.height), row)
        number = emitter.convert("fptosi", a.fadd(a.fmul(line, self.width), column), emitter.i32)
        place = emitter.binary("shl", emitter.convert("sext", number, emitter.i64), emitter.ints(2, "i64"))
        colour = []
        for component in range(4):
            pointers = emitter.element(
                self.base, emitter.binary("add", place, emitter.ints(component, "i64")), "double"
            )
            colour.append(emitter.gather(emitter.double, pointers, 8))
        return colour

    def _linear(self, s: Value, t: Value) -> list[Value]:
        a = self.a
        one, half = a.fconst(1.0), a.fconst(0.5)
        s, t = a.fsub(s, half), a.fsub(t, half)
        left, lower = a.ffloor(s), a.ffloor(t)
        share_s, share_t = a.fsub(s, left), a.fsub(t, lower)
        rows = [
            self.blend(self._texels(left, row), self._texels(a.fadd(left, one), row), share_s)
            for row in (lower, a.fadd(lower, one))
        ]
        return self.blend(rows[0], rows[1], share_t)


class _Sample(_Code):
    """`Texture.level_of_detail` and `Texture.sample`."""

    def __init__(self, emitter: Emitter, is_cube: bool) -> None:
        super().__init__(emitter)
        self.is_cube = is_cube
        self.dimensions = 3 if is_cube else 2

    def emit(self) -> None:
        emitter = self.emitter
        for name, type in (
            ("%lod", emitter.double),
            ("%first", f"[4 x {emitter.double}]"),
            ("%second", f"[4 x {emitter.double}]"),
        ):
            emitter.line(f"{name} = alloca {type}")
        coordinate = self._arguments(0)
        self.face = self._face_of(coordinate) if self.is_cube else emitter.ints(0, "i64")
        place = self._place(coordinate) if self.is_cube else coordinate
        self.s, self.t = (self._finite(x) for x in place)
        self._emit_level(coordinate)
        self._emit_choice()

    def _arguments(self, first: int) -> list[Value]:
        emitter = self.emitter
        return [emitter.load(emitter.double, self.vector("%arguments", first + k), 8) for k in range(self.dimensions)]

    def _finite(self, x: Value) -> Value:
        """numpy's nan_to_num: 0 for NaN, the largest number for infinity."""
        a = self.a
        return a.clamp(a.select(a.feq(x, x), x, a.fconst(0.0)), -_LARGEST, _LARGEST)

    # level of detail -------------------------------------------------------------------------
    def _emit_level(self, coordinate: list[Value]) -> None:
        """%lod from the level or from the steps; steps are of no interest where the level does not matter."""
        emitter, a = self.emitter, self.a
        given = emitter.load(emitter.double, self.vector("%arguments", self.dimensions), 8)
        emitter.store(self._finite(given), Value("%lod", "ptr"), 8)
        by_steps = emitter.compare("icmp eq", Value("%mode", "i64"), Value(str(BY_STEPS), "i64"))
        asks = emitter.binary("and", by_steps, self.is_word(_NEEDS_LEVEL, 1))
        emitter.branch(asks, "steps", "sample")
        emitter.label("steps")
        level = a.fadd(self._level_of_detail(coordinate), given)
        emitter.store(self._finite(level), Value("%lod", "ptr"), 8)
        emitter.jump("sample")
        emitter.label("sample")

    def _level_of_detail(self, coordinate: list[Value]) -> Value:
        emitter, a = self.emitter, self.a
        width, height = self.size(0)
        lengths = []
        for number in range(2):
            step = self._arguments(self.dimensions + 1 + number * self.dimensions)
            if self.is_cube:
                step = self._face_step(coordinate, step)
            x, y = a.fmul(step[0], width), a.fmul(step[1], height)
            lengths.append(a.fsqrt(a.fadd(a.fmul(x, x), a.fmul(y, y))))
        return log2(a, emitter.intrinsic("maximum", emitter.double, *lengths))

    # which levels ----------------------------------------------------------------------------
    def _emit_choice(self) -> None:
        emitter, a = self.emitter, self.a
        level = emitter.load(emitter.double, Value("%lod", "ptr"), 8)
        base = emitter.ints(0, "i64")
        self._call_filter(self.is_word(_MAG_LINEAR, 1), base, "%colour")
        minified = a.flt(a.fconst(0.0), level)
        emitter.branch(emitter.binary("and", self.is_word(_NEEDS_LEVEL, 1), emitter.any(minified)), "minify", "done")
        emitter.label("minify")
        last = a.itof(emitter.convert("trunc", emitter.broadcast(self.word(_LAST_LEVEL)), emitter.i32))
        emitter.line(f"switch {self.word(_BETWEEN)}, label %blend [ i64 0, label %base i64 1, label %nearest ]")
        emitter.label("base")
        self._call_filter(self.is_word(_MIN_LINEAR, 1), base, "%first")
        emitter.jump("join")
        emitter.label("nearest")
        rounded = a.fsub(a.fneg(a.ffloor(a.fneg(a.fadd(level, a.fconst(0.5))))), a.fconst(1.0))
        self._call_filter(self.is_word(_MIN_LINEAR, 1), self._whole(self._limited(rounded, last)), "%first")
        emitter.jump("join")
        emitter.label("blend")
        self._emit_blend(self._limited(level, last), last)
        emitter.jump("join")
        emitter.label("join")
        pairs = zip(self.load_colour("%first"), self.load_colour("%colour"), strict=True)
        self.store_colour([a.select(minified, first, magnified) for first, magnified in pairs])
        emitter.jump("done")
        emitter.label("done")
        emitter.line("ret void")

    def _emit_blend(self, level: Value, last: Value) -> None:
        a = self.a
        finer = a.ffloor(level)
        coarser = a.fmin(a.fadd(finer, a.fconst(1.0)), last)
        is_linear = self.is_word(_MIN_LINEAR, 1)
        self._call_filter(is_linear, self._whole(finer), "%first")
        self._call_filter(is_linear, self._whole(coarser), "%second")
        share = a.fsub(level, finer)
        self.store_colour(self.blend(self.load_colour("%first"), self.load_colour("%second"), share), "%first")

    def _limited(self, level: Value, last: Value) -> Value:
        return self.a.fmin(self.a.fmax(level, self.a.fconst(0.0)), last)

    def _whole(self, level: Value) -> Value:
        emitter = self.emitter
        return emitter.convert("sext", emitter.convert("fptosi", level, emitter.i32), emitter.i64)

    def _call_filter(self, is_linear: Value, level: Value, target: str) -> None:
        arguments = ", ".join(map(str, (is_linear, level, self.face, self.s, self.t)))
        self.emitter.line(f"call fastcc void @filtered(ptr %texture, {arguments}, ptr {target})")

    # cube maps -------------------------------------------------------------------------------
    def _face_of(self, direction: list[Value]) -> Value:
        """Twice the number of the longest axis (the first of equals), plus 1 where it points backwards."""
        emitter, a = self.emitter, self.a
        lengths = [a.fabs(x) for x in direction]
        axis, longest, along = emitter.ints(0, "i64"), lengths[0], direction[0]
        for number in (1, 2):
            is_longer = a.flt(longest, lengths[number])
            axis = a.select(is_longer, emitter.ints(number, "i64"), axis)
            longest = a.select(is_longer, lengths[number], longest)
            along = a.select(is_longer, direction[number], along)
        negative = emitter.convert("zext", a.flt(along, a.fconst(0.0)), emitter.i64)
        return emitter.binary("add", emitter.binary("add", axis, axis), negative)

    def _face_parts(self, vectors: list[Value]) -> tuple[Value, Value, Value]:
        """The components of vectors along the face's s, t and outward axes."""
        a = self.a
        parts: list[Value] = []
        for number, (s_axis, s_sign, t_axis, t_sign) in enumerate(FACES):
            own = (
                self._signed(vectors[s_axis], s_sign),
                self._signed(vectors[t_axis], t_sign),
                self._signed(vectors[number // 2], 1 - 2 * (number % 2)),
            )
            here = self.emitter.compare("icmp eq", self.face, a.lconst(number))
            parts = [a.select(here, x, other) for x, other in zip(own, parts, strict=True)] if parts else list(own)
        s, t, outward = parts
        return s, t, outward

    def _signed(self, x: Value, sign: int) -> Value:
        return x if sign > 0 else self.a.fneg(x)

    def _place(self, direction: list[Value]) -> list[Value]:
        a = self.a
        s, t, outward = self._face_parts(direction)
        return [a.fdiv(a.fadd(a.fdiv(x, outward), a.fconst(1.0)), a.fconst(2.0)) for x in (s, t)]

    def _face_step(self, direction: list[Value], step: list[Value]) -> list[Value]:
        a = self.a
        s, t, outward = self._face_parts(direction)
        step_s, step_t, step_outward = self._face_parts(step)
        square = a.fmul(a.fmul(a.fconst(2.0), outward), outward)
        return [
            a.fdiv(a.fsub(a.fmul(change, outward), a.fmul(x, step_outward)), square)
            for x, change in ((s, step_s), (t, step_t))
        ]
