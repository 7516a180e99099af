"""The stated error of the elementary functions, against double precision from the standard library."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic import elementary
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, quiet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import FLOAT
from tests.compiler.ir.numbers_for_tests import FLOATS
from tests.compiler.native.run_host import evaluate_on_host
from tests.compiler.native.test_opcodes import module_of

_COUNT = 20_000
#: Units in the last place of float32; 1/2 is the rounding itself.
_ERROR = 0.51
#: Opcode, function, and where its arguments are drawn from: size at most, or (for `log`) size of the logarithm.
_CASES = [
    (ops.FEXP, "exp", 100.0),
    (ops.FEXP2, "exp2", 150.0),
    (ops.FSIN, "sin", 10.0),
    (ops.FSIN, "sin", 1e6),
    (ops.FCOS, "cos", 10.0),
    (ops.FCOS, "cos", 1e6),
    (ops.FTAN, "tan", 100.0),
    (ops.FASIN, "asin", 1.0),
    (ops.FACOS, "acos", 1.0),
    (ops.FATAN, "atan", 20.0),
]


def results(opcode: Opcode, *arguments: Array) -> Array:
    module = module_of(opcode, [FLOAT] * len(arguments))
    inputs = {f"x{number}": argument for number, argument in enumerate(arguments)}
    return evaluate_on_host(module, inputs, {}, lanes=len(arguments[0])).outputs["y"]


def largest_error(name: str, found: Array, *arguments: Array) -> float:
    """In units of the last place of the true value's float."""
    true = np.array([elementary.FUNCTIONS[name](*map(float, lane)) for lane in zip(*arguments, strict=True)])
    with quiet():
        rounded = np.abs(true.astype(np.float32))
        is_number = np.isfinite(rounded)
        units = np.spacing(np.where(is_number, rounded, np.float32(1)))
        np.testing.assert_array_equal(found[~is_number], true.astype(np.float32)[~is_number])
        return float((np.abs(found.astype(np.float64) - true) / units)[is_number].max())


def draw(size: float, seed: int) -> Array:
    return np.random.default_rng(seed).uniform(-size, size, _COUNT).astype(np.float32)


@pytest.mark.parametrize(("opcode", "name", "size"), _CASES, ids=lambda value: str(value))
def test_functions_of_one_argument(opcode: Opcode, name: str, size: float) -> None:
    x = draw(size, 1)
    assert largest_error(name, results(opcode, x), x) <= _ERROR


@pytest.mark.parametrize(("opcode", "name"), [(ops.FLOG, "log"), (ops.FLOG2, "log2")], ids=str)
def test_logarithms(opcode: Opcode, name: str) -> None:
    x = np.exp(draw(88.0, 2)).astype(np.float32)
    near_one = (1.0 + draw(1e-3, 3)).astype(np.float32)
    for argument in (x, near_one):
        assert largest_error(name, results(opcode, argument), argument) <= _ERROR


def test_powers() -> None:
    x, y = np.exp(draw(20.0, 4)).astype(np.float32), draw(5.0, 5)
    assert largest_error("pow", results(ops.FPOW, x, y), x, y) <= _ERROR


def test_powers_of_whole_numbers_are_exact() -> None:
    x, y = (np.array(values, np.float32) for values in zip(*itertools.product(range(1, 17), range(6)), strict=True))
    assert results(ops.FPOW, x, y).tolist() == (x.astype(np.float64) ** y).tolist()


def test_angles_of_points() -> None:
    y, x = (draw(1.0, seed) * np.exp(draw(30.0, seed + 1)) for seed in (6, 8))
    y, x = y.astype(np.float32), x.astype(np.float32)
    assert largest_error("atan2", results(ops.FATAN2, y, x), y, x) <= _ERROR


@pytest.mark.parametrize(("opcode", "name"), [(ops.FSIN, "sin"), (ops.FCOS, "cos"), (ops.FTAN, "tan")], ids=str)
def test_far_angles(opcode: Opcode, name: str) -> None:
    """Of all sizes, and next to whole numbers of quarter turns, where the sine or the cosine all but vanishes."""
    anywhere = np.copysign(np.exp2(74.0 + draw(54.0, 10)), draw(1.0, 11)).astype(np.float32)
    quarters = (np.arange(10**6, 10**6 + _COUNT) * (np.pi / 2)).astype(np.float32)
    for x in (anywhere, quarters):
        assert largest_error(name, results(opcode, x), x) <= _ERROR


def test_a_far_angle_next_to_quarter_turns() -> None:
    """16367173 * 2^72 is all but an odd number of quarter turns: its cosine is -1.6e-9."""
    x = np.array([16367173 * 2.0**72], np.float32)
    assert abs(float(results(ops.FCOS, x)[0]) - math.cos(x[0])) <= 2.0**-50


def test_a_result_does_not_depend_on_far_angles_beside_it() -> None:
    x = draw(1e6, 12)
    beside = np.where(np.arange(_COUNT) % 2, np.float32(1e30), x)
    np.testing.assert_array_equal(results(ops.FSIN, beside)[::2], results(ops.FSIN, x)[::2])


@pytest.mark.parametrize(
    ("opcode", "name"),
    [(op, op.name[1:]) for op in ops.OPCODES.values() if op.name[1:] in elementary.FUNCTIONS],
    ids=str,
)
def test_edges_of_the_format(opcode: Opcode, name: str) -> None:
    """Zeros with their signs, infinities, NaN, and the smallest and largest numbers."""
    count = 2 if name in ("pow", "atan2") else 1
    arguments = [np.array(column, np.float32) for column in zip(*itertools.product(FLOATS, repeat=count), strict=True)]
    found = results(opcode, *arguments)
    with quiet():
        wanted = LANES.elementary(name, *arguments)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
        is_number = ~np.isnan(wanted)
        np.testing.assert_array_max_ulp(found[is_number], wanted[is_number], 1)
        is_zero = is_number & (wanted == 0)
        np.testing.assert_array_equal(np.signbit(found)[is_zero], np.signbit(wanted)[is_zero])
