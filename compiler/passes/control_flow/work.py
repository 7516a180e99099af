"""What runs of blocks compute, and what it costs, where the same is computed once.

The arms of a branch often compute the same, as calls of one function in all of them do.  Code without the branch has it
once, since `gvn` finds it there, so a price of such code must not count it twice.  Values have *numbers*: those with
one number are the same wherever they are computed (value numbering by hashing, Cocke and Schwartz 1970).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.passes.motion.legality import is_cross_lane, is_movable
from glslc_multi.compiler.records import dataclass, field


@dataclass(slots=True)
class Work:
    """What runs, and its cost."""

    cost: float = 0.0
    #: Cost of each value by its number.
    values: dict[int, float] = field(default_factory=dict)

    def compute(self, number: int, cost: float) -> None:
        """Add a value, unless it is there."""
        if number not in self.values:
            self.values[number] = cost
            self.cost += cost

    def absorb(self, other: Work) -> None:
        """Add what another one computes; it is no longer asked itself, so that the smaller table is copied."""
        cost = self.cost + other.cost - self.shared(other)
        fewer, more = sorted((self.values, other.values), key=len)
        more.update(fewer)
        self.cost, self.values = cost, more

    def shared(self, other: Work) -> float:
        """The cost of what another one computes, too."""
        fewer, more = sorted((self.values, other.values), key=len)
        return sum(cost for number, cost in fewer.items() if number in more)


def number_values(blocks: Iterable[Block]) -> dict[Value, int]:
    """The numbers of all values of the blocks, which are in an order of definitions before uses, but for phis."""
    numbers: dict[Value, int] = {}
    number_of_key: dict[Hashable, int] = {}
    for block in blocks:
        for instruction in block:
            is_same_anywhere = is_movable(instruction) or is_cross_lane(instruction)
            key: Hashable = _key(instruction, numbers) if is_same_anywhere else instruction
            numbers[instruction] = number_of_key.setdefault(key, len(number_of_key))
    return numbers


def _key(instruction: Instruction, numbers: dict[Value, int]) -> Hashable:
    op = instruction.op
    operands = [
        value.key if isinstance(value, Constant) else numbers.get(value, value) for value in instruction.operands
    ]
    if op.commutative:
        return (op, instruction.type, frozenset(operands))
    return (op, instruction.type, instruction.attribute, *operands)
