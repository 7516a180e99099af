"""What the allocator does with small programs written by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.regalloc import allocate, snapshot
from glslc_multi.compiler.codegen.regalloc.rewrite import sort_lanes
from glslc_multi.compiler.codegen.registers import Register, RegisterClass
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.compiler.codegen.regalloc.interpret import code_after, code_before, differences
from tests.compiler.codegen.regalloc.machine import ADD, DOT, LOOKUP, MOV, NORMALIZE, OUT, TEMPORARIES, Model, R, V


class Build:
    """A function of one block under construction."""

    def __init__(self, registers: int = 12) -> None:
        self.function = MachineFunction("main")
        self.block = self.function.add_block("entry")
        self.register_class = RegisterClass.of("few", R.registers()[:registers])

    def value(self, width: int, *, ordered: bool = False) -> VirtualRegister:
        return self.function.new_register(width, self.register_class, ordered=ordered)

    def add(
        self, target: AnyRegister, to: tuple[int, ...], *sources: tuple[AnyRegister, tuple[int, ...]]
    ) -> MachineInstruction:
        return self._emit(ADD, [Def(_register(target), to)], sources)

    def move(
        self, target: AnyRegister, to: tuple[int, ...], source: AnyRegister, lanes: tuple[int, ...]
    ) -> MachineInstruction:
        return self._emit(MOV, [Def(_register(target), to)], [(source, lanes)])

    def out(self, source: AnyRegister, *lanes: int) -> MachineInstruction:
        return self._emit(OUT, [], [(source, lanes)])

    def _emit(
        self, op: MachineOp, defs: Sequence[Def], sources: Sequence[tuple[AnyRegister, tuple[int, ...]]]
    ) -> MachineInstruction:
        return self.block.append(MachineInstruction(op, defs, [Use(register, lanes) for register, lanes in sources]))

    def load(self, target: VirtualRegister, number: int = 0) -> MachineInstruction:
        """Give all components contents."""
        lanes = tuple(range(target.width))
        return self.add(target, lanes, (V[number], lanes), (V[0], lanes))

    def allocate(self) -> list[str]:
        allocate(self.function, Model(), DiagnosticSink())
        return [repr(each) for each in self.function.instructions()]


def _register(place: AnyRegister) -> VirtualRegister | Register:
    assert isinstance(place, VirtualRegister | Register)
    return place


def test_scalars_share_one_register() -> None:
    build = Build(registers=1)
    values = [build.value(1) for _ in range(4)]
    for number, value in enumerate(values):
        build.load(value, number)
    for value in values:
        build.out(value, 0)
    assert build.allocate()[-4:] == ["out  <- r0(0,)", "out  <- r0(1,)", "out  <- r0(2,)", "out  <- r0(3,)"]


def test_lanes_of_result_and_sources_are_reordered_together() -> None:
    build = Build()
    value = build.value(3)
    first = build.add(value, (2, 0, 1), (V[1], (1, 2, 3)), (V[2], (3, 3, 0)))
    build.out(value, 0, 1, 2)
    build.allocate()
    pairs = {to: (a, b) for to, a, b in zip(first.defs[0].lanes, first.uses[0].lanes, first.uses[1].lanes, strict=True)}
    out = build.block.instructions[-1].uses[0].lanes
    assert first.defs[0].lanes == tuple(sorted(first.defs[0].lanes))
    assert [pairs[lane] for lane in out if lane is not None] == [(2, 3), (3, 0), (1, 3)]


def test_unused_components_take_no_room() -> None:
    build = Build(registers=1)
    wide, narrow = build.value(4), build.value(2)
    build.add(wide, (1, 3), (V[0], (0, 1)), (V[1], (0, 1)))
    build.load(narrow)
    build.out(wide, 1, 3)
    build.out(narrow, 0, 1)
    assert len(build.allocate()) == 4


def test_a_component_is_free_after_its_own_last_reader() -> None:
    build = Build(registers=1)
    wide, scalar = build.value(4), build.value(1)
    build.load(wide)
    build.out(wide, 3)
    build.load(scalar)
    build.out(wide, 0, 1, 2)
    build.out(scalar, 0)
    assert len(build.allocate()) == 5


def test_a_scalar_becomes_the_component_that_it_is_copied_to() -> None:
    build = Build()
    parts = [build.value(1) for _ in range(4)]
    vector = build.value(4)
    for number, part in enumerate(parts):
        build.load(part, number)
    for component, part in enumerate(parts):
        build.move(vector, (component,), part, (0,))
    build.out(vector, 0, 1, 2, 3)
    text = build.allocate()
    assert len(text) == 5
    assert not any(line.startswith("mov") for line in text)


def test_a_copy_stays_where_both_values_live_on_and_change() -> None:
    build = Build()
    first, second = build.value(1), build.value(1)
    build.load(first)
    build.move(second, (0,), first, (0,))
    build.add(first, (0,), (first, (0,)), (V[1], (0,)))
    build.out(first, 0)
    build.out(second, 0)
    assert sum(line.startswith("mov") for line in build.allocate()) == 1


def test_two_copies_of_one_value_are_one() -> None:
    build = Build()
    first, second = build.value(2), build.value(2)
    build.load(first)
    build.move(second, (0, 1), first, (0, 1))
    build.out(first, 0, 1)
    build.out(second, 0, 1)
    assert len(build.allocate()) == 3


def test_a_copy_that_overwrites_what_it_reads_leaves_both_apart() -> None:
    build = Build()
    first, values = build.value(1), build.value(3)
    build.load(first)
    build.add(values, (1,), (V[1], (0,)), (V[2], (0,)))
    build.move(values, (0, 2), first, (0, 0))
    build.move(values, (2, 0), values, (0, 1))
    build.out(values, 2, 0)
    before = snapshot(build.function)
    build.allocate()
    assert differences(code_before(before), code_after(build.function), build.block, range(1)) == []


def test_a_first_conditional_write_does_not_keep_its_place_from_the_start() -> None:
    build = Build(registers=1)
    early, late = build.value(4), build.value(4)
    build.load(early)
    build.out(early, 0, 1, 2, 3)
    for lane in range(4):
        build.add(late, (lane,), (V[1], (lane,)), (V[2], (0,))).conditional = True
    build.out(late, 0, 1, 2, 3)
    assert len(build.allocate()) == 7


def test_a_conditional_copy_into_something_new_vanishes() -> None:
    build = Build()
    origin, target = build.value(1), build.value(1)
    build.load(origin)
    build.move(target, (0,), origin, (0,)).conditional = True
    build.add(target, (0,), (V[1], (0,)), (V[2], (0,))).conditional = True
    build.out(target, 0)
    assert len(build.allocate()) == 3


def test_inputs_hold_their_registers_until_their_last_reader() -> None:
    build = Build(registers=2)
    build.function.live_in[R[0]] = (0, 1, 2, 3)
    first, second = build.value(4), build.value(4)
    build.add(first, (0, 1, 2, 3), (R[0], (0, 1, 2, 3)), (V[0], (0, 1, 2, 3)))
    build.out(R[0], 0)
    build.load(second)
    build.out(first, 0, 1, 2, 3)
    build.out(second, 0, 1, 2, 3)
    text = build.allocate()
    assert text[0].startswith("add r1")
    assert text[2].startswith("add r0")


def test_a_copy_of_an_input_stays_in_its_register() -> None:
    build = Build()
    build.function.live_in[R[3]] = (0, 1, 2, 3)
    value = build.value(4)
    build.move(value, (0, 1, 2, 3), R[3], (0, 1, 2, 3))
    build.add(value, (0,), (value, (0,)), (V[0], (0,)))
    build.out(value, 0, 1, 2, 3)
    assert build.allocate() == ["add r3(0,) <- r3(0,), v0(0,)", "out  <- r3(0, 1, 2, 3)"]


def test_a_value_for_a_register_read_after_the_end_is_computed_there() -> None:
    build = Build()
    build.function.live_out[R[5]] = (0, 1)
    value = build.value(2)
    build.load(value)
    build.move(R[5], (0, 1), value, (0, 1))
    assert build.allocate() == ["add r5(0, 1) <- v0(0, 1), v0(0, 1)"]


def test_lanes_that_nobody_wrote_are_nobodys() -> None:
    build = Build()
    value = build.value(4)
    build.add(value, (0, 1), (V[0], (0, 1)), (V[1], (0, 1)))
    build.out(value, 0, 3, 1, 2)
    assert build.allocate()[-1] == "out  <- r0(0, None, 1, None)"


def test_fixed_operands_get_their_components() -> None:
    build = Build()
    value, looked, normal = build.value(2), build.value(4), build.value(3)
    build.add(value, (0, 1), (V[0], (2, 3)), (V[1], (2, 3)))
    build.block.append(MachineInstruction(LOOKUP, [Def(looked, (0, 1, 2, 3))], [Use(value, (1, 0))]))
    build.block.append(MachineInstruction(NORMALIZE, [Def(normal, (0, 1, 2))], [Use(looked, (2, 1, 0))]))
    build.out(normal, 2, 1, 0)
    text = build.allocate()
    assert text[0] == "add r0(0, 1) <- v0(3, 2), v1(3, 2)"
    assert text[1] == "lookup r0(0, 1, 2, 3) <- r0(0, 1)"
    assert text[2] == "normalize r0(0, 1, 2) <- r0(2, 1, 0)"


def test_demands_that_contradict_each_other_get_copies() -> None:
    build = Build()
    value, first, second = build.value(2), build.value(4), build.value(4)
    build.load(value)
    build.block.append(MachineInstruction(LOOKUP, [Def(first, (0, 1, 2, 3))], [Use(value, (1, 0))]))
    build.block.append(MachineInstruction(LOOKUP, [Def(second, (0, 1, 2, 3))], [Use(value, (0, 1))]))
    build.out(first, 0)
    build.out(second, 0)
    assert sum(line.startswith("mov") for line in build.allocate()) == 1


def test_sources_like_the_components_of_their_slots() -> None:
    build = Build()
    value, dot = build.value(3), build.value(1)
    build.add(value, (2, 1, 0), (V[0], (0, 1, 2)), (V[1], (0, 1, 2)))
    build.block.append(MachineInstruction(DOT, [Def(dot, (0,))], [Use(value, (2, 1, 0)), Use(V[1], (0, 1, 2))]))
    build.out(dot, 0)
    assert build.allocate()[:2] == [
        "add r0(0, 1, 2) <- v0(0, 1, 2), v1(0, 1, 2)",
        "dot r0(0,) <- r0(0, 1, 2), v1(0, 1, 2)",
    ]


def test_a_target_may_prefer_components_to_full_registers() -> None:
    class Careful(Model):
        def component_cost(self, register: VirtualRegister, lane: int, component: int) -> int:
            return int(component != lane)

    for model, register in ((Model(), R[0]), (Careful(), R[1])):
        build = Build()
        scalar, vector = build.value(1), build.value(3)
        build.load(scalar)
        build.load(vector)
        build.out(scalar, 0)
        build.out(vector, 0, 1, 2)
        allocate(build.function, model, DiagnosticSink())
        assert build.block.instructions[-1].uses[0].register == register


def test_reserved_registers_stay_free() -> None:
    class Reserving(Model):
        reserve = frozenset(R.registers()[:11])

    build = Build()
    value = build.value(2)
    build.load(value)
    build.out(value, 0, 1)
    allocate(build.function, Reserving(), DiagnosticSink())
    assert repr(build.block.instructions[-1]) == "out  <- r11(0, 1)"


def test_registers_of_every_class_are_members_of_it() -> None:
    assert all(member in R.registers() for member in TEMPORARIES.members)


def test_operands_must_not_be_shared() -> None:
    build = Build()
    value = build.value(2)
    build.load(value)
    first, second = build.out(value, 0, 1), build.out(value, 0, 1)
    second.uses = first.uses
    with pytest.raises(AssertionError, match="shares an operand"):
        build.allocate()


def test_lanes_are_sorted_where_sources_go_along() -> None:
    """A result whose lanes no source goes with has its own order."""
    fetch = MachineOp("fetch", "each", ("slots",))
    for op, sorted_lanes, source_lanes in ((ADD, (0, 1), (3, 2)), (DOT, (0, 1), (2, 3)), (fetch, (1, 0), (2, 3))):
        made = MachineInstruction(op, [Def(R[0], (1, 0))], [Use(V[0], (2, 3)), Use(V[1], (2, 3))][: len(op.sources)])
        sort_lanes(made)
        assert made.defs[0].lanes == sorted_lanes
        assert {use.lanes for use in made.uses} == {source_lanes}


@pytest.mark.parametrize("narrow_is_first", [False, True])
def test_of_copies_that_exclude_each_other_the_wide_one_vanishes(narrow_is_first: bool) -> None:
    """Both are of one value, which only one of them may take over, since one of its components changes later."""
    build = Build()
    value, wide, narrow = build.value(3), build.value(3), build.value(1)
    build.load(value)
    copies = [(wide, (0, 1, 2)), (narrow, (0,))]
    for target, lanes in copies[::-1] if narrow_is_first else copies:
        build.move(target, lanes, value, lanes)
    build.add(wide, (0,), (wide, (1,)), (wide, (2,)))
    build.out(wide, 0, 1, 2)
    build.out(narrow, 0)
    (copy_left,) = (line for line in build.allocate() if line.startswith("mov"))
    assert copy_left.count(",") == 2, "of one component"
