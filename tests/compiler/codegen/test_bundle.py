"""Bundling: the words compute what the instructions did, and keep the machine's rules on all paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from glslc_multi.compiler.codegen.bundle import BundleModel, BundleStatistics, bundle
from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Slot,
    Use,
)
from tests.compiler.codegen.machine_programs import ADD, DOT, FLAGS, MOV, SEND, R, V, sent, straight_line

JUMP = MachineOp("jump", "none", terminator=True)
BRANCH = MachineOp("branch", "none", terminator=True, reads=(FLAGS[0],))
#: A move on the second unit; it computes the same.
MOVE_2 = MachineOp("mov", "each", ("each",), copy=True)
NOP = MachineOp("nop", "none")
UNIT_2 = (MOVE_2, JUMP, BRANCH)
DELAYS = {JUMP: 2, BRANCH: 1}


class Toy(BundleModel):
    """Two units: one for everything, one for moves, jumps and branches.  Results are late by a word, a dot product
    hinders the next three, sends do not come first.  Branches have a delay slot and jumps two, without sends."""

    reach = 4

    def nop(self) -> MachineInstruction:
        return MachineInstruction(NOP)

    def latency(self, producer: MachineInstruction, consumer: MachineInstruction) -> int:
        return 2

    def pair(self, slot: Slot, instruction: MachineInstruction) -> Slot | None:
        if len(slot) > 1 or slot[0].op in UNIT_2:
            return None
        if instruction.op in (JUMP, BRANCH):
            return (*slot, instruction)
        if instruction.op is not MOV:
            return None
        return (*slot, MachineInstruction(MOVE_2, instruction.defs, instruction.uses))

    def ready(self, instruction: MachineInstruction, issued: Sequence[Slot]) -> int:
        wait = 0
        if instruction.op is SEND:
            wait = 2 - len(issued)
        for distance, slot in enumerate(reversed(issued), 1):
            if instruction.op is DOT and any(made.op is DOT for made in slot):
                wait = max(wait, 4 - distance)
        read = {use.register for use in instruction.uses}
        if issued and any(d.register in read for made in issued[-1] for d in made.defs):
            wait = max(wait, 1)
        if issued and instruction.op is BRANCH and any(made.op.writes for made in issued[-1]):
            wait = max(wait, 1)
        return max(wait, 0)

    def reason(self, instruction: MachineInstruction, issued: Sequence[Slot]) -> str:
        return instruction.op.name

    def delay(self, terminator: MachineInstruction) -> int:
        return DELAYS[terminator.op]

    def may_delay(self, terminator: MachineInstruction, slot: Slot) -> bool:
        return not any(made.op is SEND for made in slot)


def is_dot(words: Sequence[Slot]) -> bool:
    return any(made.op is DOT for slot in words for made in slot)


def breach(words: Sequence[Slot]) -> str:
    """What rule of the toy a sequence of words breaks that ran from the program's start."""
    for place, slot in enumerate(words):
        if len(slot) > 2 or (len(slot) == 2 and slot[1].op not in UNIT_2):
            return f"word {place} has two instructions of one unit"
        for made in slot:
            if made.op is BRANCH and place and any(other.op.writes for other in words[place - 1]):
                return f"word {place} asks too early"
            if made.op is SEND and place < 2:
                return f"word {place} sends"
            if made.op is DOT and is_dot(words[max(0, place - 3) : place]):
                return f"word {place} multiplies too early"
            before = [d.register for other in words[place - 1] for d in other.defs] if place else []
            if any(use.register in before for use in made.uses):
                return f"word {place} reads too early"
    return ""


def delayed_sends(slots: Sequence[Slot]) -> bool:
    """Whether sends stand in delay slots."""
    return any(
        made.op is SEND
        for place, slot in enumerate(slots)
        for terminator in slot
        if terminator.op.terminator
        for delayed in slots[place + 1 : place + 1 + DELAYS[terminator.op]]
        for made in delayed
    )


def program(random: Random, blocks: int) -> MachineFunction:
    """Straight lines joined by branches, of which some go back."""
    function = MachineFunction("main")
    made = [function.add_block(f"b{number}") for number in range(blocks)]
    for number, block in enumerate(made):
        length = random.choice((0, 1, 3, 12))
        # What straight lines send at the end would keep the neighbours of a branch apart.
        block.instructions = straight_line(random, length, physical=True).entry.instructions[:length]
        if number == blocks - 1:
            continue
        following = made[number + 1]
        if random.random() < 0.6:
            target = random.choice(made[1:])
            block.successors = [target, following]
            block.append(MachineInstruction(BRANCH, targets=[target]))
        else:
            block.successors = [following]
        if random.random() < 0.5:
            block.append(MachineInstruction(JUMP, targets=[following]))
    return function


def path_of(random: Random, function: MachineFunction) -> list[MachineBlock]:
    path = [function.entry]
    while path[-1].successors and len(path) < 12:
        path.append(random.choice(path[-1].successors))
    return path


def words_on(path: Sequence[MachineBlock]) -> Iterator[Slot]:
    """The words that run on a path; terminators to other blocks are not taken."""
    for block, following in zip(path, [*path[1:], None], strict=True):
        assert block.slots is not None
        left = len(block.slots)
        for slot in block.slots:
            if left <= 0:
                break
            left -= 1
            yield slot
            leaving = [made.op for made in slot if following is not None and following in made.targets]
            if leaving:
                left = DELAYS[leaving[0]]


@pytest.mark.parametrize("blocks", [1, 2, 6])
def test_words_do_what_the_instructions_did_within_the_rules(blocks: int) -> None:
    for seed in range(40):
        random = Random(seed)
        function = program(random, blocks)
        before = {block: list(block.instructions) for block in function.blocks}
        statistics = bundle(function, Toy())
        assert statistics.words == sum(len(block.slots or ()) for block in function.blocks)
        assert not any(delayed_sends(block.slots or []) for block in function.blocks)
        for _ in range(12):
            path = path_of(random, function)
            names: dict[object, int] = {}
            words = list(words_on(path))
            assert not breach(words), f"seed {seed}"
            expected = sent([(made,) for block in path for made in before[block]], names)
            assert sent(words, names) == expected, f"seed {seed}"


def test_every_block_has_its_instructions_as_slots() -> None:
    function = program(Random(2), 5)
    bundle(function, Toy())
    for block in function.blocks:
        assert [made for slot in block.slots or () for made in slot] == block.instructions


def _bundled(*instructions: MachineInstruction) -> tuple[list[str], BundleStatistics]:
    function = MachineFunction("main")
    block = function.add_block("entry")
    for instruction in instructions:
        block.append(instruction)
    statistics = bundle(function, Toy())
    return ["|".join(made.op.name for made in slot) for slot in block.slots or ()], statistics


def _op(op: MachineOp, target: int, *sources: int) -> MachineInstruction:
    return MachineInstruction(op, [Def(R[target])], [Use(R[source]) for source in sources])


def test_words_before_delay_slots_hinder_what_a_loop_starts_with() -> None:
    function = MachineFunction("main")
    entry, loop, end = (function.add_block(name) for name in ("entry", "loop", "end"))
    entry.successors, loop.successors = [loop], [loop, end]
    loop.instructions = [_op(ADD, 0, 1, 1), _dot(1), _op(ADD, 2, 3, 3), MachineInstruction(BRANCH, targets=[loop])]
    statistics = bundle(function, Toy())
    assert [made.op.name for made in loop.instructions] == ["nop", "add", "dot", "branch", "add"]
    assert statistics.nops == {"hazard over a branch": 1}


def _dot(target: int) -> MachineInstruction:
    return MachineInstruction(DOT, [Def(R[target])], [Use(V[0], (0, 1, 2)), Use(V[1], (0, 1, 2))])


def test_independent_instructions_share_a_word() -> None:
    words, statistics = _bundled(_op(ADD, 0, 1, 1), _op(MOV, 2, 3))
    assert words == ["add|mov"]
    assert (statistics.words, statistics.instructions, statistics.nops) == (1, 2, {})


def test_a_word_reads_before_it_writes() -> None:
    words, _ = _bundled(_op(ADD, 0, 1, 1), _op(MOV, 1, 2))
    assert words == ["add|mov"]


def test_latencies_are_filled_with_what_is_independent_and_with_nops() -> None:
    words, statistics = _bundled(_op(ADD, 0, 1, 1), _op(ADD, 2, 0, 0), _op(ADD, 3, 4, 4))
    assert words == ["add", "add", "add"]
    words, statistics = _bundled(_op(ADD, 0, 1, 1), _op(ADD, 2, 0, 0))
    assert words == ["add", "nop", "add"]
    assert statistics.nops == {"add": 1}


@pytest.mark.parametrize("most", [0, 4, 7, 12])
def test_no_instruction_passes_more_than_the_machine_says(most: int) -> None:
    """A move after a chain of ten shares a word with one of the chain, as early as it may."""
    function = MachineFunction("main")
    block = function.add_block("entry")
    for instruction in [*(_op(ADD, 0, 0, 1) for _ in range(10)), _op(MOV, 2, 3)]:
        block.append(instruction)
    model = Toy()
    model.most_passed = most
    bundle(function, model)
    (shared,) = [place for place, slot in enumerate(block.slots or ()) if len(slot) == 2]
    later = [made for slot in (block.slots or ())[shared + 1 :] for made in slot if made.op is ADD]
    assert len(later) == min(most, 9)


def test_delay_slots_take_the_last_words() -> None:
    body = [_op(ADD, number, 7, 7) for number in range(3)]
    assert _bundled(*body, MachineInstruction(BRANCH))[0] == ["add", "add|branch", "add"]


def test_what_a_branch_asks_for_stays_in_front() -> None:
    compare = MachineInstruction(ADD, [Def(FLAGS[0])], [Use(V[0]), Use(V[1])])
    words, statistics = _bundled(_op(ADD, 0, 7, 7), compare, MachineInstruction(BRANCH))
    assert words == ["add", "add", "branch", "nop"]
    assert statistics.nops == {"delay slot": 1}


def test_what_overwrites_an_operand_of_others_stays_after_them() -> None:
    jump = MachineInstruction(MachineOp("jump and link", "each", (), terminator=True), [Def(R[7])])

    class Delayed(Toy):
        def delay(self, terminator: MachineInstruction) -> int:
            return 2

    function = MachineFunction("main")
    function.add_block("entry").instructions = [_op(ADD, 0, 7, 7), _op(ADD, 1, 7, 7), jump]
    bundle(function, Delayed())
    assert [made.op.name for made in function.entry.instructions] == ["add", "add", "jump and link", "nop", "nop"]


def test_what_takes_effect_late_lets_readers_run_in_its_delay_slots() -> None:
    switch = MachineInstruction(MachineOp("switch", "none", terminator=True, clobbers=(R[7], R[0])))

    class Late(Toy):
        def delay(self, terminator: MachineInstruction) -> int:
            return 2

        def anti(self, reader: MachineInstruction, writer: MachineInstruction) -> int:
            return -2 if writer is switch else 0

    function = MachineFunction("main")
    body = [_op(ADD, number, 7, 7) for number in range(4)]
    function.add_block("entry").instructions = [*body, switch]
    bundle(function, Late())
    # The first result is lost if it is not written before.
    assert [made.op.name for made in function.entry.instructions] == ["add", "add", "switch", "add", "add"]
    assert function.entry.instructions[0] is body[0]


def test_instructions_of_one_class_keep_the_distance_that_the_machine_says() -> None:
    class Slow(Toy):
        def order_distance(self, first: MachineInstruction, second: MachineInstruction) -> int:
            return 3

    function = MachineFunction("main")
    sends = [MachineInstruction(SEND, (), [Use(V[0])]) for _ in range(2)]
    function.add_block("entry").instructions = [_op(ADD, 0, 1, 1), _op(ADD, 2, 1, 1), *sends]
    assert bundle(function, Slow()).nops == {"send": 2}
    assert [made.op.name for made in function.entry.instructions] == ["add", "add", "send", "nop", "nop", "send"]


def test_a_jump_shares_the_word_before_its_delay_slots() -> None:
    body = [_op(ADD, number, 7, 7) for number in range(3)]
    assert _bundled(*body, MachineInstruction(JUMP))[0] == ["add|jump", "add", "add"]


def test_an_instruction_that_never_is_ready_is_an_error() -> None:
    class Broken(Toy):
        def ready(self, instruction: MachineInstruction, issued: Sequence[Slot]) -> int:
            return 1

    function = MachineFunction("main")
    function.add_block("entry").append(_op(ADD, 0, 1, 1))
    with pytest.raises(RuntimeError, match="never becomes ready"):
        bundle(function, Broken())


def test_a_machine_without_pairs_and_hazards_keeps_the_order() -> None:
    function = straight_line(Random(1), 30, physical=True)
    before = list(function.entry.instructions)

    class Plain(BundleModel):
        def priority(self, instruction: MachineInstruction, height: int) -> tuple[float, ...]:
            return ()

    bundle(function, Plain())
    assert function.entry.slots == [(made,) for made in before]
