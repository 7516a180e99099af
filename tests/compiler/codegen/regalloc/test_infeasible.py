"""Code that needs more room than there is, whatever one tries; and code that only seems to."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, MachineOp, Use
from glslc_multi.compiler.codegen.regalloc import allocate
from glslc_multi.compiler.codegen.regalloc.assign import Assignment, assign
from glslc_multi.compiler.codegen.regalloc.coalesce import Coalescer
from glslc_multi.compiler.codegen.regalloc.constraints import collect_demands
from glslc_multi.compiler.codegen.regalloc.infeasible import is_infeasible
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundles
from glslc_multi.compiler.codegen.regalloc.liveness import Liveness, Numbering
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.compiler.codegen.regalloc.machine import ADD, MOV, OUT, TEMPORARIES, Model, Programs, R, Shape, V

ALL = (0, 1, 2, 3)


def _across_a_call(values: int, lost: int) -> MachineFunction:
    """So many vectors live across a call that loses so many registers."""
    call = MachineOp("call", "none", (), effect=True, clobbers=R.registers()[:lost])
    function = MachineFunction("main")
    block = function.add_block("entry")
    registers = [function.new_register(4, TEMPORARIES) for _ in range(values)]
    for register in registers:
        block.append(MachineInstruction(ADD, [Def(register, ALL)], [Use(V[0], ALL), Use(V[1], ALL)]))
    block.append(MachineInstruction(call))
    for register in registers:
        block.append(MachineInstruction(OUT, [], [Use(register, ALL)]))
    return function


def _bundles(function: MachineFunction) -> LiveBundles:
    model = Model()
    demands = collect_demands(function, model)
    bundles = LiveBundles(function, Liveness(function, Numbering(function)), demands, model)
    Coalescer(function, bundles, model).run()
    return bundles


@pytest.mark.parametrize("lost", [0, 4, 11])
def test_what_lives_across_a_call_needs_registers_that_it_leaves(lost: int) -> None:
    left = R.count - lost
    allocate(_across_a_call(left, lost), Model(), DiagnosticSink())
    function = _across_a_call(left + 1, lost)
    bundles = _bundles(function)
    assert all(is_infeasible(bundles, each) for each in bundles.all if each.candidates.bit_count() > 1)
    with pytest.raises(CompileError):
        allocate(function, Model(), DiagnosticSink())


def test_a_copy_of_what_is_there_is_no_obstacle() -> None:
    # Both values are in r0 at a time: one is a copy of the other.
    function = MachineFunction("main")
    block = function.add_block("entry")
    value = function.new_register(4, TEMPORARIES)
    block.append(MachineInstruction(ADD, [Def(value, ALL)], [Use(V[0], ALL), Use(V[1], ALL)]))
    for register in R.registers():
        block.append(MachineInstruction(MOV, [Def(register, ALL)], [Use(value, ALL)]))
    block.append(MachineInstruction(OUT, [], [Use(value, ALL)]))
    function.live_out = dict.fromkeys(R.registers(), ALL)
    bundles = _bundles(function)
    assert not any(is_infeasible(bundles, each) for each in bundles.all if each.parts)
    allocate(function, Model(), DiagnosticSink())


@pytest.mark.parametrize("shape", [Shape(5, 14, 9, constraints=False), Shape(3, 30, 14)], ids=repr)
def test_what_can_be_assigned_is_not_called_hopeless(shape: Shape) -> None:
    found = 0
    for seed in range(40):
        function = Programs(seed, shape).make()
        bundles = _bundles(function)
        if isinstance(assign(function, bundles, 12), Assignment):
            found += 1
            assert not any(is_infeasible(bundles, each) for each in bundles.all if each.parts)
    assert found > 10
