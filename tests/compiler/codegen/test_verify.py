"""Machine code that breaks a rule is told which, and where."""

from __future__ import annotations

from random import Random

import pytest

from compiler.codegen.machine import MachineFunction, MachineOp
from compiler.codegen.machine_parser import Vocabulary, parse_machine
from compiler.codegen.registers import RegisterFile
from compiler.codegen.verify import verify_machine
from tests.compiler.codegen.machine_programs import ADD, ANY, CMP, DOT, FLAGS, MOV, SELECT, SEND, R, V, straight_line

C = RegisterFile("c", 8, writable=False)
O = RegisterFile("o", 2, readable=False)  # noqa: E741
BRANCH = MachineOp("branch", "none", terminator=True)
CROSS = MachineOp("cross", "fixed", ("fixed", "fixed"), early_clobber=True)
MATRIX = MachineOp("matrix", "each", ("slots", "each", "each"), contiguous=((1, 2),))
INSERT = MachineOp("insert", "each", ("each", "each"), tied=((0, 0),))
SWITCH = MachineOp("switch", "none", effect=True, clobbers=(R[3],))
VOCABULARY = Vocabulary.of(
    (ADD, MOV, DOT, CMP, SELECT, SEND, BRANCH, CROSS, MATRIX, INSERT, SWITCH), (R, V, C, O, FLAGS), (ANY,)
)


def parse(*lines: str) -> MachineFunction:
    return parse_machine("\n".join(["func @main {", "  live-in v0.xyzw", *lines, "}"]), VOCABULARY)


def verify(*lines: str) -> list[str]:
    return verify_machine(parse("^entry:", *lines))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("r0.xy = add v0.xy, v0.x", "source 2: reads 1 lanes, the result has 2"),
        ("r0.xy = add v0.xy", "has 1 sources, add reads 2"),
        ("r0.x = cmp v0.x, v0.x", "cmp has no result"),
        ("cmp? v0.x, v0.x", "is conditional, but writes nothing"),
        ("r0.xx = mov v0.xy", "result: writes a component of r0 twice"),
        ("r0. = mov v0.", "result: has no lanes"),
        ("c0.x = mov v0.x", "result: c0 cannot be written"),
        ("r0.x = mov o0.x", "source 1: o0 cannot be read"),
        ("%0:temporary2.xz = mov v0.xy", "result: %0 has 2 components, found number 2"),
        ("r0.xyz = cross v0.xyz, v0.yzx", "source 2: has a swizzle, where cross can have none"),
        ("r0.xyz = cross v0.xyz, r0.xyz", "source 2: r0 is overwritten before it is read"),
        ("r0.xy = matrix v0.xyz, c1.xy, c3.xy", "sources 2 to 3: must be neighbours, found c1, c3"),
        ("r0.xy = insert c1.xy, v0.xy", "source 1: must be what is overwritten, r0, found c1"),
        ("r0.x = mov r1.y", "reads r1.y, which is not written on every path to here"),
        ("r0.x = select v0.x", "reads flags0, which is not written on every path to here"),
        ("branch -> ^entry", "leads to ^entry, which is no successor of its block"),
    ],
)
def test_instructions(line: str, fault: str) -> None:
    assert verify(f"  {line}") == [f"^entry: {line}: {fault}"]


def test_what_keeps_the_rules_has_no_faults() -> None:
    assert not verify(
        "  %0:temporary3.xz = mov v0._y",
        "  r1.xy = mov v0.xy",
        "  r2.xyz = cross v0.xy_, c1.xyz",
        "  r1.xy = insert r1.xy, v0.zw",
        "  r3.xy = matrix %0.xxz, c1.xy, c2.xy",
        "  cmp r3.x, r3.y",
        "  r3.x = select? v0.x",
        "  send r3.x",
    )
    for seed in range(20):
        function = straight_line(Random(seed), 30)
        assert not [fault for fault in verify_machine(function) if "flags0" not in fault]


def test_branches_end_blocks() -> None:
    function = parse("^entry -> ^end:", "  branch -> ^end", "  r0.x = mov v0.x", "^end:")
    assert verify_machine(function) == ["^entry: r0.x = mov v0.x: stands after a terminator"]
    function.blocks.pop()
    assert verify_machine(function)[0] == "^entry: its successor ^end is not in the function"


DIAMOND = """\
^entry -> ^then, ^else:
  %0:temporary2.x = mov v0.x
  branch -> ^then
^then -> ^join:
  %0:temporary2.y = mov v0.x
^else -> ^join:
  {}
^join:
  send %0.{}
"""


@pytest.mark.parametrize(
    ("otherwise", "read", "is_sound"),
    [("send v0.x", "x", True), ("send v0.x", "y", False), ("%0:temporary2.y = mov? v0.x", "y", True)],
)
def test_every_way_must_write_what_is_read(otherwise: str, read: str, is_sound: bool) -> None:
    function = parse(*DIAMOND.format(otherwise, read).splitlines())
    fault = "^join: send %0.y: reads %0.y, which is not written on every path to here"
    assert verify_machine(function) == ([] if is_sound else [fault])
    assert not verify_machine(function, defined=False)


def test_loops_may_read_what_an_earlier_round_wrote_only_if_it_was_written_before() -> None:
    loop = ("^loop -> ^loop, ^end:", "  send r0.x", "  r0.x = mov v0.x", "  branch -> ^loop", "^end:")
    fault = "^loop: send r0.x: reads r0.x, which is not written on every path to here"
    assert verify_machine(parse("^entry -> ^loop:", *loop)) == [fault]
    assert not verify_machine(parse("^entry -> ^loop:", "  r0.x = mov v0.x", *loop))


def test_what_is_lost_is_no_longer_written() -> None:
    faults = verify("  r3.x = mov v0.x", "  r4.x = mov v0.x", "  switch", "  send r4.x", "  send r3.x")
    assert faults == ["^entry: send r3.x: reads r3.x, which is not written on every path to here"]


def test_words_read_before_they_write() -> None:
    lines = ("  r0.x = mov v0.x", "  r1.x = mov v0.x | send r1.x")
    fault = "^entry: send r1.x: reads r1.x, which is not written on every path to here"
    assert verify_machine(parse("^entry bundled:", *lines)) == [fault]
    function = parse("^entry bundled:", *lines)
    function.entry.instructions.pop()
    assert verify_machine(function) == ["^entry: its words have other instructions than the block"]
