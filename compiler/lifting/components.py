"""Components of registers that loops and branches keep: those that somebody reads, and that differ from way to way.

In: values, of which phis are whole registers.  Out: the same, but a phi has no component that nobody needs, nor one
that is the same on all ways, such as what a loop leaves as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.lifting.parts import Part, parts_of

_NOTHING = float_constant(0.0)
_SHUFFLES = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT})


def narrow_phis(function: Function) -> None:
    """Leave out components of phis that nobody needs, and those that are the same on all ways."""
    phis = [phi for block in function.blocks for phi in block.phis() if phi.type.kind == "float"]
    same = _same_on_all_ways(phis)
    read = _read(function, same)
    kept = {phi: [p.component for p in parts_of(phi) if p.key in read and p.key not in same] for phi in phis}
    narrowed = [phi for phi in phis if len(kept[phi]) < phi.type.width]
    # What is made comes after the phis and before all else, in this order; then what comes at the ends of blocks.
    builders = {phi: Builder(block, block.first_non_phi) for block in function.blocks for phi in block.phis()}
    narrow = {phi: builders[phi].phi(phi.type.with_width(len(kept[phi]))) for phi in narrowed if kept[phi]}
    values = {
        Part.of(phi, component).key: builders[phi].extract(own, number)
        for phi, own in narrow.items()
        for number, component in enumerate(kept[phi])
    }
    wholes: dict[Instruction, Value] = {}
    for phi in narrowed:
        builder = builders[phi]
        pieces: list[Value] = []
        for part in parts_of(phi):
            other = same.get(part.key, part)
            own = values.get(other.key)
            is_needed = other is not part and other.key in read
            pieces.append(own or (builder.extract(other.value, other.component) if is_needed else _NOTHING))
        wholes[phi] = builder.construct(*pieces)
    for phi, own in narrow.items():
        for value, block in phi.incoming():
            own.add_incoming(Builder(block, block.terminator).swizzle(value, kept[phi]), block)
    for phi, whole in wholes.items():
        phi.replace_all_uses_with(whole)
        phi.erase()


def _same_on_all_ways(phis: list[Instruction]) -> dict[Hashable, Part]:
    """Find the parts that components of phis are on all ways, by the keys of the components.

    As in sparse propagation of constants, what is not known to differ is taken for the same until it turns out wrong.
    """
    incoming = {
        Part.of(phi, component).key: [Part.of(value, component) for value in phi.operands]
        for phi in phis
        for component in range(phi.type.width)
    }
    #: None of a component that differs.
    values: dict[Hashable, Part | None] = {}
    has_changed = True
    while has_changed:
        has_changed = False
        for key, parts in incoming.items():
            if key in values and values[key] is None:
                continue
            settled = [part for part in parts if part.key not in incoming or part.key in values]
            meet = {other.key: other for part in settled for other in (values.get(part.key, part) or part,)}
            value = next(iter(meet.values())) if len(meet) == 1 else None
            if meet and (key not in values or values[key] != value):
                values[key] = value
                has_changed = True
    return {key: part for key, part in values.items() if part is not None and part.key != key}


def _read(function: Function, same: Mapping[Hashable, Part]) -> set[Hashable]:
    """Collect the keys of parts that anything but shuffles and phis reads, or phis that are read."""
    waiting = [
        part
        for instruction in function.instructions()
        if instruction.op not in _SHUFFLES and instruction.op is not ops.PHI
        for operand in instruction.operands
        for part in parts_of(operand)
    ]
    read: set[Hashable] = set()
    while waiting:
        part = waiting.pop()
        part = same.get(part.key, part)
        if part.key in read:
            continue
        read.add(part.key)
        if isinstance(part.value, Instruction) and part.value.op is ops.PHI:
            waiting += [Part.of(value, part.component) for value in part.value.operands]
    return read
