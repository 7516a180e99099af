"""Layouts of uniform blocks: every recorded fact counts."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from glslc_multi.compiler.ir.blocks import BlockMember, UniformBlock
from glslc_multi.compiler.ir.module import Module
from tests.conformance.blocks import blocks_of, complaints_about_blocks

RECORDED: dict[str, Any] = {
    "Block": {
        "size": 48,
        "members": {
            "pad": {"type": "float", "value": 3.0, "offset": 0},
            "m": {"type": "mat3x2[2]", "value": [], "offset": 16, "array_stride": 32, "matrix_stride": 16,
                  "row_major": True},
        },
    }
}  # fmt: skip


def test_equal_layouts_have_no_complaints_and_unknown_members_do_not_matter() -> None:
    ours = deepcopy(RECORDED)
    ours["Block"]["members"]["other"] = {"offset": 44}
    assert list(complaints_about_blocks(RECORDED, ours)) == []


@pytest.mark.parametrize(
    ("fact", "wrong"), [("offset", 20), ("array_stride", 16), ("matrix_stride", 8), ("row_major", False)]
)
def test_each_fact_of_a_member_counts(fact: str, wrong: object) -> None:
    ours = deepcopy(RECORDED)
    ours["Block"]["members"]["m"][fact] = wrong
    right = RECORDED["Block"]["members"]["m"][fact]
    assert list(complaints_about_blocks(RECORDED, ours)) == [f"{fact} of m in block Block is {wrong}, expected {right}"]
    del ours["Block"]["members"]["m"][fact]
    assert list(complaints_about_blocks(RECORDED, ours)) == [f"{fact} of m in block Block is None, expected {right}"]


def test_sizes_blocks_and_members_count() -> None:
    ours = deepcopy(RECORDED)
    ours["Block"]["size"] = 64
    del ours["Block"]["members"]["pad"]
    assert list(complaints_about_blocks(RECORDED, ours)) == [
        "block Block has 64 bytes, expected 48",
        "pad of block Block is missing",
    ]
    assert list(complaints_about_blocks(RECORDED, {})) == ["block Block is missing"]


def test_blocks_of_a_module_are_those_that_a_driver_reports() -> None:
    first = BlockMember("Blk.v", "vec2", None, 0)
    second = BlockMember("Blk.m", "mat3x2", 2, 16, array_stride=32, matrix_stride=16, row_major=True)
    module = Module("vertex")
    module.blocks = [
        UniformBlock("Blk", "std140", 2, 80, (first, second)),
        UniformBlock("Free", "shared", None, 16, ()),
    ]
    ours = blocks_of(module)
    recorded: dict[str, Any] = {
        "Blk[1]": {
            "size": 80,
            "members": {
                "Blk.v": {"offset": 0},
                "Blk.m": {"offset": 16, "array_stride": 32, "matrix_stride": 16, "row_major": True},
            },
        },
        # A driver may put these anywhere.
        "Free": {"size": 256, "members": {"x": {"offset": 64}}},
    }
    assert set(ours) == {"Blk[0]", "Blk[1]", "Free"}
    assert list(complaints_about_blocks(recorded, ours)) == []
    recorded["Blk[1]"]["size"] = 64
    assert list(complaints_about_blocks(recorded, ours)) == ["block Blk[1] has 80 bytes, expected 64"]
