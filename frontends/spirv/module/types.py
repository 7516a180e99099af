"""Types: instructions OpType... as the types that all shading languages share, and those that only SPIR-V has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.shading.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    VOID,
    ArrayType,
    NamedType,
    NumericType,
    SamplerType,
    ShaderType,
    StructField,
    StructType,
    numeric,
)
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.compiler.spirv.grammar.enumerants import spelled
from glslc_multi.frontends.spirv.module.decorations import Decorations

#: Values of more parts than this are no one's; structures inside one another are followed by recursion.
_LARGEST, _DEEPEST = 1 << 16, 32
_TEXELS = {FLOAT: "", INT: "i", UINT: "u"}
_NUMBERS_OF_32_BITS = "no target has numbers of other widths than 32 bits"


class Struct(StructType):
    """A structure that knows its id, by which its members are decorated."""

    __slots__ = ("id",)

    def __init__(self, name: str, fields: tuple[StructField, ...], span: Span, id: int) -> None:
        super().__init__(name, fields, span)
        self.id = id


class PointerType(NamedType):
    """A pointer: never a value here, but the name of a variable or of a part of one."""

    __slots__ = ("pointee", "storage")

    def __init__(self, storage: str, pointee: ShaderType) -> None:
        super().__init__(f"pointer to {pointee}")
        self.storage = storage
        self.pointee = pointee


class ImageType(SamplerType):
    """An image, or a sampler with one: `kind` is the sampler that reads it without a comparison."""

    __slots__ = ("is_combined",)

    def __init__(self, name: str, *, is_combined: bool) -> None:
        super().__init__(name)
        self.is_combined = is_combined


class FunctionType(NamedType):
    """What a function takes and yields."""

    __slots__ = ("parameters", "result")

    def __init__(self, result: ShaderType, parameters: tuple[ShaderType, ...]) -> None:
        super().__init__("function")
        self.result = result
        self.parameters = parameters


#: A sampler without an image; the kind stands for none.
SAMPLER = SamplerType("sampler", "sampler2D")


class Types:
    """The types of a module by id; `read` makes one of an instruction."""

    def __init__(self, decorations: Decorations, length_of: Callable[[int, Instruction], int], span: Span) -> None:
        self.by_id: dict[int, ShaderType] = {}
        #: The instruction of each type, for what types do not know: strides.
        self.instructions: dict[int, Instruction] = {}
        self._decorations = decorations
        self._length_of = length_of
        self._span = span
        self._depths: dict[int, int] = {}

    def of(self, id: int, user: Instruction) -> ShaderType:
        """The type with this id."""
        type_ = self.by_id.get(id)
        if type_ is None:
            raise Invalid(messages.BAD_ID, user, name=user.name, id=id, what="is no type")
        return type_

    def read(self, instruction: Instruction) -> None:
        make = _MAKERS.get(instruction.name)
        if make is None:
            what = _REFUSED.get(instruction.name, "no target has such values")
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=what)
        type_ = make(self, instruction)
        depth = 1 + max([0, *(self._depths.get(id, 0) for id in instruction.ids())])
        if type_.leaf_count > _LARGEST or depth > _DEEPEST:
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what="the type is too large")
        self._depths[instruction.result] = depth if isinstance(type_, (ArrayType, StructType, PointerType)) else 0
        self.by_id[instruction.result] = type_
        self.instructions[instruction.result] = instruction

    def _int(self, instruction: Instruction) -> ShaderType:
        if instruction.id(0) != 32:
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=_NUMBERS_OF_32_BITS)
        return INT if instruction.id(1) else UINT

    def _float(self, instruction: Instruction) -> ShaderType:
        if instruction.id(0) != 32:
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=_NUMBERS_OF_32_BITS)
        return FLOAT

    def _vector(self, instruction: Instruction) -> ShaderType:
        component, count = self.of(instruction.id(0), instruction), instruction.id(1)
        if not (isinstance(component, NumericType) and component.is_scalar) or not 2 <= count <= 4:
            raise _unfit(instruction, f"a vector of {count} times {component}")
        return numeric(component.base, count)

    def _matrix(self, instruction: Instruction) -> ShaderType:
        column, count = self.of(instruction.id(0), instruction), instruction.id(1)
        if not (isinstance(column, NumericType) and column.is_vector and column.base == "float") or not 2 <= count <= 4:
            raise _unfit(instruction, f"a matrix of {count} times {column}")
        return numeric("float", column.rows, count)

    def _array(self, instruction: Instruction) -> ShaderType:
        element = self._data(instruction.id(0), instruction)
        length = self._length_of(instruction.id(1), instruction)
        if not 0 < length <= _LARGEST:
            raise _unfit(instruction, f"an array of {length} elements")
        return ArrayType(element, length)

    def _struct(self, instruction: Instruction) -> ShaderType:
        id, taken = instruction.result, Counter[str]()
        fields = []
        for index, member in enumerate(instruction.ids()):
            name = self._decorations.member_names.get((id, index)) or f"member{index}"
            while taken[name]:
                taken[name] += 1
                name = f"{name}_{taken[name]}"
            taken[name] = 1
            is_relaxed = "RelaxedPrecision" in self._decorations.member_marks(id, index)
            type_ = self._data(member, instruction)
            fields.append(StructField(name, type_, "mediump" if is_relaxed else "highp", self._span))
        if not fields:
            raise _unfit(instruction, "a structure without members")
        return Struct(self._decorations.names.get(id, "") or f"struct{id}", tuple(fields), self._span, id)

    def _data(self, id: int, instruction: Instruction) -> ShaderType:
        type_ = self.of(id, instruction)
        if type_ is VOID or isinstance(type_, (PointerType, FunctionType)):
            raise _unfit(instruction, f"a value made of {type_}")
        return type_

    def _pointer(self, instruction: Instruction) -> ShaderType:
        return PointerType(spelled("StorageClass", instruction.id(0)), self._data(instruction.id(1), instruction))

    def _function(self, instruction: Instruction) -> ShaderType:
        result, *parameters = (self.of(id, instruction) for id in instruction.ids())
        if any(isinstance(parameter, FunctionType) or parameter is VOID for parameter in parameters) or isinstance(
            result, (FunctionType, PointerType)
        ):
            raise _unfit(instruction, "a function that takes or yields such values")
        return FunctionType(result, tuple(parameters))

    def _image(self, instruction: Instruction) -> ShaderType:
        texel = self.of(instruction.id(0), instruction)
        dim, _, layers, samples, use = (instruction.id(index) for index in range(1, 6))
        is_subpass = spelled("Dim", dim) == "SubpassData"
        if use > 2 or (is_subpass and use != 2):
            raise _unfit(instruction, f"an image of dimension {spelled('Dim', dim)} with sampling {use}")
        if use == 2 or samples:
            kind = "subpass images" if is_subpass else "textures of several samples" if samples else "storage images"
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=f"no target has {kind}")
        shape = {"Rect": "2DRect"}.get(spelled("Dim", dim), spelled("Dim", dim))
        prefix = _TEXELS.get(texel) if isinstance(texel, NumericType) else None
        name = f"{prefix}sampler{shape}{'Array' * (layers == 1)}"
        if name not in SAMPLER_KINDS:
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=f"no target has a {name}")
        return ImageType(name, is_combined=False)

    def _sampled_image(self, instruction: Instruction) -> ShaderType:
        image = self.of(instruction.id(0), instruction)
        if not isinstance(image, ImageType) or image.is_combined:
            raise _unfit(instruction, f"a sampled image of {image}")
        return ImageType(image.kind, is_combined=True)


def _unfit(instruction: Instruction, what: str) -> Invalid:
    return Invalid(messages.BAD_TYPES, instruction, name=instruction.name, what=f"there is no such type: {what}")


_MAKERS: dict[str, Callable[[Types, Instruction], ShaderType]] = {
    "OpTypeVoid": lambda types, instruction: VOID,
    "OpTypeBool": lambda types, instruction: BOOL,
    "OpTypeInt": Types._int,
    "OpTypeFloat": Types._float,
    "OpTypeVector": Types._vector,
    "OpTypeMatrix": Types._matrix,
    "OpTypeArray": Types._array,
    "OpTypeStruct": Types._struct,
    "OpTypePointer": Types._pointer,
    "OpTypeFunction": Types._function,
    "OpTypeImage": Types._image,
    "OpTypeSampledImage": Types._sampled_image,
    "OpTypeSampler": lambda types, instruction: SAMPLER,
}
_REFUSED = {
    "OpTypeRuntimeArray": "no target has storage buffers, or arrays without a length",
    "OpTypeForwardPointer": "no target has pointers that are values",
}
