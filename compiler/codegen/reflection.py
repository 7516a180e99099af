"""Rows of a register map: variables of the source, literals, and the registers that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from struct import pack, unpack

from glslc_multi.compiler.artifact import Binding, Literal32, Location, Transform
from glslc_multi.compiler.codegen.interface import Part, is_in_rows, rows_or_columns
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import SourceKind, Variable
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.isa.spaces import INPUT_SPACES

#: How machines whose registers are floats get other kinds.
_AS_FLOATS: Mapping[SourceKind, Transform] = {"int": "int-to-float", "uint": "int-to-float", "bool": "bool-to-float"}


def binding(variable: Variable, locations: Iterable[Location]) -> Binding:
    """Bind a variable to what holds it."""
    length = variable.length if variable.is_array else None
    return Binding(variable.name, variable.outer_type, length, tuple(locations))


def bindings(space: str, numbers: Mapping[Part, int]) -> tuple[Binding, ...]:
    """Bind variables by the numbers of their columns, or of single components."""
    locations: dict[Variable, list[Location]] = {}
    for (variable, element, column, *component), number in numbers.items():
        letters = "x" if component else letters_of(variable)
        location = Location(space, number, letters, "identity", element, column, *component)
        locations.setdefault(variable, []).append(location)
    return tuple(binding(variable, each) for variable, each in locations.items())


def built_ins(module: Module, *, has_integers: bool = False) -> tuple[Binding, ...]:
    """Bind the inputs that the machine makes."""
    return tuple(
        binding(v, [Location(INPUT_SPACES[v.role], 0, letters_of(v), transform_of(v, has_integers=has_integers))])
        for v in module.of_storage("input")
    )


def letters_of(variable: Variable) -> str:
    """Name the components of a column; a sampler has none."""
    return "" if variable.type.is_sampler else COMPONENTS[: variable.type.width]


def transform_of(variable: Variable, *, has_integers: bool = False) -> Transform:
    """Return what becomes of the host's values on a machine that has floats alone, or integers, too."""
    if is_in_rows(variable):
        return "transpose"
    return "identity" if has_integers else _AS_FLOATS.get(variable.outer_kind, "identity")


def in_registers(space: str, variable: Variable, registers: Iterable[int]) -> Iterator[Location]:
    """List the registers of a uniform, of a matrix those of its columns, or of its rows where these are laid out."""
    letters = COMPONENTS[: variable.columns if is_in_rows(variable) else variable.type.width]
    for number, register in enumerate(registers):
        yield Location(space, register, letters, transform_of(variable), *divmod(number, rows_or_columns(variable)))


def literals(space: str, registers: Mapping[int, Sequence[float | None]]) -> Iterator[Literal32]:
    """List the components of registers that hold numbers, as patterns of float32."""
    for register, numbers in sorted(registers.items()):
        held = [(letter, number) for letter, number in zip(COMPONENTS, numbers, strict=True) if number is not None]
        words = tuple(unpack("<I", pack("<f", number))[0] for _, number in held)
        if held:
            yield Literal32(Location(space, register, "".join(letter for letter, _ in held)), words)
