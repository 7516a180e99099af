"""Mesa's disassembler of Adreno A2xx programs, whose text must be that of our own in the same spelling.

`disassemble_program(..., reference=True)` writes it from our decoding; blanks are collapsed.  What the text hides is
not compared: relative addressing, absolute constants, the register in the swizzle of `..._CONST_...`, sequence bits
beyond the count.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import cast

from glslc_multi.backends.adreno.isa.container import unpack
from glslc_multi.backends.adreno.isa.disasm import disassemble_program
from glslc_multi.backends.xenos_family.isa.registers import Stage
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.judges.debian import fetch_from_source_package
from tests.judges.model import Complaint, Program, Unavailable
from tests.judges.native_judge import NativeJudge

_FOLDER = "src/freedreno"
_REGISTERS = "a2xx.xml"
#: The one enumeration of the registers' description that the disassembler reads.
_FORMATS = "a2xx_sq_surfaceformat"


class MesaA2xxJudge(NativeJudge):
    """`disasm-a2xx.c` of Debian's Mesa."""

    name = "mesa-a2xx"
    target = "adreno"
    native = "freedreno"
    members = (
        f"{_FOLDER}/ir2/disasm-a2xx.c",
        f"{_FOLDER}/ir2/instr-a2xx.h",
        f"{_FOLDER}/registers/adreno/{_REGISTERS}",
    )

    def fetch(self, folder: Path) -> None:
        fetch_from_source_package("mesa", self.members, folder)

    def complete(self, folder: Path) -> None:
        """The header with the formats of fetches, as Mesa makes it of the registers' description."""
        root = ElementTree.parse(folder / _REGISTERS).getroot()
        found = next((one for one in root.iter() if one.get("name") == _FORMATS and one.tag.endswith("enum")), None)
        if found is None:
            raise Unavailable(f"{_REGISTERS} has no {_FORMATS}")
        values = "".join(f"\t{value.get('name')} = {value.get('value')},\n" for value in found)
        (folder / f"{_REGISTERS}.h").write_text(f"enum {_FORMATS} {{\n{values}}};\n", encoding="utf-8")

    def judge(self, program: Program) -> Sequence[Complaint]:
        done = self._run(program.code, program.stage)
        if done.returncode:
            return [Complaint("broke down", f"it ends with {done.returncode}")]
        stage = cast("Stage", program.stage)
        text = disassemble_program(unpack(program.code), DiagnosticSink(), stage=stage, reference=True)
        return _differences(text, done.stdout.decode())


def _differences(ours: str, theirs: str) -> list[Complaint]:
    """Lines that say something else, blanks aside."""
    pairs = zip_longest(*([" ".join(line.split()) for line in text.splitlines()] for text in (ours, theirs)))
    return [
        Complaint("text", f"line {number} is '{their_line}' there, '{our_line}' here")
        for number, (our_line, their_line) in enumerate(pairs, 1)
        if our_line != their_line
    ]
