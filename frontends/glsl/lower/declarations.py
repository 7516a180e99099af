"""The shader's interface as the text declares it, for the linker (see `compiler/ir/declarations.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler.ir.declarations import Declaration, Member
from frontends.glsl.lower.interface import interface_storage
from frontends.glsl.symbols import Stage, VariableSymbol
from frontends.glsl.types import ArrayType, GlslType, Precision, StructType


def declarations(symbols: Iterable[VariableSymbol], stage: Stage, *, all_invariant: bool) -> Iterator[Declaration]:
    """The declarations of the global variables that are not private to the stage."""
    for symbol in symbols:
        storage = interface_storage(symbol)
        if storage == "local":
            continue
        # `#pragma STDGL invariant(all)` is about what a stage writes (section 4.6.1).
        is_written = storage == "output" or (storage == "varying" and stage != "fragment")
        yield Declaration(
            symbol.name,
            storage,
            str(symbol.type),
            tuple(_members("", symbol.type, symbol.precision)),
            is_used=symbol.used or symbol.written,
            invariant=symbol.invariant or (all_invariant and is_written),
            span=symbol.span,
        )


def _members(path: str, type_: GlslType, precision: Precision | None) -> Iterator[Member]:
    if isinstance(type_, ArrayType):
        yield Member(path, str(type_))
        yield from _members(f"{path}[]", type_.element, precision)
    elif isinstance(type_, StructType):
        yield Member(path, str(type_))
        for field in type_.fields:
            yield from _members(f"{path}.{field.name}", field.type, field.precision)
    else:
        yield Member(path, str(type_), precision or "")
