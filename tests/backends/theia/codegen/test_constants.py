"""Rows of constants: each is made in the fewest instructions that a row can be made in."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from glslc_multi.backends.theia.codegen.constants import Numbers, _number_row
from glslc_multi.backends.theia.codegen.machine_ops import FILE
from glslc_multi.backends.theia.isa.numbers import ONE, WORD_MASK
from glslc_multi.compiler.codegen.machine import MachineInstruction
from tests.backends.theia.compiled import compiled, run

_MINUS = -ONE & WORD_MASK
_ANY = (None, 0, ONE, _MINUS, ONE // 4, 3 * ONE)
#: What one instruction makes of the row of zeros.
_ONE_WORD = {
    "ZERO": (0, 0, 0),
    "INC": (ONE, ONE, ONE),
    "DEC": (_MINUS, _MINUS, _MINUS),
    "INCX": (ONE, 0, 0),
    "INCY": (0, ONE, 0),
    "INCZ": (0, 0, ONE),
}


def row_of(instructions: list[MachineInstruction]) -> list[int | None]:
    """The lanes that the instructions leave; None where anything may be."""
    lanes: list[int | None] = [None] * 3
    for instruction in instructions:
        name, pattern = instruction.op.name, instruction.attributes.get("pattern")
        if name in _ONE_WORD:
            lanes = list(_ONE_WORD[name])
        elif name == "SWIZZLE3D":
            assert pattern == 0
            lanes = [lanes[0]] * 3
        else:
            lanes[("SETX", "SETY", "SETZ").index(name)] = pattern
    return lanes


def least(numbers: Numbers) -> int:
    """Starting from nothing, a row of one word, or a number that is spread, each lane that is wrong takes a word."""
    starts = [(0, (None,) * 3), *((1, row) for row in _ONE_WORD.values())]
    starts += [(2, (number,) * 3) for number in numbers]
    wrong = [
        words + sum(n is not None and n != have for n, have in zip(numbers, row, strict=True)) for words, row in starts
    ]
    return max(min(wrong), 0)


@pytest.mark.parametrize("x", _ANY)
def test_rows_of_numbers(x: int | None) -> None:
    for y, z in product(_ANY, repeat=2):
        numbers = (x, y, z)
        made = list(_number_row(numbers, FILE[64]))
        assert all(n is None or n == have for n, have in zip(numbers, row_of(made), strict=True)), numbers
        assert len(made) == least(numbers), numbers


def test_what_is_read_most_is_kept() -> None:
    """A loop's rows come before those that are read once, whichever is first in the shader."""
    rows = [f"vec3({number}.125, {number}.25, {number}.5)" for number in range(1, 9)]
    rounds = " ".join(f"c = c.yzx * 0.0625 + {row};" for row in rows[2:])
    text = f"""varying vec3 x; uniform int n; void main() {{ vec3 c = x * {rows[0]} + {rows[1]};
        for (int i = 0; i < 3; i++) {{ if (i > n) break; {rounds} }} gl_FragColor = vec4(c, 1.0); }}"""
    lines = compiled(text).assembly.splitlines()
    ends = [f"'h{number * ONE + ONE // 8:X}" for number in range(1, 9)]
    registers = [next(line.split()[1] for line in lines if line.endswith(end)) for end in ends]
    assert [name[0] for name in registers[:2]] == ["R", "R"]
    assert sum(name[0] == "C" for name in registers) >= 4
    starts = {line.split()[1] for line in lines if line.lstrip().startswith("SETX C")}
    assert starts == {f"C{number}" for number in range(1, 8)}


def test_pinned_rows_have_registers_of_their_own() -> None:
    text = """uniform vec4 u; uniform mat2 m[2]; varying vec4 x;
        void main() { gl_FragColor = u * x + vec4(m[0] * x.xy, m[1] * x.zw) + vec4(0.25, 0.5, 0.75, 1.0); }"""
    x = np.array([[0.5, -1.25, 2.0, 0.25], [1.0, 0.75, -0.5, -2.0]])
    u, m = np.array([1.0, 2.0, -3.0, 0.5]), np.arange(8.0).reshape(2, 2, 2) / 4
    for pin in ("u=C6", "m=C1,u=C6", "m=C4,u=C2", "m=C3"):
        found = run(text, {"x": x}, {"u": u, "m": m}, options={"pin": pin})["gl_FragColor"]
        wanted = u * x + np.hstack([x[:, :2] @ m[0].T, x[:, 2:] @ m[1].T]) + [0.25, 0.5, 0.75, 1.0]
        assert np.array_equal(found, wanted), pin
