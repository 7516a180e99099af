"""A compiled shader in numbers of the reals, as it is lifted: what words are made of, and what the chip makes of them.

Of a varying `v` the chip hands over `(v - c) / w` and `c`, which nobody knows: a program has to add it.  A position is
what its rows were made of, before the viewport and the division by w.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from glslc_multi.backends.vc4.isa.fixed_function import BUILT_IN_VARYINGS, DEPTH_STEPS, PAYLOAD_REGISTER
from glslc_multi.backends.vc4.isa.registers import TLB_COLOUR, TLB_Z
from glslc_multi.backends.vc4.isa.uniforms import BUFFER_ADDRESS, BUFFER_SPACING
from glslc_multi.backends.vc4.machine.alu import REGISTER
from glslc_multi.backends.vc4.machine.arithmetic import QpuArithmetic
from glslc_multi.backends.vc4.machine.execute import Edges, Vc4Program
from glslc_multi.backends.vc4.machine.peripherals import PAYLOAD, TILE, TILE_LANES, VARYING, VPM, WRITTEN, Peripherals
from glslc_multi.backends.vc4.machine.place import Place
from glslc_multi.backends.vc4.machine.stream import VIEWPORT, stream_of
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.execution.machine_code import Computed, Given, MachineCode, Outputs, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Key, Lanes
from glslc_multi.compiler.ir.module import RELAXED, Instruction
from glslc_multi.compiler.isa.spaces import FACING_SPACE, POINT_SPACE, WINDOW_SPACE
from glslc_multi.compiler.lifting.operations import Field, LiftedOperations, Unliftable
from glslc_multi.compiler.records import replace

_BUFFER = "buffer"
#: Spaces of results that no register has as they are: a position, and a depth.
_POSITION, _Z = "position", "depth"
_VIEWPORT = "viewport"
#: Rows of a vertex program that the chip's setup reads: the place on the screen, depth, 1 / w.
_SET_UP_ROWS = 3
_W, _DEPTH = f"ra{PAYLOAD_REGISTER}", f"rb{PAYLOAD_REGISTER}"
#: What the chip makes of a pixel, whether or not the register map has it.
_INPUTS = (("gl_FragCoord", "vec4", WINDOW_SPACE), ("gl_FrontFacing", "bool", FACING_SPACE))


def real_code(words: Sequence[int], code: MachineCode, reflection: Reflection) -> MachineCode:
    """The program of a shader in numbers of the reals."""
    register_map = _map_of_all(reflection)
    shader = _Shader(words, register_map)
    return replace(
        code,
        make=shader.make,
        input=_input_of(register_map),
        constant=_constant_of(register_map),
        output=shader.output,
        memory=_word_at if _has_buffers(reflection) else _nothing_at,
        register_map=register_map,
        is_exact=False,
        word_of=lambda place: place.pc,
        discarded=shader.discarded,
    )


# --- What stands where ------------------------------------------------------------------------------------------------


def _map_of_all(reflection: Reflection) -> Reflection:
    """The register map with words of the viewport as uniforms, and with what a chip makes of rows and colours."""
    names = {binding.name for kind in (reflection.uniforms, reflection.inputs) for binding in kind}
    stream = list(reflection.stream)
    viewport: list[Binding] = []
    for number, name in enumerate(VIEWPORT if reflection.stage == "vertex" else ()):
        words = [word for word, (kind, _) in enumerate(stream) if kind == name]
        places = [Location(_VIEWPORT, number, "x"), *(Location("stream", word, "x") for word in words)]
        viewport.append(Binding(name, "float", None, tuple(places)))
        stream = [("uniform", name) if word in words else slot for word, slot in enumerate(stream)]
    inputs = [
        Binding(name, type, None, (Location(space, 0, "xyzw" if type == "vec4" else "x"),))
        for name, type, space in _INPUTS
        if name not in names and reflection.stage == "fragment"
    ]
    return replace(
        reflection,
        uniforms=(*reflection.uniforms, *viewport),
        inputs=(*reflection.inputs, *inputs),
        outputs=tuple(
            binding if binding.locations else _with_space(binding, reflection.stage) for binding in reflection.outputs
        ),
        stream=tuple(stream),
    )


def _with_space(output: Binding, stage: str) -> Binding:
    """Return an output that no register has with a place of its own: the position, and a pixel's depth by any name."""
    if stage == "fragment":
        return replace(output, locations=(Location(_Z, 0, "x"),))
    return replace(output, locations=(Location(_POSITION, 0, "xyzw"),)) if output.name == "gl_Position" else output


def _input_of(register_map: Reflection) -> Callable[[Key], Given]:
    """What the chip gives to a program."""
    state, is_fragment = register_map.host_state or {}, register_map.stage == "fragment"
    built_in = BUILT_IN_VARYINGS[str(state.get("primitive", "triangles"))]
    flat = int(state.get("flat_varyings", 0))
    parts: dict[Slot, Number] = {}

    def given(key: Key) -> Given:
        space, *rest = key
        if (space == VPM) == is_fragment:
            raise Unliftable("a program reads what only those of another stage are given")
        if space == VPM:
            return Slot("vpm_in", rest[0], 0)
        if space == VARYING:
            number, is_added = rest[0] - built_in, bool(rest[1])
            slot = Slot(POINT_SPACE, 0, rest[0]) if number < 0 else Slot("varying", number, 0)
            if number >= 0 and flat >> number & 1:
                return slot if is_added else 0.0
            return partial(_added_part if is_added else _scaled_part, parts, slot)
        if space == REGISTER:
            return _w if rest[0] == _W else _depth
        if space == PAYLOAD and rest[0] in _PAYLOAD:
            return _PAYLOAD[rest[0]]
        raise Unliftable("a shader does not say what is in the tile buffer, or which samples a pixel has")

    return given


def _added_part(parts: dict[Slot, Number], slot: Slot, a: Any, _read: ReadSlot) -> Number:
    """Return the part of a varying that is added."""
    if slot not in parts:
        parts[slot] = a.unnamed("a part of a varying", a.fconst(0.0))
    return parts[slot]


def _scaled_part(parts: dict[Slot, Number], slot: Slot, a: Any, read: ReadSlot) -> Number:
    """Return the part of a varying that is multiplied by w."""
    value = read(slot)
    rest = a.fsub(a.fconst(0.0) if value is None else value, _added_part(parts, slot, a, read))
    return a.fdiv(rest, _w(a, read))


def _w(a: LaneOperations, read: ReadSlot) -> Number:
    return a.fdiv(a.fconst(1.0), read(Slot(WINDOW_SPACE, 0, 3)))


def _depth(a: Any, read: ReadSlot) -> Number:
    """Return the depth as a whole number of steps."""
    return a.rounded(a.fmul(read(Slot(WINDOW_SPACE, 0, 2)), a.fconst(DEPTH_STEPS)))


def _pixel_number(component: int) -> Computed:
    """A column or row: whole, below its centre."""

    def computed(a: Any, read: ReadSlot) -> Number:
        return a.rounded(a.fsub(read(Slot(WINDOW_SPACE, 0, component)), a.fconst(0.5)))

    return computed


def _turned(a: LaneOperations, read: ReadSlot) -> Number:
    """1 of what faces away."""
    return a.select(a.ieq(read(Slot(FACING_SPACE, 0, 0)), a.iconst(0)), a.iconst(1), a.iconst(0))


_PAYLOAD: dict[str, Computed] = {"x_coord": _pixel_number(0), "y_coord": _pixel_number(1), "rev_flag": _turned}


def _constant_of(register_map: Reflection) -> Callable[[int], Given]:
    """Words of the stream by number; all bits of what is true are set."""
    bools = {
        location.index for binding in register_map.uniforms if binding.kind == "bool" for location in binding.locations
    }

    def constant(number: int) -> Given:
        count = len(register_map.stream)
        slot = Slot("stream", number, 0) if number < count else Slot(_VIEWPORT, number - count, 0)
        if number not in bools:
            return slot
        return lambda a, read: a.select(a.ieq(read(slot), a.iconst(0)), a.iconst(0), a.iconst(-1))

    return constant


def _has_buffers(reflection: Reflection) -> bool:
    """Tell whether it is known what is in memory."""
    uniforms = [location for binding in reflection.uniforms for location in binding.locations]
    return any(each.space == _BUFFER for each in (*uniforms, *(literal.location for literal in reflection.literals)))


def _nothing_at(_: Key, _address: int) -> None:
    """No buffer."""


def _word_at(_: Key, address: int) -> Slot | None:
    """The word of a buffer at an address."""
    source, offset = divmod(address - BUFFER_ADDRESS, BUFFER_SPACING)
    return Slot("buffer", source + offset // 4, 0) if source >= 0 and not offset % 4 else None


class _RealArithmetic(QpuArithmetic):
    """The machine's operations, without what only unusual numbers need."""

    def __init__(self, core: LiftedOperations) -> None:
        super().__init__(core)
        self.lifted = core

    def normal(self, x: Number) -> Number:
        return self.number(x)

    clean = normal

    def looked_at(self, x: Number) -> Number:
        return x

    def cleaned(self, result: Number) -> Number:
        return result

    def fadd(self, x: Number, y: Number) -> Number:
        return self.core.fadd(self.number(x), self.number(y))

    def fsub(self, x: Number, y: Number) -> Number:
        return self.core.fsub(self.number(x), self.number(y))

    def fmul(self, x: Number, y: Number) -> Number:
        return self.core.fmul(self.number(x), self.number(y))

    def fabs(self, x: Number) -> Number:
        return self.core.fabs(self.number(x))

    def flt(self, x: Number, y: Number) -> Number:
        return self.core.flt(self.number(x), self.number(y))

    def ftoi(self, x: Number) -> Number:
        return self.core.ftoi(self.number(x))

    def byte_of_share(self, share: Number) -> Number:
        return self.lifted.byte_of(share)

    def special_function(self, index: int, x: Number) -> Number:
        a, x = self.core, self.number(x)
        match index:
            case 0:
                result = a.fdiv(a.fconst(1.0), x)
            case 1:
                result = a.elementary("rsqrt", a.fabs(x))
            case 2:
                result = a.exp2(x)
            case _:
                result = a.log2(x)
        if isinstance(result, Instruction):
            # Some bits of it, until a step of Newton's method or a polynomial has the rest.
            result.flags |= RELAXED
        return result


class _Peripherals(Peripherals):
    """Those that find words of buffers by their addresses, once these are known."""

    def _load(self, address: Number) -> Number:
        return self._lanes.load((_BUFFER,), address, "i32")


class _RealProgram(Vc4Program):
    """A program that says where it does what cannot be said."""

    def step(self, place: Place) -> Edges:
        try:
            return super().step(place)
        except Unliftable as reason:
            raise Unliftable(f"{reason} (instruction {place.pc})") from None


class _Shader:
    """A shader whose program runs on lanes, and what it leaves."""

    def __init__(self, words: Sequence[int], register_map: Reflection) -> None:
        self._words = words
        self._stream = stream_of(register_map, lambda _: None)
        self._stage = register_map.stage
        outputs = [(each, binding) for binding in register_map.outputs for each in binding.locations]
        self._is_raw = any(location.transform == "identity" for location, _ in outputs if location.space == "tlb")
        varyings = [(each, binding) for binding in register_map.varyings for each in binding.locations]
        self._kinds = {each.index: binding.kind for each, binding in (*outputs, *varyings) if each.space == "vpm_out"}

    def make(self, lanes: Lanes) -> _RealProgram:
        given = (_W, _DEPTH) if self._stage == "fragment" else ()
        assert isinstance(lanes.operations, LiftedOperations)
        self._lanes, self._a = lanes, _RealArithmetic(lanes.operations)
        return _RealProgram(self._words, self._stream, given, (), lanes, lambda _: self._a, _Peripherals)

    # --- Results ------------------------------------------------------------------------------------------------------

    def output(self, slot: Slot, outputs: Outputs) -> Number | None:
        """What is left in a slot: of a position, what its rows were made of."""
        if self._stage == "fragment":
            return self._pixel(slot, outputs)
        if slot.space == _POSITION:
            return self._position(slot.component, outputs)
        word = outputs.get((VPM, slot.number))
        is_float = self._kinds[slot.number] == "float"
        return word if word is None or not is_float else self._a.number(word)

    def discarded(self, outputs: Outputs) -> Number | None:
        """Whether no colour is written."""
        if self._stage != "fragment":
            return None
        a = self._a
        is_left = a.bconst(False)
        for at, number in _writes(outputs):
            if number == TLB_COLOUR:
                is_left = a.bor(is_left, a.ieq(outputs[TILE_LANES, at, number], a.iconst(WRITTEN)))
        return a.bnot(is_left)

    def _pixel(self, slot: Slot, outputs: Outputs) -> Number | None:
        """A channel of the word that is written last; raw ones are words of their own."""
        register = TLB_Z if slot.space == _Z else TLB_COLOUR
        writes = [each for each in _writes(outputs) if each[1] == register]
        if self._is_raw and register == TLB_COLOUR:
            writes = writes[slot.component : slot.component + 1]
        if not writes:
            return None
        a, word = self._a, outputs[TILE, *writes[0]]
        for each in writes[1:]:
            word = a.select(a.ieq(outputs[TILE_LANES, *each], a.iconst(WRITTEN)), outputs[TILE, *each], word)
        if self._is_raw:
            return a.number(word)
        if slot.space == _Z:
            return a.fdiv(a.lifted.rounded_to(word, Field(0, 32)), a.fconst(DEPTH_STEPS))
        return a.lifted.rounded_to(word, Field(8 * slot.component, 8))

    def _position(self, component: int, outputs: Outputs) -> Number:
        """The position in clip space, of the packed column and row, depth and 1 / w."""
        a = self._a
        if any((VPM, row) not in outputs for row in range(_SET_UP_ROWS)):
            raise Unliftable("a program of a vertex leaves no position")
        packed, depth, inverse = (outputs[VPM, row] for row in range(_SET_UP_ROWS))
        inverse = a.number(inverse)
        if component == 3:
            return a.fdiv(a.fconst(1.0), inverse)
        scaled = a.number(depth) if component == 2 else a.lifted.rounded_to(packed, Field(16 * component, 16))
        if component == 2:
            scaled = a.fsub(scaled, self._word("viewport_z_offset"))
        return a.fdiv(scaled, a.fmul(self._word(f"viewport_{'xyz'[component]}_scale"), inverse))

    def _word(self, kind: str) -> Number:
        """A word of the viewport, which the driver puts into the stream."""
        return self._a.number(self._lanes.constant(len(self._stream) + list(VIEWPORT).index(kind)))


def _writes(outputs: Outputs) -> list[tuple[int, int]]:
    """The writes to the tile buffer, by which one it is and its register, in order."""
    return sorted(key[1:] for key in outputs if key[0] == TILE)
