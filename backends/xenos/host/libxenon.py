"""The form `libxenon`: C that loads the embedded files, sets uniforms by their GLSL names, and describes vertices.

In: a compiled stage, or a linked pair.  Out: `PREFIX.h` and `PREFIX.c` for libxenon's `xenos/xe.h`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from glslc_multi.backends.xenos_family.host.parts import (
    Sampler,
    attributes_of,
    bytes_array,
    four_floats,
    samplers_of,
    texture_count,
    vertex_structure,
)
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.host_code.c_uniforms import CMachine, RegisterWrite, c_uniforms
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_files import HostFile, HostProgram

_FOLDER = Path(__file__).parent
#: How libxenon calls the stages: in functions, and as types of shaders.
_IN_FUNCTIONS = {"vertex": "Vertex", "fragment": "Pixel"}
_TYPES = {"vertex": "SHADER_TYPE_VERTEX", "fragment": "SHADER_TYPE_PIXEL"}
#: What its formats of vertices hold.
_ELEMENTS = Limit("xenos", "elements of a vertex in libxenon's formats", 10, "join small attributes in a vector")
_FORMATS = {37: "XE_TYPE_FLOAT2", 57: "XE_TYPE_FLOAT3", 38: "XE_TYPE_FLOAT4"}


def host_files(program: HostProgram, sink: DiagnosticSink) -> list[HostFile]:
    """The header and the source."""
    vertex = program.stages.get("vertex")
    if vertex is not None:
        _check_elements(vertex, sink)
    uniforms = c_uniforms(program, CMachine(_store))
    samplers = samplers_of(program.stages)
    prefix, stages = program.prefix, " and ".join(f"{stage} shader" for stage in program.stages)
    argument = "" if vertex is None else ", const struct XenosVBFFormat *format"
    header = fill(
        _FOLDER / "libxenon.h.in",
        {
            "PREFIX": prefix,
            "STAGES": stages,
            "GUARD": f"{prefix.upper()}_H",
            "TYPES": uniforms.types,
            "VERTEX": () if vertex is None else tuple(_vertex_types(prefix, vertex)),
            "MEMBERS": tuple(_members(program, samplers)),
            "STATE": uniforms.state,
            "INIT_COMMENT": () if vertex is None else _INIT_COMMENT,
            "FORMAT_ARGUMENT": argument,
            "PROTOTYPES": uniforms.prototypes,
            "TEXTURE_PROTOTYPES": tuple(_texture_prototypes(prefix, samplers)),
        },
    )
    source = fill(
        _FOLDER / "libxenon.c.in",
        {
            "PREFIX": prefix,
            "STAGES": stages,
            "CODE": tuple(line for stage in program.stages for line in _code(program, stage)),
            "FORMAT": () if vertex is None else tuple(_format(prefix, vertex)),
            "FUNCTIONS": uniforms.functions,
            "TEXTURE_FUNCTIONS": tuple(_texture_functions(prefix, samplers)),
            "FORMAT_ARGUMENT": argument,
            "LOADING": tuple(line for stage in program.stages for line in _loading(program, stage)),
            "BINDING": tuple(_binding(program, samplers)),
        },
    )
    return [HostFile(f"{prefix}.h", header), HostFile(f"{prefix}.c", source)]


def _store(write: RegisterWrite) -> Iterator[str]:
    function = f"Xe_Set{_IN_FUNCTIONS[write.stage]}ShaderConstantF"
    yield f"{function}(program->xe, {write.register}, (const float[4]){{{four_floats(write)}}}, 1);"


# --- Shaders ----------------------------------------------------------------------------------------------------------


def _code(program: HostProgram, stage: str) -> Iterator[str]:
    declaration = f"static unsigned char {program.prefix}_{stage}_code"
    first, *rest = bytes_array(declaration, program.stages[stage].binary)
    yield first.replace("] =", "] __attribute__((aligned(4))) =")
    yield from rest


def _members(program: HostProgram, samplers: Sequence[Sampler]) -> Iterator[str]:
    yield from (f"struct XenosShader *{stage};" for stage in program.stages)
    if samplers:
        yield f"struct XenosSurface *textures[{texture_count(samplers)}];"


_INIT_COMMENT = ("/* `format` is that of the vertex buffers; NULL for the one above. */",)


def _loading(program: HostProgram, stage: str) -> Iterator[str]:
    name, prefix = f"program->{stage}", program.prefix
    yield f"{name} = Xe_LoadShaderFromMemory(xe, {prefix}_{stage}_code);"
    yield f"Xe_InstantiateShader(xe, {name}, 0);"
    if stage == "vertex":
        yield f"Xe_ShaderApplyVFetchPatches(xe, {name}, 0, format ? format : &{prefix}_format);"


def _binding(program: HostProgram, samplers: Sequence[Sampler]) -> Iterator[str]:
    for stage in program.stages:
        yield f"Xe_SetShader(program->xe, {_TYPES[stage]}, program->{stage}, 0);"
    if samplers:
        yield f"for (int unit = 0; unit < {texture_count(samplers)}; unit++)"
        yield f"    {program.prefix}_put_texture(program, unit);"


# --- Vertices ---------------------------------------------------------------------------------------------------------


def _rows(vertex: Artifact) -> list[dict[str, Any]]:
    return list(cast("Iterable[dict[str, Any]]", vertex.map_keys["vertex_format"]))


def _check_elements(vertex: Artifact, sink: DiagnosticSink) -> None:
    need = len(_rows(vertex))
    if need > _ELEMENTS.most:
        _ELEMENTS.report(need, None, sink)
        sink.raise_if_errors()


def _vertex_types(prefix: str, vertex: Artifact) -> Iterator[str]:
    attributes = attributes_of(vertex)
    if attributes:
        yield "/* A vertex. libxenon knows no single floats: of two the first is read. */"
        yield from vertex_structure(f"{prefix}_vertex", attributes)
    yield "/* The format of such vertices, by usage and index. */"
    yield f"extern const struct XenosVBFFormat {prefix}_format;"
    yield ""


def _format(prefix: str, vertex: Artifact) -> Iterator[str]:
    rows = _rows(vertex)
    yield f"const struct XenosVBFFormat {prefix}_format = {{"
    yield f"    {len(rows)},"
    yield "    {"
    nothing: dict[str, Any] = {"usage": "POSITION", "index": 0, "fmt": 38}
    for row in rows or [nothing]:
        yield f"        {{XE_USAGE_{row['usage']}, {row['index']}, {_FORMATS[row['fmt']]}}},"
    yield "    },"
    yield "};"
    yield ""


# --- Textures ---------------------------------------------------------------------------------------------------------


def _heading(prefix: str, sampler: Sampler) -> str:
    element = "" if sampler.binding.length is None else "int element, "
    return f"void {prefix}_bind_{sampler.name}({prefix}_program *program, {element}struct XenosSurface *texture)"


def _texture_prototypes(prefix: str, samplers: Iterable[Sampler]) -> Iterator[str]:
    for sampler in samplers:
        yield f"/* {sampler.glsl}: unit {sampler.unit}{sampler.demands} */"
        yield f"{_heading(prefix, sampler)};"


def _texture_functions(prefix: str, samplers: Sequence[Sampler]) -> Iterator[str]:
    if not samplers:
        return
    yield f"static void {prefix}_put_texture({prefix}_program *program, int unit)"
    yield "{"
    yield "    if (!program->textures[unit])"
    yield "        return;"
    yield "    Xe_SetTexture(program->xe, unit, program->textures[unit]);"
    yield "    /* By itself it uploads the first three only. */"
    yield "    Xe_DirtyFetch(program->xe, 3 * unit, 3);"
    yield "}"
    yield ""
    for sampler in samplers:
        yield _heading(prefix, sampler)
        yield "{"
        unit = str(sampler.unit)
        if sampler.binding.length is not None:
            yield f"    if (element < 0 || element >= {sampler.count})"
            yield "        return;"
            unit = f"{sampler.unit} + element" if sampler.unit else "element"
        yield f"    program->textures[{unit}] = texture;"
        yield f"    {prefix}_put_texture(program, {unit});"
        yield "}"
        yield ""
