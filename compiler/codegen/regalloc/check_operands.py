"""One instruction before and after allocation: whether its operands still are what they were.

Part of the allocation checker.  Lanes of a result and of the sources that go with it may have changed their
order together; all other lanes must read, at their old position, a place that holds the old value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from compiler.codegen.machine import Def, Literal32, MachineInstruction, Place, Uniform, Use, VirtualRegister
from compiler.codegen.regalloc.check_names import Component, Knowledge
from compiler.codegen.registers import Register
from compiler.records import dataclass

Bank = Callable[[Register], Hashable]
Report = Callable[[str], None]


@dataclass(slots=True)
class Original:
    """An instruction, and its operands as they were before allocation."""

    instruction: MachineInstruction
    defs: list[Def]
    uses: list[Use]

    @staticmethod
    def of(instruction: MachineInstruction) -> Original:
        defs = [Def(target.register, target.lanes) for target in instruction.defs]
        return Original(instruction, defs, [_duplicate(use) for use in instruction.uses])

    @property
    def is_move(self) -> bool:
        return self.instruction.op.copy and all(is_plain_register(use) for use in self.uses)

    def implicitly_written(self) -> list[Component]:
        """The components that get new contents beside the results."""
        op = self.instruction.op
        return [(register, k) for register in (*op.writes, *op.clobbers) for k in range(register.components)]

    def pairs(self) -> Iterator[tuple[Use, Use, str]]:
        """Each source as it was and as it is, and how its lanes are ordered."""
        modes = self.instruction.op.sources
        for index, (was, now) in enumerate(zip(self.uses, self.instruction.uses, strict=True)):
            yield was, now, modes[index] if index < len(modes) else "slots"
            if was.relative is not None and now.relative is not None:
                yield was.relative, now.relative, "slots"


def _duplicate(use: Use) -> Use:
    relative = None if use.relative is None else _duplicate(use.relative)
    return Use(use.register, use.lanes, use.negate, use.absolute, relative, use.extra)


def components(operands: Sequence[Def | Use]) -> list[Component]:
    """The components that operands name."""
    return [(operand.register, lane) for operand in operands for lane in operand.lanes if lane is not None]


def is_plain_register(use: Use) -> bool:
    """Whether an operand is the unchanged contents of a register."""
    return isinstance(use.register, VirtualRegister | Register) and not (
        use.negate or use.absolute or use.relative is not None or use.extra is not None
    )


class OperandCheck:
    """The comparison of one instruction's operands."""

    def __init__(self, original: Original, state: Knowledge, report: Report) -> None:
        self.original = original
        self.instruction = original.instruction
        self.state = state
        self.report = report
        each = self.instruction.op.result == "each" and len(original.defs) == 1
        pairs = list(original.pairs())
        #: Sources that go with the result lane by lane.
        self.together = [(was, now) for was, now, mode in pairs if each and mode == "each"]
        self.alone = [(was, now, mode) for was, now, mode in pairs if not (each and mode == "each")]

    # sources ---------------------------------------------------------------------------------
    def sources(self) -> None:
        """Check the sources that keep the order of their lanes, and how all of them are modified."""
        for was, now, _ in self.original.pairs():
            if _modifiers(was) != _modifiers(now):
                self.report(f"the operand that read {was.register} is modified in another way")
        for was, now, mode in self.alone:
            if len(was.lanes) != len(now.lanes):
                self.report(f"the operand that read {was.register} has another number of lanes")
                continue
            for slot in range(len(was.lanes)):
                if not self._agrees(was, now, slot, slot):
                    self.report(f"lane {slot} does not read {was.register}.{was.lanes[slot]}")
                if mode == "fixed" and now.lanes[slot] not in (None, slot):
                    self.report(f"lane {slot} of a source without swizzle reads component {now.lanes[slot]}")

    def _agrees(self, was: Use, now: Use, old: int, new: int) -> bool:
        """Whether lane `new` reads now what lane `old` read before."""
        if old >= len(was.lanes) or new >= len(now.lanes):
            return False
        before, after = was.lanes[old], now.lanes[new]
        if before is None:
            return True
        if isinstance(was.register, Uniform | Literal32):
            return now.register == was.register and after == before
        if after is None:
            return self.state.undefined((was.register, before))
        return self.state.holds((now.register, after), (was.register, before))

    # results ---------------------------------------------------------------------------------
    def results(self) -> dict[Component, list[Component]]:
        """The locations written, and the original components that each holds afterwards."""
        found: dict[Component, list[Component]] = {}
        for was, now in zip(self.original.defs, self.instruction.defs, strict=True):
            if len(set(now.lanes)) < len(now.lanes):
                self.report("two lanes are written to one component")
            for index, place in enumerate(now.lanes):
                found[now.register, place] = [
                    (was.register, lane)
                    for number, lane in enumerate(was.lanes)
                    if self._lands(was, now, number, index)
                ]
            if self.original.is_move:
                continue  # Lanes that move nothing may be gone; their values are followed through the original.
            here = {name for place in now.lanes for name in found[now.register, place]}
            for name in components([was]):
                if name not in here:
                    self.report(f"{name[0]}.{name[1]} is written nowhere")
        return found

    def _lands(self, was: Def, now: Def, old: int, new: int) -> bool:
        """Whether what lane `old` of the result was is in lane `new` now."""
        location, name = (now.register, now.lanes[new]), (was.register, was.lanes[old])
        if self.instruction.conditional and not self.state.holds(location, name):
            return False  # Some lanes of the wave keep the old contents, which must be there.
        mode = self.instruction.op.result
        if mode == "replicate":
            return True
        if mode == "fixed":
            return was.lanes[old] == now.lanes[new]
        if self.together:
            return all(self._agrees(before, after, old, new) for before, after in self.together)
        return old == new

    # registers -------------------------------------------------------------------------------
    def registers(self, bank: Bank) -> None:
        """Check classes and what the opcode demands of registers."""
        instruction, op = self.instruction, self.instruction.op
        for old, new in zip(self.original.defs, instruction.defs, strict=True):
            self._class(old.register, new.register)
        own = [instruction.uses[source] for _, source in op.tied]
        for was, now, mode in self.original.pairs():
            self._class(was.register, now.register)
            # Sources with demands of their own may read a copy in another order.
            if mode != "fixed" and not any(now is use for use in own):
                self._order(was, now)
        for number, source in op.tied:
            target, use = instruction.defs[number], instruction.uses[source]
            if target.register != use.register or target.lanes != use.lanes:
                self.report("the result is not the register that is read and overwritten")
        results = {target.register for target in instruction.defs}
        if op.early_clobber and any(use.register in results for use in instruction.all_uses()):
            self.report("the result shares a register with a source")
        for first, count in op.contiguous:
            self._run([use.register for use in instruction.uses[first : first + count]])
        for group in op.separate:
            self._banks([instruction.uses[number].register for number in group if number < len(instruction.uses)], bank)

    def _class(self, old: Place, new: Place) -> None:
        if isinstance(new, VirtualRegister):
            self.report(f"{old} has no physical register")
        elif isinstance(old, VirtualRegister) and new not in old.register_class.members:
            self.report(f"{old} is in {new}, which is not in its class {old.register_class}")

    def _order(self, was: Use, now: Use) -> None:
        ordered = isinstance(was.register, VirtualRegister) and was.register.ordered
        if ordered and not {lane for lane in now.lanes if lane is not None} <= set(was.lanes):
            self.report(f"the components of {was.register} are not in their order")

    def _run(self, registers: list[Place]) -> None:
        first = registers[0]
        for offset, register in enumerate(registers):
            if not isinstance(first, Register) or not isinstance(register, Register):
                continue
            if (register.file, register.index) != (first.file, first.index + offset):
                self.report(f"{register} is not number {offset} after {first}")

    def _banks(self, registers: list[Place], bank: Bank) -> None:
        physical = dict.fromkeys(register for register in registers if isinstance(register, Register))
        banks = [each for each in map(bank, physical) if each is not None]
        if len(banks) > len(set(banks)):
            self.report("two registers of one bank are read")


def _modifiers(use: Use) -> tuple[object, ...]:
    return use.negate, use.absolute, use.extra, use.relative is None
