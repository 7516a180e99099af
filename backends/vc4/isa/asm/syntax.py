"""What the lines of assembly text say, before names are resolved: the records that `grammar.py` makes."""

from __future__ import annotations

from typing import NamedTuple

from glslc_multi.compiler.isa.mistakes import Word

_Columns = tuple[int, int]

# --- Operands ---------------------------------------------------------------------------------------------------------


class Parenthesised(NamedTuple):
    """`(1 + x)`"""

    opening: Word
    expression: Expression


class Term(NamedTuple):
    """`-~x`: a name or number, or an expression in parentheses, after its signs."""

    signs: list[Word]
    value: Word | Parenthesised

    @property
    def start(self) -> int:
        """Where it begins."""
        value = self.value.opening if isinstance(self.value, Parenthesised) else self.value
        return (self.signs or [value])[0].start()


class Expression(NamedTuple):
    """`1 << 4 + x`; a register with its rotation looks like one, too."""

    first: Term
    rest: list[tuple[Word, Term]]
    place: _Columns

    @property
    def name(self) -> Word | None:
        """The name that it begins with."""
        value = self.first.value
        if self.first.signs or isinstance(value, Parenthesised):
            return None
        return value if value["name"] is not None else None

    @property
    def sole_name(self) -> str:
        """The name that it is; none for anything else."""
        return "" if self.name is None or self.rest else self.name[0]


class Dash(NamedTuple):
    """`-`: no register."""

    word: Word
    place: _Columns


class LabelUse(NamedTuple):
    """`:name` or `r:name`"""

    word: Word
    place: _Columns


class Lanes(NamedTuple):
    """`[0, 1, -2, ...]`"""

    values: list[Expression]
    place: _Columns


Operand = Expression | Dash | LabelUse | Lanes

# --- Lines ------------------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """`fadd.setf r0, r1, ra2`, one of the parts that semicolons divide."""

    head: Word
    operands: list[Operand]


class Instruction(NamedTuple):
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


class Directive(NamedTuple):
    """`.set two, 1.0 + 1.0`; the operands are those of the directive's rule."""

    name: Word
    operands: tuple[Word | Expression, ...]


class Line(NamedTuple):
    labels: list[Word]
    statement: Instruction | Directive
