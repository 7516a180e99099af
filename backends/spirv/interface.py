"""The variables of a module: inputs, outputs, uniforms, textures and memory, and pointers to their elements.

A variable of the IR is one of SPIR-V, with its name, so that arrays of structures are an array for each member.  Blocks
keep their layout, since hosts fill them.  Uniforms of no block have locations in OpenGL, and a block of their own in
Vulkan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count

from glslc_multi.backends.spirv.assembly import Assembly
from glslc_multi.backends.spirv.blocks import BlockTypes, Steps, default_block
from glslc_multi.backends.spirv.environments import Environment
from glslc_multi.backends.spirv.locations import locations_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.declarations import Number
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.variables import SourceKind, Variable
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.spirv.built_ins import DECORATIONS
from glslc_multi.compiler.spirv.grammar.enumerants import number_of

_CAPABILITIES = {"ClipDistance": "ClipDistance", "PrimitiveId": "Geometry"}


@dataclass(frozen=True, slots=True)
class Home:
    """Where a variable lives: a variable of SPIR-V, and the steps from there."""

    id: int
    storage: str
    steps: Steps
    #: Lengths of the arrays that the steps go through.
    lengths: tuple[int, ...]
    #: The kind of its numbers in memory.
    kind: SourceKind


class Interface:
    """Declares the variables of a module."""

    def __init__(self, module: Module, assembly: Assembly, environment: Environment) -> None:
        self._module = module
        self._assembly = assembly
        self._environment = environment
        self._homes: dict[str, Home] = {}
        #: Inputs and outputs, which the entry point lists.
        self.listed: list[int] = []
        self._bindings, self._units, self._uniform_locations = count(), count(), count()
        used = _used(module)
        self._flows([v for v in used if v.storage in ("attribute", "varying", "input", "output")])
        self._uniforms([v for v in used if v.storage == "uniform"])
        for variable in (v for v in used if v.storage == "sampler"):
            self._sampler(variable)

    def local(self, variable: Variable) -> int:
        """Take an id for memory of the function; return the type of pointers to it."""
        storage, type_ = "Function", self._own_type(variable, variable.outer_kind)
        home = Home(self._assembly.take_id(), storage, *_flat(variable), variable.outer_kind)
        self._homes[variable.name] = home
        self._assembly.name(home.id, variable.name)
        return self._assembly.pointer_type(storage, type_)

    def home(self, variable: Variable) -> Home:
        """Return where a variable lives."""
        return self._homes[variable.name]

    # ---------------------------------------------------------------------------------- declarations
    def _flows(self, variables: Iterable[Variable]) -> None:
        """Declare what flows from stage to stage."""
        locations = {**locations_of(self._module, "attribute"), **locations_of(self._module, "varying")}
        is_fragment = self._module.stage == "fragment"
        centroids = {declaration.name for declaration in self._module.declarations if declaration.is_centroid}
        for variable in variables:
            is_output = variable.is_written_by(self._module.stage)
            home = self._declare(variable, "Output" if is_output else "Input", variable.outer_kind)
            self.listed.append(home.id)
            decorate = self._assembly.decorate
            if variable.role in DECORATIONS:
                built_in = DECORATIONS[variable.role][self._environment.is_vulkan]
                decorate(home.id, "BuiltIn", number_of("BuiltIn", built_in))
                if built_in in _CAPABILITIES:
                    self._assembly.need(_CAPABILITIES[built_in])
            elif variable.storage == "output":
                decorate(home.id, "Location", variable.location or 0)
            else:
                decorate(home.id, "Location", locations[variable.name])
            if variable.interpolation == "noperspective":
                decorate(home.id, "NoPerspective")
            elif variable.interpolation == "flat" or (is_fragment and not is_output and variable.is_flat):
                decorate(home.id, "Flat")
            if re.split(r"[.\[]", variable.name)[0] in centroids:
                decorate(home.id, "Centroid")
            if variable.invariant and is_output:
                decorate(home.id, "Invariant")

    def _uniforms(self, variables: Iterable[Variable]) -> None:
        """Declare uniforms, those of blocks with the rest of their blocks."""
        left = {variable.name: variable for variable in variables}
        for block in self._module.blocks:
            types = BlockTypes(self._assembly, block)
            is_pushed = block.packing == "push constant" and self._environment.is_vulkan
            storage = "PushConstant" if is_pushed else "Uniform"
            id = self._variable(storage, types.type, "" if block.global_names else f"{block.name.partition('[')[0]}_")
            if not is_pushed:
                self._bind(id, self._bindings)
            for name, steps in types.steps.items():
                variable = left.pop(name, None)
                if variable is not None:
                    self._homes[name] = Home(id, storage, steps, variable.dims, _kind_in_memory(variable))
        if self._environment.is_vulkan and left:
            alone = list(left.values())
            id = self._variable("Uniform", default_block(self._assembly, alone), "")
            self._bind(id, self._bindings)
            for number, variable in enumerate(alone):
                steps, lengths = _flat(variable)
                kind = _kind_in_memory(variable)
                self._homes[variable.name] = Home(id, "Uniform", (number, *steps), lengths, kind)
            return
        initial = dict(leaf for declaration in self._module.declarations for leaf in declaration.defaults)
        for variable in left.values():
            kind = _kind_in_memory(variable)
            value = self._constant(variable, kind, initial[variable.name]) if variable.name in initial else None
            home = self._declare(variable, "UniformConstant", kind, value)
            self._locate(home.id, variable)

    def _constant(self, variable: Variable, kind: SourceKind, numbers: Sequence[Number]) -> int:
        """Return what a uniform begins with: the numbers of elements in order, of matrices by columns."""
        parts = [self._assembly.number(kind, number) for number in numbers]
        width, columns = variable.type.width, variable.columns
        nested = [(width, self._assembly.value_type(kind, width))] if width > 1 else []
        if variable.is_matrix:
            nested.append((columns, self._assembly.value_type(kind, width, columns)))
        if variable.is_array:
            nested.append((variable.length, self._own_type(variable, kind)))
        for size, type_ in nested:
            wholes = [parts[first : first + size] for first in range(0, len(parts), size)]
            parts = [self._assembly.share("OpConstantComposite", *whole, type=type_) for whole in wholes]
        return parts[0]

    def _sampler(self, variable: Variable) -> None:
        """Declare a texture with its sampler, or an array of them."""
        type_ = self._assembly.sampler_type(SAMPLER_KINDS[variable.type.kind])
        if variable.is_array:
            type_ = self._assembly.array_type(type_, variable.length)
        id = self._variable("UniformConstant", type_, variable.name)
        self._homes[variable.name] = Home(id, "UniformConstant", *_flat(variable), variable.type.kind)
        self._bind(id, self._bindings if self._environment.is_vulkan else self._units)
        if not self._environment.is_vulkan:
            self._locate(id, variable)

    def _declare(self, variable: Variable, storage: str, kind: SourceKind, initial: int | None = None) -> Home:
        """Declare a variable of its own."""
        id = self._variable(storage, self._own_type(variable, kind), variable.name, initial)
        if variable.precision in ("lowp", "mediump") and kind != "bool":
            self._assembly.decorate(id, "RelaxedPrecision")
        home = self._homes[variable.name] = Home(id, storage, *_flat(variable), kind)
        return home

    def _own_type(self, variable: Variable, kind: SourceKind) -> int:
        """Return the type of a variable of its own."""
        type_ = self._assembly.value_type(kind, variable.type.width, variable.columns)
        return self._assembly.array_type(type_, variable.length) if variable.is_array else type_

    def _variable(self, storage: str, type_: int, name: str, initial: int | None = None) -> int:
        """Declare a global variable, with what it begins with."""
        pointer = self._assembly.pointer_type(storage, type_)
        operands = (number_of("StorageClass", storage), *([initial] if initial is not None else []))
        id = self._assembly.declare("OpVariable", *operands, type=pointer)
        self._assembly.name(id, name)
        return id

    def _bind(self, id: int, numbers: count[int]) -> None:
        """Give a block or a texture the next number of its binding."""
        if self._environment.is_vulkan:
            self._assembly.decorate(id, "DescriptorSet", 0)
        self._assembly.decorate(id, "Binding", next(numbers))

    def _locate(self, id: int, variable: Variable) -> None:
        """Give a uniform of OpenGL a location, and its elements the next ones."""
        numbers = [next(self._uniform_locations) for _ in range(variable.length)]
        self._assembly.decorate(id, "Location", numbers[0])


def _flat(variable: Variable) -> tuple[Steps, tuple[int, ...]]:
    """Return the steps in a variable of its own, and lengths: all dimensions are one."""
    return ((None,), (variable.length,)) if variable.is_array else ((), ())


def _kind_in_memory(variable: Variable) -> SourceKind:
    """Return the kind of a uniform's numbers as hosts give them."""
    return "uint" if variable.outer_kind == "bool" else variable.outer_kind


def _used(module: Module) -> list[Variable]:
    """List the variables of the interface that the code needs; of a vertex shader, all varyings are."""
    used: set[Variable] = set()
    for i in module.main.instructions():
        if i.op in (ops.LOAD, ops.STORE):
            used.add(i.address.variable)
        elif i.op in (ops.TEXTURE, ops.TEXTURE_SIZE):
            used.add(i.attribute.address.variable)
    is_sent = module.stage == "vertex"
    return [v for v in module.interface() if v in used or (is_sent and v.storage == "varying")]
