"""What a loader is told of a program: where its inputs, uniforms and outputs are, its literals and limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME, Interface, count_symbol
from glslc_multi.backends.pica200.codegen.register_files import CONSTANTS, TEMPORARIES
from glslc_multi.backends.pica200.isa.instructions import decode
from glslc_multi.backends.pica200.isa.numbers import nearest
from glslc_multi.backends.pica200.isa.program import Program
from glslc_multi.backends.pica200.isa.registers import CODE_WORDS, DESCRIPTORS, destination_register
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.codegen.constants import ConstantTable
from glslc_multi.compiler.codegen.interface import Column, columns_of
from glslc_multi.compiler.codegen.reflection import binding, bindings, in_registers, literals
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.primitive import primitive_of
from glslc_multi.compiler.ir.variables import MACHINE, Storage, Variable


def reflect(module: Module, interface: Interface, program: Program, constants: ConstantTable) -> Reflection:
    uniforms = []
    for variable in module.variables.values():
        if variable.storage == "uniform" and variable.role != MACHINE:
            locations = [*_bool_and_count_locations(interface, variable)]
            if variable in interface.constants.uniforms:
                locations += in_registers("c", variable, interface.constants.registers_of(variable))
            if locations:
                uniforms.append(binding(variable, locations))
    held = {
        index: [None if number is None else nearest(number) for number in numbers]
        for index, numbers in constants.literals.items()
    }
    return Reflection(
        TARGET_NAME,
        module.stage,
        attributes=bindings("v", _of_storage(interface.inputs, "attribute")),
        inputs=_inputs(interface, module),
        uniforms=tuple(uniforms),
        varyings=bindings("o", _of_storage(interface.outputs, "varying")),
        outputs=bindings("o", _of_storage(interface.outputs, "output")),
        literals=tuple(literals("c", held)),
        limits={
            "code words": (len(program.code), CODE_WORDS),
            "operand descriptors": (len(program.descriptors), DESCRIPTORS),
            "constant registers": (constants.used, CONSTANTS.count),
            "temporary registers": (temporaries_of(program), TEMPORARIES.count),
        },
        host_state=_host_state(module, interface, program) or None,
    )


def _host_state(module: Module, interface: Interface, program: Program) -> dict[str, int]:
    """What the libraries take as arguments: start and step of i registers that the host sets, and the stride of
    `shaderProgramSetGsh`, the v registers that a geometry shader's run gets, or what each vertex has in c registers."""
    values = {
        constant.register: constant.values for constant in program.executables[0].constants if constant.bank == "i"
    }
    state: dict[str, int] = {}
    for variable, registers in interface.counts.items():
        for number, register in enumerate(registers):
            name = count_symbol(variable, number)
            _, state[f"{name}.start"], state[f"{name}.step"], _ = values[register]
    primitive = primitive_of(module.pragmas) if module.stage == "geometry" else None
    if interface.memory is not None:
        state["geometry_stride"] = interface.memory.layout.registers
    elif primitive is not None:
        state["geometry_stride"] = interface.per_vertex * primitive.vertices
    return state


def temporaries_of(program: Program) -> int:
    """How many r registers the words name."""
    used = set()
    for word in program.code:
        instruction = decode(word)
        if instruction is not None and "dst" in instruction.fields:
            bank, index = destination_register(instruction.fields["dst"])
            if bank == "r":
                used.add(index)
    return len(used)


def _inputs(interface: Interface, module: Module) -> tuple[Binding, ...]:
    """Bindings of what a geometry shader gets of its vertices."""
    if interface.memory is None:
        return bindings("v", _of_storage(interface.inputs, "input"))
    columns = [column for variable in module.of_storage("input") for column in columns_of(variable)]
    return bindings("c", {column: interface.vertex_register(*column) for column in columns})


def _of_storage(numbers: Mapping[Column, int], storage: Storage) -> dict[Column, int]:
    return {column: register for column, register in numbers.items() if column[0].storage == storage}


def _bool_and_count_locations(interface: Interface, variable: Variable) -> Iterator[Location]:
    """In b and i registers."""
    if variable in interface.bools:
        yield Location("b", interface.bools[variable], "x")
    for register in interface.counts.get(variable, ()):
        yield Location("i", register, "x", "count")
