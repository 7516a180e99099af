"""A program translated for this computer, on what `compiler/native/translation.py` offers.

In: an executable of a program.  Out: `TranslatedProgram`, which does to a `Machine` what the interpreter
does, but leaves outputs and triangles only.

A place is a state of `flow.py` without the numbers that are known at run time alone: how often a loop will run again,
and aL, are variables.  In a `Loop` of such a state `start` is the number of the i register.  What a loop does to its
variables at its end is a place of its own, between two states.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from backends.pica200.isa.actions import Action, Operand, action_of
from backends.pica200.isa.flow import LOOP_DEPTH, Control, Loop, advance
from backends.pica200.isa.instructions import Instruction, decode
from backends.pica200.isa.program import Program
from backends.pica200.isa.registers import BANKS, COMPONENTS
from backends.pica200.machine.simulate import Uniforms, order
from backends.pica200.machine.state import ADDRESS_RANGE, ADDRESSABLE, Machine
from backends.pica200.machine.translate_arithmetic import HostF24, HostF32
from backends.pica200.machine.translate_emission import COUNT, Emission, Output, output_name, take_triangles
from compiler.native import machine as host
from compiler.native.emitter import Value
from compiler.native.translation import Key, LaneState, TranslatedCode, Translator, refuse
from compiler.records import dataclass, replace

_WIDTH = len(COMPONENTS)
#: First words of i and b registers in the constants, after the c registers.
_INTEGERS = _WIDTH * ADDRESSABLE
_RANGE = ("count", "start", "step")
_BOOLS = _INTEGERS + len(_RANGE) * BANKS["i"]
#: How many triangles of a lane there is room for: at first few.
_MOST = _BOOLS + BANKS["b"]
_USUAL_TRIANGLES = 4
_LOOP_COUNTER = "aL"
#: a0.x and a0.y.
_ADDRESSES = 2


class TranslatedProgram:
    """An executable as a function of this computer."""

    def __init__(self, program: Program, *, executable: int = 0, f32: bool = False) -> None:
        self._code = TranslatedCode(_Translator(program, program.executables[executable].entry, f32=f32))

    def __call__(self, machine: Machine, uniforms: Uniforms, max_steps: int) -> None:
        """Run on the registers of a machine."""
        inputs = {(register, c): machine.input(register)[c] for register, c in self._code.inputs}
        words = _constants(machine, uniforms)
        state = LaneState(machine.lanes, inputs, words, max_steps=max_steps, most=_USUAL_TRIANGLES)
        found = self._run(state)
        for key, values in found.items():
            if isinstance(key, tuple) and len(key) == 2:
                machine.outputs[key] = values
        if COUNT in found:
            take_triangles(machine, found)

    def _run(self, state: LaneState) -> dict[Key, np.ndarray]:
        """The outputs, with room for all triangles."""
        state.constants[_MOST] = state.most
        found = self._code.run(state)
        needed = int(found[COUNT].max(initial=0)) if COUNT in found else 0
        return found if needed <= state.most else self._run(replace(state, most=needed))


def _constants(machine: Machine, uniforms: Uniforms) -> np.ndarray:
    """c registers, then i registers, then b registers; then the word of `_MOST`."""
    words = np.zeros(_MOST + 1, np.int32)
    words[:_INTEGERS] = machine.uniforms.astype(np.float32).view(np.int32).ravel()
    for register, values in uniforms.integers.items():
        first = _INTEGERS + len(_RANGE) * register
        words[first : first + len(_RANGE)] = [int(value) & 0xFF for value in values[: len(_RANGE)]]
    for register, value in uniforms.bools.items():
        words[_BOOLS + register] = value
    return words


# --- Places -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Turn:
    """The end of a loop's body, after the state `before`: whether it runs `again`, and what comes then."""

    before: Control
    loop: Loop
    again: bool
    #: Loops around this one.
    depth: int
    then: Control


_Place = Control | _Turn


@dataclass(frozen=True, slots=True)
class _Edge:
    """A place that may follow: whether the condition is met, and whether the loop runs again (None: either)."""

    place: _Place
    taken: bool | None
    again: bool | None
    #: Number of the loop whose end this is.
    depth: int = 0


class _Translator(Translator[_Place]):
    def __init__(self, program: Program, entry: int, *, f32: bool) -> None:
        # A vector register holds half as many doubles.
        super().__init__(host.host().width // (1 if f32 else 2))
        self._first_word = entry
        self._program = program
        self._code = [decode(word) for word in program.code]
        self._a: HostF32 | HostF24 = HostF32(self.emitter) if f32 else HostF24(self.emitter)
        self._type = self.emitter.float if f32 else self.emitter.double
        self._outputs = sorted(_outputs_of(program))
        self._emission = Emission(self, self._outputs, self._type)
        self._emits = False

    @property
    def start(self) -> _Place:
        return Control(self._first_word)

    def rank(self, place: _Place) -> tuple[object, ...]:
        if isinstance(place, _Turn):
            return order(place.before), 1, place.again, place.depth
        return order(place), 0, False, 0

    def followers(self, place: _Place) -> Sequence[_Place]:
        if isinstance(place, _Turn):
            return (place.then,)
        return [edge.place for edge in self._edges(place)]

    def _edges(self, state: Control) -> list[_Edge]:
        """The edges out of a state, in the order in which they are tried."""
        instruction = self._instruction(state.pc)
        if instruction.name == "END":
            return []
        decides = instruction.operation.operands in ("condition", "bool")
        edges: list[_Edge] = []
        for taken in (True, False) if decides else (True,):
            edges += self._edges_if(state, instruction, taken, decides)
        return edges

    def _edges_if(self, state: Control, instruction: Instruction, taken: bool, decides: bool) -> list[_Edge]:
        leaves = instruction.operation.jumps == "break" and taken
        if leaves and not state.loops:
            refuse(f"BREAK outside of a loop at word {state.pc}, which hangs")
        register = (0, instruction.fields["id"], 0) if instruction.name == "LOOP" else (0, 0, 0)
        again, onward = (advance(state, instruction, taken, register, repeat) for repeat in (True, False))
        chosen = taken if decides else None
        if again == onward:
            return [_Edge(_left(state, again) if leaves else again, chosen, None)]
        if leaves:
            refuse(f"BREAK as the last word of two loops at word {state.pc}")
        depth = len(again.loops) - 1
        return [
            _Edge(_Turn(state, again.loops[-1], is_again, depth, then), chosen, is_again, depth)
            for is_again, then in ((True, again), (False, onward))
        ]

    def _instruction(self, pc: int) -> Instruction:
        found = self._code[pc] if pc < len(self._code) else None
        if found is None:
            refuse(f"word {pc}, which is no instruction of the program")
        return found

    # --- Emission -----------------------------------------------------------------------------------------------------

    def emit(self, place: _Place) -> Sequence[Value]:
        if isinstance(place, _Turn):
            self._turn(place)
            return ()
        instruction = self._instruction(place.pc)
        if instruction.descriptor is not None:
            self._execute(action_of(self._program.code[place.pc], self._program.descriptors[instruction.descriptor]))
        elif instruction.name == "SETEMIT":
            self._emission.prepare(instruction.fields)
        elif instruction.name == "EMIT":
            self._emits = True
            self._emission.emit(self.constant(_MOST, "i32"))
        elif instruction.name == "LOOP":
            self._enter_loop(place, instruction)
        return [self._condition(instruction, edge) for edge in self._edges(place)[:-1]]

    def finish(self) -> None:
        for output in self._outputs:
            value = self.read(output_name(output), self._type)
            self.output(output, self._converted("fptrunc", value, self.emitter.float))
        if self._emits:
            self._emission.finish()

    def _execute(self, action: Action) -> None:
        """An instruction that has a descriptor."""
        operation = action.operation
        sources = [self._source(operand) for operand in action.operands]
        flags = () if operation.flags is None else operation.flags(self._a, *sources, *action.relations)
        if operation.compute is not None:
            self._write(action, operation.compute(self._a, *sources))
        for number, flag in enumerate(flags):
            self.write(_flag(number), flag)

    def _write(self, action: Action, values: Sequence[Value]) -> None:
        for component, value in zip(action.written, action.results(values), strict=True):
            if action.destination is None:
                if component < _ADDRESSES:
                    self.write(_address(component), self._a.ftoi(value))
                continue
            bank, index = action.destination
            self.write(f"{bank}{index}.{component}", value)

    # --- Sources ------------------------------------------------------------------------------------------------------

    def _source(self, operand: Operand) -> tuple[Value, ...]:
        found = {c: self._component(operand, c) for c in dict.fromkeys(operand.selector)}
        values = tuple(found[c] for c in operand.selector)
        return tuple(map(self._a.fneg, values)) if operand.is_negated else values

    def _component(self, operand: Operand, component: int) -> Value:
        if operand.bank == "v":
            return self._widened(self.input((operand.index, component)))
        if operand.bank == "r":
            return self.read(f"r{operand.index}.{component}", self._type)
        if operand.relative == 0:
            return self._widened(self.constant(_WIDTH * operand.index + component))
        return self._widened(self.constant_at(self._word_of(operand.index, operand.relative, component)))

    def _word_of(self, index: int, relative: int, component: int) -> Value:
        """The word of a c register's component, in each lane, with an address register added."""
        emitter, a = self.emitter, self._a
        value = self.read(_LOOP_COUNTER if relative == 3 else _address(relative - 1), emitter.i32)
        low, high = (emitter.ints(limit) for limit in ADDRESS_RANGE)
        is_far = a.bor(a.ilt(value, low), a.ilt(high, value))
        offset = a.iadd(a.select(is_far, emitter.ints(0), value), emitter.ints(index))
        register = emitter.binary("and", offset, emitter.ints(ADDRESSABLE - 1))
        word = a.iadd(a.imul(register, emitter.ints(_WIDTH)), emitter.ints(component))
        return emitter.convert("sext", word, emitter.i64)

    def _widened(self, value: Value) -> Value:
        return self._converted("fpext", value, self._type)

    def _converted(self, operation: str, value: Value, type: str) -> Value:
        return value if value.type == type else self.emitter.convert(operation, value, type)

    # --- Flow ---------------------------------------------------------------------------------------------------------

    def _condition(self, instruction: Instruction, edge: _Edge) -> Value:
        """Whether lanes that took none of the edges before take this one."""
        found = self._is_met(instruction) if edge.taken else None
        if edge.again:
            left = self.read(_left_of(edge.depth), self.emitter.i32)
            found = self.both(found, self._a.ilt(self.emitter.ints(0), left))
        assert found is not None, "only the last edge has no condition"
        return found

    def _is_met(self, instruction: Instruction) -> Value:
        """The condition of an instruction."""
        a, fields = self._a, instruction.fields
        if instruction.operation.operands == "bool":
            wanted = not (instruction.operation.jumps == "branch" and fields["num"] & 1)
            return self._matches(
                a.bnot(a.ieq(self.constant(_BOOLS + fields["id"], "i32"), self.emitter.ints(0))), wanted
            )
        flags = [self.read(_flag(number), self.emitter.mask) for number in range(2)]
        x, y = (self._matches(flag, bool(fields[name])) for flag, name in zip(flags, ("refx", "refy"), strict=True))
        return (a.bor(x, y), a.band(x, y), x, y)[fields["condop"]]

    def _matches(self, flag: Value, wanted: bool) -> Value:
        return flag if wanted else self._a.bnot(flag)

    def _enter_loop(self, state: Control, instruction: Instruction) -> None:
        if len(state.loops) == LOOP_DEPTH:
            refuse(f"the loop at word {state.pc}, nested deeper than {LOOP_DEPTH}")
        register = instruction.fields["id"]
        self.write(_left_of(len(state.loops)), self._range(register, "count"))
        self.write(_LOOP_COUNTER, self._range(register, "start"))

    def _turn(self, turn: _Turn) -> None:
        """Count, or leave: aL takes its last step, or its start where another loop goes on (see `flow.py`)."""
        counter = self.read(_LOOP_COUNTER, self.emitter.i32)
        stepped = self._a.iadd(counter, self._range(turn.loop.start, "step"))
        if turn.again:
            left = self.read(_left_of(turn.depth), self.emitter.i32)
            self.write(_left_of(turn.depth), self._a.isub(left, self.emitter.ints(1)))
        elif turn.depth:
            stepped = self._range(turn.loop.start, "start")
        self.write(_LOOP_COUNTER, stepped)

    def _range(self, register: int, part: str) -> Value:
        return self.constant(_INTEGERS + len(_RANGE) * register + _RANGE.index(part), "i32")


def _outputs_of(program: Program) -> set[Output]:
    """Registers and components that some word may write."""
    found: set[Output] = set()
    for word in program.code:
        instruction = decode(word)
        number = None if instruction is None else instruction.descriptor
        if number is not None and number < len(program.descriptors):
            action = action_of(word, program.descriptors[number])
            if action.destination is not None and action.destination[0] == "o":
                found |= {(action.destination[1], component) for component in action.written}
    return found


def _left(state: Control, then: Control) -> _Turn:
    """The end of the innermost loop by BREAK."""
    return _Turn(state, state.loops[-1], False, len(state.loops) - 1, then)


def _flag(number: int) -> str:
    return f"cmp{number}"


def _address(number: int) -> str:
    return f"a{number}"


def _left_of(depth: int) -> str:
    """The variable that counts how often a loop will run again."""
    return f"left{depth}"
