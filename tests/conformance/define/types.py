"""GLSL types as the definitions of cases see them: name in, shape and conversions out.

A value in a formula is a number (a Python bool, int or float), a numpy vector, or a numpy matrix indexed
[row, column].  In a record it is a number, a list, or a flat list that goes down the columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

Scalar = Literal["float", "int", "uint", "bool"]

_VECTOR_PREFIX: dict[str, Scalar] = {"vec": "float", "ivec": "int", "uvec": "uint", "bvec": "bool"}


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar, vector or matrix type."""

    name: str
    scalar: Scalar
    rows: int = 1
    columns: int = 1

    @property
    def size(self) -> int:
        return self.rows * self.columns

    @property
    def carrier(self) -> str:
        """The float type that carries such a value through attributes and varyings (section 4.3)."""
        if self.scalar == "float":
            return self.name
        return "float" if self.rows == 1 else f"vec{self.rows}"


@cache
def type_named(name: str) -> Type:
    """The type called `name`, such as `ivec3`."""
    if name in ("float", "int", "uint", "bool"):
        return Type(name, name)  # type: ignore[arg-type]
    if "x" in name:
        columns, rows = name.removeprefix("mat").split("x")
        return Type(name, "float", int(rows), int(columns))
    prefix, size = name[:-1], int(name[-1])
    if prefix == "mat":
        return Type(name, "float", size, size)
    return Type(name, _VECTOR_PREFIX[prefix], size)


def vectors(scalar: Scalar) -> tuple[str, ...]:
    """The names of the vector types of a scalar type."""
    prefix = {"float": "vec", "int": "ivec", "uint": "uvec", "bool": "bvec"}[scalar]
    return tuple(f"{prefix}{size}" for size in (2, 3, 4))


def generic(scalar: Scalar) -> tuple[str, ...]:
    """A scalar type and its vectors, the specification's genType."""
    return (scalar, *vectors(scalar))


MATRICES = ("mat2", "mat3", "mat4")
#: All of GLSL ES 3.00; the first number counts columns.
ALL_MATRICES = (*MATRICES, "mat2x3", "mat2x4", "mat3x2", "mat3x4", "mat4x2", "mat4x3")


def matrix_name(columns: int, rows: int) -> str:
    """`mat3`, `mat2x4`."""
    return f"mat{columns}" if columns == rows else f"mat{columns}x{rows}"


def from_numbers(type_: Type, numbers: list[float]) -> Any:
    """The value of a formula's parameter, from components down the columns."""
    convert = {"float": float, "int": int, "uint": int, "bool": bool}[type_.scalar]
    values = [convert(number) for number in numbers]
    if type_.columns > 1:
        return np.array(values).reshape(type_.columns, type_.rows).T
    return values[0] if type_.rows == 1 else np.array(values)


def to_record(value: Any) -> Any:
    """A formula's value as a record holds it: nine digits distinguish every float32 from its neighbours."""
    given = np.asarray(value)
    if given.dtype.kind in "iu":
        numbers = given.T.reshape(-1).tolist()
    else:
        numbers = [_short(number) for number in given.astype(np.float64).T.reshape(-1).tolist()]
    return numbers[0] if np.ndim(value) == 0 else numbers


def wrapped(type_: str, value: Any) -> Any:
    """Whole numbers modulo 2^32, as `type_` (int, uint or a vector of these) holds them (section 4.1.3)."""
    low = value & 0xFFFFFFFF
    return low if type_.startswith("u") else (low ^ 0x80000000) - 0x80000000


def _short(number: float) -> float | int:
    if math.isfinite(number) and number == int(number) and abs(number) < 2**33:
        return int(number)
    return float(f"{number:.9g}")
