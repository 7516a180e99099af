"""Reads mnemonics with their suffixes, destinations and sources."""

from __future__ import annotations

from collections.abc import Mapping

from backends.vc4.isa.asm.parsed import Destination, ParsedLine, Source
from backends.vc4.isa.asm.suffixes import BRANCH_CONDITIONS, SET_FLAGS, Mode, condition_of, mode_of
from backends.vc4.isa.asm.text import Line, Number
from backends.vc4.isa.instructions import LANES, ROTATE_BY_R5, Condition, Operation
from backends.vc4.isa.registers import READ_ADDRESSES, WRITE_ADDRESSES
from compiler.isa.lines import Token
from compiler.records import dataclass

ACCUMULATORS: Mapping[str, int] = {f"r{number}": number for number in range(6)}
LOADS = ("ldi", "sacq", "srel")
BRANCHES = ("bra", "brr")


@dataclass(slots=True)
class Head:
    """A mnemonic with its suffixes."""

    token: Token
    name: str
    condition: Condition | None = None
    sets_flags: bool = False
    pack: Mode | None = None
    pack_text: str = ""
    unpack: Mode | None = None


class OperandReader:
    """A line with the names that `.set` has defined."""

    def __init__(self, line: Line, symbols: Mapping[str, Number], aliases: Mapping[str, str]) -> None:
        self._line = line
        self._symbols = symbols
        self._aliases = aliases
        self._parsed = ParsedLine(line)

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _head(self) -> Head:
        token = self._line.need("name", "an instruction")
        name, *suffixes = token.text.split(".")
        head = Head(token, name)
        for suffix in suffixes:
            self._head_suffix(head, suffix)
        return head

    def _head_suffix(self, head: Head, suffix: str) -> None:
        if head.name in BRANCHES and suffix in BRANCH_CONDITIONS:
            head.condition = BRANCH_CONDITIONS[suffix]  # type: ignore[assignment]
            return
        condition = None if head.name in BRANCHES else condition_of(suffix, if_only=True)
        if suffix in SET_FLAGS:
            head.sets_flags = True
        elif condition is not None:
            head.condition = condition
        elif suffix.startswith("unpack") and (mode := mode_of(suffix[6:])) and mode.unpack is not None:
            head.unpack = mode
        elif suffix.startswith("pack") and suffix != "pack32si" and (mode := mode_of(suffix[4:])) is not None:
            head.pack = self._valid_pack(mode, head.token)
        else:
            self._line.unknown("suffix", suffix, head.token.span, (*SET_FLAGS, "ifz", "ifnz", *BRANCH_CONDITIONS))

    def _valid_pack(self, mode: Mode, token: Token) -> Mode:
        if mode.file_pack is None and mode.mul_pack is None:
            self._line.unknown("pack mode", mode.text, token.span, ())
        return mode

    def _base_name(self, token: Token) -> str:
        """An operand's name without suffixes, `.set` names resolved."""
        name = token.text.partition(".")[0]
        return self._aliases.get(name, name)

    def _destination(self) -> Destination:
        if mark := self._line.accept("-"):
            return Destination(span=mark.span)
        token = self._line.need("name", "a destination")
        name, *suffixes = token.text.split(".")
        name = self._aliases.get(name, name)
        address = WRITE_ADDRESSES.get(name)
        if address is None:
            self._line.unknown("destination", name, token.span, WRITE_ADDRESSES)
        destination = Destination(address, name, token.span)
        for suffix in suffixes:
            self._destination_suffix(destination, suffix, token)
        destination.rotation = self._rotation(is_source=False)
        return destination

    def _destination_suffix(self, destination: Destination, suffix: str, token: Token) -> None:
        condition = condition_of(suffix, if_only=False)
        mode = mode_of(suffix)
        if suffix in SET_FLAGS:
            destination.sets_flags = True
        elif condition is not None:
            destination.condition = condition
        elif mode is not None:
            destination.pack = self._valid_pack(mode, token)
        else:
            self._line.unknown("suffix", suffix, token.span, (*SET_FLAGS, "ifz", "ifnz", "8abcd"))

    def _source(self) -> Source:
        token = self._line.token
        name = self._base_name(token) if token.kind == "name" else ""
        accumulator, address = ACCUMULATORS.get(name), READ_ADDRESSES.get(name)
        if accumulator is None and address is None:
            return self._constant(token)
        self._line.take()
        source = Source(token.text, token.span, accumulator, address)
        for suffix in token.text.split(".")[1:]:
            mode = mode_of(suffix)
            if mode is None or mode.unpack is None:
                self._line.unknown("unpack mode", suffix, token.span, ())
            source.unpack = self._checked_unpack(source, mode)
        source.rotation = self._rotation(is_source=True)
        return source

    def _checked_unpack(self, source: Source, mode: Mode) -> Mode:
        is_unpacked = source.accumulator == 4 or (source.address is not None and "A" in source.address.files)
        if mode.unpack and not is_unpacked:
            self._parsed.fail("only registers of file A and r4 can be unpacked", source.span)
        return mode

    def _constant(self, token: Token) -> Source:
        if token.kind == "name" and token.text not in self._symbols:
            self._line.unknown("register or constant", token.text, token.span, (*READ_ADDRESSES, *ACCUMULATORS))
        word = self._line.word(self._symbols)
        return Source(f"0x{word:x}" if token.kind == "name" else token.text, token.span, constant=word)

    def _rotation(self, is_source: bool) -> int:
        """The code of `<< n` or `>> n` after a register; 0 if there is none."""
        mark = self._line.accept("<<", ">>")
        if mark is None:
            return 0
        if self._line.token.text == "r5":
            self._line.take()
            if not is_source or mark.text == ">>":
                self._parsed.fail("a rotation by r5 is written 'source << r5'", mark.span)
            return ROTATE_BY_R5
        amount = self._line.integer(self._symbols, "the rotation", 1, LANES - 1)
        # After a source the shift says where the lanes come from, after a destination where they go.
        goes_up = (mark.text == "<<") != is_source
        return ROTATE_BY_R5 + (amount if goes_up else LANES - amount)

    # --- What a half's operands say together --------------------------------------------------------------------------

    def _condition(self, head: Head, destination: Destination) -> Condition:
        found = {head.condition, destination.condition} - {None}
        if len(found) > 1:
            self._parsed.fail("a half has one condition", head.token.span)
        return next((condition for condition in found if condition is not None), Condition.ALWAYS)

    def _packing(self, head: Head, destination: Destination, index: int, row: Operation | None) -> tuple[int, int]:
        """The bit pm and the pack code of a half; loads have no row."""
        pack = destination.pack or head.pack
        if pack is None:
            return 0, 0
        span = head.token.span if destination.span is None else destination.span
        on_mnemonic = destination.pack is None
        gives_float = row is not None and row.gives_float
        file_pack = pack.file_pack
        if file_pack is not None and (on_mnemonic or destination.is_file_a or file_pack == 0):
            if pack.type and file_pack and pack.is_float != gives_float:
                kind = "a float" if gives_float else "an integer"
                self._parsed.fail(f"the result is {kind}, so '{pack.text}' is not possible", span)
            # As in vc4asm, which takes this suffix for the one without saturation.
            return 0, 2 if on_mnemonic and pack.text == "16bs" else file_pack
        if pack.mul_pack is None:
            self._parsed.fail(f"'{pack.text}' needs a destination in file A", span)
        if index == 0:
            self._parsed.fail(f"'{pack.text}' is of MUL's results, or of a destination in file A", span)
        return 1, pack.mul_pack
