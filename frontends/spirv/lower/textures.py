"""Images: sampled ones as samplers of the IR, images and samplers apart as one for each pair that code makes.

No machine has images apart from samplers.  So the pair that OpSampledImage makes is what the host binds; it has the
name of the image, and that of the sampler as well where an image meets several.  Whether lookups compare is a matter
of the variable for the machines, and of the instruction for SPIR-V: the first lookup decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir import types as ir
from glslc_multi.compiler.ir.builder import int_constant
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.ir.variables import Address, TextureAccess, TextureMode, Variable
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.memory import Names
from glslc_multi.compiler.shading.operand import Operand
from glslc_multi.compiler.shading.types import ShaderType
from glslc_multi.compiler.spirv.code import Instruction, Invalid, kinds_of
from glslc_multi.compiler.spirv.grammar.enumerants import KINDS
from glslc_multi.frontends.spirv.composites import checked, unfit

_REFUSED = {
    "ConstOffsets": "no target gathers texels",
    "Sample": "no target has textures of several samples",
    "MinLod": "no target bounds levels of detail for each lookup",
    "Offsets": "no target gathers texels",
}


@dataclass(frozen=True, slots=True)
class Texture:
    """A loaded image or sampler, or both: an element of a sampler variable."""

    type: ShaderType
    address: Address
    indices: tuple[Value, ...] = ()


class Textures:
    """The samplers of a shader: those that are made of images and samplers, and which of them compare."""

    def __init__(self) -> None:
        #: Image and element of a sampler -> the variable of both; None for lookups without a sampler.
        self._pairs: dict[tuple[Variable, tuple[Variable, int] | None], Variable] = {}
        #: Variables that lookups without a comparison read.
        self._plain: set[Variable] = set()

    def combine(self, image: Texture, sampler: Texture, type_: ShaderType, at: Instruction) -> Texture:
        """OpSampledImage."""
        if sampler.indices:
            raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what="the sampler is chosen at run time")
        variable = image.address.variable
        own = (sampler.address.variable, sampler.address.offset)
        unpaired = self._pairs.pop((variable, None), None)
        if (variable, own) not in self._pairs:
            self._pairs[variable, own] = unpaired or _copy(variable)
        return Texture(type_, replace(image.address, variable=self._pairs[variable, own]), image.indices)

    def alone(self, image: Texture, is_separate: bool) -> Address:
        """The sampler of a lookup that needs an image only."""
        found = image.address.variable
        if not is_separate:
            return image.address
        mine = next((variable for (other, _), variable in self._pairs.items() if other is found), None)
        if mine is None:
            mine = self._pairs[found, None] = _copy(found)
        return replace(image.address, variable=mine)

    def register(self, used: set[Variable], names: Names) -> list[Variable]:
        """The variables that were made, under their names."""
        combined: dict[Variable, list[tuple[Variable, Variable]]] = {}
        for (image, sampler), variable in self._pairs.items():
            if variable in used:
                combined.setdefault(image, []).append((variable, sampler[0] if sampler else image))
        for image, pairs in combined.items():
            for variable, partner in pairs if len(pairs) > 1 else ():
                variable.name = names.unique(f"{image.name}_{partner.name}")
        return [variable for pairs in combined.values() for variable, _ in pairs]

    def decide(self, variable: Variable, compares: bool, at: Instruction) -> None:
        """Whether lookups compare with a depth must be the same for all of a variable."""
        name = variable.type.kind
        is_shadow = name.endswith("Shadow")
        if compares and not is_shadow and f"{name}Shadow" in ir.SAMPLERS and variable not in self._plain:
            variable.type = ir.SAMPLERS[f"{name}Shadow"]
        elif compares != is_shadow:
            what = f"'{variable.name}' is compared with a depth in some lookups and not in others, or cannot be"
            raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what=what)
        if not compares:
            self._plain.add(variable)


def _copy(image: Variable) -> Variable:
    return Variable(image.name, "sampler", image.type, dims=image.dims, precision=image.precision, span=image.span)


# ---------------------------------------------------------------------------------------- lookups
@dataclass(slots=True)
class _Extra:
    """The operands that a mask says there are, by name."""

    values: dict[str, list[int]]

    @classmethod
    def of(cls, instruction: Instruction, first: int) -> _Extra:
        locations: dict[str, list[int]] = {}
        pairs = list(kinds_of(instruction.row, instruction.operands))[first:]
        if not pairs:
            return cls(locations)
        mask, *ids = [value for _, value in pairs]
        kind, position = KINDS["ImageOperands"], 0
        for bit, name in kind.names.items():
            if isinstance(mask, int) and mask & bit:
                count = len(kind.parameters.get(bit, ()))
                locations[name] = [id for id in ids[position : position + count] if isinstance(id, int)]
                position += count
        return cls(locations)

    def require_known(self, at: Instruction) -> None:
        for name, reason in _REFUSED.items():
            if name in self.values:
                raise Invalid(messages.NOT_SUPPORTED, at, name=f"{at.name} {name}", what=reason)


class Lookups:
    """Emits the lookups of one function; `operand` finds the value of an id."""

    def __init__(self, emitter: Emitter, textures: Textures, operand: Callable[[int, Instruction], Operand]) -> None:
        self._emitter = emitter
        self._textures = textures
        self._operand = operand

    def sample(self, at: Instruction, type_: ShaderType, texture: Texture, in_fragment: bool) -> Operand:
        """OpImageSample... in all its forms."""
        compares, is_projective = "Dref" in at.name, "Proj" in at.name
        address = texture.address
        self._textures.decide(address.variable, compares, at)
        kind = TextureAccess(address).kind
        coordinate = self._float_vector(at, 1)
        if coordinate.type.width < kind.coordinate_width + is_projective:
            raise unfit(at, "its coordinate has too few components")
        point: list[Value] = [self._emitter.swizzle(coordinate, range(kind.coordinate_width))]
        if compares:
            point.append(self._float_vector(at, 2))
        if is_projective:
            last = self._emitter.swizzle(coordinate, (kind.coordinate_width,))
            point = [self._emitter.op(ops.FDIV, part, self._emitter.widen(last, part.type.width)) for part in point]
        mode, extra, offset = self._level(at, 2 + compares, in_fragment)
        access = TextureAccess(address, mode, offset)
        texel = self._emitter.texture(access, [*texture.indices, *point, *extra])
        return checked(at, Operand(type_, (self._emitter.swizzle(texel, (0,)) if compares else texel,)))

    def fetch(self, at: Instruction, type_: ShaderType, texture: Texture, is_separate: bool) -> Operand:
        """OpImageFetch: one texel by its number."""
        address = self._textures.alone(texture, is_separate)
        self._textures.decide(address.variable, False, at)
        kind = TextureAccess(address).kind
        coordinate = self._operand(at.id(1), at).value
        extra = _Extra.of(at, 2)
        extra.require_known(at)
        level = [self._operand(id, at).value for id in extra.values.get("Lod", [])] or [int_constant(0)]
        point = self._emitter.swizzle(coordinate, range(min(kind.coordinate_width, coordinate.type.width)))
        access = TextureAccess(address, "fetch", self._offset(at, extra))
        return checked(at, Operand(type_, (self._emitter.texture(access, [*texture.indices, point, *level]),)))

    def size(self, at: Instruction, type_: ShaderType, texture: Texture, is_separate: bool) -> Operand:
        """OpImageQuerySize and OpImageQuerySizeLod."""
        address = self._textures.alone(texture, is_separate)
        level = self._operand(at.id(1), at).value if at.name.endswith("Lod") else int_constant(0)
        size = self._emitter.texture_size(TextureAccess(address), [*texture.indices, level])
        return checked(at, Operand(type_, (size,)))

    def _float_vector(self, at: Instruction, index: int) -> Value:
        value = self._operand(at.id(index), at).value
        if value.type.kind != "float":
            raise unfit(at, "its coordinate is not of floats")
        return value

    def _level(
        self, at: Instruction, first: int, in_fragment: bool
    ) -> tuple[TextureMode, Sequence[Value], tuple[int, ...]]:
        extra = _Extra.of(at, first)
        extra.require_known(at)
        offset = self._offset(at, extra)
        for name, mode in (("Bias", "bias"), ("Lod", "lod"), ("Grad", "grad")):
            if name not in extra.values:
                continue
            values = [self._operand(id, at).value for id in extra.values[name]]
            # No stage but the fragments' has derivatives: others read level 0 unless they say another.
            if name == "Lod" and not in_fragment and _is_zero(values[0]):
                return "auto", (), offset
            return mode, values, offset  # type: ignore[return-value]
        return "auto", (), offset

    def _offset(self, at: Instruction, extra: _Extra) -> tuple[int, ...]:
        ids = extra.values.get("ConstOffset") or extra.values.get("Offset")
        if not ids:
            return ()
        value = self._operand(ids[0], at).value
        if not isinstance(value, Constant) or value.type.kind != "int":
            entry = messages.BAD_TYPES if "ConstOffset" in extra.values else messages.NOT_SUPPORTED
            raise Invalid(entry, at, name=at.name, what="the offset is no constant")
        return tuple(int(component or 0) for component in value.components)


def _is_zero(value: Value) -> bool:
    return isinstance(value, Constant) and value.components == (0.0,)
