"""Lookups read at addresses that somebody has written: one at anything else never completes (sections 9 and 10 of the
machine's reference).

- Components that mean nothing are 0 where a place is computed of them.
- Before a core's first hit nobody has written the rows that hits leave.  Where a place is computed of these, and the
  shader does not ask itself, a jump goes around the lookup, whose value is opaque black then.

In: values instead of memory, scene rows as inputs.  Out: the same with the jumps.
"""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.rewrites.scene_inputs import Reader
from glslc_multi.backends.theia.isa.conventions import DISTANCE, LEFT_BY_HITS, MISS
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import split_block
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.fold import define_operands
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.scalar.sccp import Sccp
from glslc_multi.compiler.records import dataclass, field

#: What a lookup gives where nothing was hit: textures have no alpha.
_BLACK = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class GuardLookups(ModulePass):
    """Let no lookup of `main` read at an unknown address."""

    name = "theia-guarded-lookups"
    description = "lets lookups read at places that somebody has written"

    variant: Variant = "trunk"
    #: The scene's rows, to which it adds.
    rows: dict[Variable, int] = field(default_factory=dict, compare=False)

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        places = {i: _origins(i) for i in module.main.instructions() if i.op is ops.TEXTURE}
        readers = [reader for lookup, origins in places.items() for reader in (lookup, *origins)]
        defined = [define_operands(reader) for reader in readers]
        of_hits = {variable for variable, register in self.rows.items() if register in LEFT_BY_HITS}
        guarded = self._unasked(
            module,
            [
                lookup
                for lookup, origins in places.items()
                if any(origin.op is ops.LOAD and origin.address.variable in of_hits for origin in origins)
            ],
        )
        for lookup in guarded:
            _guard(lookup, Reader(module, self.variant, Builder.before(lookup), self.rows))
        context.forget(module.main, self)
        return any(defined) or bool(guarded)

    def _unasked(self, module: Module, lookups: list[Instruction]) -> list[Instruction]:
        """Return the lookups that control still comes to where the distance is that of a miss."""
        if not lookups:
            return []
        distances = {variable.name for variable, register in self.rows.items() if register == DISTANCE}
        clone = clone_module(module)
        originals = dict(zip(clone.main.instructions(), module.main.instructions(), strict=True))
        for load in originals:
            if load.op is ops.LOAD and load.type is FLOAT and load.address.variable.name in distances:
                load.replace_all_uses_with(float_constant(float(MISS)))
        Sccp().run(clone.main, PassContext())
        without_hit = {originals[i] for i in clone.main.instructions() if i.op is ops.TEXTURE}
        return [lookup for lookup in lookups if lookup in without_hit]


def _origins(lookup: Instruction) -> list[Instruction]:
    """All that the place is computed of."""
    origins: dict[Instruction, None] = {}
    pending = list(lookup.operands)
    while pending:
        value = pending.pop()
        if isinstance(value, Instruction) and value not in origins:
            origins[value] = None
            pending += value.operands
    return list(origins)


def _guard(lookup: Instruction, reader: Reader) -> None:
    """Let a jump lead around the lookup; every hit is nearer than the distance of a miss."""
    builder, following = reader.builder, lookup.next
    before = builder.block
    assert following is not None
    is_hit = builder.op(ops.FLT, reader.row("LAST_t", FLOAT), float_constant(float(MISS)))
    inside = split_block(lookup, f"{before.name}.hit")
    after = split_block(following, f"{before.name}.looked_up")
    builder.at_end_of(before)
    builder.condbr(is_hit, inside, after)
    builder.at_end_of(inside)
    builder.br(after)
    builder.at_end_of(after)
    found = builder.phi(lookup.type)
    lookup.replace_all_uses_with(found)
    found.add_incoming(lookup, inside)
    found.add_incoming(float_constant(*_BLACK), before)
