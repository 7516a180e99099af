"""The instruction set as data: the fields of a word, and one row an instruction.

From the rows come the encoder and decoder, what the assembler and disassembler read and print, the
arithmetic and the cycles of the simulator, rules of the validator, and the page `docs/isa/theia.md`
(`python -m backends.theia.isa.document` writes it).

A register is a row of three lanes.  A row's `compute` is the instruction's meaning over `RowArithmetic`:
its operands are the two sources, or the old destination and the immediate value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal, Protocol

from backends.theia.isa.numbers import FRACTION_BITS, ONE
from backends.theia.isa.registers import Variant
from compiler.isa.fields import Encoding, EncodingTable, Field, Format
from compiler.records import dataclass

#: A lane of many pixels, and three of them; opaque to semantics.
Lane = Any
Row = Any


class RowArithmetic(Protocol):
    """What the machine's arithmetic unit can do, with lanes or whole rows."""

    def row(self, x: Lane, y: Lane, z: Lane) -> Row: ...
    def iconst(self, value: int) -> Lane: ...

    def fadd(self, x: Lane, y: Lane) -> Lane: ...
    def fsub(self, x: Lane, y: Lane) -> Lane: ...
    def fmul(self, x: Lane, y: Lane) -> Lane: ...
    def fdiv(self, x: Lane, y: Lane) -> Lane: ...
    def product(self, x: Lane, y: Lane) -> Lane:
        """The product in 64 bits, which can be negated."""

    def total(self, *terms: Lane) -> Lane:
        """The sum of terms of 64 bits as a number."""

    def length(self, x: Row) -> Lane: ...

    def isub(self, x: Lane, y: Lane) -> Lane: ...
    def imul(self, x: Lane, y: Lane) -> Lane: ...
    def bits_and(self, x: Lane, y: Lane) -> Lane: ...
    def shift_left(self, x: Lane, count: int) -> Lane: ...
    def shift_right(self, x: Lane, count: int) -> Lane:
        """Zeros come in at the left."""

    def flt(self, x: Lane, y: Lane) -> Lane: ...
    def same_magnitude(self, x: Lane, y: Lane) -> Lane: ...
    def bor(self, x: Lane, y: Lane) -> Lane: ...
    def bnot(self, x: Lane) -> Lane: ...


Compute = Callable[[RowArithmetic, Row, Row], Row]
Relation = Callable[[RowArithmetic, Lane, Lane], Lane]

# --- Fields -----------------------------------------------------------------------------------------------------------

_OPCODE = Field("opcode", 48, 16)
_DESTINATION = Field("destination", 32, 16, doc="register")
_TARGET = Field("target", 32, 16, doc="code address; bit 15: in user memory")
_FIRST = Field("first", 16, 16, doc="register")
_SECOND = Field("second", 0, 16, doc="register")
_IMMEDIATE = Field("immediate", 0, 32)
_CODE = Field("code", 0, 1, doc="return code")

REGISTERS = Format("registers", 64, (_OPCODE, _DESTINATION, _FIRST, _SECOND))
IMMEDIATE = Format("immediate", 64, (_OPCODE, _DESTINATION, _IMMEDIATE))
JUMP = Format("jump", 64, (_OPCODE, _TARGET, _FIRST, _SECOND))
CODE = Format("code", 64, (_OPCODE, _CODE))
FORMATS = (REGISTERS, IMMEDIATE, JUMP, CODE)

#: Names of the values of `code`.
RETURN_CODES = ("RT_FALSE", "RT_TRUE")
#: What precedes the name of a swizzle in assembly text.
SWIZZLE = "SWIZZLE_"
#: Swizzles in the order of their codes.
SWIZZLES = tuple("XXX YYY ZZZ XYY XXY XZZ XXZ YXX YYX YZZ YYZ ZXX ZZX ZYY ZZY XZX XYX YXY YZY ZXZ ZYZ YXZ".split())
LANES = "XYZ"
#: Code -> lanes, of the swizzles that the machine implements; all others write zeros.
LIVE_SWIZZLES: Mapping[int, tuple[int, ...]] = {
    SWIZZLES.index(name): tuple(LANES.index(letter) for letter in name) for name in ("XXX", "YYY", "ZZZ", "YXZ")
}

# --- Meanings ---------------------------------------------------------------------------------------------------------


def _splat(a: RowArithmetic, lane: Lane) -> Row:
    return a.row(lane, lane, lane)


def _with_lane(index: int) -> Callable[[RowArithmetic, Row, Lane], Row]:
    """The row with one lane replaced."""

    def replace(a: RowArithmetic, x: Row, lane: Lane) -> Row:
        lanes = [x[0], x[1], x[2]]
        lanes[index] = lane
        return a.row(*lanes)

    return replace


def _exchange(index: int) -> Compute:
    return lambda a, x, y: _with_lane(index)(a, x, y[index])


def _increment(index: int) -> Compute:
    return lambda a, x, y: _with_lane(index)(a, x, a.fadd(x[index], a.iconst(ONE)))


def _set(index: int) -> Compute:
    return lambda a, x, y: _with_lane(index)(a, x, a.iconst(y))


def _swizzle(a: RowArithmetic, x: Row, code: int) -> Row:
    lanes = LIVE_SWIZZLES.get(code)
    return _splat(a, a.iconst(0)) if lanes is None else a.row(*(x[lane] for lane in lanes))


def _cross(a: RowArithmetic, x: Row, y: Row) -> Row:
    pairs = ((1, 2), (2, 0), (0, 1))
    return a.row(*(a.total(a.product(x[i], y[j]), -a.product(x[j], y[i])) for i, j in pairs))


def _dot(a: RowArithmetic, x: Row, y: Row) -> Row:
    return _splat(a, a.total(*a.product(x, y)))


def _length(a: RowArithmetic, x: Row, y: Row) -> Row:
    return _splat(a, a.length(x))


# --- Instructions -----------------------------------------------------------------------------------------------------

#: Which operands are in the text, in the order of the fields: D, S (read), - (unused, VOID), L (jump target),
#: I (immediate), W (swizzle), C (return code).
Shape = Literal["DSS", "DS-", "D--", "DI", "DW", "LSS", "L--", "C"]
_FORMAT_OF: Mapping[Shape, Format] = {
    "DSS": REGISTERS,
    "DS-": REGISTERS,
    "D--": REGISTERS,
    "DI": IMMEDIATE,
    "DW": IMMEDIATE,
    "LSS": JUMP,
    "L--": JUMP,
    "C": CODE,
}
#: What the simulator does with an instruction besides its arithmetic.
Role = Literal["compute", "nothing", "write", "read", "address", "branch", "jump", "call", "return", "end"]


@dataclass(frozen=True)
class Instruction:
    """One row: an instruction and all that is particular to it."""

    name: str
    code: int
    shape: Shape
    meaning: str
    compute: Compute | None = None
    role: Role = "compute"
    #: Cycles of the arithmetic unit; None where the instruction never completes.
    trunk: int | None = 1
    icarus: int | None = 1
    #: Lanes read of the first and of the second operand.
    lanes: tuple[str, str] = ("XYZ", "XYZ")
    relation: Relation | None = None
    #: Lane that `relation` compares.
    lane: int = 0
    #: Whether v1.2 does not have it yet.
    is_later: bool = False

    @property
    def format(self) -> Format:
        return _FORMAT_OF[self.shape]

    @cached_property
    def operands(self) -> list[tuple[str, str]]:
        """The field and the letter of each operand, in the order of text."""
        names = [part.name for part in self.format.fields if part.name != "opcode"]
        return list(zip(names, self.shape, strict=True))

    @cached_property
    def is_jump(self) -> bool:
        return self.shape[0] == "L"

    @cached_property
    def has_destination(self) -> bool:
        return self.shape[0] == "D"

    def cycles(self, variant: Variant) -> int | None:
        """Cycles of the arithmetic unit in a variant."""
        if variant == "icarus":
            return self.icarus
        return None if variant == "v1.2" and self.is_later else self.trunk


#: Mnemonic part -> meaning and what the comparator really does: it knows only "greater" and "same magnitude".
_RELATIONS: tuple[tuple[str, str, Relation], ...] = (
    ("JG", "a > b", lambda a, x, y: a.flt(y, x)),
    ("JL", "not (a > b)", lambda a, x, y: a.bnot(a.flt(y, x))),
    ("JEQ", "abs(a) = abs(b)", lambda a, x, y: a.same_magnitude(x, y)),
    ("JNE", "abs(a) differs from abs(b)", lambda a, x, y: a.bnot(a.same_magnitude(x, y))),
    ("JGE", "a > b or abs(a) = abs(b)", lambda a, x, y: a.bor(a.flt(y, x), a.same_magnitude(x, y))),
    ("JLE", "not (a > b) or abs(a) = abs(b)", lambda a, x, y: a.bor(a.bnot(a.flt(y, x)), a.same_magnitude(x, y))),
)


def _branches(lane: int, first_code: int) -> tuple[Instruction, ...]:
    """The six comparisons of one lane."""
    letter = LANES[lane]
    return tuple(
        Instruction(
            name + letter,
            first_code + offset,
            "LSS",
            f"jump if {meaning} in lane {letter.lower()}",
            role="branch",
            lanes=(letter, letter),
            relation=relation,
            lane=lane,
        )
        for offset, (name, meaning, relation) in enumerate(_RELATIONS)
    )


INSTRUCTIONS = (
    Instruction("NOP", 0x00, "C", "nothing", role="nothing"),
    Instruction("ADD", 0x01, "DSS", "a + b", lambda a, x, y: a.fadd(x, y)),
    Instruction("SUB", 0x02, "DSS", "a - b", lambda a, x, y: a.fsub(x, y)),
    Instruction("DIV", 0x03, "DSS", "a / b", lambda a, x, y: a.fdiv(x, y), trunk=71, icarus=65),
    Instruction("MUL", 0x04, "DSS", "a * b", lambda a, x, y: a.fmul(x, y), trunk=2, icarus=2),
    Instruction(
        "MAG", 0x05, "DS-", "length of a in all lanes", lambda a, x, y: _splat(a, a.length(x)), "compute", 39, 5
    ),
    Instruction("COPY", 0x07, "DS-", "a", lambda a, x, y: x),
    *_branches(0, 0x08),
    Instruction("INC", 0x0E, "DS-", "a + 1.0", lambda a, x, y: a.fadd(x, a.iconst(ONE))),
    Instruction("ZERO", 0x0F, "D--", "0", lambda a, x, y: _splat(a, a.iconst(0))),
    *_branches(1, 0x10),
    Instruction("CROSS", 0x16, "DSS", "cross product of a and b", _cross, trunk=3, icarus=3),
    Instruction("DOT", 0x17, "DSS", "dot product of a and b in all lanes", _dot, trunk=4, icarus=4),
    *_branches(2, 0x18),
    Instruction(
        "MULP",
        0x1F,
        "DS-",
        "lane z: a.x * a.y; lanes x and y are undefined",
        lambda a, x, y: _with_lane(2)(a, x, a.fmul(x[0], x[1])),
        trunk=2,
        icarus=2,
        lanes=("XY", ""),
    ),
    Instruction("MOD", 0x20, "DSS", "a AND (b - 1.0)", lambda a, x, y: a.bits_and(x, a.isub(y, a.iconst(ONE)))),
    Instruction(
        "FRAC", 0x21, "DS-", "a AND 0x1FFFF, which is a - floor(a)", lambda a, x, y: a.bits_and(x, a.iconst(ONE - 1))
    ),
    Instruction("INTP", 0x22, "DS-", "never completes", trunk=None, icarus=None),
    Instruction("NEG", 0x23, "DS-", "-a", lambda a, x, y: a.isub(a.iconst(0), x)),
    Instruction("DEC", 0x24, "DS-", "a - 1.0", lambda a, x, y: a.fsub(x, a.iconst(ONE))),
    Instruction("XCHANGEX", 0x25, "DSS", "(b.x, a.y, a.z)", _exchange(0), lanes=("YZ", "X")),
    Instruction("XCHANGEY", 0x26, "DSS", "(a.x, b.y, a.z)", _exchange(1), trunk=None, lanes=("XZ", "Y")),
    Instruction("XCHANGEZ", 0x27, "DSS", "(a.x, a.y, b.z)", _exchange(2), trunk=None, lanes=("XY", "Z")),
    Instruction("IMUL", 0x28, "DSS", "a * b as integers", lambda a, x, y: a.imul(x, y), trunk=2, icarus=2),
    Instruction("UNSCALE", 0x29, "DS-", "a >> 17, zeros come in", lambda a, x, y: a.shift_right(x, FRACTION_BITS)),
    Instruction("RESCALE", 0x2A, "DS-", "a << 17", lambda a, x, y: a.shift_left(x, FRACTION_BITS), trunk=None),
    Instruction("INCX", 0x2B, "DS-", "(a.x + 1.0, a.y, a.z)", _increment(0)),
    Instruction("INCY", 0x2C, "DS-", "(a.x, a.y + 1.0, a.z)", _increment(1)),
    Instruction("INCZ", 0x2D, "DS-", "(a.x, a.y, a.z + 1.0)", _increment(2)),
    Instruction(
        "OMWRITE",
        0x2F,
        "DSS",
        "store each lane of b at the address in a; D becomes 0",
        None,
        "write",
        3,
        3,
        is_later=True,
    ),
    Instruction("TMREAD", 0x30, "DS-", "texture words at the addresses in a", None, "read", 5, 5, is_later=True),
    Instruction("LEA", 0x31, "D--", "address of the next instruction in all lanes", None, "address", is_later=True),
    Instruction("RETURN", 0x40, "C", "end of the block", None, "end", 0, 0),
    Instruction("SETX", 0x41, "DI", "(immediate, D.y, D.z)", _set(0), lanes=("", "")),
    Instruction("SETY", 0x42, "DI", "(D.x, immediate, D.z)", _set(1), lanes=("", "")),
    Instruction("SETZ", 0x43, "DI", "(D.x, D.y, immediate)", _set(2), lanes=("", "")),
    Instruction("SWIZZLE3D", 0x44, "DW", "lanes of D; zero unless XXX, YYY, ZZZ or YXZ", _swizzle),
    Instruction("JMP", 0x58, "L--", "jump", role="jump"),
    Instruction("CALL", 0x59, "L--", "keep the return address and jump", role="call", is_later=True),
    Instruction(
        "RET",
        0x5A,
        "DI",
        "jump to the return address; icarus: D.x = immediate",
        _set(0),
        "return",
        lanes=("", ""),
        is_later=True,
    ),
)

BY_NAME: Mapping[str, Instruction] = {row.name: row for row in INSTRUCTIONS}
ENCODINGS = EncodingTable(Encoding(row.name, row.format, {"opcode": row.code}) for row in INSTRUCTIONS)


@dataclass(frozen=True, slots=True)
class Decoded:
    """An instruction with the values of its fields; absent fields are 0."""

    instruction: Instruction
    destination: int = 0
    first: int = 0
    second: int = 0
    immediate: int = 0
    target: int = 0
    code: int = 0


@lru_cache(maxsize=1 << 12)
def decode(word: int) -> Decoded | None:
    """The instruction that a word is; None for an unknown opcode and for bits where there must be none."""
    encoding = ENCODINGS.find(word)
    if encoding is None or not encoding.format.accepts(word):
        return None
    return Decoded(BY_NAME[encoding.name], **encoding.decode(word))


def encode(decoded: Decoded) -> int:
    """The word of an instruction; raises `FieldError` for values that do not fit."""
    encoding = ENCODINGS[decoded.instruction.name]
    names = encoding.format.by_name.keys() - encoding.fixed.keys()
    return encoding.encode({name: getattr(decoded, name) for name in names})
