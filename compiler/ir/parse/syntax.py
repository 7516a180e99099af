"""What the lines of the text form say, before names are resolved.

`grammar.py` makes these records from one line of text each, `parse.py` makes a module of them.
Every word keeps its place in the line, so that messages can point at it.
"""

from __future__ import annotations

from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of the line: `start` and `end` are offsets into it."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Range:
    """`at "file" 3:5-3:9`."""

    file: Word
    numbers: list[Word]


@dataclass(frozen=True, slots=True)
class OriginLink:
    """`inlined "f" at "file" 3:5-3:9`."""

    kind: Word
    name: Word
    range: Range


@dataclass(frozen=True, slots=True)
class Place:
    """A span with its chain of origins, innermost first."""

    range: Range
    origins: list[OriginLink]


# ----------------------------------------------------------------------------------- operands
@dataclass(frozen=True, slots=True)
class ValueUse:
    """`%4`"""

    word: Word


@dataclass(frozen=True, slots=True)
class Literal:
    """`1.0` (no type) or `vec3(1.0, undef, 2.0)`."""

    type: Word | None
    components: list[Word]
    end: int

    @property
    def word(self) -> Word:
        """The whole literal's place, under its first word."""
        first = self.type or self.components[0]
        return Word(first.text, first.start, self.end)


@dataclass(frozen=True, slots=True)
class BlockUse:
    """`^then`"""

    word: Word


@dataclass(frozen=True, slots=True)
class Incoming:
    """`[%1, ^then]`"""

    value: ValueUse | Literal
    block: Word


@dataclass(frozen=True, slots=True)
class Index:
    """`[3]`, `[%7 + 1]` or `[(2) - 1]`: a number, or an operand with a signed number."""

    operand: ValueUse | Literal | None
    sign: Word | None
    number: Word | None


@dataclass(frozen=True, slots=True)
class SymbolUse:
    """`@name[index].column`; also the name of a callee."""

    word: Word
    index: Index | None
    column: Word | ValueUse | Literal | None


Operand = ValueUse | Literal | BlockUse | Incoming | SymbolUse


# -------------------------------------------------------------------------------------- lines
@dataclass(frozen=True, slots=True)
class ShaderLine:
    stage: Word
    name: Word | None


@dataclass(frozen=True, slots=True)
class PragmaLine:
    text: Word


@dataclass(frozen=True, slots=True)
class Property:
    """`highp` or `location(3)`."""

    name: Word
    argument: Word | None


@dataclass(frozen=True, slots=True)
class VariableLine:
    storage: Word
    name: Word
    type: Word
    dims: list[Word]
    properties: list[Property]
    place: Place | None


@dataclass(frozen=True, slots=True)
class FunctionLine:
    name: Word
    place: Place | None


@dataclass(frozen=True, slots=True)
class BlockLine:
    name: Word


@dataclass(frozen=True, slots=True)
class CloseLine:
    brace: Word


@dataclass(frozen=True, slots=True)
class InstructionLine:
    result: Word | None
    type: Word | None
    opcode: Word
    suffix: Word | None
    flags: list[Word]
    operands: list[Operand]
    place: Place | None


Line = ShaderLine | PragmaLine | VariableLine | FunctionLine | BlockLine | CloseLine | InstructionLine
