"""The instruction set as data: the fields of a word, and one row an instruction.

From the rows come the encoder and decoder, what the assembler and disassembler read and print, the
arithmetic and the cycles of the simulator, rules of the validator, and the page `docs/isa/theia.md` (`make docs`).

A register is a row of three lanes.  A row's `compute` is the instruction's meaning over `RowArithmetic`: its operands
are the sources, or the old destination and the immediate value, which is a lane; of a swizzle, its code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Literal, Protocol

from glslc_multi.backends.theia.isa.numbers import FRACTION_BITS, ONE
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.isa.fields import Encoding, EncodingTable, Field, Format
from glslc_multi.compiler.records import dataclass

#: An i32 of each pixel, and three of them.
Lane = Any
Row = tuple[Lane, ...]


class RowArithmetic(LaneOperations, Protocol):
    """What the machine's arithmetic unit can do: its numbers are i32s, which take the place of floats."""

    def products(self, x: Sequence[Lane], y: Sequence[Lane]) -> Sequence[Lane]:
        """Products of one number each, in 64 bits."""

    def cut_sum(self, x: Lane) -> Lane:
        """A sum or difference of products as a number."""

    def length(self, x: Row) -> Lane: ...


Compute = Callable[..., Row]
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


def _by_lane(meaning: Callable[..., Lane]) -> Compute:
    """The same in all lanes."""
    return lambda a, *rows: tuple([meaning(a, *lanes) for lanes in zip(*rows, strict=True)])


def _splat(lane: Lane) -> Row:
    return lane, lane, lane


def _with_lane(x: Row, index: int, lane: Lane) -> Row:
    """The row with one lane replaced."""
    return *x[:index], lane, *x[index + 1 :]


def _exchange(index: int) -> Compute:
    return lambda a, x, y: _with_lane(x, index, y[index])


def _increment(index: int) -> Compute:
    return lambda a, x: _with_lane(x, index, a.fadd(x[index], a.iconst(ONE)))


def _set(index: int) -> Compute:
    return lambda a, x, y: _with_lane(x, index, y)


def _swizzle(a: RowArithmetic, x: Row, code: int) -> Row:
    lanes = LIVE_SWIZZLES.get(code)
    return _splat(a.iconst(0)) if lanes is None else tuple([x[lane] for lane in lanes])


def _multiply(a: RowArithmetic, x: Row, y: Row) -> Row:
    return tuple(map(a.narrowed, a.products(x, y)))


def _cross(a: RowArithmetic, x: Row, y: Row) -> Row:
    after, before = (1, 2, 0), (2, 0, 1)
    plus = a.products([x[lane] for lane in after], [y[lane] for lane in before])
    minus = a.products([x[lane] for lane in before], [y[lane] for lane in after])
    return tuple([a.cut_sum(a.isub(*pair)) for pair in zip(plus, minus, strict=True)])


def _dot(a: RowArithmetic, x: Row, y: Row) -> Row:
    first, second, third = a.products(x, y)
    return _splat(a.cut_sum(a.iadd(a.iadd(first, second), third)))


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


def _same_magnitude(a: RowArithmetic, x: Lane, y: Lane) -> Lane:
    return a.ieq(a.iabs(x), a.iabs(y))


#: Mnemonic part -> meaning and what the comparator really does: it knows only "greater" and "same magnitude".
_RELATIONS: tuple[tuple[str, str, Relation], ...] = (
    ("JG", "a > b", lambda a, x, y: a.ilt(y, x)),
    ("JL", "not (a > b)", lambda a, x, y: a.bnot(a.ilt(y, x))),
    ("JEQ", "abs(a) = abs(b)", _same_magnitude),
    ("JNE", "abs(a) differs from abs(b)", lambda a, x, y: a.bnot(_same_magnitude(a, x, y))),
    ("JGE", "a > b or abs(a) = abs(b)", lambda a, x, y: a.bor(a.ilt(y, x), _same_magnitude(a, x, y))),
    ("JLE", "not (a > b) or abs(a) = abs(b)", lambda a, x, y: a.bor(a.bnot(a.ilt(y, x)), _same_magnitude(a, x, y))),
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
    Instruction("ADD", 0x01, "DSS", "a + b", _by_lane(lambda a, x, y: a.fadd(x, y))),
    Instruction("SUB", 0x02, "DSS", "a - b", _by_lane(lambda a, x, y: a.fsub(x, y))),
    Instruction("DIV", 0x03, "DSS", "a / b", _by_lane(lambda a, x, y: a.fdiv(x, y)), trunk=71, icarus=65),
    Instruction("MUL", 0x04, "DSS", "a * b", _multiply, trunk=2, icarus=2),
    Instruction("MAG", 0x05, "DS-", "length of a in all lanes", lambda a, x: _splat(a.length(x)), "compute", 39, 5),
    Instruction("COPY", 0x07, "DS-", "a", lambda a, x: x),
    *_branches(0, 0x08),
    Instruction("INC", 0x0E, "DS-", "a + 1.0", _by_lane(lambda a, x: a.fadd(x, a.iconst(ONE)))),
    Instruction("ZERO", 0x0F, "D--", "0", lambda a: _splat(a.iconst(0))),
    *_branches(1, 0x10),
    Instruction("CROSS", 0x16, "DSS", "cross product of a and b", _cross, trunk=3, icarus=3),
    Instruction("DOT", 0x17, "DSS", "dot product of a and b in all lanes", _dot, trunk=4, icarus=4),
    *_branches(2, 0x18),
    Instruction(
        "MULP",
        0x1F,
        "DS-",
        "lane z: a.x * a.y; lanes x and y are undefined",
        lambda a, x: _with_lane(x, 2, a.fmul(x[0], x[1])),
        trunk=2,
        icarus=2,
        lanes=("XY", ""),
    ),
    Instruction(
        "MOD", 0x20, "DSS", "a AND (b - 1.0)", _by_lane(lambda a, x, y: a.bits_and(x, a.isub(y, a.iconst(ONE))))
    ),
    Instruction(
        "FRAC",
        0x21,
        "DS-",
        "a AND 0x1FFFF, which is a - floor(a)",
        _by_lane(lambda a, x: a.bits_and(x, a.iconst(ONE - 1))),
    ),
    Instruction("INTP", 0x22, "DS-", "never completes", trunk=None, icarus=None),
    Instruction("NEG", 0x23, "DS-", "-a", _by_lane(lambda a, x: a.isub(a.iconst(0), x))),
    Instruction("DEC", 0x24, "DS-", "a - 1.0", _by_lane(lambda a, x: a.fsub(x, a.iconst(ONE)))),
    Instruction("XCHANGEX", 0x25, "DSS", "(b.x, a.y, a.z)", _exchange(0), lanes=("YZ", "X")),
    Instruction("XCHANGEY", 0x26, "DSS", "(a.x, b.y, a.z)", _exchange(1), trunk=None, lanes=("XZ", "Y")),
    Instruction("XCHANGEZ", 0x27, "DSS", "(a.x, a.y, b.z)", _exchange(2), trunk=None, lanes=("XY", "Z")),
    Instruction("IMUL", 0x28, "DSS", "a * b as integers", _by_lane(lambda a, x, y: a.imul(x, y)), trunk=2, icarus=2),
    Instruction(
        "UNSCALE", 0x29, "DS-", "a >> 17, zeros come in", _by_lane(lambda a, x: a.shr(x, a.iconst(FRACTION_BITS)))
    ),
    Instruction(
        "RESCALE", 0x2A, "DS-", "a << 17", _by_lane(lambda a, x: a.shl(x, a.iconst(FRACTION_BITS))), trunk=None
    ),
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
