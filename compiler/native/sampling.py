"""Sampling of textures as vector code: `compiler/arithmetic/sampling.py` again, operation by operation, in doubles.

The code is the same for all shaders, so it is compiled once: a function for each kind of lookup, which kernels call by
address.  What a texture is like (filters, wraps, sizes) stands in a *descriptor* in memory (`texture_words`).

Infinite coordinates and NaN, of which the language says nothing, may read another texel than in the evaluator.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce

import numpy as np

from glslc_multi.compiler.arithmetic.cube import FACES
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.native import machine
from glslc_multi.compiler.native.elementary import log2
from glslc_multi.compiler.native.emitter import Emitter, Value
from glslc_multi.compiler.native.fetching import fetch_text
from glslc_multi.compiler.native.filtering import filter_text
from glslc_multi.compiler.native.lookup_kinds import LookupKind
from glslc_multi.compiler.native.machine import LinkedFunction, link_function
from glslc_multi.compiler.native.texture_words import (
    BETWEEN,
    IS_FIXED,
    LAST_LEVEL,
    MAG_LINEAR,
    MIN_LINEAR,
    NEEDS_LEVEL,
    SLICES,
    WIDTH,
    TextureCode,
)

_LARGEST = float(np.finfo(np.float64).max)

#: How the level of detail is given: as a number, or by the steps of the coordinate to the neighbours and a bias.
BY_LEVEL, BY_STEPS = 0, 1


def argument_count(kind: LookupKind) -> int:
    """Vectors that a call hands over: coordinate, depth, level or bias, offset, and two steps if they are used."""
    steps = 2 * kind.dimensions if kind.ask == "sample" else 0
    coordinate = 0 if kind.ask == "size" else kind.coordinate_width
    return coordinate + kind.is_shadow + 1 + kind.offset_width + steps


@cache
def sampler(width: int, kind: LookupKind) -> LinkedFunction:
    """The function for this process: `void (descriptor, arguments, colour, mode)`."""
    return link_function("sample", sampler_text(width, kind))


def sampler_addresses(width: int, kinds: Sequence[LookupKind]) -> Array:
    """Where the functions are, by the number of the kind."""
    return np.array([sampler(width, kind).address for kind in kinds], dtype=np.int64)


def sampler_text(width: int, kind: LookupKind) -> str:
    """The LLVM module of one function; arguments are those that `argument_count` counts, in this order."""
    attributes = machine.host().attributes
    if kind.ask != "sample":
        return fetch_text(width, kind, attributes)
    sample = Emitter(width)
    _Sample(sample, kind).emit()
    head = f"define void @sample(ptr %texture, ptr %arguments, ptr %colour, i64 %mode) {attributes} {{"
    return "\n".join([filter_text(width, kind, attributes), head, *sample.lines, "}"])


class _Sample(TextureCode):
    """`Texture.level_of_detail` and `Texture.sample`."""

    def __init__(self, emitter: Emitter, kind: LookupKind) -> None:
        super().__init__(emitter)
        self.kind = kind

    def emit(self) -> None:
        emitter, kind = self.emitter, self.kind
        for name, type in (
            ("%lod", emitter.double),
            ("%first", f"[4 x {emitter.double}]"),
            ("%second", f"[4 x {emitter.double}]"),
        ):
            emitter.line(f"{name} = alloca {type}")
        coordinate = self._arguments(0, kind.coordinate_width)
        self.slice = self._slice(coordinate)
        point = self._place(coordinate) if kind.is_cube else self._rows(coordinate[: kind.dimensions])
        self.values = [*(self._finite(x) for x in point), *self._reference(), *self._offset()]
        self._emit_level(coordinate[: kind.dimensions])
        self._emit_choice()

    def _arguments(self, first: int, count: int) -> list[Value]:
        emitter = self.emitter
        return [emitter.load(emitter.double, self.vector("%arguments", first + k), 8) for k in range(count)]

    def _slice(self, coordinate: list[Value]) -> Value:
        """The face of a cube map, or the nearest layer (GL ES 3.0 section 3.8.9.2)."""
        a, kind = self.a, self.kind
        if kind.is_cube:
            return self._face_of(coordinate)
        if not kind.has_layers:
            return self.emitter.ints(0, "i64")
        layer = a.ffloor(a.fadd(self._finite(coordinate[-1]), a.fconst(0.5)))
        return self.whole(self._limited(layer, a.fsub(self.size(0, SLICES), a.fconst(1.0))))

    def _rows(self, place: list[Value]) -> list[Value]:
        """What has one dimension is read in the middle of its only row."""
        return [*place, self.a.fconst(0.5)] if len(place) == 1 else place

    def _reference(self) -> list[Value]:
        emitter, a, kind = self.emitter, self.a, self.kind
        if not kind.is_shadow:
            return []
        (given,) = self._arguments(kind.coordinate_width, 1)
        return [emitter.select(self.is_word(IS_FIXED, 1), a.clamp(given, 0.0, 1.0), given)]

    def _offset(self) -> list[Value]:
        kind = self.kind
        return self._arguments(kind.coordinate_width + kind.is_shadow + 1, kind.offset_width)

    def _finite(self, x: Value) -> Value:
        """numpy's nan_to_num: 0 for NaN, the largest number for infinity."""
        a = self.a
        return a.clamp(a.select(a.feq(x, x), x, a.fconst(0.0)), -_LARGEST, _LARGEST)

    # level of detail -------------------------------------------------------------------------
    def _emit_level(self, coordinate: list[Value]) -> None:
        """%lod from the level or from the steps; steps are of no interest where the level does not matter."""
        emitter, a, kind = self.emitter, self.a, self.kind
        operand_index = kind.coordinate_width + kind.is_shadow
        (given,) = self._arguments(operand_index, 1)
        emitter.store(self._finite(given), Value("%lod", "ptr"), 8)
        by_steps = emitter.compare("icmp eq", Value("%mode", "i64"), Value(str(BY_STEPS), "i64"))
        asks = emitter.binary("and", by_steps, self.is_word(NEEDS_LEVEL, 1))
        emitter.branch(asks, "steps", "sample")
        emitter.label("steps")
        level = a.fadd(self._level_of_detail(coordinate, operand_index + 1 + kind.offset_width), given)
        emitter.store(self._finite(level), Value("%lod", "ptr"), 8)
        emitter.jump("sample")
        emitter.label("sample")

    def _level_of_detail(self, coordinate: list[Value], first: int) -> Value:
        emitter, a, kind = self.emitter, self.a, self.kind
        lengths = []
        for number in range(2):
            step = self._arguments(first + number * kind.dimensions, kind.dimensions)
            if kind.is_cube:
                step = self._face_step(coordinate, step)
            if not kind.counts_texels:
                step = [a.fmul(x, self.size(0, axis)) for axis, x in enumerate(step, WIDTH)]
            squares = [a.fmul(x, x) for x in step]
            lengths.append(a.fsqrt(reduce(a.fadd, squares)))
        return log2(a, emitter.intrinsic("maximum", emitter.double, *lengths))

    # which levels ----------------------------------------------------------------------------
    def _emit_choice(self) -> None:
        emitter, a = self.emitter, self.a
        level = emitter.load(emitter.double, Value("%lod", "ptr"), 8)
        base = emitter.ints(0, "i64")
        self._call_filter(self.is_word(MAG_LINEAR, 1), base, "%colour")
        minified = a.flt(a.fconst(0.0), level)
        emitter.branch(emitter.binary("and", self.is_word(NEEDS_LEVEL, 1), emitter.any(minified)), "minify", "done")
        emitter.label("minify")
        last = a.itof(emitter.convert("trunc", emitter.broadcast(self.word(LAST_LEVEL)), emitter.i32))
        emitter.line(f"switch {self.word(BETWEEN)}, label %blend [ i64 0, label %base i64 1, label %nearest ]")
        emitter.label("base")
        self._call_filter(self.is_word(MIN_LINEAR, 1), base, "%first")
        emitter.jump("join")
        emitter.label("nearest")
        rounded = a.fsub(a.fneg(a.ffloor(a.fneg(a.fadd(level, a.fconst(0.5))))), a.fconst(1.0))
        self._call_filter(self.is_word(MIN_LINEAR, 1), self.whole(self._limited(rounded, last)), "%first")
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
        is_linear = self.is_word(MIN_LINEAR, 1)
        self._call_filter(is_linear, self.whole(finer), "%first")
        self._call_filter(is_linear, self.whole(coarser), "%second")
        share = a.fsub(level, finer)
        self.store_colour(self.blend(self.load_colour("%first"), self.load_colour("%second"), share), "%first")

    def _limited(self, level: Value, last: Value) -> Value:
        return self.a.fmin(self.a.fmax(level, self.a.fconst(0.0)), last)

    def _call_filter(self, is_linear: Value, level: Value, target: str) -> None:
        arguments = ", ".join(map(str, (is_linear, level, self.slice, *self.values)))
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
            here = self.emitter.compare("icmp eq", self.slice, a.lconst(number))
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
