"""The filter of a sampling function: the colour of one level, as `Texture._filtered` finds it."""

from __future__ import annotations

from glslc_multi.compiler.native.emitter import Emitter, Value
from glslc_multi.compiler.native.lookup_kinds import LookupKind
from glslc_multi.compiler.native.texture_words import (
    COMPARE,
    EQUAL,
    GREATER,
    LESS,
    UNORDERED,
    WRAP_NUMBERS,
    WRAP_R,
    WRAP_S,
    WRAP_T,
    TextureCode,
)

_WRAPS = (WRAP_S, WRAP_T, WRAP_R)
_AXES = ("%s", "%t", "%r")


def filter_text(width: int, kind: LookupKind, attributes: str) -> str:
    """The LLVM function `filtered`, which others of its module call with `filter_arguments`."""
    emitter = Emitter(width)
    _Filter(emitter, kind).emit()
    parameters = [f"<{width} x i64> %level", f"<{width} x i64> %slice"]
    parameters += [f"<{width} x double> {name}" for name in value_names(kind)]
    head = f"define internal fastcc void @filtered(ptr %texture, i1 %is_linear, {', '.join(parameters)}, ptr %colour)"
    return "\n".join([f"{head} noinline {attributes} {{", *emitter.lines, "}"])


def value_names(kind: LookupKind) -> list[str]:
    """The doubles that the function takes: the coordinate, a depth, an offset."""
    reference = ["%reference"] if kind.is_shadow else []
    offset = [f"{name}.offset" for name in _AXES[: kind.offset_width]]
    return [*_AXES[: kind.place_width], *reference, *offset]


class _Filter(TextureCode):
    """The colour at (%s, %t, %r) of level %level and slice %slice in each lane."""

    def __init__(self, emitter: Emitter, kind: LookupKind) -> None:
        super().__init__(emitter)
        self.kind = kind

    def emit(self) -> None:
        emitter, a = self.emitter, self.a
        self.base, self.sizes = self.level_words(Value("%level", emitter.i64))
        self.slice = a.itof(emitter.convert("trunc", Value("%slice", emitter.i64), emitter.i32))
        moved = [self._texel_place(axis) for axis in range(self.kind.place_width)]
        emitter.branch(Value("%is_linear", "i1"), "linear", "nearest")
        emitter.label("nearest")
        if self.kind.has_depth:
            self.slice = self._wrapped(a.ffloor(moved[2]), 2)
        self.store_colour(self._texels(a.ffloor(moved[0]), a.ffloor(moved[1])))
        emitter.line("ret void")
        emitter.label("linear")
        self.store_colour(self._deep(moved) if self.kind.has_depth else self._linear(moved[0], moved[1]))
        emitter.line("ret void")

    # where -----------------------------------------------------------------------------------
    def _texel_place(self, axis: int) -> Value:
        """Where along an axis lanes look, in texels."""
        a, size = self.a, self.sizes[axis]
        p = Value(_AXES[axis], self.emitter.double)
        offset = Value(f"{_AXES[axis]}.offset", self.emitter.double) if axis < self.kind.offset_width else None
        reach = a.fconst(0.0) if offset is None else a.fabs(offset)
        if self.kind.counts_texels and axis < self.kind.dimensions:
            low, high = a.fneg(a.fadd(a.fadd(size, a.fconst(1.0)), reach)), a.fadd(a.fadd(size, size), reach)
            moved = a.fmin(a.fmax(p, low), high)
        else:
            moved = a.fmul(self._reduced(p, _WRAPS[axis], reach), size)
        return moved if offset is None else a.fadd(moved, offset)

    def _by_wrap(self, word: int, repeat: Value, clamp: Value, mirror: Value) -> Value:
        emitter = self.emitter
        other = emitter.select(self.is_word(word, WRAP_NUMBERS["clamp"]), clamp, mirror)
        return emitter.select(self.is_word(word, WRAP_NUMBERS["repeat"]), repeat, other)

    def _reduced(self, s: Value, word: int, reach: Value) -> Value:
        """A coordinate in a small range, where it means the same texel, even if that is moved as far as `reach`."""
        a = self.a
        repeat = a.fsub(s, a.ffloor(s))
        halves = a.ffloor(a.fdiv(s, a.fconst(2.0)))
        clamp = a.fmin(a.fmax(s, a.fsub(a.fconst(-1.0), reach)), a.fadd(a.fconst(2.0), reach))
        return self._by_wrap(word, repeat, clamp, a.fsub(s, a.fmul(a.fconst(2.0), halves)))

    def _wrapped(self, texel: Value, axis: int) -> Value:
        """A texel's number; without an offset, the reduced coordinate is at most one texel outside of the period."""
        a, size = self.a, self.sizes[axis]
        last = a.fsub(size, a.fconst(1.0))
        clamp = a.fmin(a.fmax(texel, a.fconst(0.0)), last)
        period = a.fadd(size, size)
        phase = self._round(texel, period)
        mirror = a.fmin(phase, a.fsub(a.fsub(period, a.fconst(1.0)), phase))
        return self._by_wrap(_WRAPS[axis], self._round(texel, size), clamp, mirror)

    def _round(self, texel: Value, period: Value) -> Value:
        a = self.a
        if self.kind.offset_width:
            return a.fsub(texel, a.fmul(a.ffloor(a.fdiv(texel, period)), period))
        up = a.select(a.flt(texel, a.fconst(0.0)), a.fadd(texel, period), texel)
        return a.select(a.fle(period, up), a.fsub(up, period), up)

    # what ------------------------------------------------------------------------------------
    def _texels(self, column: Value, row: Value) -> list[Value]:
        a, (width, height, _) = self.a, self.sizes
        column, row = self._wrapped(column, 0), self._wrapped(row, 1)
        line = a.fadd(a.fmul(self.slice, height), row)
        number = a.fadd(a.fmul(line, width), column)
        if not self.kind.is_shadow:
            return self.texel(self.base, number)
        (depth,) = self.texel(self.base, number, 1)
        return [self._verdict(depth), a.fconst(0.0), a.fconst(0.0), a.fconst(1.0)]

    def _verdict(self, depth: Value) -> Value:
        """1 where the comparison of the texture holds."""
        emitter, a = self.emitter, self.a
        reference = Value("%reference", emitter.double)
        unordered = emitter.compare("fcmp uno", reference, depth)
        verdict = a.fconst(0.0)
        for bit, holds in (
            (LESS, a.flt(reference, depth)),
            (EQUAL, a.feq(reference, depth)),
            (GREATER, a.flt(depth, reference)),
            (UNORDERED, unordered),
        ):
            part = emitter.binary("and", self.word(COMPARE), Value(str(bit), "i64"))
            counts = emitter.compare("icmp ne", part, Value("0", "i64"))
            verdict = emitter.select(counts, a.select(holds, a.fconst(1.0), verdict), verdict)
        return verdict

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

    def _deep(self, moved: list[Value]) -> list[Value]:
        """Between two slices."""
        a = self.a
        r = a.fsub(moved[2], a.fconst(0.5))
        below = a.ffloor(r)
        colours = []
        for slice in (below, a.fadd(below, a.fconst(1.0))):
            self.slice = self._wrapped(slice, 2)
            colours.append(self._linear(moved[0], moved[1]))
        return self.blend(colours[0], colours[1], a.fsub(r, below))
