"""Textures over numpy and how OpenGL ES 2.0 samples them (specification sections 3.7.5 to 3.7.8).

In: coordinates of n lanes and their level of detail.  Out: n colours.  Everything is computed in double
precision; the caller rounds to its number format.  Levels are arrays (faces, height, width, 4) whose
row 0 is the bottom one (t near 0); a 2D texture has one face, a cube map +x -x +y -y +z -z.

Sizes need not be powers of two, whatever the wrap (as with OES_texture_npot), and a cube map is
filtered within each face (as OpenGL ES 2.0 does, without seamless edges).  Magnification ends at level 0
for all filters, as in OpenGL ES 3.0 and in today's drivers (ES 2.0 asks for 0.5 with some of them).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


#: Wrap name -> (coordinate reduced to a small range without changing its texel, texel number wrapped).
WRAPS: dict[str, tuple[Callable[[Array], Array], Callable[[Array, int], Array]]] = {
    "repeat": (lambda s: s - np.floor(s), _wrap_repeat),
    "clamp": (lambda s: np.clip(s, -1.0, 2.0), _wrap_clamp),
    "mirror": (lambda s: s - 2.0 * np.floor(s / 2.0), _wrap_mirror),
}

#: Face of a cube map -> (axis and sign of s, axis and sign of t): GL ES 2.0 table 3.21.
FACES = ((2, -1, 1, -1), (2, 1, 1, -1), (0, 1, 2, 1), (0, 1, 2, -1), (0, 1, 1, -1), (0, -1, 1, -1))
_S_AXIS, _S_SIGN, _T_AXIS, _T_SIGN = (np.array(column) for column in zip(*FACES, strict=True))


class Texture:
    """An image with its sampling state.

    `array` is (height, width[, channels]) for 2D and (6, height, width, channels) for a cube map;
    unsigned integers are fractions of their largest value, floats are taken as they are.  One to four
    channels mean luminance, luminance and alpha, rgb, rgba.  `filter` is a name of `FILTERS`, or a
    pair (minification, magnification); `wrap` a name of `WRAPS` or a pair (s, t).  `mips` lists the
    smaller levels in the same form; True makes them by averaging 2x2 texels.
    """

    __slots__ = ("is_cube", "levels", "magnify", "minify", "wrap")

    def __init__(
        self,
        array: Any,
        filter: str | tuple[str, str] = "nearest",
        wrap: str | tuple[str, str] = "repeat",
        mips: bool | Sequence[Any] = False,
    ) -> None:
        base = _level(array)
        self.is_cube = base.shape[0] == 6
        smaller = _averaged(base) if mips is True else [_level(mip) for mip in mips or ()]
        self.levels = [base, *smaller]
        minify, magnify = (filter, FILTERS.get(filter, (filter, ""))[0]) if isinstance(filter, str) else filter
        self.minify = _choice("filter", minify, tuple(FILTERS))
        self.magnify = _choice("magnification filter", magnify, ("nearest", "linear"))
        s, t = (wrap, wrap) if isinstance(wrap, str) else wrap
        self.wrap = (_choice("wrap", s, tuple(WRAPS)), _choice("wrap", t, tuple(WRAPS)))

    @property
    def problem(self) -> str:
        """Why the texture is incomplete (GL ES 2.0 section 3.7.10), or "" when it can be sampled."""
        faces, height, width, _ = self.levels[0].shape
        if faces == 6 and height != width:
            return f"the faces of a cube map must be square, found {width}x{height}"
        if not FILTERS[self.minify][1]:
            return ""
        for number in range(1, max(width, height).bit_length()):
            wanted = (faces, max(height >> number, 1), max(width >> number, 1), 4)
            if number >= len(self.levels):
                return f"filter {self.minify} needs mipmap level {number}, which is missing"
            if self.levels[number].shape != wanted:
                return f"mipmap level {number} must be {wanted[2]}x{wanted[1]} texels"
        return ""

    @property
    def needs_level(self) -> bool:
        """Whether the level of detail has any influence on what is sampled."""
        return self.minify != self.magnify

    def level_of_detail(self, coordinate: Array, step_x: Array, step_y: Array) -> Array:
        """log2 of the longer of two steps of the coordinate, measured in texels of the base level."""
        if self.is_cube:
            face = _face_of(coordinate)
            step_x, step_y = (_face_step(coordinate, step, face) for step in (step_x, step_y))
        _, height, width, _ = self.levels[0].shape
        lengths = [np.hypot(step[0] * width, step[1] * height) for step in (step_x, step_y)]
        level: Array = np.log2(np.maximum(*lengths))
        return level

    def sample(self, coordinate: Array, level: Array) -> Array:
        """Colours (4, n) at coordinates (2 or 3, n), for levels of detail (n,)."""
        if self.is_cube:
            face = _face_of(coordinate)
            place = _face_place(coordinate, face)
        else:
            face, place = np.zeros(coordinate.shape[1], dtype=np.intp), coordinate
        place = np.nan_to_num(place, nan=0.0)
        level = np.nan_to_num(level, nan=0.0)
        magnified = self._filtered(self.magnify, 0, face, place)
        is_magnified = level <= 0.0
        if not self.needs_level or bool(np.all(is_magnified)):
            return magnified
        return np.where(is_magnified, magnified, self._minified(face, place, level))

    def _minified(self, face: Array, place: Array, level: Array) -> Array:
        within, between = FILTERS[self.minify]
        if not between:
            return self._filtered(within, 0, face, place)
        last = len(self.levels) - 1
        if between == "nearest":
            chosen = np.clip(np.ceil(level + 0.5) - 1.0, 0, last).astype(np.intp)
            return self._from_levels(within, chosen, face, place)
        level = np.clip(level, 0, last)
        finer = np.floor(level).astype(np.intp)
        coarser = np.minimum(finer + 1, last)
        share = level - finer
        first, second = (self._from_levels(within, chosen, face, place) for chosen in (finer, coarser))
        return _blend(first, second, share)

    def _from_levels(self, filter: str, chosen: Array, face: Array, place: Array) -> Array:
        """Filtered colours, each lane from its own level."""
        result = np.zeros((4, place.shape[1]))
        for number in np.unique(chosen).tolist():
            lanes = chosen == number
            result[:, lanes] = self._filtered(filter, number, face[lanes], place[:, lanes])
        return result

    def _filtered(self, filter: str, number: int, face: Array, place: Array) -> Array:
        image = self.levels[number]
        sizes = (image.shape[2], image.shape[1])
        s, t = (WRAPS[wrap][0](p) * size for wrap, p, size in zip(self.wrap, place, sizes, strict=True))
        if filter == "nearest":
            return self._texels(image, face, np.floor(s), np.floor(t))
        left, lower = np.floor(s - 0.5), np.floor(t - 0.5)
        right_share, upper_share = s - 0.5 - left, t - 0.5 - lower
        lower_row, upper_row = (
            _blend(self._texels(image, face, left, row), self._texels(image, face, left + 1, row), right_share)
            for row in (lower, lower + 1)
        )
        return _blend(lower_row, upper_row, upper_share)

    def _texels(self, image: Array, face: Array, column: Array, row: Array) -> Array:
        wrap_s, wrap_t = (WRAPS[wrap][1] for wrap in self.wrap)
        rows = wrap_t(row.astype(np.int64), image.shape[1])
        columns = wrap_s(column.astype(np.int64), image.shape[2])
        texels: Array = image[face, rows, columns].T
        return texels


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


def _face_place(direction: Array, face: Array) -> Array:
    """Where on its face a direction hits, each coordinate from 0 to 1."""
    s, t, outward = _face_parts(direction, face)
    return np.stack([(s / outward + 1.0) / 2.0, (t / outward + 1.0) / 2.0])


def _face_step(direction: Array, step: Array, face: Array) -> Array:
    """How far the place on the face moves when the direction moves by `step` (its derivative)."""
    s, t, outward = _face_parts(direction, face)
    step_s, step_t, step_outward = _face_parts(step, face)
    square = 2.0 * outward * outward
    return np.stack([(step_s * outward - s * step_outward) / square, (step_t * outward - t * step_outward) / square])


# ------------------------------------------------------------------------------------ construction
def _level(array: Any) -> Array:
    """One level as doubles of shape (faces, height, width, 4)."""
    given = np.asarray(array)
    texels = given.astype(np.float64)
    if given.dtype.kind == "u":
        texels /= np.iinfo(given.dtype).max
    elif given.dtype.kind != "f":
        raise ValueError(f"texels must be unsigned integers or floats, found {given.dtype}")
    if texels.ndim == 2:
        texels = texels[:, :, None]
    if texels.ndim == 3:
        texels = texels[None]
    if texels.ndim != 4 or texels.shape[0] not in (1, 6) or not 1 <= texels.shape[3] <= 4 or texels.size == 0:
        raise ValueError(f"a texture is (height, width, channels) or (6, height, width, channels), found {given.shape}")
    return _rgba(texels)


def _rgba(texels: Array) -> Array:
    """One to four channels as red, green, blue and alpha (GL ES 2.0 table 3.12)."""
    channels = texels.shape[3]
    colour = texels[..., [0, 0, 0]] if channels < 3 else texels[..., :3]
    alpha = texels[..., -1:] if channels in (2, 4) else np.ones_like(texels[..., :1])
    return np.concatenate([colour, alpha], axis=3)


def _averaged(level: Array) -> list[Array]:
    """All smaller levels, each texel the mean of the (at most) 2x2 it covers."""
    smaller = []
    while max(level.shape[1:3]) > 1:
        for axis in (1, 2):
            even = level.shape[axis] // 2 * 2
            if even:
                pairs = np.split(np.take(level, range(even), axis=axis), even // 2, axis=axis)
                level = np.concatenate([pair.mean(axis=axis, keepdims=True) for pair in pairs], axis=axis)
        smaller.append(level)
    return smaller


def _choice(what: str, found: str, known: tuple[str, ...]) -> str:
    if found not in known:
        raise ValueError(f"unknown {what} {found!r}, expected one of {', '.join(known)}")
    return found
