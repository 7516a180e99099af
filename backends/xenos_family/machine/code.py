"""A program on lanes, and the registers of the register map that its keys mean: what a proof reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from glslc_multi.backends.xenos_family.isa.instructions import COMPONENTS
from glslc_multi.backends.xenos_family.isa.program import Program, issues_of
from glslc_multi.backends.xenos_family.isa.registers import (
    COMPONENT_COUNT,
    CONSTANT_SPACE,
    DEPTH_VARYING,
    FETCH_SPACE,
    LOOP_SPACE,
    LOWER_LEFT,
    REGISTER_SPACE,
    VIEWPORT_OFFSET,
    VIEWPORT_SCALE,
    WINDOW_ORIGIN,
)
from glslc_multi.backends.xenos_family.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.backends.xenos_family.machine.execute import FamilyProgram, Place
from glslc_multi.backends.xenos_family.machine.fetch import elements_of
from glslc_multi.backends.xenos_family.machine.state import FIRST_BOOL, FIRST_CUBE, FIRST_LOOP, KILLED
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.artifact import Artifact, Reflection
from glslc_multi.compiler.execution.machine_code import Computed, Derived, Given, MachineCode, Outputs, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Key
from glslc_multi.compiler.ir.variables import WINDOW_HEIGHT_NAME
from glslc_multi.compiler.isa.spaces import FACING_SPACE, POINT_SPACE, WINDOW_SPACE
from glslc_multi.compiler.proof.numbers import UNDEFINED
from glslc_multi.compiler.proof.registers import parts

#: Scale and offset of depths, no two the same.
_VIEWPORT = {VIEWPORT_SCALE: 0.75, VIEWPORT_OFFSET: 0.125}
_X, _Y, _Z, _W = (Slot(WINDOW_SPACE, 0, component) for component in range(COMPONENT_COUNT))


def machine_code(program: Program, artifact: Artifact) -> MachineCode:
    """The program of an artifact."""
    reflection = artifact.reflection
    loops = {
        literal.location.index: literal.words[0]
        for literal in reflection.literals
        if literal.location.space == LOOP_SPACE
    }
    cubes = {
        location.index for binding in reflection.samplers if "Cube" in binding.type for location in binding.locations
    }
    fetches: Any = artifact.map_keys.get("fetches")
    fetched = {(row["vertex_constant"], row["offset"]): row["attribute_number"] for row in fetches or ()}
    elements = elements_of(program)
    built_in = _built_in(program, reflection)
    viewport = _viewport(reflection)

    def input(key: Key) -> Given:
        if reflection.stage == "vertex":
            # The number of a vertex counts from where its fetches begin, and no other register has anything.
            return 0.0
        register, letter = key[1:].split(".")
        slot = Slot(REGISTER_SPACE, int(register), COMPONENTS.index(letter))
        return built_in.get(slot, slot)

    def memory(key: Key, address: int) -> Slot | None:
        _, buffer, slot = key
        number = elements[slot] if fetches is None else fetched.get((buffer, address))
        return None if number is None else Slot(FETCH_SPACE, number, 0)

    def constant(word: int) -> Slot | float:
        if word < FIRST_BOOL:
            slot = Slot(CONSTANT_SPACE, *divmod(word, COMPONENT_COUNT))
            return viewport.get(slot, slot)
        if word < FIRST_LOOP:
            return 0
        return loops.get(word - FIRST_LOOP, 0) if word < FIRST_CUBE else int(word - FIRST_CUBE in cubes)

    def word_of(place: Place) -> int:
        # A listing has the clauses first.
        clauses = program.clauses
        issues = issues_of(program.isa, place.clause, clauses[place.clause]) if place.clause < len(clauses) else ()
        return len(clauses) + issues[0].slot - program.first_slot if issues else place.clause

    return MachineCode(
        make=lambda lanes: FamilyProgram(program, lanes),
        input=input,
        constant=constant,
        output=lambda slot, outputs: outputs.get((slot.number, slot.component)),
        memory=memory,
        position=_passed_depth(reflection),
        discarded=lambda outputs: outputs.get(KILLED),
        rows_down=(reflection.host_state or {}).get("window_origin") == "lower-left",
        largest={"int": WHOLE_NUMBERS.exact},
        word_of=word_of,
    )


def _viewport(reflection: Reflection) -> dict[Slot, float]:
    """Scale and offset of depths where the host tells them."""
    return {
        slot: _VIEWPORT[binding.name]
        for slot, part, binding, _ in parts(uniform for uniform in reflection.uniforms if uniform.name in _VIEWPORT)
        if part.component == _Z.component
    }


def _passed_depth(reflection: Reflection) -> Callable[[Outputs], Sequence[Derived]]:
    """Make what a vertex program passes for gl_FragCoord, as `frag_coord.py` does."""
    passed = next(
        (varying.locations[0].index for varying in reflection.varyings if varying.name == DEPTH_VARYING), None
    )
    scale, offset = _VIEWPORT.values() if _viewport(reflection) else (1.0, 0.0)

    def depth(a: LaneOperations, clip: Sequence[Number]) -> Number:
        z, w = clip[2:]
        # What is not in front of the viewer is clipped.
        return a.fadd(a.fmul(a.fdiv(z, w), a.fconst(scale)), a.fconst(offset)) if w.value > 0.0 else UNDEFINED

    def position(outputs: Outputs) -> Sequence[Derived]:
        if passed is None or reflection.stage != "vertex":
            return ()
        return (
            ("the passed depth", outputs.get((passed, 0)), depth, 0.0),
            ("the passed w", outputs.get((passed, 1)), lambda a, clip: clip[3], 0.0),
        )

    return position


def _built_in(program: Program, reflection: Reflection) -> dict[Slot, Slot | Computed]:
    """What the chip puts into the registers of built-in inputs, as `run.py` does."""
    state, found = reflection.host_state or {}, dict[Slot, Slot | Computed]()
    if "depth_register" in state:
        depth = Slot(REGISTER_SPACE, int(state["depth_register"]), 0)
        found |= {depth: _Z, depth._replace(component=1): lambda a, read: a.fdiv(a.fconst(1.0), read(_W))}
    if "parameter_register" in state:
        parameter = Slot(REGISTER_SPACE, int(state["parameter_register"]), 0)
        height = _height(reflection) if state.get(WINDOW_ORIGIN) == LOWER_LEFT else None
        found[parameter] = partial(_column, program.isa.to_pixel_centre)
        found[parameter._replace(component=1)] = partial(_row, program.isa.to_pixel_centre, height)
        for component in range(2):
            found[parameter._replace(component=2 + component)] = Slot(POINT_SPACE, 0, component)
    return found


def _column(to_centre: float, a: LaneOperations, read: ReadSlot) -> Number:
    """The pixel's column, negative where the primitive faces away."""
    x = read(_X)
    column = a.fconst(0.0) if x is None else a.fsub(x, a.fconst(to_centre))
    facing = read(Slot(FACING_SPACE, 0, 0))
    return column if facing is None else a.select(a.feq(facing, a.fconst(0.0)), a.fneg(column), column)


def _row(to_centre: float, height: Slot | None, a: LaneOperations, read: ReadSlot) -> Number:
    """The pixel's row, from the top."""
    y = read(_Y)
    if y is None:
        return a.fconst(0.0)
    from_top = y if height is None else a.fsub(read(height), y)
    return a.fsub(from_top, a.fconst(to_centre))


def _height(reflection: Reflection) -> Slot | None:
    """Where the host puts the height of the window."""
    location = next((b.locations[0] for b in reflection.uniforms if b.name == WINDOW_HEIGHT_NAME), None)
    return None if location is None else Slot(CONSTANT_SPACE, location.index, 0)
