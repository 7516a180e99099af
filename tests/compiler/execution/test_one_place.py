"""A machine's new arithmetic is written once, and both engines have it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.operations import Derived
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Edge, Engine, LaneProgram, Lanes, LaneState
from glslc_multi.compiler.native.programs import TranslatedCode


class Machine(Derived):
    """A machine that never made it: no number below zero."""

    def fsub(self, x: Number, y: Number) -> Number:
        return self.select(self.flt(x, y), self.fconst(0.0), self.core.fsub(x, y))


class NewMachine(Machine):
    """Its next model, with an instruction more: this method is all that it takes."""

    def distance(self, x: Number, y: Number) -> Number:
        return self.fadd(self.fsub(x, y), self.fsub(y, x))


class Program(LaneProgram[int]):
    """One instruction."""

    def __init__(self, machine: type[Machine], instruction: str, lanes: Lanes) -> None:
        self._lanes = lanes
        self._machine = machine(lanes.operations)
        self._instruction = instruction

    @property
    def start(self) -> int:
        return 0

    def step(self, place: int) -> Sequence[Edge[int]]:
        x, y = self._lanes.input("x"), self._lanes.input("y")
        self._lanes.write("result", getattr(self._machine, self._instruction)(x, y))
        return ()

    def finish(self) -> None:
        self._lanes.output("result", self._lanes.read("result"))


@pytest.mark.parametrize("engine", [ArrayEngine, TranslatedCode])
@pytest.mark.parametrize(
    ("machine", "instruction", "wanted"),
    [
        (Machine, "fsub", [0.0, 2.5, 0.0]),
        (Machine, "fadd", [3.0, 3.5, 2.0]),
        (NewMachine, "distance", [1.0, 2.5, 0.0]),
    ],
)
def test_an_instruction_runs_on_both_engines(
    engine: type[Engine], machine: type[Machine], instruction: str, wanted: list[float]
) -> None:
    code = engine(partial(Program, machine, instruction))  # type: ignore[call-arg]
    values = {"x": np.array([1.0, 3.0, 1.0]), "y": np.array([2.0, 0.5, 1.0])}
    assert code.run(LaneState(3, values))["result"].tolist() == wanted
