"""What functions about textures are made for: one function for each kind of lookup, whatever the texture is like."""

from __future__ import annotations

from typing import Literal

from glslc_multi.compiler.arithmetic.images import KINDS
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.records import dataclass

Ask = Literal["sample", "fetch", "size"]


@dataclass(frozen=True, slots=True)
class LookupKind:
    """What is asked of which kind of texture."""

    ask: Ask = "sample"
    #: A name of `glslc_multi.compiler.arithmetic.images.KINDS`.
    image: str = "2d"
    is_shadow: bool = False
    #: Whether the lookup is moved by texels.
    has_offset: bool = False

    @property
    def is_cube(self) -> bool:
        return self.image == "cube"

    @property
    def has_depth(self) -> bool:
        return self.image == "3d"

    @property
    def has_layers(self) -> bool:
        return KINDS[self.image].has_layers

    @property
    def counts_texels(self) -> bool:
        return KINDS[self.image].counts_texels

    @property
    def dimensions(self) -> int:
        """Components of a coordinate that name a place, and of its steps."""
        return KINDS[self.image].dimensions

    @property
    def coordinate_width(self) -> int:
        return self.dimensions + self.has_layers

    @property
    def place_width(self) -> int:
        """Axes of the images that lookups read: one slice, or several."""
        return 3 if self.has_depth else 2

    @property
    def offset_width(self) -> int:
        return self.dimensions if self.has_offset else 0


PLANE, CUBE = LookupKind(), LookupKind(image="cube")
#: What machines that are run ask.
MACHINE_KINDS = (PLANE, CUBE)


def kind_of(lookup: Instruction) -> LookupKind:
    """What an instruction about textures asks."""
    access = lookup.attribute
    image = access.kind.image_kind
    if lookup.op is ops.TEXTURE_SIZE:
        return LookupKind("size", image)
    if access.mode == "fetch":
        return LookupKind("fetch", image)
    return LookupKind("sample", image, access.kind.is_shadow, bool(access.offset))


def kinds_of(module: Module) -> list[LookupKind]:
    """All that a module asks, each once, in the order of the first time."""
    lookups = (i for i in module.main.instructions() if i.op is ops.TEXTURE or i.op is ops.TEXTURE_SIZE)
    return list(dict.fromkeys(map(kind_of, lookups)))
