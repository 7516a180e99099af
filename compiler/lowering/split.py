"""Wide values become narrower ones: single components, or pieces as wide as a target's registers.

In: any function.  Out: no operation but those at the border computes or takes more than `limit` components.
The border is where the outside fixes the width: loads, stores, texture lookups, and the `swizzle`s and
`construct`s between them and the pieces.

Component-wise operations and phis are repeated for each piece; `dot`, `all` and `any` are joined from those
of the pieces; what else works on whole vectors is expanded first (see `_EXPANDED`).  Blocks are visited in
reverse postorder, so that an operation finds the pieces of its operands (`pieces.py`) made already; phis
get theirs at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.lowering import builtins, indexing, matrices
from glslc_multi.compiler.lowering.expansion import Expander
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.lowering.pieces import Pieces
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass

_SHUFFLES = OpcodeSet("swizzle.insert.construct")
#: Work on every component alike, but not by arithmetic.
_CROSS_LANE = OpcodeSet("ddx.ddy")
#: Joined from pieces: the operation between the pieces, and what a piece of one component needs first.
_JOINED: dict[Opcode, tuple[Opcode, Opcode | None]] = {
    ops.DOT: (ops.FADD, ops.FMUL),
    ops.ALL: (ops.AND, None),
    ops.ANY: (ops.OR, None),
}
#: Expanded into operations that can be split.
_EXPANDED = OpcodeSet("length.normalize.cross.mat_vec.vec_mat.extract_dynamic.insert_dynamic")
_ROWS = (*builtins.ROWS, *matrices.ROWS, *indexing.ROWS)


class Scalarize(Pass):
    """Splits vectors into single components; see the module's text."""

    name = "scalarize"
    description = "splits vector operations into operations on single components"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        return _Split(context.analyses(function).get(control_flow), 1).run()


@dataclass(frozen=True, slots=True)
class LowerVec4Split(Pass):
    """Splits vectors wider than the target's registers; see the module's text."""

    name = "lower-vec4-split"
    description = "splits vectors that are wider than the target's registers"
    preserves_control_flow = True

    #: Components of a register.
    width: int = 3

    def run(self, function: Function, context: PassContext) -> bool:
        return _Split(context.analyses(function).get(control_flow), self.width).run()


class _Split:
    """The split of one function into pieces of at most `limit` components."""

    def __init__(self, flow: ControlFlow, limit: int) -> None:
        self.blocks = [*flow.order, *flow.unreachable]
        self.limit = limit
        self.pieces = Pieces(limit)
        self.progress = False
        #: What pieces have taken the place of.
        self.replaced: list[Instruction] = []
        #: New phis of a piece, with the old phi and the first component.
        self.phis: list[tuple[Instruction, Instruction, int]] = []

    def run(self) -> bool:
        self._expand()
        for block in self.blocks:
            for instruction in block:
                if _is_wider(instruction, self.limit):
                    self._split(instruction)
        for part, phi, first in self.phis:
            for value, source in phi.incoming():
                assert source.terminator is not None
                part.add_incoming(self._take(value, first, part.type.width, source.terminator), source)
        for _, phi, first in self.phis:
            if first == 0:
                phi.drop_operands()
                phi.erase()
        self._erase_replaced()
        self._erase_shuffles()
        return self.progress

    def _expand(self) -> None:
        for block in self.blocks:
            for instruction in block:
                if instruction.op in _EXPANDED and _is_wider(instruction, self.limit):
                    self.progress |= _expander().expand(instruction)

    def _split(self, instruction: Instruction) -> None:
        op = instruction.op
        if op is ops.PHI:
            self._split_phi(instruction)
        elif op in _SHUFFLES:
            self._resolve(instruction)
        elif op in _JOINED:
            self._replace(instruction, self._joined(instruction))
        elif _is_by_component(op):
            builder = Builder.before(instruction)
            parts = [self._part(instruction, first, count, builder) for first, count in self._places(instruction)]
            self._compose(instruction, parts)

    def _places(self, value: Value) -> Sequence[tuple[int, int]]:
        """First component and width of each piece."""
        return _cut(value.type.width, self.limit)

    def _part(self, instruction: Instruction, first: int, count: int, builder: Builder) -> Value:
        """The piece of a component-wise operation; a scalar condition serves all pieces."""
        operands = [
            operand if operand.type.width < instruction.type.width else self._take(operand, first, count, instruction)
            for operand in instruction.operands
        ]
        return builder.op(instruction.op, *operands)

    def _joined(self, instruction: Instruction) -> Value:
        join, single = _JOINED[instruction.op]
        builder = Builder.before(instruction)
        total: Value | None = None
        for first, count in self._places(instruction.operands[0]):
            pieces = [self._take(operand, first, count, instruction) for operand in instruction.operands]
            op = single if count == 1 else instruction.op
            part = pieces[0] if op is None else builder.op(op, *pieces)
            total = part if total is None else builder.op(join, total, part)
        assert total is not None
        return total

    # shuffles ----------------------------------------------------------------------------------
    def _resolve(self, shuffle: Instruction) -> None:
        """Make a construct of pieces, or a single piece, of a shuffle; so no chain of them is walked twice."""
        if not self._is_resolved(shuffle):
            self._compose(shuffle, [self.pieces.gather(shuffle, *place, shuffle) for place in self._places(shuffle)])

    def _is_resolved(self, shuffle: Instruction) -> bool:
        if shuffle.op is ops.CONSTRUCT:
            return [part.type.width for part in shuffle.operands] == [count for _, count in self._places(shuffle)]
        operand = shuffle.operands[0]
        is_narrow_swizzle = shuffle.op is ops.SWIZZLE and shuffle.type.width <= self.limit
        is_made_up = self.pieces.is_split(operand) or (isinstance(operand, Instruction) and operand.op in _SHUFFLES)
        return is_narrow_swizzle and not is_made_up

    def _erase_replaced(self) -> None:
        """Erase what was split, of which nobody but each other reads anything."""
        for instruction in self.replaced:
            instruction.drop_operands()
        for instruction in self.replaced:
            instruction.erase()

    def _erase_shuffles(self) -> None:
        """Erase the shuffles that nobody reads any more."""
        for block in reversed(self.blocks):
            for instruction in reversed(block):
                if instruction.op in _SHUFFLES and not instruction.users:
                    instruction.erase()
                    self.progress = True

    # phis --------------------------------------------------------------------------------------
    def _split_phi(self, phi: Instruction) -> None:
        assert phi.block is not None
        builder = Builder(phi.block)
        builder.span, builder.flags = phi.span, phi.flags
        parts = [builder.phi(phi.type.with_width(count)) for _, count in self._places(phi)]
        self.phis += [(part, phi, first) for part, (first, _) in zip(parts, self._places(phi), strict=True)]
        builder.insertion_point = phi.block.first_non_phi
        phi.replace_all_uses_with(builder.construct(*parts))
        self.progress = True

    def _take(self, value: Value, first: int, count: int, before: Instruction) -> Value:
        return self.pieces.take(value, first, count, before)

    def _compose(self, instruction: Instruction, parts: list[Value]) -> None:
        """Let the parts take the place of `instruction`; they are put together where somebody reads it as a whole."""
        if len(parts) == 1:
            self._replace(instruction, parts[0])
            return
        self.pieces.split(instruction, parts)
        if all(map(_is_split, instruction.users)):
            self.replaced.append(instruction)
        else:
            instruction.become(ops.CONSTRUCT, parts)
        self.progress = True

    def _replace(self, instruction: Instruction, value: Value) -> None:
        instruction.replace_all_uses_with(value)
        instruction.erase()
        self.progress = True


@cache
def _cut(width: int, limit: int) -> Sequence[tuple[int, int]]:
    """So many components in runs of `limit`: the first of each and its length."""
    return [(first, min(limit, width - first)) for first in range(0, width, limit)]


@cache
def _expander() -> Expander:
    return Expander(_ROWS, lambda opcode: opcode not in _EXPANDED)


def _is_split(user: Instruction) -> bool:
    """Whether something that is too wide is split."""
    op = user.op
    return _is_by_component(op) or op in _SHUFFLES or op in _JOINED or op is ops.PHI


def _is_by_component(op: Opcode) -> bool:
    """Whether every component of the result is that of the operands' components."""
    return op.component is not None or op in _CROSS_LANE


def _is_wider(instruction: Instruction, limit: int) -> bool:
    """Whether the result or an operand has more components."""
    return instruction.type.width > limit or any(operand.type.width > limit for operand in instruction.operands)
