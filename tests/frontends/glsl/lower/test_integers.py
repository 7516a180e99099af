"""Operations on int and uint against Python's unbounded integers (GLSL ES 3.00 sections 4.1.3, 5.4.1 and 5.9)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.frontends.glsl.check.support import constant_of
from tests.frontends.glsl.lower.harness import run

VERSION = 130
SIGNED = [(7, 3), (-7, 3), (2**31 - 1, 2), (-(2**31), 31), (-1, 5), (0x12345678, 9), (1, 1)]
UNSIGNED = [(7, 3), (2**32 - 1, 3), (2**31, 31), (0x9ABCDEF0, 7), (5, 2**32 - 3), (1, 1)]
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    # Towards zero, which is what machines do; the specification leaves the remainder of negative operands open.
    "/": lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1),
    "%": lambda x, y: abs(x) % abs(y) * (1 if x >= 0 else -1),
    "<<": operator.lshift,
    ">>": operator.rshift,
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
CASES = [("int", x, y) for x, y in SIGNED] + [("uint", x, y) for x, y in UNSIGNED]


def _reduced(value: int, type_: str) -> int:
    """In the 32 bits of the type."""
    return value % 2**32 if type_ == "uint" else (value + 2**31) % 2**32 - 2**31


def _expected(op: str, type_: str, x: int, y: int) -> int:
    return _reduced(OPERATIONS[op](x, y % 32 if op in ("<<", ">>") else y), type_)


def _literal(value: int, type_: str) -> str:
    """-2147483648 is the negative of a literal that is too large but for its bits."""
    return f"{value}u" if type_ == "uint" else f"({value})"


def _uniform(value: int, type_: str) -> object:
    return (np.uint32 if type_ == "uint" else np.int32)(value)


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize(("type_", "x", "y"), CASES)
def test_operations_at_run_time(op: str, type_: str, x: int, y: int) -> None:
    y = y % 32 if op in ("<<", ">>") else y
    numbers = {"a": x, "b": y, "e": _expected(op, type_, x, y)}
    values: dict[str, Any] = {name: _uniform(number, type_) for name, number in numbers.items()}
    body = f"{type_} c = a; c {op}= b; result = vec2((a {op} b) == e, c == e);"
    assert run(body, "vec2", version=VERSION, **values).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize(("type_", "x", "y"), CASES)
def test_operations_on_constants(op: str, type_: str, x: int, y: int) -> None:
    y = y % 32 if op in ("<<", ">>") else y
    expression = f"{_literal(x, type_)} {op} {_literal(y, type_)}"
    assert constant_of(type_, expression, VERSION) == (_expected(op, type_, x, y),)


@pytest.mark.parametrize("op", COMPARISONS)
@pytest.mark.parametrize(("type_", "x", "y"), [*CASES, ("uint", 1, 2**31), ("uint", 2**32 - 1, 0)])
def test_comparisons(op: str, type_: str, x: int, y: int) -> None:
    expected = COMPARISONS[op](x, y)
    values: dict[str, Any] = {"a": _uniform(x, type_), "b": _uniform(y, type_)}
    assert run(f"result = float(a {op} b);", "float", version=VERSION, **values) == float(expected)
    assert constant_of("bool", f"{_literal(x, type_)} {op} {_literal(y, type_)}", VERSION) == (expected,)


@pytest.mark.parametrize(("op", "of"), {"-": operator.neg, "~": operator.invert, "+": operator.pos}.items())
@pytest.mark.parametrize(("type_", "x"), [("int", 5), ("int", -(2**31)), ("uint", 5), ("uint", 0)])
def test_prefix_operators(op: str, of: Callable[[int], int], type_: str, x: int) -> None:
    expected = _reduced(of(x), type_)
    values: dict[str, Any] = {"a": _uniform(x, type_), "e": _uniform(expected, type_)}
    assert run(f"result = float({op}a == e);", "float", version=VERSION, **values) == 1.0
    assert constant_of(type_, f"{op}{_literal(x, type_)}", VERSION) == (expected,)


def test_a_shift_is_of_the_left_operands_type() -> None:
    values: dict[str, Any] = {"a": np.int32(-8), "b": np.uint32(2**32 - 8), "n": np.int32(1), "u": np.uint32(1)}
    body = "result = vec2((a >> u) == -4, (b >> n) == 2147483644u);"
    assert run(body, "vec2", version=VERSION, **values).tolist() == [1.0, 1.0]
    assert constant_of("int", "-8 >> 1u", VERSION) == (-4,)
    assert constant_of("uint", "4294967288u >> 1", VERSION) == (2147483644,)


def test_steps_wrap() -> None:
    body = "uint b = a; uint old = b++; uint c = 0u; --c; result = vec3(old == a, b == 0u, c == a);"
    assert run(body, "vec3", version=VERSION, a=np.uint32(2**32 - 1)).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("shift", "expected"),
    [("v << n", (2, 4, 16)), ("v << m", (2, 8, 32)), ("v >> n", (0, 1, 4)), ("v >> u", (0, 0, 2))],
)
def test_shifts_of_vectors(shift: str, expected: tuple[int, ...]) -> None:
    values: dict[str, Any] = {"v": np.array([1, 2, 8], np.int32), "n": np.int32(1), "m": np.array([1, 2, 2], np.int32)}
    got = run(f"result = vec3({shift});", "vec3", version=VERSION, u=np.array([1, 2, 2], np.uint32), **values)
    assert got.tolist() == list(expected)


@pytest.mark.parametrize(
    ("source", "value", "target", "expected"),
    [
        ("uint", 2**32 - 1, "float", 4294967296.0),
        ("uint", 2**31 + 256, "float", 2147483904.0),
        ("uint", 2**32 - 1, "int", -1),
        ("int", -1, "uint", 2**32 - 1),
        ("float", 3000000000.0, "uint", 3000000000),
        ("float", 2.75, "uint", 2),
        ("bool", True, "uint", 1),
        ("uint", 2**31, "bool", True),
    ],
)
def test_conversions(source: str, value: float, target: str, expected: float) -> None:
    kinds = {"uint": np.uint32, "int": np.int32, "float": np.float32, "bool": np.bool_}
    values: dict[str, Any] = {"a": kinds[source](value), "e": kinds[target](expected)}
    vector = {"uint": "uvec2", "int": "ivec2", "float": "vec2", "bool": "bvec2"}[target]
    body = f"result = vec2({target}(a) == e, {vector}(a, a).y == e);"
    assert run(body, "vec2", version=VERSION, **values).tolist() == [1.0, 1.0]
    literal = {"uint": f"{value}u", "float": f"{value}", "bool": "true"}.get(source, f"({value})")
    assert constant_of(target, f"{target}({literal})", VERSION) == (expected,)


def test_a_matrix_of_uint() -> None:
    got = run("mat2 m = mat2(a); result = vec4(m[0], m[1]);", version=VERSION, a=np.uint32(3000000000))
    assert got.tolist() == [3e9, 0.0, 0.0, 3e9]


def test_uint_converts_to_float_by_itself() -> None:
    assert run("float f = 0.5; result = f + a;", "float", version=VERSION, a=np.uint32(2**31)) == 2.0**31
