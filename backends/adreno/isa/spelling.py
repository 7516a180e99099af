"""How words are written: one function a kind of word, plain bits to text.

With `reference` the text is the driver's disassembler's, flaws included: six bits of a constant's number with
bit 7 as absolute value, and no word about relative operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backends.adreno.isa import formats, instructions, names
from backends.adreno.isa.program import Stage
from backends.adreno.isa.registers import POINT_SIZE, POSITION

_ALL = 0xF
_COMMENTS: Mapping[tuple[Stage, int], str] = {
    ("vertex", POSITION): "gl_Position",
    ("vertex", POINT_SIZE): "gl_PointSize",
    ("fragment", 0): "gl_FragColor",
}

# --- Clauses ----------------------------------------------------------------------------------------------------------


def clause(word: int, reference: bool) -> str:
    """The line of a clause."""
    row, fields = instructions.decode_clause(word)
    if row.format is formats.ALLOC:
        return " ".join((row.name, *_alloc(fields)))
    if row.format is formats.NONE:
        return row.name
    return " ".join((row.name, *_flow(row, fields, reference)))


def _alloc(fields: Mapping[str, int]) -> Iterator[str]:
    yield names.BUFFERS[fields["buffer"]]
    yield f"SIZE(0x{fields['size']:x})"
    if fields["no_serial"]:
        yield "NO_SERIAL"
    if fields["alloc_mode"]:
        yield "ALLOC_MODE"


def _flow(row: instructions.Opcode, fields: Mapping[str, int], reference: bool) -> Iterator[str]:
    yield f"ADDR(0x{fields['addr']:x})"
    if row.format is formats.EXEC:
        yield from _exec(row, fields, reference)
    elif row.format is formats.LOOP:
        yield f"LOOP_ID({fields['loop_id']})"
        yield from _mode(fields)
    else:
        yield from _jump(fields, reference)


def _mode(fields: Mapping[str, int]) -> Iterator[str]:
    if fields["address_mode"]:
        yield "ABSOLUTE_ADDR"


def _bool(fields: Mapping[str, int]) -> Iterator[str]:
    if fields["bool_addr"]:
        yield f"BOOL_ADDR(0x{fields['bool_addr']:x})"


def _exec(row: instructions.Opcode, fields: Mapping[str, int], reference: bool) -> Iterator[str]:
    yield f"CNT(0x{fields['cnt']:x})"
    if fields["yield"]:
        yield "YIELD"
    if fields["vc"]:
        yield f"VC(0x{fields['vc']:x})"
    yield from _bool(fields)
    yield from _mode(fields)
    if row.condition or (fields["condition"] and not reference):
        yield f"COND({fields['condition']})"


def _jump(fields: Mapping[str, int], reference: bool) -> Iterator[str]:
    yield f"DIR({fields['direction']})"
    if fields["force_call"]:
        yield "FORCE_CALL"
    if fields["predicated_jmp"]:
        yield f"COND({fields['condition']})"
    yield from _bool(fields)
    if fields["condition"] and not fields["predicated_jmp"] and not reference:
        yield "BOOL_COND(1)"
    yield from _mode(fields)


# --- ALU --------------------------------------------------------------------------------------------------------------


def operation_name(table: Mapping[int, instructions.Operation], code: int) -> str:
    """The mnemonic of an ALU opcode."""
    row = table.get(code)
    return row.name if row else f"OP({code})"


def alu(word: int, stage: Stage | None, reference: bool) -> list[str]:
    """The lines of an ALU instruction: the vector half, and the scalar half if it is shown."""
    fields = formats.ALU.decode(word)
    row = instructions.VECTOR_BY_CODE.get(fields["vector_op"])
    count = row.sources if row else 2
    # The third source comes first.
    order = ("src3", "src1", "src2") if count == 3 else ("src1", "src2")[:count]
    name = operation_name(instructions.VECTOR_BY_CODE, fields["vector_op"]) + _suffix(fields)
    lines = [_half("vector", name, order, fields, stage, reference)]
    if shows_scalar(fields, count, reference):
        name = operation_name(instructions.SCALAR_BY_CODE, fields["scalar_op"])
        lines.append(_half("scalar", name, ("src3",), fields, stage, reference))
    return lines


def shows_scalar(fields: Mapping[str, int], vector_sources: int, reference: bool = False) -> bool:
    """Whether the scalar half is written; the reference hides one whose mask alone is empty."""
    if fields["scalar_mask"] or not fields["vector_mask"]:
        return True
    parts = ["scalar_op", "scalar_dest", "scalar_dest_rel", "scalar_clamp"]
    if vector_sources < 3:
        parts += ["src3", "src3_bank", "src3_swizzle", "src3_negate"]
    return not reference and any(fields[part] for part in parts)


def _half(
    half: str,
    name: str,
    sources: tuple[str, ...],
    fields: Mapping[str, int],
    stage: Stage | None,
    reference: bool,
) -> str:
    destination = _destination(half, fields, reference)
    operands = ", ".join(_source(part, fields, reference) for part in sources)
    clamp = " CLAMP" if fields[f"{half}_clamp"] else ""
    text = f"{name}\t{destination} = {operands}{clamp}"
    comment = _COMMENTS.get((stage, fields[f"{half}_dest"])) if stage and fields["export"] else None
    return f"{text}\t; {comment}" if comment else text


def _suffix(fields: Mapping[str, int]) -> str:
    return names.SUFFIXES[fields["pred_condition"]] if fields["predicated"] else ""


def _destination(half: str, fields: Mapping[str, int], reference: bool) -> str:
    number, mask = fields[f"{half}_dest"], fields[f"{half}_mask"]
    if fields["export"]:
        register = f"export{number}"
    elif fields[f"{half}_dest_rel"] and not reference:
        register = f"R[aL+{number}]"
    else:
        register = f"R{number}"
    letters = "".join(letter if mask >> bit & 1 else "_" for bit, letter in enumerate(instructions.COMPONENTS))
    return register if mask == _ALL else f"{register}.{letters}"


def _source(source: str, fields: Mapping[str, int], reference: bool) -> str:
    byte, is_register = fields[source], fields[f"{source}_bank"]
    has_absolute = byte & formats.ABSOLUTE and (is_register or reference)
    register = _reference_register(byte, is_register) if reference else _register(source, byte, is_register, fields)
    text = register + _swizzle(fields[f"{source}_swizzle"])
    if has_absolute:
        text = f"|{text}|"
    return f"-{text}" if fields[f"{source}_negate"] else text


def _reference_register(byte: int, is_register: int) -> str:
    return f"{'R' if is_register else 'C'}{byte & formats.REGISTER_BITS}"


def _register(source: str, byte: int, is_register: int, fields: Mapping[str, int]) -> str:
    if is_register:
        return (
            f"R[aL+{byte & formats.REGISTER_BITS}]" if byte & formats.RELATIVE else f"R{byte & formats.REGISTER_BITS}"
        )
    if not fields[formats.constant_flag(source, fields)]:
        return f"C{byte}"
    return f"C[{'a0' if fields['const_rel_a0'] else 'aL'}+{byte}]"


def _swizzle(bits: int) -> str:
    """Letters of a relative swizzle, nothing for the identity."""
    letters = "".join(instructions.COMPONENTS[slot + (bits >> 2 * slot) & 3] for slot in range(4))
    return f".{letters}" if bits else ""


# --- Fetches ----------------------------------------------------------------------------------------------------------


def fetch(word: int, first: bool, reference: bool) -> list[str]:
    """The line of a fetch; `first` is true for the first instruction of a program."""
    row, fields = instructions.decode_fetch(word)
    options = _vertex(fields, first, reference) if row and row.name == "VERTEX" else _texture(fields, reference)
    return [" ".join((_fetch_name(row, fields, reference) + "\t" + _fetch_operands(row, fields, reference), *options))]


def _fetch_name(row: instructions.Opcode | None, fields: Mapping[str, int], reference: bool) -> str:
    named_by_reference = ("VERTEX", "SAMPLE", "SET_TEX_LOD")
    if reference:
        name = row.name if row and row.name in named_by_reference else "?"
    else:
        name = row.name if row else f"TEX_OP({fields['opcode']})"
    return name + _suffix(fields)


def _fetch_operands(row: instructions.Opcode | None, fields: Mapping[str, int], reference: bool) -> str:
    letters = "".join(names.FETCH_COMPONENTS[fields["dst_swizzle"] >> 3 * slot & 7] for slot in range(4))
    if row and row.name == "VERTEX":
        coordinates = instructions.COMPONENTS[fields["src_chan"]]
    else:
        coordinates = "".join(instructions.COMPONENTS[fields["src_swizzle"] >> 2 * slot & 3] for slot in range(3))
    destination = _fetch_register(fields["dst_reg"], fields["dst_rel"], reference)
    source = _fetch_register(fields["src_reg"], fields["src_rel"], reference)
    return f"{destination}.{letters} = {source}.{coordinates}"


def _fetch_register(number: int, relative: int, reference: bool) -> str:
    return f"R[aL+{number}]" if relative and not reference else f"R{number}"


def _vertex(fields: Mapping[str, int], first: bool, reference: bool) -> Iterator[str]:
    yield names.FORMATS.get(fields["format"], f"TYPE(0x{fields['format']:x})")
    yield "SIGNED" if fields["signed"] else "UNSIGNED"
    if not fields["num_format"]:
        yield "NORMALIZED"
    yield f"STRIDE({fields['stride']})"
    if fields["offset"]:
        yield f"OFFSET({fields['offset']})"
    if fields["exp_adjust"] and not reference:
        yield f"EXP_ADJUST({fields['exp_adjust']})"
    yield f"CONST({fields['const_index']}, {fields['const_index_sel']})"
    reserved = fields["reserved0"], fields["reserved3"]
    if reserved != formats.vertex_reserved(first) and not reference:
        yield f"RESERVED({reserved[0]}, {reserved[1]})"


def _texture(fields: Mapping[str, int], reference: bool) -> Iterator[str]:
    yield f"CONST({fields['const_index']})"
    if fields["fetch_valid_only"]:
        yield "VALID_ONLY"
    if fields["denorm"]:
        yield "DENORM"
    for option, (field, values) in names.TEXTURE_CHOICES.items():
        value = fields[field]
        if value != formats.TEXTURE.by_name[field].default:
            yield f"{option}({values[value] if value < len(values) else value})"
    yield from _level(fields, reference)
    if fields["reg_gradients"]:
        yield "USE_REG_GRADIENTS"
    yield f"LOCATION({names.LOCATIONS[fields['sample_location']]})"
    if fields["off_x"] or fields["off_y"] or fields["off_z"]:
        yield f"OFFSET({fields['off_x']},{fields['off_y']},{fields['off_z']})"


def _level(fields: Mapping[str, int], reference: bool) -> Iterator[str]:
    if not fields["comp_lod"]:
        yield "LOD(0)"
    if not fields["comp_lod"] or (fields["lod_bias"] and not reference):
        yield f"LOD_BIAS({fields['lod_bias']})"
    if fields["reg_lod"]:
        yield f"REG_LOD({fields['reg_lod']})"
