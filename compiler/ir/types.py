"""Types of SSA values: void, bool, int, float and vectors of 2..4 of them.  Samplers type variables only.

Types are interned, so they compare with `is`.  Aggregates and matrices are not value types: arrays
exist only as variables, and a matrix is n column vectors (see `variables.py`).
"""

from __future__ import annotations

from typing import Literal

from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS, SamplerName

#: "uint" is no type's: the source's kind of a variable whose 32 bits are an int here.
Kind = Literal["void", "bool", "int", "uint", "float"] | SamplerName

_PREFIX: dict[str, str] = {"float": "vec", "int": "ivec", "bool": "bvec", "uint": "uvec"}


def type_name(kind: str, width: int) -> str:
    """As GLSL spells it; `uint` is a kind of values outside of the IR."""
    return f"{_PREFIX[kind]}{width}" if width > 1 else kind


def matrix_name(columns: int, rows: int) -> str:
    """As GLSL spells it."""
    return f"mat{columns}" if columns == rows else f"mat{columns}x{rows}"


def matrix_shape(name: str) -> tuple[int, int]:
    """Columns and rows of the matrix type of this name."""
    columns, _, rows = name.removeprefix("mat").partition("x")
    return int(columns), int(rows or columns)


class Type:
    """A value type: `kind` and number of components (`width`, 1 for a scalar, 0 for void)."""

    __slots__ = ("is_scalar", "kind", "mask", "name", "width")

    def __init__(self, kind: Kind, width: int) -> None:
        self.kind: Kind = kind
        self.width = width
        self.is_scalar = width == 1
        #: A bit for every component, x the lowest.
        self.mask = (1 << width) - 1
        self.name = type_name(kind, width)

    @property
    def is_sampler(self) -> bool:
        return self.kind in SAMPLER_KINDS

    @property
    def scalar(self) -> Type:
        """The type of one component."""
        return vector(self.kind, 1)

    def with_width(self, width: int) -> Type:
        """The type of `width` components of the same kind."""
        return vector(self.kind, width)

    def with_kind(self, kind: Kind) -> Type:
        """The type of as many components of another kind."""
        return vector(kind, self.width)

    def __repr__(self) -> str:
        return self.name


_INTERNED: dict[tuple[str, int], Type] = {}


def _intern(kind: Kind, width: int) -> Type:
    created = Type(kind, width)
    _INTERNED[kind, width] = created
    return created


VOID = _intern("void", 0)
BOOL, BVEC2, BVEC3, BVEC4 = (_intern("bool", n) for n in (1, 2, 3, 4))
INT, IVEC2, IVEC3, IVEC4 = (_intern("int", n) for n in (1, 2, 3, 4))
FLOAT, VEC2, VEC3, VEC4 = (_intern("float", n) for n in (1, 2, 3, 4))
#: Of every kind of sampler by its name.
SAMPLERS: dict[str, Type] = {kind.name: _intern(kind.name, 1) for kind in SAMPLER_KINDS.values()}
SAMPLER_2D, SAMPLER_CUBE = SAMPLERS["sampler2D"], SAMPLERS["samplerCube"]

#: Every type by its spelling in the text form.
BY_NAME: dict[str, Type] = {t.name: t for t in _INTERNED.values()}


def vector(kind: Kind, width: int) -> Type:
    """The type of `width` components of `kind`; a scalar when `width` is 1."""
    return _INTERNED[kind, width]
