"""What a loader is told of a program: its inputs, uniforms and outputs, literals, limits and host state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from glslc_multi.backends.agal.codegen.abi import Abi
from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.registers import (
    ATTRIBUTE,
    COMPONENTS,
    CONSTANT,
    INSTANCE,
    SAMPLER,
    TEMPORARY,
    TOKEN_LIMITS,
    VARYING,
)
from glslc_multi.backends.agal.isa.window import WINDOW
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.codegen.interface import Column, columns_of
from glslc_multi.compiler.codegen.reflection import binding, bindings, in_registers, letters_of, literals
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.isa.spaces import WINDOW_SPACE


def reflect(program: Program, abi: Abi, written: frozenset[Register], host_state: dict[str, str]) -> Reflection:
    """The reflection of a program that writes these registers."""
    return Reflection(
        "agal",
        program.stage,
        attributes=_numbered(ATTRIBUTE, abi.attributes, abi),
        inputs=(*_numbered(INSTANCE, {(variable, 0, 0): 0 for variable in abi.instances}, abi), *_built_ins(abi)),
        uniforms=tuple(_uniform(v, abi) for v in abi.uniforms if v.role != "front_facing" and not v.contents),
        samplers=_numbered(SAMPLER, abi.units, abi),
        varyings=tuple(binding(v, places) for v in abi.varyings if (places := list(_varying_locations(v, abi)))),
        outputs=tuple(
            binding(v, places)
            for v in abi.module.of_storage("output")
            if (places := list(_output_locations(v, abi, written)))
        ),
        literals=tuple(literals(abi.files[CONSTANT].name, _numbers(abi))),
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


def _numbered(type: int, columns: Mapping[Column, int], abi: Abi) -> tuple[Binding, ...]:
    """Bindings of variables as they are declared."""
    declared = {(abi.declared[variable], element, column): n for (variable, element, column), n in columns.items()}
    return bindings(abi.files[type].name, declared) if declared else ()


def _uniform(variable: Variable, abi: Abi) -> Binding:
    declared, registers = abi.declared[variable], abi.constants.registers_of(variable)
    return binding(declared, in_registers(abi.files[CONSTANT].name, declared, registers))


def _built_ins(abi: Abi) -> Iterator[Binding]:
    """Bind gl_FragCoord, of which a varying brings the parts, and gl_FrontFacing in its constant."""
    if any(variable.name == WINDOW for variable in abi.varyings) and abi.files.stage == "fragment":
        yield Binding("gl_FragCoord", "vec4", None, (Location(WINDOW_SPACE, 0, COMPONENTS),))
    yield from (_uniform(variable, abi) for variable in abi.uniforms if variable.role == "front_facing")


def _varying_locations(variable: Variable, abi: Abi) -> Iterator[Location]:
    """Find the columns that the fragment stage reads."""
    for _, element, column in columns_of(variable):
        packed = abi.places.get((variable.name, element, column))
        if packed is not None:
            end = packed.start + min(packed.width, variable.type.width - packed.first)
            letters = COMPONENTS[packed.start : end]
            yield Location(abi.files[VARYING].name, packed.register, letters, "identity", element, column, packed.first)


def _output_locations(variable: Variable, abi: Abi, written: frozenset[Register]) -> Iterator[Location]:
    """List the registers of an output that are written."""
    for column in columns_of(variable):
        register = abi.output(*column)
        if register is not None and register in written:
            yield Location(register.file.name, register.index, letters_of(variable), element=column[1])


def _numbers(abi: Abi) -> dict[int, list[float | None]]:
    """List the numbers of registers; components without one are uploaded as 0 unless a uniform is there."""
    uniforms = {index for v in abi.uniforms if not v.contents for index in abi.constants.registers_of(v)}
    return {
        index: values if index in uniforms else [0.0 if value is None else value for value in values]
        for index, values in abi.constants.literals.items()
    }
