"""Uniform blocks that are filled as one buffer, as a host fills them: their bytes become values of the members."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.diagnostics.catalogue.evaluation import WRONG_BLOCK_SIZE
from glslc_multi.compiler.ir.blocks import BlockMember, UniformBlock
from glslc_multi.compiler.ir.types import matrix_shape

_NUMBERS = {"": "<f4", "i": "<i4", "u": "<u4", "b": "<u4"}
_SCALARS = {"float": "<f4", "int": "<i4", "uint": "<u4", "bool": "<u4"}


def spread_buffers(blocks: Sequence[UniformBlock], values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with members in the place of their buffers: `Camera`, or `Lights[1]` of an array of blocks."""
    named = {name: (block, element) for block in blocks for name, element in _buffers_of(block)}
    spread: dict[str, Any] = {}
    for name, value in values.items():
        if name in named and isinstance(value, bytes | bytearray | memoryview):
            block, element = named[name]
            spread.update(_values_of(block, element, name, bytes(value)))
        else:
            spread[name] = value
    return spread


def _buffers_of(block: UniformBlock) -> Iterator[tuple[str, int]]:
    """The name of each buffer of a block, and its element in an array of blocks."""
    if block.length is None:
        yield block.name, 0
    for element in range(block.length or 0):
        yield f"{block.name}[{element}]", element


def _values_of(block: UniformBlock, element: int, name: str, data: bytes) -> Iterator[tuple[str, Any]]:
    if len(data) < block.size:
        fail(WRONG_BLOCK_SIZE, block.span, name=name, found=len(data), expected=block.size)
    for member in block.members:
        # The member's elements, one flat column-major list each.
        elements = [
            _element(member, data, member.offset + index * member.array_stride) for index in range(member.length or 1)
        ]
        yield block.member_of(element, member), elements[0] if member.length is None else np.stack(elements)


def _element(member: BlockMember, data: bytes, offset: int) -> NDArray[Any]:
    if member.type.startswith("mat"):
        columns, rows = matrix_shape(member.type)
        vectors, width = (rows, columns) if member.row_major else (columns, rows)
        parts = [np.frombuffer(data, "<f4", width, offset + i * member.matrix_stride) for i in range(vectors)]
        stored = np.stack(parts)
        return (stored.T if member.row_major else stored).reshape(-1)
    vector = re.fullmatch(r"([iub]?)vec([234])", member.type)
    if vector is None:
        return np.frombuffer(data, _SCALARS[member.type], 1, offset)
    return np.frombuffer(data, _NUMBERS[vector[1]], int(vector[2]), offset)
