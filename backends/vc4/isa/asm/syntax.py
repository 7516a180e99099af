"""What the lines of assembly text say, before names are resolved: the records that `grammar.py` makes."""

from __future__ import annotations

from compiler.isa.assembly import Place, Word
from compiler.records import dataclass

# --- Operands ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parenthesised:
    """`(1 + x)`"""

    opening: Word
    expression: Expression


@dataclass(frozen=True, slots=True)
class Term:
    """`-~x`: a name or number, or an expression in parentheses, after its signs."""

    signs: list[Word]
    value: Word | Parenthesised

    @property
    def first(self) -> Word:
        """The first piece."""
        if self.signs:
            return self.signs[0]
        return self.value.opening if isinstance(self.value, Parenthesised) else self.value


@dataclass(frozen=True, slots=True)
class Expression:
    """`1 << 4 + x`; a register with its rotation looks like one, too."""

    first: Term
    rest: list[tuple[Word, Term]]

    @property
    def place(self) -> Place:
        return self.first.first.span()

    @property
    def name(self) -> Word | None:
        """The name that it begins with."""
        value = self.first.value
        if self.first.signs or isinstance(value, Parenthesised):
            return None
        return value if value["name"] is not None else None


@dataclass(frozen=True, slots=True)
class Dash:
    """`-`: no register."""

    word: Word

    @property
    def place(self) -> Place:
        return self.word.span()


@dataclass(frozen=True, slots=True)
class LabelUse:
    """`:name` or `r:name`"""

    word: Word

    @property
    def place(self) -> Place:
        return self.word.span()


@dataclass(frozen=True, slots=True)
class Lanes:
    """`[0, 1, -2, ...]`"""

    opening: Word
    values: list[Expression]

    @property
    def place(self) -> Place:
        return self.opening.span()


Operand = Expression | Dash | LabelUse | Lanes

# --- Lines ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """`fadd.setf r0, r1, ra2`, one of the parts that semicolons divide."""

    head: Word
    operands: list[Operand]
    commas: list[Word]
    #: An empty word before the semicolon or the end of the line.
    end: Word


@dataclass(frozen=True, slots=True)
class Instruction:
    """`fadd r0, r1, r2; fmul r1, r2, r3`; parts may be empty."""

    parts: list[Part | None]
    semicolons: list[Word]

    @property
    def start(self) -> Word | None:
        """The first piece; None where there is nothing."""
        first = self.parts[0]
        if first is not None:
            return first.head
        return self.semicolons[0] if self.semicolons else None


@dataclass(frozen=True, slots=True)
class Directive:
    """`.set two, 1.0 + 1.0`; the operands are those of the directive's rule."""

    name: Word
    operands: tuple[Word | Expression, ...]


@dataclass(frozen=True, slots=True)
class Line:
    labels: list[Word]
    statement: Instruction | Directive
