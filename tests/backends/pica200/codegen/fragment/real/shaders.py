"""Real fragment shaders for the combiners: which there are, what their hosts promise, and what becomes of each.

In: the corpus of real shaders, with the examples of this project.  Out: for each its stages and bound, or why it does
not fit.  A shader is linked with its vertex shader where it has one and that has code for the machine; where it does
not fit by itself, generated images are allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import dataclass
from glslc_multi.runtime.shader import CompiledShader
from tests.shared_data import PROJECT_ROOT, shared_root

#: What hosts promise, by the name of the file.
PROMISES: Mapping[str, str] = {
    "three.js__linedashed.frag": "opacity=0.1..1,vLineDistance=0..10",
    "three.js__meshbasic_map_fog.frag": "fogDepth=0..100,fogNear=0..50,fogFar=50.5..100",
    "three.js__meshbasic_vertexcolors.frag": "fogDepth=0..100,fogDensity=0..0.03",
    "09_phong.frag": "u_shininess=1..30",
}
#: The fewest stages that a hand found, from design/pica200-fragment.md, section 6.
BY_HAND: Mapping[str, int] = {
    "01_flat.frag": 1,
    "02_vertex_color.frag": 1,
    "03_textured.frag": 1,
    "04_lambert.frag": 1,
    "05_fog.frag": 2,
    "06_alpha_test.frag": 1,
    "07_lights.frag": 1,
    "08_skinning.frag": 1,
    "09_phong.frag": 2,
    "12_toon.frag": 1,
    "fade.frag": 1,
    "mapbox-gl-js__fillextrusion.frag": 1,
    "phaser__addblend.frag": 1,
    "phaser__bitmapmask.frag": 1,
    "raylib__base.frag": 1,
    "raylib__color_mix.frag": 1,
    "raylib__gbuffer.frag": 1,
    "raylib__grayscale.frag": 4,
    "raylib__outline_hull.frag": 1,
    "three.js__ex_copyshader.frag": 1,
    "three.js__linedashed.frag": 1,
    "three.js__meshbasic_envmap.frag": 3,
    "three.js__meshbasic_map_fog.frag": 1,
    "three.js__meshbasic_vertexcolors.frag": 1,
    "three.js__meshdepth.frag": 1,
    "three.js__meshlambert_lights.frag": 4,
    "three.js__meshlambert_skinned.frag": 2,
    "three.js__meshmatcap.frag": 1,
    "three.js__meshnormal.frag": 1,
    "three.js__sprite.frag": 1,
    "vignette.frag": 2,
}
#: Why a shader does not fit, by the code of the error.
_REASONS: Mapping[str, str] = {
    "E0702": "an operation that the machine does not have",
    "E0720": "more than six stages",
    "E0721": "more than three images or places",
    "E0722": "a computed texture coordinate",
    "E0724": "the place of a pixel",
    "E0725": "a number below 0 or above 1",
    "E0726": "more than four interpolated numbers",
    "E0727": "an error beyond 32 steps",
}
_CONSTRUCT = re.compile(r"cannot compute (.*) for each pixel\Z")


@dataclass(frozen=True, slots=True)
class RealShader:
    """A fragment shader, and the vertex shader that goes with it."""

    fragment: Path
    vertex: Path | None

    @property
    def name(self) -> str:
        return self.fragment.name


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a shader: stages, bound and what else of the machine it uses; or why it does not fit."""

    shader: RealShader
    stages: int = 0
    bound: float = 0.0
    uses: str = ""
    reason: str = ""


def real_shaders() -> Iterator[RealShader]:
    """Those of the corpus, then the examples."""
    folder = shared_root() / "corpus" / "real"
    if folder.exists():
        records: list[dict[str, Any]] = next(
            part for part in json.loads((folder / "manifest.json").read_text()).values() if isinstance(part, list)
        )
        for record in sorted(records, key=lambda record: str(record["file"])):
            if record["stage"] == "fragment":
                partner = record.get("partner")
                yield RealShader(folder / record["file"], folder / partner if partner else None)
    examples = PROJECT_ROOT / "examples"
    for path in (*sorted(examples.glob("shaders/*.frag")), examples / "fade.frag", examples / "vignette.frag"):
        vertex = path.with_suffix(".vert")
        yield RealShader(path, vertex if vertex.exists() else None)


def fate_of(shader: RealShader) -> Fate:
    """By itself, or with generated images where that takes fewer stages; without its vertex shader if need be."""
    fates = [_fate(shader, images=images) for images in (False, True)]
    fitting = [fate for fate in fates if not fate.reason]
    return min(fitting, key=lambda fate: fate.stages) if fitting else fates[-1]


def _fate(shader: RealShader, *, images: bool) -> Fate:
    failures: list[CompileError] = []
    for vertex in dict.fromkeys((shader.vertex, None)):
        try:
            return _fitting(shader, _compiled(shader, vertex, images=images), is_linked=vertex is not None)
        except CompileError as error:
            failures.append(error)
    return Fate(shader, reason=_reason(failures[0]))


def _compiled(shader: RealShader, vertex: Path | None, *, images: bool) -> CompiledShader:
    options = {"images": images, "ranges": PROMISES.get(shader.name, "")}
    text = shader.fragment.read_text()
    if vertex is None:
        return glslc_multi.compile(text, target="pica200", stage="fragment", options=options)
    return glslc_multi.link(vertex.read_text(), text, target="pica200", options=options).stages["fragment"]


def _fitting(shader: RealShader, found: CompiledShader, *, is_linked: bool) -> Fate:
    state = found.reflection.host_state or {}
    uses = [
        *(["lighting"] if "set LIGHTING_ENABLE0" in found.assembly else []),
        *(["fog"] if "depth_map_scale" in state else []),
        *(["generated image"] if any(key.startswith("image") for key in state) else []),
        *(["without its vertex shader"] if shader.vertex is not None and not is_linked else []),
    ]
    return Fate(shader, found.stats.instructions, found.stats.error_steps or 0.0, ", ".join(uses))


def _reason(failure: CompileError) -> str:
    """In words that are not those of the shader."""
    first = next(diagnostic for diagnostic in failure.diagnostics if diagnostic.severity == "error")
    construct = _CONSTRUCT.search(first.message)
    return f"{construct[1] if construct else _REASONS.get(first.code, 'an error of the language')} ({first.code})"
