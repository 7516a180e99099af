"""What a generated class owes to whoever uses it by names, checked on a recording device.

In: compiled programs.  Each class is told random values of everything by its name in GLSL; then what the device has is
compared with the register map.  Out: what differs, as text:

- the code of each stage, and each literal and uniform in its registers, bit for bit: what they begin with, what was
  set, and what `setProgramConstantsFromMatrix` sets with the class's constants;
- each attribute in the registers that read it, with as many components as the map says;
- each texture in the samplers that the code has, with the state that was named where the shader leaves it open;
- no stream and no texture after `release`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from glslc_multi.backends.agal.host.classes import class_name
from glslc_multi.backends.agal.host.facts import INPUT_SPACES
from glslc_multi.backends.agal.host.languages import HAXE, indented
from glslc_multi.backends.agal.host.setters import count_of, method_name
from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.program import Sampler, decode
from glslc_multi.backends.agal.isa.sampler_options import IGNORE_SAMPLER
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_code.c_names import member_name
from glslc_multi.compiler.host_code.places import shape_of, size_of
from glslc_multi.compiler.host_code.uniforms import HostUniform, host_uniforms
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.records import dataclass, field
from tests.backends.agal.host.client import numbers_text, value_text
from tests.backends.agal.host.recorded import Device, calls_of
from tests.backends.agal.host.tools import recorded

_SEED, _VERTICES = 26, 3
_STAGES = ("vertex", "fragment")
#: A state that is no sampler's own.
_STATE = ("CLAMP_U_REPEAT_V", "ANISOTROPIC4X", "MIPNEAREST")
_RECORDED_STATE = ("clamp_u_repeat_v", "anisotropic4x", "mipnearest")
#: (type of program, register) -> bits of its components, None where nothing is said of them.
Registers = dict[tuple[str, int], list[int | None]]
#: Changes the text of a class.
Edit = Callable[[str], str]


@dataclass(slots=True)
class Wanted:
    """What the device should have once a class was told its values."""

    codes: tuple[bytes, bytes]
    #: Before values are set, and afterwards.
    begin: Registers = field(default_factory=dict)
    constants: Registers = field(default_factory=dict)
    #: Attribute register -> (vertex, component).
    streams: dict[int, Array] = field(default_factory=dict)
    textures: set[int] = field(default_factory=set)
    open_samplers: set[int] = field(default_factory=set)
    base_level: set[int] = field(default_factory=set)
    #: How many uniforms and attributes are set.
    values: int = 0


class Found(NamedTuple):
    """How many values were set, and what is wrong with them."""

    values: int
    faults: list[str]


def check(programs: Sequence[HostProgram], folder: Path, edits: Mapping[int, Edit] | None = None) -> list[Found]:
    """What is wrong with each program's class; `edits` plant faults, by the number of the program."""
    random, wanted, lines = Random(_SEED), [], []
    for number, program in enumerate(programs):
        for file in load_target("agal").host_code(program, "haxe", DiagnosticSink()):
            text = file.data.decode()
            (folder / file.name).write_text((edits or {}).get(number, str)(text), encoding="utf-8")
        wanted.append(_wanted(program))
        lines += ["", f"static function run{number}(context:Context3D):Void {{"]
        lines += [*indented(_client(program, wanted[-1], random)), "}"]
    calls = [f'Sys.println("next"); run{number}(context);' for number in range(len(programs))]
    lines += ["", "static function main() {", *indented(["final context = new Context3D();", *calls]), "}"]
    imports = ["openfl.Vector", "openfl.display3D.Context3D", "openfl.geom.Matrix3D", "openfl.utils.ByteArray"]
    main = [*(f"import {name};" for name in imports), "class Main {", *lines, "}", ""]
    (folder / "Main.hx").write_text("\n".join(main), encoding="utf-8")
    printed = recorded(folder, "Main").split("next\n")[1:]
    return [Found(want.values, list(_faults(text, want))) for text, want in zip(printed, wanted, strict=True)]


# --- What a program's class is told -----------------------------------------------------------------------------------


def _wanted(program: HostProgram) -> Wanted:
    """What follows from the map alone, without values."""
    stages = program.stages
    wanted = Wanted((_code(stages.get("vertex")), _code(stages.get("fragment"))))
    for stage, artifact in stages.items():
        for literal in artifact.reflection.literals:
            for letter, word in zip(literal.location.components, literal.words, strict=True):
                _expect(wanted.begin, stage, literal.location.index, letter, word)
                _expect(wanted.constants, stage, literal.location.index, letter, word)
        samplers = _samplers(artifact)
        wanted.textures |= set(samplers)
        state = artifact.reflection.host_state or {}
        listed, of_base_level = (str(state.get(key, "")).split(",") for key in ("samplers", "base_level"))
        wanted.base_level |= {number for number in samplers if f"fs{number}" in of_base_level}
        ignoring = {number for number, found in samplers.items() if found.special & IGNORE_SAMPLER}
        wanted.open_samplers |= ignoring | {n for n in samplers if f"fs{n}" in listed}
    return wanted


def _code(artifact: Artifact | None) -> bytes:
    return b"" if artifact is None else artifact.binary


def _samplers(artifact: Artifact) -> dict[int, Sampler]:
    """Those that the code reads."""
    tokens = map(decode, unpack(artifact.binary).words)
    return {token.sampler.number: token.sampler for token in tokens if token is not None and token.sampler is not None}


def _client(program: HostProgram, wanted: Wanted, random: Random) -> Iterator[str]:
    """The statements that tell the class its values."""
    name, others = class_name(program.prefix), [stage for stage in _STAGES if stage not in program.stages]
    yield f"final shader = new {name}(context);"
    yield f"shader.upload({', '.join('new ByteArray()' for _ in others)});"
    yield from ("shader.bind();", 'Sys.println("begun");')
    matrices = []
    for uniform in host_uniforms(program.stages, INPUT_SPACES):
        if uniform.name.startswith("$"):
            continue
        numbers = _numbers(uniform, random)
        wanted.values += 1
        yield f"shader.{method_name(uniform.name)}({value_text(uniform, numbers, HAXE)});"
        for stage, binding in uniform.places.items():
            _expect_value(wanted.begin, stage, binding, binding.default or [0] * len(numbers))
            _expect_value(wanted.constants, stage, binding, numbers)
            if uniform.type == "mat4" and uniform.length is None:
                matrices.append((f"{name}.{member_name(uniform.name)}_{stage[0]}c", stage, numbers))
    for binding in (b for artifact in program.stages.values() for b in artifact.reflection.samplers):
        yield from _textures(binding, wanted)
    yield "shader.bind();"
    if "vertex" in program.stages and program.stages["vertex"].reflection.attributes:
        yield from _vertices(name, program.stages["vertex"].reflection.attributes, wanted, random)
    yield 'Sys.println("bound");'
    for constant, stage, numbers in matrices:
        matrix = f"new Matrix3D({numbers_text(numbers, HAXE)})"
        yield f'context.setProgramConstantsFromMatrix("{stage}", {constant}, {matrix}, {constant}_transposed);'
    yield "shader.release();"


def _numbers(uniform: HostUniform, random: Random) -> list[float]:
    numbers = [random.randrange(-(2**20), 2**20) / 1024 for _ in range(count_of(uniform))]
    kind = uniform.type.rstrip("234")
    if kind in ("bool", "bvec"):
        return [1.0, *(float(number > 0) for number in numbers[1:])]
    return [float(abs(int(number))) for number in numbers] if kind in ("int", "ivec", "uint", "uvec") else numbers


def _expect_value(wanted: Registers, stage: str, binding: Binding, numbers: Sequence[float]) -> None:
    """Straight from the map: element by element, a matrix by [column][row]."""
    columns, rows = shape_of(binding.type)
    for place in binding.locations:
        for part, letter in enumerate(place.components, start=place.first):
            column, row = (part, place.column) if place.transform == "transpose" else (place.column, part)
            (bits,) = struct.unpack("<I", struct.pack("<f", numbers[(place.element * columns + column) * rows + row]))
            _expect(wanted, stage, place.index, letter, bits)


def _expect(wanted: Registers, stage: str, register: int, letter: str, bits: int) -> None:
    wanted.setdefault((stage, register), [None] * 4)["xyzw".index(letter)] = bits


def _textures(binding: Binding, wanted: Wanted) -> Iterator[str]:
    """A texture for each sampler that is read, as wide as the sampler's number, and a state for open ones."""
    read = [place for place in binding.locations if place.index in wanted.textures]
    for place in read:
        element = "" if binding.length is None else f"{place.element}, "
        texture = f'context.createTexture({place.index}, 1, "bgra", false)'
        yield f"shader.{method_name(binding.name)}({element}{texture});"
    open_samplers = wanted.open_samplers.intersection(place.index for place in read)
    if open_samplers:
        states = zip(("WrapMode", "TextureFilter", "MipFilter"), _STATE, strict=True)
        spelled = [f"openfl.display3D.Context3D{kind}.{state}" for kind, state in states]
        listed = ", ".join(spelled[:-1] if open_samplers <= wanted.base_level else spelled)
        yield f"shader.sample_{member_name(binding.name)}({listed});"


def _vertices(name: str, attributes: Sequence[Binding], wanted: Wanted, random: Random) -> Iterator[str]:
    """A buffer with numbers at the offsets that the class names."""
    yield f"final numbers = Vector.ofArray([for (_ in 0...{_VERTICES} * {name}.STRIDE) 0.5]);"
    for binding in attributes:
        size = size_of(binding)
        values = np.array([[random.randrange(2**20) / 1024 for _ in range(size)] for _ in range(_VERTICES)], np.float32)
        wanted.values += 1
        for vertex, place in np.ndindex(values.shape):
            at = f"{vertex} * {name}.STRIDE + {name}.{member_name(binding.name)}_offset + {place}"
            yield f"numbers[{at}] = {HAXE.number(float(values[vertex, place]))};"
        for location in binding.locations:
            columns, rows = shape_of(binding.type)
            first = (location.element * columns + location.column) * rows + location.first
            wanted.streams[location.index] = values[:, first : first + len(location.components)]
    yield f"final buffer = context.createVertexBuffer({_VERTICES}, {name}.STRIDE);"
    yield f"buffer.uploadFromVector(numbers, 0, {_VERTICES});"
    yield "shader.bindVertices(buffer);"


# --- What the device has ----------------------------------------------------------------------------------------------


def _faults(printed: str, wanted: Wanted) -> Iterator[str]:
    device = Device()
    at: dict[str, Device] = {}
    for call, words in calls_of(printed):
        if call in ("begun", "bound"):
            at[call] = deepcopy(device)
        else:
            device.take(call, words)
    bound = at["bound"]
    if bound.code != wanted.codes:
        yield "the code is other than the program's"
    yield from _wrong_constants(at["begun"], wanted.begin, "at first")
    yield from _wrong_constants(bound, wanted.constants, "set by name")
    yield from _wrong_constants(device, wanted.constants, "set as matrix")
    if bound.streams.keys() != wanted.streams.keys():
        yield f"streams: {sorted(bound.streams)}, not {sorted(wanted.streams)}"
    stride = sum(values.shape[1] for values in wanted.streams.values())
    for register, stream in bound.streams.items():
        if stream.buffer.stride != stride:
            yield f"a vertex has {stream.buffer.stride} numbers, not {stride}"
        if not np.array_equal(stream.values(), wanted.streams.get(register, np.empty(0))):
            yield f"va{register} reads something else"
    found = {sampler: bound.sizes[number][0] for sampler, number in bound.textures.items()}
    if found != {sampler: sampler for sampler in wanted.textures}:
        yield f"textures: {found}, not {sorted(wanted.textures)}"
    of_base_level = dict.fromkeys(wanted.base_level, (*_RECORDED_STATE[:-1], "mipnone"))
    if bound.samplers != dict.fromkeys(wanted.open_samplers, _RECORDED_STATE) | of_base_level:
        yield f"states of samplers: {bound.samplers}, not {sorted(wanted.open_samplers)}"
    if device.streams or device.textures:
        yield "release leaves something behind"


def _wrong_constants(device: Device, wanted: Registers, how: str) -> Iterator[str]:
    for (stage, register), row in wanted.items():
        found = device.constants.get((stage, register), [-1] * 4)
        if any(want is not None and want != has for want, has in zip(row, found, strict=True)):
            yield f"{stage[0]}c{register} {how}: {found}, not {row}"
