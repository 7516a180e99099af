"""Uniform blocks: where members lie, as the decorations Offset, ArrayStride, MatrixStride and RowMajor say."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir.blocks import BlockMember, UniformBlock
from glslc_multi.compiler.shading.types import ArrayType, NumericType, ShaderType
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.frontends.spirv.module.contents import Contents
from glslc_multi.frontends.spirv.module.decorations import Marks, number
from glslc_multi.frontends.spirv.module.types import Struct

_WORD, _VECTOR = 4, 16
#: More leaves than hosts can want to know of.
_MOST_MEMBERS = 1 << 14


class BlockLayout:
    """Makes the layout of one block."""

    def __init__(self, contents: Contents, at: Instruction) -> None:
        self._contents = contents
        self._at = at
        self._members: list[BlockMember] = []
        #: Where the last of them ends.
        self._end = 0

    def make(
        self, name: str, prefix: str, type_id: int, length: int | None, is_pushed: bool, span: Span | None
    ) -> UniformBlock:
        """The block whose structure has the id `type_id`; its members' names begin with `prefix`."""
        for member in self._struct_leaves(prefix, type_id, 0):
            self._members.append(member)
            if len(self._members) > _MOST_MEMBERS:
                raise Invalid(messages.NOT_SUPPORTED, self._at, name=name, what="the block has too many members")
        struct = self._contents.types.by_id[type_id]
        assert isinstance(struct, Struct)
        names = () if prefix else tuple(field.name for field in struct.fields)
        packing = "push constant" if is_pushed else "explicit"
        size = -(-self._end // _VECTOR) * _VECTOR
        return UniformBlock(name, packing, length, size, tuple(self._members), names, span=span)  # type: ignore[arg-type]

    def _struct_leaves(self, prefix: str, type_id: int, offset: int) -> Iterator[BlockMember]:
        struct = self._contents.types.by_id[type_id]
        assert isinstance(struct, Struct)
        for index, (field, member) in enumerate(
            zip(struct.fields, self._contents.types.instructions[type_id].ids(), strict=True)
        ):
            marks = self._contents.decorations.member_marks(type_id, index)
            place = number(marks, "Offset")
            if place is None:
                what = f"member {field.name} of a block has no offset"
                raise Invalid(messages.BAD_INTERFACE, self._at, name=str(struct), what=what)
            yield from self._leaves(f"{prefix}{field.name}", field.type, member, offset + place, marks)

    def _leaves(self, name: str, type_: ShaderType, type_id: int, offset: int, marks: Marks) -> Iterator[BlockMember]:
        if isinstance(type_, Struct):
            yield from self._struct_leaves(f"{name}.", type_id, offset)
        elif isinstance(type_, ArrayType):
            stride = number(self._contents.decorations.marks(type_id), "ArrayStride") or 0
            if isinstance(type_.element, NumericType):
                yield self._leaf(name, type_.element, type_.length, offset, stride, marks)
                return
            element = self._contents.types.instructions[type_id].id(0)
            for index in range(min(type_.length, _MOST_MEMBERS + 1)):
                yield from self._leaves(f"{name}[{index}]", type_.element, element, offset + index * stride, marks)
        elif isinstance(type_, NumericType):
            yield self._leaf(name, type_, None, offset, 0, marks)

    def _leaf(
        self, name: str, type_: NumericType, length: int | None, offset: int, stride: int, marks: Marks
    ) -> BlockMember:
        is_by_rows = type_.is_matrix and "RowMajor" in marks
        matrix_stride = (number(marks, "MatrixStride") or _VECTOR) if type_.is_matrix else 0
        vectors, width = (type_.rows, type_.columns) if is_by_rows else (type_.columns, type_.rows)
        last = offset + ((length or 1) - 1) * stride
        self._end = max(self._end, last + (vectors - 1) * matrix_stride + width * _WORD)
        return BlockMember(name, str(type_), length, offset, stride, matrix_stride, is_by_rows)
