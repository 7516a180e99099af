"""Control flow between the blocks of a function: branches, switches and phis.

A block of the module becomes one or more of the IR: a switch is a chain of tests, and after a call that may discard the
pixel code goes on in a block of its own.  So phis are filled last, when it is known which blocks lead to theirs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import int_constant
from glslc_multi.compiler.ir.module import Block, Value
from glslc_multi.compiler.ir.module import Instruction as IrInstruction
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.operand import Operand, column_types
from glslc_multi.compiler.shading.types import BOOL, VOID, NumericType
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.compiler.spirv.numbers import signed
from glslc_multi.frontends.spirv.composites import unfit
from glslc_multi.frontends.spirv.lower.scope import Scope
from glslc_multi.frontends.spirv.module.types import PointerType

#: A phi, its columns, and the label of its block.
_Phi = tuple[Instruction, list[IrInstruction], int]


class Branches:
    """The blocks of one function, and how control goes from one to the other."""

    def __init__(self, scope: Scope, flow: Flow) -> None:
        self._scope = scope
        self._flow = flow
        self._emitter = flow.emitter
        self._phis: list[_Phi] = []
        #: (label of a block, label of its successor) -> the IR blocks that lead from one to the other.
        self._edges: defaultdict[tuple[int, int], list[Block]] = defaultdict(list)
        self._targets: dict[int, Block] = {}
        self._label = 0

    def expect(self, labels: Iterable[int]) -> None:
        """Make blocks for labels that will be started."""
        for label in labels:
            self._targets[label] = self._flow.new_block(self._scope.contents.name_of(label) or f"block{label}")

    def start(self, label: int) -> None:
        """Go on in the block of a label; that of the first one has begun."""
        self._label = label
        if label in self._targets:
            self._flow.start(self._targets[label])

    # ------------------------------------------------------------------------------- ends of blocks
    def jump(self, label: int) -> None:
        self._edges[self._label, label].append(self._emitter.block)
        self._flow.jump(self._targets[label])

    def conditional(self, at: Instruction) -> None:
        """OpBranchConditional."""
        condition = self._scope.operand(at.id(0), at)
        if condition.type is not BOOL:
            raise unfit(at, "its condition is no bool")
        if_true, if_false = at.id(1), at.id(2)
        if if_true == if_false:
            self.jump(if_true)
            return
        self._edges[self._label, if_false].append(self._emitter.block)
        self._branch(condition.value, if_true, self._targets[if_false])

    def switch(self, at: Instruction) -> None:
        """A chain of tests, one for the cases of each target; branches between targets are what they are."""
        selector = self._scope.operand(at.id(0), at)
        if not isinstance(selector.type, NumericType) or not selector.type.is_scalar or not selector.type.is_integer:
            raise unfit(at, "its selector is no int")
        default, cases = at.id(1), at.ids(2)
        grouped: dict[int, list[int]] = {}
        for number, label in zip(cases[::2], cases[1::2], strict=False):
            grouped.setdefault(label, []).append(number)
        for label, numbers in grouped.items():
            if label == default:
                continue
            tests = [self._emitter.op(ops.IEQ, selector.value, int_constant(signed(n))) for n in numbers]
            condition = tests[0]
            for test in tests[1:]:
                condition = self._emitter.op(ops.OR, condition, test)
            rest = self._flow.new_block("otherwise")
            self._branch(condition, label, rest)
            self._flow.start(rest)
        self.jump(default)

    def _branch(self, condition: Value, if_true: int, if_false: Block) -> None:
        self._edges[self._label, if_true].append(self._emitter.block)
        self._flow.branch(condition, self._targets[if_true], if_false)

    # ------------------------------------------------------------------------------- phis
    def phi(self, at: Instruction) -> None:
        """OpPhi, without its values."""
        type_ = self._scope.type(at)
        if isinstance(type_, PointerType) or type_.contains_sampler or type_ is VOID:
            what = "no target has pointers and images that are values"
            raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what=what)
        block, span = self._emitter.block, self._emitter.span
        if self._targets.get(self._label) is not block or not (block.last is None or block.last.op is ops.PHI):
            raise Invalid(messages.BAD_CONTROL_FLOW, at, what="a phi does not stand at the beginning of its block")
        types = column_types(type_)
        self._scope.shader.tally.count(len(types), span)
        columns = [block.append(IrInstruction(ops.PHI, column, (), [], span=span)) for column in types]
        self._scope.define(at, Operand(type_, tuple(columns)))
        self._phis.append((at, columns, self._label))

    def fill_phis(self) -> None:
        """Give all phis their values, when the code of all blocks is there."""
        for at, columns, label in self._phis:
            self._fill(at, columns, label)

    def _fill(self, at: Instruction, columns: list[IrInstruction], label: int) -> None:
        """The values of a phi, from each block that leads to it."""
        pairs = at.ids()
        for id, parent in zip(pairs[::2], pairs[1::2], strict=False):
            if (parent, label) not in self._edges:
                continue
            value = self._scope.operand(id, at)
            if value.type != self._scope.type(at):
                raise unfit(at, f"a {value.type} comes from %{self._scope.contents.code.spelled(parent)}")
            for source in self._edges[parent, label]:
                # A short text can list many blocks for many columns.
                self._scope.shader.tally.count(len(columns), columns[0].span)
                for phi, column in zip(columns, value.columns, strict=True):
                    phi.add_incoming(column, source)
