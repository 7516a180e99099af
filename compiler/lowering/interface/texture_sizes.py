"""Questions for sizes, texels by number and offsets, on machines that have none of them: the host tells the sizes.

In: `texture_size`, `texture.fetch` and lookups with an offset, of level 0.  Out: loads of a uniform whose name is the
question in GLSL, `textureSize(u_map, 0)`, and ordinary lookups: texel p is at the coordinate (p + 0.5) / size, and an
offset is offset / size; not so in textures with layers, and in those whose coordinates count texels.  Samplers get a
role where this asks something of their textures: level 0 must be the only one, and for texels by number the filter
must be the nearest.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Function, Instruction, Module, Value
from glslc_multi.compiler.ir.variables import FETCHED, MOVED, TEXTURE_SIZE, Address, TextureAccess, Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass, replace

#: What the names of the uniforms begin with, and no other name.
SIZE_OF = "textureSize("


@dataclass(frozen=True, slots=True)
class LowerTextureSizes(Pass):
    """See the module's text."""

    name = "lower-texture-sizes"
    description = "asks the host for sizes of textures, for texels by number and offsets too"
    preserves_control_flow = True

    #: Whether the machine takes a level of detail.
    levels: bool = True

    def run(self, function: Function, context: PassContext) -> bool:
        asked = [i for i in function.instructions() if _asks(i)]
        for lookup in asked:
            access: TextureAccess = lookup.attribute
            if lookup.op is ops.TEXTURE_SIZE:
                lookup.replace_all_uses_with(_size(lookup))
                lookup.erase()
            elif access.mode == "fetch":
                _lower_fetch(lookup, has_levels=self.levels)
            else:
                _lower_offset(lookup)
        return bool(asked)


def _asks(instruction: Instruction) -> bool:
    access = instruction.attribute
    if not isinstance(access, TextureAccess):
        return False
    if instruction.op is ops.TEXTURE_SIZE:
        return True
    # Layers are no fractions of the size, nor are places in what counts texels.
    is_fraction = access.kind.shape in ("1D", "2D", "3D", "External") and not access.kind.is_arrayed
    return is_fraction and (access.mode == "fetch" or bool(access.offset))


def size_name(sampler: str) -> str:
    """The name of the uniform with the size of a texture."""
    return f"{SIZE_OF}{sampler}, 0)"


def demands(module: Module) -> dict[str, bool | int | str]:
    """What the host must see to: state of textures by name."""
    values: dict[str, bool | int | str] = {}
    for variable in module.variables.values():
        if variable.role in (FETCHED, MOVED):
            values[f"{variable.name}.mipmaps"] = False
        if variable.role == FETCHED:
            values[f"{variable.name}.filter"] = "nearest"
    return values


def _size(lookup: Instruction) -> Value:
    """The load of the uniform, before the lookup."""
    access: TextureAccess = lookup.attribute
    sampler, address = access.address.variable, access.address
    assert lookup.block is not None
    module, name = lookup.block.function.module, size_name(sampler.name)
    uniform = module.variables.get(name)
    if uniform is None:
        made = Variable(name, "uniform", access.size_type, dims=sampler.dims, precision="highp", role=TEXTURE_SIZE)
        made.span = sampler.span
        uniform = module.add_variable(made)
    load = Address(uniform, offset=address.offset, dynamic_index=address.dynamic_index)
    return Builder.before(lookup).op(ops.LOAD, *lookup.operands[: address.index_count], attribute=load)


def _lower_fetch(lookup: Instruction, *, has_levels: bool) -> None:
    access: TextureAccess = lookup.attribute
    access.address.variable.role = FETCHED
    first, size, builder = access.address.index_count, _size(lookup), Builder.before(lookup)
    texel = lookup.operands[first]
    centre = float_constant(*(0.5 + texels for texels in _offset(access, texel.type.width)))
    middle = builder.op(ops.FADD, builder.op(ops.ITOF, texel), centre)
    place = builder.op(ops.FDIV, middle, builder.op(ops.ITOF, size))
    level = [float_constant(0.0)] if has_levels else []
    attribute = replace(access, mode="lod" if has_levels else "auto", offset=())
    sampled = builder.op(ops.TEXTURE, *lookup.operands[:first], place, *level, attribute=attribute)
    lookup.replace_all_uses_with(sampled)
    lookup.erase()


def _lower_offset(lookup: Instruction) -> None:
    access: TextureAccess = lookup.attribute
    sampler = access.address.variable
    sampler.role = sampler.role or MOVED
    first, size, builder = access.address.index_count, _size(lookup), Builder.before(lookup)
    coordinate = lookup.operands[first]
    moved = float_constant(*map(float, _offset(access, coordinate.type.width)))
    step = builder.op(ops.FDIV, moved, builder.op(ops.ITOF, size))
    lookup.set_operand(first, builder.op(ops.FADD, coordinate, step))
    lookup.attribute = replace(access, offset=())
    lookup.mark_changed()


def _offset(access: TextureAccess, width: int) -> list[int]:
    """The offset in all components of a coordinate."""
    return [*access.offset, *[0] * (width - len(access.offset))]
