"""Layouts of uniform blocks: what OpenGL reports against what the compiler says.

Both sides are mappings in the form of the records: `{"size": 48, "members": {"m": {"offset": 16, "matrix_stride": 16,
"row_major": True}}}` under the name of each block, members under the names that OpenGL reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module

Blocks = Mapping[str, Mapping[str, Any]]

#: What a member's layout consists of.
_FACTS = ("offset", "array_stride", "matrix_stride", "row_major")


def complaints_about_blocks(recorded: Blocks, ours: Blocks) -> Iterator[str]:
    """Differences in blocks and members that are recorded; others may exist."""
    for block, layout in recorded.items():
        if block not in ours:
            yield f"block {block} is missing"
            continue
        if not ours[block].get("is_fixed", True):
            continue
        if ours[block]["size"] != layout["size"]:
            yield f"block {block} has {ours[block]['size']} bytes, expected {layout['size']}"
        yield from _member_complaints(block, layout["members"], ours[block]["members"])


def _member_complaints(block: str, recorded: Blocks, ours: Blocks) -> Iterator[str]:
    for member, facts in recorded.items():
        if member not in ours:
            yield f"{member} of block {block} is missing"
            continue
        for fact in _FACTS:
            if fact in facts and ours[member].get(fact) != facts[fact]:
                yield f"{fact} of {member} in block {block} is {ours[member].get(fact)}, expected {facts[fact]}"


def blocks_of(module: Module) -> dict[str, dict[str, Any]]:
    """The blocks of a module in this form; only std140 fixes where members are."""
    found: dict[str, dict[str, Any]] = {}
    for block in module.blocks:
        members = {
            member.name: {
                "offset": member.offset,
                "array_stride": member.array_stride,
                "matrix_stride": member.matrix_stride,
                "row_major": member.row_major,
            }
            for member in block.members
        }
        layout = {"size": block.size, "members": members, "is_fixed": block.packing == "std140"}
        names = [block.name] if block.length is None else [f"{block.name}[{i}]" for i in range(block.length)]
        found |= dict.fromkeys(names, layout)
    return found
