"""Translated code and the interpreter agree on numbers that are handled apart: infinities, NaNs, tiny ones."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.numbers import LARGEST, SMALLEST_NORMAL
from glslc_multi.backends.pica200.machine.run import translated
from glslc_multi.backends.pica200.machine.simulate import Uniforms, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from tests.backends.pica200.helpers import program_of

_SPECIAL = (0.0, 1.0, -1.0, 1.5, -3.25, SMALLEST_NORMAL, -SMALLEST_NORMAL, LARGEST, -LARGEST, np.inf, -np.inf, np.nan)
_LANES = 400
_LINES = (
    "mul o, r0, r1",
    "add o, r0, -r1",
    "mad o, r0, r1, r2",
    "dp4 o, r0, r1",
    "dp3 o, r0, r1",
    "dph o, r0, r1",
    "dp4 o, k, r1",
    "rcp o, r0",
    "rsq o, r0",
    "max o, r0, r1",
    "flr o, r0",
    "slt o, r0, r1",
)


@pytest.mark.parametrize("f32", [False, True], ids=["24 bits", "float32"])
@pytest.mark.parametrize("line", _LINES)
@pytest.mark.parametrize("kind", ["special", "scaled"])
def test_same_numbers(line: str, kind: str, f32: bool) -> None:
    random = np.random.default_rng(7)
    body = f"mov r0, v0\nmov r1, v1\nmov r2, v2\n{line}\nend"
    program = program_of(body, ".fvec k\n.in a v0\n.in b v1\n.in c v2\n.out o position")

    def numbers() -> Array:
        if kind == "special":
            return random.choice(_SPECIAL, (_LANES, 4))
        return random.normal(size=(_LANES, 4)) * 2.0 ** random.integers(-64, 64, (_LANES, 4))

    inputs = {register: numbers().astype(np.float32) for register in range(3)}
    uniforms = Uniforms({register: numbers()[0].tolist() for register in range(96)}, {}, {})
    wanted = simulate(program, inputs, uniforms, f32=f32)
    found = simulate(program, inputs, uniforms, f32=f32, engine=translated(program, f32=f32))
    np.testing.assert_array_equal(found.outputs, wanted.outputs)
    assert not (np.signbit(wanted.outputs) & (wanted.outputs == 0)).any() or f32
