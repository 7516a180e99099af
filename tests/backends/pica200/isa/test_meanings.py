"""Every arithmetic row of the instruction table against a formula written apart from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa import instructions, meanings
from glslc_multi.backends.pica200.machine.lane_arithmetic import F24, F32
from glslc_multi.compiler.arithmetic.lanes import LaneArithmetic, quiet

f32 = np.float32
Vector = list[np.float32]


def dot(s: Vector, t: Vector) -> np.float32:
    total = f32(0)
    for x, y in zip(s, t, strict=True):
        total = f32(total + f32(x * y))
    return total


def each(function: Callable[..., Any]) -> Callable[..., Vector]:
    return lambda *sources: [f32(function(*components)) for components in zip(*sources, strict=True)]


def spread(function: Callable[..., Any]) -> Callable[..., Vector]:
    return lambda *sources: [f32(function(*sources))] * 4


def dph(s: Vector, t: Vector) -> np.float32:
    return dot([*s[:3], f32(1)], t)


def dst(s: Vector, t: Vector) -> Vector:
    return [f32(1), f32(s[1] * t[1]), s[2], t[3]]


def lit(s: Vector) -> Vector:
    return [max(s[0], f32(0)), min(max(s[1], f32(-127.99609375)), f32(127.99609375)), f32(0), max(s[3], f32(0))]


FORMULAS: dict[str, Callable[..., Vector]] = {
    "ADD": each(lambda x, y: x + y),
    "MUL": each(lambda x, y: x * y),
    "MAD": each(lambda x, y, z: f32(x * y) + z),
    "MADI": each(lambda x, y, z: f32(x * y) + z),
    "DP3": spread(lambda s, t: dot(s[:3], t[:3])),
    "DP4": spread(dot),
    "DPH": spread(dph),
    "DPHI": spread(dph),
    "DST": dst,
    "DSTI": dst,
    "EX2": spread(lambda s: math.exp2(s[0])),
    "LG2": spread(lambda s: math.log2(s[0]) if s[0] > 0 else math.nan),
    "LITP": lit,
    "SGE": each(lambda x, y: float(x >= y)),
    "SGEI": each(lambda x, y: float(x >= y)),
    "SLT": each(lambda x, y: float(x < y)),
    "SLTI": each(lambda x, y: float(x < y)),
    "FLR": each(math.floor),
    "MAX": each(max),
    "MIN": each(min),
    "RCP": spread(lambda s: f32(1) / s[0]),
    "RSQ": spread(lambda s: f32(1) / np.sqrt(s[0]) if s[0] > 0 else math.nan),
    "MOV": lambda s: s,
    "MOVA": lambda s: s,
}


def test_every_arithmetic_instruction_has_a_formula() -> None:
    assert FORMULAS.keys() == {row.name for row in instructions.OPERATIONS if row.compute is not None}


@pytest.mark.parametrize("name", FORMULAS)
def test_float32(name: str) -> None:
    operation = instructions.BY_NAME[name]
    assert operation.compute is not None
    rng = np.random.default_rng(3)
    for _ in range(40):
        sources = [list((rng.integers(-64, 64, 4) / 8 + 0.0625).astype(f32)) for _ in operation.layout.sources]
        with quiet():
            got = operation.compute(F32, *sources)
            want = FORMULAS[name](*sources)
        np.testing.assert_array_equal(np.array(got, f32), np.array(want, f32))


@pytest.mark.parametrize("name", FORMULAS)
def test_24_bits_are_near(name: str) -> None:
    operation = instructions.BY_NAME[name]
    assert operation.compute is not None
    rng = np.random.default_rng(4)
    for _ in range(20):
        sources = [list((rng.integers(1, 64, 4) / 16).astype(f32)) for _ in operation.layout.sources]
        with quiet():
            got = np.array(operation.compute(F24, *(F24.encode("float", source) for source in sources)))
            want = np.array(FORMULAS[name](*sources))
        np.testing.assert_allclose(got, want, rtol=2.0**-12, atol=2.0**-14)
        np.testing.assert_array_equal(got, F24.encode("float", got))


INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("arithmetic", [F32, F24], ids=["f32", "f24"])
@pytest.mark.parametrize(
    ("name", "sources", "want"),
    [
        ("MAX", (0.0, NAN), NAN),
        ("MAX", (NAN, 0.0), 0.0),
        ("MIN", (0.0, NAN), NAN),
        ("MIN", (NAN, 0.0), 0.0),
        ("RCP", (0.0,), INF),
        ("RCP", (-0.0,), INF),
        ("RCP", (INF,), 0.0),
        ("RCP", (NAN,), NAN),
        ("RSQ", (0.0,), INF),
        ("RSQ", (-0.0,), INF),
        ("RSQ", (-1.0,), NAN),
        ("RSQ", (-INF,), NAN),
        ("RSQ", (INF,), 0.0),
        ("ADD", (INF, -INF), NAN),
        ("MUL", (INF, 0.0), 0.0),
        ("MUL", (NAN, 0.0), NAN),
        ("MAD", (INF, 0.0, 3.0), 3.0),
        ("DP4", (INF, 0.0), 0.0),
        ("SGE", (NAN, 0.0), 0.0),
        ("SLT", (NAN, 0.0), 0.0),
        ("LG2", (0.0,), -INF),
        ("FLR", (-0.5,), -1.0),
    ],
)
def test_special_values(arithmetic: LaneArithmetic, name: str, sources: tuple[float, ...], want: float) -> None:
    compute = instructions.BY_NAME[name].compute
    assert compute is not None
    with quiet():
        got = compute(arithmetic, *(arithmetic.encode("float", [value] * 4) for value in sources))
    np.testing.assert_array_equal(np.array(got), np.full(4, want, f32))


@pytest.mark.parametrize("name", meanings.RELATIONS)
def test_relations(name: str) -> None:
    holds = {
        "eq": (0, 1, 0),
        "ne": (1, 0, 1),
        "lt": (1, 0, 0),
        "le": (1, 1, 0),
        "gt": (0, 0, 1),
        "ge": (0, 1, 1),
    }[name]
    number = meanings.RELATION_NAMES.index(name)
    for x, expected in zip((1.0, 2.0, 3.0), holds, strict=True):
        assert bool(meanings.relate(F32, number, f32(x), f32(2.0))) == bool(expected)
    assert bool(meanings.relate(F32, number, f32(NAN), f32(2.0))) == (name == "ne")


@pytest.mark.parametrize("number", [6, 7])
def test_the_unnamed_relations_always_hold(number: int) -> None:
    assert bool(meanings.relate(F32, number, f32(NAN), f32(0.0)))


def test_litp_sets_flags() -> None:
    flags = instructions.BY_NAME["LITP"].flags
    assert flags is not None
    assert [bool(flag) for flag in flags(F32, [f32(x) for x in (0.0, 5.0, 5.0, -1.0)])] == [True, False]
