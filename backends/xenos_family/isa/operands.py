"""What an ALU instruction reads, decoded once for each word, for the simulator and the translator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from glslc_multi.backends.xenos_family.isa import formats, instructions

_X_SLOT, _W_SLOT = 0, 3
_SLOTS = range(len(instructions.COMPONENTS))


class Source(NamedTuple):
    """Components of a register or constant; with absolute value, then negated, where the flags say so."""

    is_register: bool
    number: int
    #: What is added to the number.
    relative_to: Literal["", "a0", "aL"]
    components: tuple[int, ...]
    is_absolute: bool
    is_negated: bool


class Instruction(NamedTuple):
    """An ALU instruction; its results go where the fields say."""

    fields: Mapping[str, int]
    vector: instructions.Operation
    scalar: instructions.Operation
    #: Four components each.
    vector_sources: tuple[Source, ...]
    #: The slots of these that count, and what stands there.
    vector_slots: tuple[int, ...]
    vector_reads: tuple[Source, ...]
    #: Of these, the first two components in all are x and y.
    scalar_sources: tuple[Source, ...]
    #: Whether either does something beside writing its result.
    has_effect: bool
    #: Whether the scalar half leaves nothing but a previous result.
    is_scalar_idle: bool


@lru_cache(maxsize=4096)
def decode_alu(word: int) -> Instruction | None:
    """The instruction; None where an operation is undefined."""
    fields = formats.ALU.decode(word)
    vector, scalar = (
        instructions.VECTOR_BY_CODE.get(fields["vector_op"]),
        instructions.SCALAR_BY_CODE.get(fields["scalar_op"]),
    )
    if vector is None or scalar is None:
        return None
    # MOVAv also reads the second source, which text does not show.
    arity = 2 if vector.name == "MOVAv" else vector.sources
    sources = tuple(_source(f"src{1 + index}", fields, _SLOTS) for index in range(arity))
    slots = vector.slots_read(fields["vector_mask"])
    reads = tuple(source._replace(components=tuple(source.components[slot] for slot in slots)) for source in sources)
    of_scalar = (
        _constant_and_register(scalar, fields) if scalar.of_constant else (_source("src3", fields, (_W_SLOT, _X_SLOT)),)
    )
    has_effect = vector.has_effect or scalar.has_effect
    is_scalar_idle = not (fields["scalar_mask"] or scalar.has_effect)
    return Instruction(fields, vector, scalar, sources, slots, reads, of_scalar, has_effect, is_scalar_idle)


def _source(name: str, fields: Mapping[str, int], slots: Sequence[int]) -> Source:
    """A source, as some slots read it."""
    byte, swizzle, negated = fields[name], fields[f"{name}_swizzle"], bool(fields[f"{name}_negate"])
    components = tuple(slot + (swizzle >> 2 * slot) & 3 for slot in slots)
    if fields[f"{name}_bank"]:
        relative_to: Literal["", "a0", "aL"] = "aL" if byte & formats.RELATIVE else ""
        return Source(
            True, byte & formats.REGISTER_BITS, relative_to, components, bool(byte & formats.ABSOLUTE), negated
        )
    relative_to = "" if not fields[formats.constant_flag(name, fields)] else "a0" if fields["const_rel_a0"] else "aL"
    return Source(False, byte, relative_to, components, bool(fields["abs_constants"]), negated)


def _constant_and_register(row: instructions.Operation, fields: Mapping[str, int]) -> tuple[Source, Source]:
    """W of a constant, and X of a register whose number is in other fields."""
    swizzle = fields["src3_swizzle"]
    number = row.code & 1 | fields["src3_bank"] << 1 | swizzle & formats.REGISTER_IN_SWIZZLE
    absolute, negated = bool(fields["abs_constants"]), bool(fields["src3_negate"])
    w, x = _W_SLOT + (swizzle >> 2 * _W_SLOT) & 3, _X_SLOT + swizzle & 3
    return Source(False, fields["src3"], "", (w,), absolute, negated), Source(True, number, "", (x,), absolute, negated)
