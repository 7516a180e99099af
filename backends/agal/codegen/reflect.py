"""What a loader is told of a program: its inputs, uniforms and outputs, literals, limits and host state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backends.agal.codegen.abi import Abi
from backends.agal.isa.program import Program
from backends.agal.isa.registers import (
    ATTRIBUTE,
    COMPONENTS,
    CONSTANT,
    INSTANCE,
    SAMPLER,
    TEMPORARY,
    TOKEN_LIMITS,
    VARYING,
)
from backends.agal.isa.window import WINDOW, WINDOW_SPACE
from compiler.artifact import Binding, Literal32, Location, Reflection, Transform
from compiler.codegen.reflection import AS_FLOATS, literal
from compiler.codegen.registers import Register
from compiler.ir.variables import Variable


def reflect(program: Program, abi: Abi, written: frozenset[Register], host_state: dict[str, str]) -> Reflection:
    """The reflection of a program that writes these registers."""
    bindings = _Bindings(abi)
    return Reflection(
        "agal",
        program.stage,
        attributes=bindings.attributes(),
        inputs=(*bindings.instances(), *bindings.built_ins()),
        uniforms=bindings.uniforms(),
        samplers=bindings.samplers(),
        varyings=bindings.varyings(),
        outputs=bindings.outputs(written),
        literals=tuple(_literals(abi)),
        limits={
            "tokens": (len(program.words), TOKEN_LIMITS[program.version]),
            "temporaries": (temporaries_of(written, abi), abi.files[TEMPORARY].count),
            "constants": (abi.constants.bound, abi.files[CONSTANT].count),
        },
        host_state=host_state or None,
    )


def temporaries_of(written: Iterable[Register], abi: Abi) -> int:
    """How many of the written registers are temporaries."""
    return sum(abi.files.type_of(register) == TEMPORARY for register in written)


class _Bindings:
    """The variables of the source with their registers."""

    def __init__(self, abi: Abi) -> None:
        self.abi = abi

    def uniforms(self) -> tuple[Binding, ...]:
        first = self.abi.constants.uniforms
        return tuple(
            self._binding(v, self._locations(v, CONSTANT, first[v], self._transform(v)))
            for v in self.abi.uniforms
            if v.role != "front_facing"
        )

    def attributes(self) -> tuple[Binding, ...]:
        first = self.abi.first
        return tuple(self._binding(v, self._locations(v, ATTRIBUTE, first[v])) for v in self.abi.attributes)

    def instances(self) -> tuple[Binding, ...]:
        return tuple(self._binding(v, self._locations(v, INSTANCE, 0)) for v in self.abi.instances)

    def built_ins(self) -> Iterator[Binding]:
        """gl_FragCoord, of which a varying brings what it is made of, and gl_FrontFacing in its constant."""
        if any(variable.name == WINDOW for variable in self.abi.varyings) and self.abi.files.stage == "fragment":
            yield Binding("gl_FragCoord", "vec4", None, (Location(WINDOW_SPACE, 0, COMPONENTS),))
        for variable in self.abi.uniforms:
            if variable.role == "front_facing":
                first = self.abi.constants.uniforms[variable]
                yield self._binding(variable, self._locations(variable, CONSTANT, first, "bool-to-float"))

    def samplers(self) -> tuple[Binding, ...]:
        return tuple(self._binding(v, self._sampler_locations(v)) for v in self.abi.samplers)

    def varyings(self) -> tuple[Binding, ...]:
        bindings = []
        for variable in self.abi.varyings:
            locations = list(self._varying_locations(variable))
            if locations:
                bindings.append(self._binding(variable, locations))
        return tuple(bindings)

    def _varying_locations(self, variable: Variable) -> Iterator[Location]:
        """Where the columns are that the fragment stage reads."""
        space, shape = self.abi.files[VARYING].name, self.abi.shapes[variable]
        for element in range(shape.elements):
            for column in range(shape.columns):
                packed = self.abi.places.get((variable.name, element, column))
                if packed is not None:
                    end = packed.start + min(packed.width, shape.width - packed.first)
                    letters = COMPONENTS[packed.start : end]
                    yield Location(space, packed.register, letters, element=element, column=column, first=packed.first)

    def outputs(self, written: frozenset[Register]) -> tuple[Binding, ...]:
        """The outputs of the source of which some register is written."""
        bindings = []
        for variable in self.abi.module.outputs():
            if variable.storage != "output":
                continue
            shape = self.abi.shapes[variable]
            locations = []
            for element in range(shape.elements):
                register = self.abi.output(variable, element, 0)
                if register is not None and register in written:
                    letters = COMPONENTS[: shape.width]
                    locations.append(Location(register.file.name, register.index, letters, element=element))
            if locations:
                bindings.append(self._binding(variable, locations))
        return tuple(bindings)

    def _transform(self, uniform: Variable) -> Transform:
        if uniform in self.abi.row_major:
            return "transpose"
        return AS_FLOATS.get(self.abi.shapes[uniform].kind, "identity")

    def _sampler_locations(self, variable: Variable) -> Iterator[Location]:
        space = self.abi.files[SAMPLER].name
        for element in range(variable.length):
            yield Location(space, self.abi.sampler(variable, element), "", element=element)

    def _locations(
        self, variable: Variable, type: int, first: int, transform: Transform = "identity"
    ) -> Iterator[Location]:
        shape, space = self.abi.shapes[variable], self.abi.files[type].name
        letters = COMPONENTS[: shape.width]
        for element in range(shape.elements):
            for column in range(shape.columns):
                index = first + element * shape.columns + column
                yield Location(space, index, letters, transform, element, column)

    def _binding(self, variable: Variable, locations: Iterable[Location]) -> Binding:
        shape = self.abi.shapes[variable]
        return Binding(variable.name, shape.type, shape.length, tuple(locations))


def _literals(abi: Abi) -> Iterator[Literal32]:
    """Yield the literal registers; components without a number are uploaded as 0 unless a uniform is there."""
    uniforms = {index for v in abi.uniforms for index in abi.constants.registers_of(v)}
    for index, values in sorted(abi.constants.literals.items()):
        if index not in uniforms:
            values = [0.0 if value is None else value for value in values]
        if any(value is not None for value in values):
            yield literal(abi.files[CONSTANT].name, index, values)
