"""What the source text declares, for the linker's verdicts.

A module holds only the variables its code uses, flattened to leaves.  Whether two stages agree is a question
about their declarations: used or not, with the names of their structures.  A front end puts one `Declaration`
for each interface variable into `Module.declarations`; a module read from IR text has none, and then its
variables speak for themselves (`of_variable`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir.variables import DEPTH_RANGE, Precision, Storage, Variable
from glslc_multi.compiler.records import dataclass

Number: TypeAlias = bool | int | float


@dataclass(frozen=True, slots=True)
class Member:
    """One part of a variable's type: the whole (path ""), a field (`.light.colour`), an array's element (`[]`)."""

    path: str
    #: The type's name, that of a structure included.
    type: str
    precision: Precision = ""


@dataclass(frozen=True, slots=True)
class Declaration:
    """An interface variable as the source declares it."""

    name: str
    #: Samplers are uniforms to the source.
    storage: Storage
    #: The type as the source spells it, for messages.
    type: str
    #: The type taken apart, from the outside in; equal for two variables of one type.
    members: tuple[Member, ...]
    #: Whether the text reads or writes it, reachable or not ("static use", GLSL ES 1.00 section 4.3.4).
    is_used: bool = True
    #: None where the language does not ask that both stages agree.
    invariant: bool | None = False
    #: How varyings are interpolated, in words that both stages must share: "flat", "centroid", those of each member.
    interpolation: str = ""
    #: Whether a varying has its value at a place that the primitive covers, where pixels have several samples.
    is_centroid: bool = False
    #: What the vertex stage writes before the type of a varying.
    keyword: str = "varying"
    #: Of a uniform with an initializer, the numbers of each leaf variable: elements in order, matrices by columns.
    defaults: tuple[tuple[str, tuple[Number, ...]], ...] = ()
    #: Of a varying in a language that matches stages by places: location and first component.
    place: tuple[int, int] | None = None
    span: Span | None = None

    @property
    def shape(self) -> tuple[tuple[str, str], ...]:
        """The type without its precisions."""
        return tuple((member.path, member.type) for member in self.members)


def first_values(declarations: Iterable[Declaration]) -> dict[str, tuple[Number, ...]]:
    """What leaf variables hold before a host sets any, by name: the numbers of initializers, and OpenGL's own."""
    defaults = {name: (number,) for name, number in DEPTH_RANGE.items()}
    return defaults | dict(leaf for declaration in declarations for leaf in declaration.defaults)


def of_variable(variable: Variable) -> Declaration:
    """The declaration that an IR variable itself amounts to."""
    dims = "".join(f"[{length}]" for length in variable.dims)
    type_ = f"{variable.outer_type}{dims}"
    return Declaration(
        variable.name,
        "uniform" if variable.storage == "sampler" else variable.storage,
        type_,
        (Member("", type_, variable.precision),),
        invariant=variable.invariant,
        interpolation=variable.interpolation,
        span=variable.span,
    )
