"""The two float32 arithmetics agree bit for bit (NaN payloads aside), on every method of the protocol.

`test_opcode_witness.py` compares both with a third reference through the opcode table.
"""

from __future__ import annotations

import inspect
import math
from typing import Any

import pytest

from glslc_multi.compiler.arithmetic import elementary
from glslc_multi.compiler.arithmetic.lanes import LANES, quiet
from glslc_multi.compiler.arithmetic.protocol import (
    INT_MAX,
    INT_MIN,
    PYTHON,
    Arithmetic,
    round_to_float32,
    wrap_to_int32,
)
from tests.compiler.ir.numbers_for_tests import bits_of, samples

#: Method -> kinds of its arguments.
METHODS = {
    "fadd": "float float",
    "fsub": "float float",
    "fmul": "float float",
    "fdiv": "float float",
    "fneg": "float",
    "fabs": "float",
    "ffloor": "float",
    "fsqrt": "float",
    "flt": "float float",
    "fle": "float float",
    "feq": "float float",
    "iadd": "int int",
    "isub": "int int",
    "imul": "int int",
    "idiv": "int int",
    "ilt": "int int",
    "ieq": "int int",
    "udiv": "int int",
    "ult": "int int",
    "bits_and": "int int",
    "bits_or": "int int",
    "bits_xor": "int int",
    "bits_not": "int",
    "shl": "int count",
    "shr": "int count",
    "asr": "int count",
    "band": "bool bool",
    "bor": "bool bool",
    "bxor": "bool bool",
    "bnot": "bool",
    "itof": "int",
    "ftoi": "float",
    "bits": "float",
    "number": "int",
    "select": "bool float float",
}
#: Elementary function -> number of its arguments.
ELEMENTARY = {name: 2 if name in ("pow", "atan2") else 1 for name in elementary.FUNCTIONS}


def test_the_tables_name_every_method_of_the_protocol() -> None:
    methods = {name for name, _ in inspect.getmembers(Arithmetic, inspect.isfunction) if not name.startswith("_")}
    assert methods == METHODS.keys() | {"bconst", "iconst", "fconst", "elementary"}


def compare(method: str, kinds: list[str], *leading: str) -> None:
    """Call a method of both on the same samples; counts are ints from 0 to 31."""
    is_count = [kind == "count" for kind in kinds]
    kinds = ["int" if kind == "count" else kind for kind in kinds]
    cases = [
        tuple(value % 32 if limited else value for value, limited in zip(case, is_count, strict=True))
        for case in samples(kinds)
    ]
    columns = zip(*cases, strict=True)
    lanes = [LANES.encode(kind, list(column)) for kind, column in zip(kinds, columns, strict=True)]
    with quiet():
        by_lanes: Any = getattr(LANES, method)(*leading, *lanes).tolist()
    for case, lane in zip(cases, by_lanes, strict=True):
        scalar = getattr(PYTHON, method)(*leading, *case)
        assert bits_of(scalar) == bits_of(lane), f"{method}{(*leading, *case)}: {scalar} in Python, {lane} in numpy"


@pytest.mark.parametrize("method", METHODS)
def test_method(method: str) -> None:
    compare(method, METHODS[method].split())


@pytest.mark.parametrize("name", ELEMENTARY)
def test_elementary_function(name: str) -> None:
    compare("elementary", ["float"] * ELEMENTARY[name], name)


@pytest.mark.parametrize("value", [0.0, -0.0, 0.1, 1e300, -1e300, 1e-46, math.inf, math.nan])
def test_float_constants_are_rounded_alike(value: float) -> None:
    with quiet():
        lane = LANES.fconst(value).tolist()
    assert bits_of(PYTHON.fconst(value)) == bits_of(lane)


@pytest.mark.parametrize("value", [0, INT_MAX, INT_MIN, INT_MAX + 1, INT_MIN - 1, 2**32, -(2**40)])
def test_int_constants_wrap_alike(value: int) -> None:
    assert PYTHON.iconst(value) == LANES.iconst(value).tolist()
    assert INT_MIN <= PYTHON.iconst(value) <= INT_MAX


def test_bool_constants() -> None:
    assert [LANES.bconst(value).tolist() for value in (False, True)] == [PYTHON.bconst(False), PYTHON.bconst(True)]


def test_rounding_and_wrapping_by_known_values() -> None:
    assert round_to_float32(16777217.0) == 16777216.0
    assert round_to_float32(16777219.0) == 16777220.0
    assert round_to_float32(3.4028235677973366e38) == math.inf
    assert round_to_float32(7.006492321624085e-46) == 0.0
    assert [wrap_to_int32(x) for x in (2**31, -(2**31) - 1, 2**32 + 5)] == [-(2**31), 2**31 - 1, 5]


@pytest.mark.parametrize("name", ELEMENTARY)
def test_elementary_functions_are_total(name: str) -> None:
    """Every argument has a result; outside a function's domain that is NaN, never an exception."""
    for case in samples(["float"] * ELEMENTARY[name]):
        assert isinstance(elementary.FUNCTIONS[name](*case), float)
