"""The engine that interprets: runs a program place by place over numpy arrays.

Lanes that wait at the same place run together, those at the lowest place first.  Many lanes run in blocks whose rows
stay in the processor's cache: a block is a run of its own, as a group of lanes is in translated code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NoReturn

import numpy as np

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, quiet
from glslc_multi.compiler.diagnostics.catalogue.evaluation import TOO_MANY_STEPS
from glslc_multi.compiler.execution.program import (
    Edge,
    Element,
    Engine,
    Key,
    LaneProgram,
    Lanes,
    LaneState,
    Place,
    Word,
    sampled,
)

#: Lanes of a block: a row of doubles is 128 KiB.
BLOCK = 1 << 14
_DTYPES: Mapping[Element, type[np.generic]] = {
    "float": np.float32,
    "double": np.float64,
    "i1": np.bool_,
    "i32": np.int32,
    "i64": np.int64,
}
_ELEMENTS: Mapping[Any, Element] = {np.dtype(dtype): element for element, dtype in _DTYPES.items()}
_NOTHING = {element: np.zeros((), dtype) for element, dtype in _DTYPES.items()}

#: What is raised where a program does what no program may.
Fault = Callable[[str], Exception]


class ArrayLanes(Lanes):
    """The lanes of one block.

    A row has one number a lane, or one number that all lanes have.  Rows are replaced, never changed, so what was read
    stays as it was.
    """

    operations = LANES

    def __init__(self, fault: Fault, group: int | None) -> None:
        self._fault = fault
        self._group = group

    def begin(self, state: LaneState, outputs: dict[Key, Array], first: int, count: int) -> None:
        """Go to the block of `count` lanes from `first` on; what comes out goes into the rows of `outputs`."""
        self.count = count
        #: Numbers of the lanes that run; None: all.
        self.active: Array | None = None
        self.mask = None
        #: Rows of variables by name.
        self.rows: dict[str, Array] = {}
        self._inputs: dict[Key, Array] = {}
        self._first = first
        self._state = state
        self._outputs = outputs
        words = np.ascontiguousarray(state.constants, np.int32)
        #: The same row for a word again: users may know something of it.
        self._constants: dict[tuple[int, Element], Array] = {}
        floats = words.view(np.float32)
        self._words: dict[Element, Array] = {"i32": words, "float": floats, "double": floats.astype(np.float64)}

    # variables ---------------------------------------------------------------------------------
    def read(self, name: str, element: Element = "float", given: Key = None) -> Array:
        row = self.rows.get(name)
        if row is None:
            row = self.rows[name] = self._beginning(given, element)
        return row if self.active is None else self._of_active(row)

    def write(self, name: str, value: Array, where: Array | None = None, given: Key = None) -> None:
        chosen = self.mask if where is None else self.both(self.mask, where)
        if chosen is None and self.active is None:
            self.rows[name] = value
            return
        old = self.rows.get(name)
        if old is None:
            old = self._beginning(given, _ELEMENTS[value.dtype])
        if old.dtype != value.dtype:
            old, value = old.view(np.int32), value.view(np.int32)
        if chosen is not None:
            value = np.where(chosen, value, self._of_active(old))
        if self.active is not None:
            row = np.broadcast_to(old, self.count).copy()
            row[self.active] = value
            value = row
        self.rows[name] = value

    def _beginning(self, given: Key, element: Element) -> Array:
        """What a variable is at the start."""
        if isinstance(given, Word):
            return self.constant(given.number, element)
        return _NOTHING[element] if given is None else self._given(given, element)

    def _of_active(self, row: Array) -> Array:
        return row if self.active is None or row.size == 1 else row[self.active]

    def spread(self, row: Array) -> Array:
        """The row with a number for each lane of the block."""
        return row if row.shape == (self.count,) else np.broadcast_to(row, self.count)

    # values from outside -----------------------------------------------------------------------
    def input(self, key: Key, element: Element = "float") -> Array:
        row = self._given(key, element)
        return row if self.active is None else self._of_active(row)

    def _given(self, key: Key, element: Element) -> Array:
        row = self._inputs.get(key)
        if row is None:
            values = np.asarray(self._state.inputs[key])
            if values.ndim:
                values = values[self._first : self._first + self.count]
            row = self._inputs[key] = values.astype(_DTYPES[element], copy=False)
        return row

    def constant(self, index: int, element: Element = "float") -> Array:
        row = self._constants.get((index, element))
        if row is None:
            row = self._constants[index, element] = self._words[element][index : index + 1]
        return row

    def constant_at(self, index: Array, element: Element = "float") -> Array:
        return self._words[element][index]

    def size(self, key: Key) -> Array:
        return np.asarray(len(self._state.inputs[key]), np.int64)

    def load(self, key: Key, address: Array, element: Element) -> Array:
        data, dtype = np.frombuffer(self._state.inputs[key], np.uint8), np.dtype(_DTYPES[element])
        if not np.bitwise_or.reduce(address, axis=None) & (dtype.itemsize - 1):
            whole = data[: len(data) // dtype.itemsize * dtype.itemsize].view(dtype)
            words: Array = whole[np.right_shift(address, dtype.itemsize.bit_length() - 1)]
            return words
        loaded: Array = data[np.add.outer(address, np.arange(dtype.itemsize))].view(dtype)[..., 0]
        return loaded

    def lane_numbers(self) -> Array:
        numbers = self._of_active(np.arange(self.count, dtype=np.int32))
        return numbers if self._group is None else numbers % np.int32(self._group)

    # values to the outside ---------------------------------------------------------------------
    def output(self, key: Key, value: Array, element: Element = "float") -> None:
        rows = self._outputs.get(key)
        if rows is None:
            rows = self._outputs[key] = np.zeros(self._state.lanes, _DTYPES[element])
        rows[self._first : self._first + self.count] = value

    def append(self, key: Key, value: Array, number: Array, where: Array, element: Element = "float") -> None:
        shape = self._state.most, self._state.lanes
        rows = self._outputs.setdefault(key, np.zeros(shape, _DTYPES[element]))
        lanes = np.arange(self.count) if self.active is None else self.active
        mask = where if self.mask is None else self.mask & where
        chosen, numbers, values = (np.broadcast_to(row, lanes.shape) for row in (mask, number, value))
        rows[numbers[chosen], self._first + lanes[chosen]] = values[chosen]

    # all lanes ---------------------------------------------------------------------------------
    def any(self, mask: Array) -> Array:
        """Where lanes run in groups, a row: each lane has what its group decides."""
        if self._group is None:
            return np.asarray(np.any(mask))
        count = self.count if self.active is None else len(self.active)
        groups = np.broadcast_to(mask, count).reshape(-1, self._group)
        decided: Array = groups.any(axis=1).repeat(self._group)
        return decided

    def negated(self, condition: Array) -> Array:
        return np.logical_not(condition)

    def either(
        self, condition: Array, then: Callable[[], Sequence[Array]], otherwise: Callable[[], Sequence[Array]]
    ) -> Sequence[Array]:
        return then() if np.all(condition) else otherwise()

    def known(self, value: Array) -> int | None:
        first = value.flat[0]
        return int(first) if value.size == 1 or (value == first).all() else None

    # textures ----------------------------------------------------------------------------------
    def sample(
        self,
        texture: int,
        coordinate: Sequence[Array],
        level: Array,
        *,
        by_steps: bool,
        is_cube: bool,
        steps: Sequence[Array] = (),
    ) -> Sequence[Array]:
        sampling = sampled(self._state, texture, {is_cube})
        count = self.count if self.active is None else len(self.active)
        point = np.stack([np.broadcast_to(component, count) for component in coordinate])
        if (steps or (by_steps and self._state.quads)) and sampling.needs_level:
            size = len(coordinate)
            moved = np.stack([np.broadcast_to(step, count) for step in steps or self.steps(list(point))])
            level = level + sampling.level_of_detail(point, moved[:size], moved[size:])
        return list(sampling.sample(point, np.broadcast_to(level, count)))

    # mistakes ----------------------------------------------------------------------------------
    def require(self, mask: Array, reason: str) -> None:
        if not np.all(mask):
            self.fault(reason)

    def fault(self, reason: str) -> NoReturn:
        raise self._fault(reason)


class ArrayEngine(Engine, Generic[Place]):
    """Interprets a program that `make` makes on lanes.

    `fault` makes the exception of a program that does what no program may.  With `group`, so many lanes run as one, and
    decide together.  So many lanes as `block` says run at a time.
    """

    def __init__(
        self,
        make: Callable[[Lanes], LaneProgram[Place]],
        fault: Fault = RuntimeError,
        group: int | None = None,
        block: int = BLOCK,
    ) -> None:
        self._block = max(block, 1)
        self.lanes = ArrayLanes(fault, group)
        self.program = make(self.lanes)
        #: How many places each lane came to in the last run.
        self.steps: Array = np.zeros(0, np.int64)

    def run(self, state: LaneState) -> dict[Key, Any]:
        outputs: dict[Key, Any] = {}
        counts = []
        with quiet():
            for first in range(0, state.lanes, self._block):
                self.lanes.begin(state, outputs, first, min(state.lanes - first, self._block))
                counts.append(_Block(self.program, self.lanes).run(state.max_steps))
                self.program.finish()
        self.steps = np.concatenate(counts) if counts else self.steps
        return outputs


class _Block(Generic[Place]):
    """One run of a block: which lanes wait where."""

    def __init__(self, program: LaneProgram[Place], lanes: ArrayLanes) -> None:
        self._program = program
        self._lanes = lanes
        self._everywhere = np.arange(lanes.count)
        self._waiting: dict[Place, Array] = {program.start: self._everywhere}
        #: Places that all lanes came to together, that any came to, and those of each lane that it did not share.
        self._common = 0
        self._executed = 0
        self._steps = np.zeros(lanes.count, np.int64)

    def run(self, limit: int) -> Array:
        """Until all lanes have come to the end; how many places each came to."""
        program, lanes = self._program, self._lanes
        while self._waiting:
            node = next(iter(self._waiting)) if len(self._waiting) == 1 else min(self._waiting, key=program.rank)
            chosen = self._waiting.pop(node)
            lanes.active = None if len(chosen) == lanes.count else chosen
            self._count(chosen, limit)
            edges = program.step(node)
            while not self._waiting and len(edges) == 1 and edges[0][1] is None:
                # There is nobody to meet.
                self._count(chosen, limit)
                edges = program.step(edges[0][0])
            self._leave(chosen, edges)
        lanes.active = None
        return self._common + self._steps

    def _count(self, chosen: Array, limit: int) -> None:
        self._executed += 1
        if self._lanes.active is None:
            self._common += 1
        else:
            self._steps[chosen] += 1
        # No lane came to more places than all of them together.
        if self._executed > limit and self._common + int(self._steps[chosen].max()) > limit:
            fail(TOO_MANY_STEPS, limit=limit, help="give a larger limit if it only takes long")

    def _leave(self, chosen: Array, edges: Sequence[Edge[Place]]) -> None:
        """Lanes go to the first place whose condition holds."""
        #: Those that no condition has held for so far; None: all.
        going: Array | None = None
        for place, condition in edges:
            takes = self._lanes.both(going, condition)
            if takes is None or np.all(takes):
                self._wait(place, chosen)
                return
            if np.any(takes):
                self._wait(place, chosen[takes])
                going = self._lanes.both(going, ~takes)

    def _wait(self, place: Place, lanes: Array) -> None:
        others = self._waiting.get(place)
        # In their order, as quads and groups need it.
        self._waiting[place] = lanes if others is None else np.sort(np.concatenate((others, lanes)), kind="stable")
