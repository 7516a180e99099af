"""With as many registers as are live at once, straight-line code is allocated; with one less, the message says so.

How many that is, is computed here from where values are made and last read, without the allocator's live ranges.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import count
from random import Random

import pytest

from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc import allocate
from glslc_multi.compiler.codegen.registers import RegisterClass
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.records import dataclass
from tests.compiler.codegen.regalloc.machine import ADD, OUT, Model, R, V

PROGRAMS = 5000 if os.environ.get("GLSLC_MULTI_ALL") else 150
LENGTH = 30
ALL = (0, 1, 2, 3)
SOURCE = SourceFile("a.vert", "\n" * 2 * LENGTH)


@dataclass(frozen=True, slots=True)
class Program:
    """Sums of earlier values: for each value the two that it is the sum of, None for an input."""

    sums: Sequence[tuple[int | None, int | None]]

    def make(self, registers: int) -> MachineFunction:
        """Its code, for a machine with so many registers; one line of the source an instruction."""
        available = RegisterClass.of("some", R.registers()[:registers])
        function = MachineFunction("main")
        block = function.add_block("entry")
        values: list[VirtualRegister] = []
        lines = map(_line, count(1))
        for operands in self.sums:
            uses = [Use(V[0] if operand is None else values[operand], ALL) for operand in operands]
            values.append(function.new_register(4, available))
            block.append(MachineInstruction(ADD, [Def(values[-1], ALL)], uses, span=next(lines)))
        block.append(MachineInstruction(OUT, [], [Use(values[-1], ALL)], span=next(lines)))
        return function

    def live_after(self) -> list[int]:
        """How many values are kept after each instruction; what an instruction makes it keeps for that moment."""
        last_read = list(range(len(self.sums)))
        for reader, operands in enumerate(self.sums):
            for operand in operands:
                if operand is not None:
                    last_read[operand] = reader
        last_read[-1] = len(self.sums)
        here = range(len(self.sums))
        return [sum(made == now or made < now < last_read[made] for made in range(now + 1)) for now in here]


def _line(number: int) -> Span:
    return Span(SOURCE, number, 1, number, 1)


def program_of(seed: int) -> Program:
    random = Random(seed)
    reach = random.randrange(2, 12)

    def operand(number: int) -> int | None:
        return None if number == 0 or random.random() < 0.3 else random.randrange(max(0, number - reach), number)

    return Program([(operand(number), operand(number)) for number in range(LENGTH)])


def test_as_many_registers_as_are_live_suffice_and_one_less_is_refused_with_need_and_place() -> None:
    needs = set()
    for seed in range(PROGRAMS):
        program = program_of(seed)
        live = program.live_after()
        need = max(live)
        if not 2 <= need <= R.count:
            continue
        needs.add(need)
        allocate(program.make(need), Model(), DiagnosticSink())
        with pytest.raises(CompileError) as caught:
            allocate(program.make(need - 1), Model(), DiagnosticSink())
        (message,) = caught.value.diagnostics
        assert (message.code, message.message) == ("E0701", f"needs {need} registers, toy has {need - 1}"), seed
        assert message.span is not None and live[message.span.line - 1] == need, seed
    assert len(needs) >= 6, "programs are of too few kinds"
