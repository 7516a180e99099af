"""One slot of machine code with physical registers, as the fields of a word.

A slot holds a vector operation, a scalar one or both, or a fetch.  The scalar operation reads source 3: its first
lane is W of the swizzle, its second X.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.xenos_family.codegen.conventions import VertexFetch
from glslc_multi.backends.xenos_family.codegen.machine_ops import GRADIENTS, SAMPLE_GRADIENTS, SAMPLE_LEVEL, VERTEX
from glslc_multi.backends.xenos_family.codegen.register_files import EXPORT, A, C, R
from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.compiler.codegen.machine import Def, Lanes, MachineInstruction, Slot, Use
from glslc_multi.compiler.codegen.registers import Register

#: Predicate that a slot runs under: None always, else the value wanted.
Predicate = bool | None


def is_scalar(instruction: MachineInstruction) -> bool:
    """Whether an operation is one of the scalar unit."""
    return instruction.op.name in instructions.SCALAR_BY_NAME


def encode_alu(isa: InstructionSet, slot: Slot, predicate: Predicate) -> int:
    """The word of a slot with one or two operations."""
    fields: dict[str, int] = _predicated(predicate)
    vector = next((instruction for instruction in slot if not is_scalar(instruction)), None)
    if vector is not None:
        row = instructions.VECTOR_BY_NAME[vector.op.name]
        fields["vector_op"] = row.code
        _result(fields, "vector", vector)
        sources = [vector_channels(vector, number) for number in range(len(vector.uses))]
        uses = list(vector.uses)
        if len(uses) == 1:
            uses, sources = uses * 2, sources * 2
        for number, (use, channels) in enumerate(zip(uses, sources, strict=True), 1):
            _source(fields, f"src{number}", use, channels)
    for instruction in slot:
        if is_scalar(instruction):
            _scalar_half(fields, instruction, vector)
    exports = exports_of(slot)
    if exports:
        # The vector half names the export even if only the scalar one writes.
        fields |= {"export": 1, "vector_dest": exports[0]}
        if not isa.both_name_exports:
            fields["scalar_dest"] = 0
    _relative_flags(fields, slot)
    return isa.encode_alu(**fields)


def _predicated(predicate: Predicate) -> dict[str, int]:
    return {} if predicate is None else {"predicated": 1, "pred_condition": int(predicate)}


def vector_channels(instruction: MachineInstruction, number: int) -> Lanes:
    """For each channel the component that a source of a vector operation reads."""
    use = instruction.uses[number]
    mode = instruction.op.sources[number]
    if mode != "each":
        return (*use.lanes, *(None,) * (4 - len(use.lanes)))
    channels: list[int | None] = [None] * 4
    for lane, component in zip(use.lanes, instruction.defs[0].lanes, strict=True):
        channels[component] = lane
    return tuple(channels)


def _scalar_half(fields: dict[str, int], instruction: MachineInstruction, vector: MachineInstruction | None) -> None:
    fields["scalar_op"] = instructions.SCALAR_BY_NAME[instruction.op.name].code
    _result(fields, "scalar", instruction)
    if len(instruction.uses) == 2:
        _constant_and_register(fields, *instruction.uses)
        return
    for use in instruction.uses:
        channels = scalar_channels(use, is_shared=False)
        if vector is not None and len(vector.uses) == 3:
            pairs = zip(scalar_channels(use, is_shared=True), vector_channels(vector, 2), strict=True)
            channels = tuple(own if other is None else other for own, other in pairs)
        _source(fields, "src3", use, channels)


def _constant_and_register(fields: dict[str, int], constant: Use, register: Use) -> None:
    """W of a constant and X of a register, whose number is in the opcode, the bank and the middle of the swizzle."""
    number, lane = _register(register).index, register.lanes[0]
    assert lane is not None
    _source(fields, "src3", constant, (None, None, None, constant.lanes[0]))
    fields["src3_bank"] = number >> 1 & 1
    fields["src3_swizzle"] |= number & formats.REGISTER_IN_SWIZZLE | lane


def scalar_channels(use: Use, *, is_shared: bool) -> Lanes:
    """For each channel of source 3 the component that the scalar operation reads: W, and X if there are two lanes.

    Where the vector operation does not read the source too, the pattern is that of the driver.
    """
    first, second = use.lanes[0], use.lanes[-1]
    if not is_shared:
        return second, first, second, first
    return (second if len(use.lanes) == 2 else None), None, None, first


def _result(fields: dict[str, int], half: str, instruction: MachineInstruction) -> None:
    for definition in instruction.defs:
        register = _register(definition)
        if register.file is A:
            continue
        fields[f"{half}_dest"] = register.index
        fields[f"{half}_mask"] = sum(1 << lane for lane in set(definition.lanes))
    if instruction.attributes.get("clamp"):
        fields[f"{half}_clamp"] = 1


def _source(fields: dict[str, int], name: str, use: Use, channels: Lanes) -> None:
    register = _register(use)
    if register.file is R:
        fields |= {name: register.index | (formats.ABSOLUTE if use.absolute else 0), f"{name}_bank": 1}
    else:
        assert register.file is C and not use.absolute, f"{use} cannot be a source"
        fields |= {name: register.index, f"{name}_bank": 0}
    fields[f"{name}_negate"] = int(use.negate)
    fields[f"{name}_swizzle"] = sum(
        (component - channel & 3) << 2 * channel for channel, component in enumerate(channels) if component is not None
    )


def _relative_flags(fields: dict[str, int], slot: Slot) -> None:
    """An indexed constant is copied first: the two sources of the copy are the first constant and another one."""
    if any(use.relative is not None for use in slot[0].uses):
        fields |= {"const0_rel": 1, "const1_rel": 1, "const_rel_a0": 1}


# ----------------------------------------------------------------------------------------------------- fetches
def encode_fetch(
    isa: InstructionSet, instruction: MachineInstruction, predicate: Predicate, *, first: bool
) -> list[int]:
    """The words of a fetch; a sample whose level of detail is in a register takes two, one with gradients three."""
    if instruction.op is VERTEX:
        return [_vertex(isa, instruction, predicate, first)]
    if instruction.op is GRADIENTS:
        fields = _destination(instruction) | _predicated(predicate) | _coordinates(instruction.uses[0])
        return [isa.encode_fetch(GRADIENTS.name, **fields, **instruction.attributes["fields"])]
    return _sample(isa, instruction, predicate)


def _sample(isa: InstructionSet, instruction: MachineInstruction, predicate: Predicate) -> list[int]:
    words = []
    attributes = instruction.attributes
    fields = {
        **_destination(instruction),
        **_predicated(predicate),
        **_coordinates(instruction.uses[0]),
        **attributes["fields"],
        "const_index": attributes["unit"],
        "comp_lod": attributes["comp_lod"],
        "lod_bias": attributes.get("lod_bias", 0) & 0x7F,
    }
    if instruction.op is SAMPLE_LEVEL:
        level = _coordinates(instruction.uses[1]) | _predicated(predicate)
        words.append(isa.encode_fetch("SET_TEX_LOD", **level, const_index=attributes["unit"], dst_swizzle=_swizzle({})))
        fields["reg_lod"] = 1
    if instruction.op is SAMPLE_GRADIENTS:
        for name, use in zip(("SET_GRADIENTS_H", "SET_GRADIENTS_V"), instruction.uses[1:], strict=False):
            step = _coordinates(use) | _predicated(predicate)
            words.append(isa.encode_fetch(name, **step, dst_swizzle=_swizzle({})))
        fields["reg_gradients"] = 1
    return [*words, isa.encode_fetch("SAMPLE", **fields)]


def _vertex(isa: InstructionSet, instruction: MachineInstruction, predicate: Predicate, first: bool) -> int:
    fetch: VertexFetch = instruction.attributes["fetch"]
    index, selector = fetch.fetch_constant
    source = instruction.uses[0]
    return isa.encode_fetch(
        "VERTEX",
        **_destination(instruction),
        **_predicated(predicate),
        **isa.vertex_reserved(first),
        src_reg=_register(source).index,
        src_chan=source.lanes[0] or 0,
        const_index=index,
        const_index_sel=selector,
        signed=int(fetch.format.signed),
        num_format=int(not fetch.format.normalised),
        format=fetch.code,
        exp_adjust=fetch.format.exponent,
        stride=fetch.stride // isa.vertex_unit,
        offset=fetch.offset // isa.vertex_unit,
    )


def _destination(instruction: MachineInstruction) -> dict[str, int]:
    definition, found = instruction.defs[0], instruction.uses[-1]
    components = dict(zip(definition.lanes, found.lanes, strict=True))
    return {"dst_reg": _register(definition).index, "dst_swizzle": _swizzle(components)}


def _swizzle(components: dict[int, int | None]) -> int:
    """Component -> what is written there; the others stay."""
    written = [components.get(component) for component in range(4)]
    return sum((formats.UNWRITTEN if one is None else one) << 3 * component for component, one in enumerate(written))


def _coordinates(use: Use) -> dict[str, int]:
    """Register and swizzle of a texture fetch; the last coordinate repeats the first."""
    lanes = [*use.lanes, *use.lanes[:1] * (3 - len(use.lanes))]
    return {
        "src_reg": _register(use).index,
        "src_swizzle": sum((lane or 0) << 2 * slot for slot, lane in enumerate(lanes)),
    }


def _register(operand: Def | Use) -> Register:
    assert isinstance(operand.register, Register), f"{operand} has no register yet"
    return operand.register


def exports_of(slot: Sequence[MachineInstruction]) -> list[int]:
    """The exports that a slot writes."""
    registers = [d.register for instruction in slot for d in instruction.defs]
    return [register.index for register in registers if isinstance(register, Register) and register.file is EXPORT]
