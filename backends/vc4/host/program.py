"""A program in C, for either way to the chip: its header and source, and the headers that all programs share.

In: compiled stages.  Out: files.  The kernel's driver takes all three stages; without it, a fragment stage alone can
draw vertices that the host has shaded (NV shader state), too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from glslc_multi.backends.vc4.host.c_tables import (
    attribute_row,
    constant_rows,
    stage_rows,
    stage_tables,
    vertex_structure,
)
from glslc_multi.backends.vc4.host.layout import HostShader, host_shader
from glslc_multi.backends.vc4.host.shaded import ShadedVertex, shaded_vertex
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.host_code.c_uniforms import CMachine, CUniforms, RegisterWrite, c_uniforms
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.textures import demands_of
from glslc_multi.compiler.host_files import HostFile, HostProgram
from glslc_multi.compiler.records import dataclass

FOLDER = Path(__file__).parent
#: Form -> the header that has its jobs.
JOBS = {"drm": "vc4_job_drm.h", "bare": "vc4_job_bare.h"}
_SHARED = ("vc4_lists.h", "vc4_draw.h")
#: How a number becomes a word, by its type in C; a bool is all ones.
_WORDS = {"float": "vc4_bits", "int": "(uint32_t)-"}
_DRAWS = {
    "draw": "Append a draw call to a job: VC4_DRAWN, or what is missing.",
    "draw_shaded": "The same with vertices that the host has shaded, by the fragment program alone.",
}


def program_files(program: HostProgram, form: str) -> list[HostFile]:
    """The files of a form."""
    writer = _Writer(program, form, host_shader(program.stages), shaded_vertex(program.stages["fragment"]))
    shared = [HostFile(name, (FOLDER / name).read_text(encoding="utf-8")) for name in (*_SHARED, JOBS[form])]
    return [*writer.files(), *shared]


@dataclass(frozen=True, slots=True)
class _Writer:
    program: HostProgram
    form: str
    shader: HostShader
    shaded: ShadedVertex

    @property
    def _prefix(self) -> str:
        return self.program.prefix

    def files(self) -> Iterator[HostFile]:
        uniforms = c_uniforms(self.program, CMachine(self._store))
        title = f"{', '.join(self.program.stages)} shader{'s' if len(self.program.stages) > 1 else ''}"
        common: dict[str, str | Sequence[str]] = {"PREFIX": self._prefix, "TITLE": title.capitalize()}
        header = fill(FOLDER / "program.h.in", {**common, **self._header(uniforms)})
        source = fill(FOLDER / "program.c.in", {**common, **self._source(uniforms)})
        yield HostFile(f"{self._prefix}.h", header)
        yield HostFile(f"{self._prefix}.c", source)

    def _store(self, write: RegisterWrite) -> Iterator[str]:
        stage = self.shader.stages[write.stage]
        first = stage.arrays if write.space == "buffer" else stage.stream
        for number in write.numbers.values():
            word = f"{_WORDS.get(number.type, '(uint32_t)')}({number.text})"
            yield f"program->words[{first} + {write.register}] = {word};"

    def _header(self, uniforms: CUniforms) -> Mapping[str, str | list[str]]:
        draws = [f"/* {_DRAWS[name]} */\n{self._signature(name)};" for name in self._draws]
        vertices = [*vertex_structure(self._prefix, self.shader.attributes.members)]
        if "draw_shaded" in self._draws:
            vertices += self.shaded.structure(self._prefix)
        return {
            "GUARD": self._prefix.upper(),
            "JOB": JOBS[self.form],
            "TYPES": list(uniforms.types),
            "VERTICES": vertices,
            "STATE": list(uniforms.state),
            "TEXTURES": str(max(self.shader.textures, 1)),
            "WORDS": str(max(self.shader.word_count, 1)),
            "PROTOTYPES": _lines(uniforms.prototypes),
            "SAMPLERS": _lines(f"{remark}\n{head};" for remark, head, _ in self._samplers(uniforms)),
            "DRAWS": _lines(draws),
        }

    def _source(self, uniforms: CUniforms) -> Mapping[str, str | list[str]]:
        stages, attributes = self.shader.stages, self.shader.attributes
        fragment = self.program.stages["fragment"]
        state = dict(fragment.reflection.host_state or {})
        sized = "vertex" in stages and (self.program.stages["vertex"].reflection.host_state or {})["point_size"]
        needs_math = any(artifact.preamble is not None for artifact in self.program.stages.values())
        functions = "\n".join(uniforms.functions)
        return {
            "INCLUDES": ["#include <math.h>"] if needs_math or "INFINITY" in functions else [],
            "TABLES": [line for name, stage in stages.items() for line in stage_tables(name, stage)],
            "STAGES": list(stage_rows(self.shader)),
            "ATTRIBUTES": [attribute_row(array) for array in attributes.arrays],
            "ATTRIBUTE_COUNT": str(len(attributes.arrays)),
            "VERTEX_BYTES": str(attributes.vertex_bytes),
            "VARYINGS": str(varyings_read(fragment)),
            "THREADS": str(state["threads"]),
            "POINT_SIZE": str(int(bool(sized))),
            "DEPTH": str(int(bool(state["depth"]))),
            "FLAT": f"0x{int(state.get('flat_varyings', 0)):x}",
            "SHADED_BYTES": str(self.shaded.bytes),
            "SHADED_SIZE": str(int(self.shaded.has_size)),
            "CONSTANTS": list(constant_rows(self.shader)),
            "FUNCTIONS": functions.splitlines(),
            "SAMPLERS": [line for _, _, body in self._samplers(uniforms) for line in (*body, "")],
            "DRAWS": "\n".join(fill(FOLDER / "draw.c.in", self._draw(name)) for name in self._draws).splitlines(),
        }

    @property
    def _draws(self) -> list[str]:
        with_vertices = ["draw"] if "vertex" in self.shader.stages else []
        return with_vertices + (["draw_shaded"] if self.form == "bare" else [])

    def _draw(self, name: str) -> dict[str, str]:
        return {"PREFIX": self._prefix, "NAME": name}

    def _signature(self, name: str) -> str:
        return fill(FOLDER / "draw.c.in", self._draw(name)).splitlines()[0]

    def _samplers(self, uniforms: CUniforms) -> Iterator[tuple[str, str, list[str]]]:
        """Of the setter of each sampler: a comment, what it is declared as, and all of it."""
        names = CNames()
        for member in uniforms.members.values():
            names.new(member)
        for name, (first, length) in self.shader.samplers.items():
            values = {
                "PREFIX": self._prefix,
                "MEMBER": names.new(member_name(name)),
                "FIRST": str(first),
                "LENGTH": str(length or 1),
            }
            lines = fill(FOLDER / "sampler.c.in", values).splitlines()
            demands = demands_of(self.program.stages, name)
            remark = f"/* sampler {name}{'' if length is None else f'[{length}]'}{demands} */"
            yield remark, lines[0], lines


def varyings_read(fragment: Artifact) -> int:
    """How many numbers the fragment program takes from the vertices, without those that the hardware makes."""
    return (fragment.reflection.limits or {})["varyings"][0]


def _lines(texts: Iterator[str] | list[str] | tuple[str, ...]) -> list[str]:
    """Declarations with an empty line after each."""
    return [line for text in texts for line in (*text.splitlines(), "")]
