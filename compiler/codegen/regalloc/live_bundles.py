"""Live-range bundles: what is assigned as one.

A `Part` is a set of lane units that will be in one physical component; a `LiveBundle` holds parts that will be in one
register.  At first every virtual register is a bundle with a part for each component; every physical register that the
code names is a bundle with one candidate.
Coalescing then joins parts and with them their bundles.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.codegen.machine import Def, MachineFunction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.constraints import Demands
from glslc_multi.compiler.codegen.regalloc.liveness import Liveness, Numbering, bits
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel
from glslc_multi.compiler.codegen.registers import Register, RegisterClass


class Part:
    """Lane units of one physical component."""

    __slots__ = ("bundle", "components", "definitions", "range", "units")

    def __init__(self, bundle: LiveBundle, units: int, components: int, range: int, definitions: int) -> None:
        self.bundle = bundle
        #: A set of lane units.
        self.units = units
        #: The components of the register that it may be, as a set.
        self.components = components
        #: The points where it is live, and where it is written.
        self.range = range
        self.definitions = definitions


class LiveBundle:
    """Parts of one register."""

    __slots__ = ("allocation_order", "apart", "candidates", "number", "parts", "separate", "widest")

    def __init__(self, number: int, candidates: int, order: tuple[int, ...]) -> None:
        self.number = number
        self.parts: list[Part] = []
        #: The set of registers that it may be.
        self.candidates = candidates
        #: The registers that some member could be, were it not joined with others.
        self.widest = candidates
        #: The candidates, best ones first; some may not be in `candidates`.
        self.allocation_order = order
        #: Pairs of lane units of which one is here: in different registers; in one register or in different banks.
        self.apart: list[tuple[int, int]] = []
        self.separate: list[tuple[int, int]] = []

    @property
    def range(self) -> int:
        """The points where something in it is live."""
        result = 0
        for part in self.parts:
            result |= part.range
        return result


class LiveBundles:
    """All live-range bundles of a function."""

    def __init__(self, function: MachineFunction, liveness: Liveness, demands: Demands, model: RegisterModel) -> None:
        self.function = function
        self.liveness = liveness
        self.model = model
        self.all: list[LiveBundle] = []
        #: The part of every lane unit; None for those of physical registers that the code does not name.
        self.part_of: list[Part | None] = [None] * self.numbering.unit_count
        #: The virtual registers that bundles were made of.
        self.registers = list(function.registers)
        #: How many lane units are components of virtual registers; they are the first ones.
        self.virtual_units = sum(register.width for register in function.registers)
        #: Virtual registers by their first unit.
        self._starts = {self.numbering.virtual[register.id]: register for register in self.registers}
        self._others_of_bank: dict[Register, int] = {}
        self._classes: dict[RegisterClass, tuple[int, tuple[int, ...]]] = {}
        for register in function.registers:
            fixed = demands.fixed.get(register, {})
            candidates, order = self._class(register.register_class)
            bundle = self._new_bundle(candidates, order)
            components = register.register_class.members[0].components
            for component in range(register.width):
                wanted = component if register.ordered else fixed.get(component)
                mask = (1 << components) - 1 if wanted is None else 1 << wanted
                self._add_part(bundle, self.numbering.virtual[register.id] + component, mask)
        for physical in self.numbering.number:
            self._add_physical(physical)
        for target, use in demands.apart:
            self._relate("apart", target, use)
        for first, second in demands.separate:
            self._separate(first, second)

    @property
    def numbering(self) -> Numbering:
        return self.liveness.numbering

    def part(self, unit: int) -> Part:
        part = self.part_of[unit]
        assert part is not None
        return part

    def registers_of(self, bundle: LiveBundle) -> list[VirtualRegister]:
        """The virtual registers that a bundle holds."""
        units = {unit for part in bundle.parts for unit in bits(part.units)}
        return [self._starts[unit] for unit in sorted(units) if unit in self._starts]

    def release(self) -> None:
        """Let parts go, which refer to their bundles as these do to them, without the collector of cyclic garbage."""
        for bundle in self.all:
            bundle.parts = []

    # building --------------------------------------------------------------------------------
    def _new_bundle(self, candidates: int, order: tuple[int, ...]) -> LiveBundle:
        bundle = LiveBundle(len(self.all), candidates, order)
        self.all.append(bundle)
        return bundle

    def _add_part(self, bundle: LiveBundle, unit: int, components: int) -> None:
        part = Part(bundle, 1 << unit, components, self.liveness.ranges[unit], self.liveness.definitions[unit])
        bundle.parts.append(part)
        self.part_of[unit] = part

    def _add_physical(self, register: Register) -> None:
        first = self.numbering.first_physical[register]
        units = [first + component for component in range(register.components)]
        if not any(self.liveness.ranges[unit] for unit in units):
            return
        number = self.numbering.number[register]
        bundle = self._new_bundle(1 << number, (number,))
        for component, unit in enumerate(units):
            self._add_part(bundle, unit, 1 << component)

    def _class(self, register_class: RegisterClass) -> tuple[int, tuple[int, ...]]:
        """The members of a class that may be used: as a set, and in order."""
        masks = self._classes.get(register_class)
        if masks is None:
            members = [member for member in register_class.members if member not in self.model.reserve]
            order = tuple(self.numbering.number[member] for member in members)
            masks = self._classes[register_class] = (_union(order), order)
        return masks

    # relations -------------------------------------------------------------------------------
    def _relate(self, kind: str, first: Def | Use, second: Def | Use) -> None:
        """Note a relation between the registers of two operands."""
        a, b = self.numbering.first(first.register), self.numbering.first(second.register)
        if a is None or b is None or self.part_of[a] is None or self.part_of[b] is None:
            return
        for unit in (a, b):
            relations: list[tuple[int, int]] = getattr(self.part(unit).bundle, kind)
            relations.append((a, b))

    def _separate(self, first: Use, second: Use) -> None:
        self._relate("separate", first, second)
        for physical, other in ((first.register, second), (second.register, first)):
            if isinstance(physical, Register) and isinstance(other.register, VirtualRegister):
                bundle = self.part(self.numbering.virtual[other.register.id]).bundle
                bundle.candidates &= ~self.others_of_bank(physical)

    def others_of_bank(self, register: Register) -> int:
        """The registers that hinder reads of this one, as a set."""
        mask = self._others_of_bank.get(register)
        if mask is None:
            bank, numbers = self.model.bank(register), self.numbering.number
            others = (
                number for other, number in numbers.items() if other != register and self.model.bank(other) == bank
            )
            mask = self._others_of_bank[register] = 0 if bank is None else _union(others)
        return mask


def _union(numbers: Iterable[int]) -> int:
    result = 0
    for number in numbers:
        result |= 1 << number
    return result


#: How many steps the question whether parts fit into one register may take; then the answer is no.
_FITTING_STEPS = 64


def fitting(parts: list[Part], components: int) -> bool:
    """Whether parts of one register get components there, so that those of one component do not interfere."""
    anywhere = (1 << components) - 1
    if len(parts) <= components and all(part.components == anywhere for part in parts):
        return True
    return _Fitting(parts, components).fit(0)


class _Fitting:
    """The search for components in one register, parts with little choice first."""

    def __init__(self, parts: list[Part], components: int) -> None:
        self.parts = sorted(parts, key=lambda part: (part.components.bit_count(), part.range & -part.range))
        #: The points at which each component is occupied.
        self.occupied = [0] * components
        self.steps = 0

    def fit(self, index: int) -> bool:
        """Whether the parts from one on get components."""
        self.steps += 1
        if index == len(self.parts) or self.steps > _FITTING_STEPS:
            return index == len(self.parts)
        part, occupied = self.parts[index], self.occupied
        for component, points in enumerate(occupied):
            if part.components >> component & 1 and not points & part.range:
                occupied[component] = points | part.range
                if self.fit(index + 1):
                    return True
                occupied[component] = points
        return False
