"""Machine code prints and parses back."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from compiler.codegen.machine import (
    Def,
    Literal32,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Uniform,
    Use,
)
from compiler.codegen.machine_parser import MachineTextError, Vocabulary, parse_machine
from compiler.codegen.machine_text import print_machine
from compiler.codegen.registers import RegisterClass, RegisterFile
from compiler.ir.types import FLOAT, VEC4
from compiler.ir.variables import Variable
from tests.compiler.codegen.machine_programs import ADD, ANY, CMP, DOT, FLAGS, MOV, SELECT, SEND, R, V, straight_line
from tests.work import count_calls

ACCUMULATORS = RegisterFile("acc", 4, components=1)
NARROW = RegisterClass.of("acc0", ACCUMULATORS.registers()[:1])
BRANCH = MachineOp("branch", "none", terminator=True)


class Mode:
    """A value of a target that is no plain data."""

    def __str__(self) -> str:
        return "16a"


MODE = Mode()
LIGHTS = Variable("lights[].pos", "uniform", VEC4, dims=(3,))
SCALE = Variable("u_scale", "uniform", FLOAT)
VOCABULARY = Vocabulary.of(
    (ADD, MOV, DOT, CMP, SELECT, SEND, BRANCH),
    (R, V, FLAGS, ACCUMULATORS),
    (ANY, NARROW),
    {variable.name: variable for variable in (LIGHTS, SCALE)},
    (MODE,),
)

EVERYTHING = """\
func @main {
  live-in v0.xyzw, acc1
  live-out r0.xy
  undefined %2:temporary2
^entry -> ^loop:
  %0:temporary3.zx = add v0.xy, -@lights[].pos[2].0.wz
  %1:acc01 = mov acc1
  %3:temporary4!.xyzw = mov |@u_scale[0].0.xxxx[%1]<16a>|
  %0:temporary3.y = mov? (1.0, _, -2, inf).x {condition='a = b, {c | d} -> e', mode=16a, saturate=True}
^loop -> ^loop, ^end:
  cmp -|%0.x|, %2._
  branch -> ^loop, ^end
^end bundled:
  r0.x = mov %0.x | acc1 = mov acc2
  %4:temporary1, %4:temporary1 = dot %0.xyz, %0.xyz
}
"""


def test_what_is_parsed_prints_the_same() -> None:
    assert print_machine(parse_machine(EVERYTHING, VOCABULARY)) == EVERYTHING


def test_what_the_text_means() -> None:
    function = parse_machine(EVERYTHING, VOCABULARY)
    entry, loop, end = function.blocks
    first, second, third, fourth = entry.instructions
    assert first.defs[0].lanes == (2, 0)
    assert first.uses[1].register == Uniform(LIGHTS, 2, 0)
    assert first.uses[1].negate and not first.uses[1].absolute
    assert second.defs[0].register is function.registers[1]
    assert (third.uses[0].extra, third.uses[0].absolute) == (MODE, True)
    relative = third.uses[0].relative
    assert relative is not None and relative.register is function.registers[1]
    assert function.registers[3].ordered
    assert fourth.uses[0].register == Literal32((1.0, None, -2, float("inf")))
    assert fourth.attributes == {"condition": "a = b, {c | d} -> e", "mode": MODE, "saturate": True}
    assert fourth.conditional
    assert loop.successors == [loop, end] == loop.instructions[-1].targets
    assert end.slots is not None and [len(slot) for slot in end.slots] == [2, 1]
    assert function.live_in == {V[0]: (0, 1, 2, 3), ACCUMULATORS[1]: (0,)}


def test_random_programs_come_back() -> None:
    for seed in range(30):
        text = print_machine(straight_line(Random(seed), 30, physical=seed % 2 == 0))
        assert print_machine(parse_machine(text, VOCABULARY)) == text


def test_numbers_that_no_register_has_are_closed_up() -> None:
    function = MachineFunction("main")
    function.new_register(1, ANY)
    used = function.new_register(2, ANY)
    function.add_block("entry").append(MachineInstruction(MOV, [Def(used, (0, 1))], [Use(V[0], (0, 1))]))
    assert "%0:temporary2.xy = mov v0.xy" in print_machine(parse_machine(print_machine(function), VOCABULARY))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("r0.x = frob r1.x", "line 3: no instruction is called frob"),
        ("r9.x = mov r1.x", "line 3: no register is called r9"),
        ("%0:vector1 = mov r1.x", "line 3: no register class is called vector"),
        ("r1.x = mov %0", "line 3: %0 is written nowhere"),
        ("r1.x = mov @u_none[0].0.x", "line 3: no uniform is called u_none"),
        ("r1.x = mov (1.0, x).x", "line 3: expected a number or '_', found x"),
        ("r1.x = mov r1.x {mode=17a}", "line 3: nothing is called 17a"),
        ("(1.0).x = mov r1.x", "line 3: (1.0).x cannot be written"),
        ("r1._ = mov r1.x", "line 3: r1._ cannot be written"),
        ("branch -> ^nowhere", "line 3: there is no block ^nowhere"),
        ("^entry:", "line 3: block ^entry stands here a second time"),
        ("r1.x = mov r1.q", "line 3: expected a register, found r1.q"),
        ("%0:temporary1, %0:temporary2 = mov r0.x", "line 3: %0 has another type above"),
        ("r1.x = mov r1.x,", "line 3: expected a register, found the end of the line"),
        ("r1.x = mov r1.x r1.y", "line 3: expected the end of the line, found r1.y"),
        ("r1.x = mov |r1.x", "line 3: expected '|', found the end of the line"),
        ("branch -> nowhere", "line 3: expected '^' and the name of a block, found nowhere"),
        ("r1.x = mov r1.x {mode=(1, 2}", "line 3: expected '}', found the end of the line"),
        ("r1.x = mov r1.x {mode=(1, 2", "line 3: expected a closing bracket, found the end of the line"),
        ("r1.x = mov r1.x {mode=" + "(" * 1000, "line 3: brackets stand deeper than 16 in each other"),
        (f"r1.x = mov r1.x {{mode={'-' * 9999}1}}", f"line 3: nothing is called {'-' * 9999}1"),
        ("live-in r0.x", "line 3: expected an instruction or a block, found live-in"),
    ],
)
def test_mistakes_are_named_with_their_line(line: str, message: str) -> None:
    with pytest.raises(MachineTextError) as caught:
        parse_machine(f"func @main {{\n^entry:\n  {line}\n}}\n", VOCABULARY)
    assert str(caught.value) == message


def test_an_unfinished_text_is_a_mistake() -> None:
    with pytest.raises(MachineTextError, match="does not end"):
        parse_machine("func @main {\n", VOCABULARY)
    with pytest.raises(MachineTextError, match="line 2: expected live-in"):
        parse_machine("func @main {\n  mov\n}", VOCABULARY)
    with pytest.raises(MachineTextError, match="line 1: expected 'func'"):
        parse_machine("function @main {\n}", VOCABULARY)


@pytest.mark.parametrize(
    "line", ["{} r0.x = mov r1.x", "r0.x = mov {}r1.x", "mov {{mode='{}'}}", "mov {{mode={}}}", "^{}:"]
)
@pytest.mark.parametrize("piece", ["r0.x, ", "r0.x = mov r1.x | ", "(", "<", "|", "-", "1", "'", "%1:", "@a[1]", " "])
def test_long_lines_take_linear_work(line: str, piece: str) -> None:
    def work(count: int) -> int:
        def parse() -> None:
            with suppress(MachineTextError):
                parse_machine(f"func @main {{\n^entry:\n  {line.format(piece * count)}\n}}\n", VOCABULARY)

        return count_calls(parse)

    work(1)
    assert work(1000) < 4.1 * work(250)


@pytest.mark.filterwarnings("ignore:invalid escape sequence")
def test_any_line_is_machine_code_or_a_mistake() -> None:
    random = Random(3)
    for _ in range(200):
        start = random.randrange(len(EVERYTHING))
        end = start + random.choice((1, 2, 5, 20))
        change = random.choice(("", EVERYTHING[start:end] * 2, random.choice("%@^()[].,:={}<>'\\-+;|\n x9")))
        with suppress(MachineTextError):
            text = print_machine(parse_machine(EVERYTHING[:start] + change + EVERYTHING[end:], VOCABULARY))
            assert print_machine(parse_machine(text, VOCABULARY)) == text
