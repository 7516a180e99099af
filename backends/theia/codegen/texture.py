"""Texture lookups, section 13.4 of the machine's reference: one square texture, words in a row; the nearest texel,
or with `--filter=linear` the four around a point.  Coordinates beyond the edges repeat, because `MOD` does that.
"""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.machine_ops import OPS, RAW_STEPS, RAW_THREE, ROW, TEXTURE_SIZE
from glslc_multi.backends.theia.codegen.rows.emitter import RowEmitter, splat
from glslc_multi.backends.theia.isa.instructions import SWIZZLES
from glslc_multi.compiler.codegen.machine import Def, Use
from glslc_multi.compiler.ir.module import Instruction

_XXX, _YYY = SWIZZLES.index("XXX"), SWIZZLES.index("YYY")
_SIZE = Use(TEXTURE_SIZE, ROW)


def emit_lookup(e: RowEmitter, lookup: Instruction) -> None:
    """The words of the texel at (u, v) begin at 3 * (u + v * width): 11 instructions."""
    texel = e.new()
    e.compute("MUL", e.use(lookup.operands[0]), _SIZE, into=texel)
    here = Use(texel.register, ROW)
    e.compute("MOD", here, _SIZE, into=texel)
    e.compute("UNSCALE", here, into=texel)
    line = e.new()
    e.compute("IMUL", here, e.compute("UNSCALE", _SIZE), into=line)
    e.emit(OPS["SWIZZLE3D"], [texel], [here], immediate=_XXX)
    e.emit(OPS["SWIZZLE3D"], [line], [Use(line.register, ROW)], immediate=_YYY)
    number = e.compute("ADD", here, Use(line.register, ROW))
    first = e.compute("IMUL", number, Use(RAW_THREE, ROW))
    address = e.compute("ADD", first, Use(RAW_STEPS, ROW))
    e.compute("TMREAD", address, into=e.define(lookup))


def emit_mixed_lookup(e: RowEmitter, lookup: Instruction) -> None:
    """The four texels around a point, weighted by its distances from their centres."""
    point = e.compute("SUB", e.compute("MUL", e.use(lookup.operands[0]), _SIZE), splat(0.5))
    weights = e.compute("FRAC", point)
    low = e.compute("MOD", point, _SIZE)
    high = e.compute("MOD", e.compute("INC", low), _SIZE)
    width = e.compute("UNSCALE", _SIZE)
    columns, lines = [], []
    for corner in (low, high):
        first = e.compute("IMUL", e.compute("UNSCALE", corner), Use(RAW_THREE, ROW))
        line = e.update("SWIZZLE3D", e.compute("IMUL", first, width), _YYY)
        lines.append(e.compute("ADD", line, Use(RAW_STEPS, ROW)))
        columns.append(e.update("SWIZZLE3D", first, _XXX))
    across, down = (e.update("SWIZZLE3D", weights, code) for code in (_XXX, _YYY))
    texels = [e.compute("TMREAD", e.compute("ADD", column, line)) for line in lines for column in columns]
    upper, lower = (_mixed(e, texels[first], texels[first + 1], across) for first in (0, 2))
    _mixed(e, upper, lower, down, into=e.define(lookup))


def _mixed(e: RowEmitter, x: Use, y: Use, weight: Use, into: Def | None = None) -> Use:
    return e.compute("ADD", x, e.compute("MUL", weight, e.compute("SUB", y, x)), into=into)
