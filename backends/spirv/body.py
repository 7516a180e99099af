"""The blocks of `main`, in the order of the tree of its regions, with the merges that SPIR-V asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from glslc_multi.backends.spirv.assembly import make
from glslc_multi.backends.spirv.memory import Memory
from glslc_multi.backends.spirv.merges import always_kills
from glslc_multi.backends.spirv.values import Values
from glslc_multi.backends.spirv.writer import Writer
from glslc_multi.compiler.codegen.regions import Basic, If, Loop, Region, Seq, blocks_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Function, Instruction
from glslc_multi.compiler.spirv.code import Instruction as Word
from glslc_multi.compiler.spirv.grammar import BY_NAME

_NO_CONTROL = 0


class Body:
    """Writes the blocks of a function."""

    def __init__(self, function: Function, writer: Writer, values: Values, memory: Memory) -> None:
        self._function = function
        self._writer = writer
        self._values = values
        self._memory = memory
        self._predecessors = function.predecessors()
        self._labels = {block: writer.assembly.take_id() for block in function.blocks}
        #: Header of a loop -> its merge block and its continue target.
        self._loops: dict[Block, tuple[Block, Block]] = {}
        #: Blocks from which control goes nowhere.
        self._ended: set[Block] = set()
        self._phis: list[tuple[Instruction, Word]] = []
        #: What is still to be written, the next one last: so deep nests need no recursion.
        self._pending: list[Callable[[], None]] = []

    def write(self, tree: Seq[Block], variables: Iterable[Word]) -> None:
        """Write all blocks; the first one begins with variables."""
        self._writer.code += [make("OpLabel", 0, self._labels[self._function.entry]), *variables]
        self._sequence(tree)
        while self._pending:
            self._pending.pop()()
        for phi, word in self._phis:
            word.operands = [
                id
                for value, block in phi.incoming()
                if block not in self._ended
                for id in (self._writer.of(value), self._labels[block])
            ]
            if not word.operands:
                # Nobody comes here.
                word.row = BY_NAME["OpUndef"]

    def _next(self, *steps: Callable[[], None]) -> None:
        """Write something before what is still to be written."""
        self._pending.extend(reversed(steps))

    def _sequence(self, sequence: Seq[Block]) -> None:
        """Write the parts of a sequence; what one of them leaves is the first block of the next."""
        firsts = [next(blocks_of(part)) for part in sequence.parts[1:]]
        merges = [*firsts, None]
        self._next(*(partial(self._region, part, merge) for part, merge in zip(sequence.parts, merges, strict=True)))

    def _scope(self, sequence: Seq[Block]) -> Iterable[Callable[[], None]]:
        """List the steps that write a sequence of which nothing is shared afterwards."""
        return self._writer.open_scope, partial(self._sequence, sequence), self._writer.close_scope

    def _region(self, region: Region[Block], merge: Block | None) -> None:
        """Write a region; `merge` is the block that control comes to after it."""
        if isinstance(region, Seq):
            self._sequence(region)
        elif isinstance(region, Loop):
            assert merge is not None
            header, latch = next(blocks_of(region)), region.body.parts[-1]
            assert isinstance(latch, Basic)
            self._loops[header] = merge, latch.block
            self._next(*self._scope(region.body))
        else:
            self._block(region.block, merge if isinstance(region, If) else None)
            if isinstance(region, If):
                arms = [region.then, *([region.orelse] if region.orelse is not None else [])]
                self._next(*(step for arm in arms for step in self._scope(arm)))

    def _block(self, block: Block, merge: Block | None) -> None:
        """Write a block; `merge` is where the arms meet that it chooses from."""
        writer = self._writer
        if block is not self._function.entry:
            writer.code.append(make("OpLabel", 0, self._labels[block]))
        for i in block:
            if i.op is ops.PHI:
                word = make("OpPhi", writer.type_of(i.type), writer.assembly.take_id())
                writer.ids[i] = word.result
                writer.code.append(word)
                self._phis.append((i, word))
            elif i.op is ops.STORE:
                self._memory.store(i)
            elif i.op is not ops.KILL and not i.is_terminator:
                self._values.write(i)
        if block in self._loops:
            after, latch = self._loops[block]
            writer.append("OpLoopMerge", self._labels[after], self._labels[latch], _NO_CONTROL)
        if merge is not None:
            writer.append("OpSelectionMerge", self._labels[merge], _NO_CONTROL)
        self._terminator(block)

    def _terminator(self, block: Block) -> None:
        """End a block."""
        writer, end = self._writer, block.terminator
        assert end is not None
        targets = [self._labels[target] for target in end.targets]
        if end.op is ops.RET:
            writer.append("OpReturn")
        elif end.op is ops.CONDBR:
            writer.append("OpBranchConditional", writer.of(end.operands[0]), *targets)
        elif end.prev is None or end.prev.op is not ops.KILL:
            writer.append("OpBranch", *targets)
        elif always_kills(block) and len(self._predecessors[end.targets[0]]) > 1:
            writer.append("OpKill")
            self._ended.add(block)
        else:
            ended = writer.assembly.take_id()
            writer.append("OpSelectionMerge", *targets, _NO_CONTROL)
            writer.append("OpBranchConditional", writer.of(end.prev.operands[0]), ended, *targets)
            writer.code.append(make("OpLabel", 0, ended))
            writer.append("OpKill")
