"""Runs of equal words: which of them are called, and that what is called does the same."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from glslc_multi.backends.pica200.codegen.machine_ops import END, JUMP, OPS
from glslc_multi.backends.pica200.codegen.procedures.equal_runs import call_equal_runs
from glslc_multi.backends.pica200.codegen.register_files import TEMPORARIES
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, MachineOp, Use
from tests.backends.pica200.codegen.test_geometry import test_triangles_are_those_of_the_evaluator as compare
from tests.backends.pica200.codegen.test_shared_vertices import HEAD, SHAPES, UNIFORMS

Procedures = dict[MachineOp, MachineFunction]


def function(*blocks: str) -> MachineFunction:
    """A letter is a word."""
    made = MachineFunction("main")
    for block in blocks:
        words = made.add_block("block").instructions
        for letter in block:
            number = ord(letter) - ord("a")
            words.append(
                MachineInstruction(OPS["MOV"], [Def(TEMPORARIES[number % 16])], [Use(TEMPORARIES[0], (number // 16,))])
            )
        words.append(MachineInstruction(JUMP))
    made.blocks[-1].instructions[-1] = MachineInstruction(END)
    return made


def words_of(each: MachineFunction, procedures: Procedures) -> Iterator[object]:
    """What runs, one after the other."""
    for word in each.instructions():
        if word.op in procedures:
            yield from words_of(procedures[word.op], procedures)
        else:
            yield str(word)


def called(*blocks: str) -> tuple[MachineFunction, Procedures]:
    main, procedures = function(*blocks), Procedures()
    wanted = list(words_of(main, {}))
    call_equal_runs(main, procedures)
    assert list(words_of(main, procedures)) == wanted
    return main, procedures


@pytest.mark.parametrize(
    ("blocks", "lengths"),
    [
        pytest.param(["abcab"], [2], id="two words"),
        pytest.param(["abac"], [], id="one word"),
        pytest.param(["abcdabcdab"], [2, 3], id="longer ones call shorter ones"),
        pytest.param(["ababab"], [2], id="one after the other"),
        pytest.param(["aaaa"], [2], id="runs that overlap"),
        pytest.param(["aaa"], [], id="runs that overlap alone"),
        pytest.param(["ab", "ab"], [], id="a NOP where a block ends"),
        pytest.param(["abx", "abc"], [2], id="in two blocks"),
        pytest.param(["a", "b", "ab"], [], id="across blocks"),
    ],
)
def test_runs(blocks: list[str], lengths: list[int]) -> None:
    _, procedures = called(*blocks)
    assert sorted(len(body.entry.instructions) for body in procedures.values()) == lengths


def test_calls_are_three_deep() -> None:
    """Each level holds the one before it twice."""
    text = "ab"
    for letter in "cdefg":
        text = f"{text}{letter}{text}{letter}"
    main, procedures = called(text)

    def depth(each: MachineFunction) -> int:
        return max((1 + depth(procedures[word.op]) for word in each.instructions() if word.op in procedures), default=0)

    assert depth(main) == 3


@pytest.mark.parametrize("seed", range(20))
def test_random_words(seed: int) -> None:
    chance = random.Random(seed)
    called(*("".join(chance.choice("abc") for _ in range(chance.randint(1, 30))) for _ in range(3)))


def test_what_vertices_share_without_parameters() -> None:
    vertices = "".join(
        f"gl_Position = place + gl_PositionIn[{n % 3}]; color = place.wwww; EmitVertex();\n" for n in range(5)
    )
    compare(f"{HEAD}void main() {{ vec4 place = u * u_shift * v_color[1];\n{vertices}}}", SHAPES, UNIFORMS, 2)
