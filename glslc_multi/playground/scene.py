"""What a page needs to draw two shaders with WebGL as `glslc-multi render` draws them.

In: a vertex and a fragment shader.  Out: their texts with includes and macros in place, and where the values of
attributes, uniforms and samplers come from, as JSON has it.  Meshes and the chequered texture are files beside the
page, made by `pictures_data` when it is built: this module needs no numpy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_prepared, prepare
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.frontends.glsl.preprocess.extensions import INCLUDE_EXTENSIONS, NAMED_LINE_EXTENSIONS
from glslc_multi.playground.shader import Shader
from glslc_multi.runtime.preview_defaults import attribute_source, elements_of, uniforms_of

#: What tells of files that were included; WebGL does not know them.
_ABOUT_FILES = re.compile(
    rf"^#(?:line|extension (?:{'|'.join(sorted(INCLUDE_EXTENSIONS | NAMED_LINE_EXTENSIONS))})) .*\n", re.MULTILINE
)


def scene_data(vertex: Shader, fragment: Shader, size: int) -> dict[str, Any]:
    """All but the mesh; what is wrong with the shaders is raised."""
    sink = DiagnosticSink()
    texts: dict[str, str] = {}
    modules: list[Module] = []
    for shader in (vertex, fragment):
        prepared = prepare(shader.source, shader.front_end(sink), sink)
        modules.append(lower_prepared(prepared, sink))
        texts[shader.stage] = _ABOUT_FILES.sub("", shader.source.front_end.print_prepared(prepared))
    return {
        "texts": texts,
        "attributes": {v.name: attribute_source(v) for v in modules[0].variables.values() if v.storage == "attribute"},
        "uniforms": {name: _flat(value) for name, value in uniforms_of(modules, size, size).items()},
        "samplers": _samplers(modules),
    }


def _flat(value: float | Sequence[float] | Sequence[Sequence[float]]) -> list[float]:
    """A number, a vector, or the columns of a matrix that comes in rows."""
    if isinstance(value, (int, float)):
        return [float(value)]
    rows = [row if isinstance(row, Sequence) else [row] for row in value]
    return [float(number) for column in zip(*rows, strict=True) for number in column]


def _samplers(modules: Sequence[Module]) -> dict[str, str]:
    """Name -> the kind of its image."""
    variables = [v for module in modules for v in module.variables.values() if v.storage == "sampler"]
    return {
        name: kind for v in variables for name, kind in elements_of(v, SAMPLER_KINDS[v.type.kind].image_kind).items()
    }


def pictures_data() -> dict[str, Any]:
    """The meshes, and the chequered texture with its lowest row first; this needs numpy."""
    from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
    from glslc_multi.runtime.meshes import BUILT_IN
    from glslc_multi.runtime.preview_values import chequered

    image = chequered(SAMPLER_KINDS["sampler2D"])
    return {
        "meshes": {name: _mesh_data(make()) for name, make in BUILT_IN.items()},
        "texture": {"size": len(image), "texels": (image * 255).round().astype(int).reshape(-1, 3).tolist()},
    }


def _mesh_data(mesh: Any) -> dict[str, Any]:
    parts = {name: getattr(mesh, name).round(6) for name in ("position", "normal", "uv")}
    colour = (parts["position"] * 0.5 + 0.5).round(6)
    return {
        **{name: values.ravel().tolist() for name, values in {**parts, "colour": colour}.items()},
        "triangles": mesh.triangles.ravel().tolist(),
    }
