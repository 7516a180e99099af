"""What is placed as one: atoms that share a component, components that share a register, registers in a run.

A `Part` is a set of atoms that will be in one physical component; a `Cluster` holds parts that will be in one
register, or, where registers must follow each other, in one row each of a run of registers.  At first every virtual
register is a cluster of one row with a part for each component; every physical register that the code names is
a cluster that may go to one place only.  Coalescing then joins parts and with them their clusters.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.codegen.machine import Def, MachineFunction, Use, VirtualRegister
from compiler.codegen.regalloc.constraints import Demands
from compiler.codegen.regalloc.liveness import Liveness, Numbering
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.registers import Register, RegisterClass


class Part:
    """Atoms of one physical component."""

    __slots__ = ("atoms", "cluster", "definitions", "places", "range", "row")

    def __init__(self, cluster: Cluster, row: int, atoms: int, places: int) -> None:
        self.cluster = cluster
        self.row = row
        #: A set of atoms.
        self.atoms = atoms
        #: The components of the register that it may be, as a set.
        self.places = places
        #: Points where the contents matter, and where they are written.
        self.range = 0
        self.definitions = 0


class Cluster:
    """Parts of one register, or of a run of registers."""

    __slots__ = ("apart", "homes", "number", "order", "parts", "separate", "widest")

    def __init__(self, number: int, homes: list[int], order: tuple[int, ...]) -> None:
        self.number = number
        self.parts: list[Part] = []
        #: For each row the set of registers that it may be.
        self.homes = homes
        #: The registers that some member could be, were it not joined with others.
        self.widest = homes[0]
        #: The registers for the first row, best ones first; some may not be in `homes`.
        self.order = order
        #: Pairs of atoms of which one is here: in different registers; in one register or in different banks.
        self.apart: list[tuple[int, int]] = []
        self.separate: list[tuple[int, int]] = []

    @property
    def range(self) -> int:
        """Points where something in it matters."""
        result = 0
        for part in self.parts:
            result |= part.range
        return result


class Clusters:
    """All clusters of a function."""

    def __init__(self, function: MachineFunction, liveness: Liveness, demands: Demands, model: RegisterModel) -> None:
        self.function = function
        self.liveness = liveness
        self.model = model
        self.clusters: list[Cluster] = []
        #: The part of every atom; None for those of physical registers that the code does not name.
        self.part_of: list[Part | None] = [None] * self.numbering.atom_count
        #: The virtual registers that clusters were made of.
        self.registers = list(function.registers)
        #: How many atoms are components of virtual registers; they are the first ones.
        self.virtual_atoms = sum(register.width for register in function.registers)
        self._classes: dict[RegisterClass, tuple[int, tuple[int, ...]]] = {}
        self._others_of_bank: dict[Register, int] = {}
        for register in function.registers:
            self._add_virtual(register, demands.fixed.get(register, {}))
        for physical in self.numbering.number:
            self._add_physical(physical)
        for run in demands.runs:
            self._add_run(run)
        for target, use in demands.apart:
            self._relate("apart", target, use)
        for first, second in demands.separate:
            self._separate(first, second)

    @property
    def numbering(self) -> Numbering:
        return self.liveness.numbering

    def part(self, atom: int) -> Part:
        part = self.part_of[atom]
        assert part is not None
        return part

    def registers_of(self, cluster: Cluster) -> list[VirtualRegister]:
        """The virtual registers that are placed with a cluster."""
        return [
            register for register in self.registers if self.part(self.numbering.virtual[register.id]).cluster is cluster
        ]

    def release(self) -> None:
        """Let parts go, which refer to their clusters as these do to them, without the collector of cyclic garbage."""
        for cluster in self.clusters:
            cluster.parts = []

    # building --------------------------------------------------------------------------------
    def _new_cluster(self, homes: int, order: tuple[int, ...]) -> Cluster:
        cluster = Cluster(len(self.clusters), [homes], order)
        self.clusters.append(cluster)
        return cluster

    def _add_part(self, cluster: Cluster, atom: int, places: int) -> None:
        part = Part(cluster, 0, 1 << atom, places)
        part.range, part.definitions = self.liveness.ranges[atom], self.liveness.definitions[atom]
        cluster.parts.append(part)
        self.part_of[atom] = part

    def _add_virtual(self, register: VirtualRegister, fixed: dict[int, int]) -> None:
        homes, order = self._class(register.register_class)
        cluster = self._new_cluster(homes, order)
        components = register.register_class.members[0].components
        for component in range(register.width):
            place = component if register.ordered else fixed.get(component)
            places = (1 << components) - 1 if place is None else 1 << place
            self._add_part(cluster, self.numbering.virtual[register.id] + component, places)

    def _add_physical(self, register: Register) -> None:
        first = self.numbering.first_physical[register]
        atoms = [first + component for component in range(register.components)]
        if not any(self.liveness.ranges[atom] for atom in atoms):
            return
        number = self.numbering.number[register]
        cluster = self._new_cluster(1 << number, (number,))
        for component, atom in enumerate(atoms):
            self._add_part(cluster, atom, 1 << component)

    def _add_run(self, run: tuple[VirtualRegister, ...]) -> None:
        """Make the clusters of registers that follow each other rows of one."""
        parts = [self.part(self.numbering.virtual[register.id]) for register in run]
        first = parts[0].cluster
        for row, part in enumerate(parts[1:], 1):
            cluster = part.cluster
            first.homes += cluster.homes
            first.widest |= cluster.widest
            for moved in cluster.parts:
                moved.cluster, moved.row = first, row
            first.parts += cluster.parts
            cluster.parts = []

    def _class(self, register_class: RegisterClass) -> tuple[int, tuple[int, ...]]:
        """The members of a class that may be used: as a set, and in order."""
        known = self._classes.get(register_class)
        if known is None:
            members = [member for member in register_class.members if member not in self.model.reserve]
            order = tuple(self.numbering.number[member] for member in members)
            known = self._classes[register_class] = (_union(order), order)
        return known

    # relations -------------------------------------------------------------------------------
    def _relate(self, kind: str, first: Def | Use, second: Def | Use) -> None:
        """Note a relation between the registers of two operands."""
        a, b = self.numbering.first(first.register), self.numbering.first(second.register)
        if a is None or b is None or self.part_of[a] is None or self.part_of[b] is None:
            return
        for atom in (a, b):
            relations: list[tuple[int, int]] = getattr(self.part(atom).cluster, kind)
            relations.append((a, b))

    def _separate(self, first: Use, second: Use) -> None:
        self._relate("separate", first, second)
        for physical, other in ((first.register, second), (second.register, first)):
            if isinstance(physical, Register) and isinstance(other.register, VirtualRegister):
                self._avoid_bank(physical, other.register)

    def _avoid_bank(self, physical: Register, register: VirtualRegister) -> None:
        part = self.part(self.numbering.virtual[register.id])
        part.cluster.homes[part.row] &= ~self.others_of_bank(physical)

    def others_of_bank(self, register: Register) -> int:
        """The registers that hinder reads of this one, as a set."""
        known = self._others_of_bank.get(register)
        if known is None:
            bank, numbers = self.model.bank(register), self.numbering.number
            others = (number for home, number in numbers.items() if home != register and self.model.bank(home) == bank)
            known = self._others_of_bank[register] = 0 if bank is None else _union(others)
        return known


def _union(numbers: Iterable[int]) -> int:
    result = 0
    for number in numbers:
        result |= 1 << number
    return result


#: How many steps the question whether parts fit into one register may take; then the answer is no.
_FITTING_STEPS = 64


def fitting(parts: list[Part], components: int) -> bool:
    """Whether parts of one row find places in one register, none of them in the way of another."""
    anywhere = (1 << components) - 1
    if len(parts) <= components and all(part.places == anywhere for part in parts):
        return True
    return _Fitting(parts, components).place(0)


class _Fitting:
    """The search for places in one register, those with little choice first."""

    def __init__(self, parts: list[Part], components: int) -> None:
        self.parts = sorted(parts, key=lambda part: (part.places.bit_count(), part.range & -part.range))
        #: When each component is taken.
        self.taken = [0] * components
        self.steps = 0

    def place(self, index: int) -> bool:
        """Whether the parts from one on find places."""
        self.steps += 1
        if index == len(self.parts) or self.steps > _FITTING_STEPS:
            return index == len(self.parts)
        part, taken = self.parts[index], self.taken
        for component, points in enumerate(taken):
            if part.places >> component & 1 and not points & part.range:
                taken[component] = points | part.range
                if self.place(index + 1):
                    return True
                taken[component] = points
        return False
