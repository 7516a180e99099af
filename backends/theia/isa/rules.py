"""The rules that programs must keep, by their codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from glslc_multi.backends.theia.isa.program import LIMITS

RULES: Mapping[str, str] = {
    "too-long": f"a program has at most {LIMITS['trunk']} instructions, on v1.2 {LIMITS['v1.2']}",
    "unimplemented-opcode": "a word must be an instruction that the variant implements; others hang the core",
    "return-first": "RETURN cannot be the first instruction that a block executes; a NOP before it is enough",
    "no-return": "every path through the code must be able to reach RETURN and must stay inside of the program",
    "tmread-pair": "TMREAD directly followed by TMREAD hangs",
    "omwrite-pair": "OMWRITE directly followed by OMWRITE writes wrong lanes",
    "omwrite-destination": "OMWRITE writes 0 to its destination, which should be OREG_PIXEL_COLOR",
    "mulp-lanes": "lanes x and y of MULP's result are undefined and cannot be read",
    "void-forward": "register 0 cannot be read directly after an instruction whose destination field is 0, such as NOP",
    "dead-swizzle": "only the swizzles XXX, YYY, ZZZ and YXZ are implemented; all others write zeros",
    "read-only-register": "what is written to registers 0 to 31 is lost, and to output registers, but on v1.2",
    "reserved-register": "registers that the firmware needs cannot be overwritten",
    "mod-after-jump": "not on icarus: MOD directly after a conditional jump may give a wrong lane z",
    "call-slot": "CALL and RET must be followed by NOP, for whether this instruction is executed is not known",
    "call-nesting": "there is one return address: no CALL in a subroutine, no RET outside of one",
}


class Fault(NamedTuple):
    """A rule that is broken, at an address; None for the program as a whole."""

    rule: str
    address: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"
