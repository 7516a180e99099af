"""Demand: what an operand component decides, judged by changing it; what must stay, judged by hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import pytest

from glslc_multi.compiler.analysis.demand import all_components, components_needed, demand
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.types import Type
from tests.generators import ir

#: Opcodes that hand components on, so that every needed component shows.
SHUFFLES = frozenset({ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT, ops.MAT_VEC, ops.VEC_MAT, ops.CROSS, ops.FADD})


def sample(count: int) -> list[Instruction]:
    """Instructions of generated programs, a few of every kind."""
    random = Random(11)
    found: dict[tuple[str, int], list[Instruction]] = {}
    for _ in range(count):
        for instruction in ir.generate(random, statements=30).module.main.instructions():
            if instruction.op.has_semantics:
                found.setdefault((instruction.op.name, instruction.type.width), []).append(instruction)
    return [instruction for same in found.values() for instruction in islice(same, 6)]


def draw(type: Type, random: Random) -> list[Any]:
    kinds: dict[str, Callable[[], Any]] = {
        "float": lambda: random.randint(-64, 64) / 4,
        "int": lambda: random.randint(0, 3),
        "bool": lambda: random.random() < 0.5,
    }
    return [kinds[type.kind]() for _ in range(type.width)]


def changes(instruction: Instruction, index: int, component: int, demanded: int, random: Random) -> bool:
    """Whether another value of one operand component moves a demanded component of the result."""
    operands = [draw(operand.type, random) for operand in instruction.operands]
    before = ops.evaluate(instruction.op, PYTHON, instruction.attribute, operands)
    operands[index][component] = draw(instruction.operands[index].type, random)[component]
    after = ops.evaluate(instruction.op, PYTHON, instruction.attribute, operands)
    return any(before[k] != after[k] for k in range(len(before)) if demanded >> k & 1)


def test_components_that_are_not_needed_decide_nothing() -> None:
    random = Random(5)
    unneeded = 0
    for instruction in sample(60):
        for demanded in range(all_components(instruction) + 1):
            for index, operand in enumerate(instruction.operands):
                needed = components_needed(instruction, index, demanded)
                assert needed | all_components(operand) == all_components(operand)
                for component in range(operand.type.width):
                    if not needed >> component & 1:
                        unneeded += 1
                        assert not any(changes(instruction, index, component, demanded, random) for _ in range(4))
    assert unneeded > 500


def test_components_that_are_needed_decide_something() -> None:
    random = Random(6)
    seen = set()
    for instruction in sample(60):
        if instruction.op not in SHUFFLES:
            continue
        seen.add(instruction.op)
        for demanded in range(1, all_components(instruction) + 1):
            for index, operand in enumerate(instruction.operands):
                for component in range(operand.type.width):
                    if components_needed(instruction, index, demanded) >> component & 1:
                        assert any(changes(instruction, index, component, demanded, random) for _ in range(40))
    assert seen == SHUFFLES


def parse(body: str) -> Module:
    head = "shader vertex\nattribute @a: vec4\nuniform @n: int\noutput @gl_Position: vec4 role(position)\n\n"
    module = parse_module(head + body, "test.sir", DiagnosticSink())
    assert module is not None
    return module


LOOP = """func @main {
  local @x: vec4[2]
  local @y: vec4[2]
^entry:
  %0:int = load @n
  %1:vec4 = load @a
  store @x[%0], %1
  store @y[%0], %1
  br ^loop
^loop:
  %5:float = phi [0.0, ^entry], [%10, ^loop]
  %6:int = phi [0, ^entry], [%7, ^loop]
  %7:int = iadd %6, 1
  %8:vec4 = load @x[%6]
  %9:float = swizzle.y %8
  %10:float = fadd %5, %9
  %11:bool = ilt %7, 2
  condbr %11, ^loop, ^exit
^exit:
  %13:vec4 = load @y[0]
  %14:vec2 = swizzle.zw %13
  %15:vec4 = construct %10, %10, %14
  %16:vec4 = swizzle.xxxz %15
  store @gl_Position, %16
  ret
}
"""


@pytest.mark.parametrize(
    ("value", "mask"),
    [(0, 0b1), (1, 0b0110), (5, 0b1), (8, 0b0010), (10, 0b1), (13, 0b0100), (14, 0b01), (15, 0b0101)],
)
def test_demand_goes_through_phis_and_memory(value: int, mask: int) -> None:
    """x is needed in y alone and y in z alone, so the stored vector is needed in both."""
    main = parse(LOOP).main
    needed = AnalysisManager(main).get(demand)
    by_id = {instruction.id: instruction for instruction in main.instructions()}
    assert needed.of(by_id[value]) == mask


def test_what_feeds_nothing_is_not_needed() -> None:
    main = parse(LOOP.replace("store @gl_Position, %16", "store @gl_Position, vec4(0.0)")).main
    needed = AnalysisManager(main).get(demand)
    needless = needed.needless(main.instructions())
    kept = [instruction.op.name for instruction in main.instructions() if instruction not in needless]
    assert kept == ["br", "phi", "iadd", "ilt", "condbr", "store", "ret"]
