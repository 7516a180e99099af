"""The hardest constraint of each machine, in machine code of its shape."""

from __future__ import annotations

from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, MachineOp, Use
from glslc_multi.compiler.codegen.regalloc import RegisterModel, allocate
from glslc_multi.compiler.codegen.registers import Register, RegisterClass, RegisterFile
from glslc_multi.compiler.diagnostics import DiagnosticSink

MOVE = MachineOp("mov", "each", ("each",), copy=True)
OUT = MachineOp("out", "none", ("slots", "slots"), effect=True)


class Plain(RegisterModel):
    """Moves, and nothing special."""

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(MOVE, [target], [source])


def _run(function: MachineFunction, model: RegisterModel | None = None) -> list[MachineInstruction]:
    allocate(function, model or Plain(), DiagnosticSink())
    return list(function.instructions())


def _index(register: object) -> int:
    assert isinstance(register, Register)
    return register.index


def test_a2xx_the_pair_of_a_scalar_operation_is_written_in_place() -> None:
    """A scalar operation reads two channels of one register: both producers write it directly."""
    gpr = RegisterFile("R", 64)
    registers = RegisterClass.of("R", gpr)
    vector_add = MachineOp("ADDv", "each", ("each", "each"))
    reciprocal = MachineOp("RECIP_IEEE", "replicate", ("slots",))
    scalar_multiply = MachineOp("MULs", "replicate", ("slots",))
    function = MachineFunction("main")
    function.live_in[gpr[0]] = (0, 1, 2, 3)
    block = function.add_block("entry")
    first, second, result = (function.new_register(1, registers) for _ in range(3))
    pair = function.new_register(2, registers)
    block.append(MachineInstruction(vector_add, [Def(first, (0,))], [Use(gpr[0], (0,)), Use(gpr[0], (1,))]))
    block.append(MachineInstruction(reciprocal, [Def(second, (0,))], [Use(gpr[0], (2,))]))
    block.append(MachineInstruction(MOVE, [Def(pair, (0,))], [Use(first, (0,))]))
    block.append(MachineInstruction(MOVE, [Def(pair, (1,))], [Use(second, (0,))]))
    block.append(MachineInstruction(scalar_multiply, [Def(result, (0,))], [Use(pair, (0, 1))]))
    block.append(MachineInstruction(OUT, [], [Use(result, (0,)), Use(gpr[0], (3,))]))
    made = _run(function)
    assert [each.op.name for each in made] == ["ADDv", "RECIP_IEEE", "MULs", "out"]
    both = made[2].uses[0]
    assert [(each.defs[0].register, each.defs[0].lanes[0]) for each in made[:2]] == [
        (both.register, lane) for lane in both.lanes
    ]


class _Vc4(Plain):
    def bank(self, register: Register) -> str | None:
        return register.file.name if register.file.name in ("ra", "rb") else None


def test_vc4_results_in_r4_are_moved_in_time_and_reads_do_not_meet_at_one_port() -> None:
    """Two results in r4, one after the other; then sums of values of which no two may come through one port."""
    ra, rb, accumulators = (RegisterFile(name, count, 1) for name, count in (("ra", 3), ("rb", 2), ("r", 5)))
    r4 = accumulators[4]
    anywhere = RegisterClass.of("any", accumulators.registers()[:1], ra, rb)
    port = RegisterClass.of("r4", [r4])
    special = MachineOp("recip", "each", ("each",))
    add = MachineOp("fadd", "each", ("each", "each"), separate=((0, 1),))
    switch = MachineOp("thrsw", "none", (), effect=True, clobbers=accumulators.registers())
    function = MachineFunction("main")
    inputs = (ra[0], rb[0], ra[1])
    function.live_in.update(dict.fromkeys(inputs, (0,)))
    block = function.add_block("entry")
    values = []
    for source in inputs:
        result, kept = function.new_register(1, port), function.new_register(1, anywhere)
        block.append(MachineInstruction(special, [Def(result)], [Use(source)]))
        block.append(MachineInstruction(MOVE, [Def(kept)], [Use(result)]))
        values.append(kept)
    block.append(MachineInstruction(switch))
    sums = [function.new_register(1, anywhere) for _ in range(3)]
    for target, (a, b) in zip(sums, ((0, 1), (1, 2), (0, 2)), strict=True):
        block.append(MachineInstruction(add, [Def(target)], [Use(values[a]), Use(values[b])]))
        block.append(MachineInstruction(OUT, [], [Use(target), Use(ra[0])]))
    made = _run(function, _Vc4())
    recips = [number for number, each in enumerate(made) if each.op is special]
    assert all(made[number].defs[0].register == r4 for number in recips)
    assert all(made[number + 1].uses[0].register == r4 for number in recips), "moved before the next one comes"
    for each in made:
        if each.op is add:
            banks = [use.register.file.name for use in each.uses if isinstance(use.register, Register)]
            registers = {use.register for use in each.uses}
            assert len(registers) == 1 or banks[0] != banks[1] or banks[0] == "r"
    waiting = [made[number + 1].defs[0].register for number in recips]
    assert not any(register in accumulators.registers() for register in waiting), "those are lost at the switch"


def test_theia_setx_changes_the_row_that_it_reads() -> None:
    """A row is made by SETX, SETY and SETZ of one register; a version of it from before lives on in another."""
    rows = RegisterFile("R", 3, 1)
    temporaries = RegisterClass.of("row", rows)
    copy = MachineOp("ZERO", "each", ())
    setters = [MachineOp(name, "each", ("each",), tied=((0, 0),)) for name in ("SETX", "SETY", "SETZ")]
    function = MachineFunction("main")
    block = function.add_block("entry")
    zero, *steps = (function.new_register(1, temporaries) for _ in range(4))
    block.append(MachineInstruction(copy, [Def(zero)]))
    for setter, source, target in zip(setters, [zero, *steps], steps, strict=False):
        block.append(MachineInstruction(setter, [Def(target)], [Use(source)]))
    block.append(MachineInstruction(OUT, [], [Use(steps[-1]), Use(steps[0])]))
    made = _run(function)
    assert [each.op.name for each in made] == ["ZERO", "SETX", "mov", "SETY", "SETZ", "out"]
    for each in made:
        if each.op in setters:
            assert each.defs[0].register == each.uses[0].register
    last, first = (use.register for use in made[-1].uses)
    assert last != first
