"""Which register holds what: inputs, outputs, uniforms and samplers, and what a loader is told of it.

Uniforms that the code reads get registers of their own in declared order, literals those behind them; attributes and
samplers are numbered in declared order too.  Varyings of a linked pair are numbered in the order of the fragment
shader; of stages compiled alone by the alphabet, so that two which declare the same varyings agree.
`layout(location = n)` pins any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from struct import pack, unpack

from backends.agal.codegen.machine_ops import Machine
from backends.agal.isa.registers import ATTRIBUTE, COMPONENTS, CONSTANT, DEPTH, INSTANCE, OUTPUT, SAMPLER, VARYING
from compiler.artifact import Binding, Literal32, Location, Transform
from compiler.codegen.constants import ConstantTable, place_uniforms
from compiler.codegen.registers import Register
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir import ops
from compiler.ir.module import Module
from compiler.ir.types import Kind, vector
from compiler.ir.variables import Variable
from compiler.options import LinkedInterface
from compiler.records import dataclass

#: What runs out, by register type.
_WHAT = {
    ATTRIBUTE: "attribute registers",
    CONSTANT: "constant registers",
    VARYING: "varying registers",
    SAMPLER: "samplers",
}
_HELP = {
    ATTRIBUTE: "put several attributes into one vec4",
    CONSTANT: "use smaller arrays, or put several uniforms into one vec4",
    VARYING: "put several varyings into one vec4",
    SAMPLER: "use fewer textures",
}
_TRANSFORM: dict[Kind, Transform] = {"int": "int-to-float", "bool": "bool-to-float"}


@dataclass(frozen=True, slots=True)
class Shape:
    """A variable as the source declares it, before lowerings change it."""

    type: str
    length: int | None
    elements: int
    columns: int
    width: int
    kind: Kind

    @classmethod
    def of(cls, variable: Variable) -> Shape:
        kind = variable.source_kind or variable.type.kind
        width = variable.type.width
        name = f"mat{variable.columns}" if variable.is_matrix else vector(kind, width).name
        length = variable.length if variable.is_array else None
        return cls(name, length, variable.length, variable.columns, width, kind)


def shapes_of(module: Module) -> dict[Variable, Shape]:
    return {variable: Shape.of(variable) for variable in module.interface()}


#: An element and a column of a variable.
_Place = tuple[str, int, int]


class Abi:
    """The registers of a legalised module."""

    def __init__(
        self,
        module: Module,
        machine: Machine,
        shapes: dict[Variable, Shape],
        in_rows: frozenset[Variable],
        linked: LinkedInterface | None,
    ) -> None:
        self.module = module
        self.machine = machine
        self.shapes = shapes
        self.in_rows = in_rows
        used = _used(module)
        self.uniforms = [v for v in module.variables.values() if v.storage == "uniform" and v in used]
        self.attributes = [v for v in module.variables.values() if v.storage == "attribute" and v in used]
        self.instances = [v for v in module.variables.values() if v.role == "instance_id" and v in used]
        self.samplers = [v for v in module.variables.values() if v.storage == "sampler" and v in used]
        self.varyings = [v for v in module.variables.values() if v.storage == "varying"]
        self.constants: ConstantTable = place_uniforms(self.uniforms, machine.files[CONSTANT])
        self._first = _number(self.attributes) | _number(self.samplers)
        self._varying = self._linked_varyings(linked) if linked is not None else self._varyings_by_name()

    # places --------------------------------------------------------------------------------
    def input(self, variable: Variable, element: int, column: int) -> Register:
        """The register of an attribute or, in fragment shaders, of a varying."""
        if variable.storage == "attribute":
            index = self._first[variable] + element * variable.columns + column
            return self.machine.files[ATTRIBUTE][index]
        return self.machine.files[VARYING][self._varying[variable.name, element, column]]

    def output(self, variable: Variable, element: int, column: int) -> Register | None:
        """The register that a stage writes; None where nobody reads it."""
        if variable.storage == "varying":
            index = self._varying.get((variable.name, element, column))
            return None if index is None else self.machine.files[VARYING][index]
        if variable.role == "point_size":
            return None
        return self.machine.files[DEPTH if variable.role == "frag_depth" else OUTPUT][element]

    def sampler(self, variable: Variable, element: int) -> int:
        return self._first[variable] + element

    def _linked_varyings(self, linked: LinkedInterface) -> dict[_Place, int]:
        places = dict.fromkeys((v.name, v.element, v.column) for v in linked.varyings)
        return {place: index for index, place in enumerate(places)}

    def _varyings_by_name(self) -> dict[_Place, int]:
        first = _number(sorted(self.varyings, key=lambda variable: variable.name))
        return {
            (variable.name, element, column): first[variable] + element * variable.columns + column
            for variable in self.varyings
            for element in range(variable.length)
            for column in range(variable.columns)
        }

    @property
    def instance(self) -> Register:
        """The register of the instance's number."""
        return self.machine.files[INSTANCE][0]

    # limits --------------------------------------------------------------------------------
    def check_limits(self, sink: DiagnosticSink) -> None:
        """Report files that do not suffice for the interface."""
        needs: dict[int, list[tuple[Variable, int]]] = {
            CONSTANT: [(v, self.constants.registers_of(v).stop) for v in self.uniforms],
            ATTRIBUTE: [(v, self._first[v] + v.length * v.columns) for v in self.attributes],
            SAMPLER: [(v, self._first[v] + v.length) for v in self.samplers],
            VARYING: [(v, self._end_of(v)) for v in self.varyings],
        }
        for type, ends in needs.items():
            self._check(type, ends, sink)
        sink.raise_if_errors()

    def _end_of(self, varying: Variable) -> int:
        return 1 + max((index for (name, _, _), index in self._varying.items() if name == varying.name), default=-1)

    def _check(self, type: int, ends: list[tuple[Variable, int]], sink: DiagnosticSink) -> None:
        file = self.machine.files.get(type)
        limit = file.count if file is not None else 0
        first = next((variable for variable, end in ends if end > limit), None)
        if first is not None:
            self.report_limit(type, max(end for _, end in ends), first, sink)

    def report_limit(self, type: int, need: int, variable: Variable | None, sink: DiagnosticSink) -> None:
        sink.report(
            RESOURCE_EXCEEDED,
            variable.span if variable is not None else None,
            help=_HELP[type],
            target=f"agal {self.machine.version}",
            need=need,
            what=_WHAT[type],
            limit=self.machine.files[type].count,
        )

    # reflection ----------------------------------------------------------------------------
    def uniform_bindings(self) -> tuple[Binding, ...]:
        space = self.machine.files[CONSTANT].name
        return tuple(
            self._binding(v, self._uniform_locations(v, space, self.constants.uniforms[v])) for v in self.uniforms
        )

    def _uniform_locations(self, variable: Variable, space: str, first: int) -> Iterator[Location]:
        shape = self.shapes[variable]
        transform: Transform = "transpose" if variable in self.in_rows else _TRANSFORM.get(shape.kind, "identity")
        letters = COMPONENTS[: shape.width]
        for element in range(shape.elements):
            for column in range(shape.columns):
                index = first + element * shape.columns + column
                yield Location(space, index, letters, transform, element, column)

    def input_bindings(self) -> tuple[Binding, ...]:
        space = self.machine.files[ATTRIBUTE].name
        return tuple(self._binding(v, self._plain_locations(v, space, self._first[v])) for v in self.attributes)

    def instance_bindings(self) -> tuple[Binding, ...]:
        return tuple(self._binding(v, self._plain_locations(v, self.instance.file.name, 0)) for v in self.instances)

    def sampler_bindings(self) -> tuple[Binding, ...]:
        space = self.machine.files[SAMPLER].name if self.samplers else ""
        return tuple(
            self._binding(v, [Location(space, self._first[v] + n, "", element=n) for n in range(v.length)])
            for v in self.samplers
        )

    def varying_bindings(self) -> tuple[Binding, ...]:
        space = self.machine.files[VARYING].name
        bindings = []
        for variable in self.varyings:
            shape = self.shapes[variable]
            places = [(e, c) for e in range(shape.elements) for c in range(shape.columns)]
            locations = [
                Location(space, self._varying[variable.name, e, c], COMPONENTS[: shape.width], element=e, column=c)
                for e, c in places
                if (variable.name, e, c) in self._varying
            ]
            if locations:
                bindings.append(self._binding(variable, locations))
        return tuple(bindings)

    def output_bindings(self, written: Iterable[Register]) -> tuple[Binding, ...]:
        """The outputs of the source of which some register is `written`."""
        registers = set(written)
        bindings = []
        for variable in self.module.outputs():
            if variable.storage != "output":
                continue
            shape = self.shapes[variable]
            locations = []
            for element in range(shape.elements):
                register = self.output(variable, element, 0)
                if register is not None and register in registers:
                    letters = COMPONENTS[: shape.width]
                    locations.append(Location(register.file.name, register.index, letters, element=element))
            if locations:
                bindings.append(self._binding(variable, locations))
        return tuple(bindings)

    def _plain_locations(self, variable: Variable, space: str, first: int) -> Iterator[Location]:
        shape = self.shapes[variable]
        for element in range(shape.elements):
            for column in range(shape.columns):
                index = first + element * shape.columns + column
                yield Location(space, index, COMPONENTS[: shape.width], element=element, column=column)

    def _binding(self, variable: Variable, locations: Iterable[Location]) -> Binding:
        shape = self.shapes[variable]
        return Binding(variable.name, shape.type, shape.length, tuple(locations))

    def literals(self) -> tuple[Literal32, ...]:
        """Literal registers; components without a number are uploaded as 0 unless a uniform is there."""
        space = self.machine.files[CONSTANT].name
        uniforms = {index for v in self.uniforms for index in self.constants.registers_of(v)}
        found = []
        for index, values in sorted(self.constants.literals.items()):
            filled = [
                (letter, 0.0 if value is None else value)
                for letter, value in zip(COMPONENTS, values, strict=True)
                if value is not None or index not in uniforms
            ]
            letters = "".join(letter for letter, _ in filled)
            words = tuple(unpack("<I", pack("<f", value))[0] for _, value in filled)
            found.append(Literal32(Location(space, index, letters), words))
        return tuple(found)


def _used(module: Module) -> set[Variable]:
    accesses = (ops.LOAD, ops.TEXTURE)
    return {i.address.variable for i in module.main.instructions() if i.op in accesses}


def _number(variables: Iterable[Variable]) -> dict[Variable, int]:
    """First registers: pinned ones where they say, the others in the first places that are free."""
    variables = list(variables)
    first = {v: v.location for v in variables if v.location is not None}
    taken = {index for v, start in first.items() for index in range(start, start + v.length * v.columns)}
    following = 0
    for variable in variables:
        if variable in first:
            continue
        count = variable.length * variable.columns
        while taken & set(range(following, following + count)):
            following += 1
        first[variable] = following
        following += count
    return first
