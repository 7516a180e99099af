"""GLSL to machine code, and to what it computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import glslc_multi as g
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.runtime.shader import CompiledShader

#: Comparing 24-bit results of dyadic inputs with numpy's.
TOLERANCE = 2.0**-10


def compiled(source: str, opt: int = 2, **options: Any) -> CompiledShader:
    return g.compile(source, target="pica200", stage="vertex", opt=opt, options=options)


def words(source: str, **options: Any) -> list[str]:
    """The instructions of a shader, one a line of its text."""
    lines = [line.strip() for line in compiled(source, **options).assembly.splitlines()]
    start = lines.index(".proc main") + 1
    return lines[start:-1]


def mnemonics(source: str) -> list[str]:
    return [line.split()[0] for line in words(source)]


def refusal(source: str) -> tuple[str, str]:
    """Code and message of the error that refuses a shader."""
    with pytest.raises(g.CompileError) as caught:
        compiled(source)
    error = next(d for d in caught.value.diagnostics if d.severity == "error")
    return error.code, error.message


def dyadic(seed: int, *shape: int) -> Array:
    """Multiples of 1/4 between -4 and 4, which every format holds."""
    return np.random.default_rng(seed).integers(-16, 17, shape) / 4.0


def check(source: str, inputs: Mapping[str, Array], uniforms: Mapping[str, Any], wanted: Mapping[str, Array]) -> None:
    """Run a shader on the simulator, at two levels, and compare."""
    for opt in (0, 2):
        found = compiled(source, opt).run(inputs, uniforms)
        for name, values in wanted.items():
            assert np.allclose(found[name], values, TOLERANCE, TOLERANCE), f"{name} at -O{opt}"
