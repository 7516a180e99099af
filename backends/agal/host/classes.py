"""A class that draws with a program: its template, and the lines that are a program's own.

In: a program, a language, and whether its code is bytes or text.  Out: one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from glslc_multi.backends.agal.host.facts import (
    CONSTANT_FILES,
    INPUT_SPACES,
    Span,
    Stage,
    Stream,
    stage_facts,
    vertex_streams,
    widths_of,
)
from glslc_multi.backends.agal.host.languages import Language
from glslc_multi.backends.agal.host.preambles import preamble_fields, preamble_methods
from glslc_multi.backends.agal.host.setters import texture_setter, uniform_setter
from glslc_multi.backends.agal.host.texts import byte_code, text_code
from glslc_multi.backends.agal.isa.consumers import CONSUMERS
from glslc_multi.backends.agal.isa.sampler_options import IGNORE_SAMPLER
from glslc_multi.backends.agal.isa.window import WINDOW
from glslc_multi.compiler.host_code.c_names import member_name
from glslc_multi.compiler.host_code.places import runs_of
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.uniforms import HostUniform, computed_of, host_uniforms
from glslc_multi.compiler.host_files import HostFile, HostProgram
from glslc_multi.compiler.records import dataclass

TEMPLATES = Path(__file__).parent
#: Version of the byte code -> the least profile that has it.
PROFILES = {1: "BASELINE", 2: "STANDARD", 3: "STANDARD_EXTENDED"}
#: Classes that the templates name.
_USED = frozenset(
    """
    AGALMiniAssembler Array Bool Boolean ByteArray Effect Endian FilterEffect Float FragmentFilter Int Math MeshEffect
    MeshStyle Number Program Program3D RenderState RenderUtil Std String TextureBase UInt Vector VertexBuffer3D Void
    """.split()
)
#: Field of a sampler -> who spells it, by its value.
_STATES = {
    "wrap": ("Context3DWrapMode", ("CLAMP", "REPEAT", "CLAMP_U_REPEAT_V", "REPEAT_U_CLAMP_V")),
    "filter": (
        "Context3DTextureFilter",
        ("NEAREST", "LINEAR", "ANISOTROPIC2X", "ANISOTROPIC4X", "ANISOTROPIC8X", "ANISOTROPIC16X"),
    ),
    "mip": ("Context3DMipFilter", ("MIPNONE", "MIPNEAREST", "MIPLINEAR")),
}


@dataclass(frozen=True, slots=True)
class Parts:
    """What all forms say of a program."""

    name: str
    stages: Mapping[str, Stage]
    uniforms: tuple[HostUniform, ...]
    language: Language
    is_text: bool

    @property
    def is_pair(self) -> bool:
        return len(self.stages) == len(CONSTANT_FILES)

    @property
    def version(self) -> int:
        return next(iter(self.stages.values())).program.version

    @property
    def streams(self) -> tuple[Stream, ...]:
        return vertex_streams(self.stages["vertex"].reflection)[0] if "vertex" in self.stages else ()


def parts_of(program: HostProgram, language: Language, *, is_text: bool) -> Parts:
    uniforms = host_uniforms(program.stages, INPUT_SPACES)
    stages = {name: stage_facts(name, artifact, uniforms) for name, artifact in program.stages.items()}
    return Parts(class_name(program.prefix), stages, uniforms, language, is_text)


def class_name(prefix: str) -> str:
    """`lit_ball` becomes `LitBall`; a name that the class uses itself gets a suffix."""
    name = "".join(part[:1].upper() + part[1:] for part in prefix.split("_"))
    is_used = name.startswith("Context3D") or name in _USED
    return f"{name}Shader" if is_used or not name[:1].isalpha() else name


def class_file(parts: Parts) -> HostFile:
    """The class that draws by itself."""
    missing = [name for name in CONSTANT_FILES if name not in parts.stages]
    codes = {name: f"{name}Code" if name in missing else f"{name}Code()" for name in CONSTANT_FILES}
    values = shared_values(parts) | {
        "OTHER": ", ".join(f"{name}Code:ByteArray" for name in missing),
        "VERTEX": codes["vertex"],
        "FRAGMENT": codes["fragment"],
        "BIND": bind_lines(parts),
        "RELEASE": [*released_streams(parts), *released_textures(parts)],
        "METHODS": [*_bind_vertices(parts), *setter_lines(parts)],
    }
    return HostFile(f"{parts.name}.{parts.language.suffix}", fill(TEMPLATES / f"class.{parts.language.suffix}", values))


def shared_values(parts: Parts, but: Iterable[str] = ()) -> dict[str, str | Sequence[str]]:
    """What every template has; textures named in `but` are the form's own."""
    kinds = " and ".join(f"{name} shader" for name in parts.stages)
    return {
        "ABOUT": f"{parts.name}: {kinds} for Stage3D, AGAL version {parts.version}.",
        "READERS": [*reader_lines(parts), *window_lines(parts)],
        "IMPORTS": _assembler(parts.language) if parts.is_text else [],
        "CLASS": parts.name,
        "PROFILE": PROFILES[parts.version],
        "CONSTANTS": list(_constants(parts)),
        "FIELDS": list(_fields(parts, frozenset(but))),
        "CODE": [
            *(text_code(parts.stages, parts.language) if parts.is_text else byte_code(parts.stages, parts.language)),
            *preamble_methods(parts.stages, parts.language),
        ],
    }


def reader_lines(parts: Parts) -> Iterator[str]:
    """Who takes the code, and why others do not (`--agal-compat`)."""
    refusals = {}
    for consumer in CONSUMERS:
        for stage in parts.stages.values():
            objections = consumer.objections(stage.program, widths_of(stage.reflection))
            if objections:
                refusals[consumer.name] = f"// Not for {consumer.name}: {stage.name} code: {objections[0].reason}."
    yield f"// For {', '.join(c.name for c in CONSUMERS if c.name not in refusals)}."
    yield from refusals.values()


def window_lines(parts: Parts) -> Iterator[str]:
    """Say what a vertex program must give a fragment stage alone that reads gl_FragCoord."""
    for stage in parts.stages.values() if not parts.is_pair else ():
        for binding in stage.reflection.varyings:
            if binding.name == WINDOW:
                register = binding.locations[0].index
                yield f"// v{register} must be x and y of the window, each times w; w; z of the position."


def bind_lines(parts: Parts, but: int | None = None) -> list[str]:
    """The constants, textures and states of samplers (but one of them), on a device that has the program."""
    stages = parts.stages.values()
    computing = [f"{stage.name}Preamble();" for stage in stages if stage.artifact.preamble is not None]
    return [
        *(["if (isStale) {", *(f"    {line}" for line in computing), "    isStale = false;", "}"] if computing else []),
        *(line for stage in stages for line in map(_uploaded, stage.spans)),
        *(f"context.setTextureAt({number}, fs{number});" for number in _samplers(parts) if number != but),
        *(
            f"context.setSamplerStateAt({n}, fs{n}Wrap, fs{n}Filter, fs{n}Mip);"
            for stage in stages
            for n in _open_samplers(stage)
            if n != but
        ),
    ]


def released_streams(parts: Parts) -> list[str]:
    return [f"context.setVertexBufferAt({stream.register}, null);" for stream in parts.streams]


def released_textures(parts: Parts) -> list[str]:
    return [f"context.setTextureAt({number}, null);" for number in _samplers(parts)]


def setter_lines(parts: Parts, but: Iterable[str] = ()) -> list[str]:
    """A method for each uniform, texture and open sampler; `but` are names that the form sets by itself."""
    language, stages, left_out = parts.language, list(parts.stages.values()), frozenset(but)
    lines: list[str] = []
    for uniform in parts.uniforms:
        if uniform.name not in left_out:
            lines += uniform_setter(uniform, stages, language)
    for stage in stages:
        for texture in stage.textures:
            if texture.name not in left_out:
                lines += texture_setter(texture, language)
                lines += _state_setter(stage, texture.name, language)
    return lines


def _assembler(language: Language) -> list[str]:
    package = {"as": "com.adobe.utils", "hx": "openfl.utils"}[language.suffix]
    return [f"import {package}.AGALMiniAssembler;"]


def _uploaded(span: Span) -> str:
    kind = next(name for name, space in CONSTANT_FILES.items() if space == span.space).upper()
    return (
        f"context.setProgramConstantsFromVector(Context3DProgramType.{kind}, {span.first}, {span.name}, {span.count});"
    )


def _samplers(parts: Parts) -> list[int]:
    return sorted(number for stage in parts.stages.values() for number in stage.samplers)


def _open_samplers(stage: Stage) -> list[int]:
    """Samplers whose state is the host's: no one named it, or the code ignores what it says itself."""
    ignored = {number for number, sampler in stage.samplers.items() if sampler.special & IGNORE_SAMPLER}
    return sorted(stage.samplers.keys() & (stage.host_samplers | ignored))


def _constants(parts: Parts) -> Iterator[str]:
    """Where things are, for those who do a part by themselves."""
    language = parts.language
    if parts.streams:
        stride = vertex_streams(parts.stages["vertex"].reflection)[1]
        yield "/** Numbers of a vertex in a buffer that bindVertices takes, and where each attribute begins in them. */"
        yield language.constant_of("STRIDE", "int", stride)
        begun: set[str] = set()
        for stream in parts.streams:
            if stream.attribute not in begun:
                begun.add(stream.attribute)
                yield language.constant_of(f"{member_name(stream.attribute)}_offset", "int", stream.offset)
    if any(uniform.places for uniform in parts.uniforms):
        yield "/** First registers of uniforms, and whether setProgramConstantsFromMatrix transposes. */"
    for uniform in parts.uniforms:
        for stage, binding in uniform.places.items():
            name = f"{_constant_stem(uniform.name)}_{CONSTANT_FILES[stage]}"
            yield language.constant_of(name, "int", min(location.index for location in binding.locations))
            if uniform.type.startswith("mat"):
                is_transposed = all(run.transform == "transpose" for run in runs_of(binding))
                yield language.constant_of(f"{name}_transposed", "bool", is_transposed)


def _constant_stem(name: str) -> str:
    """`$viewport` is the compiler's own: no name of GLSL begins with two underscores."""
    return f"__{member_name(name)}" if name.startswith("$") else member_name(name)


def _fields(parts: Parts, but: frozenset[str]) -> Iterator[str]:
    """The lists of constants with what they begin with, textures, states of samplers."""
    language = parts.language
    for stage in parts.stages.values():
        for span in stage.spans:
            rows = [", ".join(map(language.number, span.numbers[at : at + 4])) for at in range(0, 4 * span.count, 4)]
            remarks = [f"{span.space}{span.first + number} {held}".rstrip() for number, held in enumerate(span.holds)]
            yield from language.list_of(span.name, rows, remarks)
        others = {register for texture in stage.textures if texture.name in but for _, register in texture.registers}
        for number in sorted(stage.samplers.keys() - others):
            yield f"{language.variable}fs{number}:TextureBase;"
        for number in (n for n in _open_samplers(stage) if n not in others):
            for field, (type, words) in _STATES.items():
                value = f"{type}.{words[getattr(stage.samplers[number], field)]}"
                declared = "String" if language.suffix == "as" else type
                yield f"{language.variable}fs{number}{field.title()}:{declared} = {value};"
    yield from preamble_fields(parts.uniforms, {n: computed_of(s.artifact) for n, s in parts.stages.items()}, language)


def _bind_vertices(parts: Parts) -> list[str]:
    if not parts.streams:
        return []
    formats = "Context3DVertexBufferFormat.FLOAT_"
    body = [
        f"context.setVertexBufferAt({s.register}, buffer, {s.offset}, {formats}{s.components});" for s in parts.streams
    ]
    about = "Read vertices from a buffer of STRIDE numbers each, in the order of the attributes."
    return parts.language.method_of("bindVertices", [("buffer", "vertices")], body, about)


def _state_setter(stage: Stage, name: str, language: Language) -> list[str]:
    """How a texture is read, where the shader leaves it open."""
    texture = next(found for found in stage.textures if found.name == name)
    mine = [register for _, register in texture.registers if register in _open_samplers(stage)]
    if not mine:
        return []
    set_by_host = {n: [field for field in _STATES if field != "mip" or n not in stage.base_level] for n in mine}
    body = [f"fs{n}{field.title()} = {field};" for n, fields in set_by_host.items() for field in fields]
    about = f"How {name} is read; the shader leaves it open."
    return language.method_of(
        f"sample_{member_name(name)}", [(field, field) for field in max(set_by_host.values(), key=len)], body, about
    )
