"""Suffixes of mnemonics and operands: conditions, flags, pack and unpack modes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from backends.vc4.isa.instructions import BranchCondition, Condition
from backends.vc4.isa.packing import PACKS, UNPACKS
from compiler.records import dataclass

#: Conditions of writes.  In `nc` the n is of the flag N: negative clear.
CONDITIONS: Mapping[str, Condition] = {
    **{condition.name.lower(): condition for condition in Condition},
    "zs": Condition.Z,
    "zc": Condition.NZ,
    "ns": Condition.N,
    "nc": Condition.NN,
    "cs": Condition.C,
}
BRANCH_CONDITIONS: Mapping[str, BranchCondition] = {condition.name.lower(): condition for condition in BranchCondition}
SET_FLAGS = ("setf", "sf")

_MODE = re.compile(r"(?P<part>32|16[ab]|8888|8abcd|8dr|8[abcd])(?P<saturates>s?)(?P<type>[if]?)")
_UNPACK_CODES: Mapping[str, int] = {mode.name: mode.code for mode in UNPACKS}
_PACK_CODES: Mapping[str, int] = {mode.name: code for code, mode in enumerate(PACKS[:8])}


def condition_of(suffix: str, if_only: bool) -> Condition | None:
    """The condition that a suffix names: `ifz` anywhere, `z` after a destination only, `never` anywhere."""
    if suffix.startswith("if"):
        return CONDITIONS.get(suffix[2:])
    return CONDITIONS.get(suffix) if not if_only or suffix == "never" else None


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
        """The code with pm = 1: that of vc4asm, or of our own suffixes `8888f`, `8af`...; None if there is none.

        The plain parts get codes that no document has, 8888 with saturation one, too: as in vc4asm.
        """
        code = _PACK_CODES.get(self.part, 0)
        if code < 3 or self.type == "i":
            return None
        if code == 3:
            return 11 if self.saturates else 3 if self.is_float else None
        return code if self.saturates else code + 8


def mode_of(suffix: str) -> Mode | None:
    """The mode that a suffix names."""
    match = _MODE.fullmatch(suffix)
    if match is None:
        return None
    part = "8888" if match["part"] == "8abcd" else match["part"]
    return Mode(suffix, part, bool(match["saturates"]), match["type"])
