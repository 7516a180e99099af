"""What names stand for: variables, functions and built-in functions, as the checker resolves them.

The syntax tree refers to symbols; they know nothing of the tree.
"""

from __future__ import annotations

from typing import Literal

from compiler.diagnostics import Span
from compiler.records import dataclass, field
from frontends.glsl.language.versions import EVERYWHERE
from frontends.glsl.types import Constant, GlslType, Precision

Stage = Literal["vertex", "geometry", "fragment"]
ALL_STAGES: frozenset[Stage] = frozenset({"vertex", "geometry", "fragment"})
VERTEX: frozenset[Stage] = frozenset({"vertex"})
FRAGMENT: frozenset[Stage] = frozenset({"fragment"})
GEOMETRY: frozenset[Stage] = frozenset({"geometry"})
BEFORE_FRAGMENT: frozenset[Stage] = VERTEX | GEOMETRY
#: "local" covers function locals and plain globals alike; `is_global` tells them apart.
Storage = Literal["const", "attribute", "uniform", "varying", "local", "in", "out", "inout", "builtin"]


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
    #: The name by which the other stage and the host know it, where that is another one.
    linked_name: str = ""
    #: An array whose length follows from its uses; the other stage may use more or less of it.
    sized_by_use: bool = False
    #: Value of a `const` with a constant initializer, and of built-in constants.
    constant: Constant | None = None
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
