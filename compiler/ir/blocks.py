"""Uniform blocks: where each member lies in the buffer that a host fills.

The code of a shader reads members as uniforms of their own; only whoever hands over a whole buffer needs to know the
block.  So a module keeps the layouts beside its variables, and no pass looks at them.
"""

from __future__ import annotations

from typing import Literal

from compiler.records import dataclass

Packing = Literal["shared", "packed", "std140"]


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

    def member_of(self, element: int, member: BlockMember) -> str:
        """The uniform that a member is in one block of an array: `Lights[2].colour` for `Lights.colour`."""
        return member.name if self.length is None else f"{self.name}[{element}]{member.name[len(self.name) :]}"
