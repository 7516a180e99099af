"""What the ids of one function stand for: numbers, images, or memory."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.shading.lvalues import LValue, MemoryLValue
from glslc_multi.compiler.shading.operand import Operand
from glslc_multi.compiler.shading.types import ShaderType
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.frontends.spirv.composites import unfit
from glslc_multi.frontends.spirv.lower.shader import Instance, ShaderLowering
from glslc_multi.frontends.spirv.lower.textures import Texture
from glslc_multi.frontends.spirv.module.types import PointerType

#: What an id stands for in a function.
Known = Operand | Texture | LValue


class Scope:
    """The ids that are known so far, those of the whole module among them."""

    def __init__(self, shader: ShaderLowering, instance: Instance) -> None:
        self.shader = shader
        self.contents = shader.contents
        self.instance = instance
        self._known: dict[int, Known] = {}
        for parameter, known in zip(instance.source.parameters, instance.parameters, strict=True):
            self._known[parameter.result] = known

    def define(self, at: Instruction, value: Known) -> None:
        """Let the id of an instruction's result stand for a value."""
        self._known[at.result] = value

    def type(self, at: Instruction) -> ShaderType:
        """The type of an instruction's result."""
        return self.contents.type_of(at)

    def storage(self, id: int) -> str:
        """The storage class that a pointer's type has; "" of what is no pointer."""
        definition = self.contents.definition(id)
        type_ = None if definition is None else self.contents.type_of(definition)
        return type_.storage if isinstance(type_, PointerType) else ""

    def find(self, id: int, user: Instruction) -> Known:
        """What an id stands for here."""
        value = self._known.get(id) or self.contents.constants.by_id.get(id) or self.shader.interface.memory.get(id)
        if value is None:
            what = "is no value that is known here"
            raise Invalid(messages.BAD_ID, user, name=user.name, id=id, what=what)
        return value

    def operand(self, id: int, user: Instruction) -> Operand:
        value = self.find(id, user)
        if not isinstance(value, Operand):
            raise unfit(user, f"%{self.contents.code.spelled(id)} is no value of numbers")
        return value

    def pointer(self, id: int, user: Instruction) -> LValue:
        value = self.find(id, user)
        if isinstance(value, Operand | Texture):
            raise unfit(user, f"%{self.contents.code.spelled(id)} is no pointer")
        return value

    def texture(self, id: int, user: Instruction) -> Texture:
        value = self.find(id, user)
        if not isinstance(value, Texture):
            raise unfit(user, f"%{self.contents.code.spelled(id)} is no image or sampler")
        return value


def root(memory: LValue) -> MemoryLValue:
    """The variable that a part belongs to."""
    while not isinstance(memory, MemoryLValue):
        memory = memory.base  # type: ignore[attr-defined]
    return memory


def is_writable(memory: LValue) -> bool:
    """Whether it is no input and no uniform."""
    return all(leaf.variable.storage == "local" for leaf in root(memory).slot.leaves)
