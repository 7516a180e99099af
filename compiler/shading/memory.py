"""Making the IR variables that variables of a language live in, with names unique in the module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir import variables as ir
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.shading.lvalues import LeafMemory, Slot
from glslc_multi.compiler.shading.operand import column_type
from glslc_multi.compiler.shading.types import ArrayType, NumericType, Precision, ShaderType, StructType, leaves


class Names:
    """Names given so far. A second `i` becomes `i$1`; `$` occurs in no GLSL name."""

    __slots__ = ("_counts",)

    def __init__(self, reserved: Iterable[str]) -> None:
        self._counts = dict.fromkeys(reserved, 0)

    def is_taken(self, name: str) -> bool:
        return name in self._counts

    def unique(self, name: str) -> str:
        if name not in self._counts:
            self._counts[name] = 0
            return name
        self._counts[name] += 1
        return self.unique(f"{name}${self._counts[name]}")


@dataclass(frozen=True, slots=True)
class LeafShape:
    """One leaf of a variable's type as the IR declares it."""

    path: str
    type: ShaderType
    dims: tuple[int, ...]
    precision: Precision | None

    @property
    def columns(self) -> int:
        return self.type.columns if isinstance(self.type, NumericType) else 1

    @property
    def is_unsigned(self) -> bool:
        return isinstance(self.type, NumericType) and self.type.base == "uint"

    def variable(self, name: str, storage: ir.Storage, span: Span | None) -> ir.Variable:
        """An IR variable of this shape, called `name` plus the leaf's path."""
        return ir.Variable(
            f"{name}{self.path}",
            storage,
            column_type(self.type),
            columns=self.columns,
            dims=self.dims,
            precision=self.precision or "",
            source_kind="uint" if storage != "local" and self.is_unsigned else None,
            span=span,
        )


def leaf_shapes(type_: ShaderType, precision: Precision | None) -> Iterator[LeafShape]:
    """The leaves of a variable declared with `type_` and `precision`."""
    for leaf, own in zip(leaves(type_), _leaf_precisions(type_, precision), strict=True):
        yield LeafShape(leaf.path, leaf.type, leaf.dims, own)


def local_slot(
    name: str,
    type_: ShaderType,
    precision: Precision | None,
    span: Span | None,
    register: Callable[[ir.Variable], object],
) -> Slot:
    """Fresh `local` memory for a value of any type that holds no sampler."""
    memories = []
    for shape in leaf_shapes(type_, precision):
        variable = shape.variable(name, "local", span)
        register(variable)
        memories.append(LeafMemory(variable))
    return Slot(tuple(memories))


def _leaf_precisions(type_: ShaderType, precision: Precision | None) -> Iterator[Precision | None]:
    """The precision of each leaf, in the order of `types.leaves`: a struct's members have their own."""
    if isinstance(type_, ArrayType):
        yield from _leaf_precisions(type_.element, precision)
    elif isinstance(type_, StructType):
        for field in type_.fields:
            yield from _leaf_precisions(field.type, field.precision)
    else:
        yield precision
