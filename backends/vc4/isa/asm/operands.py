"""Operands of a line: mnemonics with their suffixes, destinations and sources, with names resolved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from backends.vc4.isa.asm.expressions import Symbols, integer_of, word_of
from backends.vc4.isa.asm.syntax import Dash, Expression, Operand
from backends.vc4.isa.instructions import LANES, ROTATE_BY_R5
from backends.vc4.isa.registers import READ_ADDRESSES, WRITE_ADDRESSES
from backends.vc4.isa.text.operands import (
    ACCUMULATORS,
    BRANCHES,
    Destination,
    Head,
    Source,
    destination_named,
    not_encodable,
    source_named,
    unpacked,
)
from backends.vc4.isa.text.suffixes import BRANCH_CONDITIONS, SET_FLAGS, Mode, condition_of, mode_of
from compiler.diagnostics.catalogue.machine import VC4_UNKNOWN_NAME
from compiler.isa.assembly import Line, Mistake, Word, unknown

_HEAD_SUFFIXES = (*SET_FLAGS, "ifz", "ifnz", *BRANCH_CONDITIONS)
_DESTINATION_SUFFIXES = (*SET_FLAGS, "ifz", "ifnz", "8abcd")


def unknown_name(kind: str, name: str, word: Word, known: Iterable[str] = ()) -> Mistake:
    return unknown(VC4_UNKNOWN_NAME, word, name, known, kind=kind)


# --- Mnemonics --------------------------------------------------------------------------------------------------------


def head_of(word: Word) -> Head:
    """A mnemonic and its suffixes."""
    name, *suffixes = word[0].split(".")
    head = Head(name, place=word.span())
    for suffix in suffixes:
        _add_head_suffix(head, suffix, word)
    return head


def _add_head_suffix(head: Head, suffix: str, word: Word) -> None:
    if head.name in BRANCHES and suffix in BRANCH_CONDITIONS:
        head.condition = BRANCH_CONDITIONS[suffix]
        return
    condition = None if head.name in BRANCHES else condition_of(suffix, if_only=True)
    if suffix in SET_FLAGS:
        head.sets_flags = True
    elif condition is not None:
        head.condition = condition
    elif suffix.startswith("unpack") and (mode := mode_of(suffix[6:])) and mode.unpack is not None:
        head.unpack = mode
    elif suffix.startswith("pack") and suffix != "pack32si" and (mode := mode_of(suffix[4:])) is not None:
        head.pack = _pack_mode(mode, word)
    else:
        raise unknown_name("suffix", suffix, word, _HEAD_SUFFIXES)


def _pack_mode(mode: Mode, word: Word) -> Mode:
    if mode.file_pack is None and mode.mul_pack is None:
        raise unknown_name("pack mode", mode.text, word)
    return mode


# --- Registers --------------------------------------------------------------------------------------------------------


class OperandReader:
    """Operands with the names that `.set` has defined."""

    def __init__(self, line: Line, symbols: Symbols, aliases: Mapping[str, str]) -> None:
        self._line = line
        self._symbols = symbols
        self._aliases = aliases

    def base_name(self, operand: Operand) -> str:
        """The name of a register without suffixes, `.set` names resolved; none for what does not begin with a name."""
        word = operand.name if isinstance(operand, Expression) else None
        if word is None:
            return ""
        name: str = word[0].partition(".")[0]
        return self._aliases.get(name, name)

    def is_destination(self, operand: Operand) -> bool:
        """Whether it names a register that can be written."""
        return self.base_name(operand) in WRITE_ADDRESSES

    def is_source(self, operand: Operand) -> bool:
        """Whether it names a register that can be read."""
        name = self.base_name(operand)
        return name in READ_ADDRESSES or name in ACCUMULATORS

    def destination(self, operand: Operand) -> Destination:
        if isinstance(operand, Dash):
            return Destination(place=operand.place)
        word = operand.name if isinstance(operand, Expression) else None
        if word is None or not isinstance(operand, Expression):
            self.unexpected("a destination", operand)
        name = self.base_name(operand)
        if name not in WRITE_ADDRESSES:
            raise unknown_name("destination", name, word, WRITE_ADDRESSES)
        destination = destination_named(name, word.span())
        for suffix in word[0].split(".")[1:]:
            _add_destination_suffix(destination, suffix, word)
        destination.rotation = self._rotation(operand, is_source=False)
        return destination

    def source(self, operand: Operand) -> Source:
        if not isinstance(operand, Expression):
            self.unexpected("a number", operand)
        word = operand.name
        if word is None:
            return self._constant(operand)
        source = source_named(self.base_name(operand), word[0], word.span())
        if source is None:
            return self._constant(operand)
        for suffix in word[0].split(".")[1:]:
            mode = mode_of(suffix)
            if mode is None or mode.unpack is None:
                raise unknown_name("unpack mode", suffix, word)
            unpacked(source, mode)
        source.rotation = self._rotation(operand, is_source=True)
        return source

    def _constant(self, operand: Expression) -> Source:
        word = operand.name
        if word is not None and word[0] not in self._symbols:
            raise unknown_name("register or constant", word[0], word, (*READ_ADDRESSES, *ACCUMULATORS))
        value = word_of(operand, self._symbols)
        name = operand.first.first[0] if word is None else f"0x{value:x}"
        return Source(name, constant=value, place=operand.place)

    def _rotation(self, operand: Expression, is_source: bool) -> int:
        """The code of `<< n` or `>> n` after a register; 0 if there is none."""
        if not operand.rest:
            return 0
        mark, first = operand.rest[0]
        if mark[0] not in ("<<", ">>"):
            raise self._line.unexpected("',', ';' or the end of the line", mark.start())
        amount = Expression(first, operand.rest[1:])
        if amount.name is not None and amount.name[0] == "r5" and not amount.rest:
            if not is_source or mark[0] == ">>":
                raise not_encodable("a rotation by r5 is written 'source << r5'", mark)
            return ROTATE_BY_R5
        lanes = integer_of(amount, self._symbols, "the rotation", 1, LANES - 1)
        # After a source the shift says where the lanes come from, after a destination where they go.
        goes_up = (mark[0] == "<<") != is_source
        return ROTATE_BY_R5 + (lanes if goes_up else LANES - lanes)

    def unexpected(self, expected: str, operand: Operand) -> NoReturn:
        start = operand.place[0] if isinstance(operand.place, tuple) else operand.place.start()
        raise self._line.unexpected(expected, start)


def _add_destination_suffix(destination: Destination, suffix: str, word: Word) -> None:
    condition = condition_of(suffix, if_only=False)
    mode = mode_of(suffix)
    if suffix in SET_FLAGS:
        destination.sets_flags = True
    elif condition is not None:
        destination.condition = condition
    elif mode is not None:
        destination.pack = _pack_mode(mode, word)
    else:
        raise unknown_name("suffix", suffix, word, _DESTINATION_SUFFIXES)
