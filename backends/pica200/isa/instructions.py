"""The instruction set as data: one row an instruction.

From the rows come the encoder and decoder, what the assembler and disassembler read and print, the
arithmetic of the simulator, which bits of an operand descriptor matter, and the page `docs/isa/pica200.md`.

What an instruction computes is in `meanings.py`, what flow control does in `flow.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from glslc_multi.backends.pica200.isa import meanings
from glslc_multi.backends.pica200.isa.meanings import Compute, Flags
from glslc_multi.compiler.isa.fields import Encoding, EncodingTable, Field, Format
from glslc_multi.compiler.records import dataclass

# --- Formats ----------------------------------------------------------------------------------------------------------

_OPCODE = Field("opcode", 26, 6)
_DST = Field("dst", 21, 5, doc="o0-o15, r0-r15")
_IDX = Field("idx", 19, 2, doc="address register added to the wide source: 0 none, 1 a0.x, 2 a0.y, 3 aL")
_DESC = Field("desc", 0, 7, doc="number of the operand descriptor")
_TARGET = Field("target", 10, 12, doc="word address")
_NUM = Field("num", 0, 8)


def _wide(name: str, low: int) -> Field:
    return Field(name, low, 7, doc="v0-v15, r0-r15, c0-c95")


def _narrow(name: str, low: int) -> Field:
    return Field(name, low, 5, doc="v0-v15, r0-r15")


@dataclass(frozen=True, slots=True)
class Layout:
    """A format, its sources in order, and which of them is the wide one (that may be a c register)."""

    format: Format
    sources: tuple[str, ...] = ()
    wide: str = ""


F0 = Layout(Format("0", 32, (_OPCODE,)))
F1 = Layout(
    Format("1", 32, (_OPCODE, _DST, _IDX, _wide("src1", 12), _narrow("src2", 7), _DESC)), ("src1", "src2"), "src1"
)
F1I = Layout(
    Format("1i", 32, (_OPCODE, _DST, _IDX, _narrow("src1", 14), _wide("src2", 7), _DESC)), ("src1", "src2"), "src2"
)
F1U = Layout(Format("1u", 32, (_OPCODE, _DST, _IDX, _wide("src1", 12), _DESC)), ("src1",), "src1")
#: MOVA: the descriptor's mask picks a0.x and a0.y.
F1A = Layout(Format("1a", 32, (_OPCODE, _IDX, _wide("src1", 12), _DESC)), ("src1",), "src1")
F1C = Layout(
    Format(
        "1c",
        32,
        (
            Field("opcode", 27, 5),
            Field("cmpx", 24, 3, doc="relation for cmp.x"),
            Field("cmpy", 21, 3, doc="relation for cmp.y"),
            _IDX,
            _wide("src1", 12),
            _narrow("src2", 7),
            _DESC,
        ),
    ),
    ("src1", "src2"),
    "src1",
)
F2 = Layout(
    Format(
        "2",
        32,
        (
            _OPCODE,
            Field("refx", 25, 1, doc="value that cmp.x is compared with"),
            Field("refy", 24, 1, doc="value that cmp.y is compared with"),
            Field("condop", 22, 2, doc="0 either, 1 both, 2 only x, 3 only y"),
            _TARGET,
            _NUM,
        ),
    )
)
F3 = Layout(Format("3", 32, (_OPCODE, Field("id", 22, 4, doc="number of the b or i register"), _TARGET, _NUM)))
F4 = Layout(
    Format(
        "4",
        32,
        (
            _OPCODE,
            Field("vertex", 24, 2, doc="slot 0-2"),
            Field("primitive", 23, 1, doc="the next EMIT issues a triangle"),
            Field("winding", 22, 1, doc="which is flipped"),
        ),
    )
)
_MAD_FIELDS = (
    Field("opcode", 29, 3),
    Field("dst", 24, 5, doc=_DST.doc),
    Field("idx", 22, 2, doc=_IDX.doc),
    _narrow("src1", 17),
)
_MAD_DESC = Field("desc", 0, 5, doc="number of the operand descriptor")
_MAD_SOURCES = ("src1", "src2", "src3")
F5 = Layout(Format("5", 32, (*_MAD_FIELDS, _wide("src2", 10), _narrow("src3", 5), _MAD_DESC)), _MAD_SOURCES, "src2")
F5I = Layout(Format("5i", 32, (*_MAD_FIELDS, _narrow("src2", 12), _wide("src3", 5), _MAD_DESC)), _MAD_SOURCES, "src3")

LAYOUTS = (F0, F1, F1I, F1U, F1A, F1C, F2, F3, F4, F5, F5I)

# --- The table --------------------------------------------------------------------------------------------------------

#: Which components of a source matter: these letters, or those in the write mask.
MASKED = "masked"

Operands = Literal["none", "alu", "mova", "cmp", "condition", "bool", "loop", "setemit"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the instruction set."""

    name: str
    opcode: int
    layout: Layout
    doc: str
    operands: Operands = "alu"
    compute: Compute | None = None
    flags: Flags | None = None
    #: For each source, the components that an assembler must keep apart when it shares descriptors.
    reads: tuple[str, ...] = ()
    #: Name of the form whose last source is the wide one.
    inverted: str = ""
    #: Other spellings in assembly text.
    spellings: tuple[str, ...] = ()
    #: Whether the instruction goes to `target` (and how) rather than to the next word.
    jumps: Literal["", "call", "branch", "if", "loop", "break"] = ""

    @property
    def mnemonic(self) -> str:
        """The name in assembly text; inverted forms share it with the plain ones."""
        return self.spellings[0] if self.spellings else self.name.lower()


_EVERY, _XYZ, _X, _XY = "xyzw", "xyz", "x", "xy"

OPERATIONS: tuple[Operation, ...] = (
    Operation("ADD", 0x00, F1, "s1 + s2", compute=meanings.ADD, reads=(MASKED, MASKED)),
    Operation("DP3", 0x01, F1, "s1.xyz dot s2.xyz, to all components", compute=meanings.DP3, reads=(_XYZ, _XYZ)),
    Operation("DP4", 0x02, F1, "s1 dot s2, to all components", compute=meanings.DP4, reads=(_EVERY, _EVERY)),
    Operation(
        "DPH",
        0x03,
        F1,
        "(s1.xyz, 1) dot s2, to all components",
        compute=meanings.DPH,
        reads=(_XYZ, _EVERY),
        inverted="DPHI",
    ),
    Operation(
        "DST", 0x04, F1, "(1, s1.y * s2.y, s1.z, s2.w)", compute=meanings.dst, reads=(_EVERY, _EVERY), inverted="DSTI"
    ),
    Operation(
        "EX2",
        0x05,
        F1U,
        "2 to the s1.x, to all components",
        compute=meanings.EX2,
        reads=(_X,),
        spellings=("ex2", "exp"),
    ),
    Operation(
        "LG2", 0x06, F1U, "log2(s1.x), to all components", compute=meanings.LG2, reads=(_X,), spellings=("lg2", "log")
    ),
    Operation(
        "LITP",
        0x07,
        F1U,
        "(max(s1.x, 0), s1.y within -127.996 to 127.996, 0, max(s1.w, 0)); cmp = (s1.x >= 0, s1.w >= 0)",
        compute=meanings.lit,
        flags=meanings.lit_flags,
        reads=(_EVERY,),
        spellings=("litp", "lit"),
    ),
    Operation("MUL", 0x08, F1, "s1 * s2", compute=meanings.MUL, reads=(MASKED, MASKED)),
    Operation("SGE", 0x09, F1, "s1 >= s2 ? 1 : 0", compute=meanings.SGE, reads=(MASKED, MASKED), inverted="SGEI"),
    Operation("SLT", 0x0A, F1, "s1 < s2 ? 1 : 0", compute=meanings.SLT, reads=(MASKED, MASKED), inverted="SLTI"),
    Operation("FLR", 0x0B, F1U, "floor(s1)", compute=meanings.FLR, reads=(MASKED,)),
    Operation("MAX", 0x0C, F1, "s1 > s2 ? s1 : s2", compute=meanings.MAX, reads=(MASKED, MASKED)),
    Operation("MIN", 0x0D, F1, "s1 < s2 ? s1 : s2", compute=meanings.MIN, reads=(MASKED, MASKED)),
    Operation("RCP", 0x0E, F1U, "1 / s1.x, to all components", compute=meanings.RCP, reads=(_X,)),
    Operation("RSQ", 0x0F, F1U, "1 / sqrt(s1.x), to all components", compute=meanings.RSQ, reads=(_X,)),
    Operation("MOVA", 0x12, F1A, "a0.x, a0.y = s1.x, s1.y truncated, as masked", "mova", meanings.mov, reads=(MASKED,)),
    Operation("MOV", 0x13, F1U, "s1", compute=meanings.mov, reads=(MASKED,)),
    Operation("DPHI", 0x18, F1I, "as DPH", compute=meanings.DPH, reads=(_XYZ, _EVERY)),
    Operation(
        "DSTI", 0x19, F1I, "as DST; no open implementation tested it", compute=meanings.dst, reads=(_EVERY, _EVERY)
    ),
    Operation("SGEI", 0x1A, F1I, "as SGE", compute=meanings.SGE, reads=(MASKED, MASKED)),
    Operation("SLTI", 0x1B, F1I, "as SLT", compute=meanings.SLT, reads=(MASKED, MASKED)),
    Operation("BREAK", 0x20, F0, "leave the innermost LOOP", "none", jumps="break"),
    Operation("NOP", 0x21, F0, "nothing", "none"),
    Operation("END", 0x22, F0, "stop for this vertex", "none"),
    Operation("BREAKC", 0x23, F2, "BREAK if the condition holds", "condition", jumps="break"),
    Operation("CALL", 0x24, F2, "run `num` words from `target`, then go on", "none", jumps="call"),
    Operation("CALLC", 0x25, F2, "CALL if the condition holds", "condition", jumps="call"),
    Operation("CALLU", 0x26, F3, "CALL if b[id]", "bool", jumps="call"),
    Operation(
        "IFU",
        0x27,
        F3,
        "if b[id], run to `target` and then skip `num` words; else go to `target`",
        "bool",
        jumps="if",
    ),
    Operation("IFC", 0x28, F2, "as IFU, on the condition", "condition", jumps="if"),
    Operation(
        "LOOP",
        0x29,
        F3,
        "run the words to `target` (inclusive) i[id].x + 1 times; aL = i[id].y, then + i[id].z each time",
        "loop",
        spellings=("for", "loop"),
        jumps="loop",
    ),
    Operation("EMIT", 0x2A, F0, "geometry: store the outputs in the slot, issue the triangle, swap banks", "none"),
    Operation("SETEMIT", 0x2B, F4, "geometry: slot, triangle and winding of the next EMITs", "setemit"),
    Operation("JMPC", 0x2C, F2, "go to `target` if the condition holds", "condition", jumps="branch"),
    Operation("JMPU", 0x2D, F3, "go to `target` if b[id] differs from bit 0 of `num`", "bool", jumps="branch"),
    Operation(
        "CMP",
        0x2E >> 1,
        F1C,
        "cmp.x = s1.x CMPX s2.x; cmp.y = s1.y CMPY s2.y",
        "cmp",
        flags=meanings.compare,
        # A comparison reads x and y only; all of s2 counts because picasso, whose tables are matched, counts it.
        reads=(_XY, _EVERY),
    ),
    Operation("MADI", 0b110, F5I, "s1 * s2 + s3, the product rounded", compute=meanings.MAD, reads=(MASKED,) * 3),
    Operation(
        "MAD",
        0b111,
        F5,
        "s1 * s2 + s3, the product rounded",
        compute=meanings.MAD,
        reads=(MASKED,) * 3,
        inverted="MADI",
    ),
)

BY_NAME: Mapping[str, Operation] = {row.name: row for row in OPERATIONS}
ENCODINGS = EncodingTable(Encoding(row.name, row.layout.format, {"opcode": row.opcode}) for row in OPERATIONS)

# --- Instructions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Instruction:
    """One word, taken apart."""

    operation: Operation
    fields: Mapping[str, int]

    @property
    def name(self) -> str:
        return self.operation.name

    @property
    def descriptor(self) -> int | None:
        """Number of its operand descriptor."""
        return self.fields.get("desc")


def encode(name: str, **fields: int) -> int:
    """The word of instruction `name`; raises `FieldError` for values that do not fit."""
    return ENCODINGS[name].encode(fields)


@lru_cache(maxsize=1 << 12)
def decode(word: int) -> Instruction | None:
    """The instruction that `word` is; None for unknown opcodes and for words with bits where none may be."""
    encoding = ENCODINGS.find(word)
    if encoding is None or not encoding.format.accepts(word):
        return None
    return Instruction(BY_NAME[encoding.name], encoding.decode(word))
