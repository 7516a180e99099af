"""The types of shading languages: numbers, vectors, matrices, samplers, arrays and structures of them.

They are spelled as GLSL does (section 4.1), the language of messages and of the reflection.  Numeric types are
interned: compare with `is` or `==`.  A struct is identical only to itself (section 4.1.8), so `StructType` compares
by identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.records import dataclass

Base = Literal["bool", "int", "uint", "float"]
Precision = Literal["lowp", "mediump", "highp"]
#: A constant value, flattened to its scalar components in constructor order (matrices column by
#: column, structs field by field).
Constant = tuple[bool | int | float, ...]


class ShaderType:
    """Base of all types. `str(type)` is its spelling in GLSL."""

    __slots__ = ()

    is_scalar: bool = False
    is_vector: bool = False
    is_matrix: bool = False
    #: An array that gets its size later.
    is_unsized: bool = False

    @property
    def contains_array(self) -> bool:
        return False

    @property
    def contains_sampler(self) -> bool:
        return False

    @property
    def contains_integer(self) -> bool:
        """Whether there is an int or uint in it, which is not interpolated."""
        return False

    @property
    def leaf_count(self) -> int:
        """How many numeric values and samplers there are in one of this type."""
        return 1

    @property
    def shape_count(self) -> int:
        """The same with the elements of each array counted once, as variables of the IR stand for them."""
        return 1

    @property
    def nesting(self) -> int:
        """How many structures stand inside one another."""
        return 0


class NumericType(ShaderType):
    """A scalar (rows = columns = 1), vector (columns = 1) or matrix of `base`.

    What follows from the shape is computed once: there are few of these types, and they are asked often.
    """

    __slots__ = (
        "_name",
        "base",
        "columns",
        "component_count",
        "is_integer",
        "is_matrix",
        "is_scalar",
        "is_vector",
        "rows",
    )

    def __init__(self, base: Base, rows: int, columns: int) -> None:
        self.base: Base = base
        self.rows = rows
        self.columns = columns
        self.component_count = rows * columns
        self.is_integer = base in ("int", "uint")
        self.is_scalar = rows == 1
        self.is_vector = rows > 1 and columns == 1
        self.is_matrix = columns > 1
        prefix = {"float": "", "int": "i", "uint": "u", "bool": "b"}[base]
        if columns > 1:
            self._name = f"mat{columns}" if columns == rows else f"mat{columns}x{rows}"
        elif rows > 1:
            self._name = f"{prefix}vec{rows}"
        else:
            self._name = base

    @property
    def contains_integer(self) -> bool:
        return self.is_integer

    def __str__(self) -> str:
        return self._name

    __repr__ = __str__


class SamplerType(ShaderType):
    """An opaque sampler; `kind` is that of the IR, which tells its shape."""

    __slots__ = ("_name", "kind")

    def __init__(self, name: str, kind: str = "") -> None:
        self._name = name
        self.kind = kind or name

    @property
    def contains_sampler(self) -> bool:
        return True

    def __str__(self) -> str:
        return self._name

    __repr__ = __str__


class NamedType(ShaderType):
    """A type that has a name and nothing else."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        return self._name

    __repr__ = __str__


@dataclass(slots=True, eq=False)
class StructField:
    name: str
    #: Of a block's member that is declared as an array without a size, this changes when the size is known.
    type: ShaderType
    precision: Precision | None
    span: Span


class StructType(ShaderType):
    """A structure; `name` is "" for an anonymous one.

    What follows from the fields is computed once, so that deeply nested structures stay cheap.
    """

    __slots__ = (
        "_by_name",
        "_contains_array",
        "_contains_sampler",
        "_leaf_count",
        "_nesting",
        "_shape_count",
        "fields",
        "first_shapes",
        "name",
        "span",
    )

    def __init__(self, name: str, fields: tuple[StructField, ...], span: Span) -> None:
        self.name = name
        self.fields = fields
        self.span = span
        self._by_name = {field.name: field for field in fields}
        self._contains_array = any(field.type.contains_array for field in fields)
        self._contains_sampler = any(field.type.contains_sampler for field in fields)
        self._leaf_count = sum(field.type.leaf_count for field in fields)
        self._nesting = 1 + max((field.type.nesting for field in fields), default=0)
        #: Name of a field -> how many shapes stand before its own.
        self.first_shapes: dict[str, int] = {}
        self._shape_count = 0
        for field in fields:
            self.first_shapes[field.name] = self._shape_count
            self._shape_count += field.type.shape_count

    def field(self, name: str) -> StructField | None:
        return self._by_name.get(name)

    @property
    def contains_array(self) -> bool:
        return self._contains_array

    @property
    def contains_sampler(self) -> bool:
        return self._contains_sampler

    @property
    def contains_integer(self) -> bool:
        return any(field.type.contains_integer for field in self.fields)

    @property
    def leaf_count(self) -> int:
        return self._leaf_count

    @property
    def shape_count(self) -> int:
        return self._shape_count

    @property
    def nesting(self) -> int:
        return self._nesting

    def __str__(self) -> str:
        return self.name or "struct"

    __repr__ = __str__


#: Length of an array that gets its length later: from its initializer, another declaration or its uses.
UNSIZED = 0


class ArrayType(ShaderType):
    """A one-dimensional array (of an array, where the language has that); compares by value."""

    __slots__ = ("element", "is_unsized", "length")

    def __init__(self, element: ShaderType, length: int) -> None:
        self.element = element
        self.length = length
        self.is_unsized = length == UNSIZED

    @property
    def contains_array(self) -> bool:
        return True

    @property
    def contains_sampler(self) -> bool:
        return self.element.contains_sampler

    @property
    def contains_integer(self) -> bool:
        return self.element.contains_integer

    @property
    def leaf_count(self) -> int:
        return self.length * self.element.leaf_count

    @property
    def shape_count(self) -> int:
        return self.element.shape_count

    @property
    def nesting(self) -> int:
        return self.element.nesting

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayType) and (self.element, self.length) == (other.element, other.length)

    def __hash__(self) -> int:
        return hash((self.element, self.length))

    def __str__(self) -> str:
        return f"{self.element}[{self.length or ''}]"

    __repr__ = __str__


VOID = NamedType("void")
_NUMERIC: dict[tuple[Base, int, int], NumericType] = {}


def numeric(base: Base, rows: int = 1, columns: int = 1) -> NumericType:
    """The one type object of this base and shape."""
    key = (base, rows, columns)
    if key not in _NUMERIC:
        _NUMERIC[key] = NumericType(base, rows, columns)
    return _NUMERIC[key]


BOOL, INT, UINT, FLOAT = numeric("bool"), numeric("int"), numeric("uint"), numeric("float")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One leaf of a flattened type: `path` is its name suffix as the IR spells it (`[].pos`),
    `type` a numeric or sampler type, `dims` the lengths of the arrays around it."""

    path: str
    type: ShaderType
    dims: tuple[int, ...]


def leaves(type_: ShaderType, path: str = "", dims: tuple[int, ...] = ()) -> Iterator[Leaf]:
    """The numeric and sampler leaves of a type in declaration order."""
    if isinstance(type_, ArrayType):
        yield from leaves(type_.element, f"{path}[]", (*dims, type_.length))
    elif isinstance(type_, StructType):
        for field in type_.fields:
            yield from leaves(field.type, f"{path}.{field.name}", dims)
    else:
        # The innermost `[]` is not part of an IR name: `float a[3]` is the leaf `a` with dims (3,).
        yield Leaf(path.removesuffix("[]"), type_, dims)
