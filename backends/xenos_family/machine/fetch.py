"""Fetches on the machine: vertex data and textures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from glslc_multi.backends.xenos_family.isa.formats import ONE, UNDEFINED_COMPONENT, ZERO
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import COMPONENT_COUNT, SELECTORS
from glslc_multi.backends.xenos_family.machine.state import BUFFER, FIRST_CUBE, Machine
from glslc_multi.backends.xenos_family.machine.vertex_data import read_element
from glslc_multi.compiler.arithmetic.cube import FACES
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import RIGHT, UP

Fields = Mapping[str, int]

_FIXED = {ZERO: 0.0, ONE: 1.0}
_BIAS_STEPS = 16
_COORDINATES = 3
#: The level of detail that SET_TEX_LOD has set.
_LEVEL = "level"
#: The vertex that the last full vertex fetch has found.
_INDEX = "vertex"
#: What else a texture fetch may ask for than what the texture's constant says.
_NOT_SIMULATED = ("denorm", "mag", "min", "mip", "off_x", "off_y", "off_z")


@lru_cache(maxsize=64)
def fetches_of(program: Program) -> list[tuple[str, Fields]]:
    """Names and fields of all fetches that clauses run."""
    words = (program.instruction(issue.slot) for issue in program.issues() if issue.is_fetch)
    decoded = (program.isa.decode_fetch(word) for word in words if word is not None)
    return [(row.name, fields) for row, fields in decoded if row is not None]


def buffer_of(fields: Fields) -> int:
    """The buffer that a vertex fetch reads."""
    return fields["const_index"] * SELECTORS + fields["const_index_sel"]


def elements_of(program: Program) -> dict[int, int]:
    """Return the slots of vertex fetches, and for each the number of the element that it reads.

    Hosts give fetches without a format what they read: each reads something else.
    """
    addressing, numbers = _addressing(program), dict[object, int]()
    elements: dict[int, int] = {}
    for slot in sorted({issue.slot for issue in program.issues() if issue.is_fetch}):
        row, fields = program.isa.decode_fetch(program.instruction(slot) or 0)
        if row is not None and row.kind == "vertex":
            element = (buffer_of(addressing.get(slot, fields)), fields["offset"]) if fields["format"] else slot
            elements[slot] = numbers.setdefault(element, len(numbers))
    return elements


def _addressing(program: Program) -> dict[int, Fields]:
    """Slot of a mini fetch -> the fields of the full fetch before it, which says the vertex."""
    addressing: dict[int, Fields] = {}
    full: Fields | None = None
    for slot in sorted({issue.slot for issue in program.issues() if issue.is_fetch}):
        row, fields = program.isa.decode_fetch(program.instruction(slot) or 0)
        if row is None or row.kind != "vertex":
            continue
        if not fields.get("mini"):
            full = fields
        elif full is not None:
            addressing[slot] = full
    return addressing


class FetchUnit:
    """Runs fetches."""

    def __init__(self, machine: Machine, program: Program) -> None:
        self._machine = machine
        self._isa = program.isa
        self._addressing = _addressing(program)
        self._lanes = machine.lanes
        #: Coordinates are no operands: numbers of the usual kind.
        self._a = machine.lanes.operations

    def run(self, word: int, slot: int) -> None:
        """Run one fetch on all lanes whose predicate is as wanted."""
        row, fields = self._isa.decode_fetch(word)
        self._machine.activate(fields)
        name = row.name if row else "an undefined fetch"
        match name:
            case "VERTEX":
                self._write(fields, self._vertex(fields, self._addressing.get(slot, fields), slot))
            case "SET_TEX_LOD":
                self._lanes.write(_LEVEL, self._coordinate(fields, 0))
            case "SET_GRADIENTS_H" | "SET_GRADIENTS_V":
                for slot in range(_COORDINATES):
                    self._lanes.write(f"{name}.{slot}", self._coordinate(fields, slot))
            case "GET_GRADIENTS":
                self._write(fields, self._gradients(fields))
            case "SAMPLE":
                self._write(fields, self._sample(fields))
            case _:
                self._lanes.fault(f"{name} is not simulated")
        self._lanes.mask = None

    def _coordinate(self, fields: Fields, slot: int) -> Number:
        return self._source(fields, fields["src_swizzle"] >> 2 * slot & 3)

    def _source(self, fields: Fields, component: int) -> Number:
        return self._machine.a.flushed(self._machine.register(fields["src_reg"], fields["src_rel"], component))

    def _write(self, fields: Fields, values: Sequence[Number]) -> None:
        for component in range(COMPONENT_COUNT):
            selector = fields["dst_swizzle"] >> 3 * component & 7
            if selector >= UNDEFINED_COMPONENT:
                continue
            value = values[selector] if selector < ZERO else self._a.fconst(_FIXED[selector])
            self._machine.write_register(fields["dst_reg"], fields["dst_rel"], component, value)

    def _vertex(self, fields: Fields, full: Fields, slot: int) -> Sequence[Number]:
        """An element, of the vertex that the fetch `full` has found; components that it lacks are 0, 0, 0, 1."""
        layout = self._isa.layouts.get(fields["format"])
        a, unit = self._a, self._isa.vertex_unit
        index = self._index(fields) if fields is full else self._lanes.read(_INDEX, "i32")
        if fields is full and self._addressing:
            self._lanes.write(_INDEX, index)
        # Addresses have 32 bits: what is beyond an index of 31 is outside of any buffer.
        index = a.widened(index)
        address = a.iadd(a.imul(index, a.lconst(unit * full["stride"])), a.lconst(unit * fields["offset"]))
        is_ieee = self._isa.has_ieee_halves
        buffer = buffer_of(full)

        def read() -> Sequence[Number]:
            if layout is None:
                self._lanes.fault(f"vertex format {fields['format']} is not simulated")
            return read_element(self._lanes, (BUFFER, buffer), address, layout, fields, has_ieee_halves=is_ieee)

        count = COMPONENT_COUNT if layout is None else len(layout.widths)
        components = self._lanes.element((BUFFER, buffer, slot), address, count, read)
        missing = [a.fconst(0.0)] * (COMPONENT_COUNT - 1) + [a.fconst(1.0)]
        return [*components, *missing[len(components) :]]

    def _index(self, fields: Fields) -> Number:
        """The number of a vertex: what is below it, or the nearest one."""
        index = self._source(fields, fields["src_chan"])
        if fields.get("round_index"):
            index = self._a.fadd(index, self._a.fconst(0.5))
        return self._a.ftoi(self._a.ffloor(index))

    # --- Textures -----------------------------------------------------------------------------------------------------

    def _sample(self, fields: Fields) -> Sequence[Number]:
        """The colour of a texture; the host says whether it is a cube map."""
        a, lanes, number = self._a, self._lanes, fields["const_index"]
        for option in _NOT_SIMULATED:
            if fields[option] != self._isa.formats.texture.by_name[option].default:
                lanes.fault(f"the option {option} of a texture fetch is not simulated")
        coordinates = [self._coordinate(fields, slot) for slot in range(_COORDINATES)]
        # The level of detail that a texture fetch itself adds.
        bias = fields["lod_bias"]
        level = a.fconst((bias - 128 if bias > 63 else bias) / _BIAS_STEPS)
        if fields["reg_lod"]:
            level = a.fadd(level, lanes.read(_LEVEL))

        def sample(is_cube: bool) -> Sequence[Number]:
            point = (
                lanes.direction_of(coordinates, self._direction) if is_cube else list(map(a.widened, coordinates[:2]))
            )
            by_steps = bool(fields["comp_lod"])
            steps = self._steps_set(len(point)) if by_steps and fields["reg_gradients"] else ()
            return lanes.sample(number, point, a.widened(level), by_steps=by_steps, is_cube=is_cube, steps=steps)

        is_plane = a.ieq(lanes.constant(FIRST_CUBE + number, "i32"), a.iconst(0))
        colour = lanes.either(lanes.any(is_plane), lambda: sample(False), lambda: sample(True))
        return list(map(a.narrowed, colour))

    def _steps_set(self, dimensions: int) -> list[Number]:
        """The gradients that fetches before have set: of a direction to a point on the cube, or along the texture."""
        names = ("SET_GRADIENTS_H", "SET_GRADIENTS_V")
        return [self._a.widened(self._lanes.read(f"{name}.{slot}")) for name in names for slot in range(dimensions)]

    def _direction(self, coordinates: Sequence[Number]) -> Sequence[Number]:
        """The direction to a point on a cube's face; s and t come as 1 to 2."""
        a = self._a
        s, t = (self._centred(a.widened(x)) for x in coordinates[:2])
        face = a.imin(a.imax(a.ftoi(coordinates[2]), a.iconst(0)), a.iconst(len(FACES) - 1))
        direction = [a.dconst(0.0)] * _COORDINATES
        for number, (s_axis, s_sign, t_axis, t_sign) in enumerate(FACES):
            own = [a.dconst(1.0 - 2.0 * (number % 2))] * _COORDINATES
            own[s_axis] = a.fmul(s, a.dconst(s_sign))
            own[t_axis] = a.fmul(t, a.dconst(t_sign))
            is_here = a.ieq(face, a.iconst(number))
            direction = [a.select(is_here, x, other) for x, other in zip(own, direction, strict=True)]
        return direction

    def _centred(self, x: Number) -> Number:
        """1 to 2 as -1 to 1."""
        a, one = self._a, self._a.dconst(1.0)
        return a.fsub(a.fmul(a.dconst(2.0), a.fsub(x, one)), one)

    def _gradients(self, fields: Fields) -> list[Number]:
        """Differences of the first two coordinates in each 2x2 block: x and z to the right, y and w upwards."""
        values = [self._coordinate(fields, slot) for slot in range(2)]
        return [self._lanes.step(x, direction) for x in values for direction in (RIGHT, UP)]
