"""An independent check of register allocation, by data flow: values are followed by name through the final code.

Translation validation (Pnueli, Siegel and Singerman, 1998) of an allocator, forwards, as in Huang, Childers and Soffa,
"Catching and identifying bugs in register allocation", 2006.

Goes in: the function before allocation (`snapshot`) and after it.  Comes out: what is wrong, in words; nothing
when every instruction reads, on every path, what it read before.  No code is shared with the allocator.

Original and final code are walked side by side.  An original instruction gives its results new contents, so that they
are nowhere any more; a copy is where its source is; an instruction that was added may only be a copy or compute
constants; one that is missing may only have done so.  Where paths meet, values stay where they are on all of them; a
value that a path has not written is anywhere, since no reader can care.  Blocks are walked until nothing
changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.check_names import (
    ANYTHING,
    EVERYWHERE,
    Knowledge,
    Name,
    Numbers,
    at_start,
    meet,
)
from glslc_multi.compiler.codegen.regalloc.check_operands import (
    Bank,
    Original,
    Step,
    added_step,
    faults_of,
    kept_step,
    original_step,
)
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.records import dataclass

#: From so many walks through a block on, what is known before it can only become less.
_PATIENCE = 16


@dataclass(slots=True)
class Snapshot:
    """A function as it was before allocation; instructions are recognised by identity."""

    blocks: dict[MachineBlock, list[Original]]
    live_out: dict[Register, tuple[int, ...]]


def snapshot(function: MachineFunction) -> Snapshot:
    """Remember `function` for `check_allocation`."""
    blocks = {block: [Original.of(instruction) for instruction in block.instructions] for block in function.blocks}
    return Snapshot(blocks, dict(function.live_out))


def check_allocation(before: Snapshot, after: MachineFunction, bank: Bank = lambda register: None) -> list[str]:
    """What is wrong with the allocation; `bank` is the target's, for sources that must be of different banks."""
    if list(before.blocks) != after.blocks:
        return ["the blocks are not the same ones in the same order"]
    faults = [fault for block, originals in before.blocks.items() for fault in _faults_of_block(block, originals, bank)]
    return faults or _Walk(before, after).run()


def _faults_of_block(block: MachineBlock, originals: list[Original], bank: Bank) -> Iterator[str]:
    """What is wrong with a block, whatever values are where.

    Original instructions must still be there, in order, unless all they did was to move or make values.
    """
    position = {id(instruction): index for index, instruction in enumerate(block.instructions)}
    last = -1
    for original in originals:
        index, op = position.get(id(original.instruction)), original.instruction.op
        if index is not None:
            if index < last:
                yield f"block {block.name} has its instructions in another order"
            last = index
            for fault in faults_of(original, bank):
                yield f"{fault}: {original.instruction!r}"
        elif op.effect or op.terminator or op.writes or op.clobbers:
            yield f"an instruction with an effect is missing in block {block.name}: {op.name}"


class _Walk:
    """The walk over all paths."""

    def __init__(self, before: Snapshot, after: MachineFunction) -> None:
        self.before = before
        self.after = after
        self.numbers = Numbers()
        self.steps = {block: self._steps(block, originals) for block, originals in before.blocks.items()}
        #: What must be in its own location at the end.
        self.results = [
            pair
            for register, lanes in before.live_out.items()
            for pair in zip(
                self.numbers.names(Use(register, lanes)), self.numbers.locations(Use(register, lanes)), strict=True
            )
        ]
        #: By block; the keys are in the order in which they were found.
        self.faults: dict[MachineBlock, dict[str, None]] = {}
        self.report: dict[str, None] = {}

    def _steps(self, block: MachineBlock, originals: list[Original]) -> list[Step]:
        """Both forms of a block side by side."""
        kept = {id(each.instruction) for each in originals}
        waiting = iter(originals)
        steps = []
        for instruction in block.instructions:
            if id(instruction) not in kept:
                steps.append(added_step(instruction, self.numbers))
                continue
            for original in waiting:
                if original.instruction is instruction:
                    steps.append(kept_step(original, self.numbers))
                    break
                steps.append(original_step(original, self.numbers))
        return steps + [original_step(original, self.numbers) for original in waiting]

    def run(self) -> list[str]:
        """Walk blocks until nothing more is learnt; the last walk through each says what is wrong in it.

        Blocks are walked in sweeps over the code: what goes back to a loop's head waits for the next sweep.  To finish
        inner loops first would walk them again for each change in one of the loops around them.
        """
        leaving: dict[MachineBlock, Knowledge] = {}
        predecessors = self.after.predecessors()
        number = {block: index for index, block in enumerate(self.after.blocks)}
        live = self._live_after() if len(number) > 1 else {}
        pending, later = {self.after.entry}, set[MachineBlock]()
        entering: dict[MachineBlock, Knowledge] = {}
        visits: Counter[MachineBlock] = Counter()
        while pending or later:
            if not pending:
                pending, later = later, pending
            block = min(pending, key=number.__getitem__)
            pending.remove(block)
            states = [leaving[predecessor] for predecessor in predecessors[block] if predecessor in leaving]
            if block is self.after.entry:
                states.append(at_start(self.numbers))
            visits[block] += 1
            if visits[block] > _PATIENCE:
                # Values that change locations in every round would be elsewhere for ever.
                states.append(entering[block])
            state = meet(states)
            if visits[block] >= _PATIENCE:
                entering[block] = meet([state])
            self.report = self.faults[block] = {}
            self._block(block, state)
            if block in live:
                state.drop([name for name in state.where if name not in live[block] and name > ANYTHING])
            if block not in leaving or not leaving[block].same(state):
                leaving[block] = state
                for successor in block.successors:
                    (pending if number[successor] > number[block] else later).add(successor)
        return [fault for faults in self.faults.values() for fault in faults]

    def _live_after(self) -> dict[MachineBlock, set[Name]]:
        """For each block the components that may be read after it; physical registers may always be.

        What is not read any more need not be followed around the loops that it is written in.
        """
        always = {name for name, _ in (*self.results, *self.numbers.constant_names())}
        local = {block: _exposed_and_written(steps) for block, steps in self.steps.items()}
        before: dict[MachineBlock, set[Name]] = {}
        after: dict[MachineBlock, set[Name]] = {}
        is_changing = True
        while is_changing:
            is_changing = False
            for block in reversed(self.after.blocks):
                exposed, written = local[block]
                after[block] = always.union(*(before.get(successor, ()) for successor in block.successors))
                entering = exposed | (after[block] - written)
                is_changing |= entering != before.get(block)
                before[block] = entering
        return after

    # instructions ----------------------------------------------------------------------------
    def _block(self, block: MachineBlock, state: Knowledge) -> None:
        for step in self.steps[block]:
            if step.original is None:
                self._added(step, state)
            elif step.is_kept:
                self._kept(step, state)
            else:
                self._original(step, state)
        if block.successors:
            return
        for name, location in self.results:
            if not state.locations(name) >> location & 1:
                text = self.numbers.text(name)
                self.report[f"{text} is not what it should be at the end of block {block.name}"] = None

    def _report(self, instruction: MachineInstruction, text: str) -> None:
        self.report[f"{text}: {instruction!r}"] = None

    def _added(self, step: Step, state: Knowledge) -> None:
        """A copy, or an instruction repeated: the location holds what the source does, or the expression."""
        if step.origins is not None:
            self._move(step, state)
            return
        expressions = self._expressions(step.instruction, step.instruction.uses, state, final=True)
        if not expressions:
            self._report(step.instruction, "the instruction was added, but is no copy and computes no constant")
        for location, expression in zip(step.locations, expressions, strict=False):
            state.put(location, [expression])

    def _move(self, step: Step, state: Knowledge) -> None:
        """Places get what others hold, all at once."""
        assert step.origins is not None
        held = [state.names(origin) for origin in step.origins]
        for location, names in zip(step.locations, held, strict=True):
            state.put(location, names)

    def _kept(self, step: Step, state: Knowledge) -> None:
        """An instruction of both codes."""
        where = state.where
        for name, location in step.reads:
            if not where.get(name, EVERYWHERE) >> location & 1:
                self._report(step.instruction, f"{self.numbers.text(name)} is not where it is read")
        follows = step.origins is not None and not step.instruction.conditional
        landing = [] if follows else self._landing(step, state)
        self._original(step, state)
        for name, location in step.writes:
            state.put(location, [name])
        for _, location in step.clobbers:
            state.put(location, ())
        if follows:
            self._move(step, state)
        for location, names in zip(step.locations, landing, strict=False):
            state.put(location, names)

    def _landing(self, step: Step, state: Knowledge) -> list[list[Name]]:
        """For each location written the results that it gets."""
        if step.landing is not None:
            landing = [list(names) for names in step.landing]
        else:
            landing = _landing_by_sources(step, state)
        if step.instruction.conditional:
            # Some lanes of the wave keep the old contents, which must be there.
            landing = [
                [name for name in names if state.locations(name) >> location & 1]
                for location, names in zip(step.locations, landing, strict=True)
            ]
        if step.moved is None:  # Lanes that move nothing may be gone; their values are followed through the original.
            written = set().union(*landing)
            for name in step.results:
                if name not in written:
                    self._report(step.instruction, f"{self.numbers.text(name)} is written nowhere")
        return landing

    def _original(self, step: Step, state: Knowledge) -> None:
        """What an instruction does to the original values: results are where what they are now was already."""
        assert step.original is not None
        values: list[tuple[int, Name | None]]
        if step.moved is not None:
            values = [(state.locations(name), state.constants.get(name)) for name in step.moved]
        else:
            expressions = self._expressions(step.instruction, step.original.uses, state, final=False)
            values = [(state.where.get(expression, 0), expression) for expression in expressions] or [(0, None)] * len(
                step.results
            )
        if step.instruction.conditional:
            # Some lanes of the wave keep the old value.
            olds = [state.locations(name) for name in step.results]
            values = [(locations & old, None) for (locations, _), old in zip(values, olds, strict=True)]
        for name, (locations, constant) in zip(step.results, values, strict=True):
            state.define(name, locations, constant)
        for lost in (step.writes, step.clobbers):
            for name, _ in lost:
                state.define(name, 0)

    # constants -------------------------------------------------------------------------------
    def _expressions(
        self, instruction: MachineInstruction, uses: list[Use], state: Knowledge, *, final: bool
    ) -> list[Name]:
        """For each lane of the result its value as something that can be compared, if all sources are constant."""
        op = instruction.op
        if instruction.conditional or op.effect or op.reads or len(instruction.defs) != 1:
            return []
        sources: list[_Constant] = []
        for use in uses:
            source = self._constant(use, state, final=final)
            if source is None:
                return []
            sources.append(source)
        size = 1 + sum(self.numbers.size.get(name, 0) for source in sources for name, _ in source)
        if size > _LARGEST_EXPRESSION:
            return []
        facts = (op.name, repr(sorted(instruction.attributes.items())))
        each = [op.result == "each" and mode == "each" for mode in op.sources] + [False] * len(sources)
        meanings = [
            tuple(
                source[lane] if alone else (tuple(source), lane if op.result != "replicate" else 0)
                for source, alone in zip(sources, each, strict=False)
            )
            for lane in range(len(instruction.defs[0].lanes))
        ]
        return [self.numbers.expression((facts, meaning), size) for meaning in meanings]

    def _constant(self, use: Use, state: Knowledge, *, final: bool) -> _Constant | None:
        """What each lane of a source reads, if that is the same everywhere in the program."""
        register = use.register
        if use.relative is not None:
            return None
        names: Sequence[Name | None]
        if not isinstance(register, VirtualRegister) and not (
            isinstance(register, Register) and register.file.writable
        ):
            names = self.numbers.names(use)
        elif final:
            names = [
                min((name for name in state.names(location) if name < 0), default=None)
                for location in self.numbers.locations(use)
            ]
        elif state.constants:
            names = [state.constants.get(name) for name in self.numbers.names(use)]
        else:
            return None
        expressions = [ANYTHING if lane is None else name for name, lane in zip(names, use.lanes, strict=True)]
        if None in expressions:
            return None
        modifiers = (use.negate, use.absolute, repr(use.extra))
        return [(name, modifiers) for name in expressions if name is not None]


#: For each lane of a source the value, and what is done to it.
_Constant = list[tuple[Name, tuple[bool, bool, str]]]
#: Operations of a constant that is followed by its value: no allocator repeats more of them.
_LARGEST_EXPRESSION = 64


def _landing_by_sources(step: Step, state: Knowledge) -> list[list[Name]]:
    """A location gets the results whose sources are all where the instruction reads them for it."""
    where, results = state.where, step.results
    landing: list[Iterable[int]] = [range(len(results))] * len(step.locations)
    for names, origins in step.together:
        held = [where.get(name, EVERYWHERE) for name in names]
        landing = [
            [lane for lane in lanes if held[lane] >> origin & 1] for lanes, origin in zip(landing, origins, strict=True)
        ]
    return [[results[lane] for lane in lanes] for lanes in landing]


def _exposed_and_written(steps: list[Step]) -> tuple[set[Name], set[Name]]:
    """The components that a block of the original code reads before it writes them, and those that it writes."""
    exposed: set[Name] = set()
    written: set[Name] = set()
    for step in steps:
        # Some lanes of the wave keep what was there.
        reads = step.sources if not step.instruction.conditional else [*step.sources, step.results]
        for names in reads:
            exposed.update([name for name in names if name not in written])
        written.update(step.results)
    return exposed, written
