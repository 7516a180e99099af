"""Machine code as text."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.codegen.machine import (
    Def,
    Literal32,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Uniform,
    Use,
)
from glslc_multi.compiler.codegen.machine_text import block_heading, print_instruction, print_word
from glslc_multi.compiler.codegen.registers import RegisterClass, RegisterFile
from glslc_multi.compiler.ir.types import FLOAT, VEC4
from glslc_multi.compiler.ir.variables import Variable
from tests.compiler.codegen.machine_programs import ADD, ANY, CMP, MOV, R, V

ACCUMULATORS = RegisterFile("acc", 4, components=1)
NARROW = RegisterClass.of("acc0", ACCUMULATORS.registers()[:1])
BRANCH = MachineOp("branch", "none", terminator=True)
LIGHTS = Variable("lights[].pos", "uniform", VEC4, dims=(3,))
SCALE = Variable("u_scale", "uniform", FLOAT)
FUNCTION = MachineFunction("main")
WIDE, LONE, ORDERED = FUNCTION.new_register(3, ANY), FUNCTION.new_register(1, NARROW), FUNCTION.new_register(4, ANY)
ORDERED.ordered = True
ENTRY, END = FUNCTION.add_block("entry"), FUNCTION.add_block("end")
MOVE = MachineInstruction(MOV, [Def(R[0], (0,))], [Use(V[0], (3,))])


class Mode:
    """A value of a target that is no plain data."""

    def __str__(self) -> str:
        return "16a"


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        (MachineInstruction(
            ADD, [Def(WIDE, (2, 0))], [Use(V[0], (0, 1)), Use(Uniform(LIGHTS, 2, 0), (3, 2), negate=True)]),
         "%0:temporary3.zx = add v0.xy, -@lights[].pos[2].0.wz"),
        (MachineInstruction(MOV, [Def(LONE, (0,))], [Use(ACCUMULATORS[1], (0,))]), "%1:acc01 = mov acc1"),
        (MachineInstruction(
            MOV, [Def(ORDERED, (0, 1))],
            [Use(Uniform(SCALE, 0, 0), (0, 0), absolute=True, relative=Use(LONE, (0,)), extra=Mode())]),
         "%2:temporary4!.xy = mov |@u_scale[0].0.xx[%1]<16a>|"),
        (MachineInstruction(
            MOV, [Def(R[0], (1,))], [Use(Literal32((1.0, None, -2)), (0,))], conditional=True,
            attributes={"condition": "lt", "mode": Mode(), "saturate": True}),
         "r0.y = mov? (1.0, _, -2).x {condition='lt', mode=16a, saturate=True}"),
        (MachineInstruction(CMP, [], [Use(WIDE, (0,)), Use(R[1], (None,))]), "cmp %0.x, r1._"),
        (MachineInstruction(BRANCH, targets=[ENTRY, END]), "branch -> ^entry, ^end"),
    ],
)  # fmt: skip
def test_instructions(instruction: MachineInstruction, text: str) -> None:
    assert print_instruction(instruction) == text


def test_words_and_blocks() -> None:
    assert print_word((MOVE, MOVE)) == "r0.x = mov v0.w | r0.x = mov v0.w"
    ENTRY.successors = [ENTRY, END]
    END.slots = []
    assert [block_heading(block) for block in (ENTRY, END)] == ["^entry -> ^entry, ^end:", "^end bundled:"]
