"""A program on lanes, and the slots of the register map that its keys mean: what a proof reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.fixed_function import (
    BUILT_IN_VARYINGS,
    CLIP_ROWS,
    DEPTH_STEPS,
    PAYLOAD_REGISTER,
    SMALLEST_POINT,
)
from glslc_multi.backends.vc4.isa.registers import TLB_COLOUR, TLB_Z
from glslc_multi.backends.vc4.isa.uniforms import TEXTURE_KINDS
from glslc_multi.backends.vc4.machine.alu import REGISTER
from glslc_multi.backends.vc4.machine.arithmetic import QpuArithmetic
from glslc_multi.backends.vc4.machine.execute import Vc4Program
from glslc_multi.backends.vc4.machine.peripherals import (
    PAYLOAD,
    TILE,
    TILE_LANES,
    VARYING,
    VPM,
    WRITTEN,
    buffer_sources,
    texture_sources,
)
from glslc_multi.backends.vc4.machine.real import real_code
from glslc_multi.backends.vc4.machine.stream import buffer_literals, stream_of
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.artifact import Artifact, Reflection
from glslc_multi.compiler.execution.machine_code import Computed, Derived, Given, MachineCode, Outputs, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Key
from glslc_multi.compiler.proof.numbers import UNDEFINED, Unsupported, number_of
from glslc_multi.compiler.proof.words import WORDS, Rounded, byte_of, share_of
from glslc_multi.compiler.records import replace

_W, _DEPTH = f"ra{PAYLOAD_REGISTER}", f"rb{PAYLOAD_REGISTER}"
#: How much of a varying is in the part that is added, in turns: code that loses a part, or takes that of another
#: varying, shows.
_SHARES = (-1.0, 0.5, 2.0, -0.25)
#: What stands for w where the shader does not read it.
_SOME_W = 1.25
#: Rows of a vertex that all programs have: its place on the screen, depth, 1 / w.
_SET_UP_ROWS = 3
#: Scales and offset of the viewport, no two the same.
_VIEWPORT = {
    "viewport_x_scale": 512.0,
    "viewport_y_scale": 384.0,
    "viewport_z_scale": 0.75,
    "viewport_z_offset": 0.125,
}


class _Arithmetic(QpuArithmetic):
    """The machine's, where a byte of a colour remembers the number that was rounded to it."""

    def byte_of_share(self, share: Number) -> int:
        return byte_of(share)


def machine_code(artifact: Artifact) -> MachineCode:
    """The program of an artifact."""
    words, reflection = unpack(artifact.binary).words, artifact.reflection
    stream = stream_of(reflection, lambda _: None, _VIEWPORT)
    textures = texture_sources(stream)
    is_fragment = reflection.stage == "fragment"
    given = (_W, _DEPTH) if is_fragment else ()
    code = MachineCode(
        make=lambda lanes: Vc4Program(words, stream, given, (), lanes, _Arithmetic),
        input=_Inputs(reflection),
        constant=_constants(reflection, buffer_sources(stream)),
        output=_pixel(reflection) if is_fragment else lambda slot, outputs: outputs.get((VPM, slot.number)),
        stored=_sized(reflection),
        position=_position(reflection),
        sampler=lambda texture: textures[texture] // len(TEXTURE_KINDS),
        wire=_wire(reflection),
        is_flat=lambda slot: _is_flat(reflection, slot.number),
        discarded=lambda outputs: is_fragment and not _written(outputs, TLB_COLOUR),
        # Powers and logarithms are good for 16 bits.
        rounding=2.0**-16,
    )
    return replace(code, real=real_code(words, code, reflection))


# --- Inputs -----------------------------------------------------------------------------------------------------------


class _Inputs:
    """What the chip gives to a program."""

    def __init__(self, reflection: Reflection) -> None:
        state = reflection.host_state or {}
        self._reflection = reflection
        self._built_in = BUILT_IN_VARYINGS[str(state.get("primitive", "triangles"))]

    def __call__(self, key: Key) -> Given:
        space, *rest = key
        if space == VPM:
            return Slot("vpm_in", rest[0], 0)
        if space == VARYING:
            return self._varying(*rest)
        if space == REGISTER:
            return _w if rest[0] == _W else _depth
        if space == PAYLOAD:
            return _PAYLOAD[rest[0]]
        raise Unsupported("colours in the tile buffer")

    def _varying(self, number: int, part: int) -> Slot | Computed:
        """The part that is multiplied by w, or the one that is added."""
        own = number - self._built_in
        slot = Slot("point", 0, number) if own < 0 else Slot("varying", own, 0)
        if own >= 0 and _is_flat(self._reflection, own):
            return slot if part else lambda a, read: a.fconst(0.0)
        share = _SHARES[number % len(_SHARES)]

        def computed(a: LaneOperations, read: ReadSlot) -> Number:
            value = read(slot)
            if value is None:
                return a.fconst(0.0)
            added = a.fmul(value, a.fconst(share))
            return added if part else a.fdiv(a.fsub(value, added), _w(a, read))

        return computed


def _is_flat(reflection: Reflection, number: int) -> bool:
    """Tell whether the chip gives a varying the value of the last vertex."""
    return bool(int((reflection.host_state or {}).get("flat_varyings", 0)) >> number & 1)


def _w(a: LaneOperations, read: ReadSlot) -> Number:
    inverse = read(Slot("window", 0, 3))
    return a.fconst(_SOME_W) if inverse is None else a.fdiv(a.fconst(1.0), inverse)


def _depth(a: LaneOperations, read: ReadSlot) -> int:
    depth = read(Slot("window", 0, 2))
    if depth is None:
        return 0
    scaled = a.fmul(depth, a.fconst(DEPTH_STEPS))
    return Rounded.made(round(scaled.value), scaled)


def _pixel_number(component: int) -> Computed:
    """A column or row: whole, below its centre."""

    def computed(a: LaneOperations, read: ReadSlot) -> int:
        centre = read(Slot("window", 0, component))
        if centre is None:
            return 0
        corner = a.fsub(centre, a.fconst(0.5))
        return Rounded.made(int(corner.value), corner)

    return computed


_PAYLOAD: dict[str, Given] = {
    "x_coord": _pixel_number(0),
    "y_coord": _pixel_number(1),
    "ms_mask": 0xF,
    "rev_flag": lambda a, read: int(read(Slot("facing", 0, 0)) == 0),
}


def _constants(reflection: Reflection, buffers: Sequence[int]) -> Callable[[int], Given]:
    """Words by number, as `buffer_sources` says."""
    places = [(binding, location) for binding in reflection.uniforms for location in binding.locations]
    bools = {Slot(place.space, place.index, 0) for binding, place in places if binding.kind == "bool"}
    literals = buffer_literals(reflection)
    last = max([-1, *literals, *(place.index for _, place in places if place.space == "buffer")])
    lengths = [last + 1 - start for start in buffers]
    count = len(reflection.stream)
    directory: list[int] = []
    data: list[int] = []
    for start, length in zip(buffers, lengths, strict=True):
        directory += [count + 2 * len(buffers) + len(data), length]
        data += range(start, start + length)

    def constant(number: int) -> Given:
        if number < count:
            slot = Slot("stream", number, 0)
        elif number < count + len(directory):
            return directory[number - count]
        else:
            word = data[number - count - len(directory)]
            if word in literals:
                # As whole numbers of the IR, with a sign.
                return (literals[word] ^ 1 << 31) - (1 << 31)
            slot = Slot("buffer", word, 0)
        # All bits of what is true are set.
        return (lambda a, read: -(read(slot) or 0)) if slot in bools else slot

    return constant


# --- Vertices ---------------------------------------------------------------------------------------------------------


def _wire(reflection: Reflection) -> Callable[[Slot], int]:
    """The number of a varying: in the outputs of vertices, it follows the rows that all have."""
    rows = 0
    if reflection.stage != "fragment":
        rows = _SET_UP_ROWS + bool((reflection.host_state or {}).get("point_size"))
    return lambda slot: slot.number - rows


def _sized(reflection: Reflection) -> Callable[[LaneOperations, Slot, Number], Number]:
    """Points have at least a size."""
    rows = {
        location.index
        for binding in reflection.outputs
        if binding.name == "gl_PointSize"
        for location in binding.locations
    }

    def stored(a: LaneOperations, slot: Slot, x: Number) -> Number:
        if slot.number not in rows:
            return x
        least = a.fconst(SMALLEST_POINT)
        return a.select(a.flt(x, least), least, x)

    return stored


def _position(reflection: Reflection) -> Callable[[Outputs], Sequence[Derived]]:
    """The rows that the chip's setup reads: columns and rows in sixteenths of a pixel, as halves of a word, depth and
    1 / w; in front of them a coordinate program has the position in clip space."""
    first = CLIP_ROWS if reflection.stage == "coordinate" else 0

    def position(outputs: Outputs) -> Sequence[Derived]:
        if reflection.stage == "fragment":
            return ()
        word, depth, inverse = (outputs[VPM, first + row] for row in range(_SET_UP_ROWS))
        return (
            ("the column", _half(word, 0), _scaled(0, "viewport_x_scale"), 1.0),
            ("the row", _half(word, 1), _scaled(1, "viewport_y_scale"), 1.0),
            ("the depth", WORDS.number(depth), _scaled(2, "viewport_z_scale", "viewport_z_offset"), 0.0),
            ("1 / w", WORDS.number(inverse), _inverse, 0.0),
        )

    return position


def _half(word: int, number: int) -> Number:
    half = int(word) >> 16 * number & 0xFFFF
    return number_of(float(half - (half >> 15 << 16)))


def _inverse(a: LaneOperations, clip: Sequence[Number]) -> Number:
    return a.fdiv(a.fconst(1.0), clip[3]) if clip[3].value else UNDEFINED


def _scaled(
    component: int, scale: str, offset: str | None = None
) -> Callable[[LaneOperations, Sequence[Number]], Number]:
    def made(a: LaneOperations, clip: Sequence[Number]) -> Number:
        x = a.fmul(a.fmul(clip[component], a.fconst(_VIEWPORT[scale])), _inverse(a, clip))
        if offset is not None:
            return a.fadd(x, a.fconst(_VIEWPORT[offset]))
        # What lies outside of the halves' range is clipped.
        return x if abs(x.value) < 1 << 15 else UNDEFINED

    return made


# --- Pixels -----------------------------------------------------------------------------------------------------------


def _pixel(reflection: Reflection) -> Callable[[Slot, Outputs], Any]:
    """Channels of the word that was written last; raw ones are words of their own, and so is a raw depth."""
    is_raw = any(location.transform == "identity" for binding in reflection.outputs for location in binding.locations)

    def raw(slot: Slot, outputs: Outputs) -> Any:
        return _written(outputs, TLB_Z)[-1] if slot.number else _written(outputs, TLB_COLOUR)[slot.component]

    return raw if is_raw else lambda slot, outputs: share_of(_written(outputs, TLB_COLOUR)[-1], slot.component)


def _written(outputs: Outputs, register: int) -> list[int]:
    """The words for the tile buffer, in order."""
    keys = sorted(key[1:] for key in outputs if key[0] == TILE and key[2] == register)
    return [outputs[TILE, *key] for key in keys if outputs[TILE_LANES, *key] == WRITTEN]
