"""The line of a fetch to its word."""

from __future__ import annotations

import re
from collections.abc import Mapping

from backends.adreno.isa import formats, instructions, names
from backends.adreno.isa.asm.operands import (
    LAST_REGISTER,
    NAME,
    code_by_number,
    not_encodable,
    numbered,
    raw_word,
    without_suffix,
)
from backends.adreno.isa.asm.text import Cursor, Option, read_options, unknown
from compiler.isa.fields import Format

_FETCHED = re.compile(r"\.(?P<letters>[xyzw01_]{4})(?!\w)", re.ASCII)
_INDEX = re.compile(r"\.(?P<letters>[xyzw])(?!\w)", re.ASCII)
_COORDINATES = re.compile(r"\.(?P<letters>[xyzw]{3})(?!\w)", re.ASCII)
_OPTIONS: Mapping[str, Mapping[str, Option]] = {
    formats.VERTEX.name: {
        **{name: Option(fixed={"format": code}) for code, name in names.FORMATS.items()},
        "TYPE": Option(("format",)),
        "SIGNED": Option(fixed={"signed": 1}),
        "UNSIGNED": Option(fixed={"signed": 0}),
        "NORMALIZED": Option(fixed={"num_format": 0}),
        "STRIDE": Option(("stride",)),
        "OFFSET": Option(("offset",)),
        "EXP_ADJUST": Option(("exp_adjust",)),
        # Older texts have one number, 3 * index + selector.
        "CONST": Option(("const_index", "const_index_sel"), packed=3),
        "RESERVED": Option(("reserved0", "reserved3")),
    },
    formats.TEXTURE.name: {
        **{name: Option((part,), values=values) for name, (part, values) in names.TEXTURE_CHOICES.items()},
        "CONST": Option(("const_index",)),
        "VALID_ONLY": Option(fixed={"fetch_valid_only": 1}),
        "DENORM": Option(fixed={"denorm": 1}),
        "LOD": Option(("comp_lod",)),
        "LOD_BIAS": Option(("lod_bias",)),
        "REG_LOD": Option(("reg_lod",)),
        "USE_REG_GRADIENTS": Option(fixed={"reg_gradients": 1}),
        "LOCATION": Option(("sample_location",), values=names.LOCATIONS),
        "OFFSET": Option(("off_x", "off_y", "off_z")),
    },
}


def read_fetch(cursor: Cursor, first: bool) -> int:
    """The word of a fetch; `first` is true for the first instruction of a program."""
    word = raw_word(cursor)
    if word is not None:
        return word
    fields: dict[str, int] = {}
    code, layout = _fetch_opcode(cursor, fields)
    fields["opcode"] = code
    is_vertex = layout is formats.VERTEX
    _fetch_operands(cursor, fields, is_vertex)
    if is_vertex:
        fields["num_format"] = 1
        fields["reserved0"], fields["reserved3"] = formats.vertex_reserved(first)
    fields.update(read_options(cursor, _OPTIONS[layout.name], layout))
    return layout.encode(fields)


def _fetch_opcode(cursor: Cursor, fields: dict[str, int]) -> tuple[int, Format]:
    code = code_by_number(cursor, "TEX_OP", formats.TEXTURE, "opcode", fields)
    if code is not None:
        return code, instructions.FETCH_BY_CODE[code].format if code in instructions.FETCH_BY_CODE else formats.TEXTURE
    match = cursor.need(NAME, "a fetch")
    name = match[0] if match[0] in instructions.FETCH_BY_NAME else without_suffix(match[0], fields)
    row = instructions.FETCH_BY_NAME.get(name)
    if row is None:
        raise unknown("fetch", match, instructions.FETCH_BY_NAME)
    return row.code, row.format


def _fetch_operands(cursor: Cursor, fields: dict[str, int], is_vertex: bool) -> None:
    fields["dst_reg"], fields["dst_rel"] = _fetch_register(cursor)
    letters = cursor.need(_FETCHED, "four letters of xyzw01_")["letters"]
    fields["dst_swizzle"] = sum(names.FETCH_COMPONENTS.index(letter) << 3 * slot for slot, letter in enumerate(letters))
    cursor.require("=")
    fields["src_reg"], fields["src_rel"] = _fetch_register(cursor)
    if is_vertex:
        fields["src_chan"] = instructions.COMPONENTS.index(cursor.need(_INDEX, "one component")["letters"])
        return
    letters = cursor.need(_COORDINATES, "three components")["letters"]
    fields["src_swizzle"] = sum(
        instructions.COMPONENTS.index(letter) << 2 * slot for slot, letter in enumerate(letters)
    )


def _fetch_register(cursor: Cursor) -> tuple[int, int]:
    start = cursor.at
    if not cursor.accept("R"):
        raise cursor.unexpected("a register")
    number, base = numbered(cursor, "register", LAST_REGISTER)
    if base == "a0":
        raise not_encodable("a register can be relative to aL only", start, cursor.at)
    return number, int(bool(base))
