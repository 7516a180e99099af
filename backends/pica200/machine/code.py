"""A program on lanes, and the registers of the register map that its keys mean: what a proof reads."""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.container import unpack
from glslc_multi.backends.pica200.isa.numbers import LARGEST
from glslc_multi.backends.pica200.isa.program import SEMANTICS
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.backends.pica200.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.backends.pica200.machine.emission import COUNT, WINDING
from glslc_multi.backends.pica200.machine.execute import BOOLS, INTEGERS, MOST, RANGE, WIDTH, PicaProgram
from glslc_multi.backends.pica200.machine.places import SLOTS
from glslc_multi.backends.pica200.machine.strips import EmittingProgram
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.execution.machine_code import MachineCode, Outputs, Slot, Triangle
from glslc_multi.compiler.execution.program import Lanes
from glslc_multi.compiler.records import replace

#: Names of primitives by their vertices.
_PRIMITIVES = {1: "points", 2: "lines", 3: "triangles"}
#: Triangles that there is room for: more than any path has steps.
_ROOM = 1 << 20


def machine_code(artifact: Artifact) -> MachineCode:
    """The program of an artifact for vertices or triangles, in the hardware's arithmetic."""
    program = unpack(artifact.binary)
    own = {(constant.bank, constant.register): constant for constant in program.executables[0].constants}
    #: Counts of loops that the host sets; start and step are the program's.
    counts = {
        location.index
        for binding in artifact.reflection.uniforms
        for location in binding.locations
        if location.space == "i"
    }

    def constant(word: int) -> Slot | float:
        if word < INTEGERS:
            register, component = divmod(word, WIDTH)
            if register >= BANKS["c"]:
                return 1.0
            value_of_register = own.get(("c", register))
            return Slot("c", register, component) if value_of_register is None else value_of_register.floats[component]
        if word < BOOLS:
            register, component = divmod(word - INTEGERS, len(RANGE))
            if register in counts and not component:
                return Slot("i", register, 0)
            return own["i", register].values[component] if ("i", register) in own else Slot("i", register, component)
        if word < MOST:
            value_of_register = own.get(("b", word - BOOLS))
            return Slot("b", word - BOOLS, 0) if value_of_register is None else value_of_register.values[0]
        return _ROOM

    #: Component of an output -> the rasteriser's name and component of it.
    wires = {
        (output.register, component): (SEMANTICS[output.semantic], index)
        for output in program.executables[0].outputs
        if output.semantic in SEMANTICS
        for index, component in enumerate(c for c in range(WIDTH) if output.mask >> c & 1)
    }

    code = MachineCode(
        wire=lambda slot: wires.get((slot.number, slot.component)),
        make=lambda lanes: PicaProgram(program, 0, False, False, lanes),
        input=lambda key: Slot("v", *key),
        constant=constant,
        output=lambda slot, outputs: outputs.get((slot.number, slot.component)),
        triangles=_triangles,
        largest={"int": WHOLE_NUMBERS.exact, "float": LARGEST},
        rounding=2.0**-15,
        word_of=lambda place: place.control.pc,
    )
    geometry = program.executables[0].geometry
    if geometry is None:
        return replace(code, real=replace(code, make=lambda lanes: PicaProgram(program, 0, True, False, lanes)))
    inputs = artifact.reflection.inputs
    has_names = any(location.space == "c" for binding in inputs for location in binding.locations)
    count = max((binding.length or 1 for binding in inputs), default=1)
    kind = "" if geometry.kind == "point" else f"{geometry.kind}, "
    pragma = f"geometry({kind}{_PRIMITIVES.get(count, f'vertices = {count}')})"

    def make(lanes: Lanes) -> EmittingProgram:
        if geometry.kind == "variable" or (geometry.kind == "fixed" and not has_names):
            lanes.fault(f"vertices are in constants, as those of kind {geometry.kind} are")
        return EmittingProgram(program, 0, lanes)

    real = replace(code, make=make, pragmas=(pragma,), word_of=lambda at: at.machine.control.pc)
    return replace(code, real=real)


def _triangles(outputs: Outputs) -> list[Triangle]:
    """List the triangles that EMIT has issued."""
    # By slot, register and component.
    rows = {key: row for key, row in outputs.items() if isinstance(key, tuple) and len(key) == 3}
    return [
        (
            bool(outputs[WINDING][number]),
            [{key[1:]: row[number] for key, row in rows.items() if key[0] == slot} for slot in range(SLOTS)],
        )
        for number in range(outputs.get(COUNT, 0))
    ]
