"""The file: its tables, from which the console's libraries read where inputs, uniforms, constants and outputs are; and
several shaders in one file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME, Interface, count_symbol
from glslc_multi.backends.pica200.isa.container import write
from glslc_multi.backends.pica200.isa.program import (
    SEMANTIC_WIDTHS,
    SEMANTICS,
    UNIFORM_BASE,
    Constant,
    Executable,
    Geometry,
    Output,
    Uniform,
)
from glslc_multi.backends.pica200.isa.registers import MAPPED_OUTPUTS
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.codegen.interface import register_count
from glslc_multi.compiler.codegen.phases import require_valid
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.variables import Variable

#: Where the text of a program names a procedure.
_PROCEDURE = r"(?m)^( *(?:\.proc|call) )(\w+)$"
_SEMANTIC_NUMBERS = {name: number for number, name in SEMANTICS.items()}


def executable_tables(interface: Interface, constants: list[Constant]) -> Executable:
    """Tables of the container, all but where the code begins and ends."""
    shader = Executable(constants=constants)
    memory = interface.memory
    if interface.per_vertex or memory is not None:
        shader.geometry = Geometry("point")
        if memory is not None:
            shader.geometry = memory.geometry(interface.constants.uniforms[memory.cells])
        # As the common assembler has it: what the rasteriser does not know may come from the vertex shader's map.
        shader.merges_outputs = "dummy" in interface.properties.values()
    for (variable, element, column), register in interface.inputs.items():
        suffix = "" if register_count(variable) == 1 else f".{element * variable.columns + column}"
        shader.input_mask |= 1 << register
        shader.uniforms.append(Uniform(f"{variable.name}{suffix}", register, register))
    # Tables have no names for the host.
    for variable, first in [each for each in interface.constants.uniforms.items() if not each[0].contents]:
        if memory is not None and variable in memory.variables:
            continue
        count = len(interface.constants.registers_of(variable))
        shader.uniforms += _named(variable, UNIFORM_BASE["c"] + first, count)
    for variable, register in interface.bools.items():
        shader.uniforms.append(Uniform(variable.name, UNIFORM_BASE["b"] + register, UNIFORM_BASE["b"] + register))
    for variable, registers in interface.counts.items():
        for number, register in enumerate(registers):
            base = UNIFORM_BASE["i"] + register
            shader.uniforms.append(Uniform(count_symbol(variable, number), base, base))
    shader.uniforms.sort(key=lambda uniform: uniform.first)
    for (variable, _, _), register in interface.outputs.items():
        shader.output_mask |= 1 << register
        if register < MAPPED_OUTPUTS:
            semantic = interface.properties[variable]
            width = min(SEMANTIC_WIDTHS[semantic], variable.type.width) if semantic != "dummy" else 4
            shader.outputs.append(Output(_SEMANTIC_NUMBERS[semantic], register, (1 << width) - 1))
    return shader


def _named(variable: Variable, first: int, count: int) -> list[Uniform]:
    """The names of a uniform's registers: `lights[].pos` is `lights[0].pos`, `lights[1].pos`, as GLSL has it."""
    levels = variable.name.count("[]")
    indices = list(product(*(range(length) for length in variable.dims[:levels])))
    size = count // len(indices)
    template = variable.name.replace("[]", "[{}]")
    return [
        Uniform(template.format(*index), first + number * size, first + (number + 1) * size - 1)
        for number, index in enumerate(indices)
    ]


def join(artifacts: Sequence[Artifact], sink: DiagnosticSink) -> bytes:
    """One file of several shaders, which share code memory and descriptors; procedures need names of their own."""
    from glslc_multi.backends.pica200.isa.asm import assemble_files

    texts = []
    for artifact in artifacts:
        stage = artifact.reflection.stage
        text = re.sub(_PROCEDURE, rf"\1{stage}_\2", artifact.assembly)
        texts.append((f"{text}.entry {stage}_main\n", stage))
    program = assemble_files(texts, sink)
    sink.raise_if_errors()
    require_valid(TARGET_NAME, validate(program))
    return write(program)
