"""Suffixes of mnemonics and operands: conditions, flags, pack and unpack modes."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from glslc_multi.backends.vc4.isa.instructions import BranchCondition, Condition
from glslc_multi.backends.vc4.isa.packing import PACKS, UNPACKS
from glslc_multi.compiler.isa.mistakes import Word, unknown
from glslc_multi.compiler.records import dataclass

_UNPACK_CODES: Mapping[str, int] = {mode.name: mode.code for mode in UNPACKS}
_PACK_CODES: Mapping[str, int] = {mode.name: code for code, mode in enumerate(PACKS[:8])}
#: Another name of a part.
_ALIASES = {"8abcd": "8888"}


@dataclass(frozen=True, slots=True)
class Mode:
    """A pack or unpack suffix."""

    text: str
    part: str
    saturates: bool
    #: "i", "f", or "" where the operation decides.
    type: str

    @property
    def is_float(self) -> bool:
        return self.type == "f"

    @property
    def unpack(self) -> int | None:
        """The unpack code; None if there is none."""
        return None if self.saturates else _UNPACK_CODES.get(self.part)

    @property
    def file_pack(self) -> int | None:
        """The code with pm = 0; None if there is none."""
        code = _PACK_CODES.get(self.part)
        if code is None or (self.is_float and (code not in (1, 2) or self.saturates)):
            return None
        # `.32i` saturates, too.
        return code + 8 * (self.saturates or (code == 0 and self.type == "i"))

    @property
    def mul_pack(self) -> int | None:
        """The code with pm = 1; None if there is none.

        The plain parts get codes that no document has, 8888 with saturation one, too: as in vc4asm.
        """
        code = _PACK_CODES.get(self.part, 0)
        if code < 3 or self.type == "i" or (self.is_float and not self.saturates):
            return None
        if code == 3:
            return 11 if self.saturates else None
        return code if self.saturates else code + 8


#: Suffix -> mode.
MODES: Mapping[str, Mode] = {
    part + saturates + type: Mode(part + saturates + type, _ALIASES.get(part, part), bool(saturates), type)
    for part, saturates, type in product((*_PACK_CODES, *_UNPACK_CODES, *_ALIASES), ("", "s"), ("", "i", "f"))
}
UNPACK_MODES = {text: mode for text, mode in MODES.items() if mode.unpack is not None}
_PACK_MODES = {text: mode for text, mode in MODES.items() if mode.file_pack is not None or mode.mul_pack is not None}

# --- What suffixes say of the operand that they stand at --------------------------------------------------------------

#: Suffix -> attribute and its value.
Suffixes = Mapping[str, tuple[str, object]]

#: Conditions of writes.  In `nc` the n is of the flag N: negative clear.
_CONDITIONS: Mapping[str, Condition] = {
    **{condition.name.lower(): condition for condition in Condition},
    "zs": Condition.Z,
    "zc": Condition.NZ,
    "ns": Condition.N,
    "nc": Condition.NN,
    "cs": Condition.C,
}
_COMMON: Suffixes = {
    **dict.fromkeys(("setf", "sf"), ("sets_flags", True)),
    **{f"if{name}": ("condition", condition) for name, condition in _CONDITIONS.items()},
    "never": ("condition", Condition.NEVER),
}
OF_BRANCHES: Suffixes = {
    **dict.fromkeys(("setf", "sf"), ("sets_flags", True)),
    **{condition.name.lower(): ("condition", condition) for condition in BranchCondition},
}
OF_MNEMONICS: Suffixes = {
    **_COMMON,
    **{f"unpack{text}": ("unpack", mode) for text, mode in UNPACK_MODES.items()},
    **{f"pack{text}": ("pack", mode) for text, mode in _PACK_MODES.items() if text != "32si"},
}
OF_DESTINATIONS: Suffixes = {
    **_COMMON,
    **{name: ("condition", condition) for name, condition in _CONDITIONS.items()},
    **{text: ("pack", mode) for text, mode in _PACK_MODES.items()},
}


def add_suffixes(operand: object, word: Word, known: Suffixes) -> None:
    """Note what the suffixes of a word say of an operand; the last one of a kind counts."""
    for suffix in word[0].split(".")[1:]:
        if suffix not in known:
            raise unknown("suffix", word, suffix, known)
        setattr(operand, *known[suffix])
