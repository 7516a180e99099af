"""What text says of the halves of an instruction: mnemonics with their suffixes, destinations, sources.

`place` is where each stands in its line, for messages.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import ROTATE_BY_R5, BranchCondition, Condition, Operation
from glslc_multi.backends.vc4.isa.registers import FILE_SIZE, READ_ADDRESSES, WRITE_ADDRESSES, Address
from glslc_multi.backends.vc4.isa.text.suffixes import Mode
from glslc_multi.compiler.isa.mistakes import Place, not_encodable
from glslc_multi.compiler.records import dataclass

ACCUMULATORS: Mapping[str, int] = {f"r{number}": number for number in range(6)}
LOADS = ("ldi", "sacq", "srel")
BRANCHES = ("bra", "brr")
#: A destination that is none.
NO_REGISTER = "-"
#: Of what stands in no text.
_NO_PLACE = (0, 0)
_R4 = 4


@dataclass(slots=True)
class Head:
    """A mnemonic with its suffixes."""

    name: str
    condition: Condition | BranchCondition | None = None
    sets_flags: bool = False
    pack: Mode | None = None
    unpack: Mode | None = None
    place: Place = _NO_PLACE

    @property
    def text(self) -> str:
        flags = ".setf" if self.sets_flags else ""
        pack = f".pack{self.pack.text}" if self.pack else ""
        if isinstance(self.condition, BranchCondition):
            return f"{self.name}.{self.condition.name.lower()}{flags}"
        return self.name + flags + _condition_text(self.condition) + pack


def _condition_text(condition: Condition | None) -> str:
    if condition is None:
        return ""
    return ".never" if condition == Condition.NEVER else f".if{condition.name.lower()}"


@dataclass(slots=True)
class Destination:
    """Where a half writes."""

    name: str = NO_REGISTER
    address: Address = Address(NOWHERE, "AB")
    pack: Mode | None = None
    condition: Condition | None = None
    sets_flags: bool = False
    #: Code of a rotation.
    rotation: int = 0
    place: Place | None = None

    @property
    def is_file_a(self) -> bool:
        """Whether it is a register of file A."""
        return self.address.files == "A" and self.address.number < FILE_SIZE

    @property
    def text(self) -> str:
        pack = f".{self.pack.text}" if self.pack else ""
        return self.name + pack + (f" << {self.rotation - ROTATE_BY_R5}" if self.rotation else "")


@dataclass(slots=True)
class Source:
    """What a half reads: an accumulator, an address, or a constant.  The name has the suffix."""

    name: str
    accumulator: int | None = None
    address: Address | None = None
    constant: int | None = None
    unpack: Mode | None = None
    rotation: int = 0
    place: Place = _NO_PLACE

    @property
    def text(self) -> str:
        return self.name + (" << r5" if self.rotation == ROTATE_BY_R5 else "")

    @property
    def can_be_unpacked(self) -> bool:
        """Whether a mode can unpack it."""
        return self.accumulator == _R4 or self.is_file_a

    @property
    def is_file_a(self) -> bool:
        """Whether port A can read it."""
        return self.address is not None and "A" in self.address.files


def destination_named(name: str, place: Place | None = None) -> Destination:
    return Destination(name, WRITE_ADDRESSES[name], place=place)


def source_named(name: str, text: str, place: Place = _NO_PLACE) -> Source | None:
    """The register of a name, written as `text`; None where there is none."""
    accumulator, address = ACCUMULATORS.get(name), READ_ADDRESSES.get(name)
    if accumulator is None and address is None:
        return None
    return Source(text, accumulator, address, place=place)


def unpacked(source: Source, mode: Mode) -> Source:
    """The source with an unpack mode."""
    if mode.unpack and not source.can_be_unpacked:
        raise not_encodable("only registers of file A and r4 can be unpacked", source.place)
    source.unpack = mode
    return source


# --- What a half's operands say together ------------------------------------------------------------------------------


def condition_of_half(head: Head, destination: Destination) -> Condition:
    conditions = {head.condition, destination.condition} - {None}
    if len(conditions) > 1:
        raise not_encodable("a half has one condition", head.place)
    return next((condition for condition in conditions if isinstance(condition, Condition)), Condition.ALWAYS)


def packing_of_half(head: Head, destination: Destination, index: int, row: Operation | None) -> tuple[int, int]:
    """The bit pm and the pack code of a half; loads have no row."""
    pack = destination.pack or head.pack
    if pack is None:
        return 0, 0
    span = head.place if destination.place is None else destination.place
    on_mnemonic = destination.pack is None
    if not on_mnemonic and destination.name == NO_REGISTER:
        raise not_encodable("'-' has no suffix", span)
    gives_float = row is not None and row.gives_float
    file_pack = pack.file_pack
    if file_pack is not None and (on_mnemonic or destination.is_file_a or file_pack == 0):
        if pack.type and file_pack and pack.is_float != gives_float:
            kind = "a float" if gives_float else "an integer"
            raise not_encodable(f"the result is {kind}, so '{pack.text}' is not possible", span)
        # As in vc4asm, which takes this suffix for the one without saturation.
        return 0, 2 if on_mnemonic and pack.text == "16bs" else file_pack
    if pack.mul_pack is None:
        raise not_encodable(f"'{pack.text}' needs a destination in file A", span)
    if index == 0:
        raise not_encodable(f"'{pack.text}' is of MUL's results, or of a destination in file A", span)
    return 1, pack.mul_pack


def write_swap(destinations: list[Destination | None]) -> int:
    """The bit by which both halves reach their files."""
    found: dict[int, Destination] = {}
    for index, destination in enumerate(destinations):
        if destination is not None and len(destination.address.files) == 1:
            found.setdefault(("AB".index(destination.address.files)) ^ index, destination)
    if len(found) == 2:
        first, second = (destination.name for destination in destinations if destination is not None)
        span = next(d.place for d in reversed(destinations) if d is not None and d.place is not None)
        help = "the halves must write different files"
        raise not_encodable(f"{first} and {second} are in one file", span, help)
    return next(iter(found), 0)
