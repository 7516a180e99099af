"""GLSL ES 3.00 sections 8.1 to 8.9: every overload of every built-in function without textures.

What GLSL ES 1.00 has is defined there and written again in the newer language.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.functions import Row, function_cases
from tests.conformance.define.types import generic, matrix_name
from tests.conformance.define.value_case import EXACT, FRAGMENT, ValueCase, value
from tests.conformance.sections import section_8_functions as es100

#: Section of GLSL ES 1.00 -> that of GLSL ES 3.00.
_SECTIONS = {
    "8.1": "300-8.1",
    "8.2": "300-8.2",
    "8.3": "300-8.3",
    "8.4": "300-8.5",
    "8.5": "300-8.6",
    "8.6": "300-8.7",
}
_RELATIONS = {
    "lessThan": np.less,
    "lessThanEqual": np.less_equal,
    "greaterThan": np.greater,
    "greaterThanEqual": np.greater_equal,
    "equal": np.equal,
    "notEqual": np.not_equal,
}
#: Away from the middle between two integers and between two steps of a packed number, where rounding is free.
_OFF_TIES = d.Domain(-4, 4, 8, offset=1 / 16)
_OFF_STEPS = d.Domain(-1.5, 1.5, 64, (0.0, 1.0, -1.0), offset=1 / 256)
#: The bits of float32 numbers.
_HALF, _THIRTY_TWO, _MINUS_ONE = 0x3F000000, 0x42000000, float(0xBF800000)
_WORDS = d.Domain(0, 2**32 - 1, 1, (0.0, 2.0**32 - 1, 2.0**31, 0x80008000, 0x7FFF8001))


def _bits(type_: Any, x: Any) -> Any:
    """The bits of float32 numbers as whole numbers."""
    seen = np.asarray(x, dtype=np.float32).view(type_).astype(np.int64)
    return int(seen) if np.ndim(x) == 0 else seen


def _from_bits(type_: Any, value: Any) -> Any:
    seen = np.asarray(value).astype(type_).view(np.float32).astype(np.float64)
    return float(seen) if np.ndim(value) == 0 else seen


def _packed(halves: Any) -> int:
    """Two numbers of 16 bits, the first in the low half."""
    low, high = (int(half) & 0xFFFF for half in halves)
    return low | high << 16


def _halves(p: int) -> Any:
    return np.array([p & 0xFFFF, p >> 16], dtype=np.uint16)


def _half_float(p: int) -> Any:
    return _halves(p & 0xFBFFFBFF).view(np.float16).astype(np.float64)


_ROWS = (
    Row("300-8.1", "sinh", ("G",), np.sinh, {"x": d.SMALL}),
    Row("300-8.1", "cosh", ("G",), np.cosh, {"x": d.SMALL}),
    Row("300-8.1", "tanh", ("G",), np.tanh, {"x": d.SMALL}),
    Row("300-8.1", "asinh", ("G",), np.arcsinh, {"x": d.SMALL}),
    Row("300-8.1", "acosh", ("G",), np.arccosh, {"x": d.Domain(1.25, 8)}),
    Row("300-8.1", "atanh", ("G",), np.arctanh, {"x": d.Domain(-0.875, 0.875, 16)}),
    Row("300-8.3", "abs", ("GI",), np.abs, {"x": d.Domain(-1000, 1000, 1, (0.0, -(2.0**31 - 1)))}, EXACT),
    Row("300-8.3", "sign", ("GI",), np.sign, {"x": d.INT}, EXACT),
    Row("300-8.3", "trunc", ("G",), np.trunc, tolerance=EXACT),
    Row("300-8.3", "round", ("G",), np.round, {"x": _OFF_TIES}, EXACT),
    # numpy rounds the middle to even numbers, too.
    Row("300-8.3", "roundEven", ("G",), np.round, {"x": d.Domain(-6, 6, 2)}, EXACT),
    Row("300-8.3", "min", ("GI, GI", "I, int"), lambda x, y: np.minimum(x, y), {"x": d.INT, "y": d.INT}, EXACT),
    Row("300-8.3", "min", ("GU, GU", "U, uint"), lambda x, y: np.minimum(x, y), {"x": d.UINT, "y": d.UINT}, EXACT),
    Row("300-8.3", "max", ("GI, GI", "I, int"), lambda x, y: np.maximum(x, y), {"x": d.INT, "y": d.INT}, EXACT),
    Row("300-8.3", "max", ("GU, GU", "U, uint"), lambda x, y: np.maximum(x, y), {"x": d.UINT, "y": d.UINT}, EXACT),
    Row(
        "300-8.3",
        "clamp",
        ("GI, GI, GI", "I, int, int"),
        lambda x, low, high: np.minimum(np.maximum(x, low), high),
        {"x": d.INT, "low": d.Domain(-900, -1, 1), "high": d.Domain(0, 900, 1)},
        EXACT,
    ),
    Row(
        "300-8.3",
        "clamp",
        ("GU, GU, GU", "U, uint, uint"),
        lambda x, low, high: np.minimum(np.maximum(x, low), high),
        {"x": d.UINT, "low": d.Domain(0, 100, 1), "high": d.Domain(101, 900, 1, (2.0**31 + 5,))},
        EXACT,
    ),
    Row("300-8.3", "mix", ("G, G, GB",), lambda x, y, a: np.where(a, y, x), tolerance=EXACT),
    Row("300-8.3", "isnan", ("G -> GB",), np.isnan, tolerance=EXACT),
    Row("300-8.3", "isinf", ("G -> GB",), np.isinf, tolerance=EXACT),
    Row("300-8.3", "floatBitsToInt", ("G -> GI",), lambda x: _bits(np.int32, x), tolerance=EXACT),
    Row("300-8.3", "floatBitsToUint", ("G -> GU",), lambda x: _bits(np.uint32, x), tolerance=EXACT),
    Row(
        "300-8.3",
        "intBitsToFloat",
        ("GI -> G",),
        lambda value: _from_bits(np.int32, value),
        {"value": d.Domain(_HALF, _THIRTY_TWO, 1, (_MINUS_ONE - 2.0**32, 0.0))},
    ),
    Row(
        "300-8.3",
        "uintBitsToFloat",
        ("GU -> G",),
        lambda value: _from_bits(np.uint32, value),
        {"value": d.Domain(_HALF, _THIRTY_TWO, 1, (_MINUS_ONE, 0.0))},
    ),
    Row(
        "300-8.4",
        "packSnorm2x16",
        ("vec2 -> uint",),
        lambda v: _packed(np.round(np.clip(v, -1, 1) * 32767)),
        {"v": _OFF_STEPS},
        EXACT,
    ),
    Row(
        "300-8.4",
        "packUnorm2x16",
        ("vec2 -> uint",),
        lambda v: _packed(np.round(np.clip(v, 0, 1) * 65535)),
        {"v": _OFF_STEPS},
        EXACT,
    ),
    Row(
        "300-8.4",
        "packHalf2x16",
        ("vec2 -> uint",),
        lambda v: _packed(v.astype(np.float16).view(np.uint16)),
        {"v": d.Domain(-16, 16, 16, (0.0, 1.0, -1024.0, 65504.0))},
        EXACT,
    ),
    Row(
        "300-8.4",
        "unpackSnorm2x16",
        ("uint -> vec2",),
        lambda p: np.clip(_halves(p).view(np.int16) / 32767, -1, 1),
        {"p": _WORDS},
    ),
    Row("300-8.4", "unpackUnorm2x16", ("uint -> vec2",), lambda p: _halves(p) / 65535, {"p": _WORDS}),
    # Without a bit of the exponent no half is an infinity or NaN.
    Row(
        "300-8.4",
        "unpackHalf2x16",
        ("uint -> vec2",),
        _half_float,
        {"p": _WORDS},
        call="unpackHalf2x16(p & 0xFBFFFBFFu)",
    ),
    *(
        Row("300-8.7", name, ("U, U -> B",), formula, tolerance=EXACT, is_relation=True)
        for name, formula in _RELATIONS.items()
    ),
)


def cases() -> Iterator[ValueCase]:
    for row in es100.ROWS:
        newer = replace(row, overloads=("MX, MX",)) if row.name == "matrixCompMult" else row
        yield from function_cases(newer, section=_SECTIONS[row.section], is_modern=True)
    for row in _ROWS:
        yield from function_cases(row, is_modern=True)
    for type_ in generic("float"):
        yield from es100.refraction("300-8.5", type_, is_modern=True)
        yield from _fraction_and_whole(type_)
        yield from _derivatives(type_)
    for scalar in ("int", "uint", "bool"):
        for type_, chooser in zip(generic(scalar), generic("bool"), strict=True):
            yield from _selection(type_, chooser)
    for columns in (2, 3, 4):
        for rows in (2, 3, 4):
            yield from _outer_product(columns, rows)
            yield from _transposition(columns, rows)
        yield from _square(columns)


def _function(name: str, result: str, types: str, body: str, formula: Any, inputs: str, **more: Any) -> list[ValueCase]:
    """A case that proves one overload; `name` is "section/function"."""
    function = name.split("/")[1]
    return value(
        f"{name}_{types.replace(', ', '_')}",
        result,
        body,
        formula,
        inputs,
        is_modern=True,
        tags=("builtin", f"overload:{function}({types})"),
        **more,
    )


def _fraction_and_whole(type_: str) -> list[ValueCase]:
    return _function(
        "300-8.3/modf",
        type_,
        f"{type_}, {type_}",
        f"{type_} whole; result = modf(x, whole) + 16.0 * whole;",
        lambda x: x - np.trunc(x) + 16.0 * np.trunc(x),
        f"{type_} x",
        tolerance=EXACT,
    )


def _selection(type_: str, chooser: str) -> list[ValueCase]:
    return _function(
        "300-EXT_shader_integer_mix/mix",
        type_,
        f"{type_}, {type_}, {chooser}",
        "mix(x, y, a)",
        lambda x, y, a: np.where(a, y, x),
        f"{type_} x, {type_} y, {chooser} a",
        tolerance=EXACT,
        directives="#extension GL_EXT_shader_integer_mix : enable\n",
    )


def _derivatives(type_: str) -> Iterator[ValueCase]:
    twice = {
        "dFdx": lambda quad: quad.dx(lambda a: 2.0 * a),
        "dFdy": lambda quad: quad.dy(lambda a: 2.0 * a),
        "fwidth": lambda quad: abs(quad.dx(lambda a: 2.0 * a)) + abs(quad.dy(lambda a: 2.0 * a)),
    }
    for name, formula in twice.items():
        yield from _function(
            f"300-8.9/{name}", type_, type_, f"{name}(2.0 * a)", formula, f"{type_} a", stages=FRAGMENT, quads=True
        )


def _outer_product(columns: int, rows: int) -> list[ValueCase]:
    """The first vector is a column, the second a row."""
    types = f"vec{rows}, vec{columns}"
    return _function(
        "300-8.6/outerProduct",
        matrix_name(columns, rows),
        types,
        "outerProduct(c, r)",
        np.outer,
        f"vec{rows} c, vec{columns} r",
        arguments=("c", "r"),
    )


def _transposition(columns: int, rows: int) -> list[ValueCase]:
    given = matrix_name(columns, rows)
    result = matrix_name(rows, columns)
    return _function("300-8.6/transpose", result, given, "transpose(m)", lambda m: m.T, f"{given} m", tolerance=EXACT)


def _square(size: int) -> Iterator[ValueCase]:
    """A strong diagonal keeps the matrix far from having no inverse."""
    type_, strong = f"mat{size}", 4.0 * np.eye(size)
    domains = {"m": d.Domain(-1, 1, 16)}
    for name, result, formula in (
        ("determinant", "float", lambda m: float(np.linalg.det(m + strong))),
        ("inverse", type_, lambda m: np.linalg.inv(m + strong)),
    ):
        body = f"{name}(m + {type_}(4.0))"
        yield from _function(f"300-8.6/{name}", result, type_, body, formula, f"{type_} m", domains=domains)
