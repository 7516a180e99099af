"""The simulator engine: a shader's machine code run on its target's simulator, with values under GLSL names.

In: an artifact, the variables it was compiled from, and values as users write them (see `names.py`).  The reflection
says which registers hold what; this module puts the values there and takes the results from there, and knows
no target.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Binding, Location, Reflection
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.evaluation import INTEGER_BEYOND_PROMISE, MACHINE_FAULT, MISSING_VALUE
from glslc_multi.compiler.driver import checked_options, compile_module
from glslc_multi.compiler.ir.evaluate import DEFAULT_MAX_STEPS
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.window import VIEWPORT, viewport_of
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.records import dataclass, field, replace
from glslc_multi.compiler.target import MachineFault, MachineInputs, MachineOutputs, Target
from glslc_multi.runtime.blocks import spread_buffers
from glslc_multi.runtime.geometry import as_triangles, wound
from glslc_multi.runtime.lent import with_lent
from glslc_multi.runtime.names import Names, bind, bind_textures, name_results
from glslc_multi.runtime.preamble import run_preamble
from glslc_multi.runtime.reference import lane_count
from glslc_multi.runtime.texture_sizes import as_held, check_demands, texture_sizes
from glslc_multi.runtime.transforms import quaternions, transformed

#: What an attribute's missing last component reads as; the others are 0 (OpenGL ES 2.0 section 2.7).
_MISSING = 1.0
#: What code finds as the viewport where nobody gives one.
_VIEWPORT = np.array(viewport_of(0, 0, 64, 64))
#: What runs machine code on registers.
Execute = Callable[[Artifact, MachineInputs], MachineOutputs]


@dataclass(frozen=True, slots=True)
class Simulated:
    """What is run: machine code, its target, and the source's variables."""

    target: Target
    artifact: Artifact
    module: Module
    options: Mapping[str, Any] = field(default_factory=dict)
    #: The program that leaves the position of vertices, where that is a separate one (`Target.position_stage`).
    position: Artifact | None = None
    #: What runs the code in place of the simulator.
    execute: Execute | None = None

    def run(self, artifact: Artifact, inputs: MachineInputs) -> MachineOutputs:
        """Run a program; what the machine forbids is reported as a diagnostic."""
        try:
            if self.execute is not None:
                return self.execute(artifact, inputs)
            return self.target.simulate(artifact, inputs, self.options)
        except MachineFault as fault:
            fail(MACHINE_FAULT, reason=fault)


class Translations:
    """Machine code of one target, each program translated for this computer when it first runs."""

    def __init__(self, target: Target, options: Mapping[str, Any]) -> None:
        self._target = target
        self._options = options
        self._found: dict[int, tuple[Artifact, Callable[[MachineInputs], MachineOutputs]]] = {}

    def __call__(self, artifact: Artifact, inputs: MachineInputs) -> MachineOutputs:
        translated = self._found.get(id(artifact))
        if translated is None:
            translated = self._found[id(artifact)] = artifact, self._target.translate(artifact, self._options)
        return translated[1](inputs)


def run_artifact(
    shader: Simulated,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, Any],
    textures: Mapping[str, Any] | None = None,
    *,
    lanes: int | None = None,
    quads: bool = False,
    fill: bool = False,
    max_steps: int = DEFAULT_MAX_STEPS,
) -> dict[str, Array]:
    """Run the code on as many vertices or pixels as the inputs have; results as those of `reference.run_module`."""
    lanes = lane_count(inputs) if lanes is None else lanes
    shader = replace(shader, module=with_lent(shader.module, shader.artifact))
    values = _Values(shader, inputs, uniforms, textures or {}, lanes, fill)
    runs: list[tuple[Reflection, MachineOutputs]] = []
    for artifact in (shader.artifact, shader.position):
        if artifact is not None:
            machine = values.registers(artifact)
            machine.quads, machine.max_steps = quads, max_steps
            runs.append((artifact.reflection, shader.run(artifact, machine)))
    # Every output of the source.
    module = shader.module
    if module.stage == "geometry":
        return _triangles(module, *runs[0])
    results = _values_of(module, runs, lanes)
    if module.stage == "fragment":
        discarded = runs[0][1].discarded
        results["discarded"] = np.zeros(lanes, np.bool_) if discarded is None else np.asarray(discarded)
    return results


def position_program(target: Target, module: Module, request: Request) -> Artifact | None:
    """The program of a vertex shader that leaves its position, where the target has a separate one for that."""
    stage = target.position_stage
    if stage is None or module.stage != "vertex":
        return None
    sink = DiagnosticSink()
    return compile_module(clone_module(module), target, checked_options(target, stage, request, sink), request, sink)


class _Values:
    """What a caller gave, by names of the source."""

    def __init__(
        self,
        shader: Simulated,
        inputs: Mapping[str, Any],
        uniforms: Mapping[str, Any],
        textures: Mapping[str, Any],
        lanes: int,
        fill: bool,
    ) -> None:
        module = shader.module
        self.lanes = lanes
        self.variables = module.variables
        self._shader = shader
        self.inputs = bind(_names("input", module), inputs, lanes=lanes, fill=fill)
        members = spread_buffers(module.blocks, uniforms)
        self.uniforms = bind(_names("uniform", module), members, lanes=None, fill=fill)
        self.textures = bind_textures(_names("sampler", module), textures, fill=fill)

    def registers(self, artifact: Artifact) -> MachineInputs:
        """The values in the registers where a program expects them, with what `-fpreamble` leaves to the host."""
        reflection, uniforms = artifact.reflection, self.uniforms
        if artifact.preamble is not None:
            uniforms = uniforms | run_preamble(artifact.preamble, uniforms)
        check_demands(reflection, self.textures)
        uniforms = {VIEWPORT: _VIEWPORT} | uniforms | texture_sizes(self.textures)
        self._check_given((*reflection.attributes, *reflection.inputs), self.inputs)
        self._check_given(reflection.varyings if reflection.stage == "fragment" else (), self.inputs)
        self._check_given(reflection.uniforms, uniforms)
        self._check_given(reflection.samplers, self.textures)
        return MachineInputs(
            self.lanes,
            constants=_constant_registers(reflection, uniforms),
            inputs=_input_registers(reflection, self.inputs, self.lanes),
            textures={
                location.index: as_held(self.textures[binding.name][location.element], binding.type)
                for binding in reflection.samplers
                for location in binding.locations
            },
        )

    def _check_given(self, bindings: Iterable[Binding], values: Mapping[str, Any]) -> None:
        """Those variables of the source that the code reads must have values, as on the evaluator."""
        for binding in bindings:
            variable = self.variables.get(binding.name)
            if variable is not None and binding.name not in values:
                fail(MISSING_VALUE, variable.span, kind=variable.storage, name=binding.name)
            if variable is not None and variable.type.kind == "int":
                self._check_promise(variable, values[binding.name])

    def _check_promise(self, variable: Variable, value: Array) -> None:
        """Where ints are floats, the code was made for those that the target's limit allows."""
        limits = self._shader.target.whole_numbers
        if limits is None or not self._shader.module.exact_integers:
            return
        numbers = np.asarray(value, dtype=np.int64)
        worst = int(numbers.flat[np.abs(numbers).argmax()]) if numbers.size else 0
        if abs(worst) > limits.outside:
            target, limit = self._shader.target.name, limits.outside
            fail(INTEGER_BEYOND_PROMISE, variable.span, name=variable.name, value=worst, limit=limit, target=target)


def _names(kind: str, module: Module) -> Names:
    storages = {"input": ("attribute", "input", "varying"), "uniform": ("uniform",), "sampler": ("sampler",)}[kind]
    if kind == "input" and module.stage != "fragment":
        storages = ("attribute", "input")
    variables = [variable for variable in module.variables.values() if variable.storage in storages]
    declared_as = ("uniform",) if kind == "sampler" else storages
    return Names(kind, variables, [d for d in module.declarations if d.storage in declared_as])


# ------------------------------------------------------------------------------ values to registers
def _input_registers(reflection: Reflection, values: Mapping[str, Array], lanes: int) -> dict[str, dict[int, Array]]:
    """Attributes, varyings and built-in inputs in their registers, by lane."""
    # Not rounded before the target does so, unless they have come as float32.
    dtype = np.result_type(np.float32, *values.values())
    registers: dict[str, dict[int, Array]] = {}
    for binding in reflection.attributes:
        _fill_inputs(registers, binding, values, partial(_register, lanes, dtype, _MISSING))
    interface = (*reflection.varyings, *reflection.inputs) if reflection.stage == "fragment" else reflection.inputs
    for binding in interface:
        _fill_inputs(registers, binding, values, partial(_register, lanes, dtype))
    # Of all components of a register.
    turned = {(p.space, p.index) for b in interface for p in b.locations if p.transform == "quaternion"}
    for space, index in turned & {(space, index) for space, file in registers.items() for index in file}:
        registers[space][index] = quaternions(registers[space][index])
    return registers


def _fill_inputs(
    registers: dict[str, dict[int, Array]], binding: Binding, values: Mapping[str, Array], fresh: Callable[[], Array]
) -> None:
    if binding.name not in values:
        return
    value = _as_elements(values[binding.name], binding, leading=1)
    for location in binding.locations:
        file = registers.setdefault(location.space, {})
        register = file[location.index] if location.index in file else file.setdefault(location.index, fresh())
        for letter, number in _components(value, location):
            register[:, "xyzw".index(letter)] = transformed(number, location.transform)


def _register(lanes: int, dtype: DTypeLike, last: float = 0.0) -> Array:
    """Four components in each lane, of which the first three are 0."""
    columns = _by_component(lanes, (4,), dtype)
    if last:
        columns[:, -1] = last
    return columns


def _by_component(lanes: int, shape: tuple[int, ...], dtype: DTypeLike = np.float64) -> Array:
    """Zeros of the shape (lanes, ...); those of one component lie together, as machines take and leave them."""
    return np.moveaxis(np.zeros((*shape, lanes), dtype), -1, 0)


def _constant_registers(reflection: Reflection, values: Mapping[str, Array]) -> dict[str, dict[int, list[Any]]]:
    """Uniforms and literals in their registers."""
    registers: dict[str, dict[int, list[Any]]] = {}
    for binding in reflection.uniforms:
        if binding.name not in values:
            continue
        value = _as_elements(values[binding.name], binding, leading=0)
        for location in binding.locations:
            if location.transform == "table":
                registers.setdefault(location.space, {})[location.index] = value.reshape(-1).tolist()
                continue
            register = registers.setdefault(location.space, {}).setdefault(location.index, [0.0] * 4)
            for letter, number in _components(value, location):
                loaded = transformed(number, location.transform).item()
                register["xyzw".index(letter)] = _of_kind(loaded, binding, location)
    for literal in reflection.literals:
        place = literal.location
        register = registers.setdefault(place.space, {}).setdefault(place.index, [0.0] * 4)
        for letter, word in zip(place.components, literal.words, strict=True):
            register["xyzw".index(letter)] = struct.unpack("<f", struct.pack("<I", word))[0]
    return registers


def _of_kind(number: Any, binding: Binding, location: Location) -> Any:
    if location.transform == "count":
        return int(number)
    if location.transform == "identity" and binding.kind != "float":
        return bool(number) if binding.kind == "bool" else int(number)
    return float(number)


def _as_elements(value: Array, binding: Binding, leading: int) -> Array:
    """A value in the shape ([lanes,] elements, columns, components)."""
    value = np.asarray(value)
    own = list(value.shape[leading:])
    if binding.length is None:
        own.insert(0, 1)
    if not binding.type.startswith("mat"):
        own.insert(1, 1)
    return value.reshape((*value.shape[:leading], *own, *([1] * (3 - len(own)))))


def _components(value: Array, location: Location) -> Iterable[tuple[str, Array]]:
    """The numbers that go to each component of a register."""
    element = value[..., location.element, :, :]
    part = element[..., :, location.column] if location.transform == "transpose" else element[..., location.column, :]
    for index, letter in enumerate(location.components):
        yield letter, part[..., location.first + index]


# ------------------------------------------------------------------------------ registers to values
def _triangles(module: Module, reflection: Reflection, left: MachineOutputs) -> dict[str, Array]:
    """The triangles that a geometry shader has left, as if each corner were a lane."""
    found = [
        (lane, wound(vertices, is_turned=is_turned))
        for lane, emitted in enumerate(left.triangles)
        for is_turned, vertices in emitted
    ]
    corners = [corner for _, triangle in found for corner in triangle]
    registers: dict[str, dict[int, Array]] = {}
    for location in (location for binding in _written(module, reflection) for location in binding.locations):
        values = np.array([corner[location.index] for corner in corners]).reshape(len(corners), 4)
        registers.setdefault(location.space, {})[location.index] = values
    values_by_name = _values_of(module, [(reflection, MachineOutputs(registers))], len(corners))
    return as_triangles(values_by_name, [lane for lane, _ in found])


def _written(module: Module, reflection: Reflection) -> tuple[Binding, ...]:
    """What the code writes: outputs, and varyings except those that a fragment shader reads."""
    return reflection.outputs + (() if module.stage == "fragment" else reflection.varyings)


def _values_of(module: Module, runs: Sequence[tuple[Reflection, MachineOutputs]], lanes: int) -> dict[str, Array]:
    """Every output by lane; what the code does not write is 0."""
    outputs = {variable.name: variable for variable in module.outputs()}
    found = {name: _by_component(lanes, _shape(variable)) for name, variable in outputs.items()}
    # Registers that hold no floats may look like numbers that no arithmetic makes.
    with np.errstate(invalid="ignore"):
        for reflection, left in runs:
            for binding in _written(module, reflection):
                if binding.name in found:
                    _read_output(found[binding.name], binding, left)
        whole = {name: _as_kind(found[name], variable) for name, variable in outputs.items()}
    return name_results(outputs.values(), whole)


def _as_kind(numbers: Array, variable: Variable) -> Array:
    """Ints as such, which floats of machines without ints are near to."""
    if variable.outer_kind == "float":
        return numbers
    return np.rint(numbers).astype(np.int64).astype(np.uint32 if variable.outer_kind == "uint" else np.int32)


def _read_output(result: Array, binding: Binding, left: MachineOutputs) -> None:
    """Copy what the code wrote to an output into `result`."""
    # Axes of length 1 come in, so this is a view.
    value = _as_elements(result, binding, leading=1)
    for location in binding.locations:
        register = left.outputs[location.space][location.index]
        # A colour has four components, of which the source may have declared fewer.
        for index, letter in enumerate(location.components[: value.shape[-1] - location.first]):
            value[:, location.element, location.column, location.first + index] = register[:, "xyzw".index(letter)]


def _shape(variable: Variable) -> tuple[int, ...]:
    elements = (variable.length,) if variable.is_array else ()
    columns = (variable.columns,) if variable.is_matrix else ()
    components = () if variable.type.is_scalar else (variable.type.width,)
    return elements + columns + components
