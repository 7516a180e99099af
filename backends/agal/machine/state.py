"""What a program works on: registers by lane, constants and textures, as the host sets them and finds them after it.

Values stand under register names: `va0` or `v0` (lanes, 1 to 4 components), `vc0` (4 components), `fs0` (a texture).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from backends.agal.isa.program import Program, Sampler
from backends.agal.isa.registers import (
    ATTRIBUTE,
    BY_NAME,
    BY_TYPE,
    CONSTANT,
    DEPTH,
    INSTANCE,
    OUTPUT,
    SAMPLER,
    TEMPORARY,
    VARYING,
)
from backends.agal.isa.sampler_options import IGNORE_SAMPLER
from backends.agal.machine.sampling import usable, with_sampler
from compiler.arithmetic.evaluation_error import fail
from compiler.arithmetic.lanes import Array, LaneArithmetic
from compiler.arithmetic.sampling import Texture
from compiler.diagnostics.catalogue.evaluation import MISSING_VALUE, UNKNOWN_VALUE_NAME, WRONG_VALUE_SHAPE
from compiler.records import dataclass, replace

#: A register: its four components, one number a lane (or one for all).
Vector = tuple[Array, ...]
#: What an attribute has in the components that the host does not set.
_MISSING_COMPONENTS = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Results:
    """The outputs under their register names (`op`, `v0`, `oc`, `od`), and which lanes were discarded."""

    outputs: dict[str, Array]
    discarded: Array


class Machine:
    """The registers of a program on some lanes, and what the host gives it."""

    def __init__(self, program: Program, lanes: int, quads: bool, arithmetic: LaneArithmetic) -> None:
        self.program = program
        self.lanes = lanes
        self.quads = quads
        self.arithmetic = arithmetic
        self.registers: dict[tuple[int, int], Vector] = {}
        self.constants: Array = np.zeros(0)
        self.given_constants: set[int] = set()
        self.textures: dict[int, Texture] = {}
        self.host_samplers: frozenset[int] = frozenset()
        self.discarded: Array = np.zeros(lanes, dtype=np.bool_)

    # --- Values from and to the host ----------------------------------------------------------------------------------

    def set_inputs(self, inputs: Mapping[str, Any]) -> None:
        types = (ATTRIBUTE, INSTANCE) if self.program.stage == "vertex" else (VARYING,)
        for name, value in inputs.items():
            type, number = self._register(name, types, "input")
            array = np.asarray(value)
            array = array[:, None] if array.ndim == 1 else array
            if array.ndim != 2 or len(array) != self.lanes or not 1 <= array.shape[1] <= 4:
                fail(WRONG_VALUE_SHAPE, kind="input", name=name, expected=f"({self.lanes}, 1 to 4)", found=array.shape)
            # All components of the instance id hold it.
            rows = [array[:, 0]] * 4 if type == INSTANCE else [*array.T, *_MISSING_COMPONENTS[array.shape[1] :]]
            self.registers[type, number] = tuple(self.arithmetic.encode("float", row) for row in rows)

    def set_constants(self, constants: Mapping[str, Any]) -> None:
        size = BY_TYPE[self.program.stage, CONSTANT].size(self.program.version)
        values = np.zeros((size, 4))
        for name, value in constants.items():
            _, number = self._register(name, (CONSTANT,), "constant")
            array = np.asarray(value, dtype=np.float64)
            if array.shape != (4,):
                fail(WRONG_VALUE_SHAPE, kind="constant", name=name, expected="(4,)", found=array.shape)
            values[number] = array
            self.given_constants.add(number)
        self.constants = self.arithmetic.encode("float", values)

    def set_textures(self, textures: Mapping[str, Texture]) -> None:
        for name, texture in textures.items():
            _, number = self._register(name, (SAMPLER,), "sampler")
            self.textures[number] = texture

    def _register(self, name: str, types: tuple[int, ...], kind: str) -> tuple[int, int]:
        """Type and number of a register that exists."""
        letters = name.rstrip("0123456789")
        digits = name[len(letters) :]
        bank = BY_NAME.get((self.program.stage, letters))
        if bank is None or bank.type not in types or not digits.isascii() or len(digits) > 5:
            fail(UNKNOWN_VALUE_NAME, kind=kind, name=name)
        number = int(digits or "0")
        if number >= bank.size(self.program.version):
            fail(UNKNOWN_VALUE_NAME, kind=kind, name=name)
        return bank.type, number

    def results(self) -> Results:
        outputs = {}
        types = (OUTPUT, VARYING) if self.program.stage == "vertex" else (OUTPUT, DEPTH)
        for (type, number), value in self.registers.items():
            if type in types:
                shaped = np.stack([np.broadcast_to(component, (self.lanes,)) for component in value]).T
                outputs[BY_TYPE[self.program.stage, type].spell(number)] = self.arithmetic.decode("float", shaped)
        return Results(outputs, self.discarded)

    # --- Reads --------------------------------------------------------------------------------------------------------

    def constant(self, number: int) -> Vector:
        """A constant that the host has set."""
        if number not in self.given_constants:
            self._fail_missing("constant", CONSTANT, number)
        return tuple(self.constants[number])

    def register(self, type: int, number: int) -> Vector:
        """A register of lanes."""
        value = self.registers.get((type, number))
        if value is not None:
            return value
        if type != TEMPORARY:
            self._fail_missing("input", type, number)
        return (self.arithmetic.fconst(0.0),) * 4

    def texture_of(self, sampler: Sampler) -> Texture:
        """The texture with the state that the sampler, or the host, gives it."""
        texture = self.textures.get(sampler.number)
        if texture is None:
            self._fail_missing("sampler", SAMPLER, sampler.number)
        assert texture is not None
        if sampler.number in self.host_samplers:
            sampler = replace(sampler, special=sampler.special | IGNORE_SAMPLER)
        return usable(with_sampler(texture, sampler), sampler, quads=self.quads)

    def _fail_missing(self, kind: str, type: int, number: int) -> None:
        fail(MISSING_VALUE, kind=kind, name=BY_TYPE[self.program.stage, type].spell(number))
