"""The instruction set as data: the fields of a token, and one row an instruction.

From the rows come the encoder and decoder, what the assembler and disassembler read and print, the
arithmetic of the simulator, part of the validator's rules, and the page `docs/isa/agal.md` (`make docs`).

A token is 24 bytes: opcode, destination (32 bits), source 1 and source 2 or sampler (64 bits each), here one
integer of 192 bits, its first byte lowest.  A row's `compute` is its meaning over the arithmetic protocol of
`compiler/arithmetic/protocol.py`: sources are four components after the swizzle (a matrix: its rows), and so is the
result, before the write mask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from glslc_multi.compiler.arithmetic.protocol import Arithmetic, Number
from glslc_multi.compiler.isa.fields import Encoding, EncodingTable, Field, Format
from glslc_multi.compiler.records import dataclass

Vector = tuple[Number, ...]
Compute = Callable[..., Vector]

# --- Fields -----------------------------------------------------------------------------------------------------------

DESTINATION = Format(
    "destination",
    32,
    (
        Field("number", 0, 16),
        Field("mask", 16, 4, doc="components to write, x lowest"),
        Field("type", 24, 4, doc="register type"),
    ),
)
SOURCE = Format(
    "source",
    64,
    (
        Field("number", 0, 16, doc="number of the register; indirect: of the index register"),
        Field("offset", 16, 8, doc="indirect: added to the index"),
        Field("swizzle", 24, 8, doc="component of each slot, x lowest"),
        Field("type", 32, 4, doc="register type; indirect: 1"),
        Field("index_type", 40, 4, doc="indirect: type of the index register"),
        Field("index_component", 48, 2, doc="indirect: its component"),
        Field("indirect", 63, 1, doc="reads constant[int(index) + offset]"),
    ),
)
SAMPLER = Format(
    "sampler",
    64,
    (
        Field("number", 0, 16),
        Field("bias", 16, 8, signed=True, doc="level of detail bias in eighths"),
        Field("type", 32, 4, default=5, doc="register type: 5"),
        Field("format", 40, 4, doc="0 rgba, 1 compressed, 2 compressed with alpha, 3 video"),
        Field("dimension", 44, 4, doc="0 2d, 1 cube, 2 3d"),
        Field("special", 48, 4, doc="1 centroid, 2 single, 4 ignoresampler, added up"),
        Field("wrap", 52, 4, doc="0 clamp, 1 repeat, 2 clamp u and repeat v, 3 repeat u and clamp v"),
        Field("mip", 56, 4, doc="0 none, 1 nearest, 2 linear"),
        Field("filter", 60, 4, doc="0 nearest, 1 linear, 2 to 5 anisotropic 2x to 16x"),
    ),
)

OPCODE = Field("opcode", 0, 32)
#: Part of a token -> its lowest bit.
DESTINATION_LOW, FIRST_LOW, SECOND_LOW = 32, 64, 128
TOKEN_SIZE = 192

Shape = Literal["D a b", "D a", "D a s", "a", "a b", ""]
#: Operands of a shape: D destination, a and b sources, s sampler.
PARTS: Mapping[str, tuple[Format, int]] = {
    "D": (DESTINATION, DESTINATION_LOW),
    "a": (SOURCE, FIRST_LOW),
    "b": (SOURCE, SECOND_LOW),
    "s": (SAMPLER, SECOND_LOW),
}


def _token_format(shape: Shape) -> Format:
    """The format of a token with these operands; the fields of an operand begin with its letter."""
    fields = [OPCODE]
    for letter in shape.split():
        part, low = PARTS[letter]
        fields += [
            Field(f"{letter}.{inner.name}", low + inner.low, inner.width, inner.signed, inner.default)
            for inner in part.fields
        ]
    return Format(shape or "none", TOKEN_SIZE, tuple(fields))


SHAPES: tuple[Shape, ...] = ("D a b", "D a", "D a s", "a", "a b", "")
FORMATS: Mapping[Shape, Format] = {shape: _token_format(shape) for shape in SHAPES}

# --- Meanings ---------------------------------------------------------------------------------------------------------


def _each(operation: Callable[..., Number]) -> Compute:
    """Component by component."""
    return lambda a, *sources: tuple(operation(a, *components) for components in zip(*sources, strict=True))


def _dot(a: Arithmetic, x: Sequence[Number], y: Sequence[Number]) -> Number:
    """The sum of products, from the left."""
    total, *products = (a.fmul(left, right) for left, right in zip(x, y, strict=True))
    for product in products:
        total = a.fadd(total, product)
    return total


def _dot_everywhere(width: int) -> Compute:
    """One dot product for all components."""
    return lambda a, x, y: (_dot(a, x[:width], y[:width]),) * 4


def _matrix(width: int) -> Compute:
    """The dot products with each row; w is 0 where there is no fourth (it cannot be written)."""

    def multiply(a: Arithmetic, x: Vector, rows: Sequence[Vector]) -> Vector:
        products = tuple(_dot(a, x[:width], row[:width]) for row in rows)
        return products + (a.fconst(0.0),) * (4 - len(rows))

    return multiply


def _normalize(a: Arithmetic, x: Vector) -> Vector:
    length = a.fsqrt(_dot(a, x[:3], x[:3]))
    return (*(a.fdiv(component, length) for component in x[:3]), a.fconst(0.0))


def _cross(a: Arithmetic, x: Vector, y: Vector) -> Vector:
    pairs = ((1, 2), (2, 0), (0, 1))
    return (*(a.fsub(a.fmul(x[i], y[j]), a.fmul(x[j], y[i])) for i, j in pairs), a.fconst(0.0))


def _min(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.flt(y, x), y, x)


def _max(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.flt(x, y), y, x)


def _one_if(a: Arithmetic, condition: Number) -> Number:
    return a.select(condition, a.fconst(1.0), a.fconst(0.0))


def _sign(a: Arithmetic, x: Number) -> Number:
    negative = a.select(a.flt(x, a.fconst(0.0)), a.fconst(-1.0), a.fconst(0.0))
    return a.select(a.flt(a.fconst(0.0), x), a.fconst(1.0), negative)


# --- Instructions -----------------------------------------------------------------------------------------------------

#: What the simulator and the validator do with an instruction beside its arithmetic.
Role = Literal["compute", "texture", "kill", "derivative", "if", "else", "end"]


@dataclass(frozen=True)
class Instruction:
    """One row: an instruction and all that is particular to it."""

    name: str
    code: int
    shape: Shape
    meaning: str
    compute: Compute | None = None
    role: Role = "compute"
    #: First version that has it.
    version: int = 1
    fragment_only: bool = False
    #: Registers that the second operand names, one after the other.
    rows: int = 1
    #: The write mask must be xyz.
    only_xyz: bool = False
    #: Neighbour that `derivative` subtracts from: axis of a quad's 2x2 lanes (0 vertical, 1 horizontal).
    axis: int = 0
    #: `if` enters its block where this holds for the two sources.
    relation: Callable[[Arithmetic, Number, Number], Number] | None = None
    #: False: text and bytes name it, no runtime executes it.
    executable: bool = True

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The letters of its shape."""
        return tuple(self.shape.split())

    @property
    def source_count(self) -> int:
        """Number of operands that are sources and no sampler."""
        return sum(letter in "ab" for letter in self.operands)


_IF: Role = "if"

INSTRUCTIONS = (
    Instruction("mov", 0x00, "D a", "a", _each(lambda a, x: x)),
    Instruction("add", 0x01, "D a b", "a + b", _each(lambda a, x, y: a.fadd(x, y))),
    Instruction("sub", 0x02, "D a b", "a - b", _each(lambda a, x, y: a.fsub(x, y))),
    Instruction("mul", 0x03, "D a b", "a * b", _each(lambda a, x, y: a.fmul(x, y))),
    Instruction("div", 0x04, "D a b", "a / b", _each(lambda a, x, y: a.fdiv(x, y))),
    Instruction("rcp", 0x05, "D a", "1 / a", _each(lambda a, x: a.fdiv(a.fconst(1.0), x))),
    Instruction("min", 0x06, "D a b", "the smaller of a and b", _each(_min)),
    Instruction("max", 0x07, "D a b", "the larger of a and b", _each(_max)),
    Instruction("frc", 0x08, "D a", "a - floor(a)", _each(lambda a, x: a.fsub(x, a.ffloor(x)))),
    Instruction("sqt", 0x09, "D a", "square root of a", _each(lambda a, x: a.fsqrt(x))),
    Instruction("rsq", 0x0A, "D a", "1 / square root of a", _each(lambda a, x: a.fdiv(a.fconst(1.0), a.fsqrt(x)))),
    Instruction("pow", 0x0B, "D a b", "a to the power b", _each(lambda a, x, y: a.elementary("pow", x, y))),
    Instruction("log", 0x0C, "D a", "logarithm of a to the base 2", _each(lambda a, x: a.elementary("log2", x))),
    Instruction("exp", 0x0D, "D a", "2 to the power a", _each(lambda a, x: a.elementary("exp2", x))),
    Instruction("nrm", 0x0E, "D a", "a.xyz / length of a.xyz", _normalize, only_xyz=True),
    Instruction("sin", 0x0F, "D a", "sine of a in radians", _each(lambda a, x: a.elementary("sin", x))),
    Instruction("cos", 0x10, "D a", "cosine of a in radians", _each(lambda a, x: a.elementary("cos", x))),
    Instruction("crs", 0x11, "D a b", "cross product of a.xyz and b.xyz", _cross, only_xyz=True),
    Instruction("dp3", 0x12, "D a b", "dot product of a.xyz and b.xyz, in every component", _dot_everywhere(3)),
    Instruction("dp4", 0x13, "D a b", "dot product of a and b, in every component", _dot_everywhere(4)),
    Instruction("abs", 0x14, "D a", "a without its sign", _each(lambda a, x: a.fabs(x))),
    Instruction("neg", 0x15, "D a", "-a", _each(lambda a, x: a.fneg(x))),
    Instruction(
        "sat", 0x16, "D a", "a limited to 0...1", _each(lambda a, x: _min(a, _max(a, x, a.fconst(0.0)), a.fconst(1.0)))
    ),
    Instruction("m33", 0x17, "D a b", "dot products of a.xyz with b, b+1, b+2", _matrix(3), rows=3, only_xyz=True),
    Instruction("m44", 0x18, "D a b", "dot products of a with b, b+1, b+2, b+3", _matrix(4), rows=4),
    Instruction("m34", 0x19, "D a b", "dot products of a with b, b+1, b+2", _matrix(4), rows=3, only_xyz=True),
    Instruction(
        "ddx", 0x1A, "D a", "derivative of a along x", role="derivative", version=2, fragment_only=True, axis=1
    ),
    Instruction(
        "ddy", 0x1B, "D a", "derivative of a along y", role="derivative", version=2, fragment_only=True, axis=0
    ),
    Instruction(
        "ife", 0x1C, "a b", "enter the block if a = b", role=_IF, version=2, relation=lambda a, x, y: a.feq(x, y)
    ),
    Instruction(
        "ine",
        0x1D,
        "a b",
        "enter the block if a differs from b",
        role=_IF,
        version=2,
        relation=lambda a, x, y: a.bnot(a.feq(x, y)),
    ),
    Instruction(
        "ifg", 0x1E, "a b", "enter the block if a > b", role=_IF, version=2, relation=lambda a, x, y: a.flt(y, x)
    ),
    Instruction(
        "ifl", 0x1F, "a b", "enter the block if a < b", role=_IF, version=2, relation=lambda a, x, y: a.flt(x, y)
    ),
    Instruction("els", 0x20, "", "the other block of the condition", role="else", version=2),
    Instruction("eif", 0x21, "", "end of the condition", role="end", version=2),
    Instruction("kil", 0x27, "a", "discard the pixel if a < 0", role="kill", fragment_only=True),
    Instruction("tex", 0x28, "D a s", "colour of the texture s at a", role="texture", fragment_only=True),
    Instruction("sge", 0x29, "D a b", "1 if a >= b, else 0", _each(lambda a, x, y: _one_if(a, a.fle(y, x)))),
    Instruction("slt", 0x2A, "D a b", "1 if a < b, else 0", _each(lambda a, x, y: _one_if(a, a.flt(x, y)))),
    Instruction("sgn", 0x2B, "D a", "sign of a; no runtime has it", _each(_sign), executable=False),
    Instruction("seq", 0x2C, "D a b", "1 if a = b, else 0", _each(lambda a, x, y: _one_if(a, a.feq(x, y)))),
    Instruction(
        "sne", 0x2D, "D a b", "1 if a differs from b, else 0", _each(lambda a, x, y: _one_if(a, a.bnot(a.feq(x, y))))
    ),
)
#: Codes above are out of range; unused ones up to here are "not implemented".
LAST_CODE = 0x2D

BY_NAME: Mapping[str, Instruction] = {row.name: row for row in INSTRUCTIONS}
ENCODINGS = EncodingTable(Encoding(row.name, FORMATS[row.shape], {"opcode": row.code}) for row in INSTRUCTIONS)


#: Where the bits of an operand are: its lowest one, and as many ones.
_BITS = {letter: (low, (1 << part.size) - 1) for letter, (part, low) in PARTS.items()}


def part_of(word: int, letter: str) -> int:
    """The bits of a token where this operand of a shape stands."""
    low, ones = _BITS[letter]
    return word >> low & ones


def find(word: int) -> Instruction | None:
    """The instruction that a token is, whatever its operands hold."""
    encoding = ENCODINGS.find(word)
    return None if encoding is None else BY_NAME[encoding.name]
