"""Where the code of a procedure may stand in place of a call, and what runs then."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from glslc_multi.backends.pica200.codegen.machine_ops import BRANCH, END, IF_X, JUMP, OPS
from glslc_multi.backends.pica200.codegen.procedures import in_place
from glslc_multi.backends.pica200.codegen.procedures.in_place import choose_places
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineInstruction, MachineOp
from glslc_multi.compiler.codegen.phases import InvalidCode
from glslc_multi.compiler.codegen.regions import Basic, If, Loop, Region, Seq
from tests.backends.pica200.codegen.test_geometry import test_triangles_are_those_of_the_evaluator as compare
from tests.backends.pica200.codegen.test_shared_vertices import HEAD, SHAPES, UNIFORMS

CALL = MachineOp("CALL", result="none", effect=True)


def block(words: str, end: MachineOp = JUMP) -> MachineBlock:
    """A block of calls (c) and other words (.)."""
    found = MachineBlock("block", 0)
    found.instructions = [MachineInstruction(CALL if letter == "c" else OPS["MOV"]) for letter in words]
    found.instructions.append(MachineInstruction(end, attributes={"condition": IF_X} if end is BRANCH else {}))
    return found


def basic(words: str, end: MachineOp = JUMP) -> Basic[MachineBlock]:
    return Basic(block(words, end))


def branch(before: str, then: str, orelse: str) -> If[MachineBlock]:
    return If(block(before, BRANCH), Seq([basic(then)]), Seq([basic(orelse)]))


@pytest.mark.parametrize(
    ("parts", "chosen"),
    [
        pytest.param([basic("c.c..", END)], 0, id="the first one"),
        pytest.param([basic("c.c")], 1, id="the last word"),
        pytest.param([basic("c.c", END)], 0, id="END is the last word"),
        pytest.param([branch("", "c", "..")], None, id="the end of a first part"),
        pytest.param([branch("", "..c", ".c")], 1, id="the end of a second part"),
        pytest.param([branch("c", ".", "..")], 0, id="before a condition"),
        pytest.param([branch("", "c.", "..")], 0, id="within a first part"),
        pytest.param([Loop(Seq([basic(".c")]))], None, id="the end of a loop"),
        pytest.param(
            [Loop(Seq[MachineBlock]([branch("", "c", ".c"), basic("")]))], 1, id="the end of a second part in a loop"
        ),
    ],
)
def test_places(parts: Sequence[Region[MachineBlock]], chosen: int | None) -> None:
    function = Seq[MachineBlock]([*parts])
    calls = [word for word in _instructions(function) if word.op is CALL]
    assert choose_places([function], {CALL}) == (set() if chosen is None else {calls[chosen]})


def _instructions(region: Region[MachineBlock]) -> list[MachineInstruction]:
    if isinstance(region, Seq):
        return [word for part in region.parts for word in _instructions(part)]
    if isinstance(region, Loop):
        return _instructions(region.body)
    arms = Seq[MachineBlock]([region.then, region.orelse or Seq()] if isinstance(region, If) else [])
    return [*region.block.instructions, *_instructions(arms)]


#: Vertices in both arms of an if, the last ones at its end.
IN_ARMS = (
    HEAD
    + """void corner(vec4 place) {
    gl_Position = u * place;
    color = v_color[0] + place;
    EmitVertex();
}
void main() {
    vec4 a = gl_PositionIn[0], b = gl_PositionIn[1], c = gl_PositionIn[2];
    texcoord0 = a.xy;
    if (a.x < b.x) {
        corner(a); corner(b + c); corner(c); corner(a - c);
    } else {
        corner(b); corner(c + a); corner(a);
        if (b.y < c.y) { corner(b - a); corner(c - b); }
    }
}
"""
)


def test_arms_that_call_what_stands_in_them() -> None:
    compare(IN_ARMS, SHAPES, {"u": UNIFORMS["u"]}, 2)


def test_what_stands_where_blocks_turn_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The validator is the second opinion: a procedure at the end of a first part does not return."""
    turned = {"words": "words", "end": "end", "turn": "end"}
    find = in_place._calls
    monkeypatch.setattr(in_place, "_calls", lambda *all: ((call, turned[follows]) for call, follows in find(*all)))
    with pytest.raises(InvalidCode, match="shared-block-end"):
        compare(IN_ARMS, SHAPES, {"u": UNIFORMS["u"]}, 2)
