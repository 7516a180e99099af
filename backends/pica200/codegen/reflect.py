"""What a loader is told of a program: where its inputs, uniforms and outputs are, its literals and limits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from backends.pica200.codegen.abi import TARGET_NAME, Interface, count_symbol
from backends.pica200.codegen.register_files import CONSTANTS, TEMPORARIES
from backends.pica200.isa.instructions import decode
from backends.pica200.isa.program import Program
from backends.pica200.isa.registers import CODE_WORDS, DESCRIPTORS, destination_register
from compiler.artifact import Binding, Literal32, Location, Reflection
from compiler.codegen.constants import ConstantTable
from compiler.codegen.reflection import binding, columns, in_constants, literal
from compiler.ir.module import Module
from compiler.ir.primitive import primitive_of
from compiler.ir.variables import MACHINE, Variable


def reflect(module: Module, interface: Interface, program: Program, constants: ConstantTable) -> Reflection:
    uniforms = []
    for variable in module.variables.values():
        if variable.storage == "uniform" and variable.role != MACHINE:
            locations = [*_bool_and_count_locations(interface, variable)]
            if variable in interface.constants.uniforms:
                locations += in_constants("c", variable, interface.constants)
            if locations:
                uniforms.append(binding(variable, locations))
    return Reflection(
        TARGET_NAME,
        module.stage,
        attributes=tuple(
            binding(v, columns("v", v, partial(interface.input_register, v)))
            for v in interface.inputs
            if v.storage == "attribute"
        ),
        inputs=_inputs(interface, module),
        uniforms=tuple(uniforms),
        varyings=_outputs(interface, varyings=True),
        outputs=_outputs(interface, varyings=False),
        literals=tuple(_literals(program, constants)),
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
    space, register = ("v", interface.input_register) if interface.memory is None else ("c", interface.vertex_register)
    return tuple(
        binding(v, columns(space, v, partial(register, v))) for v in module.variables.values() if v.storage == "input"
    )


def _outputs(interface: Interface, *, varyings: bool) -> tuple[Binding, ...]:
    """Bindings of the varyings, or of the other outputs."""
    return tuple(
        binding(variable, columns("o", variable, partial(interface.output_register, variable)))
        for variable in interface.outputs
        if (variable.storage == "varying") is varyings
    )


def _bool_and_count_locations(interface: Interface, variable: Variable) -> Iterator[Location]:
    """In b and i registers."""
    if variable in interface.bools:
        yield Location("b", interface.bools[variable], "x")
    for register in interface.counts.get(variable, ()):
        yield Location("i", register, "x", "count")


def _literals(program: Program, table: ConstantTable) -> Iterator[Literal32]:
    """Yield the components of the container's constants that are literals."""
    for constant in program.executables[0].constants:
        if constant.bank == "c":
            held = zip(constant.floats, table.literals[constant.register], strict=True)
            yield literal("c", constant.register, [None if value is None else number for number, value in held])
