"""Every instruction on ints by a formula of its own over Python's numbers, with every edge beside every other one.

So there are exact multiples and what is next to them, all pairs of signs, shifts and bit fields of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.edges import FLOATS, INTS, UINTS, Format, edges, pairs
from tests.frontends.spirv.modules import run_rows

_MASK = 0xFFFFFFFF
_LEAST = -(2**31)
_EDGES = [int(x) for x in edges(format=INTS)]
_PAIRS = [(int(x), int(y)) for x, y in pairs(_EDGES, INTS)]
#: For operations of three operands and more.
_FEW = (_LEAST, -128, -1, 0, 1, 127, 128, 65535, 2**30, 2**31 - 1)
#: Of bit fields: words and what goes into them; and the numbers of their first bits with those of their bits.
_WORDS = ((0, -1), (-1, 0), (_LEAST + 1, 0x0F5A5A5A), (0x76543210, -2))
_FIELDS = [(offset, count) for offset in range(33) for count in range(33 - offset)]

Rows = Sequence[tuple[float, ...]]


def _wrap(x: int) -> int:
    x &= _MASK
    return x - (1 << 32) if x >> 31 else x


def _unsigned(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: f(*(x & _MASK for x in xs))


def _quotient(x: int, y: int) -> int:
    return int(abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)


def _between(x: int, low: int, high: int) -> int:
    return min(max(x, low), high)


#: Of GLSL.std.450 where the name does not begin with Op.
OF_ONE: dict[str, Callable[[int], int]] = {
    "OpSNegate": lambda x: -x,
    "OpNot": lambda x: ~x,
    "OpBitReverse": lambda x: int(f"{x & _MASK:032b}"[::-1], 2),
    "OpBitCount": lambda x: (x & _MASK).bit_count(),
    "SAbs": abs,
    "SSign": lambda x: (x > 0) - (x < 0),
    "FindILsb": lambda x: (x & -x).bit_length() - 1,
    "FindUMsb": lambda x: (x & _MASK).bit_length() - 1,
    "FindSMsb": lambda x: (~x if x < 0 else x).bit_length() - 1,
}
OF_TWO: dict[str, Callable[[int, int], int]] = {
    "OpIAdd": lambda x, y: x + y,
    "OpISub": lambda x, y: x - y,
    "OpIMul": lambda x, y: x * y,
    "OpSDiv": _quotient,
    "OpUDiv": _unsigned(lambda x, y: x // y),
    "OpUMod": _unsigned(lambda x, y: x % y),
    "OpSRem": lambda x, y: x - y * _quotient(x, y),
    # Python's own remainder has the sign of the divisor.
    "OpSMod": lambda x, y: x % y,
    "OpShiftRightLogical": lambda x, y: (x & _MASK) >> y,
    "OpShiftRightArithmetic": lambda x, y: x >> y,
    "OpShiftLeftLogical": lambda x, y: x << y,
    "OpBitwiseOr": lambda x, y: x | y,
    "OpBitwiseXor": lambda x, y: x ^ y,
    "OpBitwiseAnd": lambda x, y: x & y,
    "SMin": min,
    "SMax": max,
    "UMin": _unsigned(min),
    "UMax": _unsigned(max),
}
CLAMPS = {"SClamp": _between, "UClamp": _unsigned(_between)}
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "OpIEqual": lambda x, y: x == y,
    "OpINotEqual": lambda x, y: x != y,
    "OpSGreaterThan": lambda x, y: x > y,
    "OpSGreaterThanEqual": lambda x, y: x >= y,
    "OpSLessThan": lambda x, y: x < y,
    "OpSLessThanEqual": lambda x, y: x <= y,
    "OpUGreaterThan": _unsigned(lambda x, y: x > y),
    "OpUGreaterThanEqual": _unsigned(lambda x, y: x >= y),
    "OpULessThan": _unsigned(lambda x, y: x < y),
    "OpULessThanEqual": _unsigned(lambda x, y: x <= y),
}
TWO_RESULTS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "OpIAddCarry": _unsigned(lambda x, y: (x + y, (x + y) >> 32)),
    "OpISubBorrow": _unsigned(lambda x, y: (x - y, x < y)),
    "OpUMulExtended": _unsigned(lambda x, y: (x * y, (x * y) >> 32)),
    "OpSMulExtended": lambda x, y: (x * y, (x * y) >> 32),
}


def _field(x: int, y: int, offset: int, count: int) -> int:
    return x >> offset & ((1 << count) - 1)


def _signed_field(x: int, y: int, offset: int, count: int) -> int:
    found = _field(x, y, offset, count)
    return found - (1 << count) if count and found >> (count - 1) else found


def _inserted(x: int, y: int, offset: int, count: int) -> int:
    mask = ((1 << count) - 1) << offset
    return (x & ~mask) | (y << offset & mask)


BIT_FIELDS = {"OpBitFieldUExtract": _field, "OpBitFieldSExtract": _signed_field, "OpBitFieldInsert": _inserted}


def _check(found: Any, rows: Rows, meaning: Callable[..., int]) -> None:
    wanted = [_wrap(int(meaning(*row))) for row in rows]
    assert [(row, x, y) for row, x, y in zip(rows, map(int, found), wanted, strict=True) if x != y] == []


def _ints(body: str, rows: Rows, declared: str = "") -> Any:
    """The ints that a body makes of rows of operands, %r."""
    return run_rows(f"{body}\n%result = OpBitcast %vec4 %r\n", rows, declared).view(np.int32)


def _call(name: str, operands: str) -> str:
    words = f"{name} %ivec4" if name.startswith("Op") else f"OpExtInst %ivec4 %std {name}"
    return f"%r = {words} {operands}"


@pytest.mark.parametrize("name", OF_ONE)
def test_of_one(name: str) -> None:
    rows = [(x,) for x in _EDGES]
    _check(_ints(_call(name, "%x"), rows), rows, OF_ONE[name])


@pytest.mark.parametrize("name", OF_TWO)
def test_of_two(name: str) -> None:
    """Where SPIR-V defines the result."""
    rows = _PAIRS
    if name in ("OpSDiv", "OpUDiv", "OpUMod", "OpSRem", "OpSMod"):
        rows = [(x, y) for x, y in rows if y and (x, y) != (_LEAST, -1)]
    elif name.startswith("OpShift"):
        rows = list(product(_EDGES, range(32)))
    _check(_ints(_call(name, "%x %y"), rows), rows, OF_TWO[name])


@pytest.mark.parametrize("name", CLAMPS)
def test_clamps(name: str) -> None:
    """From the lesser of two ends to the greater."""
    order: Callable[[int], int] = int if name == "SClamp" else _unsigned(int)
    rows = [(x, *sorted(ends, key=order)) for x, *ends in product(_EDGES, _FEW, _FEW)]
    _check(_ints(_call(name, "%x %y %z"), rows), rows, CLAMPS[name])


@pytest.mark.parametrize("name", RELATIONS)
def test_relations(name: str) -> None:
    body = f"%r = {name} %bvec4 %x %y\n%result = OpSelect %vec4 %r %ones %zeros\n"
    _check(run_rows(body, _PAIRS), _PAIRS, RELATIONS[name])


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("name", TWO_RESULTS)
def test_two_results(name: str, part: int) -> None:
    body = f"%both = {name} %pair %x %y\n%r = OpCompositeExtract %ivec4 %both {part}"
    found = _ints(body, _PAIRS, "%pair = OpTypeStruct %ivec4 %ivec4\n")
    _check(found, _PAIRS, lambda x, y: TWO_RESULTS[name](x, y)[part])


@pytest.mark.parametrize("name", BIT_FIELDS)
def test_bit_fields(name: str) -> None:
    """Of all places and sizes; their numbers are scalars, the same for the rows of a pixel."""
    rows = [(*words, *field) for field in _FIELDS for words in _WORDS]
    parts = "%offset = OpCompositeExtract %int %z 0\n%count = OpCompositeExtract %int %w 0\n"
    operands = "%x %y" if name == "OpBitFieldInsert" else "%x"
    _check(_ints(parts + _call(name, f"{operands} %offset %count"), rows), rows, BIT_FIELDS[name])


@pytest.mark.parametrize(("name", "meaning"), [("OpConvertSToF", int), ("OpConvertUToF", _unsigned(int))])
def test_floats_of_ints(name: str, meaning: Callable[[int], int]) -> None:
    """Rounded to the nearest, and of two that are as near to the even one, as numpy does."""
    found = run_rows(f"%result = {name} %vec4 %x\n", [(x,) for x in _EDGES])
    assert found.tolist() == [float(np.float32(meaning(x))) for x in _EDGES]


@pytest.mark.parametrize(("name", "format"), [("OpConvertFToS", INTS), ("OpConvertFToU", UINTS)])
def test_ints_of_floats(name: str, format: Format) -> None:
    """Cut off; numbers that no such int is are left out."""
    rows = [(x,) for x in edges(format=FLOATS) if format.least - 1 < x <= format.greatest]
    kind = "ivec4" if format is INTS else "uvec4"
    found = run_rows(f"%r = {name} %{kind} %x\n%result = OpBitcast %vec4 %r\n", rows).view(np.int32)
    _check(found, rows, int)
