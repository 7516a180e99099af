"""Lookups of textures, and questions for their sizes."""

from __future__ import annotations

from glslc_multi.backends.spirv.memory import Memory
from glslc_multi.backends.spirv.writer import Writer
from glslc_multi.compiler.ir.builder import float_constant, int_constant
from glslc_multi.compiler.ir.module import Instruction
from glslc_multi.compiler.ir.variables import Stage, TextureAccess
from glslc_multi.compiler.spirv.grammar.enumerants import number_of


def write_lookup(i: Instruction, writer: Writer, memory: Memory, stage: Stage) -> int:
    """Sample a texture; return what there is."""
    access: TextureAccess = i.attribute
    kind, assembly = access.kind, writer.assembly
    image = memory.load_sampler(access.address, i.operands)
    coordinate, *others = map(writer.of, i.operands[access.address.index_count :])
    texel = assembly.value_type(kind.texel, i.type.width)
    mask, details = 0, list(others[int(kind.is_shadow) :])
    # A vertex shader has no derivatives: the level is 0.
    is_explicit = access.mode in ("lod", "grad") or (stage == "vertex" and access.mode == "auto")
    if access.mode == "fetch":
        image = writer.share("OpImage", assembly.image_type(kind), image)
        if kind.shape not in ("2DRect", "Buffer"):
            mask = number_of("ImageOperands", "Lod")
        else:
            details = []
    elif access.mode in ("bias", "grad"):
        mask = number_of("ImageOperands", access.mode.capitalize())
    elif is_explicit:
        mask = number_of("ImageOperands", "Lod")
        details = details or [assembly.constant(float_constant(0.0))]
    if access.offset:
        mask |= number_of("ImageOperands", "ConstOffset")
        details.append(assembly.constant(int_constant(*access.offset)))
    operands = [image, coordinate, *others[: int(kind.is_shadow)], *([mask, *details] if mask else [])]
    if access.mode == "fetch":
        result = writer.write("OpImageFetch", texel, *operands)
    elif kind.is_shadow:
        name = "OpImageSampleDrefExplicitLod" if is_explicit else "OpImageSampleDrefImplicitLod"
        verdict = writer.write(name, assembly.value_type("float"), *operands)
        zero, one = (assembly.number("float", number) for number in (0.0, 1.0))
        result = writer.share("OpCompositeConstruct", texel, verdict, zero, zero, one)
    else:
        result = writer.write(
            "OpImageSampleExplicitLod" if is_explicit else "OpImageSampleImplicitLod", texel, *operands
        )
    return writer.bitcast("int", result, i.type.width) if kind.texel == "uint" else result


def write_size(i: Instruction, writer: Writer, memory: Memory) -> int:
    """Ask for the size of a level of a texture."""
    access: TextureAccess = i.attribute
    writer.assembly.need("ImageQuery")
    sampler = memory.load_sampler(access.address, i.operands)
    image = writer.share("OpImage", writer.assembly.image_type(access.kind), sampler)
    if access.kind.shape in ("2DRect", "Buffer"):
        return writer.share("OpImageQuerySize", writer.type_of(i.type), image)
    return writer.share("OpImageQuerySizeLod", writer.type_of(i.type), image, writer.of(i.operands[-1]))
