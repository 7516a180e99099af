"""Joined moves: whatever they do, they do the same as one after the other; and runs that must become shorter."""

from __future__ import annotations

from random import Random

from glslc_multi.backends.pica200.codegen.machine_ops import OPS
from glslc_multi.backends.pica200.codegen.moves import join_moves
from glslc_multi.backends.pica200.codegen.register_files import CONSTANTS, TEMPORARIES
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register

R0, R1, C0 = TEMPORARIES[0], TEMPORARIES[1], CONSTANTS[0]
#: Register and component -> what it holds: where the number was at the start, and its sign.
State = dict[tuple[Register, int], tuple[Register, int, bool]]


def mov(target: Register, lanes: str, source: Register, swizzle: str, *, negate: bool = False) -> MachineInstruction:
    numbers = [tuple("xyzw".index(letter) for letter in letters) for letters in (lanes, swizzle)]
    return MachineInstruction(OPS["MOV"], [Def(target, numbers[0])], [Use(source, numbers[1], negate)])


def joined(*moves: MachineInstruction) -> list[MachineInstruction]:
    function = MachineFunction("main")
    function.add_block("entry").instructions = list(moves)
    join_moves(function)
    return function.entry.instructions


def run(moves: list[MachineInstruction]) -> State:
    state: State = {}
    for move in moves:
        (target,), (source,) = move.defs, move.uses
        assert isinstance(source.register, Register) and isinstance(target.register, Register)
        read = []
        for lane in source.lanes:
            assert lane is not None
            register, component, sign = state.get((source.register, lane), (source.register, lane, False))
            read.append((register, component, sign ^ source.negate))
        state |= {(target.register, lane): value for lane, value in zip(target.lanes, read, strict=True)}
    return state


def test_random_runs_do_the_same() -> None:
    random = Random(1)
    shorter = 0
    for _ in range(2000):
        moves = []
        for _ in range(random.randint(2, 5)):
            lanes = "".join(sorted(random.sample("xyzw", random.randint(1, 2))))
            swizzle = "".join(random.choice("xyzw") for _ in lanes)
            source = random.choice((R0, R1, C0))
            moves.append(mov(random.choice((R0, R1)), lanes, source, swizzle, negate=random.random() < 0.2))
        wanted = run(moves)
        made = joined(*moves)
        assert run(made) == wanted
        shorter += len(made) < len(moves)
    assert shorter > 300


def test_what_is_joined() -> None:
    """From one register to one register, or inside of one, and over moves of other registers."""
    for moves in (
        (mov(R1, "x", R0, "y"), mov(R1, "zw", R0, "yx")),
        (mov(R0, "x", R0, "z"), mov(R0, "y", R0, "w")),
        (mov(R0, "y", R0, "x"), mov(R0, "x", R0, "z")),
        (mov(R1, "x", C0, "y", negate=True), mov(R1, "z", C0, "y", negate=True)),
    ):
        assert len(joined(*moves)) == 1
    over = joined(mov(R1, "x", C0, "y"), mov(R0, "x", CONSTANTS[1], "y"), mov(R1, "z", C0, "x"))
    assert [made.defs[0].lanes for made in over] == [(0, 2), (0,)]
    assert len(joined(mov(R1, "x", C0, "y"), mov(R0, "x", R1, "y"), mov(R1, "z", C0, "x"))) == 2


def test_what_is_not_joined() -> None:
    """Other signs, other registers, a component written twice or read in between, and what is no move."""
    for moves in (
        (mov(R1, "x", C0, "y", negate=True), mov(R1, "z", C0, "y")),
        (mov(R1, "x", C0, "y"), mov(R0, "z", C0, "y")),
        (mov(R1, "x", C0, "y"), mov(R1, "z", CONSTANTS[1], "y")),
        (mov(R1, "x", C0, "y"), mov(R1, "x", C0, "z")),
        (mov(R0, "x", R0, "y"), mov(R0, "z", R0, "x")),
    ):
        assert len(joined(*moves)) == 2
    add = MachineInstruction(OPS["ADD"], [Def(R0, (0,))], [Use(C0, (0,)), Use(R0, (0,))])
    assert len(joined(mov(R1, "x", C0, "y"), add, mov(R1, "z", C0, "x"))) == 3
    assert len(joined(mov(R1, "x", C0, "y"), mov(R0, "x", R1, "x"), mov(R1, "z", C0, "x"))) == 2
    between = joined(mov(R1, "z", C0, "y"), mov(R0, "x", R1, "x"), mov(R1, "x", C0, "x"))
    assert len(between) == 3
