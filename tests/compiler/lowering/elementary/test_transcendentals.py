"""Measured errors of the elementary functions, in float32 and in the formats of targets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import OPCODES
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.lowering.elementary import coefficients
from glslc_multi.compiler.lowering.elementary.transcendentals import TRANSCENDENTAL, LowerTranscendentals
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.passes.base import PassContext
from tests.compiler.lowering.elementary.minimax import TARGETS, Target, minimax
from tests.compiler.lowering.formats import FIXED17, FLOAT24, FLOAT32

COUNT = 20_001
EXACT: dict[str, Callable[..., Array]] = {
    "fsin": np.sin, "fcos": np.cos, "ftan": np.tan, "fasin": np.arcsin, "facos": np.arccos, "fatan": np.arctan,
    "fatan2": np.arctan2, "fexp2": np.exp2, "flog2": np.log2, "fexp": np.exp, "flog": np.log, "fpow": np.power,
    "fsqrt": np.sqrt, "frsqrt": lambda x: 1 / np.sqrt(x),
}  # fmt: skip


def results(name: str, operands: list[Array], arithmetic: LaneArithmetic, bits: int, *, factor: float = 1.0) -> Array:
    """`name` of the operands, times a factor, after the lowering, without a single elementary function left."""
    module = Module("vertex")
    builder = Builder(module.add_function("main").add_block("entry"))
    names = [f"x{number}" for number in range(len(operands))]
    loaded = [builder.load(module.add_variable(Variable(x, "attribute", FLOAT))) for x in names]
    result = builder.op(ops.FMUL, builder.op(OPCODES[name], *loaded), float_constant(factor))
    builder.store(module.add_variable(Variable("y", "output", FLOAT)), result)
    builder.ret()
    lacks = OpcodeSet("fsqrt.frsqrt") if "sqrt" in name else OpcodeSet()
    LowerTranscendentals(lacks=lacks, exponent_bits=bits, exact_angles=factor != 1.0).run(module.main, PassContext())
    check(module, final=True)
    assert not {instruction.op for instruction in module.main.instructions()} & (TRANSCENDENTAL | lacks)
    inputs = dict(zip(names, operands, strict=True))
    return evaluate(module, inputs, {}, lanes=operands[0].size, arithmetic=arithmetic).outputs["y"]


def error(name: str, operands: list[Array], arithmetic: LaneArithmetic, bits: int, *, is_relative: bool) -> float:
    """The largest error, of the results for operands that the format holds."""
    held = [arithmetic.encode("float", operand) for operand in operands]
    exact = EXACT[name](*(operand.astype(np.float64) for operand in held))
    difference = np.abs(results(name, held, arithmetic, bits).astype(np.float64) - exact)
    return float((difference / np.abs(exact) if is_relative else difference).max())


def between(low: float, high: float) -> Array:
    return np.linspace(low, high, COUNT)


def powers(low: float, high: float) -> Array:
    """Numbers of all sizes between two powers of 2."""
    return np.exp2(between(low, high))


# Function, operands, whether the error is relative, and its bound: what was measured, rounded up.
FLOAT32_BOUNDS = [
    ("fsin", [between(-3.2, 3.2)], False, 4e-7),
    ("fsin", [powers(-20, -1)], True, 3e-7),
    ("fsin", [between(-100, 100)], False, 7e-6),
    ("fcos", [between(-3.2, 3.2)], False, 3e-7),
    ("fcos", [between(-100, 100)], False, 7e-6),
    ("ftan", [between(-1.5, 1.5)], True, 4e-6),
    ("fasin", [between(-1, 1)], False, 3e-7),
    ("fasin", [powers(-20, 0)], True, 4e-7),
    ("facos", [between(-1, 1)], False, 5e-7),
    ("fatan", [between(-20, 20)], False, 3e-7),
    ("fatan", [powers(-20, 20)], True, 3e-7),
    ("fatan2", [between(-7, 5), between(3, -9)], False, 5e-7),
    ("fexp2", [between(-126, 126)], True, 3e-7),
    ("flog2", [between(0.5, 2)], False, 2e-7),
    ("flog2", [powers(-126, 127)], False, 8e-6),
    ("fexp", [between(-10, 10)], True, 1.5e-6),
    ("flog", [powers(-60, 60)], False, 5e-6),
    ("fpow", [between(0.01, 40), between(-3, 4)], True, 4e-6),
    ("fsqrt", [powers(-60, 60)], True, 3e-7),
    ("frsqrt", [powers(-60, 60)], True, 3e-7),
]


@pytest.mark.parametrize(("name", "operands", "is_relative", "bound"), FLOAT32_BOUNDS)
def test_float32(name: str, operands: list[Array], is_relative: bool, bound: float) -> None:
    assert error(name, operands, FLOAT32, 7, is_relative=is_relative) <= bound


FLOAT24_BOUNDS = [
    ("fsin", [between(-3.2, 3.2)], False, 3e-5),
    ("fcos", [between(-3.2, 3.2)], False, 3e-5),
    ("fasin", [between(-1, 1)], False, 3e-5),
    ("facos", [between(-1, 1)], False, 5e-5),
    ("fatan", [between(-20, 20)], False, 3e-5),
    ("fatan2", [between(-7, 5), between(3, -9)], False, 5e-5),
    ("fexp2", [between(-20, 20)], True, 1.5e-5),
    ("flog2", [powers(-40, 40)], False, 4e-4),
    ("fpow", [between(0.01, 40), between(-3, 4)], True, 3e-4),
    ("fsqrt", [powers(-30, 30)], True, 1.5e-5),
    ("frsqrt", [powers(-30, 30)], True, 2e-5),
]
FIXED17_BOUNDS = [
    ("fsin", [between(-3.2, 3.2)], False, 8e-5),
    ("fsin", [between(-100, 100)], False, 1.5e-3),
    ("fcos", [between(-3.2, 3.2)], False, 8e-5),
    ("fasin", [between(-1, 1)], False, 7e-4),
    ("facos", [between(-1, 1)], False, 7e-4),
    ("fatan", [between(-20, 20)], False, 3e-5),
    ("fatan2", [between(-7, 5), between(3, -9)], False, 4e-5),
    ("fexp2", [between(-10, 3)], False, 1e-4),
    ("fexp2", [between(0, 13.5)], True, 2e-5),
    ("flog2", [powers(-10, 13.5)], False, 3e-5),
    ("fpow", [between(0.5, 8), between(-2, 2)], False, 1.5e-3),
    ("fsqrt", [powers(-8, 13.5)], False, 1.5e-5),
    ("frsqrt", [powers(-4, 13)], False, 2e-4),
]


@pytest.mark.parametrize(("name", "operands", "is_relative", "bound"), FLOAT24_BOUNDS)
def test_float24(name: str, operands: list[Array], is_relative: bool, bound: float) -> None:
    assert error(name, operands, FLOAT24, 6, is_relative=is_relative) <= bound


@pytest.mark.parametrize(("name", "operands", "is_relative", "bound"), FIXED17_BOUNDS)
def test_fixed17(name: str, operands: list[Array], is_relative: bool, bound: float) -> None:
    assert error(name, operands, FIXED17, 4, is_relative=is_relative) <= bound


@pytest.mark.parametrize("name", ["fsin", "fcos"])
def test_what_is_magnified_keeps_the_precision_of_its_angle(name: str) -> None:
    """Random numbers are made so: without care the error would be half a hundredth after 160 turns."""
    angles = [between(-1000, 1000).astype(np.float32)]
    exact = 4096.0 * EXACT[name](angles[0].astype(np.float64))
    found = results(name, angles, FLOAT32, 7, factor=4096.0)
    assert float(np.abs(found - exact).max()) <= 4096.0 * 5e-7


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_coefficients_are_those_that_the_search_finds(target: Target) -> None:
    polynomial: coefficients.Polynomial = getattr(coefficients, target.name)
    found, largest = minimax(target)
    np.testing.assert_allclose(polynomial.coefficients, found, rtol=1e-6)
    assert (polynomial.low, polynomial.high) == (target.low, target.high)
    assert polynomial.error == pytest.approx(largest, rel=0.05)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_stated_errors(target: Target) -> None:
    polynomial: coefficients.Polynomial = getattr(coefficients, target.name)
    x = np.linspace(target.low, target.high, COUNT)
    relative = np.polynomial.polynomial.polyval(x, polynomial.coefficients) / target.function(x) - 1
    assert np.abs(relative).max() <= polynomial.error * 1.05


def test_whole_powers_are_exact() -> None:
    x = np.arange(-126, 128)
    np.testing.assert_array_equal(results("fexp2", [x], FLOAT32, 7), np.exp2(x))
    np.testing.assert_array_equal(results("flog2", [np.exp2(x)], FLOAT32, 7), x)


def test_edges() -> None:
    assert results("fexp2", [np.array([200.0, -200.0])], FLOAT32, 7).tolist() == [2.0**127, 2.0**-127]
    assert results("fsqrt", [np.zeros(1)], FLOAT32, 7).tolist() == [0.0]
    np.testing.assert_allclose(results("fatan", [np.array([1e30, -1e30])], FLOAT32, 7), [np.pi / 2, -np.pi / 2])
    np.testing.assert_allclose(
        results("fatan2", [np.array([0.0, 0.0, 1.0, -1.0]), np.array([1.0, -1.0, 0.0, 0.0])], FLOAT32, 7),
        [0.0, np.pi, np.pi / 2, -np.pi / 2],
    )
