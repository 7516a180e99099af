"""What opcodes demand of the registers of their operands, and copies where two demands contradict each other.

Goes in: machine code on virtual registers.  Comes out: the same with a few copies more, and the demands that
assignment must fulfil.  A copy gives an operand a register of its own, so that its demand contradicts no other one;
coalescing removes it again where one register fulfils both.
"""

from __future__ import annotations

from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel
from glslc_multi.compiler.codegen.registers import Register, RegisterClass
from glslc_multi.compiler.records import dataclass, field


@dataclass(slots=True)
class Demands:
    """What assignment must fulfil beside classes, order and live ranges."""

    #: Register -> component -> component of the physical register that it must be.
    fixed: dict[VirtualRegister, dict[int, int]] = field(default_factory=dict)
    #: Results and sources that must be in different registers.
    apart: list[tuple[Def, Use]] = field(default_factory=list)
    #: Sources that must be one register, or of different banks.
    separate: list[tuple[Use, Use]] = field(default_factory=list)

    def fix(self, register: VirtualRegister, wanted: dict[int, int]) -> bool:
        """Add a demand for components; False when it contradicts what is there."""
        components = self.fixed.get(register, {})
        together = components | wanted
        agreed = all(together[component] == slot for component, slot in components.items())
        if not agreed or len(set(together.values())) < len(together):
            return False
        if register.ordered and any(component != slot for component, slot in wanted.items()):
            return False
        self.fixed[register] = together
        return True


def collect_demands(function: MachineFunction, model: RegisterModel) -> Demands:
    """The demands of all instructions; where they contradict each other, copies are inserted."""
    return _Collector(function, model).run()


class _Collector:
    """The walk over a function."""

    def __init__(self, function: MachineFunction, model: RegisterModel) -> None:
        self.function = function
        self.model = model
        self.demands = Demands()
        #: Copies around the instruction at hand.
        self.before: list[MachineInstruction] = []
        self.after: list[MachineInstruction] = []

    def run(self) -> Demands:
        for block in self.function.blocks:
            instructions: list[MachineInstruction] = []
            for instruction in block.instructions:
                self.before, self.after = [], []
                self._instruction(instruction)
                instructions += [*self.before, instruction, *self.after]
            block.instructions = instructions
        return self.demands

    def _instruction(self, instruction: MachineInstruction) -> None:
        op = instruction.op
        for number, source in op.tied:
            self._tie(instruction, instruction.defs[number], source)
        if op.early_clobber:
            for target in instruction.defs:
                if any(use.register == target.register for use in instruction.all_uses()):
                    self._own_result(instruction, target)
                self.demands.apart += [(target, use) for use in instruction.all_uses()]
        if op.result == "fixed":
            for target in instruction.defs:
                register = target.register
                if isinstance(register, VirtualRegister) and not self.demands.fix(
                    register, {k: k for k in target.lanes}
                ):
                    self._own_result(instruction, target)
                    assert isinstance(target.register, VirtualRegister)
                    self.demands.fix(target.register, {k: k for k in target.lanes})
        for use, mode in zip(instruction.uses, op.sources, strict=False):
            if mode == "fixed":
                self._fix_source(instruction, use)
        for group in op.separate:
            uses = [instruction.uses[number] for number in group if number < len(instruction.uses)]
            pairs = [(a, b) for index, a in enumerate(uses) for b in uses[index + 1 :]]
            self.demands.separate += [(a, b) for a, b in pairs if a.register != b.register]

    # results ---------------------------------------------------------------------------------
    def _tie(self, instruction: MachineInstruction, target: Def, number: int) -> None:
        """Make the tied source, which must be a register, that of the result, by a copy before the instruction."""
        source = instruction.uses[number]
        if source.register == target.register and source.lanes == target.lanes:
            return
        others = [use for index, use in enumerate(instruction.uses) if index != number]
        if any(use.register == target.register for use in [*others, *(u.relative for u in others if u.relative)]):
            self._own_result(instruction, target)
        assert isinstance(source.register, VirtualRegister | Register)
        kept = [(to, lane) for to, lane in zip(target.lanes, source.lanes, strict=True) if lane is not None]
        if kept:
            copied = Def(target.register, tuple(to for to, _ in kept))
            self._copy(self.before, instruction, copied, Use(source.register, tuple(lane for _, lane in kept)))
        source.register, source.lanes = target.register, target.lanes

    def _own_result(self, instruction: MachineInstruction, target: Def) -> None:
        """Give a result a register of its own, copied to the old one afterwards."""
        old = target.register
        register = self._fresh(max(target.lanes) + 1, old, instruction)
        if instruction.conditional:
            self._copy(self.before, instruction, Def(register, target.lanes), Use(old, target.lanes))
        self._copy(self.after, instruction, Def(old, target.lanes), Use(register, target.lanes))
        target.register = register

    # sources ---------------------------------------------------------------------------------
    def _fix_source(self, instruction: MachineInstruction, use: Use) -> None:
        """Lane k of the source sits in component k."""
        register = use.register
        if not isinstance(register, VirtualRegister):
            return
        wanted: dict[int, int] = {}
        for slot, component in enumerate(use.lanes):
            if component is not None and wanted.setdefault(component, slot) != slot:
                self._own_source(instruction, use)
                return
        if not self.demands.fix(register, wanted):
            self._own_source(instruction, use)

    def _own_source(self, instruction: MachineInstruction, use: Use) -> None:
        """Read a copy whose components are in the order of the lanes."""
        register = self._fresh(len(use.lanes), use.register, instruction)
        slots = tuple(slot for slot, component in enumerate(use.lanes) if component is not None)
        lanes = tuple(component for component in use.lanes if component is not None)
        self._copy(self.before, instruction, Def(register, slots), Use(use.register, lanes))
        use.lanes = tuple(None if lane is None else slot for slot, lane in enumerate(use.lanes))
        use.register = register
        self.demands.fix(register, {slot: slot for slot in slots})

    # copies ----------------------------------------------------------------------------------
    def _fresh(self, width: int, like: AnyRegister, instruction: MachineInstruction) -> VirtualRegister:
        """A register for a copy of `like`."""
        name = like.name if isinstance(like, VirtualRegister) else ""
        register_class = like.register_class if isinstance(like, VirtualRegister) else self._largest_class()
        return self.function.new_register(width, register_class, name=name, span=instruction.span)

    def _largest_class(self) -> RegisterClass:
        """Where a copy of a physical register goes."""
        return max(
            (register.register_class for register in self.function.registers), key=lambda each: len(each.members)
        )

    def _copy(
        self, copies: list[MachineInstruction], instruction: MachineInstruction, target: Def, source: Use
    ) -> None:
        copy_ = self.model.copy(target, source)
        copy_.span = instruction.span
        copies.append(copy_)
