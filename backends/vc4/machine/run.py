"""The code of a shader run on the simulator, with the values that the host and the chip would give it.

In: an artifact and values by the locations of its register map.  Out: rows of the VPM, or colours and which pixels were
discarded.  Lanes are extended to groups of 16 with copies of the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any

import numpy as np

from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.fixed_function import BUILT_IN_VARYINGS, DEPTH_SHIFT, DEPTH_STEPS, PAYLOAD_REGISTER
from glslc_multi.backends.vc4.isa.instructions import LANES, word_of_float
from glslc_multi.backends.vc4.isa.registers import TLB_COLOUR, TLB_Z
from glslc_multi.backends.vc4.isa.uniforms import TEXTURE_KINDS, texture_source
from glslc_multi.backends.vc4.machine.arithmetic import arithmetic_over
from glslc_multi.backends.vc4.machine.execute import maker
from glslc_multi.backends.vc4.machine.packing import word_of_colour
from glslc_multi.backends.vc4.machine.simulate import Inputs, Result, TlbWrite, interpreter, simulate
from glslc_multi.backends.vc4.machine.stream import buffer_literals, stream_of
from glslc_multi.compiler.arithmetic.lanes import LANES as NUMPY
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact, Binding, Reflection
from glslc_multi.compiler.execution.program import Engine
from glslc_multi.compiler.target import MachineInputs, MachineOutputs

_VPM_OUT = "vpm_out"
#: How much of a varying is in the part that is added.  The hardware's planes may split it anyhow; with these a program
#: that loses a part, or takes that of another varying, shows.  They, and what they leave of 1, are powers of two, so
#: that the sum is the value.
_SHARES = (-1.0, 0.5, 2.0)
_LARGE = 2.0**126
_ARITHMETIC = arithmetic_over(NUMPY)
#: Registers that the chip fills for fragments.
_W, _DEPTH = f"ra{PAYLOAD_REGISTER}", f"rb{PAYLOAD_REGISTER}"


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from glslc_multi.compiler.native.programs import TranslatedCode

    given = (_W, _DEPTH) if artifact.reflection.stage == "fragment" else ()
    stream = stream_of(artifact.reflection, lambda _: None)
    engine = TranslatedCode(maker(unpack(artifact.binary).words, stream, given), LANES)
    return lambda inputs: _run(artifact, inputs, engine)


def run(artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
    """Run the bytes of `artifact` on all lanes."""
    return _run(artifact, inputs, None)


def _run(artifact: Artifact, inputs: MachineInputs, engine: Engine | None) -> MachineOutputs:
    reflection = artifact.reflection
    groups = -(-inputs.lanes // LANES)
    given = _Given(inputs, groups)
    values = inputs.constants.get("stream", {})
    state = Inputs(
        groups=groups,
        uniforms=stream_of(reflection, lambda word: _word(values[word][0]) if word in values else 0),
        vpm={
            row: given.words(values[:, 0], is_int=row in _int_locations(reflection.attributes))
            for row, values in inputs.inputs.get("vpm_in", {}).items()
        },
        textures=dict(_textures(reflection, inputs)),
        quads=inputs.quads,
        buffers=_buffers(reflection, inputs.constants.get("buffer", {})),
        **(_payload(reflection, given) if reflection.stage == "fragment" else {}),
    )
    words = _program(artifact.binary).words
    result = simulate(words, state, max(inputs.max_steps, 1), engine or interpreter(words, state))
    if reflection.stage == "fragment":
        return _pixels(reflection, result, inputs.lanes)
    bindings = (*reflection.outputs, *reflection.varyings)
    rows = {
        location.index: _column(result.vpm_row(location.index), inputs.lanes, binding.kind)
        for binding in bindings
        for location in binding.locations
        if location.space == _VPM_OUT
    }
    return MachineOutputs({_VPM_OUT: rows})


def _int_locations(bindings: Sequence[Binding]) -> set[int]:
    """Rows of ints."""
    return {location.index for binding in bindings if binding.kind in ("int", "uint") for location in binding.locations}


#: Programs are kept for a while: the same one runs many times.
_program = lru_cache(maxsize=64)(unpack)


class _Given:
    """Values by lane, extended to whole groups."""

    def __init__(self, inputs: MachineInputs, groups: int) -> None:
        self.inputs = inputs
        self.shape = (groups, LANES)
        self.lanes = np.minimum(np.arange(groups * LANES), inputs.lanes - 1)

    def numbers(self, values: Array) -> Array:
        array = np.asarray(values)
        return (array if len(array) == len(self.lanes) else array[self.lanes]).reshape(self.shape)

    def words(self, values: Array, *, is_int: bool = False) -> Array:
        if is_int:
            return self.numbers(values).astype(np.int64).astype(np.uint32)
        return self.numbers(values).astype(np.float32, copy=False).view(np.uint32)

    def of_space(self, space: str, component: int, default: float) -> Array:
        values = self.inputs.inputs.get(space, {}).get(0)
        if values is None:
            return np.full(self.shape, default)
        return self.numbers(values[:, component]).astype(np.float64)


#: Kind of a variable -> what the words are that hold it.
_WORDS: Mapping[str, type[np.generic]] = {"float": np.float32, "int": np.int32, "uint": np.uint32}


def _column(words: Array, lanes: int, kind: str) -> Array:
    """A row of the VPM as a register of one component."""
    return words.view(_WORDS[kind]).reshape(-1, 1)[:lanes]


# ------------------------------------------------------------------------------------------------ uniforms
def _word(value: Any) -> int:
    if isinstance(value, bool | np.bool_):
        return 0xFFFFFFFF if value else 0
    if isinstance(value, int | np.integer):
        return int(value) & 0xFFFFFFFF
    return word_of_float(value)


def _textures(reflection: Reflection, inputs: MachineInputs) -> Iterator[tuple[int, Texture]]:
    """The textures by the sources of their slots, which say how they are sampled."""
    shadows = [binding for binding in reflection.samplers if binding.type.endswith("Shadow")]
    depths = {location.index for binding in shadows for location in binding.locations}
    for unit, texture in inputs.textures.items():
        stored = stored_depths(texture) if unit in depths else texture
        for number, kind in enumerate(TEXTURE_KINDS):
            yield texture_source(unit, number), stored if kind.channel is None else texture


def stored_depths(texture: Texture) -> Texture:
    """Depths, which are red, as the chip stores them: words, of which a lookup yields the four bytes."""
    stored = copy(texture)
    stored.levels = []
    for level in texture.levels:
        words = np.rint(np.clip(level[..., :1], 0.0, 1.0) * DEPTH_STEPS).astype(np.int64) << DEPTH_SHIFT
        stored.levels.append((words >> np.arange(0, 32, 8) & 0xFF) / 255.0)
    return stored


def _buffers(reflection: Reflection, values: Mapping[int, Sequence[Any]]) -> dict[int, list[int]]:
    """The words from the first of each slice on."""
    words = {number: _word(register[0]) for number, register in values.items()} | buffer_literals(reflection)
    starts = {int(source) for kind, source in reflection.stream if kind == "buffer"}
    return {start: [words.get(number, 0) for number in range(start, max(words) + 1)] for start in starts}


# ----------------------------------------------------------------------------------------------- fragments
def _payload(reflection: Reflection, given: _Given) -> dict[str, Any]:
    """Varyings as two parts, and the other inputs of fragments."""
    inverse = given.of_space("window", 3, 1.0)
    w = np.divide(1.0, inverse, out=np.ones_like(inverse), where=inverse != 0)
    depth = np.round(given.of_space("window", 2, 0.0) * DEPTH_STEPS)
    state = reflection.host_state or {}
    inside = [
        given.of_space("point", component, 0.0) for component in range(BUILT_IN_VARYINGS[str(state["primitive"])])
    ]
    random = np.random.default_rng(len(w))

    def interpolated(values: Array) -> tuple[Array, Array]:
        # A varying as a program finds it: a part that it multiplies by w, and one that it adds, which is some share.
        shares = random.choice(_SHARES, values.shape)
        # Twice what is large would be infinite.
        shares = np.where(np.abs(values) < _LARGE, shares, 0.5)
        multiplied, added = (values / w).astype(np.float32) * (1 - shares), values * shares
        return multiplied.astype(np.float32).view(np.uint32), added.astype(np.float32).view(np.uint32)

    flat, ints = int(state.get("flat_varyings", 0)), _int_locations(reflection.varyings)
    varyings = [
        (np.zeros(given.shape, np.uint32), given.words(values[:, 0], is_int=place in ints))
        if flat >> place & 1
        else interpolated(given.numbers(values[:, 0]))
        for place, values in sorted(given.inputs.inputs.get("varying", {}).items())
    ]
    return {
        "registers": {_W: w.astype(np.float32).view(np.uint32), _DEPTH: depth.astype(np.uint32)},
        "varyings": [*map(interpolated, inside), *varyings],
        "x_coord": np.floor(given.of_space("window", 0, 0.0)).astype(np.int32).view(np.uint32),
        "y_coord": np.floor(given.of_space("window", 1, 0.0)).astype(np.int32).view(np.uint32),
        "colour": word_of_colour(_ARITHMETIC, [given.of_space("tlb", component, 0.0) for component in range(4)]),
        "rev_flag": (given.of_space("facing", 0, 1.0) == 0).astype(np.uint32),
    }


def _pixels(reflection: Reflection, result: Result, lanes: int) -> MachineOutputs:
    colours = [write for write in result.tlb if write.waddr == TLB_COLOUR]
    colour, depth = np.zeros((lanes, 4)), np.zeros((lanes, 4))
    written = _merge([write.lanes for write in colours], lanes)
    is_raw = any(location.transform == "identity" for binding in reflection.outputs for location in binding.locations)
    if is_raw:
        kinds = [binding.kind for binding in reflection.outputs for place in binding.locations if place.index == 0]
        _read_channels(colours, colour, kinds[0] if kinds else "float")
    else:
        for write in colours:
            mask = write.lanes.reshape(-1)[:lanes]
            words = write.values.reshape(-1)[:lanes]
            for channel in range(4):
                colour[mask, channel] = (words[mask] >> np.uint32(8 * channel) & np.uint32(255)) / 255.0
    for write in result.tlb:
        if write.waddr == TLB_Z:
            steps = write.values.view(np.float32) if is_raw else write.values / float(DEPTH_STEPS)
            depth[:, 0] = steps.reshape(-1)[:lanes]
    return MachineOutputs({"tlb": {0: colour, 1: depth}}, ~written)


def _merge(masks: Sequence[Array], lanes: int) -> Array:
    discarded = np.zeros(lanes, np.bool_)
    for mask in masks:
        discarded |= mask.reshape(-1)[:lanes]
    return discarded


def _read_channels(writes: Sequence[TlbWrite], colour: Array, kind: str) -> None:
    """Each lane's writes are its channels, one after the other."""
    lanes = len(colour)
    channel = np.zeros(lanes, np.intp)
    for write in writes:
        mask = write.lanes.reshape(-1)[:lanes]
        colour[mask, channel[mask]] = write.values.view(_WORDS[kind]).reshape(-1)[:lanes][mask]
        channel += mask
