"""Scheduling: the same results, in fewer registers."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.analysis.budget import COPY, budgeted, spend
from glslc_multi.compiler.codegen import schedule as schedule_module
from glslc_multi.compiler.codegen.dag import OrderModel, build_dag
from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.schedule import ScheduleModel, schedule
from tests.compiler.codegen.machine_programs import ADD, ANY, CMP, MOV, SELECT, SEND, V, sent, straight_line
from tests.compiler.codegen.regalloc.machine import Programs, Shape
from tests.work import count_calls

END = MachineOp("end", "none", effect=True, terminator=True)


def _edges(instructions: list[MachineInstruction]) -> set[tuple[int, int, int]]:
    dag = build_dag(instructions, OrderModel())
    return {
        (first, second, distance)
        for first, following in enumerate(dag.successors)
        for second, distance in following.items()
    }


def _move(target: VirtualRegister, lanes: tuple[int, ...], conditional: bool = False) -> MachineInstruction:
    op = SELECT if conditional else MOV
    return MachineInstruction(op, [Def(target, lanes)], [Use(V[0], lanes)], conditional=conditional)


def _send(source: VirtualRegister, lanes: tuple[int, ...]) -> MachineInstruction:
    return MachineInstruction(SEND, (), [Use(source, lanes)])


def test_components_depend_on_each_other_alone() -> None:
    function = MachineFunction("main")
    value = function.new_register(4, ANY)
    x, y = _move(value, (0,)), _move(value, (1,))
    read_x = MachineInstruction(MOV, [Def(function.new_register(1, ANY))], [Use(value, (0,))])
    assert _edges([x, y, read_x]) == {(0, 2, 1)}
    assert _edges([x, read_x, _move(value, (0, 2))]) == {(0, 1, 1), (1, 2, 0), (0, 2, 1)}


def test_a_conditional_write_keeps_earlier_ones() -> None:
    function = MachineFunction("main")
    value = function.new_register(1, ANY)
    first, second = _move(value, (0,)), _move(value, (0,), conditional=True)
    assert _edges([first, second, _send(value, (0,))]) == {(0, 1, 1), (0, 2, 1), (1, 2, 1)}


def test_flags_are_read_before_they_change() -> None:
    function = MachineFunction("main")
    values = [function.new_register(1, ANY) for _ in range(2)]
    compare = [MachineInstruction(CMP, (), [Use(V[0], (0,)), Use(V[0], (1,))]) for _ in range(2)]
    choose = [MachineInstruction(SELECT, [Def(value)], [Use(V[0], (0,))]) for value in values]
    edges = _edges([compare[0], choose[0], compare[1], choose[1]])
    assert edges == {(0, 1, 1), (1, 2, 0), (0, 2, 1), (2, 3, 1)}


def test_effects_stay_in_order() -> None:
    sends = [MachineInstruction(SEND, (), [Use(V[0], (0,))]) for _ in range(3)]
    assert _edges(sends) == {(0, 1, 1), (1, 2, 1)}


def test_the_graph_allows_no_order_that_computes_something_else() -> None:
    for seed in range(60):
        random = Random(seed)
        block = straight_line(random, 40, physical=seed % 2 == 0).entry
        dag = build_dag(block.instructions, OrderModel())
        waiting = [len(before) for before in dag.predecessors]
        ready = [number for number, count in enumerate(waiting) if not count]
        order: list[int] = []
        while ready:
            number = ready.pop(random.randrange(len(ready)))
            order.append(number)
            for later in dag.successors[number]:
                waiting[later] -= 1
                if not waiting[later]:
                    ready.append(later)
        names: dict[object, int] = {}
        shuffled = sent([(block.instructions[number],) for number in order], names)
        assert shuffled == sent([(made,) for made in block.instructions], names)


def _pressure(function: MachineFunction) -> int:
    """The most components of virtual registers that hold something between two instructions, by definition:
    what is read later, and what the instruction in front wrote, read or not."""
    instructions = function.entry.instructions
    most = 0
    for place in range(len(instructions) + 1):
        live = 0
        for register in function.registers:
            for lane in range(register.width):
                live += _is_live(instructions, place, register, lane)
        most = max(most, live)
    return most


def _is_live(instructions: list[MachineInstruction], place: int, register: VirtualRegister, lane: int) -> bool:
    def writes(made: MachineInstruction) -> bool:
        return any(d.register is register and lane in d.lanes for d in made.defs)

    def reads(made: MachineInstruction) -> bool:
        kept = made.conditional and writes(made)
        return kept or any(u.register is register and lane in u.lanes for u in made.all_uses())

    if place and writes(instructions[place - 1]):
        return True
    following = next((made for made in instructions[place:] if reads(made) or writes(made)), None)
    return following is not None and reads(following) and any(writes(made) for made in instructions[:place])


def test_orders_compute_the_same_in_no_more_registers() -> None:
    better = 0
    for seed in range(30):
        function = straight_line(Random(seed), 40)
        before, need = list(function.entry.instructions), _pressure(function)
        told = schedule(function, ScheduleModel(limit=4, tries=seed % 3))
        after = function.entry.instructions
        assert sorted(map(id, before)) == sorted(map(id, after))
        names: dict[object, int] = {}
        assert sent([(made,) for made in after], names) == sent([(made,) for made in before], names)
        assert _pressure(function) == told <= need
        better += _pressure(function) < need
    assert better > 15


@pytest.mark.parametrize("shape", [Shape(1, 25, 8), Shape(7, 8, 9)], ids=repr)
def test_no_block_needs_more_than_the_bound(shape: Shape, monkeypatch: pytest.MonkeyPatch) -> None:
    """What spares most programs the analysis of live registers: with that, too, their order stays."""
    bound_of = schedule_module._most_weight
    monkeypatch.setattr(schedule_module, "_most_weight", lambda function, model: model.limit + 1)
    changed = 0
    for seed in range(60):
        function = Programs(seed, shape).make()
        before = [list(block.instructions) for block in function.blocks]
        bound = bound_of(function, ScheduleModel(0))
        schedule(function, ScheduleModel(bound))
        assert [block.instructions for block in function.blocks] == before
        schedule(function, ScheduleModel(bound // 2))
        changed += [block.instructions for block in function.blocks] != before
    assert changed > 5


def test_values_live_around_the_whole_of_a_loop() -> None:
    """What is read at the beginning of a loop is needed at its end, too, although nothing names it there."""
    function = MachineFunction("main")
    entry, loop, end = (function.add_block(name) for name in ("entry", "loop", "end"))
    entry.successors, loop.successors = [loop], [loop, end]
    for _ in range(2):
        outer = function.new_register(4, ANY)
        entry.append(_move(outer, (0, 1, 2, 3)))
        loop.append(_send(outer, (0, 1, 2, 3)))
    products = [function.new_register(1, ANY) for _ in range(8)]
    for product in products:
        loop.append(_move(product, (0,)))
    for product in products:
        loop.append(MachineInstruction(MOV, [Def(function.new_register(1, ANY))], [Use(product)]))
    before = list(loop.instructions)
    schedule(function, ScheduleModel(limit=13))
    assert loop.instructions != before


def test_a_sum_of_many_products_runs_one_by_one() -> None:
    """Sixteen values computed first and added then need sixteen registers; added at once, two."""
    function = MachineFunction("main")
    block = function.add_block("entry")
    values = [function.new_register(1, ANY) for _ in range(16)]
    for value in values:
        block.append(MachineInstruction(MOV, [Def(value)], [Use(V[0])]))
    total = values[0]
    for value in values[1:]:
        following = function.new_register(1, ANY)
        block.append(MachineInstruction(ADD, [Def(following)], [Use(total), Use(value)]))
        total = following
    block.append(_send(total, (0,)))
    block.append(MachineInstruction(END))
    assert _pressure(function) == 16
    schedule(function, ScheduleModel(limit=8))
    assert _pressure(function) == 2
    assert block.instructions[-1].op is END


def test_a_balanced_tree_needs_its_height() -> None:
    """Computed level by level, 32 leaves need 32 registers; by Sethi and Ullman, one more than the height."""
    function = MachineFunction("main")
    block = function.add_block("entry")
    level = [function.new_register(1, ANY) for _ in range(32)]
    for value in level:
        block.append(MachineInstruction(MOV, [Def(value)], [Use(V[0])]))
    while len(level) > 1:
        sums = [function.new_register(1, ANY) for _ in level[::2]]
        for target, one, other in zip(sums, level[::2], level[1::2], strict=True):
            block.append(MachineInstruction(ADD, [Def(target)], [Use(one), Use(other)]))
        level = sums
    block.append(_send(level[0], (0,)))
    schedule(function, ScheduleModel(limit=8))
    assert _pressure(function) == 6


def test_what_fits_stays_as_it_is() -> None:
    function = straight_line(Random(3), 40)
    before = list(function.entry.instructions)
    schedule(function, ScheduleModel(limit=1000))
    assert function.entry.instructions == before


def _products(count: int) -> MachineFunction:
    """Instructions that all read one value and wait for nothing else."""
    function = MachineFunction("main")
    block = function.add_block("entry")
    shared = function.new_register(4, ANY)
    block.append(MachineInstruction(MOV, [Def(shared, (0, 1, 2, 3))], [Use(V[0], (0, 1, 2, 3))]))
    for _ in range(count):
        uses = [Use(shared, (0, 1, 2, 3)), Use(shared, (3, 2, 1, 0))]
        block.append(MachineInstruction(ADD, [Def(function.new_register(4, ANY), (0, 1, 2, 3))], uses))
    return function


def test_work_grows_with_the_block_where_all_read_one_value() -> None:
    """Only who becomes live, or no longer is, changes what an instruction costs its registers."""

    def work(count: int) -> int:
        function = _products(count)
        return count_calls(lambda: schedule(function, ScheduleModel(limit=0)))

    work(8)
    assert work(400) < 6 * work(100)


def test_random_orders_come_out_of_the_budget() -> None:
    """They are tried as long as there is work for them; the usual ones are tried in any case."""
    function = _products(200)
    with budgeted():
        schedule(function, ScheduleModel(limit=0, tries=10_000))
        assert not spend(COPY * 201)
        schedule(function, ScheduleModel(limit=0, tries=10_000))
