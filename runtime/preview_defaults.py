"""Default values of uniforms and attributes, chosen by their names, as plain numbers.

The names are those that shaders commonly use; case, prefixes (`u_`, `a_`) and digits do not matter.  Rows of the
tables are tried in order, and the first whose pattern occurs in the name and whose shape fits is used.  The scene is
seen from the front, a little from above; light comes from the upper right.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from typing import TYPE_CHECKING, Any, cast

from glslc_multi.compiler.ir.variables import WINDOW_HEIGHT, Variable

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module

#: Rows.
Matrix = list[list[float]]

_FIELD_OF_VIEW = math.radians(40)
_NEAR, _FAR = 1.0, 20.0
_DISTANCE = 4.4
#: Of a chequered texture, along each side.
CHECKS, TEXELS = 8, 32

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
    ("texel|step", (1 / TEXELS,) * 4),
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
    # Not the "tex" of "vertex".
    ("(?<!ver)tex|uv|st$|coord", "uv"),
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
    names = {name for module in modules for d in module.declarations for name, _ in d.defaults}
    uniforms = (v for module in modules for v in module.variables.values() if v.storage == "uniform")
    variables = [variable for variable in uniforms if variable.name not in names]
    matrices = _matrices(width / height)
    values = {name: value for v in variables for name, value in elements_of(v, _uniform(v, matrices)).items()}
    return values | {v.name: float(height) for v in variables if v.role == WINDOW_HEIGHT}


def elements_of(variable: Variable, value: Any) -> dict[str, Any]:
    """The same value for all elements, whose indices replace the brackets of the name, or follow it."""
    name = variable.name if variable.name.count("[]") == len(variable.dims) else variable.name + "[]"
    names = [name]
    for count in variable.dims:
        names = [name.replace("[]", f"[{index}]", 1) for name in names for index in range(count)]
    return dict.fromkeys(names, value)


def _uniform(variable: Variable, matrices: Mapping[str, Matrix]) -> Any:
    name = _plain(variable.name)
    if variable.is_matrix:
        chosen = matrices[_first(_MATRICES, name)]
        if variable.is_array:
            chosen = matrices["identity"]
        return [row[: variable.columns] for row in chosen[: variable.columns]]
    if variable.role == "depth_range":
        return {"near": 0.0}.get(variable.name.rpartition(".")[2], 1.0)
    numbers = _first(_NUMBERS, name)
    return numbers[0] if variable.type.is_scalar else [*numbers, *([numbers[0]] * 4)][: variable.type.width]


def _matrices(aspect: float) -> dict[str, Matrix]:
    tilt, turn = math.radians(38), math.radians(-28)
    about_x = [[1.0, 0.0, 0.0], [0.0, math.cos(tilt), -math.sin(tilt)], [0.0, math.sin(tilt), math.cos(tilt)]]
    about_y = [[math.cos(turn), 0.0, math.sin(turn)], [0.0, 1.0, 0.0], [-math.sin(turn), 0.0, math.cos(turn)]]
    turned = [[*row, 0.0] for row in _product(about_x, about_y)]
    eye = [*turned, [0.0, 0.0, 0.0, 1.0]]
    eye[2][3] = -_DISTANCE
    scale = 1 / math.tan(_FIELD_OF_VIEW / 2)
    depth = _FAR - _NEAR
    projection = [
        [scale / max(aspect, 1.0), 0.0, 0.0, 0.0],
        [0.0, scale * min(aspect, 1.0), 0.0, 0.0],
        [0.0, 0.0, -(_FAR + _NEAR) / depth, -2 * _FAR * _NEAR / depth],
        [0.0, 0.0, -1.0, 0.0],
    ]
    return {
        "identity": [[float(row == column) for column in range(4)] for row in range(4)],
        "eye": eye,
        "normal": [[*row[:3], 0.0] for row in turned] + [[0.0] * 4],
        "projection": projection,
        "all": _product(projection, eye),
    }


def _product(left: Matrix, right: Matrix) -> Matrix:
    return [[math.fsum(map(mul, row, column)) for column in zip(*right, strict=True)] for row in left]


def attribute_source(variable: Variable) -> str | Sequence[float]:
    """Which attribute of a mesh an attribute takes its values from, "colour" of its position; or four numbers."""
    return cast("str | Sequence[float]", _first(_ATTRIBUTES, _plain(variable.name)))


def _plain(name: str) -> str:
    return re.sub(r"\[\]", "", name).lower()


def _first(rows: Iterable[tuple[str, Any]], name: str) -> Any:
    return next(value for pattern, value in rows if re.search(pattern, name))
