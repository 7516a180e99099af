"""Operands of a line: mnemonics with their suffixes, destinations and sources, with names resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, NoReturn

from glslc_multi.backends.vc4.isa.asm.expressions import Symbols, integer_of, word_of
from glslc_multi.backends.vc4.isa.asm.syntax import Dash, Expression, Operand, Part
from glslc_multi.backends.vc4.isa.instructions import LANES, ROTATE_BY_R5
from glslc_multi.backends.vc4.isa.registers import READ_ADDRESSES, WRITE_ADDRESSES
from glslc_multi.backends.vc4.isa.text.operands import (
    ACCUMULATORS,
    BRANCHES,
    Destination,
    Head,
    Source,
    destination_named,
    source_named,
    unpacked,
)
from glslc_multi.backends.vc4.isa.text.suffixes import (
    OF_BRANCHES,
    OF_DESTINATIONS,
    OF_MNEMONICS,
    UNPACK_MODES,
    add_suffixes,
)
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.mistakes import Word, not_encodable, unknown


def head_of(word: Word) -> Head:
    """A mnemonic and its suffixes."""
    head = Head(word[0].partition(".")[0], place=word.span())
    add_suffixes(head, word, OF_BRANCHES if head.name in BRANCHES else OF_MNEMONICS)
    return head


class Scope(NamedTuple):
    """The names that `.set` has defined: constants, and other names of registers."""

    symbols: Symbols
    aliases: Mapping[str, str]

    def base_name(self, operand: Operand) -> str:
        """The name of a register without suffixes; none for what does not begin with a name."""
        word = operand.name if isinstance(operand, Expression) else None
        if word is None:
            return ""
        name: str = word[0].partition(".")[0]
        return self.aliases.get(name, name)

    def is_destination(self, operand: Operand) -> bool:
        """Whether it names a register that can be written."""
        return self.base_name(operand) in WRITE_ADDRESSES

    def is_source(self, operand: Operand) -> bool:
        """Whether it names a register that can be read."""
        name = self.base_name(operand)
        return name in READ_ADDRESSES or name in ACCUMULATORS


class Operands:
    """The operands of a part of a line, one after the other."""

    def __init__(self, line: Line, scope: Scope, part: Part) -> None:
        self._line = line
        self._scope = scope
        #: Where the last operand that was taken ends.
        self._column = part.head.end()
        self.left = list(part.operands)

    # --- One after the other ------------------------------------------------------------------------------------------

    def take(self, expected: str) -> Operand:
        """The next operand, which there must be."""
        if not self.left:
            raise self._line.unexpected(expected, self._column)
        operand = self.left.pop(0)
        self._column = operand.place[1]
        return operand

    def end(self) -> None:
        """No more operands may follow."""
        if self.left:
            raise self._line.unexpected("';' or the end of the line", self._column)

    def unexpected(self, expected: str, operand: Operand) -> NoReturn:
        raise self._line.unexpected(expected, operand.place[0])

    def number(self, operand: Operand) -> Expression:
        """An operand that must be an expression."""
        if not isinstance(operand, Expression):
            self.unexpected("a number", operand)
        return operand

    # --- Registers ----------------------------------------------------------------------------------------------------

    def destination(self) -> Destination:
        operand = self.take("a destination")
        if isinstance(operand, Dash):
            return Destination(place=operand.place)
        if not isinstance(operand, Expression) or operand.name is None:
            self.unexpected("a destination", operand)
        name = self._scope.base_name(operand)
        if name not in WRITE_ADDRESSES:
            raise unknown("destination", operand.name, name, WRITE_ADDRESSES)
        destination = destination_named(name, operand.name.span())
        add_suffixes(destination, operand.name, OF_DESTINATIONS)
        destination.rotation = self._rotation(operand, is_source=False)
        return destination

    def destinations(self, may_be_two: bool) -> list[Destination]:
        """One destination, or two; a `-` in the end is none."""
        destinations = [self.destination()]
        if may_be_two and self.left:
            second = self.left[0]
            if len(self.left) > 1 if isinstance(second, Dash) else self._scope.is_destination(second):
                destinations.append(self.destination())
        return destinations

    def source(self, expected: str) -> Source:
        operand = self.number(self.take(expected))
        word = operand.name
        source = None if word is None else source_named(self._scope.base_name(operand), word[0], word.span())
        if source is None or word is None:
            return self._constant(operand)
        for suffix in word[0].split(".")[1:]:
            if suffix not in UNPACK_MODES:
                raise unknown("unpack mode", word, suffix, UNPACK_MODES)
            unpacked(source, UNPACK_MODES[suffix])
        source.rotation = self._rotation(operand, is_source=True)
        return source

    def _constant(self, operand: Expression) -> Source:
        word = operand.name
        if word is not None and word[0] not in self._scope.symbols:
            raise unknown("register or constant", word, word[0], (*READ_ADDRESSES, *ACCUMULATORS))
        value = word_of(operand, self._scope.symbols)
        start = operand.place[0]
        name = self._line.text[start : operand.place[1]] if word is None else f"0x{value:x}"
        return Source(name, constant=value, place=operand.place)

    def _rotation(self, operand: Expression, is_source: bool) -> int:
        """The code of `<< n` or `>> n` after a register; 0 if there is none."""
        if not operand.rest:
            return 0
        mark, first = operand.rest[0]
        if mark[0] not in ("<<", ">>"):
            raise self._line.unexpected("',', ';' or the end of the line", mark.start())
        amount = Expression(first, operand.rest[1:], (mark.end(), operand.place[1]))
        if amount.sole_name == "r5":
            if not is_source or mark[0] == ">>":
                raise not_encodable("a rotation by r5 is written 'source << r5'", mark)
            return ROTATE_BY_R5
        lanes = integer_of(amount, self._scope.symbols, "the rotation", 1, LANES - 1)
        # After a source the shift says where the lanes come from, after a destination where they go.
        goes_up = (mark[0] == "<<") != is_source
        return ROTATE_BY_R5 + (lanes if goes_up else LANES - lanes)
