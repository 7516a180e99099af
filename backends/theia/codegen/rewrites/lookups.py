"""Texture lookups as the machine has them: plain ones of one square texture (section 13.4 of its reference).

What GLSL lets a shader say beyond that has no meaning here: a level of detail or a bias is left out with a warning.
Coordinates beyond the edges repeat, because `MOD` does that; with `--wrap=clamp` they are clamped first.

In: values instead of memory, scene rows as inputs.  Out: plain lookups; what cannot be one is reported.
"""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.rewrites.scene_inputs import Reader
from glslc_multi.backends.theia.isa.conventions import TARGET_NAME
from glslc_multi.backends.theia.isa.numbers import ONE
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.backends.theia.isa.textures import TEXTURES
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE, TEXTURE_LEVEL_IGNORED
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.types import VEC2
from glslc_multi.compiler.ir.variables import Address, TextureAccess, Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass, field

#: The largest number below 1.0: times the size it is still in the last texel.
_LAST = 1.0 - 1 / ONE


@dataclass(frozen=True, slots=True)
class LowerLookups(Pass):
    """See the module's text."""

    name = "theia-lookups"
    description = "makes plain lookups of all, and clamps coordinates"
    preserves_control_flow = True

    variant: Variant = "trunk"
    clamp: bool = False
    #: Whether four texels are mixed.
    linear: bool = False
    #: The scene's rows, to which it adds.
    rows: dict[Variable, int] = field(default_factory=dict, compare=False)

    def run(self, function: Function, context: PassContext) -> bool:
        sampled: set[Address] = set()
        progress = False
        for lookup in [i for i in function.instructions() if i.op is ops.TEXTURE]:
            sampled.add(lookup.address)
            construct = _refused(lookup, sampled, self.linear)
            if construct is not None:
                context.sink.report(NOT_EXPRESSIBLE, lookup.span, target=TARGET_NAME, construct=construct)
                continue
            progress |= _leave_out_level(lookup, context.sink)
            if self.clamp:
                _clamp(lookup, Reader(function.module, self.variant, Builder.before(lookup), self.rows), self.linear)
                progress = True
        return progress


def _refused(lookup: Instruction, sampled: set[Address], linear: bool) -> str | None:
    if lookup.address.is_dynamic:
        return "a choice between textures"
    if lookup.attribute.kind.image_kind not in TEXTURES.images:
        return "cube maps"
    if linear and SAMPLER_KINDS[lookup.address.variable.outer_kind].is_shadow:
        return "lookups that compare depths where --filter=linear mixes them"
    return "more than one texture" if len(sampled) > 1 else None


def _leave_out_level(lookup: Instruction, sink: DiagnosticSink) -> bool:
    access: TextureAccess = lookup.attribute
    if access.mode == "auto":
        return False
    sink.report(TEXTURE_LEVEL_IGNORED, lookup.span, target=TARGET_NAME)
    while len(lookup.operands) > 1:
        lookup.remove_operand(len(lookup.operands) - 1)
    lookup.attribute = TextureAccess(access.address)
    lookup.mark_changed()
    return True


def _clamp(lookup: Instruction, reader: Reader, linear: bool) -> None:
    """Keep the coordinates inside of the texture, and where texels are mixed between the centres of the outer ones."""
    builder = reader.builder
    low: Value = float_constant(0.0, 0.0)
    high: Value = float_constant(_LAST, _LAST)
    if linear:
        low = builder.op(ops.FDIV, float_constant(0.5, 0.5), reader.row("TEXTURE_SIZE", VEC2))
        high = builder.op(ops.FSUB, float_constant(1.0, 1.0), low)
    above = builder.op(ops.FMAX, lookup.operands[0], low)
    lookup.set_operand(0, builder.op(ops.FMIN, above, high))
