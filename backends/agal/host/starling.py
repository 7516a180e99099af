"""Effects of Starling 2: a class that draws what Starling gives it, and a filter or a style that uses the effect.

In: a linked pair.  Out: two files, or a diagnostic where Starling has nothing for an attribute.

Starling's own streams are matched by the names of attributes, its matrix and its alpha by those of uniforms; the
sampler declared first reads the texture that Starling draws.  Other uniforms and textures have methods of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from glslc_multi.backends.agal.host.classes import (
    TEMPLATES,
    Parts,
    bind_lines,
    parts_of,
    released_streams,
    released_textures,
    setter_lines,
    shared_values,
)
from glslc_multi.backends.agal.host.facts import Stream, Texture
from glslc_multi.backends.agal.host.languages import AS3
from glslc_multi.backends.agal.host.setters import of_list, of_texts, setter_body
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.usage import HOST_FORM_CANNOT
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.uniforms import HostUniform
from glslc_multi.compiler.host_files import HostFile, HostProgram
from glslc_multi.compiler.records import dataclass

#: Name in Starling's vertex format -> names of attributes in lower case, without a prefix.
_ATTRIBUTES = {
    "position": ("position", "pos", "vertex"),
    "texCoords": ("texcoords", "texcoord", "uv", "textureuv", "texturecoordinate"),
    "color": ("color", "colour"),
}
_MATRICES = ("mvpmatrix", "mvp", "modelviewprojection", "modelviewprojectionmatrix", "matrix", "projection")
_ALPHAS = ("alpha",)
_PREFIX = re.compile(r"^(?:[aiu]_|in_|[au](?=[A-Z]))")


@dataclass(frozen=True, slots=True)
class Effect:
    """A class of Starling that effects extend."""

    base: str
    #: The vertex format's names, by the register that the base class binds them to.
    streams: tuple[str, ...]
    #: The template of the class that uses it, and what its name ends with.
    user: tuple[str, str]
    has_alpha: bool


EFFECTS = {
    "starling-filter": Effect("FilterEffect", ("position", "texCoords"), ("filter.as", "Filter"), has_alpha=False),
    "starling-mesh": Effect("MeshEffect", ("position", "texCoords", "color"), ("style.as", "Style"), has_alpha=True),
}


def starling_files(program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
    effect = EFFECTS[form]
    parts = parts_of(program, AS3, is_text=False)
    if not parts.is_pair:
        sink.report(HOST_FORM_CANNOT, help="use `glslc-multi link`", form=form, cannot="draw with one stage")
        sink.raise_if_errors()
    streams = [(stream, _stream_name(stream, parts, effect, form, sink)) for stream in parts.streams]
    sink.raise_if_errors()
    texture, matrix, alpha = _first_texture(parts), _uniform(parts, "mat4", _MATRICES), _alpha(parts, effect)
    given = [found.name for found in (texture, matrix, alpha) if found is not None]
    drawn = texture.registers[0][1] if texture else None
    values = shared_values(parts, but=given) | {
        "BASE": effect.base,
        "BIND": AS3.body_of(
            [
                *_bound_streams(streams, effect),
                *_matrix_lines(matrix, parts),
                *_alpha_lines(alpha, parts),
                *bind_lines(parts, but=drawn),
                *_drawn_texture(drawn),
            ]
        ),
        "RELEASE": [*released_streams(parts), *released_textures(parts)],
        "METHODS": setter_lines(parts, but=given),
    }
    template, suffix = effect.user
    return [
        HostFile(f"{parts.name}.as", fill(TEMPLATES / "effect.as", values)),
        HostFile(f"{parts.name}{suffix}.as", fill(TEMPLATES / template, {"CLASS": parts.name})),
    ]


def _stream_name(stream: Stream, parts: Parts, effect: Effect, form: str, sink: DiagnosticSink) -> str:
    """What Starling calls the numbers of an attribute."""
    plain = _plain(stream.attribute)
    found = next((name for name in effect.streams if plain in _ATTRIBUTES[name]), "")
    count = sum(other.attribute == stream.attribute for other in parts.streams)
    if not found or count > 1:
        spelled = ", ".join(names[0] for names in map(_ATTRIBUTES.__getitem__, effect.streams))
        help = f"{effect.base} has {spelled}, each with or without a_ before it"
        sink.report(HOST_FORM_CANNOT, help=help, form=form, cannot=f"fill the attribute '{stream.attribute}'")
    return found


def _plain(name: str) -> str:
    """`a_texCoords`, `aTexCoords` and `texCoords` are `texcoords`."""
    return _PREFIX.sub("", name, count=1).replace("_", "").lower()


def _uniform(parts: Parts, type: str, names: Sequence[str]) -> HostUniform | None:
    """The uniform of a type with the first of the names."""
    uniforms = {
        _plain(uniform.name): uniform for uniform in parts.uniforms if uniform.type == type and not uniform.length
    }
    return next((uniforms[name] for name in names if name in uniforms), None)


def _alpha(parts: Parts, effect: Effect) -> HostUniform | None:
    return _uniform(parts, "float", _ALPHAS) if effect.has_alpha else None


def _first_texture(parts: Parts) -> Texture | None:
    """The texture that Starling draws: of the samplers that are no array, the one declared first."""
    textures = parts.stages["fragment"].textures
    return next((texture for texture in textures if texture.length is None and texture.registers), None)


def _bound_streams(streams: Sequence[tuple[Stream, str]], effect: Effect) -> Iterator[str]:
    """Other registers than those of Starling's own programs."""
    read = {stream.register for stream, _ in streams}
    yield from (f"context.setVertexBufferAt({n}, null);" for n in range(len(effect.streams)) if n not in read)
    for stream, name in streams:
        yield f'vertexFormat.setVertexBufferAt({stream.register}, vertexBuffer, "{name}");'


def _matrix_lines(matrix: HostUniform | None, parts: Parts) -> list[str]:
    if matrix is None:
        return []
    body = setter_body(matrix, parts.stages.values(), of_list("matrix"), AS3)
    return ["const matrix:Vector.<Number> = mvpMatrix3D.rawData;", *body]


def _alpha_lines(alpha: HostUniform | None, parts: Parts) -> list[str]:
    return [] if alpha is None else setter_body(alpha, parts.stages.values(), of_texts(["alpha"]), AS3)


def _drawn_texture(register: int | None) -> list[str]:
    """The base class has bound the texture as sampler 0."""
    unbound = ["context.setTextureAt(0, null);"] if register != 0 else []
    if register is None:
        return unbound
    state = f"RenderUtil.setSamplerStateAt({register}, texture.mipMapping, textureSmoothing, textureRepeat);"
    return [
        *unbound,
        "if (texture != null) {",
        f"    {state}",
        f"    context.setTextureAt({register}, texture.base);",
        "}",
    ]
