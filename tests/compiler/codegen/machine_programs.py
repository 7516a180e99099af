"""Random straight-line machine code, and what it computes: each operation yields a name for its operands' values."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Slot,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register, RegisterClass, RegisterFile

R = RegisterFile("r", 8)
V = RegisterFile("v", 4, writable=False)
FLAGS = RegisterFile("flags", 1, components=1)
ANY = RegisterClass.of("temporary", R)

ADD = MachineOp("add", "each", ("each", "each"))
MOV = MachineOp("mov", "each", ("each",), copy=True)
DOT = MachineOp("dot", "replicate", ("slots", "slots"))
CMP = MachineOp("cmp", "none", ("each", "each"), writes=(FLAGS[0],))
SELECT = MachineOp("select", "each", ("each",), reads=(FLAGS[0],))
SEND = MachineOp("send", "none", ("each",), effect=True)


def straight_line(random: Random, length: int, *, physical: bool = False) -> MachineFunction:
    """One block over virtual registers, or over physical ones."""
    function = MachineFunction("main")
    block = function.add_block("entry")
    known: list[tuple[VirtualRegister | Register, int]] = [(V[0], 4), (V[1], 4)]
    function.live_in = {V[0]: (0, 1, 2, 3), V[1]: (0, 1, 2, 3)}
    written: list[tuple[VirtualRegister | Register, int]] = []

    def use(count: int) -> Use:
        register, width = random.choice(known[-12:] if random.random() < 0.8 else known)
        return Use(register, tuple(random.randrange(width) for _ in range(count)))

    def target() -> tuple[VirtualRegister | Register, int]:
        if written and random.random() < 0.2:
            return random.choice(written)
        register = R[random.randrange(8)] if physical else function.new_register(random.randint(1, 4), ANY)
        return register, register.components if isinstance(register, Register) else register.width

    for _ in range(length):
        op = random.choice((ADD, ADD, MOV, DOT, CMP, SELECT, SEND))
        count = 3 if op is DOT else random.randint(1, 4)
        if op in (CMP, SEND):
            block.append(MachineInstruction(op, (), [use(1) for _ in op.sources]))
            continue
        register, width = target()
        is_new = (register, width) not in known
        lanes = tuple(range(width)) if is_new else tuple(random.sample(range(width), random.randint(1, width)))
        count = 3 if op is DOT else len(lanes)
        uses = [use(count) for _ in op.sources]
        conditional = op is SELECT and not is_new
        block.append(MachineInstruction(op, [Def(register, lanes)], uses, conditional=conditional))
        if is_new:
            known.append((register, width))
            written.append((register, width))
    for register, width in written[-3:]:
        block.append(MachineInstruction(SEND, (), [Use(register, tuple(range(width)))]))
    return function


#: Component -> a number for its value: equal numbers are equal values.
_Values = dict[tuple[object, int], object]


class Run:
    """What a program sends, by symbolic execution."""

    def __init__(self) -> None:
        self.values: _Values = {}
        self.sent: list[object] = []
        self.names: dict[object, int] = {}

    def slot(self, slot: Slot) -> None:
        """All read before any writes."""
        writes = [self._results(instruction) for instruction in slot]
        for rows in writes:
            self.values.update(rows)

    def _results(self, instruction: MachineInstruction) -> _Values:
        sources = [tuple(self._value(use.register, lane) for lane in use.lanes) for use in instruction.uses]
        flags = self.values.get((FLAGS[0], 0)) if instruction.op.reads else None
        if instruction.op is SEND:
            self.sent.append(tuple(sources))
        if instruction.op.terminator and instruction.op.reads:
            self.sent.append(flags)
        if instruction.op.writes:
            return {(FLAGS[0], 0): self._name((instruction.op.name, *sources))}
        results: _Values = {}
        for definition in instruction.defs:
            for number, lane in enumerate(definition.lanes):
                each = instruction.op.result == "each"
                picked = tuple(source[number] for source in sources) if each else tuple(sources)
                old = self._value(definition.register, lane) if instruction.conditional else None
                results[definition.register, lane] = self._name((instruction.op.name, picked, flags, old))
        return results

    def _value(self, register: object, lane: int | None) -> object:
        return self.values.get((register, lane or 0), f"{register}.{lane}")

    def _name(self, value: object) -> int:
        """A short name, since values grow like trees."""
        return self.names.setdefault(value, len(self.names))


def sent(slots: Iterable[Slot], names: dict[object, int]) -> list[object]:
    """What the words send; runs that share `names` can be compared."""
    run = Run()
    run.names = names
    for slot in slots:
        run.slot(slot)
    return run.sent
