"""A module compiled for this computer, and run on arrays.

    program = compile_module(module)
    result = program.run(inputs, uniforms, textures, lanes=1000)

takes and gives values in the layout of `compiler/ir/evaluate.py` and raises its errors.  Differences: a
variable that the shader reads anywhere must have a value, even if no lane comes there; and `max_steps` counts the
instructions of loops, for each group of lanes (one vector register) by itself.

`bind_rows` makes the inner call: rows of 32-bit words, one array for each component, without any conversion.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.lanes import LANES, Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics.catalogue.evaluation import (
    LANES_NOT_QUADS,
    TOO_MANY_STEPS,
    UNKNOWN_VALUE_NAME,
    WRONG_VALUE_SHAPE,
)
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import DEFAULT_MAX_STEPS, Emission, Result
from glslc_multi.compiler.ir.evaluate_memory import Memory
from glslc_multi.compiler.ir.evaluate_steps import check_texture
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.native import machine
from glslc_multi.compiler.native.cache import ObjectCache
from glslc_multi.compiler.native.kernel import EMISSIONS, ENTRY, Kernel
from glslc_multi.compiler.native.lookup import first_textures
from glslc_multi.compiler.native.lookup_kinds import kinds_of
from glslc_multi.compiler.native.machine import LinkedFunction, link_function
from glslc_multi.compiler.native.memory import Layout, lay_out
from glslc_multi.compiler.native.needs import Needs
from glslc_multi.compiler.native.prepare import prepare
from glslc_multi.compiler.native.sampling import sampler_addresses
from glslc_multi.compiler.native.texture_words import describe

_WORDS: dict[str, type[np.generic]] = {"float": np.float32, "int": np.int32}

#: A call of the kernel for geometry: what happened, the first lane of the group, and which of its lanes did it.
OnEmit = Callable[[int, int, int], None]
_ON_EMIT = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 7, _ON_EMIT, *[ctypes.c_int64] * 3)

Textures = Mapping[str, Texture | Sequence[Texture]]


def compile_module(module: Module, objects: ObjectCache | None = None) -> HostProgram:
    """Machine code for a module that passes the verifier; the module stays as it is."""
    prepared = prepare(module)
    layout = lay_out(prepared)
    kernel = Kernel(prepared, layout, machine.host().width)
    text = kernel.text(machine.host().attributes)
    spans = [jump.span for jump in kernel.backward]
    return HostProgram(module, prepared, layout, link_function(ENTRY, text, objects), spans, text)


class HostProgram:
    """Compiled code with what is known about the variables it reads and writes."""

    def __init__(
        self,
        module: Module,
        prepared: Module,
        layout: Layout,
        code: LinkedFunction,
        spans: Sequence[Span | None],
        text: str,
    ) -> None:
        self.module = module
        self.layout = layout
        #: Lanes that run at once; rows have a multiple of it.
        self.width = machine.host().width
        #: LLVM IR and machine code, for people who want to look at it.
        self.text, self.object_code = text, code.object_code
        self._code = code
        self._spans = spans
        self._variables = prepared.variables
        self._first_textures = first_textures(prepared)
        self._lookup_kinds = kinds_of(prepared)
        self._needs = Needs(module)
        self._function = _SIGNATURE(code.address)

    # values in the evaluator's layout --------------------------------------------------------
    def run(
        self,
        inputs: Mapping[str, Any],
        uniforms: Mapping[str, Any],
        textures: Textures | None = None,
        *,
        lanes: int,
        quads: bool = False,
        max_steps: int = DEFAULT_MAX_STEPS,
    ) -> Result:
        """Run `main` on `lanes` lanes."""
        if quads and lanes % 4:
            fail(LANES_NOT_QUADS, lanes=lanes)
        given = self._assign(inputs, self._input_storages(), "input", lanes)
        given |= self._assign(uniforms, ("uniform",), "uniform", None)
        bound = self._bind_textures(textures or {})
        self._needs.check(given, bound, quads)
        padded = -(-lanes // self.width) * self.width
        outputs = np.zeros((self.layout.sizes["output"], padded), dtype=np.int32)
        discarded = np.zeros(padded, dtype=np.bool_)
        words = np.zeros(self.layout.sizes["uniform"], dtype=np.int32)
        rows = self._input_rows(given, padded, words)
        emitted: list[Emission] = []

        def on_emit(what: int, first: int, mask: int) -> None:
            here = np.array([first <= lane and bool(mask >> (lane - first) & 1) for lane in range(lanes)])
            is_vertex = EMISSIONS[what] is ops.EMIT_VERTEX
            if here.any():
                emitted.append(Emission(self._export(outputs, lanes) if is_vertex else None, here))

        if lanes:
            found = self._texture_list(bound)
            self.bind_rows(rows, words, list(outputs), discarded, found, on_emit, max_steps=max_steps)()
        return Result(self._export(outputs, lanes), discarded[:lanes], emitted)

    def _input_storages(self) -> tuple[str, ...]:
        return ("varying", "input") if self.module.stage == "fragment" else ("attribute", "input")

    def _assign(
        self, values: Mapping[str, Any], storages: Sequence[str], kind: str, lanes: int | None
    ) -> dict[str, list[Array]]:
        """The cells of each variable that has a value, by its name."""
        cells = {}
        for name, value in values.items():
            variable = self._declared(name, storages, kind)
            memory = Memory(variable, LANES)
            memory.assign(value, lanes)
            cells[name] = memory.cells
        return cells

    def _declared(self, name: str, storages: Sequence[str], kind: str) -> Variable:
        variable = self.module.variables.get(name)
        if variable is None or variable.storage not in storages:
            fail(UNKNOWN_VALUE_NAME, kind=kind, name=name)
        return variable

    def _input_rows(self, given: Mapping[str, list[Array]], padded: int, words: Array) -> list[Array]:
        """Rows of all inputs; uniforms go to their words."""
        rows: list[Array] = [np.zeros(padded, dtype=np.int32)] * self.layout.sizes["input"]
        for name, cells in given.items():
            slot = self.layout.slots[self._variables[name]]
            components = [component for cell in cells for component in cell]
            for number, component in enumerate(components, start=slot.first):
                if slot.place == "uniform":
                    words[number] = _as_words(component)[0]
                elif slot.place == "input":
                    rows[number] = _padded(_as_words(component), padded)
        return rows

    def _export(self, outputs: Array, lanes: int) -> dict[str, Array]:
        """The value of each output from its rows."""
        results = {}
        for variable in self.module.outputs():
            slot = self.layout.slots[self._variables[variable.name]]
            words = outputs[slot.first : slot.first + slot.rows, :lanes]
            rows = words != 0 if variable.type.kind == "bool" else words.view(_WORDS[variable.type.kind])
            memory = Memory(variable, LANES)
            memory.cells = list(rows.reshape(variable.length * variable.columns, variable.type.width, lanes))
            results[variable.name] = memory.export(lanes)
        return results

    # textures --------------------------------------------------------------------------------
    def _bind_textures(self, textures: Textures) -> dict[Variable, list[Texture]]:
        bound = {}
        for name, given in textures.items():
            variable = self._declared(name, ("sampler",), "sampler")
            found = [given] if isinstance(given, Texture) else list(given)
            if len(found) != variable.length:
                shape, count = f"({variable.length},)", f"{len(found)} textures"
                fail(WRONG_VALUE_SHAPE, variable.span, kind="sampler", name=name, expected=shape, found=count)
            for texture in found:
                check_texture(variable, texture)
            bound[variable] = found
        return bound

    def _texture_list(self, bound: Mapping[Variable, Sequence[Texture]]) -> list[Texture | None]:
        """Textures in the order of the table; None for samplers that no lookup uses."""
        by_name = {variable.name: found for variable, found in bound.items()}
        ordered: list[Texture | None] = []
        for variable in self._first_textures:
            ordered.extend(by_name.get(variable.name, [None] * variable.length))
        return ordered

    # rows of words ---------------------------------------------------------------------------
    def bind_rows(
        self,
        inputs: Sequence[Array],
        uniforms: Array,
        outputs: Sequence[Array],
        discarded: Array,
        textures: Sequence[Texture | None] = (),
        on_emit: OnEmit | None = None,
        *,
        max_steps: int = DEFAULT_MAX_STEPS,
    ) -> Callable[[], None]:
        """A call that runs on rows as `layout` numbers them: arrays of 32-bit words, contiguous, a multiple of `width`
        long (as is `discarded`, of bools).

        The call may be repeated.  It reads and writes the arrays in place, while the interpreter's lock is free.
        """
        described = [None if texture is None else describe(texture) for texture in textures]
        table = _addresses([None if entry is None else entry[0] for entry in described])
        functions = sampler_addresses(self.width, self._lookup_kinds)
        scratch = np.empty(max(self.layout.sizes["scratch"], 1) * self.width, dtype=np.int32)
        kept = (_addresses(inputs), _addresses(outputs), uniforms, scratch, discarded, table, functions)
        places = [array.ctypes.data for array in kept]
        arguments = (*places, _ON_EMIT(on_emit or 0), 0, len(discarded), max_steps)

        def run(_alive: object = (inputs, outputs, kept, described)) -> None:
            status = self._function(*arguments)
            if status:
                help = "give a larger limit if it only takes long"
                fail(TOO_MANY_STEPS, self._spans[status - 1], limit=max_steps, help=help)

        return run


def _as_words(component: Array) -> Array:
    """Floats and ints as they are, bools as 0 and 1."""
    return component.astype(np.int32) if component.dtype == np.bool_ else component.view(np.int32)


def _padded(row: Array, length: int) -> Array:
    """A row with more of its last lane, which does nothing there that it does not do here."""
    if len(row) == length:
        return np.ascontiguousarray(row)
    return np.pad(row, (0, length - len(row)), mode="edge") if len(row) else np.zeros(length, dtype=np.int32)


def _addresses(arrays: Sequence[Array | None]) -> Array:
    return np.array([0 if array is None else array.ctypes.data for array in arrays], dtype=np.int64)
