"""The function in physical form: operands name the registers and components that were assigned.

Instructions keep their identity.  Lanes of a result and of the sources that go with it are brought into the order
of the components written; lanes that read what nobody wrote become None; copies from a register to itself, or whose
target nobody reads, vanish.
"""

from __future__ import annotations

from itertools import pairwise

from glslc_multi.compiler.codegen.machine import Def, Lanes, MachineFunction, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.assign import Assignment
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundles, Part
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel
from glslc_multi.compiler.codegen.registers import Register


def rewrite(function: MachineFunction, bundles: LiveBundles, assignment: Assignment, model: RegisterModel) -> None:
    """Replace all virtual registers of `function`."""
    _Rewriter(bundles, assignment, model).run(function)


class _Rewriter:
    """The walk over a function."""

    def __init__(self, bundles: LiveBundles, assignment: Assignment, model: RegisterModel) -> None:
        self.liveness = bundles.liveness
        self.model = model
        #: By id of a virtual register its first lane unit, and the register assigned to it.
        self.first = bundles.numbering.virtual
        self.register = [_register(bundles.part(unit), bundles, assignment) for unit in self.first]
        #: By lane unit of a virtual register, its component.
        self.component = [assignment.components[bundles.part(unit)] for unit in range(bundles.virtual_units)]

    def run(self, function: MachineFunction) -> None:
        for block in function.blocks:
            start, _ = self.liveness.span(block)
            block.instructions = [
                instruction
                for index, instruction in enumerate(block.instructions, start)
                if self._instruction(instruction, 2 * index)
            ]
        function.registers = []

    def _instruction(self, instruction: MachineInstruction, point: int) -> bool:
        """Rewrite an instruction; False when nothing is left of it."""
        is_copy = self.model.is_copy(instruction)
        dead = [self._dead_lanes(target, point // 2) for target in instruction.defs] if is_copy else []
        for use in instruction.all_uses():
            self._source(use, point)
        for target in instruction.defs:
            register = target.register
            if isinstance(register, VirtualRegister):
                first, component = self.first[register.id], self.component
                target.lanes = tuple([component[first + lane] for lane in target.lanes])
                target.register = self.register[register.id]
        for number, source in instruction.op.tied:
            instruction.uses[source].lanes = instruction.defs[number].lanes
        if is_copy and not self._narrow_copy(instruction, dead[0]):
            return False
        sort_lanes(instruction)
        return True

    def _source(self, use: Use, point: int) -> None:
        register = use.register
        if not isinstance(register, VirtualRegister):
            return
        first, ranges, component = self.first[register.id], self.liveness.ranges, self.component
        lanes: Lanes = tuple(
            [
                None if lane is None or not ranges[first + lane] >> point & 1 else component[first + lane]
                for lane in use.lanes
            ]
        )
        use.register, use.lanes = self.register[register.id], lanes

    def _dead_lanes(self, target: Def, index: int) -> list[bool]:
        """For each lane whether what it writes is never read."""
        register = target.register
        if not isinstance(register, VirtualRegister):
            return [False] * len(target.lanes)
        first, dead = self.first[register.id], self.liveness.dead
        return [(index, first + lane) in dead for lane in target.lanes]

    def _narrow_copy(self, instruction: MachineInstruction, dead: list[bool]) -> bool:
        """Keep the lanes of a copy that move something somebody reads, each once; False when there is none."""
        target, source = instruction.defs[0], instruction.uses[0]
        same = target.register == source.register
        kept = dict.fromkeys(
            (to, origin)
            for to, origin, unread in zip(target.lanes, source.lanes, dead, strict=True)
            if not unread and origin is not None and not (same and to == origin)
        )
        target.lanes = tuple(to for to, _ in kept)
        source.lanes = tuple(origin for _, origin in kept)
        return bool(kept)


def _register(part: Part, bundles: LiveBundles, assignment: Assignment) -> Register:
    register = bundles.numbering.registers[assignment.registers[part.bundle]]
    assert register is not None
    return register


def sort_lanes(instruction: MachineInstruction) -> None:
    """Bring the lanes of a result, and of the sources that belong to them, into the order of components."""
    if len(instruction.defs) != 1 or instruction.op.result not in ("each", "replicate"):
        return
    if instruction.op.result == "each" and "each" not in instruction.op.sources:
        return
    target = instruction.defs[0]
    if all(first < second for first, second in pairwise(target.lanes)):
        return
    order = sorted(range(len(target.lanes)), key=target.lanes.__getitem__)
    target.lanes = tuple(target.lanes[index] for index in order)
    if instruction.op.result == "replicate":
        return
    for use, mode in zip(instruction.uses, instruction.op.sources, strict=False):
        if mode == "each":
            use.lanes = tuple(use.lanes[index] for index in order)
