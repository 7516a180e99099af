"""The machine with its exact cycles: what becomes of each pixel beside its registers, as variables of the program.

What would hang the hardware, or never end, is an outcome that does not complete.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce
from typing import Any

from glslc_multi.backends.theia.isa.instructions import Decoded, Row
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.machine.execute import Point, TheiaProgram, lanes_of, written_registers
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Edge, Lanes

#: Cycles of an instruction besides its unit's, of RET, and of a quick division.
_ISSUE_CYCLES, _RETURN_CYCLES, _QUICK_CYCLES = 1, 2, 5
#: Divider and square root of trunk: a simulation of the hardware may differ by so many cycles each.
TOLERANCE = 2
_TOLERANT = ("DIV", "MAG")

#: Variables, and keys under which they are handed out: see `Outcome`.
CYCLES, TOLERANCES, EXECUTED, RETURN_CODE = COUNTS = ("cycles", "tolerance", "executed", "return code")
#: Numbers of reasons, from 1 on; the last conditional jump: 0 for none, `NOT_TAKEN`, `TAKEN`; words that left.
REASON, JUMP, LEFT = CHOICES = ("reason", "jump", "left")
NOT_TAKEN, TAKEN = 1, 2
#: Keys of the words that leave, in order, and of their addresses.
ADDRESSES, WORDS = "addresses", "words"

#: The address where pixels are that have executed too much.
_OVER = -2


class CountingProgram(TheiaProgram):
    """The program, with outcomes, for at most `limit` instructions; it hands out all registers that it may write.

    `reasons` gets those why pixels do not complete, by their numbers.
    """

    def __init__(
        self, program: Program, start: int, limit: int, varying: Collection[int], reasons: list[str], lanes: Lanes
    ) -> None:
        super().__init__(program, start, lanes_of(written_registers(program)), varying, lanes)
        self._limit = limit
        self._reasons = reasons

    def step(self, place: Point) -> Sequence[Edge[Point]]:
        if place.address == _OVER:
            return self.stop(f"no RETURN in {self._limit} steps")
        edges = super().step(place)
        if not edges:
            return ()
        is_over = self.unit.ieq(self._get(EXECUTED), self.unit.iconst(self._limit))
        return (Point(_OVER), is_over), *edges

    def finish(self) -> None:
        self.hand_out_registers()
        for name in (*COUNTS, *CHOICES):
            self.lanes.output(name, self._get(name), "i32")

    # --- What becomes of pixels ---------------------------------------------------------------------------------------

    def stop(self, reason: str) -> Sequence[Edge[Point]]:
        if reason not in self._reasons:
            self._reasons.append(reason)
        self._set(REASON, self._reasons.index(reason))
        return ()

    def end(self, decoded: Decoded) -> Sequence[Edge[Point]]:
        self._set(RETURN_CODE, decoded.code)
        return ()

    def jump(self, taken: Number) -> None:
        a = self.unit
        self.lanes.write(JUMP, a.select(taken, a.iconst(TAKEN), a.iconst(NOT_TAKEN)))

    def leave(self, addresses: Row, words: Row) -> None:
        a, number = self.unit, self._get(LEFT)
        everywhere = a.bconst(True)
        for address, word in zip(addresses, words, strict=True):
            self.lanes.append(ADDRESSES, address, number, everywhere, "i32")
            self.lanes.append(WORDS, word, number, everywhere, "i32")
            number = a.iadd(number, a.iconst(1))
        self.lanes.write(LEFT, number)

    def count(self, decoded: Decoded, operands: Sequence[Any]) -> None:
        instruction, variant = decoded.instruction, self.program.variant
        self._add(EXECUTED, self.unit.iconst(1))
        self._add(CYCLES, self._cycles(decoded, operands))
        if instruction.name in _TOLERANT and variant != "icarus":
            self._add(TOLERANCES, self.unit.iconst(TOLERANCE))

    def _cycles(self, decoded: Decoded, operands: Sequence[Row]) -> Number:
        """A division on trunk is quick where those of all lanes are."""
        a, instruction, variant = self.unit, decoded.instruction, self.program.variant
        extra = _ISSUE_CYCLES + (_RETURN_CYCLES if instruction.role == "return" else 0)
        usual = a.iconst((instruction.cycles(variant) or 0) + extra)
        if instruction.name != "DIV" or variant == "icarus":
            return usual
        is_quick = reduce(a.band, map(a.is_quick, *operands))
        return a.select(is_quick, a.iconst(_QUICK_CYCLES + extra), usual)

    # --- Variables ----------------------------------------------------------------------------------------------------

    def _get(self, name: str) -> Number:
        return self.lanes.read(name, "i32")

    def _set(self, name: str, value: int) -> None:
        self.lanes.write(name, self.unit.iconst(value))

    def _add(self, name: str, value: Number) -> None:
        self.lanes.write(name, self.unit.iadd(self._get(name), value))
