"""What both arms of an if begin or end with: both ways do the same as before, in fewer words."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.backends.pica200.codegen import common_ends
from glslc_multi.backends.pica200.codegen.common_ends import merge_common_ends
from glslc_multi.backends.pica200.codegen.machine_ops import BRANCH, EMIT, END, JUMP, OPS, SETEMIT
from glslc_multi.backends.pica200.codegen.register_files import ADDRESS, OUTPUTS, TEMPORARIES
from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
)
from glslc_multi.compiler.codegen.registers import Register
from tests.backends.pica200.codegen.test_geometry import test_triangles_are_those_of_the_evaluator as compare
from tests.backends.pica200.codegen.test_shared_vertices import HEAD, SHAPES, UNIFORMS

R0, R1, O0 = TEMPORARIES[0], TEMPORARIES[1], OUTPUTS[0]
CALL = MachineOp("CALL", result="none", effect=True)
#: Register -> what it holds: the register that had it at the start.
State = dict[object, object]


def mov(target: Register, source: Register) -> MachineInstruction:
    return MachineInstruction(OPS["MOV"], [Def(target)], [Use(source)])


def some_word(chance: Random) -> MachineInstruction:
    kind = chance.randrange(12)
    if kind == 0:
        return MachineInstruction(EMIT)
    if kind == 1:
        return MachineInstruction(SETEMIT, attributes={"emission": chance.randrange(2)})
    if kind == 2:
        return MachineInstruction(OPS["CMP"], [], [Use(chance.choice((R0, R1))), Use(R0)])
    if kind == 3:
        return MachineInstruction(CALL)
    if kind == 4:
        return mov(ADDRESS, chance.choice((R0, R1)))
    return mov(chance.choice((R0, R1, O0)), chance.choice((R0, R1, TEMPORARIES[2])))


def branching(first: list[MachineInstruction], second: list[MachineInstruction]) -> MachineFunction:
    function = MachineFunction("main")
    head, *arms, join = (function.add_block(name) for name in ("head", "first", "second", "join"))
    head.instructions = [MachineInstruction(OPS["CMP"], [], [Use(R0), Use(R1)]), MachineInstruction(BRANCH)]
    head.successors = arms
    for arm, words in zip(arms, (first, second), strict=True):
        arm.instructions = [*words, MachineInstruction(JUMP)]
        arm.successors = [join]
    join.instructions = [MachineInstruction(END)]
    return function


def run(function: MachineFunction, way: int) -> tuple[list[object], State]:
    """What happens on one way, and what registers hold after it."""
    state: State = {}
    events: list[object] = []
    block: MachineBlock | None = function.entry
    while block is not None:
        for word in block.instructions:
            sources = [state.get(use.register, use.register) for use in word.uses]
            if word.op in (EMIT, CALL):
                seen = (O0, SETEMIT) if word.op is EMIT else (O0, SETEMIT, R0, R1, ADDRESS)
                events.append((word.op, *map(state.get, seen)))
            elif word.op is SETEMIT:
                state[SETEMIT] = word.attributes["emission"]
            elif word.op is OPS["CMP"]:
                state["flags"] = sources
            elif word.op is BRANCH:
                state["condition"] = state.get("flags")
            elif word.defs:
                state[word.defs[0].register] = sources[0]
        block = block.successors[way % len(block.successors)] if block.successors else None
    return events, state


@pytest.mark.parametrize("seed", range(200))
def test_both_ways_do_the_same(seed: int) -> None:
    chance = Random(seed)
    words = [some_word(chance) for _ in range(chance.randint(2, 7))]
    arms = [list(words), [MachineInstruction(w.op, w.defs, w.uses, attributes=w.attributes) for w in words]]
    for arm in arms:
        for _ in range(chance.randint(0, 2)):
            arm.insert(chance.randrange(len(arm) + 1), some_word(chance))
        if chance.random() < 0.3:
            chance.shuffle(arm)
    function = branching(*arms)
    before = sum(1 for _ in function.instructions())
    wanted = [run(function, way) for way in (0, 1)]
    merge_common_ends(function)
    assert [run(function, way) for way in (0, 1)] == wanted
    assert sum(1 for _ in function.instructions()) <= before


def test_what_is_alike_stands_once() -> None:
    words = [mov(R0, TEMPORARIES[2]), mov(O0, R0), MachineInstruction(EMIT)]
    copies = [MachineInstruction(each.op, each.defs, each.uses) for each in words]
    function = branching([*words, mov(R1, R0)], [*copies, mov(R1, TEMPORARIES[3])])
    merge_common_ends(function)
    assert [len(block.instructions) for block in function.blocks] == [5, 2, 2, 1]


#: The first vertex and the last one are the same in both arms; those between are in one arm each.
ARMS = (
    HEAD
    + """void corner(vec4 place) {
    gl_Position = place;
    color = v_color[1] + u_shift;
    EmitVertex();
}
void main() {
    vec4 a = gl_PositionIn[0], b = gl_PositionIn[1], c = gl_PositionIn[2];
    texcoord0 = a.xy;
    if (a.x < b.x) {
        corner(a); corner(b + c); corner(c); corner(a - c);
    } else {
        corner(a); corner(c.wzyx); corner(a - c);
    }
}
"""
)


def test_vertices_of_both_arms() -> None:
    compare(ARMS, SHAPES, {"u_shift": UNIFORMS["u_shift"]}, 2)


def test_order_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a look at what is passed, something comes out differently."""
    monkeypatch.setattr(common_ends, "_conflicts", lambda *_: False)
    with pytest.raises(AssertionError):
        for seed in range(200):
            test_both_ways_do_the_same(seed)
