"""Uniform blocks in C: a setter that takes a whole buffer, as OpenGL does.

In: the blocks of a program, and the uniforms that their members are.  Out: lines of C99.

    PREFIX_set_BLOCK(program, buffer, size)      all members; of an array of blocks PREFIX_set_BLOCK_0, and so on
    PREFIX_read(...)                             static: numbers of one member, brought together

The layout is that of the register map: std140, or what the source says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.host_code.places import shape_of
from glslc_multi.compiler.ir.blocks import BlockMember, UniformBlock
from glslc_multi.compiler.records import dataclass

_WORD = 4
_READ = """static void {prefix}_read(void *to, const unsigned char *from, const int counts[3], const int strides[3])
{{
    unsigned char *word = to;
    for (int i = 0; i < counts[0]; i++)
        for (int j = 0; j < counts[1]; j++)
            for (int k = 0; k < counts[2]; k++, word += {word})
                memcpy(word, from + i * strides[0] + j * strides[1] + k * strides[2], {word});
}}
"""


@dataclass(frozen=True, slots=True)
class Buffer:
    """What one setter takes: a block, or one of an array of them."""

    block: UniformBlock
    element: int

    @property
    def name(self) -> str:
        return self.block.name if self.block.length is None else f"{self.block.name}_{self.element}"

    @property
    def remark(self) -> str:
        name = self.block.name if self.block.length is None else f"{self.block.name}[{self.element}]"
        return f"/* block {name}, from a buffer as OpenGL takes it; whether that has all {self.block.size} bytes */"

    def heading(self, prefix: str, setter: str) -> str:
        return f"bool {prefix}_set_{setter}({prefix}_program *program, const void *buffer, size_t size)"


def buffers_of(stages: Mapping[str, Artifact]) -> list[Buffer]:
    """Blocks that several stages declare are the same."""
    blocks = {block.name: block for artifact in stages.values() for block in artifact.reflection.blocks}
    return [Buffer(block, element) for block in blocks.values() for element in range(block.length or 1)]


def reader(prefix: str) -> list[str]:
    """The function that setters of blocks call."""
    return _READ.format(prefix=prefix, word=_WORD).splitlines()


def read_lines(buffer: Buffer, prefix: str, members: Mapping[str, str]) -> Iterator[str]:
    """Statements that read all members that the program has; `members` are those of `PREFIX_uniforms`."""
    yield f"if (size < {buffer.block.size})"
    yield "    return false;"
    for name, first, member in _places(buffer):
        if name in members:
            arrays = ", ".join(f"(const int[3]){{{', '.join(map(str, numbers))}}}" for numbers in _steps(member))
            to = f"program->uniforms.{members[name]} + {first}"
            yield f"{prefix}_read({to}, (const unsigned char *)buffer + {member.offset}, {arrays});"


def names_of(buffer: Buffer) -> frozenset[str]:
    """The uniforms that members are."""
    return frozenset(name for name, _, _ in _places(buffer))


def _places(buffer: Buffer) -> Iterator[tuple[str, int, BlockMember]]:
    """Of each member: the uniform that it is, and its first number there; elements are in the order of the members."""
    following: dict[str, int] = {}
    for element in range(buffer.block.length or 1):
        for member in buffer.block.members:
            name = re.sub(r"\[\d+\]", "[]", buffer.block.member_of(element, member))
            first = following.get(name, 0)
            columns, rows = shape_of(member.type)
            following[name] = first + (member.length or 1) * columns * rows
            if element == buffer.element:
                yield name, first, member


def _steps(member: BlockMember) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Counts of elements, columns and rows, and the bytes from one to the next."""
    columns, rows = shape_of(member.type)
    between = (_WORD, member.matrix_stride) if member.row_major else (member.matrix_stride, _WORD)
    return (member.length or 1, columns, rows), (member.array_stride, *between)
