"""Default values of uniforms, attributes and textures, chosen by their names.

The names are those that shaders commonly use; case, prefixes (`u_`, `a_`) and digits do not matter.  Rows of the
tables are tried in order, and the first whose pattern occurs in the name and whose shape fits is used.  The scene is
seen from the front, a little from above; light comes from the upper right.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from compiler.arithmetic.images import KINDS
from compiler.arithmetic.lanes import Array
from compiler.ir.samplers import SAMPLER_KINDS, SamplerKind
from compiler.ir.variables import WINDOW_HEIGHT, Variable
from runtime.textures import Texture

if TYPE_CHECKING:
    from compiler.ir.module import Module
    from compiler.target import Target
    from runtime.meshes import Mesh

_FIELD_OF_VIEW = math.radians(40)
_NEAR, _FAR = 1.0, 20.0
_DISTANCE = 4.4
_CHECKS, _TEXELS = 8, 32

#: Pattern -> name of a matrix of `_matrices`.
_MATRICES = (
    ("normal|inversetranspose", "normal"),
    ("mvp|modelview_?proj|worldview_?proj|viewproj|camera", "all"),
    ("modelview|worldview|mv", "eye"),
    ("proj", "projection"),
    ("view", "eye"),
    ("bone|joint|palette|skin|texture|uv|shadow|model|world|object", "identity"),
    ("", "all"),
)
#: Pattern -> numbers: of a vector its first components, of a scalar the first.
_NUMBERS: tuple[tuple[str, Sequence[float]], ...] = (
    ("ambient", (0.16, 0.16, 0.2, 1.0)),
    ("specular", (0.6, 0.6, 0.6, 1.0)),
    ("light.*(col|diffuse)|(col|diffuse).*light", (1.0, 0.95, 0.85, 1.0)),
    ("diffuse|tint|colou?r|albedo|base", (0.9, 0.55, 0.3, 1.0)),
    ("eye|camera|viewpos", (0.0, 1.2, 4.4, 1.0)),
    ("light|lamp|sun|direction|dir$|way|pos", (1.5, 2.0, 2.5, 0.0)),
    ("shin|gloss|exponent|power", (24.0,)),
    ("reach|range|radius|distance", (8.0,)),
    ("time|phase|scroll|offset|shift|bias", (0.0, 0.0, 0.0, 0.0)),
    ("resolution|size|viewport", (256.0, 256.0, 1.0, 1.0)),
    ("texel|step", (1 / _TEXELS,) * 4),
    ("threshold|cut", (0.5,)),
    ("fog.*col", (0.6, 0.7, 0.8, 1.0)),
    ("near|start", (_NEAR,)),
    ("far|end", (_FAR,)),
    ("density", (0.1,)),
    ("", (1.0, 1.0, 1.0, 1.0)),
)
#: Pattern -> which attribute of the mesh it is, or numbers.
_ATTRIBUTES: tuple[tuple[str, str | Sequence[float]], ...] = (
    ("norm", "normal"),
    ("tex|uv|st$|coord", "uv"),
    ("col|clr", "colour"),
    ("weight", (1.0, 0.0, 0.0, 0.0)),
    ("bone|joint|ind", (0.0, 0.0, 0.0, 0.0)),
    ("tangent", (1.0, 0.0, 0.0, 1.0)),
    ("pos|vert|place|point", "position"),
    ("", "position"),
)


def uniforms_of(modules: Iterable[Module], width: int, height: int) -> dict[str, Any]:
    """A value for every uniform that has none by itself."""
    modules = list(modules)
    known = {name for module in modules for d in module.declarations for name, _ in d.defaults}
    uniforms = (v for module in modules for v in module.variables.values() if v.storage == "uniform")
    variables = [variable for variable in uniforms if variable.name not in known]
    matrices = _matrices(width / height)
    values = {name: value for v in variables for name, value in _elements(v, _uniform(v, matrices)).items()}
    return values | {v.name: float(height) for v in variables if v.role == WINDOW_HEIGHT}


def _elements(variable: Variable, value: Any) -> dict[str, Any]:
    """The same value for all elements, whose indices replace the brackets of the name, or follow it."""
    name = variable.name if variable.name.count("[]") == len(variable.dims) else variable.name + "[]"
    names = [name]
    for count in variable.dims:
        names = [name.replace("[]", f"[{index}]", 1) for name in names for index in range(count)]
    return dict.fromkeys(names, value)


def _uniform(variable: Variable, matrices: dict[str, Array]) -> Any:
    name = _plain(variable.name)
    if variable.is_matrix:
        chosen = matrices[_first(_MATRICES, name)]
        if variable.is_array:
            chosen = matrices["identity"]
        return chosen[: variable.columns, : variable.columns]
    if variable.role == "depth_range":
        return {"near": 0.0}.get(variable.name.rpartition(".")[2], 1.0)
    numbers = _first(_NUMBERS, name)
    return numbers[0] if variable.type.is_scalar else [*numbers, *([numbers[0]] * 4)][: variable.type.width]


def _matrices(aspect: float) -> dict[str, Array]:
    tilt, turn = math.radians(38), math.radians(-28)
    about_x = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    about_y = np.array([[math.cos(turn), 0, math.sin(turn)], [0, 1, 0], [-math.sin(turn), 0, math.cos(turn)]])
    eye = np.eye(4)
    eye[:3, :3] = about_x @ about_y
    eye[2, 3] = -_DISTANCE
    scale = 1 / math.tan(_FIELD_OF_VIEW / 2)
    depth = _FAR - _NEAR
    projection = np.diag([scale / max(aspect, 1.0), scale * min(aspect, 1.0), -(_FAR + _NEAR) / depth, 0.0])
    projection[2, 3], projection[3, 2] = -2 * _FAR * _NEAR / depth, -1.0
    return {
        "identity": np.eye(4),
        "eye": eye,
        "normal": np.pad(eye[:3, :3], (0, 1)),
        "projection": projection,
        "all": projection @ eye,
    }


def attributes_of(vertex: Module, mesh: Mesh) -> dict[str, Array]:
    """A value of every attribute for each vertex of the mesh."""
    return {v.name: _attribute(v, mesh) for v in vertex.variables.values() if v.storage == "attribute"}


def _attribute(variable: Variable, mesh: Mesh) -> Array:
    source = _first(_ATTRIBUTES, _plain(variable.name))
    count, width = len(mesh.position), variable.type.width
    filled = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    if isinstance(source, str):
        values = mesh.position * 0.5 + 0.5 if source == "colour" else getattr(mesh, source)
    else:
        values = np.tile(source, (count, 1))
    filled[:, : values.shape[1]] = values
    column = filled[:, 0] if variable.type.is_scalar else filled[:, :width]
    if not variable.is_matrix:
        return column
    return np.tile(np.eye(variable.columns), (count, 1, 1))


def textures_of(modules: Iterable[Module], target: Target) -> dict[str, Any]:
    """A chequered image for every sampler."""
    found: dict[str, Any] = {}
    for module in modules:
        for variable in module.variables.values():
            if variable.storage == "sampler":
                sampler = SAMPLER_KINDS[variable.type.kind]
                found |= _elements(variable, make_texture(_chequered(sampler), target, sampler))
    return found


def make_texture(image: Array, target: Target, sampler: SamplerKind = SAMPLER_KINDS["sampler2D"]) -> Texture:
    """An image with the filter that a target has, for a kind of sampler: ints count to 255, depths are those of red."""
    kind, compare = sampler.image_kind, "lequal" if sampler.is_shadow else ""
    if sampler.texel != "float":
        numbers = (image * 255).astype(np.int32 if sampler.texel == "int" else np.uint32)
        return Texture(numbers, kind=kind, texels=sampler.texel)
    return Texture(image, "linear" if target.filters_textures else "nearest", kind=kind, compare=compare)


def _chequered(sampler: SamplerKind) -> Array:
    """The same image in each of six faces, layers or slices."""
    y, x = np.mgrid[:_TEXELS, :_TEXELS] * _CHECKS // _TEXELS
    dark, light = np.array([0.25, 0.4, 0.6]), np.array([0.95, 0.9, 0.8])
    image = np.where(((x + y) % 2)[:, :, None], light, dark)
    axes = KINDS[sampler.image_kind].axes
    if "height" not in axes:
        image = image[0]
    return np.stack([image] * 6) if image.ndim == len(axes) else image


def _plain(name: str) -> str:
    return re.sub(r"\[\]", "", name).lower()


def _first(rows: Iterable[tuple[str, Any]], name: str) -> Any:
    return next(value for pattern, value in rows if re.search(pattern, name))
