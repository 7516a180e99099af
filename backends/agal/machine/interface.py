"""Programs without a register map: what their bytes say of their interface."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.registers import BY_TYPE, COMPONENTS, CONSTANT, DEPTH, OUTPUT, SAMPLER, VARYING
from glslc_multi.backends.agal.machine.execute import samplers_of, tokens_of
from glslc_multi.compiler.artifact import Binding, Location, Reflection


def reflection_of(program: Program) -> Reflection:
    """The outputs and samplers of a program; inputs and constants are as they are read."""
    written = {(token.destination.type, token.destination.number) for token in tokens_of(program) if token.destination}
    varyings = [_binding(program, f"v{number}", type, number) for type, number in sorted(written) if type == VARYING]
    return Reflection(
        "agal",
        program.stage,
        samplers=tuple(_samplers(program)),
        varyings=tuple(varyings),
        outputs=tuple(_outputs(program, written)),
        limits={"constants": (0, BY_TYPE[program.stage, CONSTANT].size(program.version))},
    )


def _binding(program: Program, name: str, type: int, number: int) -> Binding:
    return Binding(name, "vec4", None, (Location(BY_TYPE[program.stage, type].names[0], number, COMPONENTS),))


def _outputs(program: Program, written: set[tuple[int, int]]) -> Iterator[Binding]:
    """The position, or colours and depth."""
    numbers = sorted(number for type, number in written if type == OUTPUT)
    if program.stage == "vertex":
        yield _binding(program, "gl_Position", OUTPUT, 0)
    elif numbers == [0]:
        yield _binding(program, "gl_FragColor", OUTPUT, 0)
    else:
        space = BY_TYPE[program.stage, OUTPUT].names[0]
        places = tuple(Location(space, number, COMPONENTS, element=number) for number in numbers)
        yield Binding("gl_FragData", "vec4", numbers[-1] + 1, places)
    if (DEPTH, 0) in written:
        yield Binding("gl_FragDepth", "float", None, (Location(BY_TYPE["fragment", DEPTH].names[0], 0, "x"),))


def _samplers(program: Program) -> Iterator[Binding]:
    """The samplers that lookups name, each once."""
    space = BY_TYPE["fragment", SAMPLER].names[0]
    for sampler in {each.number: each for each in samplers_of(tokens_of(program))}.values():
        type = "samplerCube" if sampler.dimension else "sampler2D"
        yield Binding(f"{space}{sampler.number}", type, None, (Location(space, sampler.number, "x"),))
