"""EMIT and SETEMIT in translated code: triangles that a lane issues, of which nobody knows beforehand how many.

In: a translator.  Out: code that keeps three slots and the hidden bank of outputs as variables, and appends each
triangle to rows of outputs with room for a number of them; of those beyond it only the count is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from backends.pica200.isa.registers import COMPONENTS, MAPPED_OUTPUTS
from backends.pica200.machine.state import SLOTS, Machine, Triangle
from compiler.arithmetic.lanes import Array
from compiler.native.emitter import Value
from compiler.native.translation import Key, Translator

#: How many triangles each lane issued.
COUNT = "issued"
_TURNED = "turned"

Output = tuple[int, int]


def output_name(output: Output) -> str:
    """The variable of a register's component."""
    return f"o{output[0]}.{output[1]}"


class Emission:
    """What `translator` emits for these instructions, when the program writes these outputs."""

    def __init__(self, translator: Translator[Any], outputs: Iterable[Output], type: str) -> None:
        self._translator = translator
        self._emitter = translator.emitter
        self._outputs = sorted(outputs)
        self._type = type

    def prepare(self, fields: Mapping[str, int]) -> None:
        """SETEMIT."""
        self._translator.write("slot", self._emitter.ints(fields["vertex"] % SLOTS))
        self._translator.write("issues", self._emitter.splat("i1", str(bool(fields["primitive"])).lower()))
        self._translator.write(_TURNED, self._emitter.ints(fields["winding"]))

    def emit(self, most: Value) -> None:
        """EMIT, with room for `most` triangles."""
        self._store()
        self._issue(most)
        self._swap()

    def _store(self) -> None:
        slot = self._translator.read("slot", self._emitter.i32)
        for number in range(SLOTS):
            is_here = self._emitter.compare("icmp eq", slot, self._emitter.ints(number))
            for output in self._visible():
                value = self._translator.read(output_name(output), self._type)
                self._translator.write(_slot_name(number, output), value, is_here)

    def _visible(self) -> list[Output]:
        """The outputs that vertices have."""
        return [output for output in self._outputs if output[0] < MAPPED_OUTPUTS]

    def _issue(self, most: Value) -> None:
        translator, emitter = self._translator, self._emitter
        issues = translator.read("issues", emitter.mask)
        count = translator.read(COUNT, emitter.i32)
        fits = translator.both(translator.both(translator.mask, issues), emitter.compare("icmp ult", count, most))
        assert fits is not None
        for number in range(SLOTS):
            for output in self._visible():
                value = translator.read(_slot_name(number, output), self._type)
                if value.type != emitter.float:
                    value = emitter.convert("fptrunc", value, emitter.float)
                translator.append((number, *output), value, count, fits)
        translator.append(_TURNED, translator.read(_TURNED, emitter.i32), count, fits, "i32")
        translator.write(COUNT, emitter.binary("add", count, emitter.ints(1)), issues)

    def _swap(self) -> None:
        for output in self._outputs:
            names = output_name(output), f"hidden {output_name(output)}"
            shown, hidden = (self._translator.read(name, self._type) for name in names)
            self._translator.write(names[0], hidden)
            self._translator.write(names[1], shown)

    def finish(self) -> None:
        self._translator.output(COUNT, self._translator.read(COUNT, self._emitter.i32), "i32")


def _slot_name(number: int, output: Output) -> str:
    return f"slot{number} {output_name(output)}"


def take_triangles(machine: Machine, found: Mapping[Key, Array]) -> None:
    """Give a machine the triangles of a run that had room for all."""
    counts, turned = found[COUNT], found[_TURNED]
    vertices = np.zeros((*turned.shape, SLOTS, MAPPED_OUTPUTS, len(COMPONENTS)), np.float32)
    for key, values in found.items():
        if isinstance(key, tuple) and len(key) == 3:
            vertices[(..., *key)] = values
    for lane, count in enumerate(counts.tolist()):
        triangles = [Triangle(bool(turned[number, lane]), vertices[number, lane]) for number in range(count)]
        if triangles:
            machine.emitted[lane] = triangles
