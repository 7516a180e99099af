"""Straight-line code as the scheduler sees it: numbers instead of objects.

In: the instructions of a block on virtual registers, and the order that their dependences demand.  Out: by instruction
its resources, operands and result, by value its readers; all that stays the same whatever the scheduler decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from glslc_multi.backends.vc4.codegen.machine_ops import ACCUMULATORS, END, A, B
from glslc_multi.backends.vc4.codegen.schedule.machine_model import QpuModel
from glslc_multi.backends.vc4.codegen.schedule.ports import (
    FIRST_A,
    FIRST_ACCUMULATOR,
    FIRST_B,
    NO_TARGET,
    StreamNumbers,
    location_of,
    location_of_register,
    port_of,
    target_of,
)
from glslc_multi.backends.vc4.codegen.schedule.resources import (
    ADD_HALF,
    DIRECT,
    HALVES,
    MUL_HALF,
    NOT_AT_END,
    Resources,
    resources_of,
)
from glslc_multi.backends.vc4.codegen.schedule.texture_queue import is_wait
from glslc_multi.backends.vc4.codegen.schedule.threads import phases_of
from glslc_multi.backends.vc4.isa.registers import THREADED_FILE_SIZE
from glslc_multi.compiler.codegen.dag import Dag, build_dag
from glslc_multi.compiler.codegen.machine import MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.registers import Register, RegisterClass

#: Sets of registers are ints with a bit for each location.
IN_A = (1 << A.count) - 1 << FIRST_A
IN_B = (1 << B.count) - 1 << FIRST_B
IN_ACCUMULATORS = (1 << ACCUMULATORS.count) - 1 << FIRST_ACCUMULATOR
#: The last words of a program may not touch register 14 of either file.
_FOURTEEN = 14
USABLE = (IN_A | IN_B | IN_ACCUMULATORS) & ~(1 << FIRST_A + _FOURTEEN | 1 << FIRST_B + _FOURTEEN)
#: What each of two threads has.
_HALF = (1 << THREADED_FILE_SIZE) - 1
_OF_ONE_THREAD = _HALF << FIRST_A | _HALF << FIRST_B | IN_ACCUMULATORS
#: Words that should pass between a request to a texture unit and its result.
_LOOKUP_LATENCY = 9
#: The priority of what only ADD can do is this much higher: it frees the registers in which products wait.
_BONUS_OF_ADD = 4
#: Under register pressure, what each operand and each dependent instruction adds: an instruction that reads more finds
#: its ports free less often, and frees more registers.
_BONUS_OF_OPERAND, _BONUS_OF_SUCCESSOR = 3, 0.5
#: An instruction that is put off has its place so little before that of another one.
_JUST_BEFORE = 1e-6
#: Where a value that nothing wrote is read from.
_ANY_LOCATION = FIRST_ACCUMULATOR
#: Words after the last one that a program may not end with.
_END_WORDS = 3


class Value:
    """A virtual register, a physical one that is live at the start, or an operand that is no register: a small
    immediate, a queue or a word of the stream."""

    __slots__ = ("candidates", "fixed_partners", "location", "partners", "readers", "register", "writes")

    def __init__(self, register: VirtualRegister | Register | None, candidates: int, location: int) -> None:
        #: None of an operand that is no register.
        self.register = register
        #: The registers that it can be assigned to.
        self.candidates = candidates
        #: Where it is at the start; -1 if it is not live there.
        self.location = location
        #: The instructions that read it, as often as they do.
        self.readers: list[int] = []
        self.writes = 0
        #: The other operands of its readers: values, and how many operands that are no registers, by port.
        self.partners: list[int] = []
        self.fixed_partners = (0, 0)

    @property
    def is_fixed(self) -> bool:
        """Whether it is no register, or one that nothing wrote, which may be any."""
        return self.register is None or (self.location < 0 and not self.writes)


class StraightLineCode:
    """See the module's text.  Operands and results are numbers of values."""

    def __init__(
        self,
        instructions: list[MachineInstruction],
        model: QpuModel,
        live_across: Mapping[VirtualRegister | Register, int] | None = None,
    ) -> None:
        """`live_across` has the registers of values that are live across blocks."""
        self.model = model
        self.instructions = instructions
        self.resources: list[Resources] = [resources_of(instruction) for instruction in instructions]
        #: The end of the program, which is part of the only block; of several, branches are placed after all.
        self.end = None
        if live_across is None:
            self.end = next((n for n, instruction in enumerate(instructions) if instruction.op is END), None)
        dag = build_dag(instructions, model)
        self.successors = [tuple(after.items()) for after in dag.successors]
        self.predecessor_counts = [len(before) for before in dag.predecessors]
        #: What the branch at the end waits for -> words until control has left.
        self.leaving = self._leaving(dag)
        #: Words that must follow each instruction, but for the branch itself: others place it.
        self.heights = self._heights()
        self.priorities = self._priorities()
        #: Instructions that only ADD can do, only MUL, and all for ALUs, as sets.
        self.adds, self.muls, self.alus = self._with(ADD_HALF), self._with(MUL_HALF), self._with(HALVES)
        #: No schedule has fewer words.
        self.lower_bound = max(max(self.heights, default=0) + 1, self.lower_bound_for(-1))
        #: The first words that instructions may be in.
        self.earliest = [model.first_word(needed.mask) for needed in self.resources]
        #: The registers that values can be assigned to.
        self.usable = USABLE if model.threads == 1 else USABLE & _OF_ONE_THREAD
        self.live_across = live_across or {}
        self.values: list[Value] = []
        self._numbers: dict[VirtualRegister | Register | int, int] = {}
        self._candidates: dict[RegisterClass, int] = {}
        stream: StreamNumbers = {}
        self.operands = [
            tuple([self._operand(use, stream) for use in instruction.uses]) for instruction in instructions
        ]
        self.most_operands = max(map(len, self.operands), default=0)
        #: The value that an instruction makes, or the target that it writes instead.
        self.results = [self._result(instruction) for instruction in instructions]
        self.targets = [
            NO_TARGET if result is not None else target_of(instruction)
            for instruction, result in zip(instructions, self.results, strict=True)
        ]
        self._note_readers()
        #: Values that the driver follows from the clamps of an address to its request.
        self.addresses = self._addresses()
        #: By instruction the part of the code, between thread switches, that it is in.
        self.phases = [0] * len(instructions)
        #: By value: its location at the start, -1 if it has none, and how often it is read.
        self.locations = [
            _ANY_LOCATION if value.is_fixed and value.location < 0 else value.location for value in self.values
        ]
        self.reads = [self._reads_of(value) for value in self.values]
        self.writes = [value.writes for value in self.values]
        #: The registers that hold values at the start.
        held = {value.location for value in self.values if value.location >= 0 and not value.is_fixed}
        self.occupied = sum(1 << location for location in held.union(self.live_across.values()))

    def lower_bound_for(self, remaining: int) -> int:
        """The words that this set of instructions takes at least, one half of each being ADD's and one MUL's."""
        return max(
            (self.adds & remaining).bit_count(),
            (self.muls & remaining).bit_count(),
            ((self.alus & remaining).bit_count() + 1) // 2,
        )

    def split_at_switches(self) -> bool:
        """Part the code by thread switches; False where no point allows one.

        Values that are read after the next switch are kept in files.
        """
        phases = phases_of(self.resources, self.successors)
        if phases is None:
            return False
        self.phases = phases
        written = [0] * len(self.values)
        for number, result in reversed(list(enumerate(self.results))):
            if result is not None:
                written[result] = phases[number]
        for number, value in enumerate(self.values):
            if any(phases[reader] > written[number] for reader in value.readers):
                value.candidates &= ~IN_ACCUMULATORS
        return True

    def is_movable(self, number: int) -> bool:
        """Whether a value may be moved to another register: it is its own, and no address that the driver checks."""
        if number >= len(self.values):
            return True
        return isinstance(self.values[number].register, VirtualRegister) and number not in self.addresses

    # priorities ----------------------------------------------------------------------------
    def _leaving(self, dag: Dag) -> dict[int, int]:
        last = len(self.instructions) - 1
        if self.end is not None or last < 0 or not self.instructions[last].op.terminator:
            return {}
        delay = self.model.delay(self.instructions[last])
        return {number: distance + delay for number, distance in dag.predecessors[last].items()}

    def _heights(self) -> list[int]:
        at_end = 0 if self.end is None else _END_WORDS
        heights = [at_end if needed.mask & NOT_AT_END else 0 for needed in self.resources]
        for number, words in self.leaving.items():
            heights[number] = words - 1
        for number in reversed(range(len(heights))):
            for later, distance in self.successors[number]:
                if heights[later] + distance > heights[number] and not self.instructions[later].op.terminator:
                    heights[number] = heights[later] + distance
        return heights

    def _priorities(self) -> list[float]:
        """The length of the critical path that is left, with the latency of a texture unit."""
        priorities = [0] * len(self.instructions)
        for number, words in self.leaving.items():
            priorities[number] = words - 1
        for number in reversed(range(len(priorities))):
            for later, distance in self.successors[number]:
                waits = is_wait(self.instructions[number], self.instructions[later])
                priorities[number] = max(
                    priorities[number], priorities[later] + (_LOOKUP_LATENCY if waits else distance)
                )
        return [
            length + _BONUS_OF_ADD * bool(needed.mask & ADD_HALF)
            for length, needed in zip(priorities, self.resources, strict=True)
        ]

    @cached_property
    def pressure_aware_priorities(self) -> list[float]:
        """The same where it counts how many operands an instruction reads, and how many instructions depend on it."""
        return [
            priority + _BONUS_OF_OPERAND * len(instruction.uses) + _BONUS_OF_SUCCESSOR * len(after)
            for priority, instruction, after in zip(self.priorities, self.instructions, self.successors, strict=True)
        ]

    @cached_property
    def source_order(self) -> list[float]:
        """The order of the source, but what reads at most one register and makes one comes just before what needs it:
        inputs are not read at the start, then, but where they are used."""
        priorities = [float(number) for number in range(len(self.instructions))]
        for number in reversed(range(len(priorities))):
            after = [later for later, _ in self.successors[number] if not self.instructions[later].op.terminator]
            if after and self.results[number] is not None and len(self._registers_of(number)) <= 1:
                priorities[number] = max(priorities[number], min([priorities[later] for later in after]) - _JUST_BEFORE)
        return [-place for place in priorities]

    def _registers_of(self, number: int) -> set[int]:
        """The operands of an instruction that take registers."""
        return {operand for operand in self.operands[number] if not self.values[operand].is_fixed}

    def _with(self, resources: int) -> int:
        """The instructions that need one of these resources, as a set."""
        wanted = [needed.mask & resources and not needed.instruction.op.terminator for needed in self.resources]
        return sum([1 << number for number, is_wanted in enumerate(wanted) if is_wanted])

    # values --------------------------------------------------------------------------------
    def _operand(self, use: Use, stream: StreamNumbers) -> int:
        source = use.register
        if isinstance(source, VirtualRegister) or (
            isinstance(source, Register) and (source.file is A or source.file is B)
        ):
            return self._value(source)
        location = location_of(use, stream)
        number = self._numbers.get(location)
        if number is None:
            number = self._numbers[location] = len(self.values)
            self.values.append(Value(None, 0, location))
        return number

    def _value(self, register: VirtualRegister | Register) -> int:
        number = self._numbers.get(register)
        if number is None:
            number = self._numbers[register] = len(self.values)
            if register in self.live_across:
                self.values.append(Value(register, 0, self.live_across[register]))
            elif isinstance(register, Register):
                self.values.append(Value(register, 0, location_of_register(register)))
            else:
                self.values.append(Value(register, self._candidates_of(register.register_class), -1))
        return number

    def _candidates_of(self, register_class: RegisterClass) -> int:
        candidates = self._candidates.get(register_class)
        if candidates is None:
            candidates = sum(1 << location_of_register(member) for member in register_class.members) & self.usable
            self._candidates[register_class] = candidates
        return candidates

    def _result(self, instruction: MachineInstruction) -> int | None:
        if not instruction.defs or not isinstance(instruction.defs[0].register, VirtualRegister):
            return None
        number = self._value(instruction.defs[0].register)
        self.values[number].writes += 1
        return number

    def _reads_of(self, value: Value) -> int:
        """How often a value is read; one that keeps its location counts once more, so that it never ends."""
        return len(value.readers) + (value.is_fixed or value.register in self.live_across)

    def _note_readers(self) -> None:
        for reader, operands in enumerate(self.operands):
            for operand in operands:
                self.values[operand].readers.append(reader)
            if len(operands) > 1 and operands[0] != operands[1]:
                self._note_partner(*operands)
                self._note_partner(*reversed(operands))

    def _addresses(self) -> set[int]:
        """The operands of direct loads, and those of what computes them."""
        requests = [number for number, needed in enumerate(self.resources) if needed.mask & DIRECT]
        if not requests:
            return set()
        makers = {result: number for number, result in enumerate(self.results) if result is not None}
        clamped = {operand for request in requests for operand in self.operands[request]}
        return clamped.union(*(self.operands[makers[operand]] for operand in clamped if operand in makers))

    def _note_partner(self, operand: int, other: int) -> None:
        """An instruction reads both values."""
        value, partner = self.values[operand], self.values[other]
        if partner.register is not None:
            value.partners.append(other)
            return
        port = port_of(partner.location)
        in_a, in_b = value.fixed_partners
        value.fixed_partners = in_a + (port == 0), in_b + (port == 1)
