"""Initial values of uniforms, which only desktop GLSL has: constructors of the numbers that a module keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence

from glslc_multi.backends.glsl.text import call, scalar
from glslc_multi.compiler.ir.declarations import Declaration, Number

_TYPE = re.compile(r"(?P<base>\w+?)(\[(?P<length>\d+)\])?")


def has_initial_values(declaration: Declaration) -> bool:
    """Tell whether a uniform begins with other numbers than the zeros that all do."""
    return any(number != 0 for _, numbers in declaration.defaults for number in numbers)


def initializer(declaration: Declaration) -> str | None:
    """Return the initializer of a uniform; None where it has a structure, or arrays in arrays."""
    match = _TYPE.fullmatch(declaration.type)
    if match is None or [leaf for leaf, _ in declaration.defaults] != [declaration.name]:
        return None
    ((_, numbers),) = declaration.defaults
    base, length = match["base"], match["length"]
    if length is None:
        return _value(base, numbers)
    size = len(numbers) // int(length)
    elements = [_value(base, numbers[first : first + size]) for first in range(0, len(numbers), size)]
    return call(f"{base}[{length}]", *elements).text


def _value(base: str, numbers: Sequence[Number]) -> str:
    """Return a number, or a vector or matrix of some, by columns."""
    return scalar(numbers[0]).text if len(numbers) == 1 else call(base, *map(scalar, numbers)).text
