"""Draws what control lists say, with the simulator of the target.

In: a memory image.  Out: the pixels that the renderer stores, by rows of memory.  The binner's list is followed packet
by packet; each draw call runs the programs that its record names, on the attributes and streams in memory.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.vc4.isa.container import pack
from glslc_multi.backends.vc4.isa.program import Program as Words
from glslc_multi.backends.vc4.machine.run import run
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Binding, Location, Reflection, Stats
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.target import MachineInputs, MachineOutputs
from glslc_multi.runtime.raster import Frame, Stage, draw
from tests.backends.vc4.host.lists import Attribute, Image, Packet, Program, Record, gl_record, nv_record
from tests.backends.vc4.host.memory_textures import texture_at

_ALWAYS = 7
_TILE = 64
#: Words that are looked at of an array, whose length only the code knows.
_MOST_WORDS = 4096


@dataclass(slots=True)
class State:
    """What the binner's list has set so far."""

    packets: dict[str, Packet] = field(default_factory=dict)
    record: Record | None = None

    def value(self, name: str, number: int = 0) -> float:
        return self.packets[name].values[number]

    @property
    def configuration(self) -> int:
        low, middle, high = self.packets["configuration bits"].values
        return int(low) | int(middle) << 8 | int(high) << 16


def draw_calls(image: Image) -> list[tuple[State, Packet]]:
    """The calls of the binner's list, each with the state before it."""
    packets = list(image.packets(image.binner))
    names = [packet.name for packet in packets]
    assert names[:3] == ["tile binning mode", "start tile binning", "primitive list format"]
    assert names[-2:] == ["increment semaphore", "flush"]
    calls, state = [], State()
    for packet in packets:
        state.packets[packet.name] = packet
        if packet.name == "gl shader state":
            state.record = gl_record(image, packet.word())
        elif packet.name == "nv shader state":
            state.record = nv_record(image, packet.word())
        elif packet.name.endswith("primitives"):
            calls.append((State(dict(state.packets), state.record), packet))
    return calls


def paint(image: Image) -> Array:
    """(height, width, 4) bytes."""
    _, width, height, clear, _ = check_renderer(image)
    colour = np.zeros((height, width, 4))
    colour[:] = np.array([clear >> 8 * channel & 255 for channel in range(4)]) / 255.0
    depth = np.ones((height, width))
    for state, call in draw_calls(image):
        for frame in _frames(image, state, call, width, height):
            covered = ~np.isnan(frame.colour[:, :, 0])
            if _depth_test(state) != _ALWAYS:
                covered &= frame.depth < depth
                depth[covered] = frame.depth[covered]
            colour[covered] = frame.colour[covered]
    found: Array = np.floor(colour * 255 + 0.5).astype(np.uint8)
    return found


def check_renderer(image: Image) -> tuple[int, int, int, int, int]:
    """That the renderer's list stores each tile once, after its part of the binner's lists: where the pixels go,
    width, height, clear colour, clear depth."""
    packets = list(image.packets(image.renderer))
    clear, first, nothing, mode, *tiles = packets
    assert (first.values, nothing.values) == ((0, 0), (0, 0)), "the tile buffer is cleared"
    address, width, height, bits = map(int, mode.values)
    assert bits == 1 << 2, "rows of RGBA8888"
    (binning,) = [packet for packet in image.packets(image.binner) if packet.name == "tile binning mode"]
    lists, across, down = binning.word(0), binning.word(3), binning.word(4)
    assert (across, down) == (-(-width // _TILE), -(-height // _TILE))
    assert tiles.pop(1).name == "wait on semaphore"
    seen = []
    for coordinates, branch, store in zip(tiles[::3], tiles[1::3], tiles[2::3], strict=True):
        x, y = map(int, coordinates.values)
        assert branch.word() == lists + 32 * (y * across + x)
        seen.append((x, y))
        assert store.name == ("store and end" if len(seen) == across * down else "store")
    assert sorted(seen) == [(x, y) for x in range(across) for y in range(down)]
    return address, width, height, clear.word(), clear.word(2)


# --- A draw call ------------------------------------------------------------------------------------------------------


def _depth_test(state: State) -> int:
    return state.configuration >> 12 & 7


def _frames(image: Image, state: State, call: Packet, width: int, height: int) -> list[Frame]:
    """Without a test of depths, triangle by triangle; elsewhere all at once. What is not drawn to is NaN."""
    assert state.record is not None
    assert int(call.values[0]) & 15 == 4, "triangles"
    numbers = _indices(image, call)
    corners = _corners(image, state, 1 + max(numbers))
    triangles = np.array(numbers).reshape(-1, 3)
    groups = [triangles] if _depth_test(state) != _ALWAYS else [row[None] for row in triangles]
    bits = state.configuration
    # With bit 2, corners that are clockwise where rows run downwards are a front face.
    flips = not bits >> 2 & 1
    shown = (bits & 1, bits >> 1 & 1)
    shown = shown[::-1] if flips else shown
    cull = {(1, 1): "none", (1, 0): "back", (0, 1): "front"}[shown]
    fragment = _fragment(image, state, flips=flips)
    nothing = (float("nan"),) * 4
    vertex = Stage(lambda _: dict(corners), frozenset())
    return [
        draw(vertex, fragment, {}, group, width=width, height=height, background=nothing, cull=cull)  # type: ignore[arg-type]
        for group in groups
    ]


def _indices(image: Image, call: Packet) -> list[int]:
    if call.name == "array primitives":
        _, count, first = map(int, call.values)
        return list(range(first, first + count))
    mode, count, address, last = map(int, call.values)
    size = 2 if mode >> 4 else 1
    found = list(struct.unpack(f"<{count}{'H' if size == 2 else 'B'}", image.bytes(address, size * count)))
    assert max(found) <= last
    return found


def _corners(image: Image, state: State, count: int) -> Mapping[str, Array]:
    """Positions, y in rows of memory, and varyings, of all vertices."""
    record = state.record
    assert record is not None
    x_scale, y_scale = _scales(state)
    names = [f"v{number}" for number in range(record.varyings)]
    if record.vertex is None or record.coordinate is None:
        return _shaded(image, record, count, (x_scale, y_scale), state.packets["clipper z scaling"].values, names)
    clip = _rows(image, record.coordinate, _inputs(image, record, count, "coordinate"), count, range(7), {4})
    size = record.flags >> 1 & 1
    rows = range(3 + size + record.varyings)
    flat = {3 + size + number for number in range(record.varyings) if _is_flat(state, number)}
    shaded = _rows(image, record.vertex, _inputs(image, record, count, "vertex"), count, rows, {0, *flat})
    assert np.array_equal(clip[4], shaded[0]), "both programs agree where a vertex is"
    position = np.stack([clip[number].astype(np.float64) for number in range(4)], axis=1)
    _check_places(clip[4], position, x_scale, y_scale)
    position[:, 1] *= np.sign(y_scale)
    return {"gl_Position": position} | {name: shaded[3 + size + number] for number, name in enumerate(names)}


def _scales(state: State) -> tuple[float, float]:
    """Half the window in sixteenths of a pixel; negative where rows begin at the top."""
    x, y, width, height = state.packets["clip window"].values
    scales = state.packets["clipper xy scaling"].values
    assert (scales[0], abs(scales[1])) == (8 * width, 8 * height)
    assert state.packets["viewport offset"].values == (16 * x + 8 * width, 16 * y + 8 * height)
    return scales[0], scales[1]


def _check_places(packed: Array, position: Array, x_scale: float, y_scale: float) -> None:
    """That the scales of the stream are those of the list: sixteenths of a pixel from the centre."""
    words = packed.astype(np.int64).astype(np.uint32)
    for half, axis, scale in ((words & 0xFFFF, 0, x_scale), (words >> 16, 1, y_scale)):
        expected = position[:, axis] * scale / position[:, 3]
        seen = np.abs(expected) < 30000
        assert np.all(np.abs(half.astype(np.uint16).view(np.int16)[seen] - expected[seen]) <= 1.5), (half, expected)


def _shaded(
    image: Image, record: Record, count: int, scales: tuple[float, float], depths: Sequence[float], names: list[str]
) -> Mapping[str, Array]:
    """Vertices of the NV form."""
    size = record.flags >> 1 & 1
    rows = [
        struct.unpack(f"<hhff{size + record.varyings}f", image.bytes(record.shaded + number * record.shaded_stride,
                                                                      12 + 4 * (size + record.varyings)))
        for number in range(count)
    ]  # fmt: skip
    table = np.array(rows, np.float64)
    w = 1 / table[:, 3]
    x, y = table[:, 0] / abs(scales[0]), table[:, 1] / abs(scales[1])
    z = (table[:, 2] - depths[1]) / depths[0]
    found = {"gl_Position": np.stack([x * w, y * w, z * w, w], axis=1)}
    return found | {name: table[:, 4 + size + number].astype(np.float32) for number, name in enumerate(names)}


def _is_flat(state: State, number: int) -> bool:
    return bool(int(state.value("flat shade flags")) >> number & 1)


# --- Programs on memory -----------------------------------------------------------------------------------------------


def vertex_rows(image: Image, record: Record, count: int, stage: str) -> dict[int, Array]:
    """The rows of the VPM that a program finds: words of each vertex."""
    select = record.vertex_select if stage == "vertex" else record.coordinate_select
    total = record.vertex_bytes if stage == "vertex" else record.coordinate_bytes
    rows: dict[int, Array] = {}
    for number, array in enumerate(record.attributes):
        if select >> number & 1:
            first = array.vertex_offset if stage == "vertex" else array.coordinate_offset
            assert first + array.size <= total
            words = np.array([_words(image, array, vertex) for vertex in range(count)], np.uint32)
            rows.update({first // 4 + word: words[:, word] for word in range(array.size // 4)})
    assert len(rows) * 4 == total, "a record says how much it hands over"
    return rows


def _words(image: Image, array: Attribute, vertex: int) -> tuple[int, ...]:
    return image.words(array.address + vertex * array.stride, array.size // 4)


def _inputs(image: Image, record: Record, count: int, stage: str) -> MachineInputs:
    rows = vertex_rows(image, record, count, stage)
    return MachineInputs(count, inputs={"vpm_in": {row: words[:, None] for row, words in rows.items()}})


def _rows(
    image: Image, program: Program, inputs: MachineInputs, count: int, rows: Sequence[int], ints: set[int]
) -> dict[int, Array]:
    """What a program writes to rows of the VPM."""
    attributes = [_binding(f"a{row}", "uint", "vpm_in", row) for row in inputs.inputs["vpm_in"]]
    outputs = [_binding(f"r{row}", "int" if row in ints else "float", "vpm_out", row) for row in rows]
    made = _run(image, program, inputs, stage="vertex", attributes=tuple(attributes), outputs=tuple(outputs))
    return {row: made.outputs["vpm_out"][row][:count, 0] for row in rows}


def _fragment(image: Image, state: State, *, flips: bool) -> Stage:
    """The fragment program, for the rasteriser."""
    record = state.record
    assert record is not None
    names = [f"v{number}" for number in range(record.varyings)]
    flat = frozenset(name for number, name in enumerate(names) if _is_flat(state, number))
    varyings = [
        _binding(name, "int" if name in flat else "float", "varying", number) for number, name in enumerate(names)
    ]
    colour = Binding("gl_FragColor", "vec4", None, (Location("tlb", 0, "xyzw", "unorm8"),))

    def shade(given: Mapping[str, Array], quads: bool = False) -> Mapping[str, Array]:
        lanes = len(given["gl_FragCoord"])
        facing = np.asarray(given["gl_FrontFacing"], np.float64)
        found = {
            "varying": {number: given[name][:, None] for number, name in enumerate(names)},
            "window": {0: given["gl_FragCoord"]},
            "facing": {0: (1 - facing if flips else facing)[:, None]},
        }
        inputs = MachineInputs(lanes, inputs=found, quads=quads)
        flags = int(state.value("flat shade flags"))
        made = _run(
            image, record.fragment, inputs, flags, stage="fragment", varyings=tuple(varyings), outputs=(colour,)
        )
        return {"gl_FragColor": made.outputs["tlb"][0], "discarded": made.discarded}

    return Stage(shade, frozenset((*names, "gl_FragCoord", "gl_FrontFacing")), flat)


def _binding(name: str, type_name: str, space: str, index: int) -> Binding:
    return Binding(name, type_name, None, (Location(space, index, "x"),))


def _run(image: Image, program: Program, inputs: MachineInputs, flat: int = 0, **bindings: Any) -> MachineOutputs:
    """A program with the stream, textures and arrays that are in memory."""
    stream = [("constant", f"0x{word:08x}") for word in program.stream]
    for number, word in enumerate(program.stream):
        if word == program.stream_address:
            stream[number] = ("stream_address", "")
    arrays: dict[int, list[int]] = {}
    textures = {}
    for number, request in enumerate(program.requests):
        parameters = [program.stream[word] for word in request.words]
        if request.is_direct:
            start = len(arrays)
            arrays.update({start + word: [value] for word, value in enumerate(_array(image, program, request.words))})
            stream[request.words[0]] = ("buffer", str(start))
            continue
        textures[number] = texture_at(image, parameters)
        suffix = "_lod" if len(parameters) > 2 and parameters[2] & 1 else ""
        for parameter, word in enumerate(request.words):
            stream[word] = (f"texture_config{parameter}{suffix}", f"t{number}[0]")
    samplers = tuple(
        Binding(f"t{number}", "sampler2D", None, (Location("texture", number, ""),)) for number in textures
    )
    host_state: dict[str, bool | int | str] = {"primitive": "triangles", "flat_varyings": flat}
    reflection = Reflection("vc4", stream=tuple(stream), samplers=samplers, host_state=host_state, **bindings)
    inputs.textures = textures
    inputs.constants = {"buffer": arrays}
    binary = pack(Words(program.code))
    return run(Artifact(binary, str, reflection, Stats(0, 0, 0, 0)), inputs, {})


def _array(image: Image, program: Program, words: Sequence[int]) -> Sequence[int]:
    """What is at the address of a direct load."""
    return image.words_from(program.stream[words[0]])[:_MOST_WORDS]
