"""Splitting: where one value finds no room for its whole life, copies divide it.

Three ways.  A value that must not meet others at a port is read through copies, which find other registers for the
moment.  A vector whose components are read in one register only now and then becomes scalars, which find room in
what others leave over; it is put together in front of a reader that needs it whole.  A value whose class has few
registers waits in another class (`RegisterModel.class_for_waiting`) from its writers to its readers.
"""

from __future__ import annotations

from compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use, VirtualRegister
from compiler.codegen.regalloc.clusters import Cluster, Clusters
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.registers import RegisterClass


class Splitter:
    """Splits the values of one function, each at most once."""

    def __init__(self, function: MachineFunction, model: RegisterModel) -> None:
        self.function = function
        self.model = model
        #: What was split, and what came of it.
        self.done: set[VirtualRegister] = set()

    def split(self, clusters: Clusters, failed: Cluster, peak: int, count: int) -> bool:
        """Split up to `count` values so that `failed` may find room; False where nothing is left to be tried."""
        splits = 0
        while splits < count and self._split_one(clusters, failed, peak):
            splits += 1
        return splits > 0

    def _split_one(self, clusters: Clusters, failed: Cluster, peak: int) -> bool:
        own = [register for register in clusters.registers_of(failed) if register not in self.done]
        for register in own:
            if failed.separate and self._relieve(register):
                return True
            waiting = self.model.class_for_waiting(register.register_class)
            if waiting is not None:
                self._divide(register, [tuple(range(register.width))], waiting)
                return True
        vector = self._vector(clusters, failed, peak, own)
        if vector is None:
            return False
        self._divide(vector, [(component,) for component in range(vector.width)], vector.register_class)
        return True

    def _vector(
        self, clusters: Clusters, failed: Cluster, peak: int, own: list[VirtualRegister]
    ) -> VirtualRegister | None:
        """The vector to make scalars of: one that lives long at the peak, else one of the failed cluster."""
        first, ranges = clusters.numbering.virtual, clusters.liveness.ranges
        best, longest = None, 0
        for register in clusters.registers:
            if register.width == 1 or register in self.done:
                continue
            life = 0
            for component in range(register.width):
                life |= ranges[first[register.id] + component]
            at_peak = life >> peak & 1 or register in own
            shares = any(a & b for a in clusters.part(first[register.id]).cluster.homes for b in failed.homes)
            if at_peak and shares and life.bit_count() > longest:
                best, longest = register, life.bit_count()
        return best

    def _relieve(self, register: VirtualRegister) -> bool:
        """Let instructions whose sources must be separate read copies; False where none reads `register`."""
        self.done.add(register)
        changed = False
        for block in self.function.blocks:
            made: list[MachineInstruction] = []
            for instruction in block.instructions:
                numbers = {number for group in instruction.op.separate for number in group}
                uses = [use for number, use in enumerate(instruction.uses) if number in numbers]
                uses = [use for use in uses if use.register is register]
                if uses:
                    fresh = self._new(register, register.width, register.register_class)
                    lanes = tuple(sorted({lane for use in uses for lane in use.lanes if lane is not None}))
                    made.append(self._copy(Def(fresh, lanes), Use(register, lanes), instruction))
                    changed = True
                    for use in uses:
                        use.register = fresh
                made.append(instruction)
            block.instructions = made
        return changed

    def _divide(self, register: VirtualRegister, pieces: list[tuple[int, ...]], waiting: RegisterClass) -> None:
        """Keep the components of `register` in one register for each piece between writers and readers."""
        self.done.add(register)
        places: dict[int, tuple[VirtualRegister, int]] = {}
        for piece in pieces:
            kept = self._new(register, len(piece), waiting)
            places.update((component, (kept, index)) for index, component in enumerate(piece))
        for block in self.function.blocks:
            made: list[MachineInstruction] = []
            for instruction in block.instructions:
                made += self._around(instruction, register, places)
            block.instructions = made

    def _new(self, like: VirtualRegister, width: int, register_class: RegisterClass) -> VirtualRegister:
        made = self.function.new_register(width, register_class, name=like.name, span=like.span)
        self.done.add(made)
        return made

    def _around(
        self, instruction: MachineInstruction, register: VirtualRegister, places: dict[int, tuple[VirtualRegister, int]]
    ) -> list[MachineInstruction]:
        """An instruction with copies from and to the pieces."""
        uses = [use for use in instruction.all_uses() if use.register is register]
        defs = [target for target in instruction.defs if target.register is register]
        if not uses and not defs:
            return [instruction]
        whole = self.function.new_register(
            register.width, register.register_class, ordered=register.ordered, name=register.name, span=register.span
        )
        self.done.add(whole)
        read = {lane for use in uses for lane in use.lanes if lane is not None}
        written = sorted({lane for target in defs for lane in target.lanes})
        if instruction.conditional:
            read.update(written)
        before = [self._copy(Def(whole, (k,)), _piece(places[k]), instruction) for k in sorted(read)]
        after = [self._copy(_target(places[k]), Use(whole, (k,)), instruction) for k in written]
        for use in uses:
            use.register = whole
        for target in defs:
            target.register = whole
        return [*before, instruction, *after]

    def _copy(self, target: Def, source: Use, instruction: MachineInstruction) -> MachineInstruction:
        made = self.model.copy(target, source)
        made.span = instruction.span
        return made


def _piece(place: tuple[VirtualRegister, int]) -> Use:
    return Use(place[0], (place[1],))


def _target(place: tuple[VirtualRegister, int]) -> Def:
    return Def(place[0], (place[1],))
