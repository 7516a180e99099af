"""An independent check of register allocation: values are followed by name through the final code.

Goes in: the function before allocation (`snapshot`) and after it.  Comes out: what is wrong, in words; nothing
when every instruction reads, on every path, what it read before.  No code is shared with the allocator.

Original and final code are walked side by side.  An original instruction gives its results new contents, so their
names leave all places; a copy gives a value one name more; an instruction that was added may only be a copy or compute
constants; one that is missing may only have done so.  Where paths meet, names on all of them stay; a name
that a path has not written fits any place there, since no reader can care.  Blocks are walked until nothing changes.
"""

from __future__ import annotations

from collections import Counter

from compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, Use, VirtualRegister
from compiler.codegen.regalloc.check_names import Component, Expression, Knowledge, Name, Names, Where, meet
from compiler.codegen.regalloc.check_operands import Bank, OperandCheck, Original, components
from compiler.codegen.registers import Register
from compiler.records import dataclass

#: From so many walks through a block on, what is known in front of it can only become less.
_PATIENCE = 16


@dataclass(slots=True)
class Snapshot:
    """A function as it was before allocation; instructions are recognised by identity."""

    blocks: dict[MachineBlock, list[Original]]
    live_out: dict[Register, tuple[int, ...]]


def snapshot(function: MachineFunction) -> Snapshot:
    """Remember `function` for `check_allocation`."""
    blocks = {block: [Original.of(each) for each in block.instructions] for block in function.blocks}
    return Snapshot(blocks, dict(function.live_out))


def check_allocation(before: Snapshot, after: MachineFunction, bank: Bank = lambda register: None) -> list[str]:
    """What is wrong with the allocation; `bank` is the target's, for sources that must be of different banks."""
    return _Checker(before, after, bank).run()


class _Checker:
    """The walk over all paths."""

    def __init__(self, before: Snapshot, after: MachineFunction, bank: Bank) -> None:
        self.before = before
        self.after = after
        self.bank = bank
        self.originals = {id(each.instruction): each for block in before.blocks.values() for each in block}
        #: By block; the keys are in the order in which they were found.
        self.faults: dict[MachineBlock, dict[str, None]] = {}
        self.report: dict[str, None] = {}

    def run(self) -> list[str]:
        if list(self.before.blocks) != self.after.blocks:
            return ["the blocks are not the same ones in the same order"]
        faults = [
            fault for block, originals in self.before.blocks.items() for fault in self._sequence(block, originals)
        ]
        if faults:
            return faults
        self._solve()
        return [fault for faults in self.faults.values() for fault in faults]

    def _sequence(self, block: MachineBlock, originals: list[Original]) -> list[str]:
        """Original instructions must still be there, in order, unless all they did was to move or make values."""
        place = {id(instruction): index for index, instruction in enumerate(block.instructions)}
        kept = [place[id(each.instruction)] for each in originals if id(each.instruction) in place]
        faults = []
        if kept != sorted(kept):
            faults.append(f"block {block.name} has its instructions in another order")
        for each in originals:
            op = each.instruction.op
            if id(each.instruction) not in place and (op.effect or op.terminator or op.writes or op.clobbers):
                faults.append(f"an instruction with an effect is missing in block {block.name}: {op.name}")
        return faults

    def _solve(self) -> None:
        """Walk blocks until nothing more is learnt; the last walk through each says what is wrong in it."""
        leaving: dict[MachineBlock, Knowledge] = {}
        predecessors = self.after.predecessors()
        number = {block: index for index, block in enumerate(self.after.blocks)}
        local = _local_names(self.before)
        pending = {self.after.entry}
        entering: dict[MachineBlock, Knowledge] = {}
        visits: Counter[MachineBlock] = Counter()
        while pending:
            block = min(pending, key=number.__getitem__)
            pending.remove(block)
            known = [leaving[each] for each in predecessors[block] if each in leaving]
            if block is self.after.entry:
                known.append(Knowledge({}, set()))
            visits[block] += 1
            if visits[block] > _PATIENCE:
                # Values that change places in every round would have other names for ever.
                known.append(entering[block])
            if visits[block] >= _PATIENCE:
                entering[block] = meet(known)
            state = meet(known)
            self.faults[block] = {}
            self._block(block, state)
            state.drop(local[block])
            if block not in leaving or not leaving[block].same(state):
                leaving[block] = state
                pending.update(block.successors)

    # blocks ----------------------------------------------------------------------------------
    def _block(self, block: MachineBlock, state: Knowledge) -> None:
        """Follow a block in both forms, side by side."""
        self.report = self.faults[block]
        waiting = iter(self.before.blocks[block])
        for instruction in block.instructions:
            if id(instruction) not in self.originals:
                self._added(instruction, state)
                continue
            for original in waiting:
                if original.instruction is instruction:
                    self._kept(original, state)
                    break
                self._original(original, state)
        for original in waiting:
            self._original(original, state)
        if block.successors:
            return
        for register, lanes in self.before.live_out.items():
            for lane in lanes:
                if not state.holds((register, lane), (register, lane)):
                    self.report[f"{register}.{lane} is not what it should be at the end of block {block.name}"] = None

    def _report(self, instruction: MachineInstruction, text: str) -> None:
        self.report[f"{text}: {instruction!r}"] = None

    def _added(self, instruction: MachineInstruction, state: Knowledge) -> None:
        """A copy, or an instruction repeated: the location holds what the source does, or the expression."""
        made = Original.of(instruction)
        locations = components(made.defs)
        if made.is_move:
            names = [state.names((True, source)) for source in components(made.uses)]
        else:
            expressions = _expressions(made, True, state)
            if not expressions:
                self._report(instruction, "the instruction was added, but is no copy and computes no constant")
                return
            names = [frozenset([expression]) for expression in expressions]
        for location, held in zip(locations, names, strict=True):
            state.put((True, location), held)

    def _kept(self, original: Original, state: Knowledge) -> None:
        """An instruction of both codes."""
        check = OperandCheck(original, state, lambda text: self._report(original.instruction, text))
        check.sources()
        check.registers(self.bank)
        results = check.results()
        self._original(original, state)
        op = original.instruction.op
        for register in (*op.writes, *op.clobbers):
            for lane in range(register.components):
                kept = [(register, lane)] if register in op.writes else []
                state.put((True, (register, lane)), kept)
        for location, names in results.items():
            held: Names = frozenset(names)
            if not original.instruction.conditional:
                held = held.union(*(state.names((False, name)) for name in names))
            state.put((True, location), held)

    def _original(self, original: Original, state: Knowledge) -> None:
        """What an instruction does to the original registers; other places can only get names for the same value."""
        conditional = original.instruction.conditional
        values = self._values(original, state)
        same = {name: self._places_of(name, value, conditional, state) for name, value in values.items()}
        undefined = self._undefined_results(original, state)
        if conditional:
            # In the lanes of the wave that get something undefined, what was there before will do as well.
            same.update((name, [(True, location) for location in state.locations_of(name)]) for name in undefined)
            undefined = [name for name in undefined if state.undefined(name)]
        implicit = original.implicitly_written()
        written = [*values, *implicit]
        for name in written:
            state.forget(name)
        state.written.update(values)
        state.written.difference_update(undefined)
        for name, value in values.items():
            others: Names = frozenset() if conditional else value.difference(written)
            state.put((False, name), others | {name})
        for name, places in same.items():
            state.add(places, name)
        for name in implicit:
            state.put((False, name), [name])

    def _places_of(self, name: Component, value: Names, conditional: bool, state: Knowledge) -> list[Where]:
        """The places that already hold what a component is about to hold."""
        places = state.places_of(value)
        if conditional and not state.undefined(name):
            return [where for where in places if name in state.names(where)]
        return places

    def _undefined_results(self, original: Original, state: Knowledge) -> list[Component]:
        """Results of a copy of something that nobody wrote."""
        if not original.is_move:
            return []
        source = original.uses[0]
        pairs = zip(components(original.defs), source.lanes, strict=True)
        return [name for name, lane in pairs if lane is None or state.undefined((source.register, lane))]

    def _values(self, original: Original, state: Knowledge) -> dict[Component, Names]:
        """For each result what its value was known as before: as the source of a copy, or as an expression."""
        results = components(original.defs)
        if original.is_move:
            sources = [(original.uses[0].register, lane) for lane in original.uses[0].lanes]
            known = [
                frozenset[Name]() if lane is None else state.names((False, (register, lane)))
                for register, lane in sources
            ]
            return dict(zip(results, known, strict=True))
        expressions = _expressions(original, False, state)
        if expressions:
            return {name: frozenset([each]) for name, each in zip(results, expressions, strict=True)}
        return dict.fromkeys(results, frozenset())


def _local_names(before: Snapshot) -> dict[MachineBlock, set[Component]]:
    """For each block the components of virtual registers that it writes before it reads them, and no other names."""
    homes: dict[Component, set[MachineBlock]] = {}
    exposed: set[Component] = set()
    for block, originals in before.blocks.items():
        written: set[Component] = set()
        for original in originals:
            results = components(original.defs)
            reads = [name for was, _, _ in original.pairs() for name in components([was])]
            exposed.update(name for name in reads if name not in written)
            if original.instruction.conditional:
                exposed.update(name for name in results if name not in written)
            written.update(results)
            for name in (*reads, *results):
                homes.setdefault(name, set()).add(block)
    local: dict[MachineBlock, set[Component]] = {block: set() for block in before.blocks}
    for name, blocks in homes.items():
        if len(blocks) == 1 and name not in exposed and isinstance(name[0], VirtualRegister):
            local[next(iter(blocks))].add(name)
    return local


#: Operations of a constant that is followed by its value: no allocator repeats more of them.
_LARGEST_EXPRESSION = 64


def _expressions(original: Original, final: bool, state: Knowledge) -> list[Name]:
    """For each lane of the result its value as something that can be compared, if all sources are constant."""
    instruction = original.instruction
    if instruction.conditional or instruction.op.effect or len(original.defs) != 1:
        return []
    sources = [_constant(use, final, state) for use in original.uses]
    if None in sources:
        return []
    size = 1 + sum(_size(name) for source in sources for name in source or ())
    if size > _LARGEST_EXPRESSION:
        return []
    facts = (instruction.op.name, repr(sorted(instruction.attributes.items())))
    results = []
    for lane in range(len(original.defs[0].lanes)):
        lanes = [_for_lane(original, number, lane, source) for number, source in enumerate(sources)]
        results.append(Expression(facts, tuple(lanes), size))
    return list(results)


def _size(name: Name) -> int:
    """The operations in what a lane of a source reads: a value with its modifiers."""
    value = name[0] if isinstance(name, tuple) else name
    return value.size if isinstance(value, Expression) else 0


def _constant(use: Use, final: bool, state: Knowledge) -> tuple[Name, ...] | None:
    """What each lane of a source reads, if that is the same everywhere in the program."""
    register = use.register
    if use.relative is not None:
        return None
    modifiers = (use.negate, use.absolute, repr(use.extra))
    if isinstance(register, Register | VirtualRegister) and not (
        isinstance(register, Register) and not register.file.writable
    ):
        held = [state.names((final, (register, lane))) for lane in use.lanes if lane is not None]
        known = [sorted((name for name in names if isinstance(name, Expression)), key=repr) for names in held]
        return tuple((each[0], modifiers) for each in known) if all(known) else None
    return tuple((register, lane, modifiers) for lane in use.lanes)


def _for_lane(original: Original, number: int, lane: int, source: tuple[Name, ...] | None) -> Name:
    """What one lane of the result depends on in a source."""
    op = original.instruction.op
    if source is not None and op.result == "each" and number < len(op.sources) and op.sources[number] == "each":
        return source[lane] if lane < len(source) else None
    return source, lane if op.result != "replicate" else 0
