"""Mesa's VC4 driver: its validator of instruction words, and its disassembler, which must read what we read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from glslc_multi.backends.vc4.isa.container import unpack
from tests.judges.debian import fetch_from_source_package
from tests.judges.mesa_vc4_text import line_of, normal
from tests.judges.model import THREADED, Complaint, Program
from tests.judges.native_judge import NativeJudge

_FOLDER = "src/gallium/drivers/vc4"
_DIVIDER = "rules"
_COMPLAINT = "vc4_qpu_validate: "


class MesaVc4Judge(NativeJudge):
    """`vc4_qpu_validate.c` and `vc4_qpu_disasm.c` of Debian's Mesa."""

    name = "mesa-vc4"
    target = "vc4"
    variants = THREADED
    native = "mesa"
    members = tuple(f"{_FOLDER}/vc4_qpu{part}" for part in (".c", ".h", "_defines.h", "_disasm.c", "_validate.c"))
    #: Without it the validator returns at once.
    flags = ("-DDEBUG",)

    def fetch(self, folder: Path) -> None:
        fetch_from_source_package("mesa", self.members, folder)

    def judge(self, program: Program) -> Sequence[Complaint]:
        lines, refusal = self.read(program.code)
        found = differences(unpack(program.code).words, lines)
        return found + ([Complaint("refused", refusal)] if refusal else [])

    def read(self, code: bytes) -> tuple[Sequence[str], str]:
        """The text of each word, and why the validator refuses the whole, if it does."""
        done = self._run(code)
        lines = done.stderr.decode().splitlines()
        divider = lines.index(_DIVIDER) if _DIVIDER in lines else len(lines)
        if not done.returncode:
            return lines[:divider], ""
        reasons = [line.removeprefix(_COMPLAINT) for line in lines[divider + 1 :]]
        return lines[:divider], "; ".join(reasons) or f"it ends with {done.returncode}"


def differences(words: Sequence[int], lines: Sequence[str]) -> list[Complaint]:
    """Words that mean something else to the disassembler."""
    if len(words) != len(lines):
        return [Complaint("text", f"{len(words)} words have {len(lines)} lines")]
    return [
        Complaint("text", f"word {index}, 0x{word:016x}, is '{normal(line)}' there, '{line_of(word)}' here")
        for index, (word, line) in enumerate(zip(words, lines, strict=True))
        if normal(line) != line_of(word)
    ]
