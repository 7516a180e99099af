"""What a program does to lanes (vertices), word by word; both engines run it.

Registers are variables, a component each.  Meanings come from the instruction table, number formats from
`arithmetic.py`, what follows a word from `places.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

from glslc_multi.backends.pica200.isa.actions import Action, Operand
from glslc_multi.backends.pica200.isa.flow import Control, Loop
from glslc_multi.backends.pica200.isa.instructions import Instruction
from glslc_multi.backends.pica200.isa.program import Program
from glslc_multi.backends.pica200.isa.registers import ADDRESS_REGISTERS, COMPONENTS
from glslc_multi.backends.pica200.machine.arithmetic import F24Arithmetic, F32Arithmetic, MachineArithmetic
from glslc_multi.backends.pica200.machine.emission import Emitter, Output, variable
from glslc_multi.backends.pica200.machine.places import Exit, Place, places_of
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Edge, LaneProgram, Lanes

#: Uniforms 96 to 127 do not exist; relative addressing reads them as ones.
ADDRESSABLE = 128
#: Address values beyond this range count as 0.
ADDRESS_RANGE = -128, 127

WIDTH = len(COMPONENTS)
#: First words of i and b registers in the constants, after the c registers; instructions have room for so many numbers.
INTEGERS = WIDTH * ADDRESSABLE
RANGE = ("count", "start", "step")
_NUMBERS = 16
BOOLS = INTEGERS + len(RANGE) * _NUMBERS
#: How many triangles of a lane there is room for.
MOST = BOOLS + _NUMBERS

#: Variables, and keys of what is left in them.
ADDRESSES, COUNTER = ADDRESS_REGISTERS[1:3], ADDRESS_REGISTERS[3]
FLAGS = "cmp.x", "cmp.y"


class PicaProgram(LaneProgram[Place]):
    """An executable of a program.

    Inputs have keys (register, component), as outputs do; constants are words: `INTEGERS`, `BOOLS`, `MOST`.  With
    `leaves_state`, address registers, loop counter and flags are outputs, too.
    """

    #: What EMIT does.
    emitter: type[Emitter] = Emitter

    def __init__(self, program: Program, executable: int, f32: bool, leaves_state: bool, lanes: Lanes) -> None:
        self._lanes = lanes
        self._a: MachineArithmetic = (F32Arithmetic if f32 else F24Arithmetic)(lanes.operations)
        self._places = places_of(program)
        self._entry = program.executables[executable].entry
        self._leaves_state = leaves_state
        self._outputs = _outputs_of(self._places.actions)
        self._emitter = self.emitter(lanes, self._a, self._outputs)
        self._emits = any(
            instruction is not None and instruction.name == "EMIT" for instruction in self._places.instructions
        )

    @property
    def start(self) -> Place:
        return self._places.place(Control(self._entry))

    def rank(self, place: Place) -> tuple[int, ...]:
        return place.rank

    def step(self, place: Place) -> Sequence[Edge[Place]]:
        instruction = place.instruction
        if place.action is not None:
            # An instruction that has a descriptor.
            action = place.action
            operation = action.operation
            sources = [self._source(operand) for operand in action.operands]
            flags = () if operation.flags is None else operation.flags(self._a, *sources, *action.relations)
            if operation.compute is not None:
                self._write(action, self._a.run(operation.compute, *sources))
            for name, flag in zip(FLAGS, flags, strict=False):
                self._lanes.write(name, flag)
        elif instruction is None:
            is_inside = place.control.pc < len(self._places.instructions)
            self._fault(place, "the word is no instruction" if is_inside else "the program runs past its last word")
        elif instruction.descriptor is not None:
            self._fault(place, f"there is no operand descriptor {instruction.descriptor}")
        elif instruction.name == "END":
            return ()
        elif instruction.name == "EMIT":
            self._emitter.emit(place.emission, self._lanes.constant(MOST, "i32"))
        elif instruction.name == "LOOP":
            loop = place.exits[0].again.control.loops[-1]
            self._lanes.write(_left(loop), self._range(loop, "count"))
            self._lanes.write(COUNTER, self._range(loop, "start"))
        return self._follow(place)

    def finish(self) -> None:
        for output in self._outputs:
            self._lanes.output(output, self._a.stored(self._lanes.read(variable("o", *output), self._a.element)))
        if self._emits:
            self._emitter.finish()
        if self._leaves_state:
            for name in (*ADDRESSES, COUNTER):
                self._lanes.output(name, self._lanes.read(name, "i32"), "i32")
            for name in FLAGS:
                flag = self._a.select(self._lanes.read(name, "i1"), self._a.iconst(1), self._a.iconst(0))
                self._lanes.output(name, flag, "i32")

    def _fault(self, place: Place, reason: str) -> NoReturn:
        self._lanes.fault(f"word {place.control.pc}: {reason}")

    # --- Arithmetic ---------------------------------------------------------------------------------------------------

    def _write(self, action: Action, values: Sequence[Number]) -> None:
        for component, value in zip(action.written, action.results(values), strict=True):
            if action.destination is not None:
                self._lanes.write(variable(*action.destination, component), value)
            elif component < len(ADDRESSES):
                self._lanes.write(ADDRESSES[component], self._a.ftoi(value))

    def _source(self, operand: Operand) -> tuple[Number, ...]:
        components = {component: self._component(operand, component) for component in dict.fromkeys(operand.selector)}
        if operand.is_negated:
            components = {component: self._a.fneg(value) for component, value in components.items()}
        return tuple([components[component] for component in operand.selector])

    def _component(self, operand: Operand, component: int) -> Number:
        element = self._a.element
        if operand.bank == "r":
            return self._lanes.read(variable("r", operand.index, component), element)
        if operand.bank == "v":
            return self._lanes.input((operand.index, component), element)
        if operand.relative == 0:
            return self._lanes.constant(WIDTH * operand.index + component, element)
        # The word of a c register's component, in each lane, with an address register added.
        a = self._a
        value = self._lanes.read(ADDRESS_REGISTERS[operand.relative], "i32")
        low, high = map(a.iconst, ADDRESS_RANGE)
        offset = a.select(a.bor(a.ilt(value, low), a.ilt(high, value)), a.iconst(0), value)
        register = a.bits_and(a.iadd(offset, a.iconst(operand.index)), a.iconst(ADDRESSABLE - 1))
        return self._lanes.constant_at(
            a.widened(a.iadd(a.imul(register, a.iconst(WIDTH)), a.iconst(component))), element
        )

    # --- Control flow -------------------------------------------------------------------------------------------------

    def _follow(self, place: Place) -> Sequence[Edge[Place]]:
        """Where the ways out of a place lead; loops that end there count."""
        exits, instruction = place.exits, place.instruction
        if exits[0].is_plain or instruction is None:
            return ((exits[0].onward, None),)
        edges: list[Edge[Place]] = []
        met = None if exits[0].taken is None else self._is_met(instruction)
        for exit in exits:
            where = self._a.bnot(met) if exit.taken is False else met
            if exit.hangs and (where is None or self._lanes.known(where) != 0):
                self._fault(place, "BREAK outside of a loop hangs")
            edges += self._leave(exit, where)
        # Where no other way leads.
        return (*edges[:-1], (edges[-1][0], None))

    def _is_met(self, instruction: Instruction) -> Number:
        """The condition of an instruction."""
        a, fields = self._a, instruction.fields
        if instruction.operation.operands == "bool":
            wanted = not (instruction.operation.jumps == "branch" and fields["num"] & 1)
            is_clear = a.ieq(self._lanes.constant(BOOLS + fields["id"], "i32"), a.iconst(0))
            return self._matches(is_clear, not wanted)
        flags = [self._lanes.read(name, "i1") for name in FLAGS]
        x, y = (self._matches(flag, bool(fields[name])) for flag, name in zip(flags, ("refx", "refy"), strict=True))
        return (a.bor(x, y), a.band(x, y), x, y)[fields["condop"]]

    def _matches(self, flag: Number, wanted: bool) -> Number:
        return flag if wanted else self._a.bnot(flag)

    def _leave(self, exit: Exit, where: Number | None) -> list[Edge[Place]]:
        """The edges of a way that lanes `where` take; loops that end count."""
        a, lanes = self._a, self._lanes
        if exit.broken is not None:
            is_inner = exit.ended is not None or bool(exit.onward.control.loops)
            self._count(exit.broken, is_inner, None, where)
        if exit.ended is None:
            return [(exit.onward, where)]
        left = lanes.read(_left(exit.ended), "i32")
        repeats = lanes.both(where, a.ilt(a.iconst(0), left))
        lanes.write(_left(exit.ended), a.isub(left, a.iconst(1)), repeats)
        self._count(exit.ended, bool(exit.onward.control.loops), repeats, where)
        return [(exit.again, repeats), (exit.onward, where)]

    def _count(self, loop: Loop, is_inner: bool, repeats: Number | None, where: Number | None) -> None:
        """Change aL at the end of a loop's body.

        It takes a step, the last one included.  Where another loop goes on around this one, the known implementation
        leaves the inner loop's start value in aL instead; what hardware does is not confirmed.
        """
        a = self._a
        value = a.iadd(self._lanes.read(COUNTER, "i32"), self._range(loop, "step"))
        if is_inner:
            start = self._range(loop, "start")
            value = start if repeats is None else a.select(repeats, value, start)
        self._lanes.write(COUNTER, value, where)

    def _range(self, loop: Loop, part: str) -> Number:
        return self._lanes.constant(INTEGERS + len(RANGE) * loop.register + RANGE.index(part), "i32")


def _outputs_of(actions: Iterable[Action | None]) -> list[Output]:
    """Registers and components that some word may write."""
    return sorted(
        {
            (action.destination[1], component)
            for action in actions
            if action is not None and action.destination is not None and action.destination[0] == "o"
            for component in action.written
        }
    )


def _left(loop: Loop) -> str:
    """The variable that counts how often a loop will run again."""
    return f"left{loop.number}"
