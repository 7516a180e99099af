"""Sparse conditional constant propagation, component by component.

In: any function.  Out: values that are the same constant on every path that control can take are that
constant, branches that have one target only are jumps, and what they skipped is gone.

The idea (Wegman and Zadeck, "Constant propagation with conditional branches", 1991): assume that no block is
reached and no component known; follow the paths that are possible so far, and lower a component from
*unseen* over *undefined* and a constant to *varying* as evidence comes in.  Each component is lowered at
most three times, so the work is near-linear.  Phis only look at edges that can be taken, which finds
constants that folding and removing branches in turn would miss, those around loops among them.

Most values cannot be constants on any path, since none that flow into them are; those vary from the beginning, and
straight code without constants to follow is not walked along at all.  Nor is code where none of the values to follow
and none of the branches has changed since the last time.

Components are tracked one by one, so the constant w of a position survives a phi.  An undefined component
agrees with any constant in a phi; arithmetic on one is varying, and a branch on one may have both targets.

It makes no real shader smaller, but machines without loops need it: a `do` that goes on while a counter that only it
knows is small runs once, and without this it is a loop that is not unrolled.

Not handled: what a branch says about its condition, and values in memory (`mem2reg` comes first).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import fold_branches
from glslc_multi.compiler.ir.fold import SHUFFLES
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Scalar, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.base import Pass, PassContext


class _Mark:
    """A component that is no number."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


#: No evidence yet; and more than one value.
UNSEEN, VARYING = _Mark("unseen"), _Mark("varying")
#: Not decided by some of the operands alone.
_OPEN = _Mark("open")
#: What is known of a component; None is undefined.
Cell = Scalar | _Mark
Edge = tuple[Block | None, Block]


class Sccp(Pass):
    """See the module's text."""

    name = "sccp"
    description = "propagates constants along the paths that control can take"

    def run(self, function: Function, context: PassContext) -> bool:
        followed = _followed(function)
        branches = [block.last for block in function.blocks if block.last is not None]
        if not followed and not any(map(_is_decided, branches)):
            return False
        solver = _Solver(function, followed)
        solver.solve()
        progress = _replace_constants(followed, solver)
        return fold_branches(function, solver.decided_branches()) or progress


def _followed(function: Function) -> dict[Instruction, None]:
    """The values of which something may be known, because constants flow into them."""
    followed: dict[Instruction, None] = {}
    pending = [instruction for instruction in function.instructions() if _is_beginning(instruction)]
    while pending:
        instruction = pending.pop()
        if instruction not in followed:
            followed[instruction] = None
            pending.extend(user for user in instruction.users if _may_be_known(user, followed))
    return followed


def _is_beginning(instruction: Instruction) -> bool:
    """Whether something may be known by constant operands alone."""
    kinds = map(type, instruction.operands)
    if instruction.op in _KNOWN_BY_ONE:
        return Constant in kinds
    return instruction.op.has_semantics and Instruction not in kinds


def _may_be_known(instruction: Instruction, followed: Container[Value]) -> bool:
    """The same for a user of a value that is followed."""
    op = instruction.op
    if op in _KNOWN_BY_ONE:
        return True
    return op.has_semantics and all(
        isinstance(operand, Constant) or operand in followed for operand in instruction.operands
    )


def _is_decided(branch: Instruction) -> bool:
    """Whether it has one target only for all to see."""
    return branch.op is ops.CONDBR and isinstance(branch.operands[0], Constant)


def _replace_constants(followed: Iterable[Instruction], solver: _Solver) -> bool:
    """Put constants for values that are known; their instructions are left without users and go."""
    progress = False
    for instruction in followed:
        constant = solver.constant(instruction)
        if constant is not None:
            instruction.replace_all_uses_with(constant)
            instruction.erase()
            progress = True
    return progress


class _Solver:
    """The lattice of all components, and the two worklists: edges to take and values to look at again."""

    __slots__ = ("_cells", "_edges", "_followed", "_function", "_inside", "_reached", "_taken", "_values", "_varying")

    def __init__(self, function: Function, followed: Mapping[Instruction, None]) -> None:
        self._function = function
        self._followed = followed
        #: Block -> those that are followed in it.
        self._inside: dict[Block | None, list[Instruction]] = {}
        for instruction in followed:
            self._inside.setdefault(instruction.block, []).append(instruction)
        self._cells: dict[Instruction, list[Cell]] = {}
        #: Values of which no component is known: there is nothing more to find out.
        self._varying: set[Value] = set()
        self._reached: set[Block] = set()
        self._taken: set[Edge] = set()
        self._edges: deque[Edge] = deque([(None, function.entry)])
        self._values: deque[Instruction] = deque()

    def solve(self) -> None:
        while self._edges or self._values:
            if self._edges:
                self._take(*self._edges.popleft())
                continue
            instruction = self._values.popleft()
            if instruction.block in self._reached:
                self._look_at(instruction)

    def constant(self, instruction: Instruction) -> Constant | None:
        """The constant that a reachable one of the followed instructions computes, if it does."""
        cells = self._cells.get(instruction)
        components = [cell for cell in cells or () if not isinstance(cell, _Mark)]
        return Constant(instruction.type, tuple(components)) if len(components) == instruction.type.width else None

    def decided_branches(self) -> dict[Block, Block]:
        """Reachable blocks whose conditional branch always goes to the same block."""
        decided: dict[Block, Block] = {}
        for block in self._function.blocks:
            targets = block.successors
            taken = [target for target in dict.fromkeys(targets) if (block, target) in self._taken]
            if len(targets) == 2 and len(taken) == 1:
                decided[block] = taken[0]
        return decided

    # control ---------------------------------------------------------------------------------
    def _take(self, source: Block | None, target: Block) -> None:
        if (source, target) in self._taken:
            return
        self._taken.add((source, target))
        is_first = target not in self._reached
        self._reached.add(target)
        for instruction in self._inside.get(target, ()):
            if instruction.op is ops.PHI:
                # What comes over the other edges is known already.
                self._lower(instruction, self._cells_of(_value_from(instruction, source)))
            elif is_first:
                self._look_at(instruction)
        if is_first and target.last is not None:
            self._look_at(target.last)

    def _branch(self, terminator: Instruction) -> None:
        block, targets = terminator.block, terminator.targets
        if terminator.op is ops.CONDBR:
            (condition,) = self._cells_of(terminator.operands[0])
            if condition is UNSEEN:
                return
            if isinstance(condition, bool):
                targets = [targets[0 if condition else 1]]
        self._edges.extend((block, target) for target in targets)

    # values ----------------------------------------------------------------------------------
    def _look_at(self, instruction: Instruction) -> None:
        if instruction.is_terminator:
            self._branch(instruction)
        elif instruction in self._followed and instruction not in self._varying:
            self._lower(instruction, self._evaluate(instruction))

    def _lower(self, instruction: Instruction, found: Sequence[Cell]) -> None:
        old = self._cells.get(instruction, [UNSEEN] * len(found))
        new = [_meet(one, other) for one, other in zip(old, found, strict=True)]
        self._cells[instruction] = new
        if all(cell is VARYING for cell in new):
            self._varying.add(instruction)
        if any(not _same(one, other) for one, other in zip(old, new, strict=True)):
            self._values.extend(instruction.users)

    def _evaluate(self, instruction: Instruction) -> list[Cell]:
        """The components by what is known of the operands."""
        op = instruction.op
        if op is ops.PHI:
            result: list[Cell] = [UNSEEN] * instruction.type.width
            for value, source in instruction.incoming():
                if (source, instruction.block) in self._taken:
                    result = [_meet(one, other) for one, other in zip(result, self._cells_of(value), strict=True)]
            return result
        operands = [self._cells_of(operand) for operand in instruction.operands]
        if op in SHUFFLES:
            return ops.evaluate(op, PYTHON, instruction.attribute, operands)
        if op.whole is not None:
            width = instruction.type.width
            cells = [cell for operand in operands for cell in operand]
            if UNSEEN in cells:
                return [UNSEEN] * width
            if any(cell is VARYING or cell is None for cell in cells):
                return [VARYING] * width
            return ops.evaluate(instruction.op, PYTHON, instruction.attribute, operands)
        width = instruction.type.width
        rows = zip(*(cells * width if len(cells) == 1 else cells for cells in operands), strict=True)
        return [_evaluate_component(op, row) for row in rows]

    def _cells_of(self, value: Value) -> list[Cell]:
        if isinstance(value, Constant):
            return list(value.components)
        assert isinstance(value, Instruction)
        beginning = UNSEEN if value in self._followed else VARYING
        return self._cells.get(value) or [beginning] * value.type.width


def _value_from(phi: Instruction, source: Block | None) -> Value:
    """What comes into a phi from a block."""
    return next(value for value, block in phi.incoming() if block is source)


# ---------------------------------------------------------------------------------------------- cells
def _meet(one: Cell, other: Cell) -> Cell:
    """What is known when a component may be either."""
    if one is UNSEEN or (one is None and other is not UNSEEN):
        return other
    if other is UNSEEN or other is None or _same(one, other):
        return one
    return VARYING


def _same(one: Cell, other: Cell) -> bool:
    """Whether two cells are alike; numbers bit for bit (0.0 is not -0.0, NaN is NaN)."""
    return one is other or repr(one) == repr(other)


def _evaluate_component(op: Opcode, operands: Sequence[Cell]) -> Cell:
    decided = _DECIDED.get(op)
    known = decided(operands) if decided is not None else _OPEN
    if known is not _OPEN:
        return known
    if UNSEEN in operands:
        return UNSEEN
    if any(cell is VARYING or cell is None for cell in operands):
        return VARYING
    assert op.component is not None
    result: Cell = op.component(PYTHON, *operands)
    return result


def _absorbed_by(number: bool | int) -> Callable[[Sequence[Cell]], Cell]:
    """One operand that decides the result, whatever the other is."""
    return lambda operands: number if any(_same(cell, number) for cell in operands) else _OPEN


def _select(operands: Sequence[Cell]) -> Cell:
    condition, if_true, if_false = operands
    if isinstance(condition, bool):
        return if_true if condition else if_false
    return if_true if condition is VARYING and _same(if_true, if_false) else _OPEN


#: Operations that may be known although an operand is not.
_DECIDED: dict[Opcode, Callable[[Sequence[Cell]], Cell]] = {
    ops.AND: _absorbed_by(False),
    ops.OR: _absorbed_by(True),
    ops.IMUL: _absorbed_by(0),
    ops.SELECT: _select,
}
#: Operations of which something may be known by one operand alone; the others ask for all of theirs.
_KNOWN_BY_ONE = frozenset({ops.PHI, *SHUFFLES, *_DECIDED})
