"""Machines that compute ints with floats say that they cannot show the bits of floats."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError

_TEXT = """#version 300 es
uniform float a;
in vec4 p;
void main() { gl_Position = p * VALUE; }
"""


@pytest.mark.parametrize("target", ["adreno", "agal", "pica200"])
@pytest.mark.parametrize("value", ["float(floatBitsToInt(a) & 7)", "intBitsToFloat(int(a))"])
def test_bits_are_refused_where_floats_are_ints(target: str, value: str) -> None:
    with pytest.raises(CompileError) as raised:
        glslc_multi.compile(_TEXT.replace("VALUE", value), target=target, stage="vertex")
    assert [(found.code, found.span and found.span.line) for found in raised.value.diagnostics] == [("E0702", 4)]
    assert glslc_multi.compile(_TEXT.replace("VALUE", value), target="vc4", stage="vertex").binary
