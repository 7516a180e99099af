"""What an instruction with a descriptor does, taken apart for those that execute it: simulator and translator.

In: a word and its operand descriptor.  Out: an `Action`: registers, components, signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from glslc_multi.backends.pica200.isa import descriptors
from glslc_multi.backends.pica200.isa.instructions import MASKED, Operation, decode
from glslc_multi.backends.pica200.isa.registers import destination_register, source_register
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Operand:
    """A source: a register, whose number is relative to an address register (0: to none), and its components."""

    bank: str
    index: int
    relative: int
    selector: tuple[int, ...]
    is_negated: bool


@dataclass(frozen=True, slots=True)
class Action:
    """An operation, what it reads, and the components that it writes of its destination."""

    operation: Operation
    operands: tuple[Operand, ...]
    #: Bank and index; None where the operation says itself what it writes.
    destination: tuple[str, int] | None
    written: tuple[int, ...]
    #: Numbers of CMP's relations.
    relations: tuple[int, ...]

    def results(self, values: Sequence[Any]) -> Sequence[Any]:
        """What is written of the values that the operation has computed, by component in `written`."""
        return values if MASKED in self.operation.reads else [values[component] for component in self.written]


@lru_cache(maxsize=1 << 12)
def action_of(word: int, descriptor_word: int) -> Action:
    """The action of a word that is an instruction with this descriptor."""
    instruction, descriptor = decode(word), descriptors.decode(descriptor_word)
    assert instruction is not None
    operation, fields = instruction.operation, instruction.fields
    written = tuple(component for component in range(4) if descriptor.mask & 8 >> component)
    operands = []
    for number, source in enumerate(operation.layout.sources):
        selector: tuple[int, ...] = descriptor.selectors[number]
        if operation.reads[number] == MASKED:
            selector = tuple(selector[component] for component in written)
        relative = fields["idx"] if source == operation.layout.wide else 0
        operands.append(Operand(*source_register(fields[source]), relative, selector, descriptor.negations[number]))
    return Action(
        operation,
        tuple(operands),
        destination_register(fields["dst"]) if "dst" in fields else None,
        written,
        tuple(fields[name] for name in ("cmpx", "cmpy") if name in fields),
    )
