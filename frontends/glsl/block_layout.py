"""The standard layout of uniform blocks (std140): OpenGL ES 3.0 section 2.12.6.4.

Blocks that are `shared` or `packed` get the same layout: how these look is the implementation's choice, and one that
every host knows beforehand serves it best.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from glslc_multi.compiler.ir.blocks import BlockMember, UniformBlock
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.symbols import BlockSymbol
from glslc_multi.frontends.glsl.types import ArrayType, GlslType, NumericType, StructType

_WORD = 4
#: Rules 4, 5 and 9: elements of arrays, columns of matrices and structures begin at the place of a vec4.
_VECTOR = 16


@dataclass(frozen=True, slots=True)
class _Extent:
    """What a value takes: its size, and what its offset is a multiple of."""

    size: int
    alignment: int


def layout_of(block: BlockSymbol) -> UniformBlock:
    """The members of a block with their offsets."""
    members: list[BlockMember] = []
    end = 0
    prefix = f"{block.name}." if block.has_instance else ""
    for member in block.type.fields:
        row_major = member.name in block.row_major
        extent = _extent(member.type, row_major)
        offset = _rounded(end, extent.alignment)
        members += _leaves(f"{prefix}{member.name}", member.type, offset, row_major)
        end = offset + extent.size
    size = _rounded(end, _VECTOR)
    names = () if block.has_instance else tuple(field.name for field in block.type.fields)
    return UniformBlock(
        block.name, block.packing, block.length, size, tuple(members), names, block.row_major, block.span
    )


def _extent(type_: GlslType, row_major: bool) -> _Extent:
    if isinstance(type_, ArrayType):
        element = _element_extent(type_.element, row_major)
        return _Extent(element.size * type_.length, element.alignment)
    if isinstance(type_, StructType):
        end, alignment = 0, _VECTOR
        for field in type_.fields:
            # Each member is asked once: twice would double the work at every level of nesting.
            extent = _extent(field.type, row_major)
            end = _rounded(end, extent.alignment) + extent.size
            alignment = max(alignment, extent.alignment)
        return _Extent(_rounded(end, alignment), alignment)
    assert isinstance(type_, NumericType)
    if type_.is_matrix:
        return _Extent(_VECTOR * (type_.rows if row_major else type_.columns), _VECTOR)
    # Rules 1 to 3: a vec3 is aligned as a vec4, and leaves room for a number behind it.
    return _Extent(_WORD * type_.rows, _WORD * (4 if type_.rows == 3 else type_.rows))


def _element_extent(type_: GlslType, row_major: bool) -> _Extent:
    """Of an element of an array; its size is the stride."""
    extent = _extent(type_, row_major)
    alignment = _rounded(extent.alignment, _VECTOR)
    return _Extent(_rounded(extent.size, alignment), alignment)


def _rounded(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _leaves(name: str, type_: GlslType, offset: int, row_major: bool) -> Iterator[BlockMember]:
    """The numeric leaves of a member that begins at `offset`."""
    if isinstance(type_, StructType):
        end = offset
        for field in type_.fields:
            extent = _extent(field.type, row_major)
            start = _rounded(end, extent.alignment)
            yield from _leaves(f"{name}.{field.name}", field.type, start, row_major)
            end = start + extent.size
    elif isinstance(type_, ArrayType) and not isinstance(type_.element, NumericType):
        stride = _element_extent(type_.element, row_major).size
        for index in range(type_.length):
            yield from _leaves(f"{name}[{index}]", type_.element, offset + index * stride, row_major)
    else:
        yield _leaf(name, type_, offset, row_major)


def _leaf(name: str, type_: GlslType, offset: int, row_major: bool) -> BlockMember:
    array = type_ if isinstance(type_, ArrayType) else None
    element = cast(NumericType, type_ if array is None else array.element)
    return BlockMember(
        name,
        str(element),
        None if array is None else array.length,
        offset,
        0 if array is None else _element_extent(element, row_major).size,
        _VECTOR if element.is_matrix else 0,
        row_major and element.is_matrix,
    )
