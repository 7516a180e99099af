"""The helpers that passes share: branches, splits, copies of blocks, constant places."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import fold_branches, remove_unreachable_blocks, split_block
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.verify import check, verify_module
from glslc_multi.compiler.passes.control_flow.clone import clone_blocks
from glslc_multi.compiler.passes.memory.local_variables import constant_place

LOOP = """shader vertex
uniform @c: bool
output @gl_Position: vec4 role(position)

func @main {
^entry:
  %0:bool = load @c
  br ^loop
^loop:
  %2:int = phi [0, ^entry], [%3, ^loop]
  %3:int = iadd %2, 1
  %4:bool = ilt %3, 9
  condbr %4, ^loop, ^exit
^exit:
  %6:int = phi [%3, ^loop]
  %7:float = itof %6
  %8:vec4 = swizzle.xxxx %7
  store @gl_Position, %8
  ret
}
"""


def parse(text: str = LOOP) -> Module:
    module = parse_module(text, "test.sir", DiagnosticSink())
    assert module is not None
    return module


def block(function: Function, name: str) -> Block:
    return next(block for block in function.blocks if block.name == name)


def value(function: Function, number: int) -> Instruction:
    return next(instruction for instruction in function.instructions() if instruction.id == number)


def test_split_moves_the_terminator_and_its_phi_operands() -> None:
    module = parse()
    loop = block(module.main, "loop")
    rest = split_block(value(module.main, 3), "rest")
    assert [instruction.op.name for instruction in loop] == ["phi"]
    assert [source.name for phi in loop.phis() for source in phi.attribute] == ["entry", "rest"]
    assert value(module.main, 6).attribute == [rest]


def test_folding_a_branch_drops_what_it_alone_reached() -> None:
    module = parse(
        LOOP.replace("br ^loop", "condbr %0, ^loop, ^exit").replace(
            "[%3, ^loop]\n  %7", "[%3, ^loop], [7, ^entry]\n  %7"
        )
    )
    check(module, final=True)
    main = module.main
    assert fold_branches(main, {main.entry: block(main, "exit")})
    check(module, final=True)
    assert [each.name for each in main.blocks] == ["entry", "exit"]
    assert [repr(operand) for operand in value(main, 6).operands] == ["Constant(int, (7,))"]


def test_the_last_way_to_return_is_not_folded() -> None:
    module = parse()
    loop = block(module.main, "loop")
    assert not fold_branches(module.main, {loop: loop})
    assert loop.successors == [loop, block(module.main, "exit")]


def test_no_branch_to_fold_is_no_progress() -> None:
    assert not fold_branches(parse().main, {})


def test_an_unreachable_exit_stays() -> None:
    text = "shader vertex\n\nfunc @main {\n^entry:\n  br ^loop\n^loop:\n  br ^loop\n^exit:\n  ret\n}\n"
    module = parse(text)
    assert not remove_unreachable_blocks(module.main)
    assert not verify_module(module, final=True)


def test_copies_lead_to_copies_and_what_is_outside_stays() -> None:
    module = parse()
    main = module.main
    loop = block(main, "loop")
    copies = clone_blocks([loop], main, prefix="again.")
    copy = copies.block(loop)
    assert copy.name == "again.loop"
    assert copy.successors == [copy, block(main, "exit")]
    phi, addition, *_ = copy
    assert phi.attribute == [main.entry, copy]
    assert isinstance(phi.operands[0], Constant)
    assert phi.operands[1] is addition is copies.value(value(main, 3))
    assert addition.operands[0] is phi
    assert loop.successors == [loop, block(main, "exit")]


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("@m[1].1", (1, 1)),
        ("@m[(1) + 1].(0)", (2, 0)),
        ("@m[(9)].(7)", (2, 1)),
        ("@m[(-9) + 2].(-1)", (0, 0)),
        ("@m[%0 + 1].0", (None, 0)),
        ("@m[0].%0", (0, None)),
        ("@one[%0].0", (0, 0)),
        ("@m[(int(undef)) + 1].0", (1, 0)),
    ],
)
def test_constant_places(address: str, place: tuple[int | None, int | None]) -> None:
    text = (
        "shader vertex\nuniform @n: int\nlocal @m: mat2[3]\nlocal @one: mat2[1]\n\nfunc @main {\n^entry:\n"
        f"  %0:int = load @n\n  %1:vec2 = load {address}\n  ret\n}}\n"
    )
    load = value(parse(text).main, 1)
    assert load.op is ops.LOAD
    assert constant_place(load) == place
