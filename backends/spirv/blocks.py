"""Uniform blocks as structures with offsets.

The module says where each leaf of a block lies (`compiler/ir/blocks.py`).  The names of leaves, `lights[1].colour`,
tell how structures and arrays nest; offsets and strides of these follow from those of the leaves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from glslc_multi.backends.spirv.assembly import Assembly
from glslc_multi.compiler.ir.blocks import BlockMember, UniformBlock
from glslc_multi.compiler.ir.types import matrix_shape
from glslc_multi.compiler.ir.variables import SourceKind, Variable
from glslc_multi.compiler.records import dataclass

_VECTOR = 16
_WORD = 4
_TOKEN = re.compile(r"\[(\d+)\]|\.?([^.\[\]]+)")
_VECTORS: Mapping[str, SourceKind] = {"vec": "float", "ivec": "int", "uvec": "uint", "bvec": "bool"}
_SCALARS: Mapping[str, SourceKind] = {"float": "float", "int": "int", "uint": "uint", "bool": "bool"}
#: The steps from a block to one of its leaves: numbers of members; None for an index.
Steps = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A leaf of a block, and what of its name is left: members, and numbers of elements."""

    member: BlockMember
    tokens: tuple[str | int, ...]


class BlockTypes:
    """Makes the type of one block."""

    def __init__(self, assembly: Assembly, block: UniformBlock) -> None:
        self._assembly = assembly
        self._name = block.name.partition("[")[0]
        prefix = "" if block.global_names else f"{self._name}."
        leaves = [_Leaf(m, tuple(_tokens(m.name.removeprefix(prefix)))) for m in block.members]
        start = "" if block.global_names else f"{self._name}[]." if block.length is not None else prefix
        #: Name of a variable of the IR -> the steps to it.
        self.steps: dict[str, Steps] = {}
        outer: Steps = (None,) if block.length is not None else ()
        self.type = self._structure(leaves, 0, start, outer)
        assembly.name(self.type, self._name)
        assembly.decorate(self.type, "Block")
        if block.length is not None:
            self.type = assembly.array_type(self.type, block.length)

    def _structure(self, leaves: Sequence[_Leaf], base: int, path: str, steps: Steps) -> int:
        """Return the type of a structure that begins at an offset of the block."""
        groups = [(str(name), list(group)) for name, group in groupby(leaves, lambda leaf: leaf.tokens[0])]
        offsets = [min(leaf.member.offset for leaf in group) for _, group in groups]
        members = [
            self._type(_inner(group), offset, f"{path}{name}", (*steps, number))
            for number, ((name, group), offset) in enumerate(zip(groups, offsets, strict=True))
        ]
        type_ = self._assembly.declare("OpTypeStruct", *members)
        for number, (name, group) in enumerate(groups):
            self._assembly.name_member(type_, number, name)
            self._assembly.decorate_member(type_, number, "Offset", offsets[number] - base)
            decorate_matrix(self._assembly, type_, number, _matrix(group))
        return type_

    def _type(self, leaves: Sequence[_Leaf], base: int, path: str, steps: Steps) -> int:
        """Return the type of a member, or of an element."""
        first = leaves[0]
        if not first.tokens:
            element = outer_type(self._assembly, *_shape(first.member.type))
            self.steps[path] = steps if first.member.length is None else (*steps, None)
            if first.member.length is None:
                return element
            return self._assembly.array_type(element, first.member.length, first.member.array_stride)
        if isinstance(first.tokens[0], str):
            return self._structure(leaves, base, f"{path}.", steps)
        elements = [list(group) for _, group in groupby(leaves, lambda leaf: leaf.tokens[0])]
        starts = [min(leaf.member.offset for leaf in group) for group in elements]
        element = self._type(_inner(elements[0]), base, f"{path}[]", (*steps, None))
        end = max(_end(leaf.member) for leaf in elements[0])
        stride = starts[1] - starts[0] if len(starts) > 1 else -(-(end - base) // _VECTOR) * _VECTOR
        return self._assembly.array_type(element, len(elements), stride)


def default_block(assembly: Assembly, variables: Sequence[Variable]) -> int:
    """Return the type of the block that has the uniforms of no block, laid out by std140."""
    members, offsets, end = [], [], 0
    for variable in variables:
        width, is_long = variable.type.width, variable.is_array or variable.is_matrix
        alignment = _VECTOR if is_long else _WORD * (4 if width == 3 else width)
        offsets.append(-(-end // alignment) * alignment)
        element = outer_type(assembly, variable.outer_kind, width, variable.columns)
        stride = _VECTOR * variable.columns
        members.append(assembly.array_type(element, variable.length, stride) if variable.is_array else element)
        end = offsets[-1] + (stride * variable.length if is_long else _WORD * width)
    type_ = assembly.declare("OpTypeStruct", *members)
    assembly.name(type_, "Uniforms")
    assembly.decorate(type_, "Block")
    for number, (variable, offset) in enumerate(zip(variables, offsets, strict=True)):
        assembly.name_member(type_, number, variable.name)
        assembly.decorate_member(type_, number, "Offset", offset)
        decorate_matrix(assembly, type_, number, (_VECTOR, False) if variable.is_matrix else None)
    return type_


def outer_type(assembly: Assembly, kind: SourceKind, width: int, columns: int) -> int:
    """Return the type of an element of a uniform; hosts give bools as numbers."""
    return assembly.value_type("uint" if kind == "bool" else kind, width, columns)


def decorate_matrix(assembly: Assembly, type_: int, number: int, matrix: tuple[int, bool] | None) -> None:
    """Say how a member of a block has its matrices: the stride, and whether by rows."""
    if matrix is not None:
        stride, is_by_rows = matrix
        assembly.decorate_member(type_, number, "RowMajor" if is_by_rows else "ColMajor")
        assembly.decorate_member(type_, number, "MatrixStride", stride)


def _matrix(leaves: Sequence[_Leaf]) -> tuple[int, bool] | None:
    """Return how a member has its matrices, if it is one, or an array of them."""
    first = leaves[0]
    is_own = all(isinstance(token, int) for token in first.tokens[1:])
    return (first.member.matrix_stride, first.member.row_major) if is_own and first.member.matrix_stride else None


def _end(member: BlockMember) -> int:
    """Return the offset behind a leaf."""
    if member.length is not None:
        return member.offset + member.array_stride * member.length
    _, width, columns = _shape(member.type)
    vectors = width if member.row_major else columns
    return member.offset + (member.matrix_stride * vectors or _WORD * width)


def _shape(name: str) -> tuple[SourceKind, int, int]:
    """Return the kind of a type by GLSL's name of it, and how many rows and columns it has."""
    if name.startswith("mat"):
        columns, rows = matrix_shape(name)
        return "float", rows, columns
    kind = _VECTORS.get(name[:-1])
    return (kind, int(name[-1]), 1) if kind is not None else (_SCALARS[name], 1, 1)


def _inner(leaves: Sequence[_Leaf]) -> list[_Leaf]:
    """Return leaves without the first token of their names."""
    return [_Leaf(leaf.member, leaf.tokens[1:]) for leaf in leaves]


def _tokens(name: str) -> Iterator[str | int]:
    """Take the name of a leaf apart."""
    for number, word in _TOKEN.findall(name):
        yield word or int(number)
