"""What reaches blocks and what is live after them, against paths that are walked one by one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from random import Random

import pytest

from glslc_multi.compiler.codegen.machine import Def, MachineBlock, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.regalloc.liveness import Flow, Liveness, Numbering, _reach_fixed_point, bits
from glslc_multi.compiler.codegen.registers import RegisterFile
from tests.compiler.codegen.machine_programs import ADD, ANY


def _program(random: Random) -> MachineFunction:
    """Blocks of sums of a few registers; control goes on or anywhere."""
    function = MachineFunction("main")
    registers = [function.new_register(random.randint(1, 2), ANY) for _ in range(5)]
    blocks = [function.add_block(str(number)) for number in range(random.randint(2, 9))]
    for block in blocks:
        for _ in range(random.randrange(3)):
            target, *sources = random.choices(registers, k=3)
            block.append(MachineInstruction(ADD, [Def(target, (0,))], [Use(each, (0,)) for each in sources]))
        block.successors = random.sample(blocks[1:], min(random.randrange(3), len(blocks) - 1))
    return function


def _after(blocks: Iterable[MachineBlock], ending: Container[MachineBlock]) -> set[MachineBlock]:
    """The blocks that control comes to after some, by ways that stop where `ending` says."""
    found: set[MachineBlock] = set()
    pending = [successor for block in blocks for successor in block.successors]
    while pending:
        block = pending.pop()
        if block not in found:
            found.add(block)
            pending += [] if block in ending else block.successors
    return found


@pytest.mark.parametrize("seed", range(200))
def test_units_reach_and_live_where_some_path_says_so(seed: int) -> None:
    function = _program(Random(seed))
    numbering = Numbering(function)
    flow = Flow(function, numbering)
    for register in function.registers:
        (unit,) = numbering.units(Def(register, (0,)))
        writing = [b for b in function.blocks if any(register in (d.register for d in i.defs) for i in b.instructions)]
        reading = [b for b in function.blocks if _reads_first(b, register)]
        reached = _after(writing, ())
        assert {block for block in function.blocks if unit in bits(flow.reaching[block])} == reached
        ending = {*writing, *function.blocks} - (reached - {*writing})
        live = {b for b in function.blocks if _after([b], ending) & reached & {*reading}}
        assert {block for block in function.blocks if unit in bits(flow.live_out[block])} == live


@pytest.mark.parametrize("seed", range(200))
def test_ranges_are_the_points_between_writing_and_reading(seed: int) -> None:
    function = _program(Random(seed))
    found = Liveness(function, Numbering(function))
    for unit, points in enumerate(found.ranges):
        assert set(bits(points)) == {point for block in function.blocks for point in _live_points(found, block, unit)}


def _live_points(flow: Flow, block: MachineBlock, unit: int) -> set[int]:
    """The points of a block at which a unit is live, told one by one from its end on."""
    points: set[int] = set()
    is_live, is_reached = bool(flow.live_out[block] >> unit & 1), bool(flow.reaching[block] >> unit & 1)
    start, stop = flow.span(block)
    since: set[int] = set()
    for index in reversed(range(start, stop)):
        if unit in flow.writes[index]:
            points |= since | {2 * index + 1}
            since, is_live = set(), False
        elif is_live:
            since.add(2 * index + 1)
        is_live |= unit in flow.reads[index]
        if is_live:
            since.add(2 * index)
    return points | (since if is_reached else set())


def _reads_first(block: MachineBlock, register: object) -> bool:
    for instruction in block.instructions:
        if any(use.register is register for use in instruction.uses):
            return True
        if any(d.register is register for d in instruction.defs):
            return False
    return False


def test_blocks_in_a_row_are_visited_once() -> None:
    """Each of many diamonds adds something that all after it must hear of."""
    function = MachineFunction("main")
    rows = [[function.add_block(f"{number}{part}") for part in "habj"] for number in range(50)]
    for number, (head, one, other, join) in enumerate(rows):
        head.successors, one.successors, other.successors = [one, other], [join], [join]
        join.successors = [rows[number + 1][0]] if number + 1 < len(rows) else []
    heard: dict[MachineBlock, set[MachineBlock]] = {block: set() for block in function.blocks}
    visits = []

    def visit(block: MachineBlock) -> Iterator[MachineBlock]:
        visits.append(block)
        for successor in block.successors:
            news = {*heard[block], block} - heard[successor]
            if news:
                heard[successor] |= news
                yield successor

    _reach_fixed_point(function.blocks, visit)
    assert len(heard[rows[-1][-1]]) == 4 * len(rows) - 1
    assert len(visits) == len(function.blocks)


def test_one_number_is_missing_where_registers_are_no_neighbours() -> None:
    own, other = RegisterFile("a", 8), RegisterFile("b", 8)
    members = [own[0], own[1], own[3], own[2], other[3], other[4]]
    numbering = Numbering(MachineFunction("main"), members)
    assert numbering.registers == [own[0], own[1], None, own[3], None, own[2], None, other[3], other[4]]
    assert [numbering.number[member] for member in members] == [0, 1, 3, 5, 7, 8]
