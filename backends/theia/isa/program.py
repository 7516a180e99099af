"""A program as plain data: the words of user code and the entry points that it replaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import Span

#: Bit of an address that selects user code memory instead of the firmware.
USER = 0x8000
#: Slots of user code memory, the first of them entry points.
SLOTS: Mapping[Variant, int] = {"trunk": 128, "icarus": 128, "v1.2": 512}
#: The entry points in the order of their slots, and the firmware's addresses on trunk and on icarus.
_DEFAULTS = (
    ("INITIAL", 0, 0),
    ("CPPU", 44, 69),
    ("RGU", 47, 73),
    ("AABBIU", 69, 97),
    ("BIU", 157, 185),
    ("PSU", 232, 268),
    ("PSU2", 248, 284),
    ("TCC", 190, 226),
    ("NPG", 55, 81),
    ("USERCONSTANTS", 276, 312),
    ("PIXELSHADER", 278, 314),
    ("MAIN", 37, 37),
)
ENTRIES = tuple(name for name, _, _ in _DEFAULTS)
FIRMWARE: Mapping[Variant, Mapping[str, int]] = {
    "trunk": {name: address for name, address, _ in _DEFAULTS},
    "icarus": {name: address for name, _, address in _DEFAULTS},
    "v1.2": {name: address for name, address, _ in _DEFAULTS},
}
#: What precedes an entry's name in a label, in the machine's own spelling.
ENTRY_LABEL = "ENTRYPOINT_ADRR_"
#: What precedes the variant in a comment at the head of a text; without it, that is the main line.
VARIANT_NOTE = "// variant "
#: Address of the first instruction.
ORIGIN = USER + len(ENTRIES)
#: Most instructions of a program.
LIMITS: Mapping[Variant, int] = {variant: slots - len(ENTRIES) for variant, slots in SLOTS.items()}


@dataclass(frozen=True, slots=True)
class Program:
    """`entries` has the replaced entry points by name; `spans` where each word is in the text that it came from."""

    words: tuple[int, ...]
    variant: Variant = "trunk"
    entries: Mapping[str, int] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()

    @property
    def starts(self) -> tuple[int, ...]:
        """The addresses where execution begins: the entry points, or the first word of a program without any."""
        return tuple(dict.fromkeys(self.entries.values())) or (ORIGIN,)

    def index_of(self, address: int) -> int | None:
        """The number of the word at an address; None outside of the program."""
        index = address - ORIGIN
        return index if 0 <= index < len(self.words) else None
