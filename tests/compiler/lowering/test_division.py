"""Division of ints that have become floats truncates exactly, in every format that holds the numbers."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.lowering.builtins import LowerBuiltins
from glslc_multi.compiler.lowering.int_to_float import LowerIntToFloat
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.passes.base import PassContext
from tests.compiler.lowering.formats import FIXED17, FLOAT24, FLOAT32

FORMATS = [(FLOAT32, 24), (FLOAT24, 16), (FIXED17, 14)]
NAMES = ["float32", "float24", "fixed17"]


def division(divisor: int | None, *, exact_divide: bool) -> Module:
    """y = x0 / x1 in ints, or by a constant divisor; lowered to floats."""
    module = Module("vertex")
    builder = Builder(module.add_function("main").add_block("entry"))
    x, y = (builder.load(module.add_variable(Variable(name, "attribute", FLOAT))) for name in ("x0", "x1"))
    denominator = builder.op(ops.FTOI, y) if divisor is None else int_constant(divisor)
    quotient = builder.op(ops.IDIV, builder.op(ops.FTOI, x), denominator)
    builder.store(module.add_variable(Variable("q", "output", FLOAT)), builder.op(ops.ITOF, quotient))
    builder.ret()
    context = PassContext()
    LowerIntToFloat(exact_divide=exact_divide).run_on_module(module, context)
    LowerBuiltins(keep=OpcodeSet("fdiv") if exact_divide else OpcodeSet()).run_on_module(module, context)
    check(module, final=True)
    return module


def pairs(bits: int) -> tuple[Array, Array]:
    """Dividends at, below and above multiples of divisors, the largest multiples included, and random ones."""
    random, bound = Random(bits), 2**bits
    divisors = [*range(1, 80), *(random.randrange(1, bound) for _ in range(300)), bound - 1]
    found = []
    for divisor in divisors:
        factors = {
            0,
            1,
            2,
            bound // divisor,
            bound // divisor - 1,
            *(random.randrange(bound // divisor + 1) for _ in "abcd"),
        }
        found += [(divisor * factor + step, divisor) for factor in factors for step in (-1, 0, 1)]
    found += [(random.randrange(bound), random.randrange(1, 2 ** random.randrange(1, bits))) for _ in range(3000)]
    inside = [(x * random.choice((1, -1)), y * random.choice((1, -1))) for x, y in found if 0 <= x < bound]
    return np.array([x for x, _ in inside]), np.array([y for _, y in inside])


def truncated(x: Array, y: Array) -> Array:
    quotient: Array = np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))
    return quotient


def quotients(module: Module, x: Array, y: Array, arithmetic: LaneArithmetic) -> Array:
    return evaluate(module, {"x0": x, "x1": y}, {}, lanes=x.size, arithmetic=arithmetic).outputs["q"]


@pytest.mark.parametrize("exact_divide", [False, True], ids=["reciprocal", "divider"])
@pytest.mark.parametrize(("arithmetic", "bits"), FORMATS, ids=NAMES)
def test_any_divisor(arithmetic: LaneArithmetic, bits: int, exact_divide: bool) -> None:
    x, y = pairs(bits)
    found = quotients(division(None, exact_divide=exact_divide), x, y, arithmetic)
    np.testing.assert_array_equal(found, truncated(x, y))


@pytest.mark.parametrize("divisor", [1, -1, 2, 3, -5, 7, 10, 16, -64, 49, 1000])
@pytest.mark.parametrize(("arithmetic", "bits"), FORMATS, ids=NAMES)
def test_constant_divisor(arithmetic: LaneArithmetic, bits: int, divisor: int) -> None:
    bound = 2**bits
    near = np.arange(divisor if divisor > 0 else -divisor, bound, max(1, bound // 4000))
    x = np.concatenate([near, near // divisor * divisor, near // divisor * divisor - 1, -near, [0, bound - 1]])
    x = x[np.abs(x) < bound]
    found = quotients(division(divisor, exact_divide=False), x, np.ones_like(x), arithmetic)
    np.testing.assert_array_equal(found, truncated(x, np.full_like(x, divisor)))


def test_by_zero() -> None:
    """GLSL ES 1.00 leaves it open (section 5.9); the IR says 0."""
    zero = np.zeros(3)
    found = quotients(division(None, exact_divide=False), np.array([5, 0, -5]), zero, FLOAT32)
    assert found.tolist() == [0, 0, 0]


def test_every_small_pair() -> None:
    numbers = np.arange(-130, 131)
    x, y = (part.ravel() for part in np.meshgrid(numbers, numbers[numbers != 0]))
    for arithmetic, _ in FORMATS:
        np.testing.assert_array_equal(quotients(division(None, exact_divide=False), x, y, arithmetic), truncated(x, y))
