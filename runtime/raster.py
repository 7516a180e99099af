"""Triangles drawn with shaders, on any engine: what OpenGL ES does between the vertex stage and the picture.

In: two `Stage`s (a call that runs the shader, and the inputs that it reads), attributes, triangles.  Out: a `Frame`
with colours and depths; row 0 is the bottom one, as in OpenGL and in textures.

The idea: run all vertices; clip triangles at the near plane; find the 2x2 quads that each triangle touches and the
weights of its corners at every pixel of them; run all pixels at once, those outside of the triangle as helpers for
derivatives; keep for every pixel the nearest that was not discarded.  Coverage follows the top-left rule, so that
triangles that share an edge share no pixel, and interpolation is perspective-correct (OpenGL ES 2.0 section 3.5.1).

Not supported: points, lines, blending, stencil, multisampling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.records import dataclass, field
from glslc_multi.runtime.lent import MACHINE_ENGINES, with_lent
from glslc_multi.runtime.names import split_name

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Artifact
    from glslc_multi.compiler.ir.variables import Variable
    from glslc_multi.compiler.target import Target
    from glslc_multi.runtime.shader import CompiledShader, Engine

Array = NDArray[Any]
Cull = Literal["none", "back", "front"]

#: Pixels that a fragment shader is given in one call.
_BATCH = 1 << 18
#: Positions closer to the eye than this are clipped: w must not become 0.
_LEAST_W = 1e-6


@dataclass(frozen=True, slots=True)
class Stage:
    """A shader ready to run: `run(inputs, quads=...)` gives its outputs by name."""

    run: Callable[..., Mapping[str, Array]]
    inputs: frozenset[str]
    #: Inputs that have the value of a triangle's last vertex everywhere.
    flat: frozenset[str] = frozenset()
    #: The outputs that are the pixel's colour and its depth.
    colour: str = "gl_FragColor"
    depth: str = "gl_FragDepthEXT"
    #: What is interpolated of an input's values at the corners, by its name, where that is not those values.
    at_corners: Mapping[str, Callable[[Array], Array]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture: (height, width, 4) colours from 0 to 1, and (height, width) depths."""

    colour: NDArray[np.float64]
    depth: NDArray[np.float64]

    def to_bytes(self) -> NDArray[np.uint8]:
        """The picture as images are stored: the top row first, one byte a channel."""
        return np.floor(np.clip(self.colour[::-1], 0, 1) * 255 + 0.5).astype(np.uint8)


def stage_of(
    shader: CompiledShader,
    engine: Engine,
    uniforms: Mapping[str, Any],
    textures: Mapping[str, Any] | None = None,
) -> Stage:
    """A compiled shader on an engine; it gets the uniforms and textures that it declares, from those of both stages."""
    module = with_lent(shader.module, shader.artifact) if engine in MACHINE_ENGINES else shader.module
    variables = module.variables.values()
    blocks = {block.name for block in shader.module.blocks}
    declared = {_first_name(variable.name) for variable in variables} | blocks
    own, maps = (
        {name: value for name, value in values.items() if _first_name(name) in declared}
        for values in (uniforms, textures or {})
    )
    return new_stage(
        partial(shader.run, uniforms=own, textures=maps, engine=engine),
        list(variables),
        corner_rules(shader.target, shader.artifact) if engine in MACHINE_ENGINES else {},
    )


def new_stage(
    run: Callable[..., Mapping[str, Array]],
    variables: Sequence[Variable],
    at_corners: Mapping[str, Callable[[Array], Array]],
) -> Stage:
    """A call that runs a shader with these variables, which say what its inputs and outputs are."""
    return Stage(
        run,
        frozenset(v.name for v in variables if v.storage in ("attribute", "varying", "input")),
        frozenset(v.name for v in variables if v.interpolation == "flat"),
        next((v.name for v in variables if v.role in ("frag_color", "frag_data") and not v.location), "gl_FragColor"),
        next((v.name for v in variables if v.role == "frag_depth"), "gl_FragDepthEXT"),
        at_corners,
    )


def corner_rules(target: Target, fragment: Artifact) -> dict[str, Callable[[Array], Array]]:
    """What a target's rasteriser does with varyings before it interpolates them, by their names."""
    varyings = fragment.reflection.varyings
    return {
        varying.name: partial(target.at_corners, varying.locations[0].space)
        for varying in varyings
        if varying.locations
    }


def _first_name(name: str) -> str:
    """`lights` of `lights[1].colour`."""
    return split_name(name)[0].partition(".")[0].partition("[")[0]


def draw(
    vertex: Stage,
    fragment: Stage,
    attributes: Mapping[str, Array],
    triangles: Array,
    *,
    width: int,
    height: int,
    background: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
    cull: Cull = "none",
) -> Frame:
    """Draw triangles (numbers of three vertices each) into an empty frame."""
    outputs = dict(vertex.run({name: value for name, value in attributes.items() if name in vertex.inputs}))
    position = np.asarray(outputs.pop("gl_Position"), dtype=np.float64)
    outputs.pop("gl_PointSize", None)
    colour = np.empty((height, width, 4))
    colour[:] = background
    depth = np.ones((height, width))
    corners = _clipped(position, np.asarray(triangles, dtype=np.intp))
    pixels = _Pixels.collect(corners, width, height, cull)
    for first in range(0, pixels.count, _BATCH):
        batch = pixels.part(first, first + _BATCH)
        varyings = {name: batch.at_pixels(np.asarray(value), name, fragment) for name, value in outputs.items()}
        inputs = {k: v for k, v in (varyings | batch.built_in()).items() if k in fragment.inputs}
        if not fragment.inputs:
            # Without inputs a run has one lane.
            shaded = {name: np.repeat(value, batch.count, axis=0) for name, value in fragment.run({}).items()}
        else:
            shaded = dict(fragment.run(inputs, quads=True))
        batch.resolve(fragment, shaded, colour, depth)
    return Frame(colour, depth)


# ------------------------------------------------------------------------------------------ clipping
@dataclass(frozen=True, slots=True)
class _Corners:
    """Triangles after clipping: positions of their corners in clip space, and the corners as mixtures of
    vertices: numbers of three vertices, and weights (triangle, corner, vertex)."""

    position: Array
    vertices: Array
    weights: Array


def _clipped(position: Array, triangles: Array) -> _Corners:
    """Triangles cut off at the near plane, z = -w, and where w is 0; those in front of both stay whole."""
    clip = position[triangles]
    # By triangle and plane: how far inside each corner is.
    distances = np.stack([clip[:, :, 2] + clip[:, :, 3], clip[:, :, 3] - _LEAST_W], axis=1)
    is_inside = distances > 0
    is_whole = np.all(is_inside, axis=(1, 2))
    whole = np.flatnonzero(is_whole)
    crossing = np.flatnonzero(~is_whole & np.all(np.any(is_inside, axis=2), axis=1))
    pieces = [(number, weights) for number in crossing.tolist() for weights in _inside(distances[number])]
    numbers = np.concatenate([whole, np.array([number for number, _ in pieces], dtype=np.intp)])
    identity = np.broadcast_to(np.eye(3), (len(whole), 3, 3))
    cut = np.array([weights for _, weights in pieces]).reshape(-1, 3, 3)
    weights = np.concatenate([identity, cut])
    # In the order in which the triangles were given.
    order = np.argsort(numbers, kind="stable")
    numbers, weights = numbers[order], weights[order]
    return _Corners(weights @ clip[numbers], triangles[numbers], weights)


def _inside(distances: Array) -> list[Array]:
    """The part of a triangle inside of all planes: triangles whose corners are weights of its corners."""
    polygon = list(np.eye(3))
    for plane in distances:
        polygon = _cut(polygon, plane)
    return [np.stack([polygon[0], *pair]) for pair in pairwise(polygon[1:])]


def _cut(polygon: list[Array], plane: Array) -> list[Array]:
    """The part of a polygon inside of one plane (Sutherland and Hodgman 1974)."""
    kept = []
    for here, after in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        inside, following = float(here @ plane), float(after @ plane)
        if inside > 0:
            kept.append(here)
        if (inside > 0) != (following > 0):
            share = inside / (inside - following)
            kept.append(here * (1 - share) + after * share)
    return kept


# -------------------------------------------------------------------------------------- rasterisation
@dataclass(frozen=True, slots=True)
class _Pixels:
    """Pixels of all triangles, in quads; each is one lane of the fragment shader."""

    #: Column and row, and whether the triangle covers the pixel (the others are helpers).
    x: Array
    y: Array
    covered: Array
    #: Window depth, and 1 / w.
    z: Array
    inverse_w: Array
    is_front: Array
    #: Numbers of three vertices, and their weights for values that are linear in space.
    vertices: Array
    weights: Array

    @property
    def count(self) -> int:
        return len(self.x)

    @classmethod
    def collect(cls, corners: _Corners, width: int, height: int, cull: Cull) -> _Pixels:
        """The pixels of all triangles, in order."""
        w = corners.position[:, :, 3]
        window = (corners.position[:, :, :2] / w[:, :, None] + 1) / 2 * (width, height)
        area = _cross(window[:, 1] - window[:, 0], window[:, 2] - window[:, 0])
        is_front = area > 0
        is_kept = (area != 0) & {"none": is_front | True, "back": is_front, "front": ~is_front}[cull]
        parts = [_covered(window[number], width, height) for number in np.flatnonzero(is_kept).tolist()]
        lengths = [len(x) for x, _, _, _ in parts]
        owner = np.repeat(np.flatnonzero(is_kept), lengths)
        empty = (np.zeros(0, int), np.zeros(0, int), np.zeros(0, bool), np.zeros((0, 3)))
        x, y, covered, flat = (np.concatenate(columns) for columns in zip(empty, *parts, strict=True))
        depth = (corners.position[:, :, 2] / w + 1) / 2
        inverse_w = np.sum(flat / w[owner], axis=1)
        spatial = flat / w[owner] / inverse_w[:, None]
        weights = np.einsum("pc,pcv->pv", spatial, corners.weights[owner])
        z = np.sum(flat * depth[owner], axis=1)
        return cls(x, y, covered & (z <= 1), z, inverse_w, is_front[owner], corners.vertices[owner], weights)

    def part(self, first: int, last: int) -> _Pixels:
        return _Pixels(*(getattr(self, name)[first:last] for name in self.__slots__))

    def at_pixels(self, value: Array, name: str, stage: Stage) -> Array:
        """A varying of the vertices at every pixel."""
        if name in stage.flat:
            # OpenGL ES 3.0 section 2.14.5: the provoking vertex is the last one.
            last: Array = value[self.vertices[:, 2]]
            return last
        corners = value.astype(np.float64)[self.vertices]
        if name in stage.at_corners:
            corners = stage.at_corners[name](corners)
        interpolated: Array = np.einsum("pv,pv...->p...", self.weights, corners)
        return interpolated

    def built_in(self) -> dict[str, Array]:
        """The built-in inputs of fragment shaders; there are no points."""
        coordinates = np.stack([self.x + 0.5, self.y + 0.5, self.z, self.inverse_w], axis=1)
        return {
            "gl_FragCoord": coordinates,
            "gl_FrontFacing": self.is_front,
            "gl_PointCoord": np.zeros((self.count, 2)),
        }

    def resolve(self, stage: Stage, shaded: Mapping[str, Array], colour: Array, depth: Array) -> None:
        """Put the nearest pixel at each place into the frame, if it is nearer than what is there."""
        value = _as_colour(np.asarray(shaded[stage.colour]))
        z = np.asarray(shaded.get(stage.depth, self.z)).reshape(-1)
        seen = np.flatnonzero(self.covered & ~np.asarray(shaded["discarded"]))
        places = self.y[seen] * colour.shape[1] + self.x[seen]
        # Of equal depths the first one stays.
        order = np.lexsort((seen, z[seen], places))
        _, first = np.unique(places[order], return_index=True)
        nearest = seen[order[first]]
        x, y = self.x[nearest], self.y[nearest]
        nearer = z[nearest] < depth[y, x]
        x, y, nearest = x[nearer], y[nearer], nearest[nearer]
        colour[y, x], depth[y, x] = value[nearest], z[nearest]


def _as_colour(value: Array) -> Array:
    """The first colour of several; what an output of fewer components leaves open is black and opaque."""
    value = value[:, 0] if value.ndim == 3 else value.reshape(len(value), -1)
    missing = np.broadcast_to(np.array([0.0, 0, 0, 1])[value.shape[1] :], (len(value), 4 - value.shape[1]))
    return np.concatenate([value, missing], axis=1)


def _covered(window: Array, width: int, height: int) -> tuple[Array, Array, Array, Array]:
    """Pixels of the quads that a triangle touches: columns, rows, coverage, and weights of the corners."""
    low = np.clip(np.floor(window.min(axis=0)), 0, (width, height)).astype(int) // 2 * 2
    high = np.clip(np.ceil(window.max(axis=0)), 0, (width, height)).astype(int)
    across, up = (len(range(low[axis], high[axis], 2)) for axis in (0, 1))
    # Axes: row and column of the quad, row and column in it; so four lanes in a row are one quad.
    y, x = np.meshgrid(np.arange(2 * up), np.arange(2 * across), indexing="ij")
    x, y = (
        grid.reshape(up, 2, across, 2).transpose(0, 2, 1, 3).reshape(-1) + start
        for grid, start in zip((x, y), low, strict=True)
    )
    weights, covered = _weights(window, np.stack([x + 0.5, y + 0.5], axis=1))
    covered &= (x < width) & (y < height)
    touched = np.repeat(covered.reshape(-1, 4).any(axis=1), 4)
    return x[touched], y[touched], covered[touched], weights[touched]


def _weights(window: Array, points: Array) -> tuple[Array, Array]:
    """Weights of a triangle's corners at points of the window, and which points it covers."""
    area = _cross(window[1] - window[0], window[2] - window[0])
    covered = np.ones(len(points), dtype=np.bool_)
    weights = np.empty((len(points), 3))
    for corner in range(3):
        start, end = window[(corner + 1) % 3], window[(corner + 2) % 3]
        side = _cross(end - start, points - start) * np.sign(area)
        weights[:, corner] = side / abs(area)
        covered &= (side > 0) | ((side == 0) & _is_top_left((end - start) * np.sign(area)))
    return weights, covered


def _is_top_left(edge: Array) -> bool:
    """Whether an edge of an anticlockwise triangle is a left one, or the upper one where it is level."""
    return bool(edge[1] < 0 or (edge[1] == 0 and edge[0] < 0))


def _cross(first: Array, second: Array) -> Array:
    product: Array = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product
