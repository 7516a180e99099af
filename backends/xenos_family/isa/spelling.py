"""How words are written: one function a kind of word, plain bits to text.

With `reference` the text is the driver's disassembler's, flaws included: six bits of a constant's number with
bit 7 as absolute value, and no word about relative operands.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.xenos_family.isa import formats, instructions, names
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet, Opcode
from glslc_multi.backends.xenos_family.isa.options import spell_options
from glslc_multi.backends.xenos_family.isa.registers import POINT_SIZE, POSITION, Stage

_ALL = 0xF
_COMMENTS: Mapping[tuple[Stage, int], str] = {
    ("vertex", POSITION): "gl_Position",
    ("vertex", POINT_SIZE): "gl_PointSize",
    ("fragment", 0): "gl_FragColor",
}

# --- Clauses ----------------------------------------------------------------------------------------------------------


def clause(isa: InstructionSet, word: int, reference: bool) -> str:
    """The line of a clause."""
    row, fields = isa.decode_clause(word)
    buffer = [names.BUFFERS[fields["buffer"]]] if row.kind == "alloc" else []
    options = spell_options(
        isa.options[row.format.name], row.format, fields, tests=bool(row.condition), reference=reference
    )
    return " ".join((row.name, *buffer, *options))


# --- ALU --------------------------------------------------------------------------------------------------------------


def operation_name(table: Mapping[int, instructions.Operation], code: int) -> str:
    """The mnemonic of an ALU opcode."""
    row = table.get(code)
    return row.name if row else f"OP({code})"


def alu(isa: InstructionSet, word: int, stage: Stage | None, reference: bool) -> list[str]:
    """The lines of an ALU instruction: the vector half, and the scalar half if it is shown."""
    fields = formats.ALU.decode(word)
    row = instructions.VECTOR_BY_CODE.get(fields["vector_op"])
    count = row.sources if row else 2
    # The third source comes first.
    order = ("src3", "src1", "src2") if count == 3 else ("src1", "src2")[:count]
    name = operation_name(instructions.VECTOR_BY_CODE, fields["vector_op"]) + _suffix(fields)
    lines = [_half(isa, "vector", name, order, fields, stage, reference)]
    if shows_scalar(isa, fields, count, reference):
        name = operation_name(instructions.SCALAR_BY_CODE, fields["scalar_op"])
        lines.append(_half(isa, "scalar", name, ("src3",), fields, stage, reference))
    return lines


def shows_scalar(isa: InstructionSet, fields: Mapping[str, int], vector_sources: int, reference: bool = False) -> bool:
    """Whether the scalar half is written; the reference hides one whose mask alone is empty."""
    if fields["scalar_mask"] or not (fields["vector_mask"] or isa.idle):
        return True
    parts = ["scalar_op", "scalar_dest", "scalar_dest_rel", "scalar_clamp"]
    if vector_sources < 3:
        parts += ["src3", "src3_bank", "src3_swizzle", "src3_negate"]
    return not reference and any(fields[part] != isa.idle.get(part, 0) for part in parts)


def _half(
    isa: InstructionSet,
    half: str,
    name: str,
    sources: tuple[str, ...],
    fields: Mapping[str, int],
    stage: Stage | None,
    reference: bool,
) -> str:
    number, mask = fields[f"{half}_dest"], fields[f"{half}_mask"]
    if fields["export"]:
        register = f"export{number if isa.both_name_exports else fields['vector_dest']}"
    elif fields[f"{half}_dest_rel"] and not reference:
        register = f"R[aL+{number}]"
    else:
        register = f"R{number}"
    letters = "".join(letter if mask >> bit & 1 else "_" for bit, letter in enumerate(instructions.COMPONENTS))
    destination = register if mask == _ALL else f"{register}.{letters}"
    operands = ", ".join(_source(part, fields, reference) for part in sources)
    clamp = " CLAMP" if fields[f"{half}_clamp"] else ""
    text = f"{name}\t{destination} = {operands}{clamp}"
    comment = _COMMENTS.get((stage, fields[f"{half}_dest"])) if stage and fields["export"] else None
    return f"{text}\t; {comment}" if comment else text


def _suffix(fields: Mapping[str, int]) -> str:
    return names.SUFFIXES[fields["pred_condition"]] if fields["predicated"] else ""


def _source(source: str, fields: Mapping[str, int], reference: bool) -> str:
    byte, is_register = fields[source], fields[f"{source}_bank"]
    has_absolute = byte & formats.ABSOLUTE and (is_register or reference)
    register = (
        f"{'R' if is_register else 'C'}{byte & formats.REGISTER_BITS}"
        if reference
        else _register(source, byte, is_register, fields)
    )
    text = register + _swizzle(fields[f"{source}_swizzle"])
    if has_absolute:
        text = f"|{text}|"
    return f"-{text}" if fields[f"{source}_negate"] else text


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


def fetch(isa: InstructionSet, word: int, first: bool, reference: bool) -> list[str]:
    """The line of a fetch; `first` is true for the first instruction of a program."""
    row, fields = isa.decode_fetch(word)
    layout = isa.formats.texture if row is None else row.format
    name = _fetch_name(row, fields, reference)
    options = spell_options(isa.options[layout.name], layout, fields, first=first, reference=reference)
    return [f"{name}\t{' '.join((_fetch_operands(row, fields, reference), *options))}"]


def _fetch_name(row: Opcode | None, fields: Mapping[str, int], reference: bool) -> str:
    named_by_reference = ("VERTEX", "SAMPLE", "SET_TEX_LOD")
    if reference:
        name = row.name if row and row.name in named_by_reference else "?"
    else:
        name = row.name if row else f"TEX_OP({fields['opcode']})"
    return name + _suffix(fields)


def _fetch_operands(row: Opcode | None, fields: Mapping[str, int], reference: bool) -> str:
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
