"""Reads and writes the text form, that of spirv-as and spirv-dis."""

from __future__ import annotations

import re
from collections.abc import Iterator

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.spirv.code import Code, Instruction, Invalid, Value, kinds_of, parameters_of
from glslc_multi.compiler.spirv.grammar import BY_NAME, BY_NUMBER, kind_at
from glslc_multi.compiler.spirv.grammar.enumerants import KINDS
from glslc_multi.compiler.spirv.grammar.model import Row
from glslc_multi.compiler.spirv.grammar.refused import REASONS
from glslc_multi.compiler.spirv.grammar.standard import NAMES, NUMBERS
from glslc_multi.compiler.spirv.numbers import read_float, read_integer, signed, spell_float

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[^\s;"]+')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


# ----------------------------------------------------------------------------------------- reading
def read_text(text: str) -> Code:
    """The instructions of a text; raises `Invalid`."""
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), start=1):
        words = _TOKEN.findall(_without_comment(line))
        if words:
            reader.read_line(words, number)
    names = {id: name for name, id in reader.ids.items()}
    return Code(reader.instructions, len(names) + 1, names=names)


def _without_comment(line: str) -> str:
    """The line up to a semicolon that stands in no text."""
    if ";" not in line:
        return line
    for match in re.finditer(r'"(?:\\.|[^"\\])*"|;', line):
        if match[0] == ";":
            return line[: match.start()]
    return line


class _Reader:
    """The instructions so far, the numbers of ids, and the types that numbers are spelled by."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self.ids: dict[str, int] = {}
        #: Type id -> whether it is of floats; id of a value -> that of its type.
        self._is_float: dict[int, bool] = {}
        self._types: dict[int, int] = {}
        self._words: Iterator[str] = iter(())
        self._line = 0

    def read_line(self, words: list[str], line: int) -> None:
        result, self._line = 0, line
        if len(words) > 1 and words[1] == "=":
            result, words = self._id(words[0]), words[2:]
        if not words:
            raise self._expected("an instruction", "the end of the line")
        row = self._row(words[0])
        if row.has_result != (result != 0):
            raise self._malformed(row, "it yields a result" if row.has_result else "it yields no result")
        self._words = iter(words[1:])
        type_ = self._id(self._next("a type")) if row.has_type else 0
        operands = self._operands(row, type_)
        if row.name in ("OpTypeInt", "OpTypeFloat"):
            self._is_float[result] = row.name == "OpTypeFloat"
        if result and type_:
            self._types[result] = type_
        self.instructions.append(Instruction(row, type_, result, operands, line))

    def _row(self, name: str) -> Row:
        row = BY_NAME.get(name)
        if row is None and name in REASONS:
            raise Invalid(messages.NOT_SUPPORTED, self._line, name=name, what=REASONS[name])
        if row is None:
            raise self._unknown(name, "instruction", BY_NAME)
        return row

    def _operands(self, row: Row, type_: int) -> list[Value]:
        values: list[Value] = []
        number = 0
        while (word := next(self._words, None)) is not None:
            if number >= len(row.kinds) and not row.repeats:
                raise self._expected("the end of the line", f"'{word}'")
            self._take(row, kind_at(row, number, values), word, type_, values)
            number += 1
        if number < row.least:
            raise self._malformed(row, "operands are missing")
        return values

    def _take(self, row: Row, kind: str, word: str, type_: int, values: list[Value]) -> None:
        if kind == "case":
            selector = self._types.get(values[0] if isinstance(values[0], int) else 0, 0)
            values += (self._number(word, selector), self._id(self._next("a label")))
        elif kind == "pair":
            values += (self._id(word), self._literal(self._next("a number")))
        else:
            value = self._value(kind, word, type_)
            values.append(value)
            for parameter in parameters_of(kind, value):
                self._take(row, parameter, self._next("a parameter"), type_, values)

    def _value(self, kind: str, word: str, type_: int) -> Value:
        if kind in ("id", "label"):
            return self._id(word)
        if kind == "string":
            if not word.startswith('"'):
                raise self._expected("a text in quotes", f"'{word}'")
            return _ESCAPE.sub(r"\1", word[1:-1])
        if kind == "number":
            return self._number(word, type_)
        if kind == "instruction":
            return NUMBERS.get(word) or self._literal(word)
        if kind == "opcode":
            return self._row(f"Op{word}").number
        return self._enumerant(kind, word) if kind in KINDS else self._literal(word)

    def _enumerant(self, kind: str, word: str) -> int:
        kind_ = KINDS[kind]
        if kind_.is_mask:
            parts = [] if word == "None" else word.split("|")
            return sum({self._enumerant_part(kind, part) for part in parts})
        return self._enumerant_part(kind, word)

    def _enumerant_part(self, kind: str, word: str) -> int:
        numbers = KINDS[kind].numbers
        if word not in numbers:
            number = read_integer(word)
            if number is None:
                raise self._unknown(word, kind, numbers)
            return number
        return numbers[word]

    def _number(self, word: str, type_: int) -> int:
        value = read_float(word) if self._is_float.get(type_) else read_integer(word)
        if value is None:
            raise self._expected("a number of the constant's type, of 32 bits", f"'{word}'")
        return value

    def _literal(self, word: str) -> int:
        value = read_integer(word)
        if value is None:
            raise self._expected("a whole number", f"'{word}'")
        return value

    def _id(self, word: str) -> int:
        if not re.fullmatch(r"%\w+", word):
            raise self._expected("an id", f"'{word}'")
        return self.ids.setdefault(word[1:], len(self.ids) + 1)

    def _next(self, expected: str) -> str:
        word = next(self._words, None)
        if word is None:
            raise self._expected(expected, "the end of the line")
        return word

    def _expected(self, expected: str, found: str) -> Invalid:
        return Invalid(messages.TEXT_SYNTAX, self._line, expected=expected, found=found)

    def _malformed(self, row: Row, what: str) -> Invalid:
        return Invalid(messages.MALFORMED_INSTRUCTION, self._line, name=row.name, what=what)

    def _unknown(self, word: str, kind: str, known: dict[str, Row] | dict[str, int]) -> Invalid:
        help_ = did_you_mean(word, known)
        return Invalid(messages.UNKNOWN_WORD, self._line, word=word, kind=kind, **({"help": help_} if help_ else {}))


# ----------------------------------------------------------------------------------------- writing
def print_code(code: Code) -> str:
    """The text form, as spirv-dis writes it with --raw-id and --no-indent."""
    tool, release = code.generator >> 16, code.generator & 0xFFFF
    lines = [
        "; SPIR-V",
        f"; Version: {code.version[0]}.{code.version[1]}",
        f"; Generator: {tool}; {release}",
        f"; Bound: {code.bound}",
        "; Schema: 0",
    ]
    printer = _Printer(code)
    lines += [printer.line(instruction) for instruction in code.instructions]
    return "\n".join(lines) + "\n"


class _Printer:
    """Spells instructions; numbers by their types, which come before them."""

    def __init__(self, code: Code) -> None:
        self._code = code
        #: Type -> how its numbers are spelled.
        self._spellings: dict[int, str] = {}
        self._types: dict[int, int] = {}

    def line(self, instruction: Instruction) -> str:
        name, result = instruction.name, instruction.result
        if name == "OpTypeFloat":
            self._spellings[result] = "float"
        elif name == "OpTypeInt":
            self._spellings[result] = "signed" if instruction.id(1) else "unsigned"
        self._types[result] = instruction.type
        words = [f"%{self._code.spelled(result)} ="] if result else []
        words.append(name)
        if instruction.type:
            words.append(f"%{self._code.spelled(instruction.type)}")
        words += self._operands(instruction)
        return " ".join(words)

    def _operands(self, instruction: Instruction) -> Iterator[str]:
        if "number" in instruction.row.kinds:
            yield self._number(instruction.ids(), instruction.type)
            return
        selector = self._types.get(instruction.id(0), 0)
        for kind, value in kinds_of(instruction.row, instruction.operands):
            yield self._word(kind, value, selector)

    def _word(self, kind: str, value: Value, selector: int) -> str:
        if isinstance(value, str):
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        if kind in ("id", "label"):
            return f"%{self._code.spelled(value)}"
        if kind == "case":
            return self._number([value], selector)
        if kind == "instruction":
            return NAMES.get(value, str(value))
        if kind == "opcode":
            return BY_NUMBER[value].name.removeprefix("Op") if value in BY_NUMBER else str(value)
        return _spelled_enumerant(kind, value) if kind in KINDS else str(value)

    def _number(self, words: list[int], type_: int) -> str:
        spelling = self._spellings.get(type_, "unsigned")
        if len(words) != 1:
            return " ".join(map(str, words))
        word = words[0]
        return spell_float(word) if spelling == "float" else str(signed(word) if spelling == "signed" else word)


def _spelled_enumerant(kind: str, value: int) -> str:
    kind_ = KINDS[kind]
    if not kind_.is_mask:
        return kind_.names.get(value, str(value))
    parts = [kind_.names.get(1 << bit, str(1 << bit)) for bit in range(32) if value >> bit & 1]
    return "|".join(parts) or "None"
