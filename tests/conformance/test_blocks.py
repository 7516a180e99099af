"""Layouts of uniform blocks: every recorded fact counts."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.conformance.blocks import complaints_about_blocks

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
