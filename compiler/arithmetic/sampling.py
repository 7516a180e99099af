"""Textures over numpy and how OpenGL samples them (ES 2.0 sections 3.7.5 to 3.7.8, ES 3.0 sections 3.8.9 to 3.8.16).

In: coordinates of n lanes and their level of detail.  Out: n colours.  Everything is computed in double
precision; the caller rounds to its number format.  Levels are arrays (slices, height, width, 4), see `images`; row 0 is
the bottom one (t near 0).

Sizes need not be powers of two, whatever the wrap (as with OES_texture_npot), and a cube map is
filtered within each face (as OpenGL ES 2.0 does, without seamless edges).  Magnification ends at level 0
for all filters, as in OpenGL ES 3.0 and in today's drivers (ES 2.0 asks for 0.5 with some of them).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.arithmetic.cube import FACES
from glslc_multi.compiler.arithmetic.images import (
    KINDS,
    Texels,
    averaged,
    kind_of,
    level_count,
    level_of,
    shape_of_level,
)
from glslc_multi.compiler.records import dataclass, replace

Array = NDArray[Any]

#: Filter name -> (filter within a level, filter between levels; "" for the base level alone).
FILTERS: dict[str, tuple[str, str]] = {
    "nearest": ("nearest", ""),
    "linear": ("linear", ""),
    "nearest_mipmap_nearest": ("nearest", "nearest"),
    "linear_mipmap_nearest": ("linear", "nearest"),
    "nearest_mipmap_linear": ("nearest", "linear"),
    "linear_mipmap_linear": ("linear", "linear"),
}


# ------------------------------------------------------------------------------------------- wraps
def _wrap_repeat(texel: Array, size: int) -> Array:
    return np.mod(texel, size)


def _wrap_clamp(texel: Array, size: int) -> Array:
    return np.minimum(np.maximum(texel, 0), size - 1)


def _wrap_mirror(texel: Array, size: int) -> Array:
    phase = np.mod(texel, 2 * size)
    mirrored: Array = np.minimum(phase, 2 * size - 1 - phase)
    return mirrored


#: Wrap name -> (coordinate reduced to a small range without changing its texel, even if that is moved by a number of
#: texels; texel number wrapped).
WRAPS: dict[str, tuple[Callable[[Array, int], Array], Callable[[Array, int], Array]]] = {
    "repeat": (lambda s, moved: s - np.floor(s), _wrap_repeat),
    "clamp": (lambda s, moved: np.clip(s, -1.0 - abs(moved), 2.0 + abs(moved)), _wrap_clamp),
    "mirror": (lambda s, moved: s - 2.0 * np.floor(s / 2.0), _wrap_mirror),
}

#: By face.
_S_AXIS, _S_SIGN, _T_AXIS, _T_SIGN = (np.array(column) for column in zip(*FACES, strict=True))


#: Comparison of a shadow sampler -> the verdict on a depth and a texel, in that order (GL ES 3.0 table 3.21).
COMPARES: dict[str, Callable[[Array, Array], Array]] = {
    "never": lambda depth, texel: np.zeros(np.broadcast(depth, texel).shape, dtype=np.bool_),
    "less": np.less,
    "equal": np.equal,
    "lequal": np.less_equal,
    "greater": np.greater,
    "notequal": np.not_equal,
    "gequal": np.greater_equal,
    "always": lambda depth, texel: np.ones(np.broadcast(depth, texel).shape, dtype=np.bool_),
}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where lanes look: coordinates (s, t, r; n), the face or layer of each lane, and a depth to compare with."""

    coordinate: Array
    slice: Array
    reference: Array | None

    def of(self, lanes: Array) -> _Place:
        """The same of some lanes."""
        reference = None if self.reference is None else self.reference[lanes]
        return _Place(self.coordinate[:, lanes], self.slice[lanes], reference)


class Texture:
    """An image with its sampling state.

    `array` has the axes of `kind` (a name of `KINDS`) and then, perhaps, one to four channels; without a kind it is
    (height, width[, channels]) for 2D and (6, height, width, channels) for a cube map.  `texels` are "float" (unsigned
    integers are fractions of their largest value, floats are taken as they are), "int" or "uint".  `channels` names
    the channels by letters of r, g, b, a, l; else one to four floats mean luminance, luminance and alpha, rgb, rgba.
    `filter` is a name of `FILTERS`, or a pair (minification, magnification); `wrap` a name of `WRAPS` or one for each
    of s, t and r.  `mips` lists the smaller levels in the same form; True makes them by averaging.  `compare`, a name
    of `COMPARES`, makes it a depth texture for shadow samplers.
    """

    __slots__ = ("compare", "is_cube", "is_fixed", "kind", "levels", "magnify", "minify", "texels", "wrap", "wrap_r")

    def __init__(
        self,
        array: Any,
        filter: str | tuple[str, str] = "nearest",
        wrap: str | tuple[str, ...] = "repeat",
        mips: bool | Sequence[Any] = False,
        *,
        kind: str = "",
        texels: Texels = "float",
        channels: str = "",
        compare: str = "",
    ) -> None:
        given = np.asarray(array)
        self.kind = _choice("kind of texture", kind or kind_of(given), tuple(KINDS))
        self.texels: Texels = texels
        self.compare = _choice("comparison", compare, ("", *COMPARES))
        #: Whether depths to compare with are limited to what texels can be (GL ES 3.0 section 3.8.16.1).
        self.is_fixed = given.dtype.kind == "u"
        self.is_cube = self.kind == "cube"
        if mips is True and texels != "float":
            raise ValueError("integers are not averaged: give the mipmap levels")
        base = level_of(given, self.kind, texels, channels)
        own = [] if mips is True else [level_of(mip, self.kind, texels, channels) for mip in mips or ()]
        self.levels = [base, *(averaged(base, self.kind) if mips is True else own)]
        minify, magnify = (filter, FILTERS.get(filter, (filter, ""))[0]) if isinstance(filter, str) else filter
        self.minify = _choice("filter", minify, tuple(FILTERS))
        self.magnify = _choice("magnification filter", magnify, ("nearest", "linear"))
        wraps = (wrap, wrap, wrap) if isinstance(wrap, str) else (*wrap, wrap[-1])[:3]
        s, t, self.wrap_r = (_choice("wrap", each, tuple(WRAPS)) for each in wraps)
        self.wrap = (s, t)

    @property
    def problem(self) -> str:
        """Why the texture is incomplete (GL ES 3.0 section 3.8.13), or "" when it can be sampled."""
        base = self.levels[0].shape
        _, height, width, _ = base
        if self.is_cube and height != width:
            return f"the faces of a cube map must be square, found {width}x{height}"
        within, between = FILTERS[self.minify]
        if self.texels != "float" and "linear" in (within, self.magnify):
            return "texels that are integers cannot be filtered: use the filter nearest"
        if not between:
            return ""
        if self.counts_texels:
            return f"{KINDS[self.kind].label} has no mipmap levels"
        for number in range(1, level_count(base, self.kind)):
            wanted = shape_of_level(base, self.kind, number)
            if number >= len(self.levels):
                return f"filter {self.minify} needs mipmap level {number}, which is missing"
            if self.levels[number].shape != wanted:
                depth = f"x{wanted[0]}" if self.kind == "3d" else ""
                return f"mipmap level {number} must be {wanted[2]}x{wanted[1]}{depth} texels"
        return ""

    @property
    def needs_level(self) -> bool:
        """Whether the level of detail has any influence on what is sampled."""
        return self.minify != self.magnify

    @property
    def counts_texels(self) -> bool:
        """Whether coordinates are numbers of texels, not fractions of the size."""
        return KINDS[self.kind].counts_texels

    # level of detail -------------------------------------------------------------------------
    def level_of_detail(self, coordinate: Array, step_x: Array, step_y: Array) -> Array:
        """log2 of the longer of two steps of a coordinate without layer, measured in texels of the base level."""
        if self.is_cube:
            face = _face_of(coordinate)
            step_x, step_y = (_face_step(coordinate, step, face) for step in (step_x, step_y))
        # What the components of a coordinate that name a place are multiplied by.
        dimensions = 2 if self.is_cube else KINDS[self.kind].dimensions
        sizes = [1 if self.counts_texels else size for size in self.levels[0].shape[2::-1][:dimensions]]
        in_texels = ([s * size for s, size in zip(step, sizes, strict=True)] for step in (step_x, step_y))
        lengths = [np.hypot.reduce(step, initial=0.0) for step in in_texels]
        level: Array = np.log2(np.maximum(*lengths))
        return level

    # lookups ---------------------------------------------------------------------------------
    def sample(
        self, coordinate: Array, level: Array, reference: Array | None = None, offset: Sequence[int] = ()
    ) -> Array:
        """Colours (4, n) at coordinates (k, n), for levels of detail (n,); with `reference` verdicts on depths."""
        point = self._place(coordinate, reference)
        level = np.nan_to_num(level, nan=0.0)
        magnified = self._filtered(self.magnify, 0, point, offset)
        is_magnified = level <= 0.0
        if not self.needs_level or bool(np.all(is_magnified)):
            return magnified
        return np.where(is_magnified, magnified, self._minified(point, level, offset))

    def fetch(self, texel: Array, level: Array, offset: Sequence[int] = ()) -> Array:
        """Texels (4, n) by their numbers (k, n) in levels (n,), layers last; 0 where there is none."""
        dimensions = KINDS[self.kind].dimensions
        columns = np.zeros((3, texel.shape[1]), dtype=np.int64)
        for axis in range(dimensions):
            columns[axis] = texel[axis].astype(np.int64) + (offset[axis] if offset else 0)
        if KINDS[self.kind].has_layers:
            columns[2] = texel[dimensions]
        result = np.zeros((4, texel.shape[1]))
        for number, image in enumerate(self.levels):
            sizes = np.array(image.shape[2::-1])[:, None]
            inside = (level == number) & np.all((columns >= 0) & (columns < sizes), axis=0)
            column, row, slice = columns[:, inside]
            result[:, inside] = image[slice, row, column].T
        return result

    def size(self, level: Array) -> Array:
        """Sizes (k, n) of levels (n,) in texels, then the number of layers; 0 where there is no such level."""
        kind = KINDS[self.kind]
        parts = [2, 1][: kind.dimensions] + [0] * (self.kind == "3d" or kind.has_layers)
        sizes = np.array([[image.shape[axis] for axis in parts] for image in self.levels], dtype=np.int64).T
        last = len(self.levels) - 1
        return np.where((level >= 0) & (level <= last), sizes[:, np.clip(level, 0, last).astype(np.intp)], 0)

    def _place(self, coordinate: Array, reference: Array | None) -> _Place:
        count, kind = coordinate.shape[1], KINDS[self.kind]
        slice = np.zeros(count, dtype=np.intp)
        point = coordinate[: kind.dimensions]
        if self.is_cube:
            slice = _face_of(coordinate)
            # Where on its face a direction hits, each coordinate from 0 to 1.
            s, t, outward = _face_parts(coordinate, slice)
            point = np.stack([(s / outward + 1.0) / 2.0, (t / outward + 1.0) / 2.0])
        if kind.has_layers:
            # GL ES 3.0 section 3.8.9.2: the nearest layer, not filtered.
            layer = np.floor(np.nan_to_num(coordinate[kind.dimensions], nan=0.0) + 0.5)
            slice = np.clip(layer, 0, self.levels[0].shape[0] - 1).astype(np.intp)
        if len(point) == 1:
            # In the middle of the only row.
            point = np.concatenate([point, np.full((1, count), 0.5)])
        if reference is not None and self.is_fixed:
            reference = np.clip(reference, 0.0, 1.0)
        return _Place(np.nan_to_num(point, nan=0.0), slice, reference)

    def _minified(self, place: _Place, level: Array, offset: Sequence[int]) -> Array:
        within, between = FILTERS[self.minify]
        if not between:
            return self._filtered(within, 0, place, offset)
        last = len(self.levels) - 1
        if between == "nearest":
            chosen = np.clip(np.ceil(level + 0.5) - 1.0, 0, last).astype(np.intp)
            return self._from_levels(within, chosen, place, offset)
        level = np.clip(level, 0, last)
        finer = np.floor(level).astype(np.intp)
        coarser = np.minimum(finer + 1, last)
        share = level - finer
        first, second = (self._from_levels(within, chosen, place, offset) for chosen in (finer, coarser))
        return _blend(first, second, share)

    def _from_levels(self, filter: str, chosen: Array, place: _Place, offset: Sequence[int]) -> Array:
        """Filtered colours, each lane from its own level."""
        result = np.zeros((4, len(chosen)))
        for number in np.unique(chosen).tolist():
            lanes = chosen == number
            result[:, lanes] = self._filtered(filter, number, place.of(lanes), offset)
        return result

    def _filtered(self, filter: str, number: int, place: _Place, offset: Sequence[int]) -> Array:
        image = self.levels[number]
        moved = [self._texel_place(image, place, axis, offset) for axis in range(len(place.coordinate))]
        if self.kind != "3d":
            return self._filtered_slice(filter, image, place, moved[0], moved[1])
        return self._filtered_depth(filter, image, place, moved)

    def _texel_place(self, image: Array, place: _Place, axis: int, offset: Sequence[int]) -> Array:
        """Where along an axis lanes look, in texels."""
        size, p = image.shape[2 - axis], place.coordinate[axis]
        moved = offset[axis] if axis < len(offset) else 0
        if self.counts_texels and axis < KINDS[self.kind].dimensions:
            inside: Array = np.clip(p, -1.0 - size - abs(moved), 2.0 * size + abs(moved))
            return inside + moved
        texels: Array = WRAPS[self.wrap_of(axis)][0](p, moved) * size
        return texels + moved if moved else texels

    def wrap_of(self, axis: int) -> str:
        """The wrap along an axis."""
        return "clamp" if self.counts_texels else (*self.wrap, self.wrap_r)[axis]

    def _filtered_depth(self, filter: str, image: Array, place: _Place, moved: Sequence[Array]) -> Array:
        """The colour in a 3D image, from one slice or between two."""
        s, t, r = moved
        wrap = WRAPS[self.wrap_of(2)][1]

        def in_slice(depth: Array) -> Array:
            slice = wrap(depth.astype(np.int64), image.shape[0])
            return self._filtered_slice(filter, image, replace(place, slice=slice), s, t)

        if filter == "nearest":
            return in_slice(np.floor(r))
        below = np.floor(r - 0.5)
        return _blend(in_slice(below), in_slice(below + 1), r - 0.5 - below)

    def _filtered_slice(self, filter: str, image: Array, place: _Place, s: Array, t: Array) -> Array:
        if filter == "nearest":
            return self._texels(image, place, np.floor(s), np.floor(t))
        left, lower = np.floor(s - 0.5), np.floor(t - 0.5)
        right_share, upper_share = s - 0.5 - left, t - 0.5 - lower
        lower_row, upper_row = (
            _blend(self._texels(image, place, left, row), self._texels(image, place, left + 1, row), right_share)
            for row in (lower, lower + 1)
        )
        return _blend(lower_row, upper_row, upper_share)

    def _texels(self, image: Array, place: _Place, column: Array, row: Array) -> Array:
        wrap_s, wrap_t = (WRAPS[self.wrap_of(axis)][1] for axis in range(2))
        rows = wrap_t(row.astype(np.int64), image.shape[1])
        columns = wrap_s(column.astype(np.int64), image.shape[2])
        texels: Array = image[place.slice, rows, columns].T
        return texels if place.reference is None else self._verdicts(place.reference, texels[0])

    def _verdicts(self, reference: Array, depth: Array) -> Array:
        """1 where the comparison holds, as a colour."""
        verdict = COMPARES[self.compare](reference, depth).astype(np.float64)
        return np.stack([verdict, np.zeros_like(verdict), np.zeros_like(verdict), np.ones_like(verdict)])


def _blend(first: Array, second: Array, share: Array) -> Array:
    """`share` of the second and the rest of the first."""
    blended: Array = first * (1.0 - share) + second * share
    return blended


# --------------------------------------------------------------------------------------- cube maps
def _face_of(direction: Array) -> Array:
    """The face that a direction hits: its longest axis (the earlier one of equals) and its sign."""
    axis = np.argmax(np.abs(direction), axis=0)
    negative = _along(direction, axis) < 0.0
    face: Array = 2 * axis + negative
    return face


def _along(vectors: Array, axis: Array) -> Array:
    component: Array = np.take_along_axis(vectors, axis[None], axis=0)[0]
    return component


def _face_parts(vectors: Array, face: Array) -> tuple[Array, Array, Array]:
    """The components of vectors along a face's s, t and outward axes."""
    outward = _along(vectors, face // 2) * (1 - 2 * (face % 2))
    s = _along(vectors, _S_AXIS[face]) * _S_SIGN[face]
    t = _along(vectors, _T_AXIS[face]) * _T_SIGN[face]
    return s, t, outward


def _face_step(direction: Array, step: Array, face: Array) -> Array:
    """How far the place on the face moves when the direction moves by `step` (its derivative)."""
    s, t, outward = _face_parts(direction, face)
    step_s, step_t, step_outward = _face_parts(step, face)
    square = 2.0 * outward * outward
    return np.stack([(step_s * outward - s * step_outward) / square, (step_t * outward - t * step_outward) / square])


def _choice(what: str, found: str, known: tuple[str, ...]) -> str:
    if found not in known:
        raise ValueError(f"unknown {what} {found!r}, expected one of {', '.join(known)}")
    return found
