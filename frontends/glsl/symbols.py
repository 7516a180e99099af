"""What names stand for: variables, functions and built-in functions, as the checker resolves them.

The syntax tree refers to symbols; they know nothing of the tree.
"""

from __future__ import annotations

from typing import Literal

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir.blocks import Packing
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl.language.versions import EVERYWHERE
from glslc_multi.frontends.glsl.types import BlockType, Constant, GlslType, Precision

Stage = Literal["vertex", "geometry", "fragment"]
ALL_STAGES: frozenset[Stage] = frozenset({"vertex", "geometry", "fragment"})
VERTEX: frozenset[Stage] = frozenset({"vertex"})
FRAGMENT: frozenset[Stage] = frozenset({"fragment"})
GEOMETRY: frozenset[Stage] = frozenset({"geometry"})
BEFORE_FRAGMENT: frozenset[Stage] = VERTEX | GEOMETRY
#: "local" covers function locals and plain globals alike; `is_global` tells them apart.
#: An attribute is what a vertex shader gets, a varying what flows between stages, an output what a fragment shader
#: leaves, however the version spells them; "in", "out" and "inout" are parameters.
Storage = Literal["const", "attribute", "uniform", "varying", "output", "local", "in", "out", "inout", "builtin"]
#: How a varying is interpolated; "" where nothing is written, which means smooth.
Interpolation = Literal["", "smooth", "flat", "noperspective"]


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """How the members of a uniform block are put into its buffer (GLSL ES 3.00 section 4.3.8.3)."""

    packing: Packing = "shared"
    row_major: bool = False


@dataclass(slots=True, eq=False)
class BlockSymbol:
    """An interface block: variables that are declared, matched and, if uniforms, filled together."""

    name: str
    storage: Storage
    #: The members; no variable can have this type.
    type: BlockType
    span: Span
    has_instance: bool
    packing: Packing = "shared"
    #: Names of the members whose matrices are stored row by row.
    row_major: frozenset[str] = frozenset()
    #: How each member is interpolated, and whether at its centroid.
    interpolations: dict[str, tuple[Interpolation, bool]] = field(default_factory=dict)
    #: Of an array of blocks, else None.
    length: int | None = None


@dataclass(slots=True, eq=False)
class VariableSymbol:
    """A variable, parameter or built-in variable."""

    name: str
    type: GlslType
    storage: Storage
    #: None where no precision applies (bool, struct) or it was already reported missing.
    precision: Precision | None
    #: None for built-ins.
    span: Span | None
    is_global: bool
    invariant: bool = False
    #: From `layout(location = n)`.
    location: int | None = None
    interpolation: Interpolation = ""
    centroid: bool = False
    #: The block that this is the instance or, where that has no name, a member of.
    block: BlockSymbol | None = None
    #: The name by which the other stage and the host know it, where that is another one.
    linked_name: str = ""
    #: An array whose length follows from its uses; the other stage may use more or less of it.
    sized_by_use: bool = False
    #: A built-in array that has no size to ask for until it is declared again (GLSL 1.30 section 7.1).
    awaits_size: bool = False
    #: Value of a `const` with a constant initializer, and of built-in constants.
    constant: Constant | None = None
    #: Of a uniform with an initializer: its value until the host sets another one (GLSL 1.20 section 4.3.5).
    default: Constant | None = None
    #: Of gl_FragCoord that is declared again: the words of its layout.
    conventions: frozenset[str] | None = None
    #: For built-ins, the IR role ("position", "frag_coord", ...), "" otherwise.
    role: str = ""
    writable: bool = True
    readable: bool = True
    #: Statically used anywhere reachable in the text (section 4.3.4 "static use").
    used: bool = False
    #: An element is selected by an index that is no constant.
    is_indexed: bool = False
    written: bool = False

    @property
    def outer_name(self) -> str:
        """The name by which the other stage and the host know it."""
        return self.linked_name or self.name


@dataclass(slots=True, eq=False)
class FunctionSymbol:
    """A user function: one signature."""

    name: str
    return_type: GlslType
    parameters: list[VariableSymbol]
    span: Span
    return_precision: Precision | None = None
    has_prototype: bool = False
    #: Functions called from the body, each with the span of the first call (for the recursion rule).
    calls: dict[FunctionSymbol, Span] = field(default_factory=dict)
    #: Whether there is a `discard` in the body, and whether there is a `return`.
    discards: bool = False
    returns: bool = False
    #: Local variables that are declared without a value.
    unset: list[VariableSymbol] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BuiltinFunction:
    """One signature of a built-in function (section 8) after generic types are filled in."""

    name: str
    return_type: GlslType
    parameters: tuple[GlslType, ...]
    #: Stages it exists in, and the extension that must be enabled for it ("" for none).
    stages: frozenset[Stage] = ALL_STAGES
    extension: str = ""
    #: The versions of the language that have it.
    versions: str = EVERYWHERE
    #: The numbers of its `out` parameters.
    out_parameters: tuple[int, ...] = ()
    #: Of the result; None where it is that of the arguments.
    precision: Precision | None = None


@dataclass(slots=True, eq=False)
class FunctionGroup:
    """All the shader's functions of one name; what the name stands for in the global scope."""

    name: str
    span: Span
    #: By parameter types: overloads differ in these alone (section 6.1).
    overloads: dict[tuple[GlslType, ...], FunctionSymbol] = field(default_factory=dict)
