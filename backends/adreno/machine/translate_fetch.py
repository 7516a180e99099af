"""Code of fetches: `fetch.py` again, emitted for groups of lanes.

Buffers come with four zero bytes before and after, so that what is outside reads as 0 wherever it begins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from backends.adreno.isa import instructions
from backends.adreno.isa.formats import ONE, UNDEFINED_COMPONENT, ZERO
from backends.adreno.isa.registers import COMPONENT_COUNT, SELECTORS
from backends.adreno.isa.vertex_formats import LAYOUTS
from backends.adreno.machine.fetch import FAR, SIMULATED, level_bias
from backends.adreno.machine.translate_alu import AluCode, Fields
from compiler.arithmetic.sampling import FACES
from compiler.native.emitter import Value
from compiler.native.lookup import RIGHT, UP
from compiler.native.sampling import BY_LEVEL, BY_STEPS
from compiler.native.translation import Translator, refuse
from compiler.native.vectors import DoubleArithmetic

#: First part of the keys of buffers.
BUFFER = "buffer"
_LEVEL = "level"
_COORDINATES = 3
_WORD = 4
#: Zero bytes before a buffer, and after it.
MARGIN = _WORD


class TextureWords(NamedTuple):
    """Numbers of words among the constants."""

    #: Whether lanes are blocks of 2x2 pixels.
    quads: int
    #: Whether texture 0 is a cube map; the others' words follow.
    cubes: int


class FetchCode:
    """Emits fetches."""

    def __init__(self, translator: Translator[Any], alu: AluCode, words: TextureWords) -> None:
        self._translator = translator
        self._alu = alu
        self._words = words
        self.emitter, self.a = alu.emitter, alu.a
        #: Numbers of the textures that are read.
        self.textures: set[int] = set()
        self.takes_gradients = False

    def run(self, word: int) -> None:
        """Run a fetch in the lanes whose predicate is as wanted."""
        row, fields = instructions.decode_fetch(word)
        lanes = self._alu.active(fields)
        if row is None or row.name not in SIMULATED:
            refuse(f"the fetch {row.name}" if row else "an undefined fetch")
        if row.name == "VERTEX":
            self._write(fields, self._vertex(self._source(fields, fields["src_chan"]), fields), lanes)
            return
        coordinates = [self._source(fields, fields["src_swizzle"] >> 2 * slot & 3) for slot in range(_COORDINATES)]
        if row.name == "SET_TEX_LOD":
            self._translator.write(_LEVEL, coordinates[0], lanes)
        elif row.name == "GET_GRADIENTS":
            self._write(fields, self._gradients(coordinates), lanes)
        else:
            self._write(fields, self._sample(coordinates, fields), lanes)

    def _source(self, fields: Fields, component: int) -> Value:
        return self.a.flushed(self._alu.register(fields["src_reg"], fields["src_rel"], component))

    def _write(self, fields: Fields, values: list[Value], lanes: Value | None) -> None:
        for component in range(COMPONENT_COUNT):
            selector = fields["dst_swizzle"] >> 3 * component & 7
            if selector >= UNDEFINED_COMPONENT:
                continue
            fixed = {ZERO: 0.0, ONE: 1.0}.get(selector)
            value = values[selector] if fixed is None else self.a.fconst(fixed)
            self._alu.write_register(fields["dst_reg"], fields["dst_rel"], component, value, lanes)

    # --- Vertex data --------------------------------------------------------------------------------------------------

    def _vertex(self, index: Value, fields: Fields) -> list[Value]:
        """An element; components that it lacks are 0, 0, 0, 1."""
        layout = LAYOUTS.get(fields["format"])
        if layout is None:
            refuse(f"vertex data of format {fields['format']}")
        emitter = self.emitter
        buffer = fields["const_index"] * SELECTORS + fields["const_index_sel"]
        stride, offset = emitter.ints(fields["stride"], "i64"), emitter.ints(fields["offset"], "i64")
        address = emitter.binary("add", emitter.binary("mul", self._whole(index), stride), offset)
        values = [self.a.fconst(float(component == COMPONENT_COUNT - 1)) for component in range(COMPONENT_COUNT)]
        low = 0
        for component, width in enumerate(layout.widths):
            word = self._word_at(buffer, emitter.binary("add", address, emitter.ints(low // 8, "i64")))
            bits = emitter.binary("lshr", word, emitter.ints(low % 8))
            number = self._float(bits, width) if layout.is_float else self._number(bits, width, fields)
            values[component] = self._scaled(number, fields["exp_adjust"])
            low += width
        return values

    def _whole(self, index: Value) -> Value:
        """The index as an i64, within what buffers can have."""
        emitter = self.emitter
        wide = emitter.convert("fpext", self.a.ffloor(index), emitter.double)
        whole = emitter.intrinsic("fptosi.sat", emitter.i64, wide, overloads=(emitter.i64, emitter.double))
        return self._limited(whole, emitter.ints(-FAR, "i64"), emitter.ints(FAR, "i64"))

    def _limited(self, x: Value, low: Value, high: Value) -> Value:
        emitter = self.emitter
        return emitter.intrinsic("smin", x.type, emitter.intrinsic("smax", x.type, x, low), high)

    def _word_at(self, buffer: int, address: Value) -> Value:
        """The 32 bits from an address of a buffer on; bytes outside of it are 0."""
        emitter = self.emitter
        base, size = self._translator.memory((BUFFER, buffer))
        end = emitter.broadcast(emitter.value("i64", f"sub {size}, {MARGIN}"))
        offset = emitter.binary("add", address, emitter.ints(MARGIN, "i64"))
        offset = self._limited(offset, emitter.ints(0, "i64"), end)
        return emitter.gather(emitter.i32, emitter.element(base, offset, "i8"), 1)

    def _float(self, bits: Value, width: int) -> Value:
        """The float in the lowest bits."""
        emitter = self.emitter
        if width == 8 * _WORD:
            return emitter.convert("bitcast", bits, emitter.float)
        half = emitter.convert("bitcast", emitter.convert("trunc", bits, emitter.vector("i16")), emitter.vector("half"))
        return emitter.convert("fpext", half, emitter.float)

    def _number(self, bits: Value, width: int, fields: Fields) -> Value:
        """The number that an integer in the lowest bits stands for: `vertex_data.to_number`."""
        emitter, a = self.emitter, DoubleArithmetic(self.emitter)
        largest = (1 << width) - 1
        whole = a.band(bits, emitter.ints(largest))
        value = emitter.convert("uitofp", whole, emitter.double)
        if fields["signed"]:
            negative = a.fsub(value, a.fconst(largest + 1.0))
            value = a.select(a.flt(a.fconst(largest / 2), value), negative, value)
        if not fields["num_format"]:
            value = self._normalized(a, value, largest, fields)
        return emitter.convert("fptrunc", value, emitter.float)

    @staticmethod
    def _normalized(a: DoubleArithmetic, value: Value, largest: int, fields: Fields) -> Value:
        if not fields["signed"]:
            return a.fdiv(value, a.fconst(largest))
        if fields["signed_rf"]:
            return a.fdiv(a.fadd(a.fmul(a.fconst(2.0), value), a.fconst(1.0)), a.fconst(largest))
        return a.fmax(a.fdiv(value, a.fconst(max((largest - 1) / 2, 1.0))), a.fconst(-1.0))

    def _scaled(self, x: Value, exponent: int) -> Value:
        """x * 2^exponent, rounded once."""
        if not exponent:
            return x
        emitter = self.emitter
        wide = emitter.convert("fpext", x, emitter.double)
        product = emitter.binary("fmul", wide, emitter.doubles(2.0**exponent))
        return emitter.convert("fptrunc", product, emitter.float)

    # --- Textures -----------------------------------------------------------------------------------------------------

    def _sample(self, coordinates: list[Value], fields: Fields) -> list[Value]:
        """The colour of a texture; the host says whether it is a cube map, and whether pixels have neighbours."""
        emitter, number = self.emitter, fields["const_index"]
        self.textures.add(number)
        level = self.a.fconst(level_bias(fields))
        if fields["reg_lod"]:
            level = self.a.fadd(level, self._alu.number(_LEVEL))
        plane, cube, found = emitter.fresh(), emitter.fresh(), emitter.fresh()
        emitter.branch(self._is_set(self._words.cubes + number), cube, plane)
        for label, is_cube in ((plane, False), (cube, True)):
            emitter.label(label)
            at = self._direction(coordinates) if is_cube else [self._wide(x) for x in coordinates[:2]]
            arguments = [*at, self._wide(level), *self._translator.lookup.steps(at)]
            self._translator.lookup.emit(number, self._mode(fields), arguments, is_cube=is_cube)
            emitter.jump(found)
        emitter.label(found)
        return [emitter.convert("fptrunc", x, emitter.float) for x in self._translator.lookup.colour()]

    def _mode(self, fields: Fields) -> int | Value:
        """Whether the level depends on neighbours."""
        if not fields["comp_lod"]:
            return BY_LEVEL
        by_steps, by_level = (Value(str(mode), "i64") for mode in (BY_STEPS, BY_LEVEL))
        return self.emitter.select(self._is_set(self._words.quads), by_steps, by_level)

    def _is_set(self, word: int) -> Value:
        return self.emitter.value("i1", f"icmp ne {self._translator.scalar_constant(word)}, 0")

    def _wide(self, x: Value) -> Value:
        return self._translator.lookup.wide(x)

    def _direction(self, coordinates: list[Value]) -> list[Value]:
        """The direction to a point on a cube's face; s and t come as 1 to 2."""
        emitter, a = self.emitter, DoubleArithmetic(self.emitter)
        s, t = (self._signed(a, self._wide(x)) for x in coordinates[:2])
        face = emitter.intrinsic("smax", emitter.i32, self.a.ftoi(coordinates[2]), emitter.ints(0))
        face = emitter.intrinsic("smin", emitter.i32, face, emitter.ints(len(FACES) - 1))
        direction = [a.fconst(0.0)] * 3
        for number, (s_axis, s_sign, t_axis, t_sign) in enumerate(FACES):
            own = [a.fconst(1.0 - 2.0 * (number % 2))] * 3
            own[s_axis] = a.fmul(s, a.fconst(float(s_sign)))
            own[t_axis] = a.fmul(t, a.fconst(float(t_sign)))
            here = a.ieq(face, emitter.ints(number))
            direction = [a.select(here, x, other) for x, other in zip(own, direction, strict=True)]
        return direction

    @staticmethod
    def _signed(a: DoubleArithmetic, x: Value) -> Value:
        """1 to 2 as -1 to 1."""
        one = a.fconst(1.0)
        return a.fsub(a.fmul(a.fconst(2.0), a.fsub(x, one)), one)

    def _gradients(self, values: list[Value]) -> list[Value]:
        """Differences of the first two coordinates in each 2x2 block: x and z to the right, y and w upwards."""
        self.takes_gradients = True
        return [self._translator.lookup.step(x, direction) for x in values[:2] for direction in (RIGHT, UP)]
