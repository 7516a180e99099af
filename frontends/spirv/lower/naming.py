"""Names of the interface: those of the source, as compilers leave them; places where there are none.

glslang puts the members of what HLSL's entry point returns after `@entryPointOutput.`, DXC all inputs and outputs after
`in.var.` and `out.var.`, and the structure of a block after `type.`.  Slang puts the layout behind the name of a
structure in a block, and the entry point before the parts of what it returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from glslc_multi.compiler.spirv.code import Instruction
from glslc_multi.compiler.spirv.grammar.enumerants import spelled
from glslc_multi.frontends.spirv.module.contents import Contents
from glslc_multi.frontends.spirv.module.decorations import Marks, number
from glslc_multi.frontends.spirv.module.types import PointerType, Struct

_PREFIXES = ("@entryPointOutput.", "in.var.", "out.var.", "@")
_BLOCK_PREFIXES = ("type.ConstantBuffer.", "type.PushConstant.", "type.")
_SLANG_LAYOUT = re.compile(r"_(std140|std430|natural|scalar)$")
#: Slang's structures of a cbuffer, and of the uniforms that stand in no block.
_SLANG_LOOSE = ("SLANG_ParameterGroup_", "GlobalParams")
_SLANG_RESULT = re.compile(r"entryPointParam_\w+\.")
_UNIFORMS = ("Uniform", "PushConstant", "UniformConstant")
#: Decorations that say where a variable stands among others.
_PLACE_MARKS = ("DescriptorSet", "Binding", "Location", "Component")
#: What stands before the name of an attribute or a colour where a uniform or a varying is called the same.
_WAYS = {"Input": "in_", "Output": "out_"}
_PLACES = {
    ("vertex", "Input"): "attribute",
    ("vertex", "Output"): "varying",
    ("fragment", "Input"): "varying",
    ("fragment", "Output"): "color",
}


class Naming:
    """Names for the variables of one entry point."""

    def __init__(self, contents: Contents, stage: str) -> None:
        self._contents = contents
        self._stage = stage

    def in_order(self, variables: Iterable[Instruction]) -> list[Instruction]:
        """The variables in the order in which they take their names: those first that both stages share.

        Built-in ones come first of these, then places count: compilers number those as the source declares them,
        and write the variables as the code uses them.
        """
        varying = "Output" if self._stage == "vertex" else "Input"
        order = [*_UNIFORMS, varying]

        def rank(at: Instruction) -> tuple[int, ...]:
            storage, marks = self._storage(at), self._contents.decorations.marks(at.result)
            places = [number(marks, word) for word in _PLACE_MARKS]
            return (
                order.index(storage) if storage in order else len(order),
                *(-1 if place is None else place for place in places),
            )

        return sorted(variables, key=rank)

    def title(self, at: Instruction) -> str:
        """What messages call a variable."""
        return self._contents.name_of(at.result) or f"%{self._contents.code.spelled(at.result)}"

    def short(self, at: Instruction) -> str:
        """The name of a variable without what its compiler put before it."""
        name = self._contents.name_of(at.result)
        for prefix in _PREFIXES:
            if name.startswith(prefix) and len(name) > len(prefix):
                return name.removeprefix(prefix)
        return _SLANG_RESULT.sub("", name) or self._by_place(at)

    def other(self, at: Instruction, name: str) -> str:
        """A name in place of one that another variable has taken."""
        return f"{_WAYS.get(self._storage(at), '')}{name}"

    def block(self, at: Instruction, struct: Struct) -> tuple[str, bool]:
        """The name of a block, and whether that stands before the names of its members."""
        name, type_name = self._contents.name_of(at.result), self._contents.name_of(struct.id)
        for prefix in _BLOCK_PREFIXES:
            if type_name.startswith(prefix):
                # DXC: members of a cbuffer are names of their own, those of a ConstantBuffer<T> are not.
                return name or type_name.removeprefix(prefix), prefix != "type."
        if name and _SLANG_LAYOUT.search(type_name):
            return name, not type_name.startswith(_SLANG_LOOSE)
        if not type_name:
            return name or self._by_place(at), True
        return type_name, bool(name)

    def built_in(self, marks: Marks) -> str:
        return spelled("BuiltIn", number(marks, "BuiltIn") or 0)

    def _by_place(self, at: Instruction) -> str:
        marks, storage = self._contents.decorations.marks(at.result), self._storage(at)
        location = number(marks, "Location")
        if location is not None:
            component = number(marks, "Component")
            word = _PLACES.get((self._stage, storage), "uniform")
            return f"{word}{location}" + (f"_{component}" if component else "")
        binding, group = number(marks, "Binding"), number(marks, "DescriptorSet")
        if binding is not None:
            return f"set{group}_binding{binding}" if group else f"binding{binding}"
        return "pushed" if storage == "PushConstant" else f"variable{at.result}"

    def _storage(self, at: Instruction) -> str:
        pointer = self._contents.types.by_id.get(at.type)
        return pointer.storage if isinstance(pointer, PointerType) else ""
