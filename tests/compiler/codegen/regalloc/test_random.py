"""Random programs: the allocator's work, its checker and an interpreter agree."""

from __future__ import annotations

import os
from random import Random

import pytest

from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.regalloc import allocate, check_allocation, snapshot
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.compiler.codegen.regalloc.interpret import code_after, code_before, differences
from tests.compiler.codegen.regalloc.machine import BRANCH, MOV, OUT, TEMPORARIES, Model, Programs, R, Shape, V

COUNT = 2000 if os.environ.get("GLSLC_MULTI_ALL") else 40
PATHS = range(6)


@pytest.mark.parametrize(
    "shape", [Shape(), Shape(1, 25, 8), Shape(7, 8, 9), Shape(5, 14, 8, constraints=False)], ids=repr
)
def test_every_path_shows_what_it_showed_before(shape: Shape) -> None:
    allocated = 0
    for seed in range(COUNT):
        function = Programs(seed, shape).make()
        before = snapshot(function)
        try:
            allocate(function, Model(), DiagnosticSink())
        except CompileError:
            continue
        allocated += 1
        assert check_allocation(before, function) == []
        assert differences(code_before(before), code_after(function), function.entry, PATHS) == []
    assert allocated > COUNT * 0.9


def _arms(random: Random) -> MachineFunction:
    """Two arms that copy components of one register to others, each in an order of its own, as copies to phis do."""
    function = MachineFunction("main")
    entry, left, right, end = (function.add_block(name) for name in ("entry", "left", "right", "end"))
    entry.successors, left.successors, right.successors = [left, right], [end], [end]
    source, *targets = (function.new_register(4, TEMPORARIES) for _ in range(random.randint(2, 4)))
    whole = (0, 1, 2, 3)
    entry.append(MachineInstruction(MOV, [Def(source, whole)], [Use(V[0], whole)]))
    entry.append(MachineInstruction(BRANCH, [], [Use(V[1], (0,))], targets=[left]))
    for target in targets:
        for arm in (left, right):
            order = tuple(random.choices(whole, k=4))
            arm.append(MachineInstruction(MOV, [Def(target, whole)], [Use(source, order)]))
        end.append(MachineInstruction(OUT, [], [Use(target, whole)]))
    return function


def test_arms_that_copy_in_several_orders() -> None:
    for seed in range(COUNT * 2):
        function = _arms(Random(seed))
        before = snapshot(function)
        allocate(function, Model(), DiagnosticSink())
        assert differences(code_before(before), code_after(function), function.entry, PATHS) == []


def _spoil(function: MachineFunction, random: Random) -> str:
    """Make one operand wrong."""
    instruction = random.choice([each for each in function.instructions() if each.uses or each.defs])
    operands: list[Def | Use] = [*instruction.defs, *instruction.uses]
    operand = random.choice(operands)
    if isinstance(operand.register, Register) and random.random() < 0.5:
        operand.register = R[(operand.register.index + 1) % R.count]
    else:
        turned = tuple(((lane or 0) + 1) % 4 if index == 0 else lane or 0 for index, lane in enumerate(operand.lanes))
        operand.lanes = turned
    return repr(instruction)


def test_the_checker_finds_whatever_a_path_shows_to_be_wrong() -> None:
    wrong = found = 0
    for seed in range(COUNT * 2):
        function = Programs(seed, Shape(4, 8, 6)).make()
        before = snapshot(function)
        allocate(function, Model(), DiagnosticSink())
        spoilt = _spoil(function, Random(seed))
        faults = check_allocation(before, function)
        found += bool(faults)
        if differences(code_before(before), code_after(function), function.entry, PATHS):
            wrong += 1
            assert faults, f"seed {seed}: {spoilt}"
    assert wrong > COUNT // 4
    assert found >= wrong


def test_the_same_program_is_allocated_the_same_way() -> None:
    texts = []
    for _ in range(2):
        function = Programs(7, Shape(5, 12, 8)).make()
        allocate(function, Model(), DiagnosticSink())
        texts.append([repr(each) for each in function.instructions()])
    assert texts[0] == texts[1]
