"""The shader's interface as the text declares it, for the linker (see `compiler/ir/declarations.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler.diagnostics import Span
from compiler.ir.declarations import Declaration, Member
from frontends.glsl import ast
from frontends.glsl.check import CheckedShader
from frontends.glsl.lower.interface import interface_storage
from frontends.glsl.symbols import VariableSymbol
from frontends.glsl.types import ArrayType, GlslType, Precision, StructType


def declarations(symbols: Iterable[VariableSymbol], checked: CheckedShader) -> Iterator[Declaration]:
    """The declarations of the global variables that are not private to the stage."""
    redeclared = _redeclared(checked)
    for symbol in symbols:
        storage = interface_storage(symbol, checked.stage)
        if storage == "local":
            continue
        # `#pragma STDGL invariant(all)` is about what a stage writes (section 4.6.1).
        is_written = storage == "output" or (storage == "varying" and checked.stage != "fragment")
        yield Declaration(
            symbol.outer_name,
            storage,
            _spelled_type(symbol),
            tuple(_declared_members(symbol)),
            is_used=symbol.used or symbol.written,
            invariant=symbol.invariant or (checked.all_invariant and is_written),
            span=symbol.span or redeclared.get(symbol),
        )


def _redeclared(checked: CheckedShader) -> dict[VariableSymbol, Span]:
    """Where `invariant gl_Position;` names a variable: the only spot where a built-in one has in the text."""
    return {
        symbol: span
        for statement in checked.unit.declarations
        if isinstance(statement, ast.InvariantDeclaration)
        for symbol, (_, span) in zip(statement.symbols, statement.names, strict=True)
    }


def _spelled_type(symbol: VariableSymbol) -> str:
    """The type; a length that follows from the uses is no part of it."""
    if symbol.sized_by_use and isinstance(symbol.type, ArrayType):
        return f"{symbol.type.element}[]"
    return str(symbol.type)


def _declared_members(symbol: VariableSymbol) -> Iterator[Member]:
    members = _members("", symbol.type, symbol.precision)
    if symbol.sized_by_use:
        next(members)
        yield Member("", _spelled_type(symbol))
    yield from members


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
