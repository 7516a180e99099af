"""Texels by number, and sizes of levels, as vector code: `Texture.fetch` and `Texture.size` again."""

from __future__ import annotations

from glslc_multi.compiler.native.emitter import Emitter, Value
from glslc_multi.compiler.native.lookup_kinds import LookupKind
from glslc_multi.compiler.native.texture_words import LAST_LEVEL, TextureCode


def fetch_text(width: int, kind: LookupKind, attributes: str) -> str:
    """The LLVM module of one function; arguments are the texel's numbers (of a fetch), then the level."""
    emitter = Emitter(width)
    code = _Fetch(emitter, kind)
    code.emit_size() if kind.ask == "size" else code.emit_fetch()
    head = f"define void @sample(ptr %texture, ptr %arguments, ptr %colour, i64 %mode) {attributes} {{"
    return "\n".join([head, *emitter.lines, "ret void", "}"])


class _Fetch(TextureCode):
    """The code of one function."""

    def __init__(self, emitter: Emitter, kind: LookupKind) -> None:
        super().__init__(emitter)
        self.kind = kind

    def emit_fetch(self) -> None:
        """0 where there is no such texel."""
        a, kind = self.a, self.kind
        texel = [self._argument(number) for number in range(kind.coordinate_width)]
        inside, base, sizes = self._level(self._argument(kind.coordinate_width))
        zero = a.fconst(0.0)
        slice = [texel.pop()] if kind.has_layers else []
        point = [*texel, *[zero] * (2 - len(texel)), *slice][:3]
        point += [zero] * (3 - len(point))
        for x, size in zip(point, sizes, strict=True):
            inside = a.band(inside, a.band(a.fle(zero, x), a.flt(x, size)))
        column, row, depth = (a.select(inside, x, zero) for x in point)
        width, height, _ = sizes
        number = a.fadd(a.fmul(a.fadd(a.fmul(depth, height), row), width), column)
        self.store_colour([a.select(inside, component, zero) for component in self.texel(base, number)])

    def emit_size(self) -> None:
        """0 where there is no such level."""
        a, kind = self.a, self.kind
        inside, _, (width, height, slices) = self._level(self._argument(0))
        # A cube map has as many dimensions as a direction, and a face two sizes.
        sizes = [width, height][: kind.dimensions] + [slices] * (kind.has_depth or kind.has_layers)
        self.store_colour([a.select(inside, size, a.fconst(0.0)) for size in sizes])

    def _argument(self, number: int) -> Value:
        return self.emitter.load(self.emitter.double, self.vector("%arguments", number), 8)

    def _level(self, level: Value) -> tuple[Value, Value, tuple[Value, Value, Value]]:
        """Whether each lane's level is there; the address of its texels, and its sizes."""
        emitter, a = self.emitter, self.a
        last = a.itof(emitter.convert("trunc", emitter.broadcast(self.word(LAST_LEVEL)), emitter.i32))
        inside = a.band(a.fle(a.fconst(0.0), level), a.fle(level, last))
        base, sizes = self.level_words(self.whole(a.select(inside, level, a.fconst(0.0))))
        return inside, base, sizes
