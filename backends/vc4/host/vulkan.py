"""The form of rpi-vk-driver: code, a mapping for each word of a stream, and the push constants that hold them.

In: all three stages.  Out: files, or why the driver cannot take the program.

The driver knows two kinds of words.  Push constants are values of the application's: uniforms, constants of the code,
scales of the viewport alike.  A combined image is all parameters of a lookup, which must follow each other; the vertex
stage has none, and no stage loads from buffers.  The coordinate program gets the first attribute alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from glslc_multi.backends.vc4.host.c_tables import constant_rows, lines_of, table
from glslc_multi.backends.vc4.host.layout import HostShader, HostStage, host_shader
from glslc_multi.compiler.host_code.c_uniforms import CMachine, RegisterWrite, c_uniforms
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.textures import demands_of
from glslc_multi.compiler.host_files import HostFile, HostProgram

_FOLDER = Path(__file__).parent
#: In the order of the driver's numbers.
_STAGES = ("coordinate", "vertex", "fragment")
#: Push constants of a stage, in words.
_LIMIT = 64
_BUFFERS = {"vertex": ("vertex", "coordinate"), "fragment": ("fragment",)}
_WORDS = {"float": "bits", "int": "(uint32_t)-"}


def refusal(program: HostProgram) -> str | None:
    """What the driver cannot do with a program."""
    shader = host_shader(program.stages)
    if any(shader.stages[name].requests for name in ("vertex", "coordinate")):
        return "read textures or arrays at variable indices in the vertex stage"
    requests = shader.stages["fragment"].requests
    if any(request.is_load for request in requests):
        return "read arrays at variable indices"
    words = [word for request in requests for word in request.words]
    if words != sorted(words) or any(r.words[-1] - r.words[0] != len(r.words) - 1 for r in requests):
        return "look textures up whose parameters do not follow each other"
    if shader.attributes.selected("coordinate") != 1:
        return "compute a position from more than the first attribute"
    for name, stages in _BUFFERS.items():
        count = len(_pushed(shader, stages))
        if count > _LIMIT:
            return f"push {count} words of the {name} stage: the driver has {_LIMIT}"
    return None


def vulkan_files(program: HostProgram) -> list[HostFile]:
    """The files of a program that the driver takes."""
    shader = host_shader(program.stages)
    uniforms = c_uniforms(program, CMachine(lambda write: _store(shader, write)))
    pushed = {name: _pushed(shader, stages) for name, stages in _BUFFERS.items()}
    common: dict[str, str | Sequence[str]] = {
        "PREFIX": program.prefix,
        "TITLE": "Vertex, coordinate and fragment shader",
        "VERTEX_COUNT": str(len(pushed["vertex"])),
        "FRAGMENT_COUNT": str(len(pushed["fragment"])),
    }
    header = {
        "GUARD": program.prefix.upper(),
        "TYPES": uniforms.types,
        "STATE": uniforms.state,
        "WORDS": str(max(shader.word_count, 1)),
        "BINDINGS": [
            f"/* binding {first}: sampler {name}{demands_of(program.stages, name)} */"
            for name, (first, _) in shader.samplers.items()
        ],
        "PROTOTYPES": [line for text in uniforms.prototypes for line in (*text.splitlines(), "")],
    }
    functions = "\n".join(uniforms.functions)
    needs_math = any(artifact.preamble is not None for artifact in program.stages.values()) or "INFINITY" in functions
    source = {
        "INCLUDES": ["#include <math.h>"] if needs_math else [],
        "TABLES": list(_tables(shader, pushed)),
        "CONSTANTS": list(constant_rows(shader)),
        "VERTEX_WORDS": _numbers(pushed["vertex"].values()),
        "FRAGMENT_WORDS": _numbers(pushed["fragment"].values()),
        "VIEWPORT_WORDS": _rows(shader),
        "FUNCTIONS": functions.splitlines(),
        "CODE_COUNTS": ", ".join(str(len(shader.stages[name].code)) for name in _STAGES),
        "MAP_COUNTS": ", ".join(str(len(_mappings(name, shader, pushed))) for name in _STAGES),
    }
    texts = [HostFile(f"{program.prefix}_{name}.qasm", program.stages[name].assembly) for name in _STAGES]
    return [
        HostFile(f"{program.prefix}.h", fill(_FOLDER / "vulkan.h.in", {**common, **header})),
        HostFile(f"{program.prefix}.c", fill(_FOLDER / "vulkan.c.in", {**common, **source})),
        *texts,
    ]


def _store(shader: HostShader, write: RegisterWrite) -> Iterator[str]:
    stage = shader.stages[write.stage]
    for number in write.numbers.values():
        word = f"{_WORDS.get(number.type, '(uint32_t)')}({number.text})"
        yield f"program->words[{stage.stream} + {write.register}] = {word};"


def _pushed(shader: HostShader, stages: Sequence[str]) -> dict[tuple[str, str], int]:
    """What is pushed, by kind and source: each value once, with a word of a stream that holds it."""
    offsets: dict[tuple[str, str], int] = {}
    for name in stages:
        stage = shader.stages[name]
        for number, slot in enumerate(stage.artifact.reflection.stream):
            if not slot[0].startswith("texture_"):
                offsets.setdefault(slot, stage.stream + number)
    return offsets


def _tables(shader: HostShader, pushed: Mapping[str, Mapping[tuple[str, str], int]]) -> Iterator[str]:
    for name in _STAGES:
        stage = shader.stages[name]
        yield from table(f"uint64_t {name}_code", [f"0x{word:016x}" for word in stage.code], 4)
        yield from table(f"VkRpiAssemblyMappingEXT {name}_map", _mappings(name, shader, pushed) or ["{ 0 }"], 1)


def _mappings(name: str, shader: HostShader, pushed: Mapping[str, Mapping[tuple[str, str], int]]) -> list[str]:
    """A row for each word of a stream; one for all words of a lookup."""
    stage: HostStage = shader.stages[name]
    offsets = {slot: 4 * index for index, slot in enumerate(pushed["fragment" if name == "fragment" else "vertex"])}
    lookups = {request.words[0]: request.source for request in stage.requests}
    rows = []
    for number, slot in enumerate(stage.artifact.reflection.stream):
        if number in lookups:
            image = "VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER"
            rows.append(f"{{ VK_RPI_ASSEMBLY_MAPPING_TYPE_DESCRIPTOR, {image}, 0, {lookups[number]}, 0, 0 }}")
        elif not slot[0].startswith("texture_"):
            nothing = "VK_DESCRIPTOR_TYPE_MAX_ENUM"
            rows.append(f"{{ VK_RPI_ASSEMBLY_MAPPING_TYPE_PUSH_CONSTANT, {nothing}, 0, 0, 0, {offsets[slot]} }}")
    return rows


def _rows(shader: HostShader) -> list[str]:
    """Words of the viewport; the last kind is the stream's address, which the kernel puts in."""
    rows = [f"{{ {stage.stream + word}, {kind} }}" for stage in shader.stages.values() for word, kind in stage.own]
    return list(lines_of(rows, 6))


def _numbers(words: Iterable[int]) -> list[str]:
    return list(lines_of([str(word) for word in words] or ["0"], 16))
