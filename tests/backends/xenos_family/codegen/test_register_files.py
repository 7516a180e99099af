"""Register files and operations as the allocator sees them, against the machine's tables."""

from __future__ import annotations

import pytest

from glslc_multi.backends.xenos_family.codegen.machine_ops import (
    BRANCH,
    CHANGE,
    COUNTED,
    END,
    FETCHES,
    GO,
    MOVE,
    SCALAR,
    VECTOR,
)
from glslc_multi.backends.xenos_family.codegen.register_files import EXPORT, A, C, R, Registers, move, registers_used
from glslc_multi.backends.xenos_family.isa import instructions
from glslc_multi.compiler.codegen.machine import Def, MachineBlock, MachineFunction, MachineInstruction, Use


@pytest.mark.parametrize("masks", [0, 1, 3])
def test_masks_have_the_last_registers(masks: int) -> None:
    assert Registers("adreno", masks).reserve == {R[64 - 1 - number] for number in range(masks)}


@pytest.mark.parametrize(("negate", "absolute"), [(True, False), (False, True), (True, True)])
def test_a_move_that_changes_the_number_is_no_copy(negate: bool, absolute: bool) -> None:
    target, source = Def(R[1], (0,)), Use(R[2], (3,))
    assert move(target, source).op is MOVE
    changed = move(target, Use(R[2], (3,), negate, absolute))
    assert changed.op is CHANGE
    assert (changed.defs, changed.uses) == ([target], [Use(R[2], (3,), negate, absolute)])
    assert (MOVE.copy, CHANGE.copy) == (True, False)


def test_only_general_registers_count() -> None:
    block = MachineBlock("main", 0)
    block.instructions = [
        MachineInstruction(CHANGE, [Def(R[3], (0,))], [Use(R[5], (0,))]),
        MachineInstruction(CHANGE, [Def(EXPORT[62], (0,))], [Use(C[9], (0,))]),
        MachineInstruction(SCALAR["MOVAs"], [Def(A[0], (0,))], [Use(R[1], (0,))]),
    ]
    function = MachineFunction("main", [block])
    assert registers_used(function, []) == 6
    assert registers_used(function, [0, 7]) == 8
    assert registers_used(MachineFunction("main", [MachineBlock("main", 0)]), []) == 0


def test_operations_are_the_rows_of_the_instruction_set() -> None:
    for row in instructions.VECTOR_OPERATIONS:
        op = VECTOR[row.name]
        assert (op.name, len(op.sources), op.effect) == (row.name, row.sources, row.has_effect)
    for row in instructions.SCALAR_OPERATIONS:
        op = SCALAR[row.name]
        # Setting a0 is a result.
        assert (op.name, op.effect) == (row.name, row.predicate is not None or row.kills is not None)
        assert len(op.sources) == (2 if "_CONST_" in row.name else 1)


def test_results_that_are_one_number_are_those_of_products_and_tests() -> None:
    everywhere = {"DOT4v", "DOT3v", "DOT2ADDv", "MAX4v"} | {
        f"PRED_SET{test}_PUSHv" for test in ("E", "NE", "GT", "GTE")
    }
    kills = {f"KILL{test}v" for test in ("E", "GT", "GTE", "NE")}
    assert {name for name, op in VECTOR.items() if op.result == "replicate"} == everywhere
    assert {name for name, op in VECTOR.items() if op.result == "none"} == kills
    assert {name for name, op in VECTOR.items() if op.result == "fixed"} == {"CUBEv"}
    assert {name for name, op in VECTOR.items() if "each" not in op.sources} == everywhere | kills | {"CUBEv"}
    assert {name for name, op in SCALAR.items() if op.result == "none"} == {
        f"KILL{test}s" for test in ("E", "GT", "GTE", "NE", "ONE")
    }


def test_what_a_fetch_has_found_is_its_last_source() -> None:
    assert sorted(op.name for op in FETCHES) == [
        "GET_GRADIENTS",
        "SAMPLE",
        "SAMPLE_GRADIENTS",
        "SAMPLE_LEVEL",
        "VERTEX",
    ]
    for op in FETCHES:
        assert op.result == op.sources[-1] == "each"
        assert set(op.sources[:-1]) == {"slots"}


def test_ends_of_blocks_stay_last_and_leave_nothing() -> None:
    for op in (BRANCH, COUNTED, GO, END):
        assert (op.result, op.effect, op.terminator) == ("none", True, True)
    assert [op.name for op in (BRANCH, COUNTED, GO, END)] == ["BRANCH", "COUNTED", "GO", "END"]
