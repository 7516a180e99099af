"""Outlining: what counts as a repetition, what a call passes and takes back, and that values stay what they were."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.analysis.budget import LIMIT, budgeted, spend
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.outline import OutlineModel, Procedure, insert_calls, outline
from glslc_multi.compiler.codegen.registers import Register, RegisterClass, RegisterFile

R = RegisterFile("r", 16)
V = RegisterFile("v", 8, writable=False)
O = RegisterFile("o", 8, readable=False)  # noqa: E741
ANY = RegisterClass.of("temporary", R)
ALL = (0, 1, 2, 3)

ADD = MachineOp("add", "each", ("each", "each"))
MUL = MachineOp("mul", "each", ("each", "each"))
MAX = MachineOp("max", "each", ("each", "each"))
MOV = MachineOp("mov", "each", ("each",), copy=True)
CALL = MachineOp("call", "fixed", ("slots",), effect=True)
EMIT = MachineOp("emit", "none", (), effect=True)


class Model(OutlineModel):
    registers = tuple(reversed(R.registers()))[:3]

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(MOV, [target], [source])

    def may_leave(self, instruction: MachineInstruction) -> bool:
        return not instruction.op.effect


class Program:
    """A block to fill."""

    def __init__(self) -> None:
        self.function = MachineFunction("main")
        self.block = self.function.add_block("entry")

    def put(self, op: MachineOp, *sources: Use, target: Register | None = None) -> VirtualRegister:
        register = self.function.new_register(4, ANY)
        defs = [] if op is EMIT else [Def(target or register, ALL)]
        self.block.append(MachineInstruction(op, defs, sources))
        return register

    def polynomial(
        self, x: AnyRegister, y: AnyRegister | None = None, *, sign: bool = False
    ) -> tuple[VirtualRegister, ...]:
        """Eight words: the values of the last two, of which the second reads the first."""
        square = self.put(MUL, Use(x, ALL), Use(x, ALL[::-1]))
        larger = self.put(MAX, Use(square, ALL), Use(y or x, ALL))
        cube = self.put(MUL, Use(larger, ALL, negate=sign), Use(square, (1, 2, 3, 0)))
        for _ in range(3):
            cube = self.put(MUL, Use(cube, ALL), Use(square, ALL))
        total = self.put(ADD, Use(cube, ALL), Use(V[7], ALL))
        return total, self.put(ADD, Use(total, ALL), Use(square, ALL))

    def outlined(self) -> list[Procedure]:
        found = []
        for procedure in outline(self.function, Model()):
            found.append(procedure)
            insert_calls(self.function, procedure, Model(), CALL)
        return found

    def names(self) -> list[str]:
        return [instruction.op.name for instruction in self.function.instructions()]


def test_what_repeats_becomes_a_procedure() -> None:
    program = Program()
    _, first = program.polynomial(V[0])
    _, second = program.polynomial(V[1])
    program.put(ADD, Use(first, ALL), Use(second, ALL), target=O[0])
    (procedure,) = program.outlined()
    # What reads an input directly stays: these would have to be copied.
    assert program.names() == [*["mul", "max", "mov", "mov", "call", "mov"] * 2, "add"]
    body = [instruction.op.name for instruction in procedure.function.instructions()]
    assert body == ["mul", "mul", "mul", "mul", "add", "add"]
    # Two values go in, and one comes back in the register of one of them; what all places read is no parameter.
    assert procedure.function.live_in == {R[15]: ALL, R[14]: ALL} and procedure.function.live_out == {R[14]: ALL}
    copies = [instruction for instruction in program.function.instructions() if instruction.op is MOV]
    assert [copy.defs[0].register for copy in copies[:2]] == [R[15], R[14]]
    assert copies[2].uses[0].register == R[14]
    assert program.function.blocks[0].instructions[4].defs == [Def(R[14], ALL)]


def test_values_that_are_read_after_are_results() -> None:
    program = Program()
    for k in range(3):
        before, last = program.polynomial(V[k])
        program.put(EMIT)
        program.put(ADD, Use(last, ALL), Use(before if k == 1 else last, ALL), target=O[k])
    (procedure,) = program.outlined()
    assert procedure.function.live_out == {R[14]: ALL, R[13]: ALL}


def test_one_register_for_one() -> None:
    program = Program()
    # The same words, but the second one reads another register in the second place.
    ends = [program.polynomial(V[0])[1], program.polynomial(V[1], V[2])[1]]
    program.put(ADD, *(Use(end, ALL) for end in ends), target=O[0])
    (procedure,) = program.outlined()
    assert program.names() == [*["mul", "max", "mov", "mov", "call", "mov"] * 2, "add"]
    assert len(list(procedure.function.instructions())) == 6


def test_signs_and_lanes_count() -> None:
    program = Program()
    ends = [program.polynomial(V[0])[1], program.polynomial(V[1], sign=True)[1]]
    program.put(ADD, *(Use(end, ALL) for end in ends), target=O[0])
    program.outlined()
    assert program.names() == [*["mul", "max", "mul", "mov", "mov", "call", "mov"] * 2, "add"]


def test_what_may_not_leave_stays() -> None:
    program = Program()
    for k in range(2):
        program.polynomial(V[k])
        program.put(EMIT)
        program.polynomial(V[k])
    for procedure in program.outlined():
        assert "emit" not in [instruction.op.name for instruction in procedure.function.instructions()]
    assert program.names().count("emit") == 2


def test_a_sequence_that_shares_a_target_with_others_stays() -> None:
    program = Program()
    shared = program.function.new_register(4, ANY)
    for k in range(2):
        _, value = program.polynomial(V[k])
        program.block.append(MachineInstruction(ADD, [Def(shared, (k,))], [Use(value, (0,)), Use(value, (1,))]))
        program.put(EMIT)
    program.put(ADD, Use(shared, (0, 1)), Use(shared, (0, 1)), target=O[0])
    (procedure,) = program.outlined()
    assert len(list(procedure.function.instructions())) == 6
    assert program.names()[-4:] == ["mov", "add", "emit", "add"]


def test_what_a_loop_carries_stays() -> None:
    program = Program()
    for k in range(2):
        carried = program.function.new_register(4, ANY)
        value = program.put(MUL, Use(V[k], ALL), Use(V[k], ALL))
        for _ in range(9):
            value = program.put(MUL, Use(value, ALL), Use(carried, ALL))
        program.block.append(MachineInstruction(ADD, [Def(carried, ALL)], [Use(value, ALL), Use(V[7], ALL)]))
        program.put(EMIT)
    program.block.successors = [program.block]
    (procedure,) = program.outlined()
    assert ADD not in [instruction.op for instruction in procedure.function.instructions()]


def test_an_index_is_passed() -> None:
    program = Program()
    ends = []
    for k in range(2):
        table = Use(V[6], ALL, relative=Use(V[k], (2,)))
        value = program.put(MUL, table, Use(V[5], ALL))
        for _ in range(6):
            value = program.put(MUL, Use(value, ALL), Use(V[6], ALL, relative=Use(V[k], (2,))))
        ends.append(program.put(ADD, Use(value, ALL), Use(V[5], ALL)))
    program.put(ADD, *(Use(end, ALL) for end in ends), target=O[0])
    (procedure,) = program.outlined()
    assert procedure.inputs == [Def(R[15], (2,))]
    indices = [use.relative for made in procedure.function.instructions() for use in made.uses if use.relative]
    assert indices == [Use(R[15], (2,))] * 7
    passed = [made.uses[0] for made in program.function.instructions() if made.defs[0].register is R[15]]
    assert passed == [Use(V[0], (2,)), Use(V[1], (2,))]


def test_two_indices_are_not_one() -> None:
    program = Program()
    ends = []
    for first, second in ((0, 0), (1, 2)):
        value = program.put(MUL, Use(V[6], ALL, relative=Use(V[first], (2,))), Use(V[5], ALL))
        for _ in range(7):
            value = program.put(MUL, Use(value, ALL), Use(V[6], ALL, relative=Use(V[second], (2,))))
        ends.append(value)
    program.put(ADD, *(Use(end, ALL) for end in ends), target=O[0])
    # The first word has an index of its own in one place.
    assert all(len(list(procedure.function.instructions())) == 7 for procedure in program.outlined())


@pytest.mark.parametrize("read_after", [False, True])
def test_a_sum_stays_in_its_register(read_after: bool) -> None:
    program = Program()
    total = program.put(MUL, Use(V[6], ALL), Use(V[6], ALL))
    for k in range(3):
        program.put(EMIT)
        before = total
        _, value = program.polynomial(V[k])
        total = program.put(ADD, Use(before, ALL), Use(value, ALL))
        program.put(EMIT)
        if read_after:
            program.put(MOV, Use(before, ALL), target=O[k])
    program.put(MOV, Use(total, ALL), target=O[7])
    (procedure,) = program.outlined()
    (result,) = procedure.results
    assert (result in procedure.inputs) is not read_after


@pytest.mark.parametrize("count", [2, 3, 6])
def test_there_must_be_registers_for_what_is_passed(count: int) -> None:
    program = Program()
    for k in range(2):
        values = [program.put(MUL, Use(V[n], ALL), Use(V[n], (k,) * 4)) for n in range(count)]
        program.put(EMIT)
        total = first = program.put(ADD, Use(values[0], ALL), Use(V[7], ALL))
        for value in [*values, *[first] * 9]:
            total = program.put(MUL, Use(total, ALL), Use(value, ALL))
        program.put(EMIT)
        program.put(MOV, Use(total, ALL), target=O[k])
    (procedure,) = program.outlined()
    assert len(procedure.inputs) + len(procedure.results) <= len(Model.registers)
    # What reads more values is computed before the calls, which then pass the sum and the product at hand.
    assert len(list(procedure.function.instructions())) == (12 if count == 2 else 9)


def test_the_search_comes_out_of_the_budget() -> None:
    """Without work to spend nothing more becomes a procedure."""
    program = Program()
    for place in range(4):
        program.put(EMIT, *[Use(value, ALL) for value in program.polynomial(V[place])])
    with budgeted():
        assert spend(LIMIT)
        assert program.outlined() == []
    assert len(program.outlined()) == 1
