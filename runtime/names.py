"""Values under GLSL names, in the shapes users write them, to and from the variables of the IR.

In: a mapping such as ``{"u_mvp": 16 numbers, "lights[1].pos": (0, 1, 0), "fog": {"near": 1}}``.
Out: one array for each leaf variable, in the layout of `glslc_multi.compiler.ir.evaluate` ([lanes,] [elements,]
[columns,] [components]).

* A struct may be given by its members' names (`fog.near`) or as a mapping; an array by elements
  (`u[2]`) or whole, as a list.
* A matrix is a flat column-major list, or an array whose last two axes are [row, column].
* Any value may be one flat list, as OpenGL takes it: elements in order, matrices by columns.
* Numbers of any kind fit every variable: non-zero is true, fractions of an int are cut off.

Results carry the same names; matrices come as [row, column] arrays, so that ``m * v`` is ``m @ v``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.images import KINDS
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics.catalogue.evaluation import (
    ELEMENT_OUT_OF_RANGE,
    MISSING_ELEMENTS,
    UNKNOWN_VALUE_NAME,
    UNUSABLE_TEXTURE,
    WRONG_VALUE_SHAPE,
)
from glslc_multi.compiler.ir.declarations import Declaration, Number
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import known_names_help

Array = NDArray[Any]

#: Of the texels of an unbound texture.
_DTYPES = {"float": np.float64, "int": np.int32, "uint": np.uint32}
#: Indices of more digits are no indices.
_INDEX = re.compile(r"\[(\d{1,9})\]")


class Names:
    """The variables of one kind that values may be given for, and what the source declares but never uses."""

    __slots__ = ("declared", "defaults", "kind", "leaves")

    def __init__(self, kind: str, variables: Iterable[Variable], declarations: Iterable[Declaration] = ()) -> None:
        self.kind = kind
        declarations = list(declarations)
        self.leaves = {variable.name: variable for variable in variables}
        #: Numbers of uniforms that have a value before any is given.
        self.defaults = {name: numbers for d in declarations for name, numbers in d.defaults if name in self.leaves}
        self.declared = {d.name + member.path for d in declarations for member in d.members}

    def find(self, name: str) -> tuple[Variable, tuple[int, ...]] | None:
        """The variable of a GLSL name and the indices in it; None where it is declared but not used."""
        leaf, indices = split_name(name)
        variable = self.leaves.get(leaf)
        if variable is None and leaf in self.declared:
            return None
        if variable is None or len(indices) > len(variable.dims):
            help = known_names_help(leaf, self.leaves, none=f"it has no {self.kind} at all")
            fail(UNKNOWN_VALUE_NAME, help=help, kind=self.kind, name=name)
        for index, count in zip(indices, variable.dims, strict=False):
            if index >= count:
                fail(ELEMENT_OUT_OF_RANGE, variable.span, name=name, count=count)
        return variable, indices


def bind(names: Names, values: Mapping[str, Any], *, lanes: int | None, fill: bool = False) -> dict[str, Array]:
    """The value of each variable that `values` names; with `lanes`, a value has one entry a lane first.

    What no value names has its default, or is missing from the result.  With `fill` it is 0 there, whole or in part.
    """
    bound: dict[str, Leaf] = {}
    if fill:
        bound = {name: Leaf(variable, names.kind, lanes) for name, variable in names.leaves.items()}
    for name in names.defaults:
        bound[name] = Leaf(names.leaves[name], names.kind, lanes)
        bound[name].assign_default(names.defaults[name])
    for name, value in flatten(values):
        found = names.find(name)
        if found is not None:
            variable, indices = found
            leaf = bound.setdefault(variable.name, Leaf(variable, names.kind, lanes))
            leaf.assign(name, indices, value, partial=fill)
    return {name: leaf.finish(fill) for name, leaf in bound.items()}


def bind_textures(names: Names, textures: Mapping[str, Any], *, fill: bool = False) -> dict[str, list[Texture]]:
    """Textures under sampler names (`u_map`, `u_maps[1]`, or a list under `u_maps`), a list a sampler.

    With `fill`, samplers without a texture read opaque black, as incomplete ones do in OpenGL.
    """
    bound: dict[str, list[Texture | None]] = {}
    if fill:
        bound = {name: [_black(variable)] * variable.length for name, variable in names.leaves.items()}
    for name, given in flatten(textures):
        found = names.find(name)
        if found is not None:
            variable, indices = found
            slots = bound.setdefault(variable.name, [None] * variable.length)
            # Number of the first element that `indices` select, in the variable's flattened array.
            flat = 0
            for index, count in enumerate(variable.dims):
                flat = flat * count + (indices[index] if index < len(indices) else 0)
            several = [given] if isinstance(given, Texture) else list(given) if isinstance(given, Sequence) else []
            if not several or not all(isinstance(texture, Texture) for texture in several):
                fail(UNUSABLE_TEXTURE, variable.span, name=name, problem="it is not a Texture or a list of them")
            if flat + len(several) > len(slots):
                fail(ELEMENT_OUT_OF_RANGE, variable.span, name=name, count=len(slots))
            slots[flat : flat + len(several)] = several
    for name, slots in bound.items():
        if None in slots:
            fail(MISSING_ELEMENTS, names.leaves[name].span, kind="sampler", name=name)
    return {name: [texture for texture in slots if texture is not None] for name, slots in bound.items()}


def _black(variable: Variable) -> Texture:
    sampler = SAMPLER_KINDS[variable.type.kind]
    texel = np.zeros((1,) * len(KINDS[sampler.image_kind].axes), dtype=_DTYPES[sampler.texel])
    image = np.repeat(texel, 6, axis=0) if sampler.is_cube else texel
    compare = "lequal" if sampler.is_shadow else ""
    return Texture(image, kind=sampler.image_kind, texels=sampler.texel, channels="r", compare=compare)


def name_results(variables: Iterable[Variable], results: Mapping[str, Array]) -> dict[str, Array]:
    """Results of the evaluator as users see them: matrices as [row, column]."""
    shown = {}
    for variable in variables:
        value = results[variable.name]
        shown[variable.name] = np.swapaxes(value, -1, -2) if variable.is_matrix else value
    return shown


def split_name(name: str) -> tuple[str, tuple[int, ...]]:
    """A GLSL name as that of its leaf variable and the indices: `l[1].w[2]` gives `l[].w`, (1, 2)."""
    indices = tuple(int(index) for index in _INDEX.findall(name))
    return _INDEX.sub("[]", name).removesuffix("[]"), indices


def flatten(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Names with plain values: mappings are structs, lists of mappings arrays of structs."""
    pending = list(values.items())[::-1]
    while pending:
        name, value = pending.pop()
        if isinstance(value, Mapping):
            pending.extend((f"{name}.{member}", part) for member, part in value.items())
        elif isinstance(value, Sequence) and value and isinstance(value[0], Mapping):
            pending.extend((f"{name}[{index}]", part) for index, part in enumerate(value))
        else:
            yield name, value


class Leaf:
    """The value of one leaf variable while it is put together from its parts."""

    __slots__ = ("_is_own", "given", "kind", "lanes", "value", "variable")

    def __init__(self, variable: Variable, kind: str, lanes: int | None) -> None:
        self.variable = variable
        self.kind = kind
        self.lanes = () if lanes is None else (lanes,)
        self.value = np.zeros((*self.lanes, *variable.dims, *_element_shape(variable)))
        self.given = np.zeros(variable.dims, dtype=np.bool_)
        #: Whether the value may be changed.
        self._is_own = True

    def assign(self, name: str, indices: tuple[int, ...], value: Any, *, partial: bool) -> None:
        """Set the elements that `indices` select; with `partial`, a shorter list sets the first ones."""
        lanes = len(self.lanes)
        wanted = (*self.lanes, *self.variable.dims[len(indices) :])
        elements = _elements(value, self.variable, lanes, len(wanted))
        if elements is None or not _fits(elements.shape[: len(wanted)], wanted, lanes, partial):
            variable = self.variable
            element = (variable.type.width, variable.columns) if variable.is_matrix else _element_shape(variable)
            given = _as_numbers(value)
            found = "something else than numbers" if given is None else given.shape
            expected = (*wanted, *element)
            fail(WRONG_VALUE_SHAPE, variable.span, kind=self.kind, name=name, expected=expected, found=found)
        found = elements.shape[: len(wanted)]
        if self.lanes and found == wanted and not indices and elements.dtype in (np.float32, np.float64):
            # Values of many lanes are not copied: nothing changes them.
            self.value, self._is_own = elements, False
            self.given[...] = True
            return
        if not self._is_own:
            self.value, self._is_own = self.value.astype(np.float64), True
        # The ellipsis makes every selection a view, also that of a single number.
        every_lane: tuple[Any, ...] = (slice(None),) * lanes
        part: tuple[Any, ...] = (*indices, ...)
        self.value[every_lane + part][tuple(map(slice, found))] = elements
        self.given[part][tuple(map(slice, found[lanes:]))] = True

    def assign_default(self, numbers: Sequence[Number]) -> None:
        """Set all elements to the numbers of the source, which are in the evaluator's order."""
        self.value[...] = np.reshape(numbers, self.value.shape)
        self.given[...] = True

    def finish(self, fill: bool) -> Array:
        """The whole value in the evaluator's layout."""
        variable = self.variable
        if not fill and not self.given.all():
            fail(MISSING_ELEMENTS, variable.span, kind=self.kind, name=variable.name)
        elements = (variable.length,) if variable.is_array else ()
        return self.value.reshape((*self.lanes, *elements, *_element_shape(variable)))


def _as_numbers(value: Any) -> Array | None:
    """`value` as an array, None where it is not made of numbers or its lists differ in length."""
    try:
        given = np.asarray(value)
    except ValueError:
        return None
    return given if given.dtype.kind in "biuf" else None


def _elements(value: Any, variable: Variable, lanes: int, leading: int) -> Array | None:
    """`value` as elements in the evaluator's layout after `leading` axes, `lanes` of them for lanes, or None."""
    given, shape = _as_numbers(value), _element_shape(variable)
    if given is None:
        return None
    own = given.shape[leading:]
    if given.ndim >= leading:
        if own == (prod(shape),):
            return given.reshape((*given.shape[:leading], *shape))
        if own == shape[::-1]:
            return np.swapaxes(given, -1, -2) if variable.is_matrix else given
    if given.ndim == lanes + 1 and given.shape[-1] % prod(shape) == 0:
        return given.reshape((*given.shape[:lanes], -1, *shape))
    return None


def _fits(found: tuple[int, ...], wanted: tuple[int, ...], lanes: int, partial: bool) -> bool:
    """Whether the leading axes are as expected, or with `partial` shorter, except the lanes."""
    if found == wanted:
        return True
    shorter = len(found) == len(wanted) and all(f <= w for f, w in zip(found, wanted, strict=True))
    return partial and shorter and found[:lanes] == wanted[:lanes]


def _element_shape(variable: Variable) -> tuple[int, ...]:
    """The evaluator's shape of one element: columns of a matrix, components of a vector."""
    columns = (variable.columns,) if variable.is_matrix else ()
    return columns if variable.type.is_scalar else (*columns, variable.type.width)
