"""Uniform blocks: buffers that become the values of members."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.reference import run_module
from tests.frontends.glsl.test_block_layout import module_of
from tests.generators.matrix_blocks import MatrixBlock, matrix_blocks


def test_a_buffer_is_the_same_as_its_members() -> None:
    buffer = bytearray(304)
    for offset, number in {0: 0.5, 24: 2.0, 28: 0.25, 52: 3.0, 68: 7.0, 212: 4.0, 272: 1.5}.items():
        struct.pack_into("<f", buffer, offset, number)
    struct.pack_into("<I", buffer, 288, 1)
    part = [struct.pack("<4I", number, 0, 0, 0) for number in (1, 9)]
    uniforms = {"Scene": bytes(buffer), "Part[0]": part[0], "Part[1]": part[1]}
    colour = run_module(module_of(), {}, uniforms, {}, lanes=1)["colour"]
    # turn[1] of lamps[1] is at 224 + 32, its second column 16 further.
    np.testing.assert_array_equal(colour[0], [0.5 + 1.5, 2.25 + 4.0, 3.0 + 9.0, 7.0 + 1.0])


def test_a_buffer_that_is_too_short_is_refused() -> None:
    with pytest.raises(CompileError, match="303 bytes, expected 304"):
        run_module(module_of(), {}, {"Scene": bytes(303)}, {}, lanes=1)


@pytest.mark.parametrize("block", matrix_blocks(), ids=lambda block: block.name)
def test_matrices_are_read_where_the_layout_has_them(block: MatrixBlock) -> None:
    paths = list(block.laid.places)
    reads = "".join(f"if (n == {number}.0) r = b{path};\n" for number, path in enumerate(paths))
    head = f"#version 300 es\nprecision highp float;\n{block.glsl()}in float n; out float r;\n"
    module = module_of(f"{head}void main() {{ r = -1.0;\n{reads}}}\n")
    assert module.blocks[0].size == block.laid.size
    found = run_module(module, {"n": np.arange(len(paths))}, {"B": block.buffer()}, {}, lanes=len(paths))["r"]
    assert found.tolist() == list(range(len(paths)))
