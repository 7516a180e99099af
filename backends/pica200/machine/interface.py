"""Programs without a register map: what the tables of their file say of their interface."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from glslc_multi.backends.pica200.isa.program import SEMANTICS, Executable, Program, Uniform
from glslc_multi.backends.pica200.isa.registers import BANKS, COMPONENTS
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.records import replace

#: Kinds of values by bank, and their components.
_TYPES = {"v": ("vec4", COMPONENTS), "c": ("vec4", COMPONENTS), "i": ("ivec3", COMPONENTS[:3]), "b": ("bool", "x")}


def reflection_of(program: Program) -> Reflection:
    """What the first executable has named; inputs and float constants without a name are as they are read."""
    shader = program.executables[0]
    named = [each for uniform in shader.uniforms if (each := _named(uniform)) is not None]
    given: set[tuple[str, int]] = {(constant.bank, constant.register) for constant in shader.constants}
    given |= {(each.space, each.index) for _, binding in named for each in binding.locations}
    others = [
        _binding(f"{bank}{register}", bank, register, 1)
        for bank in ("i", "b")
        for register in range(BANKS[bank])
        if (bank, register) not in given
    ]
    outputs = list(_unlike(_outputs(shader), set()))
    names = {binding.name for binding in outputs}
    brought = _vertices(shader) if shader.geometry else (binding for bank, binding in named if bank == "v")
    inputs = tuple(_unlike(brought, names))
    return Reflection(
        "pica200",
        shader.stage,
        attributes=inputs if shader.geometry is None else (),
        inputs=() if shader.geometry is None else inputs,
        uniforms=tuple(_unlike((*(binding for bank, binding in named if bank != "v"), *others), names)),
        varyings=tuple(binding for binding in outputs if binding.name != "gl_Position"),
        outputs=tuple(binding for binding in outputs if binding.name == "gl_Position"),
        limits={"constants": (0, BANKS["c"])},
    )


def _vertices(shader: Executable) -> Iterator[Binding]:
    """What a geometry shader gets of vertices: by symbols that are numbered, else all registers as of one vertex."""
    registers: dict[str, dict[int, int]] = {}
    for uniform in shader.uniforms:
        if uniform.start is not None and uniform.start[0] == "v":
            match = re.fullmatch(r"(.+?)[.$](\d+)", uniform.name)
            name, number = match.groups() if match else (uniform.name, "0")
            registers.setdefault(name, {})[int(number)] = uniform.start[1]
    # The position is the first one of each vertex.
    registers.setdefault("gl_PositionIn", {0: 0})
    count = max(map(len, registers.values()))
    taken = {register for numbers in registers.values() for register in numbers.values()}
    others = {f"v{register}": {0: register} for register in range(BANKS["v"]) if register not in taken}
    for name, numbers in (registers | others).items():
        locations = (Location("v", register, COMPONENTS, element=n) for n, register in numbers.items() if n < count)
        yield Binding(re.sub(r"\W", "_", name, flags=re.ASCII), "vec4", count, tuple(locations))


def _named(uniform: Uniform) -> tuple[str, Binding] | None:
    """The bank of a symbol's registers, and what they hold."""
    if uniform.start is None:
        return None
    bank, first = uniform.start
    name = re.sub(r"\W", "_", uniform.name, flags=re.ASCII)
    return bank, _binding(name, bank, first, uniform.last - uniform.first + 1)


def _binding(name: str, bank: str, first: int, count: int) -> Binding:
    type, letters = _TYPES[bank]
    places = tuple(Location(bank, first + number, letters, element=number) for number in range(count))
    return Binding(name, type, None if count == 1 else count, places)


def _unlike(bindings: Iterable[Binding], names: set[str]) -> Iterator[Binding]:
    """Give the register's number to names that are taken, and note all."""
    for binding in bindings:
        name = binding.name
        while name in names:
            name += f"_{binding.locations[0].index}"
        names.add(name)
        yield replace(binding, name=name)


def _outputs(shader: Executable) -> Iterator[Binding]:
    """What the rasteriser takes, by its names."""
    for output in shader.outputs:
        letters = "".join(letter for number, letter in enumerate(COMPONENTS) if output.mask >> number & 1)
        if not letters:
            continue
        semantic = SEMANTICS.get(output.semantic, "dummy")
        name = {"position": "gl_Position", "dummy": f"o{output.register}"}.get(semantic, semantic)
        type = "float" if len(letters) == 1 else f"vec{len(letters)}"
        yield Binding(name, type, None, (Location("o", output.register, letters),))
