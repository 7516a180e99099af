"""What a loader is told of a program: its inputs, uniforms and outputs, literals, limits and host state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from struct import pack, unpack

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
from compiler.artifact import Binding, Literal32, Location, Reflection, Transform
from compiler.codegen.registers import Register
from compiler.ir.variables import SourceKind, Variable

_TRANSFORM: dict[SourceKind, Transform] = {"int": "int-to-float", "uint": "int-to-float", "bool": "bool-to-float"}


def reflect(program: Program, abi: Abi, written: frozenset[Register], host_samplers: list[int]) -> Reflection:
    """The reflection of a program that writes these registers."""
    bindings = _Bindings(abi)
    return Reflection(
        "agal",
        program.stage,
        attributes=bindings.attributes(),
        inputs=bindings.instances(),
        uniforms=bindings.uniforms(),
        samplers=bindings.samplers(),
        varyings=bindings.varyings(),
        outputs=bindings.outputs(written),
        literals=_literals(abi),
        limits={
            "tokens": (len(program.words), TOKEN_LIMITS[program.version]),
            "temporaries": (temporaries_of(written, abi), abi.files[TEMPORARY].count),
            "constants": (abi.constants.bound, abi.files[CONSTANT].count),
        },
        host_state={"samplers": ",".join(f"fs{number}" for number in host_samplers)} if host_samplers else None,
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
            self._binding(v, self._locations(v, CONSTANT, first[v], self._transform(v))) for v in self.abi.uniforms
        )

    def attributes(self) -> tuple[Binding, ...]:
        first = self.abi.first
        return tuple(self._binding(v, self._locations(v, ATTRIBUTE, first[v])) for v in self.abi.attributes)

    def instances(self) -> tuple[Binding, ...]:
        return tuple(self._binding(v, self._locations(v, INSTANCE, 0)) for v in self.abi.instances)

    def samplers(self) -> tuple[Binding, ...]:
        return tuple(self._binding(v, self._sampler_locations(v)) for v in self.abi.samplers)

    def varyings(self) -> tuple[Binding, ...]:
        space = self.abi.files[VARYING].name
        bindings = []
        for variable in self.abi.varyings:
            shape = self.abi.shapes[variable]
            elements = [(e, c) for e in range(shape.elements) for c in range(shape.columns)]
            locations = [
                Location(space, self.abi.varying[variable.name, e, c], COMPONENTS[: shape.width], element=e, column=c)
                for e, c in elements
                if (variable.name, e, c) in self.abi.varying
            ]
            if locations:
                bindings.append(self._binding(variable, locations))
        return tuple(bindings)

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
        return _TRANSFORM.get(self.abi.shapes[uniform].kind, "identity")

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


def _literals(abi: Abi) -> tuple[Literal32, ...]:
    """Literal registers that hold any; components without a number are uploaded as 0 unless a uniform is there."""
    space = abi.files[CONSTANT].name
    uniforms = {index for v in abi.uniforms for index in abi.constants.registers_of(v)}
    found = []
    for index, values in sorted(abi.constants.literals.items()):
        filled = [
            (letter, 0.0 if value is None else value)
            for letter, value in zip(COMPONENTS, values, strict=True)
            if value is not None or index not in uniforms
        ]
        if not filled:
            continue
        letters = "".join(letter for letter, _ in filled)
        words = tuple(unpack("<I", pack("<f", value))[0] for _, value in filled)
        found.append(Literal32(Location(space, index, letters), words))
    return tuple(found)
