"""What a program works on: inputs, constants and textures, as the host sets them, and outputs as it finds them.

Values stand under register names: `va0` or `v0` (lanes, 1 to 4 components), `vc0` (4 components), `fs0` (a texture).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from glslc_multi.backends.agal.isa.program import Program, Sampler, Source
from glslc_multi.backends.agal.isa.registers import (
    ATTRIBUTE,
    BY_NAME,
    BY_TYPE,
    COMPONENTS,
    CONSTANT,
    INSTANCE,
    SAMPLER,
    VARYING,
)
from glslc_multi.backends.agal.isa.sampler_options import IGNORE_SAMPLER
from glslc_multi.backends.agal.machine.execute import DISCARDED, samplers_of, tokens_of
from glslc_multi.backends.agal.machine.sampling import of_base_level, usable, with_sampler
from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics.catalogue.evaluation import MISSING_VALUE, UNKNOWN_VALUE_NAME, WRONG_VALUE_SHAPE
from glslc_multi.compiler.execution.program import Key, LaneState
from glslc_multi.compiler.records import dataclass, replace

#: What an attribute has in the components that the host does not set.
_MISSING_COMPONENTS = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Results:
    """The outputs under their register names (`op`, `v0`, `oc`, `od`), and which lanes were discarded."""

    outputs: dict[str, Array]
    discarded: Array


class HostValues:
    """What the host gives a program for some lanes."""

    def __init__(
        self, program: Program, lanes: int, quads: bool, host_samplers: frozenset[int], base_level: frozenset[int]
    ) -> None:
        self._program = program
        self._lanes = lanes
        self._quads = quads
        self._host_samplers = host_samplers
        self._base_level = base_level
        self._input_types = (ATTRIBUTE, INSTANCE) if program.stage == "vertex" else (VARYING,)
        #: By type, number and component.
        self._inputs: dict[tuple[int, int, int], Array] = {}
        self._constants = np.zeros((BY_TYPE[program.stage, CONSTANT].size(program.version), 4), np.float32)
        self._given_constants: set[int] = set()
        self._textures: dict[int, Texture] = {}

    # --- Values from and to the host ----------------------------------------------------------------------------------

    def set_inputs(self, inputs: Mapping[str, Any]) -> None:
        for name, value in inputs.items():
            type, number = self._register(name, self._input_types, "input")
            array = np.asarray(value)
            array = array[:, None] if array.ndim == 1 else array
            if array.ndim != 2 or len(array) != self._lanes or not 1 <= array.shape[1] <= 4:
                fail(WRONG_VALUE_SHAPE, kind="input", name=name, expected=f"({self._lanes}, 1 to 4)", found=array.shape)
            # All components of the instance id hold it.
            rows = [array[:, 0]] * 4 if type == INSTANCE else [*array.T, *_MISSING_COMPONENTS[array.shape[1] :]]
            for component, row in enumerate(rows[: len(COMPONENTS)]):
                self._inputs[type, number, component] = np.asarray(row, np.float32)

    def set_constants(self, constants: Mapping[str, Any]) -> None:
        for name, value in constants.items():
            _, number = self._register(name, (CONSTANT,), "constant")
            array = np.asarray(value, dtype=np.float64)
            if array.shape != (4,):
                fail(WRONG_VALUE_SHAPE, kind="constant", name=name, expected="(4,)", found=array.shape)
            self._constants[number] = array
            self._given_constants.add(number)

    def set_textures(self, textures: Mapping[str, Texture]) -> None:
        for name, texture in textures.items():
            _, number = self._register(name, (SAMPLER,), "sampler")
            self._textures[number] = texture

    def _register(self, name: str, types: tuple[int, ...], kind: str) -> tuple[int, int]:
        """Type and number of a register that exists."""
        letters = name.rstrip("0123456789")
        digits = name[len(letters) :]
        bank = BY_NAME.get((self._program.stage, letters))
        if bank is None or bank.type not in types or not digits.isascii() or len(digits) > 5:
            fail(UNKNOWN_VALUE_NAME, kind=kind, name=name)
        number = int(digits or "0")
        if number >= bank.size(self._program.version):
            fail(UNKNOWN_VALUE_NAME, kind=kind, name=name)
        return bank.type, number

    # --- A run --------------------------------------------------------------------------------------------------------

    def state(self) -> LaneState:
        """What the program begins with; all that it reads must be given."""
        tokens = tokens_of(self._program)
        for token in tokens:
            # Of a matrix, which is the second source, several registers are read.
            for source, rows in zip(token.sources, (1, token.instruction.rows), strict=False):
                self._require(source, rows)
        textures = [self._texture_of(sampler) for sampler in samplers_of(tokens)]
        words = self._constants.view(np.int32).ravel()
        return LaneState(self._lanes, self._inputs, words, textures, self._quads)

    def _require(self, source: Source, rows: int) -> None:
        """The register that a source reads, and those after it, must be given."""
        if source.indirect:
            self._require(Source(source.index_type, source.number), 1)
            return
        for number in range(source.number, source.number + rows):
            if source.type == CONSTANT and number not in self._given_constants:
                self._fail_missing("constant", CONSTANT, number)
            if source.type in self._input_types and (source.type, number, 0) not in self._inputs:
                self._fail_missing("input", source.type, number)

    def _texture_of(self, sampler: Sampler) -> Texture:
        """The texture with the state that the sampler, or the host, gives it."""
        texture = self._textures.get(sampler.number)
        if texture is None:
            self._fail_missing("sampler", SAMPLER, sampler.number)
        if sampler.number in self._host_samplers:
            sampler = replace(sampler, special=sampler.special | IGNORE_SAMPLER)
        if sampler.number in self._base_level:
            texture = of_base_level(texture)
        return usable(with_sampler(texture, sampler), sampler, quads=self._quads)

    def _fail_missing(self, kind: str, type: int, number: int) -> NoReturn:
        fail(MISSING_VALUE, kind=kind, name=BY_TYPE[self._program.stage, type].spell(number))

    def results(self, outputs: Mapping[Key, Array]) -> Results:
        """What a run has left, under the names of registers."""
        values = {
            BY_TYPE[self._program.stage, type].spell(number): np.stack(
                [outputs[type, number, component] for component in range(len(COMPONENTS))], axis=1
            )
            for type, number in dict.fromkeys(key[:2] for key in outputs if key != DISCARDED)
        }
        return Results(values, outputs.get(DISCARDED, np.zeros(self._lanes)) != 0)
