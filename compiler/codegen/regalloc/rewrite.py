"""The function in physical form: operands name the registers and components that placing chose.

Instructions keep their identity.  Lanes of a result and of the sources that go with it are brought into the order
of the components written; lanes that read what nobody wrote become None; copies that stay in their place, or whose
target nobody reads, vanish.
"""

from __future__ import annotations

from compiler.codegen.machine import Def, Lanes, MachineFunction, MachineInstruction, Use, VirtualRegister
from compiler.codegen.regalloc.clusters import Clusters
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.regalloc.place import Placement
from compiler.codegen.registers import Register


def rewrite(function: MachineFunction, clusters: Clusters, placement: Placement, model: RegisterModel) -> None:
    """Replace all virtual registers of `function`."""
    _Rewriter(clusters, placement, model).run(function)


class _Rewriter:
    """The walk over a function."""

    def __init__(self, clusters: Clusters, placement: Placement, model: RegisterModel) -> None:
        self.clusters = clusters
        self.placement = placement
        self.model = model

    def run(self, function: MachineFunction) -> None:
        for block in function.blocks:
            start, _ = self.clusters.liveness.span(block)
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
            self._result(target)
        for number, source in instruction.op.tied:
            instruction.uses[source].lanes = instruction.defs[number].lanes
        if is_copy and not self._narrow_copy(instruction, dead[0]):
            return False
        sort_lanes(instruction)
        return True

    def _home(self, register: VirtualRegister) -> Register:
        part = self.clusters.part(self.clusters.numbering.virtual[register.id])
        home = self.clusters.numbering.homes[self.placement.homes[part.cluster] + part.row]
        assert home is not None
        return home

    def _component(self, register: VirtualRegister, lane: int) -> int:
        atom = self.clusters.numbering.virtual[register.id] + lane
        return self.placement.components[self.clusters.part(atom)]

    def _source(self, use: Use, point: int) -> None:
        register = use.register
        if not isinstance(register, VirtualRegister):
            return
        first, ranges = self.clusters.numbering.virtual[register.id], self.clusters.liveness.ranges
        lanes: Lanes = tuple(
            None if lane is None or not ranges[first + lane] >> point & 1 else self._component(register, lane)
            for lane in use.lanes
        )
        use.register, use.lanes = self._home(register), lanes

    def _result(self, target: Def) -> None:
        register = target.register
        if isinstance(register, VirtualRegister):
            target.lanes = tuple(self._component(register, lane) for lane in target.lanes)
            target.register = self._home(register)

    def _dead_lanes(self, target: Def, index: int) -> list[bool]:
        """For each lane whether what it writes is never read."""
        register = target.register
        if not isinstance(register, VirtualRegister):
            return [False] * len(target.lanes)
        first, dead = self.clusters.numbering.virtual[register.id], self.clusters.liveness.dead
        return [(index, first + lane) in dead for lane in target.lanes]

    def _narrow_copy(self, instruction: MachineInstruction, dead: list[bool]) -> bool:
        """Keep the lanes of a copy that move something somebody reads; False when there is none."""
        target, source = instruction.defs[0], instruction.uses[0]
        same = target.register == source.register
        kept = [
            (to, origin)
            for to, origin, unread in zip(target.lanes, source.lanes, dead, strict=True)
            if not unread and origin is not None and not (same and to == origin)
        ]
        target.lanes = tuple(to for to, _ in kept)
        source.lanes = tuple(origin for _, origin in kept)
        return bool(kept)


def sort_lanes(instruction: MachineInstruction) -> None:
    """Bring the lanes of a result, and of the sources that belong to them, into the order of components."""
    if len(instruction.defs) != 1 or instruction.op.result not in ("each", "replicate"):
        return
    if instruction.op.result == "each" and "each" not in instruction.op.sources:
        return
    target = instruction.defs[0]
    order = sorted(range(len(target.lanes)), key=target.lanes.__getitem__)
    target.lanes = tuple(target.lanes[index] for index in order)
    if instruction.op.result == "replicate":
        return
    for use, mode in zip(instruction.uses, instruction.op.sources, strict=False):
        if mode == "each":
            use.lanes = tuple(use.lanes[index] for index in order)
