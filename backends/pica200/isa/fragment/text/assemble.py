"""Text to register writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    SOURCES,
    STAGES,
    Selection,
)
from glslc_multi.backends.pica200.isa.fragment.encode import stage_words, table_writes
from glslc_multi.backends.pica200.isa.fragment.program import INERT, Bytes, Combiner, Operand, Stage, Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import STAGE_BASES
from glslc_multi.backends.pica200.isa.fragment.registers.layout import ALL_BYTES, WORD, Register
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES, Table
from glslc_multi.backends.pica200.isa.fragment.text import grammar
from glslc_multi.backends.pica200.isa.fragment.text.disassemble import DIRECTIVE
from glslc_multi.backends.pica200.isa.fragment.text.formulas import CALLS, COMPLEMENT, OPERATORS, PLACES, unused_operand
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.isa.assembly import Language, Line
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.isa.mistakes import (
    Mistake,
    Place,
    Reported,
    Word,
    not_encodable,
    operand_count,
    out_of_range,
    unexpected,
    unknown,
)
from glslc_multi.compiler.isa.names import Names
from glslc_multi.compiler.isa.numbers import in_range, integer
from glslc_multi.compiler.records import dataclass, field

LANGUAGE = Language("pica200", comment=re.compile(r";.*"))

_BYTE = (0, 255)
_LAST_REGISTER = 0xFFFF
_LAST_WORD = (1 << WORD) - 1
_SELECTIONS: Mapping[str, Mapping[str, Selection]] = {"rgb": COLOUR_SELECTIONS, "a": ALPHA_SELECTIONS}


def begins_registers(text: str) -> bool:
    """Whether the first line with more than a comment is the directive of this language."""
    first = next(LANGUAGE.lines(SourceFile("", text), DiagnosticSink()), None)
    return first is not None and first.text.split()[0] == DIRECTIVE


def assemble(text: str, filename: str, sink: DiagnosticSink) -> tuple[Write, ...]:
    """The writes of a text; mistakes are reported to `sink`, and then raised as `CompileError`."""
    reader = _Reader()
    for line in LANGUAGE.lines(SourceFile(filename, text), sink):
        reader.lost |= line.attempt(reader.read) is None
    reader.finish()
    sink.raise_if_errors()
    return tuple(reader.writes)


@dataclass(slots=True)
class _OpenStage:
    """A stage whose statements are being read."""

    line: Line
    place: Place
    number: int
    halves: dict[str, Combiner] = field(default_factory=dict)
    constant: Bytes = INERT.constant
    #: Statements may stand once.
    names: Names[None] = field(default_factory=lambda: Names("statement"))

    def close(self) -> Iterator[Write]:
        missing = [channel for channel in _SELECTIONS if channel not in self.halves]
        if missing:
            self.line.report(not_encodable(f"stage {self.number} has no formula for {missing[0]}", self.place))
            return
        words = stage_words(Stage(self.halves["rgb"], self.halves["a"], self.constant))
        yield from (Write(STAGE_BASES[self.number] + index, word) for index, word in enumerate(words))


@dataclass(slots=True)
class _OpenTable:
    """A table whose rows are being read."""

    line: Line
    place: Place
    table: Table
    entries: list[int] = field(default_factory=list)

    def close(self) -> Iterator[Write]:
        if len(self.entries) != self.table.size:
            text = f"table {self.table.name} has {self.table.size} entries, found {len(self.entries)}"
            self.line.report(not_encodable(text, self.place))
            return
        yield from table_writes(self.table, tuple(self.entries))


class _Reader:
    """Reads line by line; stages and tables end where something else begins."""

    def __init__(self) -> None:
        self.writes: list[Write] = []
        #: A line was not understood: what is missing later may have been in it.
        self.lost = False
        self._open: _OpenStage | _OpenTable | None = None

    def finish(self) -> None:
        """The end of the text."""
        if self._open is not None and not self.lost:
            self.writes += self._open.close()
        self._open = None

    def read(self, line: Line) -> bool:
        """One line; whoever gets no answer was told of a mistake."""
        match parse(line, grammar.line):
            case grammar.Stage(keyword, number, statement):
                self.finish()
                self._open = _OpenStage(
                    line, (keyword.start(), number.end()), in_range(number, "the number of a stage", 0, STAGES - 1)
                )
                if statement is not None:
                    self._add_statement(line, statement)
            case grammar.Combiner() | grammar.Constant() as statement:
                self._add_statement(line, statement)
            case grammar.Set() as found:
                self.finish()
                self.writes.append(_write(found))
            case grammar.Table(keyword, name):
                self.finish()
                if name[0] not in TABLES:
                    raise unknown("table", name, name[0], TABLES)
                self._open = _OpenTable(line, (keyword.start(), name.end()), TABLES[name[0]])
            case grammar.Row(entries):
                self._add_entries(entries)
            case grammar.Header():
                self.finish()
        return True

    def _misplaced(self, word: Word, what: str, example: str) -> Mistake | Reported:
        """Something stands where nothing is open that it belongs to."""
        if self.lost:
            return Reported()
        return unexpected(word, f"{what} first", f"'{word[0]}'", f"begin with '{example}'")

    def _add_statement(self, line: Line, statement: grammar.Combiner | grammar.Constant) -> None:
        name = statement.name
        if not isinstance(self._open, _OpenStage):
            raise self._misplaced(name, "a stage", "stage 0")
        self._open.names.claim(line, name[0], name)
        if isinstance(statement, grammar.Constant):
            self._open.constant = tuple(in_range(word, "a channel", *_BYTE) for word in statement.channels)
        else:
            channels = name[0]
            function, operands = _function(statement.scaled.formula)
            own_operands = [_operand(channels, operand) for operand in operands]
            rest = [_operand(channels, operand) for operand in statement.unused or ()]
            free = 3 - len(own_operands)
            if rest and len(rest) != free:
                raise operand_count(statement.name, f"{function} leaves {free} unused, which", free, len(rest))
            placed = dict(zip(PLACES[function], own_operands, strict=True))
            placed |= dict(zip(range(len(own_operands), 3), rest or [unused_operand(channels)] * free, strict=True))
            scale = statement.scaled.scale
            self._open.halves[name[0]] = Combiner(
                function, (placed[0], placed[1], placed[2]), 1 if scale is None else int(scale[0])
            )

    def _add_entries(self, entries: Sequence[Word]) -> None:
        if not isinstance(self._open, _OpenTable):
            raise self._misplaced(entries[0], "a table", "table fog")
        self._open.entries += [in_range(word, "an entry", 0, _LAST_WORD) for word in entries]


# --- Formulas ---------------------------------------------------------------------------------------------------------


def _function(formula: grammar.Formula) -> tuple[str, Sequence[grammar.Operand]]:
    """The function and its operands, as they stand in the text."""
    if isinstance(formula, grammar.Sum):
        operators = "".join(part[0] for part in formula.parts if isinstance(part, re.Match) and part[0] in "+-*")
        return OPERATORS[operators], [part for part in formula.parts if isinstance(part, grammar.Operand)]
    if isinstance(formula, grammar.SumTimes):
        return OPERATORS["+*"], formula.operands
    name = formula.function["name"]
    expected, found = FUNCTIONS[CALLS[name]].operands, len(formula.operands)
    if expected != found:
        raise operand_count(formula.place, name, expected, found)
    return CALLS[name], formula.operands


def _operand(channels: str, operand: grammar.Operand) -> Operand:
    source, selected = operand.plain["source"], operand.plain["channels"]
    if source not in SOURCES:
        raise unknown("source", operand.plain.span("source"), source, SOURCES)
    selection = selected if operand.complement is None else COMPLEMENT + selected
    if selection not in _SELECTIONS[channels]:
        spelled = [name for name in _SELECTIONS[channels] if not name.startswith(COMPLEMENT)]
        kind = f"selection of channels for {channels}"
        raise unknown(kind, operand.plain.span("channels"), selected, spelled)
    return Operand(source, selection)


# --- Registers --------------------------------------------------------------------------------------------------------


def _write(found: grammar.Set) -> Write:
    name = found.register["name"]
    text = found.register["bytes"]
    mask = ALL_BYTES if text is None else sum({1 << int(digit) for digit in text if digit != "-"})
    parts = found.parts
    if name[:2] in ("0x", "0X"):
        address = in_range(found.register, "the address of a register", 0, _LAST_REGISTER, "name")
        if "field" in parts[0].re.groupindex:
            raise unexpected(parts[0], "a number, since the register has no name", f"'{parts[0][0]}'")
        return Write(address, _word(parts[0]), mask)
    if name not in BY_NAME:
        raise unknown("register", found.register.span("name"), name, BY_NAME)
    register = BY_NAME[name]
    if "field" not in parts[0].re.groupindex:
        return Write(register.address, _word(parts[0]), mask)
    names: dict[str, int] = {}
    for part in parts:
        if part["field"] in names:
            raise unexpected(part, "each field once", f"'{part['field']}'")
        names[part["field"]] = _field(register, part)
    return Write(register.address, register.format.encode(names), mask)


def _word(number: Word) -> int:
    return in_range(number, "the value of a register", 0, _LAST_WORD)


_INTEGER = re.compile(r"-?(?:0[xX][0-9A-Fa-f]+|[0-9]+)")


def _field(register: Register, part: Word) -> int:
    """The value of a field: the name of a choice, a whole number, or a float."""
    name, text = part["field"], part["value"]
    if name not in register.format.by_name:
        raise unknown(f"field of {register.name}", part.span("field"), name, register.format.by_name)
    choices = register.layout.codes_by_name.get(name, {})
    if text in choices:
        return choices[text]
    if _INTEGER.fullmatch(text):
        value = integer(text)
        low, high = register.format.by_name[name].range
        if not low <= value <= high:
            raise out_of_range(part.span("value"), name, low, high, text)
        return value
    if name in register.layout.floats:
        if not _REAL.fullmatch(part["value"]):
            raise unexpected(part.span("value"), "a number", f"'{part['value']}'")
        return register.layout.floats[name].pattern_of(float(part["value"]))
    raise unknown(f"value of {name}", part.span("value"), text, choices)


_REAL = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
