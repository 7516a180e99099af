"""Affinities: which components the readers and writers of parts prefer, so that few swizzles are needed.

A lane of a source prefers the component that the lane has in the result, or the slot of the opcode.  Parts that are
read and written in the same lane are *affine*: each prefers the component of the other, once that is known (as in
Koseki, Komatsu and Nakatani, "Preference-directed graph coloring", 2002, for components instead of registers).
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.codegen.machine import Def, MachineFunction, Use
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundles, Part
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel
from glslc_multi.compiler.codegen.registers import COMPONENTS, Register


class Affinities:
    """The cost of each component for each part."""

    def __init__(self, function: MachineFunction, bundles: LiveBundles) -> None:
        self.part_of = bundles.part_of
        self.numbering = bundles.numbering
        parts = [part for bundle in bundles.all for part in bundle.parts]
        #: For each component of a register its cost, without the affine parts.
        self.costs = {part: [0] * COMPONENTS for part in parts}
        #: The affine parts of each, as often as they are so.
        self.affine: dict[Part, list[Part]] = {part: [] for part in parts}
        for instruction in function.instructions():
            # Add the affinities of an instruction.
            each = instruction.op.result == "each" and len(instruction.defs) == 1
            target = instruction.defs[0] if each else None
            result = self.numbering.first(target.register) if target is not None else None
            for use, mode in zip(instruction.uses, instruction.op.sources, strict=False):
                if mode == "slots":
                    self._prefer(use, range(len(use.lanes)))
                elif mode == "each" and target is not None:
                    self._pair(use, target, result)
        if has_costs(bundles.model):
            self._add_costs(bundles)

    def _prefer(self, operand: Use | Def, components: Iterable[int]) -> None:
        """The lanes of an operand prefer these components."""
        first = self.numbering.first(operand.register)
        if first is None:
            return
        for lane, component in zip(operand.lanes, components, strict=False):
            part = None if lane is None else self.part_of[first + lane]
            if part is not None and component < COMPONENTS:
                self.costs[part][component] -= 1

    def _pair(self, use: Use, target: Def, result: int | None) -> None:
        """A source and the result that goes with it lane by lane; the result's first lane unit, if it has one."""
        source = self.numbering.first(use.register)
        if source is None and result is not None and isinstance(use.register, Register):
            read = [(to, lane) for to, lane in zip(target.lanes, use.lanes, strict=False) if lane is not None]
            self._prefer(Def(target.register, tuple(to for to, _ in read)), [lane for _, lane in read])
        elif source is not None and result is None:
            self._prefer(use, target.lanes)
        elif source is not None and result is not None:
            part_of, affine = self.part_of, self.affine
            for lane, written in zip(use.lanes, target.lanes, strict=False):
                one, other = part_of[result + written], None if lane is None else part_of[source + lane]
                if one is not None and other is not None and one is not other:
                    affine[one].append(other)
                    affine[other].append(one)

    def _add_costs(self, bundles: LiveBundles) -> None:
        """The costs that the target gives."""
        for register, first in zip(bundles.registers, self.numbering.virtual, strict=True):
            for lane in range(register.width):
                costs = self.costs[bundles.part(first + lane)]
                for component in range(COMPONENTS):
                    costs[component] += bundles.model.component_cost(register, lane, component)


def has_costs(model: RegisterModel) -> bool:
    """Whether the target minds which components are taken."""
    return type(model).component_cost is not RegisterModel.component_cost
