"""The form `freedreno`: C for a user of libdrm's freedreno that writes what depends on the shaders into a ring buffer.

In: a compiled stage, or a linked pair.  Out: `PREFIX.h` and `PREFIX.c`: the instruction words with the size of their
program of control flow, constants by GLSL names, slots of fetches to patch, and packets as the open driver writes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from glslc_multi.backends.adreno.host.bindings import Bindings
from glslc_multi.backends.xenos_family.host.parts import (
    attributes_of,
    four_floats,
    samplers_of,
    texture_count,
    words_array,
)
from glslc_multi.backends.xenos_family.isa.registers import CONSTANT_SPACE, LOOP_SPACE
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.host_code.c_uniforms import CMachine, RegisterWrite, c_uniforms
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_files import HostFile, HostProgram

_FOLDER = Path(__file__).parent
#: Number of a stage for the command processor; the first constant and the size of its window, as the driver has them.
_STAGES = {"vertex": 0, "fragment": 1}
_WINDOWS = {"vertex": (0x20, 0x100), "fragment": (0x120, 0xE0)}
_WINDOW_REGISTERS = {"vertex": "SQ_VS_CONST", "fragment": "SQ_PS_CONST"}
#: Key of the register map -> name of the register.
_REGISTERS = {
    "context_misc": "SQ_CONTEXT_MISC",
    "program_control": "SQ_PROGRAM_CNTL",
    "interpolator_control": "SQ_INTERPOLATOR_CNTL",
}


def host_files(program: HostProgram) -> list[HostFile]:
    """The header and the source."""
    prefix, stages, vertex = program.prefix, program.stages, program.stages.get("vertex")
    uniforms = c_uniforms(program, CMachine(_store))
    bindings = Bindings(prefix, () if vertex is None else attributes_of(vertex), samplers_of(stages))
    constants = {stage: _constant_count(artifact) for stage, artifact in stages.items()}
    both = {"PREFIX": prefix, "STAGES": " and ".join(f"{stage} shader" for stage in stages)}
    header = {
        **both,
        "GUARD": f"{prefix.upper()}_H",
        "SIZES": tuple(_sizes(program)),
        "TYPES": uniforms.types,
        "VERTEX": tuple(bindings.types()),
        "MEMBERS": tuple(_members(program, constants, bindings)),
        "STATE": uniforms.state,
        "PROTOTYPES": uniforms.prototypes,
        "BINDING_PROTOTYPES": tuple(bindings.prototypes()),
    }
    source = {
        **both,
        "CODE": tuple(_code(program)),
        "HELPERS": tuple(_helpers(constants, bindings)),
        "FUNCTIONS": uniforms.functions,
        "BINDING_FUNCTIONS": tuple(bindings.functions()),
        "INIT": tuple(_init(program)),
        "EMIT": tuple(_emit(program, constants, bindings)),
    }
    return [
        HostFile(f"{prefix}.h", fill(_FOLDER / "freedreno.h.in", header)),
        HostFile(f"{prefix}.c", fill(_FOLDER / "freedreno.c.in", source)),
    ]


def _store(write: RegisterWrite) -> Iterator[str]:
    numbers = f"(const float[4]){{{four_floats(write)}}}"
    yield f"memcpy(program->{write.stage}_constants[{write.register}], {numbers}, 16);"


# --- Code -------------------------------------------------------------------------------------------------------------


def _sizes(program: HostProgram) -> Iterator[str]:
    for stage, artifact in program.stages.items():
        name = f"{program.prefix.upper()}_{stage.upper()}"
        yield f"#define {name}_WORDS {len(artifact.binary) // 4}"
        yield f"#define {name}_CF_SLOTS {artifact.map_keys['cf_slots']}"


def _code(program: HostProgram) -> Iterator[str]:
    for stage, artifact in program.stages.items():
        data = artifact.binary
        words = [int.from_bytes(data[start : start + 4], "little") for start in range(0, len(data), 4)]
        yield from words_array(f"static const uint32_t {program.prefix}_{stage}_code", words)


def _members(program: HostProgram, constants: Mapping[str, int], bindings: Bindings) -> Iterator[str]:
    if "vertex" in program.stages:
        yield f"uint32_t vertex_code[{program.prefix.upper()}_VERTEX_WORDS]; /* whose fetches may be patched */"
    yield from (f"float {stage}_constants[{count}][4];" for stage, count in constants.items() if count)
    if bindings.buffer_count:
        remark = f"/* from vertex constant {bindings.first} on */"
        yield f"{program.prefix}_buffer buffers[{bindings.buffer_count}]; {remark}"
    if bindings.samplers:
        yield f"{program.prefix}_texture textures[{texture_count(bindings.samplers)}];"


def _init(program: HostProgram) -> Iterator[str]:
    if "vertex" in program.stages:
        yield f"memcpy(program->vertex_code, {program.prefix}_vertex_code, sizeof program->vertex_code);"
    for stage, artifact in program.stages.items():
        for index, words in _literals(artifact).items():
            numbers = ", ".join(f"0x{word:08x}" for word in words)
            yield f"memcpy(program->{stage}_constants[{index}], (const uint32_t[4]){{{numbers}}}, 16);"


# --- Packets ----------------------------------------------------------------------------------------------------------


def _helpers(constants: Mapping[str, int], bindings: Bindings) -> Iterator[str]:
    if any(constants.values()):
        yield from fill(_FOLDER / "constants.c.in", {}).splitlines()
    if bindings.buffer_count or bindings.samplers:
        yield from fill(_FOLDER / "addresses.c.in", {}).splitlines()
    if bindings.fetches:
        values = {"PREFIX": bindings.prefix, "SLOTS": tuple(bindings.slots())}
        yield from fill(_FOLDER / "patches.c.in", values).splitlines()


def _emit(program: HostProgram, constants: Mapping[str, int], bindings: Bindings) -> Iterator[str]:
    for stage in program.stages:
        array = "program->vertex_code" if stage == "vertex" else f"{program.prefix}_{stage}_code"
        yield f"load_code(ring, {_STAGES[stage]}, {array}, {program.prefix.upper()}_{stage.upper()}_WORDS);"
        first, size = _WINDOWS[stage]
        yield f"set_word(ring, REGISTERS | {_WINDOW_REGISTERS[stage]}, 0x{first | size << 12:08x});"
    for name, word in _register_words(program.stages).items():
        yield f"set_word(ring, REGISTERS | {name}, 0x{word:08x});"
    for stage, count in constants.items():
        if count:
            yield f"set_constants(ring, 0x{_WINDOWS[stage][0]:x}, program->{stage}_constants, {count});"
    for number, word in _loops(program.stages).items():
        yield f"set_word(ring, LOOP_CONSTANTS | {number}, 0x{word:x});"
    yield from bindings.emit()


def _constant_count(artifact: Artifact) -> int:
    """Constants up to the last one that something needs."""
    places = [location for binding in artifact.reflection.uniforms for location in binding.locations]
    places += [literal.location for literal in artifact.reflection.literals]
    return max((place.index + 1 for place in places if place.space == CONSTANT_SPACE), default=0)


def _literals(artifact: Artifact) -> dict[int, list[int]]:
    literals: dict[int, list[int]] = {}
    for literal in artifact.reflection.literals:
        if literal.location.space == CONSTANT_SPACE:
            words = literals.setdefault(literal.location.index, [0] * 4)
            for letter, word in zip(literal.location.components, literal.words, strict=True):
                words["xyzw".index(letter)] = word
    return literals


def _loops(stages: Mapping[str, Artifact]) -> dict[int, int]:
    literals = [literal for artifact in stages.values() for literal in artifact.reflection.literals]
    return {one.location.index: one.words[0] for one in literals if one.location.space == LOOP_SPACE}


def _register_words(stages: Mapping[str, Artifact]) -> dict[str, int]:
    """The words of all stages, which have no bits in common."""
    register_words: dict[str, int] = {}
    for key, name in _REGISTERS.items():
        words = [artifact.map_keys.get(key) for artifact in stages.values()]
        numbers = [word for word in words if isinstance(word, int)]
        if numbers:
            register_words[name] = sum(numbers)
    return register_words
