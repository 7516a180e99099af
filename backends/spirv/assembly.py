"""A module while it is written: its sections, and the types and constants that are shared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from glslc_multi.compiler.ir.module import Constant, Scalar
from glslc_multi.compiler.ir.samplers import SamplerKind
from glslc_multi.compiler.ir.variables import SourceKind
from glslc_multi.compiler.spirv.code import Code, Instruction, Value, kinds_of
from glslc_multi.compiler.spirv.grammar import BY_NAME
from glslc_multi.compiler.spirv.grammar.enumerants import number_of
from glslc_multi.compiler.spirv.grammar.model import IDS
from glslc_multi.compiler.spirv.numbers import word_of_float

_SCALARS: dict[str, tuple[str, tuple[int, ...]]] = {
    "bool": ("OpTypeBool", ()),
    "int": ("OpTypeInt", (32, 1)),
    "uint": ("OpTypeInt", (32, 0)),
    "float": ("OpTypeFloat", (32,)),
}
_WORD = 0xFFFFFFFF
#: Kinds of images -> `Dim`, and the capability that lookups of them take.
_DIMS = {
    "1D": ("1D", "Sampled1D"),
    "2D": ("2D", ""),
    "3D": ("3D", ""),
    "Cube": ("Cube", ""),
    "2DRect": ("Rect", "SampledRect"),
    "Buffer": ("Buffer", "SampledBuffer"),
    "External": ("2D", ""),
}


class Assembly:
    """The instructions of a module outside of its function; an id for each."""

    def __init__(self) -> None:
        self._bound = 1
        self._capabilities = {"Shader": None}
        self._names: list[Instruction] = []
        self._decorations: list[Instruction] = []
        #: Types, constants and global variables in order.
        self._globals: list[Instruction] = []
        self._shared: dict[tuple[object, ...], int] = {}
        #: The functions of GLSL.std.450.
        self.standard = self.take_id()

    def take_id(self) -> int:
        """Return a new id."""
        self._bound += 1
        return self._bound - 1

    def need(self, capability: str) -> None:
        """Declare a capability."""
        self._capabilities[capability] = None

    def name(self, id: int, name: str) -> None:
        """Give an id a name, for readers."""
        self._names.append(make("OpName", 0, 0, id, name))

    def name_member(self, id: int, member: int, name: str) -> None:
        """Give a member of a structure a name."""
        self._names.append(make("OpMemberName", 0, 0, id, member, name))

    def decorate(self, id: int, decoration: str, *literals: int) -> None:
        """Add a decoration."""
        number = number_of("Decoration", decoration)
        self._decorations.append(make("OpDecorate", 0, 0, id, number, *literals))

    def decorate_member(self, id: int, member: int, decoration: str, *literals: int) -> None:
        """Add a decoration to a member of a structure."""
        number = number_of("Decoration", decoration)
        self._decorations.append(make("OpMemberDecorate", 0, 0, id, member, number, *literals))

    def declare(self, name: str, *operands: Value, type: int = 0) -> int:
        """Append a type, a constant or a global variable."""
        id = self.take_id()
        self._globals.append(make(name, type, id, *operands))
        return id

    def share(self, name: str, *operands: Value, type: int = 0) -> int:
        """Return the one type or constant that an instruction says."""
        key = (name, type, operands)
        if key not in self._shared:
            self._shared[key] = self.declare(name, *operands, type=type)
        return self._shared[key]

    # ------------------------------------------------------------------------------------------ types
    def value_type(self, kind: SourceKind, width: int = 1, columns: int = 1) -> int:
        """Return the type of numbers, vectors and matrices."""
        if columns > 1:
            return self.share("OpTypeMatrix", self.value_type(kind, width), columns)
        if width > 1:
            return self.share("OpTypeVector", self.value_type(kind), width)
        name, operands = _SCALARS[kind]
        return self.share(name, *operands)

    def pointer_type(self, storage: str, type_: int) -> int:
        """Return the type of pointers to a type."""
        return self.share("OpTypePointer", number_of("StorageClass", storage), type_)

    def array_type(self, element: int, length: int, stride: int = 0) -> int:
        """Return the type of an array; where a host fills it, elements are `stride` bytes apart."""
        key = ("array", element, length, stride)
        if key not in self._shared:
            self._shared[key] = self.declare("OpTypeArray", element, self.number("uint", length))
            if stride:
                self.decorate(self._shared[key], "ArrayStride", stride)
        return self._shared[key]

    def image_type(self, kind: SamplerKind) -> int:
        """Return the type of the images that samplers of a kind read."""
        dim, capability = _DIMS[kind.shape]
        if capability:
            self.need(capability)
        texel = self.value_type(kind.texel)
        is_sampled, unknown = 1, number_of("ImageFormat", "Unknown")
        flags = (int(kind.is_shadow), int(kind.is_arrayed), 0, is_sampled)
        return self.share("OpTypeImage", texel, number_of("Dim", dim), *flags, unknown)

    def sampler_type(self, kind: SamplerKind) -> int:
        """Return the type of images with their samplers."""
        return self.share("OpTypeSampledImage", self.image_type(kind))

    # -------------------------------------------------------------------------------------- constants
    def constant(self, value: Constant) -> int:
        """Return a constant; of one that is undefined in parts, these are 0."""
        kind, width = value.type.kind, value.type.width
        if value.is_undef:
            return self.share("OpUndef", type=self.value_type(kind, width))
        parts = [self.number(kind, part) for part in value.defined().components]
        return parts[0] if width == 1 else self.share("OpConstantComposite", *parts, type=self.value_type(kind, width))

    def number(self, kind: SourceKind, value: Scalar) -> int:
        """Return a number."""
        type_ = self.value_type(kind)
        if kind == "bool":
            return self.share("OpConstantTrue" if value else "OpConstantFalse", type=type_)
        assert value is not None
        word = word_of_float(value) if kind == "float" else int(value) & _WORD
        return self.share("OpConstant", word, type=type_)

    def splat(self, kind: SourceKind, value: Scalar, width: int) -> int:
        """Return a vector of one number, or the number."""
        number = self.number(kind, value)
        if width == 1:
            return number
        return self.share("OpConstantComposite", *[number] * width, type=self.value_type(kind, width))

    # ----------------------------------------------------------------------------------------- module
    def finish(self, entry: Iterable[Instruction], modes: Iterable[Instruction], function: list[Instruction]) -> Code:
        """Put the sections together, without types and constants that nobody uses."""
        kept = set(_used_ids(function))
        variables = [each for each in self._globals if each.name == "OpVariable"]
        kept.update(each.result for each in variables)
        sections = []
        for each in reversed(self._globals):
            if each.result in kept:
                kept.update((each.type, *_used_ids([each])))
                sections.append(each)
        kept.update(each.result for each in function)
        head = [
            *(make("OpCapability", 0, 0, number_of("Capability", each)) for each in self._capabilities),
            make("OpExtInstImport", 0, self.standard, "GLSL.std.450"),
            make("OpMemoryModel", 0, 0, number_of("AddressingModel", "Logical"), number_of("MemoryModel", "GLSL450")),
        ]
        marks = [each for each in (*self._names, *self._decorations) if each.operands[0] in kept]
        instructions = [*head, *entry, *modes, *marks, *reversed(sections), *function]
        return Code(instructions, self._bound)


def make(name: str, type: int, result: int, *operands: Value) -> Instruction:
    """Return an instruction by the name of its row."""
    return Instruction(BY_NAME[name], type, result, operands, 0)


def remove_unread(function: Sequence[Instruction], effects: Collection[str]) -> list[Instruction]:
    """Return the instructions of a function without values that nobody reads; `effects` are read by the world."""
    # What phis take may come later in the text.
    read = set(_used_ids([each for each in function if each.name == "OpPhi"]))
    kept = []
    for each in reversed(function):
        if each.name in effects or each.result in read:
            read.update((each.type, *_used_ids([each])))
            kept.append(each)
    return kept[::-1]


def _used_ids(instructions: Iterable[Instruction]) -> Iterator[int]:
    """List the ids that instructions name."""
    for each in instructions:
        yield each.type
        for kind, value in kinds_of(each.row, each.operands):
            if kind in IDS and isinstance(value, int):
                yield value
