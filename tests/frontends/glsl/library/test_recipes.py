"""What newer built-in functions compute, against Python's and numpy's own functions in double precision."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from glslc_multi.frontends.glsl.check import fold
from glslc_multi.frontends.glsl.library.functions import functions_of
from glslc_multi.frontends.glsl.symbols import BuiltinFunction
from glslc_multi.frontends.glsl.types import NumericType

Number = bool | int | float
Numbers = Sequence[Number]


def _each(function: Callable[..., Number]) -> Callable[..., list[Number]]:
    """A function of numbers over vectors; numbers among the arguments are repeated."""

    def apply(*arguments: Numbers) -> list[Number]:
        width = max(map(len, arguments))
        return [function(*row) for row in zip(*(list(a) * (width // len(a)) for a in arguments), strict=True)]

    return apply


MEANINGS: dict[str, Callable[..., list[Number]]] = {
    **{name: _each(getattr(math, name)) for name in "sinh cosh tanh asinh atanh trunc isnan isinf".split()},
    "acosh": _each(lambda x: math.acosh(max(x, 1.0))),
    "round": _each(lambda x: math.floor(x + 0.5)),
    "roundEven": _each(round),
    "abs": _each(abs),
    "sign": _each(lambda x: (x > 0) - (x < 0)),
    "min": _each(min),
    "max": _each(max),
    "clamp": _each(lambda x, low, high: min(max(x, low), high)),
    "mix": _each(lambda x, y, a: (y if a else x) if isinstance(a, bool) else x * (1.0 - a) + y * a),
    "lessThan": _each(lambda x, y: x < y),
    "lessThanEqual": _each(lambda x, y: x <= y),
    "greaterThan": _each(lambda x, y: x > y),
    "greaterThanEqual": _each(lambda x, y: x >= y),
    "equal": _each(lambda x, y: x == y),
    "notEqual": _each(lambda x, y: x != y),
}
COMPUTED = [function for name in MEANINGS for function in functions_of(name, 300)]


def _numbers(rng: random.Random, type_: NumericType) -> list[Number]:
    some: dict[str, Callable[[], Number]] = {
        "float": lambda: rng.randint(-63, 63) / 64.0,
        "int": lambda: rng.choice([rng.randint(-3, 3), rng.randint(-(2**31) + 1, 2**31 - 1)]),
        "uint": lambda: rng.choice([rng.randint(0, 3), rng.randint(0, 2**32 - 1)]),
        "bool": lambda: rng.random() < 0.5,
    }
    return [some[type_.base]() for _ in range(type_.component_count)]


@pytest.mark.parametrize("function", COMPUTED, ids=lambda f: f"{f.name}-{'-'.join(map(str, f.parameters))}")
def test_components(function: BuiltinFunction) -> None:
    rng = random.Random(f"{function.name}{function.parameters}")
    for _ in range(30):
        arguments = [_numbers(rng, type_) for type_ in function.parameters if isinstance(type_, NumericType)]
        if function.name == "clamp":
            pairs = [sorted(pair) for pair in zip(arguments[1], arguments[2], strict=True)]
            arguments[1:] = [[low for low, _ in pairs], [high for _, high in pairs]]
        if function.name == "acosh":
            arguments = [[1.0 + abs(x) for x in arguments[0]]]
        found = fold.builtin(function, [tuple(a) for a in arguments])
        assert found is not None
        assert list(found) == pytest.approx(MEANINGS[function.name](*arguments), rel=2e-6, abs=1e-6)


def _call(name: str, *arguments: Numbers) -> list[Number]:
    """The overload of ES 3.00 that takes as many numbers."""
    (function,) = (f for f in functions_of(name, 300) if list(map(_count, f.parameters)) == list(map(len, arguments)))
    found = fold.builtin(function, [tuple(a) for a in arguments])
    assert found is not None
    return list(found)


def _count(type_: object) -> int:
    assert isinstance(type_, NumericType)
    return type_.component_count


# ------------------------------------------------------------------------------- places of numbers
@pytest.mark.parametrize(
    ("x", "up", "even"),
    [
        (0.5, 1, 0),
        (1.5, 2, 2),
        (-0.5, 0, 0),
        (-1.5, -1, -2),
        (2.5, 3, 2),
        (0.49999997, 0, 0),
        (8388609.0, 8388609, 8388609),
    ],
)
def test_halves_and_their_neighbours(x: float, up: int, even: int) -> None:
    assert (_call("round", [x]), _call("roundEven", [x])) == ([up], [even])


@pytest.mark.parametrize(("x", "expected"), [(40.0, 1.0), (-40.0, -1.0), (3e38, 1.0), (-3e38, -1.0)])
def test_tanh_of_large_numbers(x: float, expected: float) -> None:
    assert _call("tanh", [x]) == [expected]


def test_asinh_of_negative_numbers_keeps_its_places() -> None:
    assert _call("asinh", [-4096.0]) == pytest.approx([math.asinh(-4096.0)], rel=1e-6)


@pytest.mark.parametrize("name", ["asinh", "acosh"])
def test_no_large_number_is_squared(name: str) -> None:
    """Its square would be infinite in float32; THEIA's numbers end where squares of 128 are."""
    assert _call(name, [1e30]) == pytest.approx([getattr(math, name)(1e30)], rel=1e-6)


def test_what_is_no_number() -> None:
    numbers = [math.nan, math.inf, -math.inf, 3.4028234e38]
    assert _call("isnan", numbers) == [True, False, False, False]
    assert _call("isinf", numbers) == [False, True, True, False]


# ------------------------------------------------------------------------------------------- bits
@pytest.mark.parametrize("x", [0.0, -0.0, 1.0, -2.5, 2.0**-140, 3.4028234663852886e38, math.inf])
def test_bits_of_a_float(x: float) -> None:
    (signed,), (unsigned,) = struct.unpack("<i", struct.pack("<f", x)), struct.unpack("<I", struct.pack("<f", x))
    assert (_call("floatBitsToInt", [x]), _call("floatBitsToUint", [x])) == ([signed], [unsigned])
    assert [_call(name, [bits])[0] for name, bits in (("intBitsToFloat", signed), ("uintBitsToFloat", unsigned))] == [
        pytest.approx(x, abs=0.0, rel=0.0)
    ] * 2


def _half(x: float) -> int:
    """Python's own conversion; what is too large becomes infinite, as the GPU has it."""
    try:
        return int.from_bytes(struct.pack("<e", x), "little")
    except OverflowError:
        return 0x7C00 | (0x8000 if x < 0 else 0)


def test_halves_of_every_kind() -> None:
    rng = random.Random(1)
    numbers = [0.0, -0.0, 65504.0, 65519.99, 65520.0, -1e9, math.inf, 2.0**-24, 2.0**-25, 1.5 * 2.0**-25, 6.1e-5]
    numbers += [math.ldexp(rng.uniform(-2, 2), rng.randint(-28, 17)) for _ in range(500)]
    for x, y in zip(numbers, reversed(numbers), strict=True):
        x, y = (struct.unpack("<f", struct.pack("<f", number))[0] for number in (x, y))
        assert _call("packHalf2x16", [x, y]) == [_half(x) | _half(y) << 16]
    (nan,) = _call("packHalf2x16", [math.nan, 0.0])
    assert int(nan) & 0x7C00 == 0x7C00 and int(nan) & 0x3FF


def test_every_half_as_a_float() -> None:
    for bits in range(0, 0x10000, 7):
        (x,) = struct.unpack("<e", bits.to_bytes(2, "little"))
        found = _call("unpackHalf2x16", [bits << 16 | 0x3C00])
        assert found[0] == 1.0
        assert math.isnan(found[1]) if math.isnan(x) else struct.pack("<f", found[1]) == struct.pack("<f", x)


@pytest.mark.parametrize("bits", [0, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x1234, 0xABCD])
def test_fixed_point(bits: int) -> None:
    """ES 3.00 section 8.4: unsigned by 65535, signed by 32767 and not below -1; and back."""
    signed = max(((bits ^ 0x8000) - 0x8000) / 32767.0, -1.0)
    both = bits | (bits ^ 0x00FF) << 16
    assert _call("unpackSnorm2x16", [both])[0] == pytest.approx(signed, rel=1e-6)
    assert _call("unpackUnorm2x16", [both])[0] == pytest.approx(bits / 65535.0, rel=1e-6)
    assert _call("packUnorm2x16", _call("unpackUnorm2x16", [both])) == [both]
    assert _call("packSnorm2x16", [signed, -2.0]) == [(round(signed * 32767.0) & 0xFFFF) | 0x8001 << 16]


# --------------------------------------------------------------------------------------- matrices
def _matrix(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Small whole numbers on a strong diagonal, so that there is an inverse."""
    return rng.integers(-3, 4, (rows, columns)) + 8.0 * np.eye(rows, columns)


def _flat(matrix: np.ndarray) -> list[float]:
    """Column by column."""
    return [float(x) for x in matrix.T.ravel()]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_inverse_and_determinant(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(20):
        m = _matrix(rng, size, size)
        assert _call("determinant", _flat(m)) == pytest.approx([np.linalg.det(m)], rel=1e-5)
        assert _call("inverse", _flat(m)) == pytest.approx(_flat(np.linalg.inv(m)), rel=1e-5, abs=1e-6)


SHAPES = [(columns, rows) for columns in (2, 3, 4) for rows in (2, 3, 4)]


@pytest.mark.parametrize(("columns", "rows"), SHAPES)
def test_transpose_and_outer_product(columns: int, rows: int) -> None:
    rng = np.random.default_rng(columns * 4 + rows)
    m, c, r = _matrix(rng, rows, columns), rng.integers(-9, 9, rows), rng.integers(-9, 9, columns)
    name = f"mat{columns}x{rows}" if columns != rows else f"mat{rows}"
    (transpose,) = (f for f in functions_of("transpose", 300) if str(f.parameters[0]) == name)
    assert fold.builtin(transpose, [tuple(_flat(m))]) == tuple(_flat(m.T))
    (outer,) = (f for f in functions_of("outerProduct", 300) if str(f.return_type) == name)
    assert list(map(_count, outer.parameters)) == [rows, columns]
    found = fold.builtin(outer, [tuple(map(float, c)), tuple(map(float, r))])
    assert found == tuple(_flat(np.outer(c, r)))


# ------------------------------------------------------------------------------ what is no constant
def test_derivatives_of_constants_are_0_and_noise_is_no_constant() -> None:
    """GLSL 3.30 section 4.3.3; lookups and noise are the exceptions."""
    for name, expected in (("dFdx", (0.0, 0.0)), ("fwidth", (0.0, 0.0)), ("noise3", None)):
        (function,) = (f for f in functions_of(name, 330) if list(map(str, f.parameters)) == ["vec2"])
        assert fold.builtin(function, [(0.5, 1.5)]) == expected
    (lookup, *_) = functions_of("textureSize", 330)
    assert fold.builtin(lookup, []) is None
