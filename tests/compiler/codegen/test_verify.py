"""Machine code that breaks a rule is told which, and where."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, MachineOp, Use
from glslc_multi.compiler.codegen.registers import RegisterFile
from glslc_multi.compiler.codegen.verify import verify_machine
from tests.compiler.codegen.machine_programs import ADD, ANY, CMP, MOV, R, V, straight_line

C = RegisterFile("c", 8, writable=False)
O = RegisterFile("o", 2, readable=False)  # noqa: E741
BRANCH = MachineOp("branch", "none", terminator=True)
CROSS = MachineOp("cross", "fixed", ("fixed", "fixed"), early_clobber=True)
INSERT = MachineOp("insert", "each", ("each", "each"), tied=((0, 0),))
X, XY, XYZ = (0,), (0, 1), (0, 1, 2)


def made(op: MachineOp, *operands: Def | Use, conditional: bool = False) -> MachineInstruction:
    defs = [operand for operand in operands if isinstance(operand, Def)]
    uses = [operand for operand in operands if isinstance(operand, Use)]
    return MachineInstruction(op, defs, uses, conditional=conditional)


def one_block(*instructions: MachineInstruction) -> MachineFunction:
    function = MachineFunction("main")
    function.add_block("entry").instructions = list(instructions)
    return function


@pytest.mark.parametrize(
    ("instruction", "fault"),
    [
        (made(ADD, Def(R[0], XY), Use(V[0], XY), Use(V[0], X)), "source 2: reads 1 lanes, the result has 2"),
        (made(ADD, Def(R[0], XY), Use(V[0], XY)), "has 1 sources, add reads 2"),
        (made(CMP, Def(R[0], X), Use(V[0], X), Use(V[0], X)), "cmp has no result"),
        (made(CMP, Use(V[0], X), Use(V[0], X), conditional=True), "is conditional, but writes nothing"),
        (made(MOV, Def(R[0], (0, 0)), Use(V[0], XY)), "result: writes a component of r0 twice"),
        (made(MOV, Def(R[0], ()), Use(V[0], ())), "result: has no lanes"),
        (made(MOV, Def(C[0], X), Use(V[0], X)), "result: c0 cannot be written"),
        (made(MOV, Def(R[0], X), Use(O[0], X)), "source 1: o0 cannot be read"),
        (made(CROSS, Def(R[0], XYZ), Use(V[0], XYZ), Use(V[0], (1, 2, 0))),
         "source 2: has a swizzle, where cross can have none"),
        (made(CROSS, Def(R[0], XYZ), Use(V[0], XYZ), Use(R[0], XYZ)), "source 2: r0 is overwritten before it is read"),
        (made(INSERT, Def(R[0], XY), Use(C[1], XY), Use(V[0], XY)),
         "source 1: must be what is overwritten, r0, found c1"),
    ],
)  # fmt: skip
def test_instructions(instruction: MachineInstruction, fault: str) -> None:
    (found,) = verify_machine(one_block(instruction))
    assert found.startswith("^entry: ") and found.endswith(f": {fault}")


def test_virtual_registers_have_a_width() -> None:
    function = MachineFunction("main")
    wide = function.new_register(2, ANY)
    function.add_block("entry").append(made(MOV, Def(wide, (0, 2)), Use(V[0], XY)))
    assert verify_machine(function) == [
        "^entry: %0:temporary2.xz = mov v0.xy: result: %0 has 2 components, found number 2"
    ]


def test_what_keeps_the_rules_has_no_faults() -> None:
    assert not verify_machine(
        one_block(
            made(CROSS, Def(R[2], XYZ), Use(V[0], (0, 1, None)), Use(C[1], XYZ)),
            made(INSERT, Def(R[1], XY), Use(R[1], XY), Use(V[0], (2, 3))),
            made(ADD, Def(R[3], XY), Use(R[2], (0, 2)), Use(C[1], XY)),
            made(CMP, Use(R[3], X), Use(R[3], (1,))),
        )
    )
    for seed in range(20):
        assert not verify_machine(straight_line(Random(seed), 30))


def test_branches_end_blocks() -> None:
    branch = made(BRANCH)
    function = one_block(branch, made(MOV, Def(R[0], X), Use(V[0], X)))
    end = function.add_block("end")
    branch.targets = [end]
    stands_after = "^entry: r0.x = mov v0.x: stands after a terminator"
    leads_out = "^entry: branch -> ^end: leads to ^end, which is no successor of its block"
    assert verify_machine(function) == [leads_out, stands_after]
    function.entry.successors = [end]
    assert verify_machine(function) == [stands_after]
    function.blocks.pop()
    assert verify_machine(function)[0] == "^entry: its successor ^end is not in the function"


def test_words_hold_the_instructions_of_their_block() -> None:
    first, second = (made(MOV, Def(R[number], X), Use(V[0], X)) for number in (0, 1))
    function = one_block(first, second)
    function.entry.slots = [(first, second)]
    assert not verify_machine(function)
    function.entry.instructions.pop()
    assert verify_machine(function) == ["^entry: its words have other instructions than the block"]
