"""Tables that are looked up by trees of operations.

The pattern language is that of rewrite rules (`compiler/passes/rules/pattern.py`): `fadd(once(dot(x:2, y)), z)`.  An
opcode without operands stands for every instruction of it.  The largest tree that fits wins (maximal munch: Cattell
1980, C&T 11); two of one size that fit are a mistake, which `TreeTable.conflicts` finds for tests.

Selection works on IR that need not be canonical, so constants may be on either side of a commutative operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from glslc_multi.compiler.codegen.operands import is_all
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import OPCODES, Opcode
from glslc_multi.compiler.passes.rules.matching import Match, matches
from glslc_multi.compiler.passes.rules.pattern import (
    Hole,
    Literal,
    Operation,
    PatternError,
    leaves,
    operations,
    orders,
    parse,
)
from glslc_multi.compiler.records import dataclass

A = TypeVar("A")
#: Makes an answer of the names of a pattern's leaves, which may wait until the first look-up.
Make = Callable[[Sequence[str]], A]
IsNumber = Callable[[Constant, Literal], bool]


def has_number(constant: Constant, literal: Literal) -> bool:
    """Whether a constant has a number in all components that matter; 0.0 and -0.0 are one number."""
    return is_all(constant, literal.value)


@dataclass(frozen=True, slots=True)
class Row(Generic[A]):
    """A pattern as it is written, and what it stands for."""

    text: str
    make: Make[A]
    #: Asks of the root what no pattern can.
    where: Callable[[Instruction], bool] | None


@dataclass(frozen=True, slots=True)
class Tree(Generic[A]):
    """A pattern in one of the orders that it may be found in."""

    #: None for every instruction of the opcode.
    pattern: Operation | None
    row: Row[A]
    #: The values that the answer is about, as leaves of the pattern.
    names: Sequence[str]
    #: Whether these are the operands of the root, whatever they are, and nothing else is asked.
    is_flat: bool
    #: Operands of the root that must be an instruction of an opcode, or a constant (None), which is soon seen.
    asked: Sequence[tuple[int, Opcode | None]]
    size: int
    answer: A

    def fit(self, root: Instruction, is_number: IsNumber) -> Sequence[Value] | None:
        """What the leaves stand for; None where the tree does not fit."""
        # Most rows are flat.
        if self.is_flat:
            return root.operands
        for index, op in self.asked:
            operand = root.operands[index]
            if (operand.op if isinstance(operand, Instruction) else None) is not op:
                return None
        if self.row.where is not None and not self.row.where(root):
            return None
        if self.pattern is None:
            return ()
        match = Match(is_number=is_number)
        return [match.values[name] for name in self.names] if matches(self.pattern, root, match) else None


class TreeTable(Generic[A]):
    """Answers by the tree whose root is an instruction."""

    def __init__(self, is_number: IsNumber = has_number) -> None:
        self.is_number = is_number
        #: By the name of the root's opcode.
        self._rows: dict[str, list[Row[A]]] = {}
        #: What was looked up already, the largest trees first.
        self._shelves: dict[Opcode, list[Tree[A]]] = {}

    def add(self, pattern: str, make: Make[A], where: Callable[[Instruction], bool] | None = None) -> None:
        """Add a row; `where` asks of the root what no pattern can."""
        root = pattern.removeprefix("once(").partition("(")[0]
        if root not in OPCODES:
            raise PatternError(f"there is no operation {root!r}")
        self._rows.setdefault(root, []).append(Row(pattern, make, where))

    def include(self, other: TreeTable[A]) -> None:
        """Add all that another table has."""
        for root, rows in other._rows.items():
            self._rows.setdefault(root, []).extend(rows)

    def find(self, root: Value) -> tuple[A, Sequence[Value]] | None:
        """The answer, and the values that the leaves of its pattern stand for."""
        if not isinstance(root, Instruction):
            return None
        for tree in self._shelf(root.op):
            values = tree.fit(root, self.is_number)
            if values is not None:
                return tree.answer, values
        return None

    def conflicts(self, root: Instruction) -> bool:
        """Whether two entries fit equally well; a test asserts that none do."""
        fitting = [tree for tree in self._shelf(root.op) if tree.fit(root, self.is_number) is not None]
        return len({id(tree.answer) for tree in fitting if tree.size == fitting[0].size}) > 1

    def trees(self) -> Iterator[Tree[A]]:
        """All that there are, so that every pattern has been read."""
        for root in self._rows:
            yield from self._shelf(OPCODES[root])

    def _shelf(self, op: Opcode) -> list[Tree[A]]:
        shelf = self._shelves.get(op)
        if shelf is None:
            trees = [tree for row in self._rows.get(op.name, ()) for tree in _trees(row)]
            shelf = self._shelves[op] = sorted(trees, key=lambda tree: -tree.size)
        return shelf


def _trees(row: Row[A]) -> Iterator[Tree[A]]:
    if "(" not in row.text:
        yield Tree(None, row, (), is_flat=False, asked=(), size=0, answer=row.make(()))
        return
    pattern = parse(row.text)
    assert isinstance(pattern, Operation)
    parts = list(leaves(pattern))
    names = list(dict.fromkeys(part.name for part in parts if not isinstance(part, Literal)))
    # What is asked besides (a number, a width, the same value again, a single use) counts as much as an operation.
    free = {part for part in parts if isinstance(part, Hole) and part.width is None}
    size = sum(1 + part.is_once for part in operations(pattern)) + len(parts) - len(free)
    is_flat = size == 1 and row.where is None
    answer = row.make(names)
    for order in [pattern] if is_flat else orders(pattern, is_canonical=False):
        total = size + (row.where is not None)
        yield Tree(order, row, names, is_flat, _asked(order), total, answer)


def _asked(pattern: Operation) -> list[tuple[int, Opcode | None]]:
    return [
        (index, operand.op or ops.SWIZZLE if isinstance(operand, Operation) else None)
        for index, operand in enumerate(pattern.operands)
        if not isinstance(operand, Hole)
    ]
