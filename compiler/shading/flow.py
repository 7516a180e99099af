"""Control flow of one function: blocks, jumps between them, and the only exit.

Blocks are made before they are reached.  Code after a jump is never emitted, and a block that nothing jumps
to is dropped, so no unreachable code exists.  All jumps lead forwards or back to the head of a loop that
encloses them: the graph is reducible by construction.
"""

from __future__ import annotations

from glslc_multi.compiler.ir.module import Block, Function, Value
from glslc_multi.compiler.shading.emitter import Emitter, Tally


class Flow:
    """Where code is being emitted; `is_open` says whether control can get there."""

    __slots__ = ("_exit", "_exits", "_function", "_left_from", "_order", "_targeted", "emitter", "is_open")

    def __init__(self, function: Function, tally: Tally, *, precise: bool) -> None:
        self._function = function
        entry = function.add_block("entry")
        self.emitter = Emitter(entry, tally, precise=precise)
        self.is_open = True
        #: The blocks that control reaches, in the order of the text.
        self._order = [entry]
        self._targeted: set[Block] = set()
        #: Where returns and discards lead, once there are any; how many, and the last block that ends so.
        self._exit: Block | None = None
        self._exits = 0
        self._left_from = entry

    def new_block(self, name: str) -> Block:
        """A block to jump to, and to `start` later."""
        return self._function.add_block(name)

    def start(self, block: Block) -> None:
        """Go on in `block`; unreachable code follows if nothing jumps there."""
        self.is_open = block in self._targeted
        if self.is_open:
            self.emitter.at_end_of(block)
            self._order.append(block)

    def jump(self, target: Block) -> None:
        """End the current block, if control gets here, with a jump."""
        if self.is_open:
            self.emitter.br(target)
            self._targeted.add(target)
            self.is_open = False

    def branch(self, condition: Value, if_true: Block, if_false: Block) -> None:
        """End the current block with a conditional branch."""
        self.emitter.condbr(condition, if_true, if_false)
        self._targeted.update((if_true, if_false))
        self.is_open = False

    def leave(self) -> None:
        """Leave the function."""
        self._left_from = self.emitter.block
        self.jump(self._exit_block())

    def leave_if(self, condition: Value) -> None:
        """Leave the function where the condition holds."""
        rest = self.new_block("alive")
        self.branch(condition, self._exit_block(), rest)
        self.start(rest)

    def start_exit(self) -> None:
        """Go on where all exits of the function meet; to be called once, at the end of the body.

        Where there is only one, the jump there is taken back and the code simply goes on.
        """
        if self._exit is None:
            return
        if self.is_open or self._exits > 1:
            self.jump(self._exit)
            self.start(self._exit)
            return
        assert self._left_from.terminator is not None
        self._left_from.terminator.erase()
        self.emitter.at_end_of(self._left_from)
        self.is_open = True

    def finish(self) -> None:
        """Return, and put the function's blocks in the order of the text."""
        self.emitter.ret()
        self._function.blocks = self._order
        self._function.renumber()

    def _exit_block(self) -> Block:
        """The target of one more exit."""
        if self._exit is None:
            self._exit = self.new_block("exit")
        self._exits += 1
        return self._exit
