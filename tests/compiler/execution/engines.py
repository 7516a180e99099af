"""Small programs for both engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Edge, Element, Engine, LaneProgram, Lanes, LaneState
from glslc_multi.compiler.native.programs import TranslatedCode

ENGINES = ("arrays", "translated")
#: What a step does, and where it leads; the number of its place is its key.
Step = Callable[[Lanes], Sequence[Edge[int]]]

_ELEMENTS: Mapping[type[np.generic], Element] = {
    np.float32: "float",
    np.float64: "double",
    np.int32: "i32",
    np.int64: "i64",
}


class Steps(LaneProgram[int]):
    """A program of numbered steps that begins at 0; then the variables `outputs` are handed out."""

    def __init__(self, steps: Mapping[int, Step], outputs: Mapping[str, Element], lanes: Lanes) -> None:
        self._steps = steps
        self._outputs = outputs
        self._lanes = lanes

    @property
    def start(self) -> int:
        return 0

    def step(self, place: int) -> Sequence[Edge[int]]:
        return self._steps[place](self._lanes)

    def finish(self) -> None:
        for name, element in self._outputs.items():
            self._lanes.output(name, self._lanes.read(name, element), element)


def engine_of(name: str, steps: Mapping[int, Step], outputs: Mapping[str, Element], group: int | None = None) -> Engine:
    def make(lanes: Lanes) -> Steps:
        return Steps(steps, outputs, lanes)

    return ArrayEngine(make, group=group) if name == "arrays" else TranslatedCode(make, group)


def computed(engine: str, formula: Callable[..., Number], *operands: Array, element: Element | None = None) -> Array:
    """What a formula makes of the lanes' own operations, then of these operands; a truth value is 1 or 0.

    `element` is its type, where that is not the type of the operands.
    """
    given: list[Element] = [_ELEMENTS[values.dtype.type] for values in operands]

    def step(lanes: Lanes) -> Sequence[Edge[int]]:
        a = lanes.operations
        result = formula(a, *(lanes.input(number, given[number]) for number in range(len(given))))
        if element == "i1":
            result = a.select(result, a.iconst(1), a.iconst(0))
        lanes.write("result", result)
        return ()

    kept: Element = "i32" if element == "i1" else element or given[0]
    state = LaneState(len(operands[0]), dict(enumerate(operands)))
    result: Array = engine_of(engine, {0: step}, {"result": kept}).run(state)["result"]
    return result
