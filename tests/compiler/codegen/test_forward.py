"""Forwarding of outputs."""

from __future__ import annotations

from glslc_multi.compiler.codegen.forward import forward_outputs
from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register, RegisterClass, RegisterFile

R = RegisterFile("r", 16)
O = RegisterFile("o", 8, readable=False)  # noqa: E741
V = RegisterFile("v", 8, writable=False)
ANY = RegisterClass.of("temporary", R)

ADD = MachineOp("add", "each", ("each", "each"))
DOT = MachineOp("dot", "replicate", ("slots", "slots"))
CROSS = MachineOp("cross", "fixed", ("slots", "slots"))
MOV = MachineOp("mov", "each", ("each",), copy=True)
BRANCH = MachineOp("branch", "none", ("slots",), effect=True, terminator=True)
EMIT = MachineOp("emit", "none", (), effect=True)


class Program:
    """A function with one virtual register of four components, and blocks to fill."""

    def __init__(self, blocks: int = 1) -> None:
        self.function = MachineFunction("main")
        self.blocks = [self.function.add_block(f"b{number}") for number in range(blocks)]
        self.value = self.register()

    def register(self, width: int = 4) -> VirtualRegister:
        return self.function.new_register(width, ANY)

    def put(self, op: MachineOp, target: Def | None, *sources: Use, block: int = 0) -> MachineInstruction:
        return self.blocks[block].append(MachineInstruction(op, [target] if target else [], sources))

    def add(self, lanes: tuple[int, ...], register: VirtualRegister | None = None, block: int = 0) -> None:
        sources = (Use(V[0], lanes), Use(V[1], lanes[::-1]))
        self.put(ADD, Def(register or self.value, lanes), *sources, block=block)

    def copy(self, output: int, lanes: tuple[int, ...], source: tuple[int, ...], block: int = 0) -> None:
        self.put(MOV, Def(O[output], lanes), Use(self.value, source), block=block)

    def forward(self) -> list[str]:
        forward_outputs(self.function, lambda register: register.file is O)
        return [text(instruction) for instruction in self.function.instructions()]


def text(instruction: MachineInstruction) -> str:
    def operand(register: object, lanes: tuple[int | None, ...]) -> str:
        return f"{register}." + "".join("_" if lane is None else "xyzw"[lane] for lane in lanes)

    parts = [operand(part.register, part.lanes) for part in instruction.defs]
    parts += [operand(part.register, part.lanes) for part in instruction.uses]
    return f"{instruction.op.name} {', '.join(parts)}"


ALL = (0, 1, 2, 3)


def test_the_writer_of_a_copied_value_writes_the_output() -> None:
    program = Program()
    program.add(ALL)
    program.copy(0, ALL, ALL)
    assert program.forward() == ["add o0.xyzw, v0.xyzw, v1.wzyx"]


def test_lanes_of_sources_follow_those_of_the_result() -> None:
    program = Program()
    program.add((0, 1))
    program.copy(2, (1, 2, 3), (1, 0, 1))
    assert program.forward() == ["add o2.yzw, v0.yxy, v1.xyx"]


def test_replicated_results_go_anywhere_and_fixed_ones_stay() -> None:
    for op, lanes, expected in [
        (DOT, (2, 3), ["dot o0.zw, v0.xyz, v1.xyz"]),
        (CROSS, (0, 1), ["cross o0.xy, v0.xyz, v1.xyz"]),
        (CROSS, (1, 0), ["cross %0.xy, v0.xyz, v1.xyz", "mov o0.yx, %0.xy"]),
    ]:
        program = Program()
        program.put(op, Def(program.value, (0, 1)), Use(V[0], (0, 1, 2)), Use(V[1], (0, 1, 2)))
        program.copy(0, lanes, (0, 1))
        assert program.forward() == expected


def test_parts_that_others_read_are_copied_still() -> None:
    program = Program()
    program.add((0, 1))
    program.add((2,))
    program.put(ADD, Def(program.register(1), (0,)), Use(program.value, (2,)), Use(V[1], (0,)))
    program.copy(0, (0, 1, 2), (0, 1, 2))
    assert program.forward() == [
        "add o0.xy, v0.xy, v1.yx",
        "add %0.z, v0.z, v1.z",
        "add %1.x, %0.z, v1.x",
        "mov o0.z, %0.z",
    ]


def test_components_that_one_instruction_writes_go_together() -> None:
    program = Program()
    program.add((0, 1))
    program.copy(0, (0,), (0,))
    program.copy(1, (0,), (1,))
    assert len(program.forward()) == 3


def test_signs_and_conditions_stay_copies() -> None:
    for change in ("negate", "conditional", "attributes"):
        program = Program()
        program.add(ALL)
        program.copy(0, ALL, ALL)
        copy = program.blocks[0].instructions[-1]
        if change == "negate":
            copy.uses[0].negate = True
        elif change == "conditional":
            program.blocks[0].instructions[0].conditional = True
        else:
            copy.attributes["saturate"] = True
        assert len(program.forward()) == 2


def diamond(then: bool = True, otherwise: bool = True, first: bool = False) -> list[str]:
    """Writers in the arms, or before them, of an if; the copy is after it."""
    program = Program(4)
    entry, one, other, join = program.blocks
    _edges({entry: [one, other], one: [join], other: [join]})
    if first:
        program.add(ALL)
    program.put(BRANCH, None, Use(V[3], (0,)))
    if then:
        program.add(ALL, block=1)
    if otherwise:
        program.add(ALL, block=2)
    program.copy(0, ALL, ALL, block=3)
    return [line for line in program.forward() if not line.startswith("branch")]


def _edges(successors: dict[MachineBlock, list[MachineBlock]]) -> None:
    for block, following in successors.items():
        block.successors = following


def test_each_way_must_write_once() -> None:
    add = "add o0.xyzw, v0.xyzw, v1.wzyx"
    assert diamond() == [add, add]
    assert diamond(then=False, otherwise=False, first=True) == [add]
    assert "mov o0.xyzw, %0.xyzw" in diamond(otherwise=False)
    assert "mov o0.xyzw, %0.xyzw" in diamond(otherwise=False, first=True)


def test_copies_at_phis_let_their_sources_write() -> None:
    program = Program(4)
    entry, one, other, join = program.blocks
    _edges({entry: [one, other], one: [join], other: [join]})
    phi = program.register()
    program.put(BRANCH, None, Use(V[3], (0,)))
    for block in (1, 2):
        computed = program.register()
        program.add(ALL, computed, block)
        program.put(MOV, Def(phi, ALL), Use(computed, ALL), block=block)
    program.put(MOV, Def(program.value, ALL), Use(phi, ALL), block=3)
    program.copy(0, ALL, ALL, block=3)
    add = "add o0.xyzw, v0.xyzw, v1.wzyx"
    assert program.forward() == ["branch v3.x", add, add]


def test_writers_in_loops_stay() -> None:
    program = Program(3)
    entry, loop, end = program.blocks
    _edges({entry: [loop], loop: [loop, end]})
    program.add(ALL, block=1)
    program.put(BRANCH, None, Use(V[3], (0,)), block=1)
    program.copy(0, ALL, ALL, block=2)
    assert program.forward()[-1] == "mov o0.xyzw, %0.xyzw"


def test_a_writer_beside_its_copy_goes_even_in_a_loop() -> None:
    program = Program(3)
    entry, loop, end = program.blocks
    _edges({entry: [loop], loop: [loop, end]})
    program.add(ALL, block=1)
    program.copy(0, ALL, ALL, block=1)
    program.put(EMIT, None, block=1)
    program.put(BRANCH, None, Use(V[3], (0,)), block=1)
    assert program.forward() == ["add o0.xyzw, v0.xyzw, v1.wzyx", "emit ", "branch v3.x"]


def test_a_writer_without_the_copy_stays() -> None:
    program = Program(3)
    entry, then, end = program.blocks
    _edges({entry: [then, end], then: [end]})
    program.add(ALL)
    program.put(BRANCH, None, Use(V[3], (0,)))
    program.copy(0, ALL, ALL, block=1)
    assert program.forward()[-1] == "mov o0.xyzw, %0.xyzw"


def test_outputs_written_several_times_are_forwarded_between_effects() -> None:
    program = Program()
    values = [program.register() for _ in range(2)]
    for value in values:
        program.add(ALL, value)
        program.put(MOV, Def(O[0], ALL), Use(value, ALL))
        program.put(EMIT, None)
    add = "add o0.xyzw, v0.xyzw, v1.wzyx"
    assert program.forward() == [add, "emit ", add, "emit "]


def test_an_effect_between_writer_and_copy_keeps_the_copy() -> None:
    program = Program()
    early = program.register()
    program.add(ALL, early)
    program.add(ALL)
    program.copy(0, ALL, ALL)
    program.put(EMIT, None)
    program.put(MOV, Def(O[0], ALL), Use(early, ALL))
    program.put(EMIT, None)
    assert "mov o0.xyzw, %1.xyzw" in program.forward()


def test_the_target_may_refuse() -> None:
    program = Program()
    program.add(ALL)
    program.copy(0, ALL, ALL)
    refused: list[tuple[str, Register | VirtualRegister]] = []

    def can_write(instruction: MachineInstruction, definition: Def) -> bool:
        refused.append((instruction.op.name, definition.register))
        return False

    forward_outputs(program.function, lambda register: register.file is O, can_write)
    assert refused == [("add", O[0])]
    assert len(program.blocks[0].instructions) == 2


def test_components_of_an_output_that_is_written_again_and_again_are_forwarded_one_by_one() -> None:
    program = Program()
    for vertex in (0, 1):
        parts = [program.register(1) for _ in range(2)]
        for number, part in enumerate(parts):
            program.put(DOT, Def(part, (0,)), Use(V[number], ALL), Use(V[2 + vertex], ALL))
        for number, part in enumerate(parts):
            program.put(MOV, Def(O[0], (number,)), Use(part, (0,)))
        program.put(EMIT, None)
    dots = [[f"dot o0.{'xy'[number]}, v{number}.xyzw, v{2 + vertex}.xyzw" for number in (0, 1)] for vertex in (0, 1)]
    assert program.forward() == [*dots[0], "emit ", *dots[1], "emit "]


def test_a_component_that_is_written_between_is_not_forwarded() -> None:
    program = Program()
    program.put(DOT, Def(program.value, (0,)), Use(V[0], ALL), Use(V[1], ALL))
    program.put(MOV, Def(O[0], (0,)), Use(V[2], (0,)))
    program.copy(0, (0,), (0,))
    assert program.forward()[-1] == "mov o0.x, %0.x"
