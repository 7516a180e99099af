"""Layouts of words as data: ALU instructions, and what control-flow clauses (48 bits) and fetches (96 bits) have in
common; each machine makes its own of the latter.

Bits are numbered from the lowest one of the first dword.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.isa.fields import Field, Format

CLAUSE_SIZE, SLOT_SIZE = 48, 96

#: Parts of the byte that names a register as a source.
REGISTER_BITS, RELATIVE, ABSOLUTE = 0x3F, 0x40, 0x80
#: Bits of source 3's swizzle that are bits of a register's number in operations with a constant.
REGISTER_IN_SWIZZLE = 0x3C
#: What three bits of a fetch's destination mean, beside the components 0 to 3.
ZERO, ONE, UNDEFINED_COMPONENT, UNWRITTEN = 4, 5, 6, 7

# --- Control flow -----------------------------------------------------------------------------------------------------

_MODE = Field("address_mode", 43, 1, doc="1 absolute")
OP = Field("op", 44, 4)
BOOL = Field("bool_addr", 34, 8, doc="bool constant")
CONDITION = Field("condition", 42, 1, doc="wanted value of the predicate or bool constant")

NONE = Format("none", CLAUSE_SIZE, (OP,))


def exec_format(name: str, address: int, *conditions: Field) -> Format:
    """Runs instructions; `address` is the width of a slot's number."""
    return Format(
        name,
        CLAUSE_SIZE,
        (
            Field("addr", 0, address, doc="first slot, counted from the start of the program"),
            Field("cnt", 12, 3, doc="number of instructions, 0 to 6"),
            Field("yield", 15, 1),
            Field("sequence", 16, 12, doc="two bits an instruction: 1 fetch, 2 (S)"),
            Field("vc", 28, 6, doc="vertex cache flags"),
            *conditions,
            _MODE,
            OP,
        ),
    )


def loop_format(name: str, address: int, *own: Field) -> Format:
    """An end of a loop; `address` is the width of a clause's number."""
    parts = Field("addr", 0, address, doc="clause"), Field("loop_id", 16, 5, doc="loop constant")
    return Format(name, CLAUSE_SIZE, (*parts, *own, _MODE, OP))


def jump_format(address: int) -> Format:
    """A jump or a call."""
    return Format(
        "jump",
        CLAUSE_SIZE,
        (
            Field("addr", 0, address, doc="clause"),
            Field("force_call", 13, 1, doc="unconditional"),
            Field("predicated_jmp", 14, 1, doc="tests the predicate, not a bool constant"),
            Field("direction", 33, 1, doc="1 forward"),
            BOOL,
            CONDITION,
            _MODE,
            OP,
        ),
    )


def alloc_format(size: int, doc: str) -> Format:
    """Space for exports; `size` is the width of their number."""
    return Format(
        "alloc",
        CLAUSE_SIZE,
        (
            Field("size", 0, size, doc=doc),
            Field("no_serial", 40, 1),
            Field("buffer", 41, 2, doc="0 none, 1 position, 2 parameters or pixel, 3 memory"),
            Field("alloc_mode", 43, 1),
            OP,
        ),
    )


# --- Instructions -----------------------------------------------------------------------------------------------------


#: Name, lowest bit, width and documentation of a field of a dword.
_Row = tuple[str, int, int, str]


def dword(number: int, *rows: _Row) -> tuple[Field, ...]:
    """Fields of one dword."""
    return tuple(Field(name, 32 * number + low, width, doc=doc) for name, low, width, doc in rows)


def _of_sources(name: str, low: int, step: int, width: int, doc: str) -> tuple[_Row, ...]:
    """A field of each source, of which the third one is lowest; documented once."""
    return tuple((f"src{3 - n}{name}", low + step * n, width, "" if n else doc) for n in range(3))


ALU = Format(
    "alu",
    SLOT_SIZE,
    (
        *dword(
            0,
            ("vector_dest", 0, 6, "register or export"),
            ("vector_dest_rel", 6, 1, "destination R[aL + n]"),
            ("abs_constants", 7, 1, "absolute value of all constants"),
            ("scalar_dest", 8, 6, "register or export"),
            ("scalar_dest_rel", 14, 1, "destination R[aL + n]; of an export: unwritten components are 0.0"),
            ("export", 15, 1, "both halves write exports"),
            ("vector_mask", 16, 4, "components to write, x lowest"),
            ("scalar_mask", 20, 4, "components to write, x lowest"),
            ("vector_clamp", 24, 1, "result limited to 0...1"),
            ("scalar_clamp", 25, 1, "result limited to 0...1"),
            ("scalar_op", 26, 6, ""),
        ),
        *dword(
            1,
            *_of_sources("_swizzle", 0, 8, 8, "two bits a component: source = (component + bits) mod 4"),
            *_of_sources("_negate", 24, 1, 1, ""),
            ("pred_condition", 27, 1, "wanted predicate"),
            ("predicated", 28, 1, ""),
            ("const_rel_a0", 29, 1, "relative constants: 1 by a0, 0 by aL"),
            ("const1_rel", 30, 1, "constants after the first are relative"),
            ("const0_rel", 31, 1, "the first constant is relative"),
        ),
        *dword(
            2,
            *_of_sources("", 0, 8, 8, "constant; or register (6 bits), relative to aL (bit 6), absolute value (bit 7)"),
            ("vector_op", 24, 5, ""),
            *_of_sources("_bank", 29, 1, 1, "1 register, 0 constant"),
        ),
    ),
)

#: Fields of a vertex fetch that both machines have: what comes before the first own field, and what follows each.
VERTEX_SOURCE = (
    *dword(
        0,
        ("opcode", 0, 5, ""),
        ("src_reg", 5, 6, "register with the index"),
        ("src_rel", 11, 1, ""),
        ("dst_reg", 12, 6, ""),
        ("dst_rel", 18, 1, ""),
        ("const_index", 20, 5, "fetch constant"),
        ("const_index_sel", 25, 2, "which third of it, 0 to 2"),
    ),
)
VERTEX_FORMAT = (
    *dword(
        1,
        ("dst_swizzle", 0, 12, "three bits a component: 0-3 xyzw, 4 zero, 5 one, 7 unwritten"),
        ("signed", 12, 1, ""),
        ("num_format", 13, 1, "1 not normalised"),
        ("signed_rf", 14, 1, "how signed normalised numbers map"),
        ("format", 16, 6, ""),
    ),
    Field("exp_adjust", 32 + 24, 6, signed=True, doc="result times 2^n"),
)
PREDICATED, PREDICATE = dword(1, ("predicated", 31, 1, "")), dword(2, ("pred_condition", 31, 1, ""))


def vertex_format(*fields: Field) -> Format:
    """A vertex fetch, of which one bit is always one."""
    return Format("vertex fetch", SLOT_SIZE, fields, ones=1 << 19)


def texture_format(
    *, valid_only: int, arbitrary: int, levels: int, location: int, own: tuple[Field, ...] = ()
) -> Format:
    """A texture fetch: defaults of some fields, the width of `reg_lod`, and what else there is."""
    return Format(
        "texture fetch",
        SLOT_SIZE,
        (
            *dword(
                0,
                ("opcode", 0, 5, ""),
                ("src_reg", 5, 6, "register with the coordinates"),
                ("src_rel", 11, 1, ""),
                ("dst_reg", 12, 6, ""),
                ("dst_rel", 18, 1, ""),
            ),
            Field("fetch_valid_only", 19, 1, default=valid_only),
            *dword(
                0,
                ("const_index", 20, 5, "sampler"),
                ("denorm", 25, 1, "coordinates in texels"),
                ("src_swizzle", 26, 6, "two bits a coordinate"),
            ),
            *dword(1, ("dst_swizzle", 0, 12, "as of a vertex fetch")),
            Field("mag", 32 + 12, 2, default=3, doc="0 point, 1 linear, 2 base map, 3 as the fetch constant says"),
            Field("min", 32 + 14, 2, default=3),
            Field("mip", 32 + 16, 2, default=3),
            Field("aniso", 32 + 18, 3, default=7, doc="0 disabled, 1-5 up to 16:1, 7 as the fetch constant says"),
            Field("arbitrary", 32 + 21, 3, default=arbitrary),
            Field("vol_mag", 32 + 24, 2, default=3),
            Field("vol_min", 32 + 26, 2, default=3),
            Field("comp_lod", 32 + 28, 1, default=1, doc="level of detail from the neighbours"),
            Field("reg_lod", 32 + 29, levels, doc="adds the value of SET_TEX_LOD"),
            *PREDICATED,
            *dword(2, ("reg_gradients", 0, 1, "")),
            Field("sample_location", 64 + 1, 1, default=location, doc="0 centroid, 1 centre"),
            Field("lod_bias", 64 + 2, 7, doc="signed, sixteenths"),
            *own,
            *dword(2, ("off_x", 16, 5, "signed, half texels"), ("off_y", 21, 5, ""), ("off_z", 26, 5, "")),
            *PREDICATE,
        ),
    )


def constant_flag(source: str, fields: Mapping[str, int]) -> str:
    """The field that says whether this constant is relative: the first constant has one, others share one."""
    earlier = ("src1", "src2", "src3")[: int(source[-1]) - 1]
    return "const0_rel" if all(fields[f"{other}_bank"] for other in earlier) else "const1_rel"
