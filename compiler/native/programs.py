"""Machine code of a target as one LLVM function over groups of lanes: the engine that translates.

In: what makes a `LaneProgram`.  Out: `TranslatedCode`, which runs it on arrays.  The function is

    i64 run(inputs, outputs, constants, textures, samplers, by_steps, first, end, limit)

for lanes `first` to `end`, a multiple of the width; it returns 0, or 1 if a group of lanes ran more than `limit`
instructions.

Where lanes may part (`LaneProgram.lanes_part`), each lane keeps the number of the place that it waits at, and the
lowest of these numbers runs next, so that lanes meet again.  Elsewhere branches are jumps of the whole group.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic

import numpy as np

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics.catalogue.evaluation import TOO_MANY_STEPS
from glslc_multi.compiler.execution.program import Edge, Engine, Key, LaneProgram, Lanes, LaneState, Place, sampled
from glslc_multi.compiler.native import machine
from glslc_multi.compiler.native.emitter import Value
from glslc_multi.compiler.native.lanes import MEMORY, SIZE_BYTES, VectorLanes, refuse
from glslc_multi.compiler.native.lookup_kinds import MACHINE_KINDS
from glslc_multi.compiler.native.sampling import BY_LEVEL, BY_STEPS, sampler_addresses
from glslc_multi.compiler.native.texture_words import describe

_PARAMETERS = (
    "ptr noalias readonly %inputs, ptr noalias readonly %outputs, ptr noalias readonly %constants, ptr %textures, "
    "ptr %samplers, i64 %by_steps, i64 %first, i64 %end, i64 %limit"
)
_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 5, *[ctypes.c_int64] * 4)
#: Where lanes are that have come to their end: after all places.
_ENDED = 2**31 - 1
_DTYPES: Mapping[str, type[np.generic]] = {
    "float": np.float32,
    "double": np.float64,
    "i32": np.int32,
    "i64": np.int64,
}
#: More places than any program has that ends: those of a loop that never comes to the same place again.
_MOST_PLACES = 1 << 14
_AT, _STEPS = "at", '%"steps"'


class _Function(Generic[Place]):
    """The function of one program: runs of places that follow one another, each a block."""

    def __init__(self, program: LaneProgram[Place], lanes: VectorLanes) -> None:
        self._program = program
        self._lanes = lanes
        self._emitter = lanes.emitter
        #: Of each place the code of all lanes, and the places that may follow.
        self._code: dict[Place, tuple[list[str], Sequence[Edge[Place]]]] = {}
        self._explore()
        arrivals: dict[Place, int] = {}
        for _, edges in self._code.values():
            for place, _ in edges:
                # After a branch a block begins, as at a place with several paths to it.
                arrivals[place] = arrivals.get(place, 0) + (1 if len(edges) == 1 else 2)
        heads = {place for place, count in arrivals.items() if count > 1} - {program.start}
        #: Number of each head; the start is 0.
        self._numbers = {program.start: 0}
        self._numbers |= {head: number for number, head in enumerate(sorted(heads, key=program.rank), 1)}
        self._partial = self._reached_apart() if program.lanes_part else set()

    def _explore(self) -> None:
        """Find all places."""
        open = [self._program.start]
        while open:
            node = open.pop()
            if node in self._code:
                continue
            self._emitter.lines = []
            edges = self._program.step(node)
            self._code[node] = self._emitter.lines, edges
            open += [after for after, _ in edges]
            if len(self._code) > _MOST_PLACES:
                refuse("a program of more paths than can be followed")

    def _reached_apart(self) -> set[Place]:
        """Places after branches, where some of the lanes may be elsewhere."""
        open = [after for _, edges in self._code.values() if len(edges) > 1 for after, _ in edges]
        reached: set[Place] = set()
        while open:
            node = open.pop()
            if node not in reached:
                reached.add(node)
                open += [after for after, _ in self._code[node][1]]
        return reached

    def text(self, attributes: str) -> str:
        """The LLVM module."""
        self._emitter.lines = []
        for number in self._numbers:
            self._emit_run(number)
        if self._partial:
            self._emit_dispatch()
        self._emitter.label("finish")
        self._lanes.mask = None
        self._program.finish()
        head = self._lanes.beginnings()
        return "\n".join(
            [
                f"define i64 @run({_PARAMETERS}) {attributes} {{",
                *self._lanes.allocations(),
                f"  {_STEPS} = alloca i64",
                "  br label %group",
                "group:",
                "  %lane = phi i64 [ %first, %0 ], [ %next_lane, %finished ]",
                *head,
                f"  store i64 0, ptr {_STEPS}",
                "  br label %p0",
                *self._emitter.lines,
                "  br label %finished",
                "finished:",
                f"  %next_lane = add i64 %lane, {self._emitter.width}",
                "  %is_more = icmp ult i64 %next_lane, %end",
                "  br i1 %is_more, label %group, label %done",
                "endless:",
                "  ret i64 1",
                "done:",
                "  ret i64 0",
                "}",
                "!0 = !{}",
            ]
        )

    # places ------------------------------------------------------------------------------------
    def _emit_run(self, place: Place) -> None:
        emitter, lanes = self._emitter, self._lanes
        emitter.label(f"p{self._numbers[place]}")
        lanes.mask = None
        if place in self._partial:
            number = emitter.ints(self._numbers[place])
            lanes.mask = emitter.compare("icmp eq", lanes.read(_AT, "i32"), number)
        count = 0
        while True:
            edges = self._emit_place(place)
            count += 1
            if len(edges) != 1 or edges[0][0] in self._numbers:
                break
            place = edges[0][0]
        steps = emitter.value("i64", f"load i64, ptr {_STEPS}")
        emitter.line(f"store {emitter.value('i64', f'add {steps}, {count}')}, ptr {_STEPS}")
        # Go to the places that follow.
        if place not in self._partial and self._partial.isdisjoint(after for after, _ in edges):
            self._jump(edges)
            return
        emitter = self._emitter
        going = emitter.ints(_ENDED)
        for target, condition in reversed(edges):
            number = emitter.ints(self._numbers[target])
            going = number if condition is None else emitter.select(condition, number, going)
        self._lanes.write(_AT, going)
        emitter.jump("dispatch")

    def _emit_place(self, place: Place) -> Sequence[Edge[Place]]:
        """Code for all lanes is that of `_explore`; code for some of them is made now."""
        if place in self._partial:
            return self._program.step(place)
        lines, edges = self._code[place]
        self._emitter.lines += lines
        return edges

    def _jump(self, edges: Sequence[Edge[Place]]) -> None:
        """All lanes take the same path."""
        emitter = self._emitter
        if not edges:
            emitter.jump("finish")
        for target, condition in edges:
            if condition is None:
                self._go(target)
                return
            yes, no = emitter.fresh(), emitter.fresh()
            emitter.branch(condition, yes, no)
            emitter.label(yes)
            self._go(target)
            emitter.label(no)

    def _go(self, target: Place) -> None:
        self._check_steps()
        self._emitter.jump(f"p{self._numbers[target]}")

    def _check_steps(self) -> None:
        emitter, fine = self._emitter, self._emitter.fresh()
        steps = emitter.value("i64", f"load i64, ptr {_STEPS}")
        emitter.branch(emitter.compare("icmp ugt", steps, Value("%limit", "i64")), "endless", fine)
        emitter.label(fine)

    def _emit_dispatch(self) -> None:
        """Lanes at the lowest place run next."""
        emitter = self._emitter
        emitter.label("dispatch")
        self._check_steps()
        waiting = self._lanes.read(_AT, "i32")
        lowest = emitter.value("i32", f"call i32 @llvm.vector.reduce.umin.v{emitter.width}i32({waiting})")
        waited = [number for place, number in self._numbers.items() if place in self._partial]
        targets = [f"i32 {number}, label %p{number}" for number in waited]
        emitter.line(f"switch {lowest}, label %finish [ {' '.join(targets)} ]")


class TranslatedCode(Engine):
    """A translated program, ready to run.

    `width` is that of a group of lanes; without it, as many floats as a vector register of this computer holds.
    """

    def __init__(self, make: Callable[[Lanes], LaneProgram[Any]], width: int | None = None) -> None:
        self.width = width or machine.host().width
        lanes = VectorLanes(self.width)
        self.program = make(lanes)
        self.text = _Function(self.program, lanes).text(machine.host().attributes)
        #: Keys of the rows in order, with their elements.
        self.inputs, self.outputs = lanes.inputs.elements, lanes.outputs.elements
        self.growing, self.sampled = lanes.growing, lanes.sampled
        self._code = machine.link_function("run", self.text)
        self.function = _SIGNATURE(self._code.address)

    def bind(self, state: LaneState) -> Bound:
        """A call that can be repeated: rows in place, nothing is converted."""
        return Bound(self, state)

    def run(self, state: LaneState) -> dict[Key, Any]:
        bound = self.bind(state)
        bound()
        return {key: row[..., : state.lanes] for key, row in bound.outputs.items()}


class Bound:
    """Code with its arrays."""

    def __init__(self, code: TranslatedCode, state: LaneState) -> None:
        padded = -(-state.lanes // code.width) * code.width
        inputs = [_row(state, key, element, padded) for key, element in code.inputs.items()]
        self.outputs = {
            key: np.zeros((state.most, padded) if key in code.growing else padded, _DTYPES[element])
            for key, element in code.outputs.items()
        }
        self._limit = state.max_steps
        for number, kinds in code.sampled.items():
            sampled(state, number, kinds)
        described = [None if texture is None else describe(texture) for texture in state.textures]
        tables = [
            _addresses(inputs),
            _addresses(list(self.outputs.values())),
            np.ascontiguousarray(state.constants, np.int32),
            _addresses([None if entry is None else entry[0] for entry in described]),
        ]
        tables.append(sampler_addresses(code.width, MACHINE_KINDS if described else ()))
        by_steps = BY_STEPS if state.quads else BY_LEVEL
        pointers = [table.ctypes.data for table in tables]
        self._arguments = (*pointers, by_steps, 0, padded, state.max_steps)
        self._call = code.function if padded else None
        #: What the addresses lead to.
        self._alive = (code, inputs, described, tables)

    def __call__(self) -> None:
        if self._call is not None and self._call(*self._arguments):
            fail(TOO_MANY_STEPS, limit=self._limit, help="give a larger limit if it only takes long")


def _row(state: LaneState, key: Key, element: str, length: int) -> Array:
    """An input as the function takes it."""
    value = state.inputs[key]
    return _sized(value) if element == MEMORY else _padded(value, _DTYPES[element], state.lanes, length)


def _padded(values: Any, dtype: type[np.generic], lanes: int, length: int) -> Array:
    """A row of `length`: more of its last lane, which does nothing there that it does not do here."""
    row = np.broadcast_to(np.asarray(values), (lanes,)) if np.ndim(values) == 0 else np.asarray(values)
    row = np.ascontiguousarray(row, dtype)
    return row if len(row) == length else np.pad(row, (0, length - len(row)), mode="edge")


def _sized(data: bytes) -> Array:
    """Bytes after their number."""
    return np.frombuffer(len(data).to_bytes(SIZE_BYTES, "little") + data, np.uint8)


def _addresses(arrays: Sequence[Array | None]) -> Array:
    return np.array([0 if array is None else array.ctypes.data for array in arrays], dtype=np.int64)
