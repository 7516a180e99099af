"""The example pairs as scenes: what a client draws with the generated classes, and what the simulator draws."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from glslc_multi.backends.agal.host.classes import class_name
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.meshes import Mesh, quad, sphere
from glslc_multi.runtime.preview import Preview, Scene, prepare
from glslc_multi.runtime.preview_defaults import uniforms_of
from glslc_multi.runtime.preview_values import attributes_of, textures_of
from glslc_multi.runtime.textures import Texture
from tests.shared_data import PROJECT_ROOT

SIZE = 64
EXAMPLES = sorted((PROJECT_ROOT / "examples" / "shaders").glob("*.vert"))
#: Steps of 1/255 by which a pixel may differ, and how many pixels may differ by more.
_TOLERANCE, _FAR = 2, 0.05
#: How far a pixel may be from all its neighbours: weights of texels have few bits on some devices.
_BLUR = 16
#: Depth from 0 to w, as the devices clip it.
OPTIONS: Mapping[str, Any] = {"agal_clip_z": True}


#: Pairs that are drawn in other forms, too: with code as text, and with a preamble.
AS_TEXT, WITH_PREAMBLE = ("06_alpha_test", "09_phong"), ("04_lambert", "09_phong", "11_plasma", "12_toon")
#: Where matrices are given to the device as such.
AS_MATRIX = ("04_lambert",)


@dataclass(frozen=True, slots=True)
class Picture:
    """A pair, and everything that it is drawn with."""

    name: str
    is_text: bool
    is_matrix: bool
    preview: Preview
    mesh: Mesh
    #: By names of GLSL, elements of arrays with their index.
    uniforms: Mapping[str, Any]
    #: (height, width, 4) bytes.
    images: Mapping[str, Any]
    attributes: Mapping[str, Any]

    @property
    def artifacts(self) -> Mapping[str, Artifact]:
        return self.preview.artifacts

    @property
    def program(self) -> HostProgram:
        return HostProgram(self.artifacts, self.name)

    @property
    def class_name(self) -> str:
        return class_name(self.name)

    def simulated(self) -> Any:
        """(height, width, 4) bytes, the top row first."""
        textures = {name: Texture(image / 255.0, "linear", wrap="repeat") for name, image in self.images.items()}
        scene = Scene(self.mesh, SIZE, SIZE, self.uniforms, textures, attributes=self.attributes)
        return self.preview.draw(scene, "simulator").to_bytes()


@cache
def pictures() -> tuple[Picture, ...]:
    """All pairs as they are, then those in other forms."""
    return (
        *(picture(path, "pair") for path in EXAMPLES),
        *(picture(path, "text", is_text=True) for path in EXAMPLES if path.stem in AS_TEXT),
        *(picture(path, "matrix", is_matrix=True) for path in EXAMPLES if path.stem in AS_MATRIX),
        *(picture(path, "preamble", preamble=True) for path in EXAMPLES if path.stem in WITH_PREAMBLE),
    )


def picture(
    path: Path, kind: str, *, is_text: bool = False, is_matrix: bool = False, preamble: bool = False
) -> Picture:
    sources = [make_source(p.read_text(encoding="utf-8"), p.name) for p in (path, path.with_suffix(".frag"))]
    target = load_target("agal")
    request = Request(target_options=OPTIONS, preamble=preamble)
    preview = prepare(sources[0], sources[1], target, request, DiagnosticSink())
    modules = preview.modules.values()
    is_flat = any(v.name == "a_position" and v.type.width == 2 for v in preview.modules["vertex"].variables.values())
    mesh = quad() if is_flat else sphere(24, 12)
    images = {name: _image(t.levels[0][0]) for name, t in textures_of(modules, target).items()}
    bones = _bones(mesh)
    usual = attributes_of(preview.modules["vertex"], mesh)
    attributes = {name: bones.get(name, value) for name, value in usual.items()}
    usual = uniforms_of(modules, SIZE, SIZE)
    uniforms = {name: _MOVED.get(name, value) for name, value in usual.items()}
    return Picture(f"{kind}_{path.stem}", is_text, is_matrix, preview, mesh, uniforms, images, attributes)


def _image(texels: Any) -> Any:
    """Bytes, with holes: where nothing is seen, colours are 0, since clients keep images multiplied by alpha."""
    image = np.dstack([np.asarray(texels)[..., :3], np.ones(np.shape(texels)[:2])])
    image[4:12, 8:20] = 0
    return np.rint(image * 255).astype(np.uint8)


def _bones(mesh: Mesh) -> dict[str, Any]:
    """Two bones of eight at each vertex, by its height."""
    height = mesh.position[:, 1] * 0.5 + 0.5
    first = np.floor(height * 6.999)
    return {"a_bones": np.stack([first, first + 1], axis=1), "a_weight": 1 - (height * 6.999 - first)}


def _rows(bone: int) -> list[list[float]]:
    """A bone moves to the side, the more the higher it is."""
    return [[1.0, 0.0, 0.0, bone * 0.0625], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]


#: Values that are other than the usual ones, so that no two elements are the same.
_MOVED: Mapping[str, Any] = {
    "u_scroll": [0.125, 0.25],
    "u_time": 0.75,
    **{f"u_rows[{3 * bone + row}]": values for bone in range(8) for row, values in enumerate(_rows(bone))},
    **{f"u_lights[{n}].position": [2.0 * n - 3.0, 1.0, 2.5] for n in range(4)},
    **{f"u_lights[{n}].color": [n / 3, 1 - n / 3, 0.5] for n in range(4)},
}


def assert_alike(drawn: Any, simulated: Any, name: str) -> None:
    """A client's pixels are the simulator's: 19 of 20 within 2 of 255, all within what the neighbours of a pixel have,
    since at the edges of triangles and texels a place between two pixels decides."""
    wanted = np.asarray(simulated)[..., :3].astype(int)
    found = np.asarray(drawn)[..., :3].astype(int)
    height, width = wanted.shape[:2]
    around = np.pad(wanted, ((1, 1), (1, 1), (0, 0)), mode="edge")
    shifts = [around[y : y + height, x : x + width] for y in range(3) for x in range(3)]
    low, high = np.min(shifts, axis=0) - _BLUR, np.max(shifts, axis=0) + _BLUR
    outside = np.argwhere(((found < low) | (found > high)).any(axis=-1))
    assert len(outside) == 0, f"{name}: {len(outside)} pixels, the first at {outside[0]}"
    far = (np.abs(found - wanted) > _TOLERANCE).any(axis=-1).mean()
    assert far < _FAR, f"{name}: {far:.1%} of the pixels are more than {_TOLERANCE} away"
