"""The form `citro3d`: a header, a source and rules of make, from a compiled program.

In: a vertex shader, alone or linked with a geometry or a fragment shader, or a fragment shader alone.  Out: three
files, made of the templates beside this one.

A program that is bound has all its uniforms in registers; a setter writes to these at once.  What the fragment stage
needs is computed of uniforms by the preamble, in `PREFIX_update`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from glslc_multi.backends.pica200.host.fragment import FragmentStage, fragment_stage, unit_macros
from glslc_multi.backends.pica200.host.registers import RegisterStores
from glslc_multi.backends.pica200.host.vertices import Vertex, vertex_of
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.host_code.c_uniforms import CMachine, CUniforms, c_uniforms
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_files import HostFile, HostProgram
from glslc_multi.compiler.records import dataclass

_TEMPLATES = Path(__file__).parent
_SUFFIXES = {"vertex": "vert", "geometry": "geom", "fragment": "frag"}
_WORDS_IN_A_LINE = 8


def citro3d_files(program: HostProgram, sink: DiagnosticSink) -> Sequence[HostFile]:
    """All files of a program."""
    if "geometry" in program.stages and "vertex" not in program.stages:
        help, cannot = "link it with its vertex shader", "load a geometry shader alone"
        sink.report(usage.HOST_FORM_CANNOT, help=help, form="citro3d", cannot=cannot)
        sink.raise_if_errors()
    stores = RegisterStores(program.prefix, program.stages)
    machine = CMachine(stores.store, stores_computed=lambda stage, _: stage != "fragment")
    uniforms = c_uniforms(program, machine)
    vertex = vertex_of(program.stages["vertex"], program.prefix, sink) if "vertex" in program.stages else None
    fragment = None
    if "fragment" in program.stages:
        computed = {name: array for (stage, name), array in uniforms.computed.items() if stage == "fragment"}
        fragment = fragment_stage(program.stages["fragment"], program.prefix, computed)
    parts = _Parts(program, uniforms, stores, vertex, fragment)
    return [
        HostFile(f"{program.prefix}.h", _header(parts)),
        HostFile(f"{program.prefix}.c", _source(parts)),
        HostFile(f"{program.prefix}.mk", _rules(program)),
    ]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the templates are filled from."""

    program: HostProgram
    uniforms: CUniforms
    stores: RegisterStores
    vertex: Vertex | None
    fragment: FragmentStage | None

    @property
    def prefix(self) -> str:
        return self.program.prefix

    @property
    def has_code(self) -> bool:
        """Whether there is more than the fragment stage."""
        return "vertex" in self.program.stages


# --- Files ------------------------------------------------------------------------------------------------------------


def _header(found: _Parts) -> str:
    program, prefix = found.program, found.prefix
    vertices: list[str] = []
    types = list(found.uniforms.types)
    if found.vertex is not None:
        types += ["", *found.vertex.structure]
        vertices = [
            "/* What is drawn from: an array in linear memory; whether it is that. */",
            f"bool {prefix}_bind_vertices(const {prefix}_vertex *vertices);",
        ]
    fragment = program.stages.get("fragment")
    return fill(
        _TEMPLATES / "citro3d.h",
        {
            "PREFIX": prefix,
            "STAGES": " and ".join(f"{stage} shader" for stage in program.stages),
            "GUARD": f"{prefix.upper()}_H",
            "UNITS": [] if fragment is None else list(unit_macros(fragment, prefix)),
            "TYPES": types,
            "STATE": [*(_CODE_STATE if found.has_code else ()), *found.uniforms.state],
            "VERTICES": vertices,
            "PROTOTYPES": [line for text in found.uniforms.prototypes for line in text.splitlines()],
        },
    )


#: Members of a program that has code.
_CODE_STATE = ("DVLB_s *file;", "shaderProgram_s shader;")


def _source(found: _Parts) -> str:
    program, prefix = found.program, found.prefix
    return fill(
        _TEMPLATES / "citro3d.c",
        {
            "PREFIX": prefix,
            "CODE": [*_code(program, prefix), ""] if found.has_code else [],
            "TABLES": [*found.stores.tables(), *(() if found.fragment is None else found.fragment.tables)],
            "FUNCTIONS": found.uniforms.functions,
            "LOADING": list(_loading(program)) if found.has_code else [],
            "FREEING": list(_FREEING) if found.has_code else [],
            "BINDING": list(_binding(found)),
            "UPDATING": list(_updating(found)),
            "BUFFERS": [] if found.vertex is None else list(_buffers(found.vertex, prefix)),
        },
    )


def _code(program: HostProgram, prefix: str) -> Iterator[str]:
    """The file that libctru reads, which has words of 32 bits."""
    data = program.binary or program.stages["vertex"].binary
    words = struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
    yield f"static u32 {prefix}_code[{len(words)}] = {{"
    for start in range(0, len(words), _WORDS_IN_A_LINE):
        yield "    " + " ".join(f"0x{word:08x}," for word in words[start : start + _WORDS_IN_A_LINE])
    yield "};"


_FREEING = (
    "shaderProgramFree(&program->shader);",
    "if (program->file)",
    "    DVLB_Free(program->file);",
)


def _loading(program: HostProgram) -> Iterator[str]:
    prefix = program.prefix
    yield f"program->file = DVLB_ParseFile({prefix}_code, sizeof {prefix}_code);"
    yield "if (!program->file || shaderProgramInit(&program->shader) < 0"
    last = "    || shaderProgramSetVsh(&program->shader, &program->file->DVLE[0]) < 0"
    if "geometry" in program.stages:
        yield last
        stride = (program.stages["geometry"].reflection.host_state or {})["geometry_stride"]
        last = f"    || shaderProgramSetGsh(&program->shader, &program->file->DVLE[1], {stride}) < 0"
    yield f"{last}) {{"
    yield f"    {prefix}_free(program);"
    yield "    return false;"
    yield "}"


def _binding(found: _Parts) -> Iterator[str]:
    if found.has_code:
        yield "C3D_BindProgram(&program->shader);"
        yield "C3D_AttrInfo *info = C3D_GetAttrInfo();"
        yield "AttrInfo_Init(info);"
        yield from () if found.vertex is None else found.vertex.loaders
    yield from () if found.fragment is None else found.fragment.binding


def _updating(found: _Parts) -> Iterator[str]:
    setting = () if found.fragment is None else found.fragment.setting
    if not setting:
        yield f"{found.prefix}_compute(program);"
        return
    yield f"if (!{found.prefix}_compute(program))"
    yield "    return;"
    yield from setting


def _buffers(vertex: Vertex, prefix: str) -> Iterator[str]:
    yield ""
    yield f"bool {prefix}_bind_vertices(const {prefix}_vertex *vertices)"
    yield "{"
    yield "    C3D_BufInfo *info = C3D_GetBufInfo();"
    yield "    BufInfo_Init(info);"
    yield f"    return BufInfo_Add(info, vertices, sizeof *vertices, {vertex.buffer}) >= 0;"
    yield "}"


def _rules(program: HostProgram) -> str:
    name = program.prefix.upper()
    shaders = (f"$({name}_FOLDER){program.prefix}.{_SUFFIXES[stage]}" for stage in program.stages)
    return fill(
        _TEMPLATES / "citro3d.mk",
        {
            "PREFIX": program.prefix,
            "NAME": name,
            "SHADERS": " ".join(shaders),
            "COMMAND": "link" if len(program.stages) > 1 else "",
        },
    )
