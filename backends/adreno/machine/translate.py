"""A program translated for this computer, on what `compiler/native/translation.py` offers.

In: a program.  Out: `TranslatedProgram`, which does to a machine of `state.py` what the interpreter does, but leaves
the exports and the killed lanes only.  A wave is a group of lanes here: what a program computes must not depend on
which lanes run together.

A program point is the number of a clause, with the calls and loops around it; a clause with a condition has two, its
test and its instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from backends.adreno.isa import formats, instructions
from backends.adreno.isa.program import Program, issues_of
from backends.adreno.isa.registers import (
    BOOL_BITS,
    BOOL_WORDS,
    COMPONENT_COUNT,
    CONSTANTS,
    LOOP_CONSTANTS,
    STACK_DEPTH,
)
from backends.adreno.machine.simulate import Inputs
from backends.adreno.machine.state import Machine, SimulationFault
from backends.adreno.machine.translate_alu import COUNTER, KILLED, REGISTER, AluCode, export_name
from backends.adreno.machine.translate_fetch import MARGIN, FetchCode, TextureWords
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import Texture
from compiler.native import machine as host
from compiler.native.emitter import Value
from compiler.native.translation import Key, LaneState, TranslatedCode, Translator, refuse
from compiler.records import dataclass, replace

#: Words of the constants: after the float constants those of bools and loops, and what the host says of textures.
_BOOLS = COMPONENT_COUNT * CONSTANTS
_TEXTURE_COUNT = 32
_LOOPS = _BOOLS + BOOL_WORDS
_QUADS = _LOOPS + LOOP_CONSTANTS
_CUBES = _QUADS + 1
_WORD_COUNT = _CUBES + _TEXTURE_COUNT


class TranslatedProgram:
    """A program as a function of this computer."""

    def __init__(self, program: Program) -> None:
        self._translator = _Translator(program)
        self._code = TranslatedCode(self._translator)

    def __call__(self, machine: Machine, inputs: Inputs, max_steps: int) -> None:
        """Run on the registers of a machine, with what the host has set."""
        if self._translator.takes_gradients and not inputs.quads:
            raise SimulationFault("gradients need pixels in blocks of 2x2")
        textures = self._textures(inputs)
        words = _constant_words(machine, inputs, textures)
        rows = {key: self._row(key, machine, inputs) for key in self._code.inputs}
        found = self._code.run(LaneState(machine.lanes, rows, words, textures, max_steps))
        machine.killed = found.pop(KILLED) != 0
        everywhere = np.ones(machine.lanes, np.bool_)
        for number, components in self._translator.exports.items():
            values = np.zeros((COMPONENT_COUNT, machine.lanes), np.float32)
            for component in components:
                values[component] = found[number, component]
            machine.exports.append((number, sum(1 << component for component in components), values, everywhere))

    def _textures(self, inputs: Inputs) -> list[Texture | None]:
        """Textures by number."""
        found: list[Texture | None] = [None] * (max(self._translator.textures, default=-1) + 1)
        for number in self._translator.textures:
            if number not in inputs.textures:
                raise SimulationFault(f"there is no texture {number}")
            texture = getattr(inputs.textures[number], "texture", None)
            if texture is None:
                refuse(f"texture {number}, which is a function of the interpreter's")
            found[number] = texture
        return found

    @staticmethod
    def _row(key: Key, machine: Machine, inputs: Inputs) -> Array | bytes:
        if key[0] == REGISTER:
            _, number, component = key
            row: Array = machine.rows[COMPONENT_COUNT * number + component]
            return row
        if key[1] not in inputs.buffers:
            raise SimulationFault(f"there is no vertex buffer {key[1]}")
        return b"".join((bytes(MARGIN), inputs.buffers[key[1]], bytes(MARGIN)))


def _constant_words(machine: Machine, inputs: Inputs, textures: Sequence[Texture | None]) -> Array:
    words = np.zeros(_WORD_COUNT, np.int32)
    words[:_BOOLS] = machine.constants.view(np.int32).ravel()
    for dword, bits in inputs.bools.items():
        words[_BOOLS + dword] = np.uint32(bits).view(np.int32)
    for number, constant in inputs.loops.items():
        words[_LOOPS + number] = constant
    words[_QUADS] = inputs.quads
    for number, texture in enumerate(textures):
        words[_CUBES + number] = texture is not None and texture.is_cube
    return words


# --- Program points --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Point:
    """The start of a clause, or the instructions that its condition guards."""

    clause: int
    #: Clauses that calls return to, and constants of the loops that are open, the innermost last.
    calls: tuple[int, ...] = ()
    loops: tuple[int, ...] = ()
    passed: bool = False


class _Translator(Translator[_Point]):
    lanes_part = False

    def __init__(self, program: Program) -> None:
        super().__init__(host.host().width)
        self._program = program
        self._alu = AluCode(self)
        self._fetches = FetchCode(self, self._alu, TextureWords(_QUADS, _CUBES))
        self.exports = self._alu.exports
        self.textures = self._fetches.textures

    @property
    def takes_gradients(self) -> bool:
        return self._fetches.takes_gradients

    @property
    def start(self) -> _Point:
        return _Point(0)

    def rank(self, point: _Point) -> tuple[object, ...]:
        return point.clause, point.passed, point.calls, point.loops

    def followers(self, point: _Point) -> Sequence[_Point]:
        row, fields = self._clause(point)
        onward = replace(point, clause=point.clause + 1, passed=False)
        if row.format is formats.EXEC:
            if row.condition and not point.passed:
                return replace(point, passed=True), onward
            return () if row.ends else (onward,)
        if row.format is formats.LOOP:
            return self._around_loop(point, row.name == "LOOP_START", fields)
        if row.format is formats.JUMP:
            return self._jumped(point, row.name, fields)
        return (onward,)

    def _clause(self, point: _Point) -> tuple[instructions.Opcode, Mapping[str, int]]:
        if point.clause >= len(self._program.clauses):
            refuse("a program that leaves its clauses without an end")
        return instructions.decode_clause(self._program.clauses[point.clause])

    def _around_loop(self, point: _Point, is_start: bool, fields: Mapping[str, int]) -> Sequence[_Point]:
        """Of a start: past the loop, into it; of an end: back, and out."""
        if is_start:
            if len(point.loops) == STACK_DEPTH:
                refuse(f"loops nested deeper than {STACK_DEPTH}")
            inside = replace(point, clause=point.clause + 1, loops=(*point.loops, fields["loop_id"]))
            return replace(point, clause=fields["addr"]), inside
        if not point.loops:
            refuse(f"clause {point.clause}, which ends a loop that was not begun")
        outside = replace(point, clause=point.clause + 1, loops=point.loops[:-1])
        return replace(point, clause=fields["addr"]), outside

    def _jumped(self, point: _Point, name: str, fields: Mapping[str, int]) -> Sequence[_Point]:
        """The target, unless a condition is never met; then the next clause, unless it is always met."""
        onward = replace(point, clause=point.clause + 1)
        if name == "RETURN":
            return (replace(point, clause=point.calls[-1], calls=point.calls[:-1]) if point.calls else onward,)
        target = replace(point, clause=fields["addr"])
        if name == "COND_CALL":
            if len(point.calls) == STACK_DEPTH:
                refuse(f"calls nested deeper than {STACK_DEPTH}")
            target = replace(target, calls=(*point.calls, point.clause + 1))
        return (target,) if fields["force_call"] else (target, onward)

    # --- Emission -----------------------------------------------------------------------------------------------------

    def emit(self, point: _Point) -> Sequence[Value]:
        row, fields = self._clause(point)
        if row.format is formats.EXEC:
            if row.condition and not point.passed:
                return [self._is_met(row.condition, fields)]
            self._exec(point)
        elif row.format is formats.LOOP:
            return [self._enter_loop(point, fields) if row.name == "LOOP_START" else self._end_loop(point)]
        elif row.format is formats.JUMP and row.name != "RETURN" and not fields["force_call"]:
            return [self._is_taken(point, fields)]
        return ()

    def finish(self) -> None:
        self.output(KILLED, self.emitter.convert("zext", self._alu.flags(KILLED), self.emitter.i32), "i32")
        for number, components in self.exports.items():
            for component in sorted(components):
                self.output((number, component), self.read(export_name(number, component)))

    def _exec(self, point: _Point) -> None:
        for issue in issues_of(point.clause, self._program.clauses[point.clause]):
            word = self._program.instruction(issue.slot)
            if word is None:
                refuse(f"slot {issue.slot}, which holds no instruction")
            (self._fetches if issue.is_fetch else self._alu).run(word)

    # --- Conditions ---------------------------------------------------------------------------------------------------

    def _is_met(self, condition: Literal["bool", "predicate", ""], fields: Mapping[str, int]) -> Value:
        """Whether a clause runs: as its bool constant says, or if any lane wants it."""
        if condition == "bool":
            return self._is_bool(fields)
        return self.emitter.any(self._alu.wanting(bool(fields["condition"])))

    def _is_bool(self, fields: Mapping[str, int]) -> Value:
        """Whether the bool constant is as wanted."""
        dword, bit = divmod(fields["bool_addr"], BOOL_BITS)
        word = self.scalar_constant(_BOOLS + dword)
        found = self.emitter.value("i32", f"and {word}, {1 << bit}")
        return self.emitter.value("i1", f"icmp {'ne' if fields['condition'] else 'eq'} {found}, 0")

    def _is_taken(self, point: _Point, fields: Mapping[str, int]) -> Value:
        """Whether a jump is taken: forward if all lanes want it, backwards if any does."""
        if not fields["predicated_jmp"]:
            return self._is_bool(fields)
        if fields["addr"] <= point.clause:
            return self.emitter.any(self._alu.wanting(bool(fields["condition"])))
        others = self.emitter.any(self._alu.wanting(not fields["condition"]))
        return self.emitter.value("i1", f"xor {others}, true")

    # --- Loops --------------------------------------------------------------------------------------------------------

    def _enter_loop(self, point: _Point, fields: Mapping[str, int]) -> Value:
        """Begin; whether the loop does not run at all."""
        depth, constant = len(point.loops), fields["loop_id"]
        is_empty = self.emitter.value("i1", f"icmp eq {self._part(constant, 0)}, 0")
        outer = self.read(COUNTER, "i32")
        self.write(_outer(depth), outer)
        self.write(_iteration(depth), Value("0", "i32"))
        self.write(COUNTER, self.emitter.select(is_empty, outer, self._part(constant, 8)))
        return is_empty

    def _end_loop(self, point: _Point) -> Value:
        """Count; whether the loop runs again."""
        emitter, depth, constant = self.emitter, len(point.loops) - 1, point.loops[-1]
        iteration = emitter.value("i32", f"add {self.read(_iteration(depth), 'i32')}, 1")
        self.write(_iteration(depth), iteration)
        again = emitter.compare("icmp slt", iteration, self._part(constant, 0))
        step = emitter.value(
            "i32", f"ashr {emitter.value('i32', f'shl {self.scalar_constant(_LOOPS + constant)}, 8')}, 24"
        )
        counter = emitter.binary("add", self._part(constant, 8), emitter.binary("mul", iteration, step))
        self.write(COUNTER, emitter.select(again, counter, self.read(_outer(depth), "i32")))
        return again

    def _part(self, constant: int, shift: int) -> Value:
        """A byte of a loop constant."""
        word = self.emitter.value("i32", f"lshr {self.scalar_constant(_LOOPS + constant)}, {shift}")
        return self.emitter.value("i32", f"and {word}, 255")


def _outer(depth: int) -> str:
    """The variable that keeps aL of the loop around."""
    return f"outer{depth}"


def _iteration(depth: int) -> str:
    return f"iteration{depth}"
