"""Uniform blocks: where each member lies in the buffer that a host fills.

The code of a shader reads members as uniforms of their own; only whoever hands over a whole buffer needs to know the
block.  So a module keeps the layouts beside its variables, and no pass looks at them.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Literal

from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.records import dataclass

#: "explicit" blocks say where each member lies, and so do those whose values are pushed into the commands of a queue.
Packing = Literal["shared", "packed", "std140", "explicit", "push constant"]


@dataclass(frozen=True, slots=True)
class BlockMember:
    """One numeric leaf of a block; `name` is what OpenGL reports, with the element of each outer array: `l[1].at`."""

    name: str
    #: The type of one element.
    type: str
    #: Length of the innermost array, None for a plain value.
    length: int | None
    #: All in bytes; a stride is 0 where there is nothing to step over.
    offset: int
    array_stride: int = 0
    matrix_stride: int = 0
    row_major: bool = False


@dataclass(frozen=True, slots=True)
class UniformBlock:
    """A uniform block that a shader declares."""

    name: str
    packing: Packing
    #: How many blocks there are in an array of them, each with its own buffer; None where it is no array.
    length: int | None
    #: Bytes of one buffer.
    size: int
    members: tuple[BlockMember, ...]
    #: Names of the members that the text uses without the name of an instance.
    global_names: tuple[str, ...] = ()
    #: Members that are declared to be stored row by row, whether there are matrices in them or not.
    row_major: frozenset[str] = frozenset()
    span: Span | None = None

    def difference(self, other: UniformBlock) -> str:
        """In what this block differs from the other one of the same name; "" where both are the same."""
        if self.packing != other.packing:
            return f"it is {self.packing} here and {other.packing} there"
        if bool(self.global_names) != bool(other.global_names) or self.length != other.length:
            return "only one has an instance name, or another array size"
        for name in sorted(self.row_major ^ other.row_major):
            return f"'{name}' is {'row_major' if name in self.row_major else 'column_major'} here only"
        for mine, theirs in zip_longest(self.members, other.members):
            if mine != theirs:
                return f"{_spelled(mine)} here is {_spelled(theirs)} there"
        return ""

    def member_of(self, element: int, member: BlockMember) -> str:
        """The uniform that a member is in one block of an array: `Lights[2].colour` for `Lights.colour`."""
        return member.name if self.length is None else f"{self.name}[{element}]{member.name[len(self.name) :]}"


def _spelled(member: BlockMember | None) -> str:
    if member is None:
        return "nothing"
    order = "row_major " if member.row_major else ""
    length = "" if member.length is None else f"[{member.length}]"
    return f"'{order}{member.type} {member.name}{length}'"
