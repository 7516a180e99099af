"""Shifts, masks and unsigned operations that have become arithmetic give what Python's integers do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal

import numpy as np
import pytest

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import FLOAT, INT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.lowering.integer_bits import _LOWERED, LowerIntegerBits
from glslc_multi.compiler.passes.base import PassContext
from tests.edges import Format, edges

LANES = 400
Second = int | str

#: Operation -> its value in unbounded integers, in which `>>` rounds down and `&` knows signs.
SIGNED: dict[Opcode, Callable[[int, int], int]] = {
    ops.IAND: lambda x, y: x & y,
    ops.IOR: lambda x, y: x | y,
    ops.IXOR: lambda x, y: x ^ y,
    ops.ISHL: lambda x, y: x << y,
    ops.ISHR: lambda x, y: x >> y,
    ops.IREM: lambda x, y: int(np.fmod(x, y)) if y else 0,
}
UNSIGNED: dict[Opcode, Callable[[int, int], int]] = {
    ops.USHR: lambda x, y: x >> y,
    ops.UDIV: lambda x, y: x // y if y else 0,
    ops.UREM: lambda x, y: x % y if y else 0,
    ops.ULT: lambda x, y: x < y,
    ops.ULE: lambda x, y: x <= y,
}
SHIFTS = (ops.ISHL, ops.ISHR, ops.USHR)


def lowered(opcode: Opcode, second: int | None, *, unsigned: bool) -> Module:
    """r = x op y in ints from outside, or x op a constant."""
    module = Module("vertex")
    builder = Builder(module.add_function("main").add_block("entry"))
    kind: Literal["uint"] | None = "uint" if unsigned else None
    x, y = (module.add_variable(Variable(name, "attribute", INT, source_kind=kind)) for name in "xy")
    first, other = builder.load(x), builder.load(y)
    operand: Value = other if second is None else int_constant(second)
    result = builder.op(opcode, first, operand)
    result = builder.op(ops.BTOI, result) if result.type.kind == "bool" else result
    builder.store(module.add_variable(Variable("r", "output", FLOAT)), builder.op(ops.ITOF, result))
    builder.ret()
    LowerIntegerBits(outside=1 << 16).run_on_module(module, PassContext())
    check(module, final=True)
    left = {i.op for i in module.main.instructions()} & set(_LOWERED)
    assert left <= {ops.ISHR}
    return module


def numbers(opcode: Opcode, *, unsigned: bool) -> tuple[list[int], list[int]]:
    random = Random(opcode.name)
    low = 0 if unsigned else -(2**16)
    marks = [int(x) for x in edges(format=Format(low, 2**16, step=1))]
    xs, ys = ([random.choice((random.randint(low, 2**16), random.choice(marks))) for _ in range(LANES)] for _ in "xy")
    if opcode in SHIFTS:
        ys = [random.randint(0, 7) for _ in range(LANES)]
    return xs, ys


def run(module: Module, xs: list[int], ys: list[int]) -> list[int]:
    given = {name: np.array(values) for name, values in (("x", xs), ("y", ys)) if name in module.variables}
    return [int(value) for value in evaluate(module, given, {}, lanes=LANES).outputs["r"].reshape(-1)]


@pytest.mark.parametrize("opcode", [*SIGNED, *UNSIGNED], ids=lambda op: op.name)
def test_operations_of_two_values(opcode: Opcode) -> None:
    unsigned = opcode in UNSIGNED
    meaning = (UNSIGNED if unsigned else SIGNED)[opcode]
    xs, ys = numbers(opcode, unsigned=unsigned)
    expected = [int(meaning(x, y)) for x, y in zip(xs, ys, strict=True)]
    assert run(lowered(opcode, None, unsigned=unsigned), xs, ys) == expected


CONSTANTS = {
    ops.IAND: (0, 1, 7, 0xF0, 0x5A5, 255, -1, -2, -256, 0x12345),
    ops.IOR: (0, 1, 0xF0, 0x100, -16),
    ops.IXOR: (0, 1, 0xFF, -1, 0x8001),
    ops.ISHL: (0, 1, 5),
    ops.ISHR: (0, 1, 5, 16),
    ops.USHR: (0, 1, 5, 16),
    ops.IREM: (1, 2, 7, 16, -3),
    ops.UDIV: (1, 2, 7, 16),
    ops.UREM: (1, 2, 7, 16),
}


@pytest.mark.parametrize(("opcode", "second"), [(op, c) for op, row in CONSTANTS.items() for c in row], ids=str)
def test_operations_with_a_constant(opcode: Opcode, second: int) -> None:
    unsigned = opcode in UNSIGNED
    meaning = (UNSIGNED if unsigned else SIGNED)[opcode]
    xs, ys = numbers(opcode, unsigned=unsigned)
    assert run(lowered(opcode, second, unsigned=unsigned), xs, ys) == [int(meaning(x, second)) for x in xs]


def test_parts_without_common_bits_are_added() -> None:
    """(r << 16) | (g << 8) | b for bytes: two sums."""
    module = Module("vertex")
    builder = Builder(module.add_function("main").add_block("entry"))
    byte = []
    for name in "xyz":
        variable = module.add_variable(Variable(name, "attribute", INT, source_kind="uint"))
        byte.append(builder.op(ops.IAND, builder.load(variable), int_constant(255)))
    high = builder.op(ops.ISHL, byte[0], int_constant(16))
    middle = builder.op(ops.ISHL, byte[1], int_constant(8))
    packed = builder.op(ops.IOR, builder.op(ops.IOR, high, middle), byte[2])
    builder.store(module.add_variable(Variable("r", "output", FLOAT)), builder.op(ops.ITOF, packed))
    builder.ret()
    LowerIntegerBits(outside=1 << 16).run_on_module(module, PassContext())
    after = [i.op for i in module.main.instructions()]
    assert after.count(ops.IADD) == 2
    found = evaluate(module, {name: np.array([300 + i]) for i, name in enumerate("xyz")}, {}, lanes=1)
    assert int(found.outputs["r"].reshape(-1)[0]) == (44 << 16) | (45 << 8) | 46


@pytest.mark.parametrize("factor", [1, 2, 3, 4, 6, 8, 12, 16])
@pytest.mark.parametrize("mask", [1, 2, 3, 4, 7, 8, 15, 16])
def test_parts_may_have_bits_in_common(factor: int, mask: int) -> None:
    """x * factor + 4 * y | y & mask: whether a sum is enough depends on the lowest bit that a product can have."""
    module = Module("vertex")
    builder = Builder(module.add_function("main").add_block("entry"))
    x, y = (builder.load(module.add_variable(Variable(name, "attribute", INT, source_kind="uint"))) for name in "xy")
    low = builder.op(ops.IAND, x, int_constant(255)), builder.op(ops.IAND, y, int_constant(255))
    products = [builder.op(ops.IMUL, part, int_constant(by)) for part, by in zip(low, (factor, 4), strict=True)]
    high = builder.op(ops.IADD, *products)
    result = builder.op(ops.IOR, high, builder.op(ops.IAND, y, int_constant(mask)))
    builder.store(module.add_variable(Variable("r", "output", FLOAT)), builder.op(ops.ITOF, result))
    builder.ret()
    LowerIntegerBits(outside=1 << 16).run_on_module(module, PassContext())
    check(module, final=True)
    xs, ys = [number // 20 for number in range(LANES)], [number % 20 for number in range(LANES)]
    assert run(module, xs, ys) == [x * factor + 4 * y | y & mask for x, y in zip(xs, ys, strict=True)]
