"""The instruction set as data: operations with their meanings, signals, conditions, pack modes, small immediates.

From the tables come the encoder and decoder, what the assembler and disassembler read and print, the arithmetic of
the simulator, and the page `docs/isa/vc4.md` (`make docs`).

An operation's `compute` is its meaning over `WordArithmetic`, whose numbers are words of 32 bits, one a lane:
`compiler/arithmetic/protocol.py` for a machine whose registers have no type.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cache
from typing import Any, Protocol

from glslc_multi.backends.vc4.isa import formats
from glslc_multi.compiler.records import dataclass

LANES = 16
#: A word, byte or truth value of each lane; opaque to meanings.
Lanes = Any


class WordArithmetic(Protocol):
    """What the two ALUs are made of.  Words are bit patterns; the first letter says how they are read."""

    def bconst(self, value: bool) -> Lanes: ...
    def iconst(self, value: int) -> Lanes: ...
    def select(self, condition: Lanes, if_true: Lanes, if_false: Lanes) -> Lanes: ...

    def fadd(self, x: Lanes, y: Lanes) -> Lanes: ...
    def fsub(self, x: Lanes, y: Lanes) -> Lanes: ...
    def fmul(self, x: Lanes, y: Lanes) -> Lanes: ...
    def fabs(self, x: Lanes) -> Lanes: ...
    def flt(self, x: Lanes, y: Lanes) -> Lanes:
        """In the order -NaN, -infinity, ..., +infinity, +NaN."""

    def normal(self, x: Lanes) -> Lanes:
        """`x` as float operations see it: +0 for denormal numbers and -0."""

    def ftoi(self, x: Lanes) -> Lanes: ...
    def itof(self, x: Lanes) -> Lanes: ...

    def iadd(self, x: Lanes, y: Lanes) -> Lanes: ...
    def isub(self, x: Lanes, y: Lanes) -> Lanes: ...
    def imul(self, x: Lanes, y: Lanes) -> Lanes: ...
    def idiv(self, x: Lanes, y: Lanes) -> Lanes: ...
    def ilt(self, x: Lanes, y: Lanes) -> Lanes: ...
    def ult(self, x: Lanes, y: Lanes) -> Lanes: ...

    def bits_and(self, x: Lanes, y: Lanes) -> Lanes: ...
    def bits_or(self, x: Lanes, y: Lanes) -> Lanes: ...
    def bits_xor(self, x: Lanes, y: Lanes) -> Lanes: ...
    def bits_not(self, x: Lanes) -> Lanes: ...
    def leading_zeros(self, x: Lanes) -> Lanes: ...
    def shl(self, x: Lanes, count: Lanes) -> Lanes:
        """All shifts: by 0 to 31."""

    def shr(self, x: Lanes, count: Lanes) -> Lanes: ...
    def asr(self, x: Lanes, count: Lanes) -> Lanes: ...
    def bit(self, x: Lanes, position: Lanes) -> Lanes:
        """Whether this bit is 1; false outside of 0 to 31."""

    def by_bytes(self, function: Callable[[Lanes, Lanes], Lanes], x: Lanes, y: Lanes) -> Lanes:
        """The function applied to each of the four bytes."""


Compute = Callable[[WordArithmetic, Lanes, Lanes], Lanes]
#: (arithmetic, a, b, result) -> carry flag.
Carry = Callable[[WordArithmetic, Lanes, Lanes, Lanes], Lanes]

# --- Meanings ---------------------------------------------------------------------------------------------------------


def _minimum(a: WordArithmetic, x: Lanes, y: Lanes) -> Lanes:
    return a.select(a.ilt(y, x), y, x)


def _maximum(a: WordArithmetic, x: Lanes, y: Lanes) -> Lanes:
    return a.select(a.ilt(x, y), y, x)


def _float_minimum(a: WordArithmetic, x: Lanes, y: Lanes) -> Lanes:
    x, y = a.normal(x), a.normal(y)
    return a.select(a.flt(y, x), y, x)


def _float_maximum(a: WordArithmetic, x: Lanes, y: Lanes) -> Lanes:
    x, y = a.normal(x), a.normal(y)
    return a.select(a.flt(x, y), y, x)


def _of_magnitudes(compute: Compute) -> Compute:
    return lambda a, x, y: compute(a, a.fabs(x), a.fabs(y))


def _amount(a: WordArithmetic, y: Lanes) -> Lanes:
    """The low five bits of `y`."""
    return a.bits_and(y, a.iconst(31))


def _rotate_right(a: WordArithmetic, x: Lanes, y: Lanes) -> Lanes:
    count = _amount(a, y)
    return a.bits_or(a.shr(x, count), a.shl(x, _amount(a, a.isub(a.iconst(32), count))))


def _low_product(a: WordArithmetic, x: Lanes, y: Lanes) -> Lanes:
    low = a.iconst(0xFFFFFF)
    return a.imul(a.bits_and(x, low), a.bits_and(y, low))


def _bytewise(function: Compute) -> Compute:
    """The function of a word's bytes."""
    return lambda a, x, y: a.by_bytes(lambda p, q: function(a, p, q), x, y)


_ADD_BYTES = _bytewise(lambda a, p, q: _minimum(a, a.iadd(p, q), a.iconst(255)))
_SUBTRACT_BYTES = _bytewise(lambda a, p, q: a.select(a.ilt(p, q), a.iconst(0), a.isub(p, q)))
_MULTIPLY_BYTES = _bytewise(lambda a, p, q: a.idiv(a.iadd(a.imul(p, q), a.iconst(127)), a.iconst(255)))


def _no_carry(a: WordArithmetic, x: Lanes, y: Lanes, result: Lanes) -> Lanes:
    return a.bconst(False)


def _is_positive(a: WordArithmetic, x: Lanes, y: Lanes, result: Lanes) -> Lanes:
    return a.flt(a.iconst(0), result)


def _is_greater(a: WordArithmetic, x: Lanes, y: Lanes, result: Lanes) -> Lanes:
    return a.flt(a.normal(y), a.normal(x))


def _is_greater_magnitude(a: WordArithmetic, x: Lanes, y: Lanes, result: Lanes) -> Lanes:
    return _is_greater(a, a.fabs(x), a.fabs(y), result)


def _shifted_out(a: WordArithmetic, x: Lanes, y: Lanes, result: Lanes) -> Lanes:
    """The last bit that a shift to the right drops."""
    return a.bit(x, a.isub(_amount(a, y), a.iconst(1)))


# --- Operations -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Operation:
    """One row: half of an ALU instruction.  Operations of one operand read their first."""

    name: str
    code: int
    doc: str
    compute: Compute
    carry: Carry = _no_carry
    carry_doc: str = "0"
    operands: int = 2
    #: Whether operands are floats to unpacking, and results to packing.
    takes_float: bool = False
    gives_float: bool = False
    #: Whether equal operands are the result, too: then it moves them.
    moves: bool = False


def _float(name: str, code: int, doc: str, compute: Compute, carry: Carry, carry_doc: str) -> Operation:
    return Operation(name, code, doc, compute, carry, carry_doc, takes_float=True, gives_float=True)


def _unary(name: str, code: int, doc: str, compute: Compute, **more: Any) -> Operation:
    return Operation(name, code, doc, compute, operands=1, **more)


_NOP = Operation("nop", 0, "nothing", lambda a, x, y: a.iconst(0), operands=0)

ADD_OPERATIONS = (
    _NOP,
    _float("fadd", 1, "a + b", lambda a, x, y: a.fadd(x, y), _is_positive, "result > 0"),
    _float("fsub", 2, "a - b", lambda a, x, y: a.fsub(x, y), _is_positive, "result > 0"),
    _float("fmin", 3, "smaller of a and b", _float_minimum, _is_greater, "a > b"),
    _float("fmax", 4, "larger of a and b", _float_maximum, _is_greater, "a > b"),
    _float(
        "fminabs",
        5,
        "smaller of the magnitudes",
        _of_magnitudes(_float_minimum),
        _is_greater_magnitude,
        "magnitude of a > magnitude of b",
    ),
    _float(
        "fmaxabs",
        6,
        "larger of the magnitudes",
        _of_magnitudes(_float_maximum),
        _is_greater_magnitude,
        "magnitude of a > magnitude of b",
    ),
    _unary("ftoi", 7, "a rounded towards zero; 0 if it is out of range", lambda a, x, y: a.ftoi(x), takes_float=True),
    _unary(
        "itof",
        8,
        "signed integer a as float",
        lambda a, x, y: a.itof(x),
        gives_float=True,
        carry=lambda a, x, y, r: a.ilt(a.iconst(0), x),
        carry_doc="a > 0",
    ),
    Operation("add", 12, "a + b", lambda a, x, y: a.iadd(x, y), lambda a, x, y, r: a.ult(r, x), "unsigned overflow"),
    Operation("sub", 13, "a - b", lambda a, x, y: a.isub(x, y), lambda a, x, y, r: a.ult(x, y), "a < b, unsigned"),
    Operation(
        "shr",
        14,
        "a shifted right by b mod 32, zeros come in",
        lambda a, x, y: a.shr(x, _amount(a, y)),
        _shifted_out,
        "last bit out",
    ),
    Operation(
        "asr",
        15,
        "a shifted right by b mod 32, the sign comes in",
        lambda a, x, y: a.asr(x, _amount(a, y)),
        _shifted_out,
        "last bit out",
    ),
    Operation("ror", 16, "a rotated right by b mod 32", _rotate_right),
    Operation(
        "shl",
        17,
        "a shifted left by b mod 32",
        lambda a, x, y: a.shl(x, _amount(a, y)),
        lambda a, x, y, r: a.bit(x, a.isub(a.iconst(32), _amount(a, y))),
        "last bit out",
    ),
    Operation("min", 18, "smaller of a and b, signed", _minimum, lambda a, x, y, r: a.ilt(y, x), "a > b", moves=True),
    Operation("max", 19, "larger of a and b, signed", _maximum, lambda a, x, y, r: a.ilt(y, x), "a > b", moves=True),
    Operation("and", 20, "a and b", lambda a, x, y: a.bits_and(x, y), moves=True),
    Operation("or", 21, "a or b", lambda a, x, y: a.bits_or(x, y), moves=True),
    Operation("xor", 22, "a xor b", lambda a, x, y: a.bits_xor(x, y)),
    _unary("not", 23, "not a", lambda a, x, y: a.bits_not(x)),
    _unary("clz", 24, "leading zeros of a; 32 for 0", lambda a, x, y: a.leading_zeros(x)),
    Operation("v8adds", 30, "a + b in each byte, at most 255", _ADD_BYTES),
    Operation("v8subs", 31, "a - b in each byte, at least 0", _SUBTRACT_BYTES),
)

MUL_OPERATIONS = (
    _NOP,
    _float("fmul", 1, "a * b; +0 if one of them is 0", lambda a, x, y: a.fmul(x, y), _no_carry, "0"),
    Operation("mul24", 2, "low 32 bits of the product of the low 24 bits, unsigned", _low_product),
    Operation("v8muld", 3, "(a * b + 127) / 255 in each byte", _MULTIPLY_BYTES),
    Operation("v8min", 4, "smaller byte of a and b in each byte", _bytewise(_minimum), moves=True),
    Operation("v8max", 5, "larger byte of a and b in each byte", _bytewise(_maximum), moves=True),
    Operation("v8adds", 6, "a + b in each byte, at most 255", _ADD_BYTES),
    Operation("v8subs", 7, "a - b in each byte, at least 0", _SUBTRACT_BYTES),
)

ADD: Mapping[str, Operation] = {row.name: row for row in ADD_OPERATIONS}
MUL: Mapping[str, Operation] = {row.name: row for row in MUL_OPERATIONS}
ADD_BY_CODE: Mapping[int, Operation] = {row.code: row for row in ADD_OPERATIONS}
MUL_BY_CODE: Mapping[int, Operation] = {row.code: row for row in MUL_OPERATIONS}

# --- Signals and conditions -------------------------------------------------------------------------------------------


class Signal(IntEnum):
    """What an instruction does beside its two halves; the names are those of assembly text."""

    BKPT = 0
    NONE = formats.NO_SIGNAL
    THRSW = 2
    THREND = 3
    SBWAIT = 4
    SBDONE = 5
    LTHRSW = 6
    LOADCV = 7
    LOADC = 8
    LDCEND = 9
    LDTMU0 = 10
    LDTMU1 = 11
    LOADAM = 12
    SMALL_IMMEDIATE = formats.SMALL_IMMEDIATE
    LOAD = formats.LOAD
    BRANCH = formats.BRANCH


#: Signals with a word of their own in text, and what they do.
SIGNALS: Mapping[Signal, str] = {
    Signal.BKPT: "breakpoint",
    Signal.THRSW: "thread switch, after two more instructions",
    Signal.THREND: "end of the thread, after two more instructions",
    Signal.SBWAIT: "waits for the scoreboard",
    Signal.SBDONE: "unlocks the scoreboard",
    Signal.LTHRSW: "last thread switch, after two more instructions",
    Signal.LOADCV: "r4 = coverage, of the tile buffer",
    Signal.LOADC: "r4 = colour, of the tile buffer",
    Signal.LDCEND: "r4 = colour, and end of the thread",
    Signal.LDTMU0: "r4 = next result of TMU 0",
    Signal.LDTMU1: "r4 = next result of TMU 1",
    Signal.LOADAM: "r4 = alpha mask, of the tile buffer",
}
R4_LOADS = frozenset(
    (Signal.LOADCV, Signal.LOADC, Signal.LDCEND, Signal.LDTMU0, Signal.LDTMU1, Signal.LOADAM),
)
#: By texture unit, the signal that loads its next result.
TEXEL_LOADS = (Signal.LDTMU0, Signal.LDTMU1)
THREAD_ENDS = frozenset((Signal.THREND, Signal.LDCEND))
THREAD_SWITCHES = frozenset((Signal.THRSW, Signal.LTHRSW))


class Condition(IntEnum):
    """When a half writes, lane by lane: Z is zero, N negative, C carry."""

    NEVER = 0
    ALWAYS = 1
    Z = 2
    NZ = 3
    N = 4
    NN = 5
    C = 6
    CC = 7


class BranchCondition(IntEnum):
    """When a branch is taken, by the flags of all 16 lanes."""

    ALLZ = 0
    ALLNZ = 1
    ANYZ = 2
    ANYNZ = 3
    ALLN = 4
    ALLNN = 5
    ANYN = 6
    ANYNN = 7
    ALLC = 8
    ALLNC = 9
    ANYC = 10
    ANYNC = 11
    ALWAYS = 15


class LoadMode(IntEnum):
    """What the immediate of a load is."""

    VALUE = 0
    SIGNED = 1
    UNSIGNED = 3
    SEMAPHORE = 4


# --- Small immediates -------------------------------------------------------------------------------------------------

ROTATE_BY_R5 = 48
_FLOAT = struct.Struct("<f")
_WORD = struct.Struct("<I")


def word_of_float(value: float) -> int:
    """The pattern of the nearest float; infinity if it is too large."""
    try:
        packed = _FLOAT.pack(value)
    except OverflowError:
        packed = _FLOAT.pack(float("inf") if value > 0 else float("-inf"))
    word: int = _WORD.unpack(packed)[0]
    return word


@cache
def small_immediate(code: int) -> int:
    """The word that a code reads as; codes of rotations read as -16 to -1, too."""
    if code < 32 or code >= ROTATE_BY_R5:
        return (code & 31 if code < 16 else code % 16 - 16) & 0xFFFFFFFF
    return word_of_float(2.0 ** (code - 32 if code < 40 else code - 48))


#: Word -> code.
SMALL_IMMEDIATES: Mapping[int, int] = {small_immediate(code): code for code in range(ROTATE_BY_R5)}

#: Neither half does anything.
NOP = formats.ALU_FORMAT.encode({})
