"""Live-range splitting: a value for which no register is free all the time is divided by copies.

Every definition and use gets a short range of its own, as in Chaitin's spilling ("Register allocation and spilling via
graph coloring", 1982), but the value stays in registers in between: a vector in as many scalars as it has components,
which fit into what others leave free.  A value that must not share a bank with others is read through copies.
"""

from __future__ import annotations

from glslc_multi.compiler.codegen.copies import lanes_read
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundle, LiveBundles
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel


class Splitter:
    """Splits the values of one function, each at most once."""

    def __init__(self, function: MachineFunction, model: RegisterModel) -> None:
        self.function = function
        self.model = model
        #: What was split, and what came of it.
        self.done: set[VirtualRegister] = set()

    def split(self, bundles: LiveBundles, failed: LiveBundle, peak: int, count: int) -> bool:
        """Split up to `count` values so that `failed` may be assigned; False where nothing is left to be tried."""
        splits = 0
        while splits < count and self._split_one(bundles, failed, peak):
            splits += 1
        return splits > 0

    def _split_one(self, bundles: LiveBundles, failed: LiveBundle, peak: int) -> bool:
        own = [register for register in bundles.registers_of(failed) if register not in self.done]
        for register in own:
            if failed.separate and self._relieve(register):
                return True
        # The vector to make scalars of: one that lives long at the peak, else one of the failed bundle.
        first, ranges = bundles.numbering.virtual, bundles.liveness.ranges
        vector, longest = None, 0
        for register in bundles.registers:
            if register.width == 1 or register in self.done:
                continue
            life = 0
            for component in range(register.width):
                life |= ranges[first[register.id] + component]
            at_peak = life >> peak & 1 or register in own
            shares = bundles.part(first[register.id]).bundle.candidates & failed.candidates
            if at_peak and shares and life.bit_count() > longest:
                vector, longest = register, life.bit_count()
        if vector is None:
            return False
        # Keep each component in a register of its own between writers and readers.
        self.done.add(vector)
        scalars = [self._new(vector, 1) for _ in range(vector.width)]
        for block in self.function.blocks:
            instructions: list[MachineInstruction] = []
            for instruction in block.instructions:
                instructions += self._around(instruction, vector, scalars)
            block.instructions = instructions
        return True

    def _relieve(self, register: VirtualRegister) -> bool:
        """Let instructions whose sources must be separate read copies; False where none reads `register`."""
        self.done.add(register)
        changed = False
        for block in self.function.blocks:
            instructions: list[MachineInstruction] = []
            for instruction in block.instructions:
                numbers = {number for group in instruction.op.separate for number in group}
                uses = [use for number, use in enumerate(instruction.uses) if number in numbers]
                uses = [use for use in uses if use.register is register]
                if uses:
                    fresh = self._new(register, register.width)
                    lanes = lanes_read(uses)
                    instructions.append(self._copy(Def(fresh, lanes), Use(register, lanes), instruction))
                    changed = True
                    for use in uses:
                        use.register = fresh
                instructions.append(instruction)
            block.instructions = instructions
        return changed

    def _new(self, like: VirtualRegister, width: int) -> VirtualRegister:
        register = self.function.new_register(width, like.register_class, name=like.name, span=like.span)
        self.done.add(register)
        return register

    def _around(
        self, instruction: MachineInstruction, register: VirtualRegister, scalars: list[VirtualRegister]
    ) -> list[MachineInstruction]:
        """An instruction with copies from and to the scalars."""
        uses = [use for use in instruction.all_uses() if use.register is register]
        defs = [target for target in instruction.defs if target.register is register]
        if not uses and not defs:
            return [instruction]
        whole = self.function.new_register(
            register.width, register.register_class, ordered=register.ordered, name=register.name, span=register.span
        )
        self.done.add(whole)
        read = {*lanes_read(uses)}
        written = sorted({lane for target in defs for lane in target.lanes})
        if instruction.conditional:
            read.update(written)
        before = [self._copy(Def(whole, (k,)), Use(scalars[k], (0,)), instruction) for k in sorted(read)]
        after = [self._copy(Def(scalars[k], (0,)), Use(whole, (k,)), instruction) for k in written]
        for use in uses:
            use.register = whole
        for target in defs:
            target.register = whole
        return [*before, instruction, *after]

    def _copy(self, target: Def, source: Use, instruction: MachineInstruction) -> MachineInstruction:
        made = self.model.copy(target, source)
        made.span = instruction.span
        return made
