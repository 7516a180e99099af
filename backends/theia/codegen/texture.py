"""Texture lookups, section 13.4 of the machine's reference: one square texture, words in a row; the nearest texel,
or with `--filter=linear` the four around a point.

What GLSL lets a shader say beyond that has no meaning here: a level of detail or a bias is left out with a warning.
Coordinates beyond the edges repeat, because `MOD` does that; with `--wrap=clamp` they are clamped first.
"""

from __future__ import annotations

from backends.theia.codegen.machine_ops import OPS, RAW_STEPS, RAW_THREE, ROW, TEXTURE_SIZE
from backends.theia.codegen.rewrites.scene_inputs import Reader, SceneInputs
from backends.theia.codegen.rows.emitter import RowEmitter, splat
from backends.theia.codegen.settings import Settings
from backends.theia.isa.conventions import TARGET_NAME
from backends.theia.isa.instructions import SWIZZLES
from backends.theia.isa.numbers import ONE
from backends.theia.isa.textures import TEXTURES
from compiler.codegen.machine import Def, Use
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE, TEXTURE_LEVEL_IGNORED
from compiler.ir import ops
from compiler.ir.builder import Builder, float_constant
from compiler.ir.module import Function, Instruction, Value
from compiler.ir.samplers import SAMPLER_KINDS
from compiler.ir.types import VEC2
from compiler.ir.variables import Address, TextureAccess

#: The largest number below 1.0: times the size it is still in the last texel.
_LAST = 1.0 - 1 / ONE
_XXX, _YYY = SWIZZLES.index("XXX"), SWIZZLES.index("YYY")
_SIZE = Use(TEXTURE_SIZE, ROW)


def lower_lookups(function: Function, settings: Settings, scene: SceneInputs, sink: DiagnosticSink) -> None:
    """Make all lookups plain ones with coordinates that may repeat; what cannot be one is reported."""
    sampled: set[Address] = set()
    for lookup in list(function.instructions()):
        if lookup.op is ops.TEXTURE:
            sampled.add(lookup.address)
            construct = _refused(lookup, sampled, settings)
            if construct is not None:
                sink.report(NOT_EXPRESSIBLE, lookup.span, target=TARGET_NAME, construct=construct)
                continue
            _leave_out_level(lookup, sink)
            if settings.clamp:
                reader = Reader(function.module, settings.variant, Builder.before(lookup), scene.rows)
                _clamp(lookup, reader, settings)


def _refused(lookup: Instruction, sampled: set[Address], settings: Settings) -> str | None:
    if lookup.address.is_dynamic:
        return "a choice between textures"
    if lookup.attribute.kind.image_kind not in TEXTURES.images:
        return "cube maps"
    if settings.linear and SAMPLER_KINDS[lookup.address.variable.outer_kind].is_shadow:
        return "lookups that compare depths where --filter=linear mixes them"
    return "more than one texture" if len(sampled) > 1 else None


def _leave_out_level(lookup: Instruction, sink: DiagnosticSink) -> None:
    access: TextureAccess = lookup.attribute
    if access.mode == "auto":
        return
    sink.report(TEXTURE_LEVEL_IGNORED, lookup.span, target=TARGET_NAME)
    while len(lookup.operands) > 1:
        lookup.remove_operand(len(lookup.operands) - 1)
    lookup.attribute = TextureAccess(access.address)


def _clamp(lookup: Instruction, reader: Reader, settings: Settings) -> None:
    """Keep the coordinates inside of the texture, and where texels are mixed between the centres of the outer ones."""
    builder = reader.builder
    low: Value = float_constant(0.0, 0.0)
    high: Value = float_constant(_LAST, _LAST)
    if settings.linear:
        low = builder.op(ops.FDIV, float_constant(0.5, 0.5), reader.row("TEXTURE_SIZE", VEC2))
        high = builder.op(ops.FSUB, float_constant(1.0, 1.0), low)
    above = builder.op(ops.FMAX, lookup.operands[0], low)
    lookup.set_operand(0, builder.op(ops.FMIN, above, high))


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
