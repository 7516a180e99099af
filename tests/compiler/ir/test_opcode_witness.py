"""Every opcode against a reference that shares no code with it: exact fractions and long decimals.

The references are written from the documentation in the opcode table and GLSL ES 1.00 section 8.
Both arithmetics (plain Python and numpy lanes) must give the reference's bits.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import LANES, quiet
from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import OPCODES
from tests.compiler.ir import exact
from tests.compiler.ir.numbers_for_tests import INT_MAX, INT_MIN, bits_of, from_bits, samples

Witness = Callable[..., Any]


# ------------------------------------------------------------------------------- references: floats
def least(x: float, y: float) -> float:
    return y if y < x else x


def greatest(x: float, y: float) -> float:
    return y if x < y else x


def clamped(x: float, low: float, high: float) -> float:
    return least(greatest(x, low), high)


def truncated(x: float) -> float:
    if not math.isfinite(x):
        return x
    return math.copysign(float(abs(Fraction(x)) // 1), x)


def ceiling(x: float) -> float:
    if not math.isfinite(x) or x == 0:
        return x
    whole = -((-Fraction(x)) // 1)
    return math.copysign(float(whole), x)


def remainder(x: float, y: float) -> float:
    return exact.sub(x, exact.mul(y, exact.floor(exact.div(x, y))))


def smooth(low: float, high: float, x: float) -> float:
    t = clamped(exact.div(exact.sub(x, low), exact.sub(high, low)), 0.0, 1.0)
    return exact.mul(exact.mul(t, t), exact.sub(3.0, exact.mul(2.0, t)))


def mixed(x: float, y: float, t: float) -> float:
    return exact.add(exact.mul(x, exact.sub(1.0, t)), exact.mul(y, t))


# --------------------------------------------------------------------------------- references: ints
def wrapped(x: int) -> int:
    return int.from_bytes((x & 0xFFFFFFFF).to_bytes(4, "little"), "little", signed=True)


def quotient(x: int, y: int) -> int:
    return 0 if y == 0 else wrapped(math.trunc(Fraction(x, y)))


def unsigned(x: int) -> int:
    return int.from_bytes(x.to_bytes(4, "little", signed=True), "little")


def rest(x: int, y: int) -> int:
    """What division towards zero leaves."""
    return 0 if y == 0 else x - y * math.trunc(Fraction(x, y))


def bitwise(rule: Callable[[str, str], bool]) -> Callable[[int, int], int]:
    """By the digits of both numbers."""

    def result(x: int, y: int) -> int:
        pairs = zip(f"{unsigned(x):032b}", f"{unsigned(y):032b}", strict=True)
        return wrapped(int("".join(str(int(rule(p, q))) for p, q in pairs), 2))

    return result


def shifted_right(x: int, count: int, filling: str) -> int:
    """By the digits of the number, which move to the right."""
    count %= 32
    return wrapped(int((filling * count + f"{unsigned(x):032b}")[:32], 2))


def to_unsigned(x: float) -> int:
    if math.isnan(x) or x <= 0:
        return 0
    return wrapped(2**32 - 1 if math.isinf(x) else min(2**32 - 1, math.trunc(Fraction(x))))


def nearest_whole(x: float) -> float:
    return x if not math.isfinite(x) or x == 0 else float(round(Fraction(x)))


def to_int(x: float) -> int:
    if math.isnan(x):
        return 0
    if math.isinf(x):
        return INT_MAX if x > 0 else INT_MIN
    return max(INT_MIN, min(INT_MAX, math.trunc(Fraction(x))))


#: Component-wise opcodes: operand kinds and the reference for one component.
COMPONENT_WITNESSES: dict[str, tuple[str, Witness]] = {
    "fadd": ("float float", exact.add),
    "fsub": ("float float", exact.sub),
    "fmul": ("float float", exact.mul),
    "fdiv": ("float float", exact.div),
    "fmad": ("float float float", lambda x, y, z: exact.add(exact.mul(x, y), z)),
    "fneg": ("float", exact.neg),
    "fabs": ("float", lambda x: math.copysign(x, 1.0)),
    "fsign": ("float", lambda x: float((x > 0) - (x < 0))),
    "ffloor": ("float", exact.floor),
    "fceil": ("float", ceiling),
    "ftrunc": ("float", truncated),
    "froundeven": ("float", nearest_whole),
    "ffract": ("float", lambda x: exact.sub(x, exact.floor(x))),
    "fmod": ("float float", remainder),
    "fmin": ("float float", least),
    "fmax": ("float float", greatest),
    "fclamp": ("float float float", clamped),
    "fsaturate": ("float", lambda x: clamped(x, 0.0, 1.0)),
    "fmix": ("float float float", mixed),
    "fstep": ("float float", lambda edge, x: 0.0 if x < edge else 1.0),
    "fsmoothstep": ("float float float", smooth),
    "frcp": ("float", lambda x: exact.div(1.0, x)),
    "fsqrt": ("float", exact.sqrt),
    "frsqrt": ("float", lambda x: exact.div(1.0, exact.sqrt(x))),
    "fexp2": ("float", exact.exp2),
    "flog2": ("float", exact.log2),
    "fexp": ("float", exact.exp),
    "flog": ("float", exact.log),
    "fpow": ("float float", exact.pow_),
    "fsin": ("float", exact.sin),
    "fcos": ("float", exact.cos),
    "ftan": ("float", exact.tan),
    "fasin": ("float", exact.asin),
    "facos": ("float", exact.acos),
    "fatan": ("float", exact.atan),
    "fatan2": ("float float", exact.atan2),
    "iadd": ("int int", lambda x, y: wrapped(x + y)),
    "isub": ("int int", lambda x, y: wrapped(x - y)),
    "imul": ("int int", lambda x, y: wrapped(x * y)),
    "idiv": ("int int", quotient),
    "irem": ("int int", rest),
    "udiv": ("int int", lambda x, y: 0 if y == 0 else wrapped(int(Fraction(unsigned(x), unsigned(y))))),
    "urem": ("int int", lambda x, y: wrapped(rest(unsigned(x), unsigned(y)))),
    "iand": ("int int", bitwise(lambda p, q: p == q == "1")),
    "ior": ("int int", bitwise(lambda p, q: "1" in (p, q))),
    "ixor": ("int int", bitwise(lambda p, q: p != q)),
    "inot": ("int", lambda x: -1 - x),
    "ishl": ("int int", lambda x, y: wrapped(x * 2 ** (y % 32))),
    "ishr": ("int int", lambda x, y: shifted_right(x, y, "1" if x < 0 else "0")),
    "ushr": ("int int", lambda x, y: shifted_right(x, y, "0")),
    "ineg": ("int", lambda x: wrapped(-x)),
    "flt": ("float float", lambda x, y: x < y),
    "fle": ("float float", lambda x, y: x <= y),
    "feq": ("float float", lambda x, y: x == y),
    "fne": ("float float", lambda x, y: x != y),
    "ilt": ("int int", lambda x, y: x < y),
    "ile": ("int int", lambda x, y: x <= y),
    "ult": ("int int", lambda x, y: unsigned(x) < unsigned(y)),
    "ule": ("int int", lambda x, y: unsigned(x) <= unsigned(y)),
    "ieq": ("int int", lambda x, y: x == y),
    "ine": ("int int", lambda x, y: x != y),
    "fisnan": ("float", math.isnan),
    "and": ("bool bool", lambda x, y: bool(x & y)),
    "or": ("bool bool", lambda x, y: bool(x | y)),
    "xor": ("bool bool", lambda x, y: bool(x ^ y)),
    "not": ("bool", lambda x: not x),
    "itof": ("int", lambda x: exact.nearest(Fraction(x))),
    "ftoi": ("float", to_int),
    "utof": ("int", lambda x: exact.nearest(Fraction(unsigned(x)))),
    "ftou": ("float", to_unsigned),
    "bitcast_ftoi": ("float", lambda x: int.from_bytes(struct.pack("<f", x), "little", signed=True)),
    "bitcast_itof": ("int", lambda x: from_bits(unsigned(x))),
    "btof": ("bool", float),
    "btoi": ("bool", int),
    "ftob": ("float", lambda x: x != 0),
    "itob": ("int", lambda x: x != 0),
    "select": ("bool float float", lambda c, x, y: x if c else y),
}


# ------------------------------------------------------------------------------ references: vectors
def dot(x: Sequence[float], y: Sequence[float]) -> float:
    total = exact.mul(x[0], y[0])
    for p, q in zip(x[1:], y[1:], strict=True):
        total = exact.add(total, exact.mul(p, q))
    return total


def normalized(x: Sequence[float]) -> list[float]:
    scale = exact.div(1.0, exact.sqrt(dot(x, x)))
    return [exact.mul(c, scale) for c in x]


def cross(x: Sequence[float], y: Sequence[float]) -> list[float]:
    def part(i: int, j: int) -> float:
        return exact.sub(exact.mul(x[i], y[j]), exact.mul(y[i], x[j]))

    return [part(1, 2), part(2, 0), part(0, 1)]


def column_sum(*operands: Sequence[float]) -> list[float]:
    columns, factors = operands[:-1], operands[-1]
    return [dot(row, factors) for row in zip(*columns, strict=True)]


def insert(vector: Sequence[Any], value: Any, place: int) -> list[Any]:
    result = list(vector)
    result[min(max(place, 0), len(result) - 1)] = value
    return result


#: Whole-vector opcodes: (attribute, operand kinds with widths, reference over component lists).
WHOLE_WITNESSES: dict[str, list[tuple[Any, str, Witness]]] = {
    "all": [(None, f"bool{n}", lambda x: [sum(x) == len(x)]) for n in (1, 2, 3, 4)],
    "any": [(None, f"bool{n}", lambda x: [sum(x) > 0]) for n in (1, 2, 3, 4)],
    "swizzle": [
        ((2, 0, 0, 1), "float3", lambda x: [x[2], x[0], x[0], x[1]]),
        ((3,), "int4", lambda x: [x[3]]),
        ((0, 0), "bool1", lambda x: [x[0], x[0]]),
    ],
    "insert": [
        (2, "float4 float1", lambda x, s: [x[0], x[1], s[0], x[3]]),
        (0, "int2 int1", lambda x, s: [s[0], x[1]]),
    ],
    "construct": [
        (None, "float2 float1 float1", lambda x, y, z: [*x, *y, *z]),
        (None, "bool1 bool1", lambda x, y: [*x, *y]),
        (None, "int3", lambda x: x),
    ],
    "extract_dynamic": [(None, "float3 int1", lambda x, i: [x[min(max(i[0], 0), 2)]])],
    "insert_dynamic": [(None, "float4 float1 int1", lambda x, s, i: insert(x, s[0], i[0]))],
    "dot": [(None, f"float{n} float{n}", lambda x, y: [dot(x, y)]) for n in (1, 2, 3, 4)],
    "length": [(None, f"float{n}", lambda x: [exact.sqrt(dot(x, x))]) for n in (1, 2, 3, 4)],
    "normalize": [(None, f"float{n}", normalized) for n in (1, 2, 3, 4)],
    "cross": [(None, "float3 float3", cross)],
    "mat_vec": [
        (None, "float2 float2 float2", column_sum),
        (None, "float4 float4 float4 float3", column_sum),
        (None, "float4 float4 float4 float4 float4", column_sum),
    ],
    "vec_mat": [
        (None, "float2 float2 float2", lambda v, *columns: [dot(v, column) for column in columns]),
        (None, "float3 float3 float3 float3 float3", lambda v, *columns: [dot(v, column) for column in columns]),
    ],
}


def test_every_opcode_with_a_meaning_has_a_witness() -> None:
    meaningful = {name for name, row in OPCODES.items() if row.has_semantics}
    assert meaningful == COMPONENT_WITNESSES.keys() | WHOLE_WITNESSES.keys()


def show(results: Sequence[Any]) -> list[object]:
    return [bits_of(result) for result in results]


def by_lanes(name: str, attribute: Any, operands: Sequence[Sequence[Sequence[Any]]], kinds: Sequence[str]) -> Any:
    """The opcode over numpy lanes; operands[i][j] is component j of operand i in all lanes."""
    arrays = [[LANES.encode(kind, lane) for lane in operand] for kind, operand in zip(kinds, operands, strict=True)]
    with quiet():
        return [component.tolist() for component in ops.evaluate(OPCODES[name], LANES, attribute, arrays)]


@pytest.mark.parametrize("name", COMPONENT_WITNESSES)
def test_component_wise_opcode(name: str) -> None:
    kinds, witness = COMPONENT_WITNESSES[name]
    cases = list(samples(kinds.split()))
    wanted = [bits_of(witness(*case)) for case in cases]
    by_python = [ops.evaluate(OPCODES[name], PYTHON, None, [[x] for x in case])[0] for case in cases]
    columns = [[list(column)] for column in zip(*cases, strict=True)]
    (by_numpy,) = by_lanes(name, None, columns, kinds.split())
    for case, want, scalar, lane in zip(cases, wanted, by_python, by_numpy, strict=True):
        assert bits_of(scalar) == want, f"{name}{case} in Python is {scalar}"
        assert bits_of(lane) == want, f"{name}{case} in numpy is {lane}"


WHOLE_CASES = [(name, *case) for name, cases in WHOLE_WITNESSES.items() for case in cases]


# Names without a function's address: parallel test processes must agree on them.
@pytest.mark.parametrize(
    ("name", "attribute", "operands", "witness"),
    WHOLE_CASES,
    ids=[f"{name}-{kinds}" for name, _, kinds, _ in WHOLE_CASES],
)
def test_whole_vector_opcode(name: str, attribute: Any, operands: str, witness: Witness) -> None:
    shape = [(operand[:-1], int(operand[-1])) for operand in operands.split()]
    components = [kind for kind, width in shape for _ in range(width)]
    cases = list(component_samples(components))
    packed = [pack(case, shape) for case in cases]
    wanted = [show(witness(*case)) for case in packed]
    by_python = [ops.evaluate(OPCODES[name], PYTHON, attribute, case) for case in packed]
    lanes = pack([list(column) for column in zip(*cases, strict=True)], shape)
    by_numpy = zip(*by_lanes(name, attribute, lanes, [kind for kind, _ in shape]), strict=True)
    for case, want, scalar, lane in zip(packed, wanted, by_python, by_numpy, strict=True):
        assert show(scalar) == want, f"{name}{case} in Python is {scalar}"
        assert show(lane) == want, f"{name}{case} in numpy is {lane}"


def component_samples(kinds: Sequence[str]) -> list[tuple[Any, ...]]:
    """Each edge in each component in turn (rotated against each other), then random tuples."""
    columns = []
    for place, kind in enumerate(kinds):
        edges = [case[0] for case in samples([kind], seed=place)]
        columns.append([edges[(row * (2 * place + 1) + place) % len(edges)] for row in range(300)])
    return list(zip(*columns, strict=True))


def pack(flat: Sequence[Any], shape: Sequence[tuple[str, int]]) -> list[list[Any]]:
    parts = iter(flat)
    return [[next(parts) for _ in range(width)] for _, width in shape]


def test_a_scalar_condition_selects_whole_vectors() -> None:
    assert ops.evaluate(ops.SELECT, PYTHON, None, [[True], [1.0, 2.0], [3.0, 4.0]]) == [1.0, 2.0]
    assert ops.evaluate(ops.SELECT, PYTHON, None, [[False, True], [1.0, 2.0], [3.0, 4.0]]) == [3.0, 2.0]


def test_nearest_rounds_as_the_machine_does() -> None:
    """The reference itself against a third party: numpy's conversion of double to float32."""
    generator = np.random.default_rng(7)
    doubles = np.concatenate(
        [generator.normal(size=500), generator.normal(size=500) * 2.0**-135, [3.4028236e38, 2e-46]]
    )
    with np.errstate(over="ignore"):
        wanted = doubles.astype(np.float32)
    for double, want in zip(doubles.tolist(), wanted.tolist(), strict=True):
        assert bits_of(exact.nearest(Fraction(double), math.copysign(1, double))) == bits_of(want)
