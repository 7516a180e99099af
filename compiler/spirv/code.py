"""A module as its instructions: what the readers of binaries and of texts yield, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.model import Entry
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.spirv.grammar import kind_at
from glslc_multi.compiler.spirv.grammar.enumerants import KINDS
from glslc_multi.compiler.spirv.grammar.model import Row

#: A number (an id, a literal, an enumerant) or a text.
Value = int | str


class Instruction:
    """One instruction; enumerants with parameters stand in `operands` before these."""

    __slots__ = ("line", "operands", "place", "result", "row", "type")

    def __init__(self, row: Row, type: int, result: int, operands: Sequence[Value], place: int) -> None:
        self.row = row
        #: Ids of type and result; 0 where there is none.
        self.type = type
        self.result = result
        self.operands = operands
        #: Number of its line in the text form.
        self.place = place
        #: The instruction that says which line of the source it comes from.
        self.line: Instruction | None = None

    @property
    def name(self) -> str:
        return self.row.name

    def ids(self, first: int = 0) -> list[int]:
        """The operands from number `first` on, where these are numbers."""
        return [value for value in self.operands[first:] if isinstance(value, int)]

    def id(self, index: int) -> int:
        """An operand that is a number; 0, which is no id, where it is missing."""
        value = self.operands[index] if index < len(self.operands) else 0
        return value if isinstance(value, int) else 0

    def text(self, index: int) -> str:
        """An operand that is a text."""
        value = self.operands[index] if index < len(self.operands) else ""
        return value if isinstance(value, str) else ""


class Invalid(Exception):
    """The module is refused: an entry of the catalogue, the instruction it is about, and the values of the message."""

    def __init__(self, entry: Entry, at: Instruction | int | None, **values: object) -> None:
        super().__init__(entry.code)
        self.entry = entry
        self.at = at
        self.values = values
        #: The place, where it is not that of an instruction of the module.
        self.span: Span | None = None


@dataclass(slots=True)
class Code:
    """All instructions of a module in order."""

    instructions: list[Instruction]
    bound: int
    version: tuple[int, int] = (1, 0)
    generator: int = 0
    #: Names that a text gives to ids.
    names: dict[int, str] = field(default_factory=dict)

    def spelled(self, id: int) -> str:
        """An id as the text has it."""
        return self.names.get(id, str(id))


def kinds_of(row: Row, operands: Sequence[Value]) -> Iterator[tuple[str, Value]]:
    """The kind of each operand, those of the parameters of enumerants included."""
    index, number = 0, 0
    while index < len(operands):
        kind = kind_at(row, number, operands)
        number += 1
        if kind in ("case", "pair"):
            first, second = ("case", "label") if kind == "case" else ("id", "literal")
            yield first, operands[index]
            yield second, operands[index + 1]
            index += 2
            continue
        value = operands[index]
        yield kind, value
        index += 1
        for parameter in parameters_of(kind, value):
            yield parameter, operands[index]
            index += 1


def parameters_of(kind: str, value: Value) -> tuple[str, ...]:
    """The kinds of what follows an enumerant."""
    found = KINDS.get(kind)
    if found is None or not isinstance(value, int):
        return ()
    if not found.is_mask:
        return found.parameters.get(value, ())
    return tuple(kind for bit, kinds in found.parameters.items() if value & bit for kind in kinds)
