"""Lookups read at addresses that somebody has written: one at anything else never completes (sections 9 and 10 of the
machine's reference).

- Components that mean nothing are 0 where a place is computed of them.
- Before a core's first hit nobody has written the rows that hits leave.  Where a place is computed of these, and the
  shader does not ask itself, a jump goes around the lookup, whose value is opaque black then.

In: values instead of memory, scene rows as inputs.  Out: the same with the jumps.
"""

from __future__ import annotations

from collections.abc import Iterable

from backends.theia.codegen.rewrites.scene_inputs import Reader
from backends.theia.isa.conventions import DISTANCE, LEFT_BY_HITS, MISS
from backends.theia.isa.registers import Variant
from compiler.ir import ops
from compiler.ir.block_edits import split_block
from compiler.ir.builder import Builder, float_constant
from compiler.ir.module import Constant, Instruction, Module
from compiler.ir.types import FLOAT
from compiler.ir.variables import Variable
from compiler.passes.base import PassContext
from compiler.passes.control_flow.clone import clone_module
from compiler.passes.scalar.sccp import Sccp

#: What a lookup gives where nothing was hit: textures have no alpha.
_BLACK = (0.0, 0.0, 0.0, 1.0)


def guard_lookups(module: Module, variant: Variant, rows: dict[Variable, int]) -> None:
    """Let no lookup of `main` read at an unknown address; `rows` are the scene's."""
    places = {i: _origins(i) for i in module.main.instructions() if i.op is ops.TEXTURE}
    for lookup, origins in places.items():
        _define([lookup, *origins])
    of_hits = {variable for variable, register in rows.items() if register in LEFT_BY_HITS}
    endangered = [
        lookup
        for lookup, origins in places.items()
        if any(origin.op is ops.LOAD and origin.address.variable in of_hits for origin in origins)
    ]
    if not endangered:
        return
    # The lookups that control still comes to where the distance is that of a miss.
    distances = {variable.name for variable, register in rows.items() if register == DISTANCE}
    clone = clone_module(module)
    originals = dict(zip(clone.main.instructions(), module.main.instructions(), strict=True))
    for load in originals:
        if load.op is ops.LOAD and load.type is FLOAT and load.address.variable.name in distances:
            load.replace_all_uses_with(float_constant(float(MISS)))
    Sccp().run(clone.main, PassContext())
    without_hit = {originals[i] for i in clone.main.instructions() if i.op is ops.TEXTURE}
    for lookup in endangered:
        if lookup in without_hit:
            _guard(lookup, Reader(module, variant, Builder.before(lookup), rows))


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


def _define(readers: Iterable[Instruction]) -> None:
    """Make components of constants that mean nothing 0."""
    for reader in readers:
        for position, operand in enumerate(reader.operands):
            if isinstance(operand, Constant) and None in operand.components:
                reader.set_operand(position, operand.defined())


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
