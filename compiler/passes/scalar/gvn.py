"""Global value numbering: what has been computed on every path to here is not computed again.

In: any function.  Out: the same, where an instruction whose opcode, attribute and operands agree with those
of one that dominates it is replaced by that one.

The idea: a walk down the dominator tree with a table of what has been computed so far; leaving a block
takes its entries out again (Briggs, Cooper, Simpson, "Value Numbering", 1997, section 4: dominator-based
value numbering).  The two operands of a commutative opcode are a set; constants count by their content; phis of
one block are the same when they merge the same values.

Loads of inputs and uniforms are values like others.  A local variable has a *version*, which changes with
every store to it, and at every block where stores on different paths meet, that is, in the iterated
dominance frontier of the stores.  Loads of one place in one version are the same, and the first load after
a store of that place is the stored value.  Calls change a version that all locals share.

What looks at neighbouring lanes is the same only where no loop ends between the two: lanes that leave a
loop in different iterations bring values of different iterations with them, so that a derivative after the
loop is another one than that in its last iteration.

Not handled: phis around loops that only a simultaneous assumption shows to be the same; stores to other
elements of an array, which count as stores to all.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.dominators import DominatorTree, dominators
from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.memory.local_variables import stored_value
from glslc_multi.compiler.passes.motion.legality import commutes, is_cross_lane, is_read_only, merged_flags

#: A variable, or None for what calls change.
_Memory = Variable | None
#: Effects of what yields a value.
_VALUES = frozenset({"pure", "read", "cross-lane"})


class ValueNumbering(Pass):
    """See the module's text."""

    name = "gvn"
    description = "replaces what has been computed before"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        return _Numbering(function, context.analyses(function), context.precise).run()


class _Numbering:
    """One walk over the dominator tree."""

    def __init__(self, function: Function, analyses: AnalysisManager, precise: bool) -> None:
        self.precise = precise
        self.flow: ControlFlow = analyses.get(control_flow)
        self.tree: DominatorTree = analyses.get(dominators)
        self.analyses = analyses
        self.available: dict[Hashable, Value] = {}
        #: Entries to restore when the walk leaves a block.
        self.undo: list[tuple[Hashable, Value | None]] = []
        self.versions: dict[_Memory, int | None] = {}
        self.undo_versions: list[tuple[_Memory, int | None]] = []
        self.numbers = count()
        stored: dict[_Memory, dict[Block, None]] = {}
        for block in self.flow.order:
            for instruction in block:
                if instruction.op is ops.STORE:
                    stored.setdefault(instruction.address.variable, {})[block] = None
                elif instruction.op is ops.CALL:
                    stored.setdefault(None, {})[block] = None
        meetings: dict[Block, list[_Memory]] = {}
        for memory, blocks in stored.items():
            for join in self.tree.iterated_frontier(blocks):
                assert join is not None
                meetings.setdefault(join, []).append(memory)
        #: Block -> what has a new version at its head, since stores on different paths meet there.
        self.meetings = meetings
        self.progress = False

    def run(self) -> bool:
        stack: list[tuple[Block, tuple[int, int] | None]] = [(self.flow.entry, None)]
        while stack:
            block, entered = stack.pop()
            if entered is not None:
                self._leave(*entered)
                continue
            if block is not self.flow.entry:
                stack.append((block, (len(self.undo), len(self.undo_versions))))
            for memory in self.meetings.get(block, ()):
                self._change(memory)
            for instruction in block:
                op = instruction.op
                if op.effect in _VALUES:
                    self._visit_value(instruction)
                elif op is ops.STORE:
                    self._change(instruction.address.variable)
                    # The key of loads of what is stored, up to the next store.
                    load_key = (ops.LOAD, instruction.address, *map(_operand_key, instruction.operands[:-1]))
                    self._enter((load_key, self._version(instruction.address.variable)), stored_value(instruction))
                elif op is ops.CALL:
                    self._change(None)
            # In program order, so that all values a phi merges have been seen, but for those of back edges.
            children = [child for child in self.tree.children[block] if child is not None]
            children.sort(key=self.flow.index.__getitem__, reverse=True)
            stack.extend((child, None) for child in children)
        return self.progress

    # scopes --------------------------------------------------------------------------------
    def _leave(self, entries: int, versions: int) -> None:
        """Forget what was entered since the tables had these lengths."""
        while len(self.undo) > entries:
            key, value = self.undo.pop()
            if value is None:
                del self.available[key]
            else:
                self.available[key] = value
        while len(self.undo_versions) > versions:
            memory, version = self.undo_versions.pop()
            self.versions[memory] = version

    def _enter(self, key: Hashable, value: Value) -> None:
        self.undo.append((key, self.available.get(key)))
        self.available[key] = value

    def _change(self, memory: _Memory) -> None:
        self.undo_versions.append((memory, self.versions.get(memory)))
        self.versions[memory] = next(self.numbers)

    # the walk ------------------------------------------------------------------------------
    def _visit_value(self, instruction: Instruction) -> None:
        key = self._load_key(instruction) if instruction.op is ops.LOAD else _key(instruction, self.precise)
        earlier = self.available.setdefault(key, instruction)
        if earlier is instruction:
            self.undo.append((key, None))
            return
        if not self._may_replace(instruction, earlier):
            self._enter(key, instruction)
            return
        if isinstance(earlier, Instruction) and earlier.op is instruction.op:
            earlier.flags = merged_flags(earlier, instruction)
        instruction.replace_all_uses_with(earlier)
        instruction.erase()
        self.progress = True

    def _may_replace(self, instruction: Instruction, known: Value) -> bool:
        if not is_cross_lane(instruction) or not isinstance(known, Instruction):
            return True
        assert known.block is not None
        loop = self.analyses.get(loop_nest).loop_of(known.block)
        return loop is None or instruction.block in loop.blocks

    # keys of memory ------------------------------------------------------------------------
    def _load_key(self, load: Instruction) -> Hashable:
        variable, key = load.address.variable, _key(load, self.precise)
        return key if is_read_only(variable, load) else (key, self._version(variable))

    def _version(self, variable: Variable) -> Hashable:
        return (self.versions.get(variable), self.versions.get(None))


def _key(instruction: Instruction, precise: bool) -> Hashable:
    """What decides the value, that of a load while nothing is stored."""
    op = instruction.op
    if op is ops.PHI:
        merged = frozenset((block, _operand_key(value)) for value, block in instruction.incoming())
        return (op, instruction.block, merged)
    keys = [value.key if isinstance(value, Constant) else value for value in instruction.operands]
    if commutes(instruction, precise=precise):
        return (op, frozenset(keys))
    return (op, instruction.attribute, *keys)


def _operand_key(value: Value | None) -> Hashable:
    """Equal for the same value."""
    return value.key if isinstance(value, Constant) else value
