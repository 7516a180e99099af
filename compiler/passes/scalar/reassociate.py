"""Reassociation: the operands of a chain of sums or products are ordered so that those which change least meet.

In: any function.  Out: `u + (x + 2) + v + 3`, with uniforms u and v, becomes `((u + v) + 5) + x`.  Constants
fold; what is the same in all iterations of the loop, or (option `uniforms`) for all lanes, is computed by
itself, for `licm` or the host to take away.  Minima, maxima and logic form chains like sums and products.

The idea (after Briggs and Cooper, "Effective partial redundancy elimination", 1994): flatten a tree of one
associative operation, whose inner nodes have no other use, into its *leaves*; give each a *rank*, and
build one chain by rising rank.  The rank is the depth of the innermost loop around the chain that a value
changes in, and then whether lanes differ.  A sum counts `a - b` and `-b` as leaves with a sign; the chain
subtracts them again, so there are never more operations than before.  The constant joins the values of
lower rank where there are any, and comes last else, where addressing can take it.

A chain is left alone unless two constants meet or two leaves of lower rank do, and when it is in order.
Leaves of one rank keep their order, so the pass finds nothing to do in its own results.

Integers wrap, so their chains are exact, and so are those of logic.  Floats are reordered by the licence of
GLSL ES 1.00 (section 4.6 restricts it for invariant outputs only): not where `precise` is asked for, and
not where folding would overflow or vanish.

Not handled: common factors, and leaves that cancel (`instcombine` has both).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import ClassVar

from compiler.analysis.cfg import control_flow
from compiler.analysis.loops import Loop, LoopNest, loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.analysis.uniformity import Uniformity, uniformity
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.fold import fold_components
from compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.passes.base import Pass, PassContext
from compiler.passes.motion.legality import is_movable, merged_flags
from compiler.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class _Family:
    """An associative operation with its inverse and its negation, where it has them."""

    join: Opcode
    inverse: Opcode | None = None
    negation: Opcode | None = None
    #: What changes nothing, where there is such a constant.
    neutral: bool | int | float | None = None

    @property
    def members(self) -> list[Opcode]:
        return [opcode for opcode in (self.join, self.inverse, self.negation) if opcode is not None]

    @property
    def is_exact(self) -> bool:
        return self.join not in (ops.FADD, ops.FMUL, ops.FMIN, ops.FMAX)


_FAMILIES: dict[Opcode, _Family] = {
    member: family
    for family in (
        _Family(ops.FADD, ops.FSUB, ops.FNEG, 0.0),
        _Family(ops.FMUL, neutral=1.0),
        _Family(ops.FMIN),
        _Family(ops.FMAX),
        _Family(ops.IADD, ops.ISUB, ops.INEG, 0),
        _Family(ops.IMUL, neutral=1),
        _Family(ops.AND, neutral=True),
        _Family(ops.OR, neutral=False),
        _Family(ops.XOR, neutral=False),
    )
    for member in family.members
}

#: A value and whether the chain subtracts it.
_Leaf = tuple[Value, bool]
#: Depth of the innermost loop that a leaf changes in, whether lanes differ.
_Rank = tuple[int, bool]


@dataclass(frozen=True, slots=True)
class Reassociate(Pass):
    """See the module's text."""

    name: ClassVar[str] = "reassociate"
    description: ClassVar[str] = "orders sums and products so that constants and uniform values meet"
    preserves_control_flow: ClassVar[bool] = True

    #: Whether values that are the same for all lanes shall meet.
    uniforms: bool = True

    def run(self, function: Function, context: PassContext) -> bool:
        analyses = context.analyses(function)
        order = analyses.get(control_flow).order
        roots = [value for block in order for value in block if _ends_chain(value, context.precise)]
        if not roots:
            return False
        facts = _Facts(analyses, self.uniforms)
        progress = False
        for root in roots:
            progress |= _reorder(root, facts, context.precise)
        return progress


# ------------------------------------------------------------------------------------------ ranks
class _Facts:
    """What decides the ranks of values."""

    def __init__(self, analyses: AnalysisManager, uniforms: bool) -> None:
        loops: LoopNest = analyses.get(loop_nest)
        lanes: Uniformity | None = analyses.get(uniformity) if uniforms else None
        #: The innermost loop that an instruction changes in, in program order.
        self.changes_in: dict[Instruction, Loop | None] = {}
        self.diverging: set[Instruction] = set()
        for block in analyses.get(control_flow).order:
            for instruction in block:
                around = loops.loop_of(block)
                self.changes_in[instruction] = self._changes_in(instruction, around) if loops.top else None
                if lanes is not None and not lanes.is_uniform(instruction):
                    self.diverging.add(instruction)

    def rank(self, value: Instruction, root: Instruction) -> _Rank:
        """The rank of a leaf in the chain that ends with `root`."""
        return _depth(_around(self.changes_in[value], root)), value in self.diverging

    def note(self, value: Value, replaced: Instruction) -> None:
        """Let `value` count as what it replaces."""
        if isinstance(value, Instruction) and value not in self.changes_in:
            self.changes_in[value] = self.changes_in[replaced]
            if replaced in self.diverging:
                self.diverging.add(value)

    def _changes_in(self, instruction: Instruction, around: Loop | None) -> Loop | None:
        if not is_movable(instruction):
            return around
        operands = (operand for operand in instruction.operands if isinstance(operand, Instruction))
        loops = (_around(self.changes_in[operand], instruction) for operand in operands)
        return max(loops, key=_depth, default=None)


def _around(loop: Loop | None, instruction: Instruction) -> Loop | None:
    """`loop`, or the nearest one around it that also holds the instruction."""
    while loop is not None and instruction.block not in loop.blocks:
        loop = loop.parent
    return loop


def _depth(loop: Loop | None) -> int:
    return 0 if loop is None else loop.depth


# ------------------------------------------------------------------------------------------ chains
def _may_reorder(instruction: Instruction, precise: bool) -> bool:
    family = _FAMILIES.get(instruction.op)
    if family is None:
        return False
    return family.is_exact or not (precise or instruction.flags & PRECISE)


def _ends_chain(instruction: Instruction, precise: bool) -> bool:
    """Whether a chain of several operations ends here."""
    return (
        _may_reorder(instruction, precise)
        and any(_is_inner(operand, precise) for operand in instruction.operands)
        and not _is_inner(instruction, precise)
    )


def _is_inner(value: Value, precise: bool) -> bool:
    """Whether `value` is used only once, by an operation of its own family in its block."""
    if not isinstance(value, Instruction) or len(value.users) != 1 or not _may_reorder(value, precise):
        return False
    ((user, count),) = value.users.items()
    same_family = _FAMILIES.get(user.op) is _FAMILIES[value.op]
    return same_family and count == 1 and user.block is value.block and _may_reorder(user, precise)


def _flatten(root: Instruction, precise: bool) -> tuple[list[_Leaf], list[Instruction]]:
    """The leaves of a chain, those of inner nodes first, and its nodes, users first."""
    leaves: list[_Leaf] = []
    nodes: list[Instruction] = []
    pending: list[tuple[Value, bool]] = [(root, False)]
    while pending:
        value, negative = pending.pop()
        if value is not root and not _is_inner(value, precise):
            leaves.append((value, negative))
            continue
        assert isinstance(value, Instruction)
        nodes.append(value)
        family = _FAMILIES[value.op]
        flips = value.op is family.inverse or value.op is family.negation
        signs = [negative] * (len(value.operands) - 1) + [negative != flips]
        operands = sorted(zip(value.operands, signs, strict=True), key=lambda leaf: not _is_inner(leaf[0], precise))
        pending.extend(reversed(operands))
    return leaves, nodes


def _reorder(root: Instruction, facts: _Facts, precise: bool) -> bool:
    leaves, nodes = _flatten(root, precise)
    family = _FAMILIES[root.op]
    ordered = _order(leaves, family, root, facts) if len(leaves) > 2 else None
    if ordered is None or _is_in_order(root, ordered, family):
        return False
    builder = Builder.before(root)
    builder.flags = merged_flags(*nodes)
    value = _build(ordered, family, builder)
    facts.note(value, root)
    root.replace_all_uses_with(value)
    for node in nodes:
        node.erase()
    return True


def _order(leaves: Sequence[_Leaf], family: _Family, root: Instruction, facts: _Facts) -> list[_Leaf] | None:
    """The leaves by rank, constants folded; None where that gains nothing or cannot be."""
    ranked = [(facts.rank(value, root), (value, sign)) for value, sign in leaves if isinstance(value, Instruction)]
    ranked.sort(key=lambda item: item[0])
    values: list[_Leaf] = [leaf for _, leaf in ranked]
    constants = [leaf for leaf in leaves if isinstance(leaf[0], Constant)]
    lower = sum(rank < ranked[-1][0] for rank, _ in ranked)
    if len(constants) < 2 and lower + len(constants) < 2:
        return None
    if not constants:
        return values
    total = _fold(constants, family)
    if total is None:
        return None
    if values[1:] and family.neutral is not None and total.same_as(Constant.splat(total.type, family.neutral)):
        return values
    place = lower or len(values)
    return [*values[:place], (total, False), *values[place:]]


def _fold(constants: Sequence[_Leaf], family: _Family) -> Constant | None:
    """All constants in one; None where one is undefined, or the range of numbers is left."""
    total: Constant | None = None
    for constant, negative in constants:
        assert isinstance(constant, Constant)
        if total is None and not negative:
            total = constant
            continue
        op = family.inverse if negative and family.inverse is not None else family.join
        before = total or Constant.splat(constant.type, family.neutral)
        total = fold_components(op, constant.type, None, [before.components, constant.components])
        if total is None or not _is_in_range(total, before, constant, family):
            return None
    return total


def _is_in_range(folded: Constant, one: Constant, other: Constant, family: _Family) -> bool:
    """Whether folding neither overflowed nor made a product of numbers vanish."""
    if folded.type.kind != "float":
        return True
    if not all(isinstance(component, float) and isfinite(component) for component in folded.components):
        return False
    factors = zip(folded.components, one.components, other.components, strict=True)
    return family.join is not ops.FMUL or all(product or not (x and y) for product, x, y in factors)


# ---------------------------------------------------------------------------------------- building
def _steps(ordered: Sequence[_Leaf], family: _Family) -> tuple[list[tuple[Opcode, bool, Value]], bool]:
    """How each leaf after the first joins: (opcode, whether the leaf is the second operand, leaf); and
    whether the whole is the negative of what is wanted in the end."""
    negative = ordered[0][1]
    steps: list[tuple[Opcode, bool, Value]] = []
    for leaf, is_subtracted in ordered[1:]:
        if is_subtracted == negative:
            steps.append((family.join, True, leaf))
            continue
        assert family.inverse is not None
        steps.append((family.inverse, is_subtracted, leaf))
        negative = False
    return steps, negative


def _build(ordered: Sequence[_Leaf], family: _Family, builder: Builder) -> Value:
    steps, negative = _steps(ordered, family)
    value = ordered[0][0]
    for opcode, is_second, leaf in steps:
        value = builder.op(opcode, value, leaf) if is_second else builder.op(opcode, leaf, value)
    if negative:
        assert family.negation is not None
        value = builder.op(family.negation, value)
    return value


def _is_in_order(root: Instruction, ordered: Sequence[_Leaf], family: _Family) -> bool:
    """Whether the chain is what `_build` would build."""
    steps, negative = _steps(ordered, family)
    node: Value = root
    if negative:
        if root.op is not family.negation:
            return False
        node = root.operands[0]
    for opcode, is_second, leaf in reversed(steps):
        if not isinstance(node, Instruction) or node.op is not opcode:
            return False
        rest, last = node.operands if is_second else reversed(node.operands)
        if opcode is family.join and not _is_same(last, leaf):
            rest, last = last, rest
        if not _is_same(last, leaf):
            return False
        node = rest
    return _is_same(node, ordered[0][0])


def _is_same(one: Value, other: Value) -> bool:
    return one is other or (isinstance(one, Constant) and isinstance(other, Constant) and one.same_as(other))
