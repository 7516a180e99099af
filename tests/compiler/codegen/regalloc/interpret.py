"""An interpreter over symbols: machine code before and after allocation must show the same values on any path.

It shares nothing with the allocator or its checker.  Values are terms; what nobody wrote is None, and so is what
is computed from it.  A wave is followed one lane at a time: a conditional write happens or does not, as a coin says
that depends on the instruction and on how often it came by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.regalloc.check import Snapshot
from glslc_multi.compiler.codegen.registers import Register

#: Blocks on a path.
_STEPS = 12

Row = tuple[MachineInstruction, Sequence[Def], Sequence[Use]]
Code = Mapping[MachineBlock, Sequence[Row]]


def code_before(snapshot: Snapshot) -> Code:
    return {block: [(row.instruction, row.defs, row.uses) for row in rows] for block, rows in snapshot.blocks.items()}


def code_after(function: MachineFunction) -> Code:
    return {block: [(row, row.defs, row.uses) for row in block.instructions] for block in function.blocks}


class _Run:
    def __init__(self, code: Code, seed: int, numbers: dict[MachineInstruction, int], terms: dict[Any, int]) -> None:
        self.code = code
        self.seed = seed
        #: Numbers of the original instructions, and of the terms that either code has computed.
        self.numbers = numbers
        self.terms = terms
        self.values: dict[tuple[Any, int], Any] = {}
        self.visits: dict[int, int] = {}
        self.seen: list[Any] = []

    def walk(self, block: MachineBlock, steps: int) -> list[Any]:
        for step in range(steps):
            for row in self.code[block]:
                self._execute(*row)
            if not block.successors:
                break
            block = block.successors[Random(self.seed * 1000 + step).randrange(len(block.successors))]
        return self.seen

    def _read(self, use: Use) -> list[Any]:
        return [None if lane is None else self._component(use, lane) for lane in use.lanes]

    def _component(self, use: Use, lane: int) -> Any:
        register = use.register
        never_written = not isinstance(register, VirtualRegister) and not (
            isinstance(register, Register) and register.file.writable
        )
        value = self._term((register, lane)) if never_written else self.values.get((register, lane))
        return self._term(("neg", value)) if use.negate and value is not None else value

    def _term(self, term: Any) -> int:
        return self.terms.setdefault(term, len(self.terms))

    def _execute(self, instruction: MachineInstruction, defs: Sequence[Def], uses: Sequence[Use]) -> None:
        op = instruction.op
        sources = [self._read(use) for use in uses]
        if op.effect:
            self.seen.append((op.name, sources))
        if instruction.conditional and not self._coin(instruction):
            return
        results = {
            (target.register, lane): self._result(instruction, sources, index, lane)
            for target in defs
            for index, lane in enumerate(target.lanes)
        }
        self.values.update(results)

    def _coin(self, instruction: MachineInstruction) -> bool:
        number = self.numbers[instruction]
        self.visits[number] = self.visits.get(number, 0) + 1
        return (number * 7919 + self.visits[number] * 31 + self.seed) * 2654435761 >> 13 & 1 == 1

    def _result(self, instruction: MachineInstruction, sources: list[list[Any]], index: int, lane: int) -> Any:
        op = instruction.op
        if op.result == "each":
            inputs = [each[index] for each in sources]
        else:
            inputs = [value for each in sources for value in each]
        if None in inputs:
            return None
        if op.copy:
            return inputs[0]
        return self._term((op.name, lane if op.result == "fixed" else 0, tuple(inputs)))


def differences(before: Code, after: Code, entry: MachineBlock, seeds: Sequence[int]) -> list[str]:
    """Where a path shows another value than before; nothing is asked of what is undefined."""
    found = []
    originals = [instruction for rows in before.values() for instruction, _, _ in rows]
    numbers = {instruction: number for number, instruction in enumerate(originals)}
    for seed in seeds:
        terms: dict[Any, int] = {}
        was, now = (_Run(code, seed, numbers, terms).walk(entry, _STEPS) for code in (before, after))
        for old, new in zip(was, now, strict=True):
            lanes = [
                (a, b) for left, right in zip(old[1], new[1], strict=True) for a, b in zip(left, right, strict=True)
            ]
            if any(a is not None and a != b for a, b in lanes):
                found.append(f"path {seed}: {old} became {new}")
    return found
