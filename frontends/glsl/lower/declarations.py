"""The shader's interface as the text declares it, for the linker (see `compiler/ir/declarations.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from glslc_multi.compiler.ir.declarations import Declaration, Member, Number
from glslc_multi.compiler.shading.members import members_of
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.check import CheckedShader
from glslc_multi.frontends.glsl.lower.interface import interface_storage
from glslc_multi.frontends.glsl.symbols import BlockSymbol, Interpolation, VariableSymbol
from glslc_multi.frontends.glsl.types import ArrayType, GlslType, NumericType, StructType


def declarations(symbols: Iterable[VariableSymbol], checked: CheckedShader) -> Iterator[Declaration]:
    """The declarations of the global variables that are not private to the stage."""
    # Where `invariant gl_Position;` names a variable: the only spot where a built-in one has in the text.
    redeclared = {
        symbol: span
        for statement in checked.unit.declarations
        if isinstance(statement, ast.InvariantDeclaration)
        for symbol, (_, span) in zip(statement.symbols, statement.names, strict=True)
    }
    all_count = checked.language.has("unused uniforms agree")
    for symbol in symbols:
        storage = interface_storage(symbol, checked.stage)
        if storage == "local" or (symbol.block is not None and storage == "varying"):
            continue
        # `#pragma STDGL invariant(all)` is about what a stage writes (section 4.6.1).
        is_written = storage == "output" or (storage == "varying" and checked.stage != "fragment")
        yield Declaration(
            symbol.outer_name,
            storage,
            _spelled_type(symbol),
            tuple(_declared_members(symbol)),
            is_used=symbol.used or symbol.written or (storage == "uniform" and all_count),
            invariant=_invariance(symbol, checked, is_written),
            interpolation=_interpolation(symbol.interpolation, symbol.centroid, checked),
            is_centroid=symbol.centroid,
            keyword=_keyword(checked),
            defaults=_defaults(symbol),
            span=symbol.span or redeclared.get(symbol),
        )
    yield from (_of_block(block, checked) for block in checked.blocks if block.storage == "varying")


def _invariance(symbol: VariableSymbol, checked: CheckedShader, is_written: bool) -> bool | None:
    """None where only outputs can be invariant, so that the stages have nothing to agree on."""
    if symbol.storage == "varying" and not checked.language.has("invariant inputs"):
        return None
    return symbol.invariant or (checked.all_invariant and is_written)


def _interpolation(word: Interpolation, centroid: bool, checked: CheckedShader) -> str:
    """`smooth` is what varyings are anyway."""
    if not word and not centroid:
        return ""
    is_asked = centroid and checked.language.has("matching centroid")
    return " ".join(["" if word == "smooth" else word] + ["centroid"] * is_asked).strip()


def _keyword(checked: CheckedShader) -> str:
    return "out" if checked.language.has("in and out") else "varying"


def _of_block(block: BlockSymbol, checked: CheckedShader) -> Declaration:
    """A block that flows between stages; whether it has an instance name is the business of each stage."""
    used = [symbol for symbol in checked.globals if symbol.block is block and (symbol.used or symbol.written)]
    words = (f"{name}: {_interpolation(*words, checked)}" for name, words in block.interpolations.items() if any(words))
    return Declaration(
        block.name,
        "varying",
        block.name,
        tuple(members_of("", block.type if block.length is None else ArrayType(block.type, block.length), None)),
        is_used=bool(used),
        invariant=None,
        interpolation=", ".join(words),
        keyword=_keyword(checked),
        span=block.span,
    )


def _defaults(symbol: VariableSymbol) -> tuple[tuple[str, tuple[Number, ...]], ...]:
    """The numbers of a uniform's initializer, by leaf."""
    if symbol.default is None:
        return ()
    found: dict[str, list[Number]] = {}
    _spread(symbol.outer_name, symbol.type, iter(symbol.default), found)
    return tuple((name, tuple(numbers)) for name, numbers in found.items())


def _spread(path: str, type_: GlslType, numbers: Iterator[Number], found: dict[str, list[Number]]) -> None:
    """Take the numbers of a value, which are in the order of its parts, to the leaves."""
    if isinstance(type_, ArrayType):
        for _ in range(type_.length):
            _spread(f"{path}[]", type_.element, numbers, found)
    elif isinstance(type_, StructType):
        for field in type_.fields:
            _spread(f"{path}.{field.name}", field.type, numbers, found)
    elif isinstance(type_, NumericType):
        # `float a[3]` is the leaf `a`, as in `types.leaves`.
        found.setdefault(path.removesuffix("[]"), []).extend(islice(numbers, type_.columns * type_.rows))


def _spelled_type(symbol: VariableSymbol) -> str:
    """The type; a length that follows from the uses is no part of it."""
    if symbol.sized_by_use and isinstance(symbol.type, ArrayType):
        return f"{symbol.type.element}[]"
    return str(symbol.type)


def _declared_members(symbol: VariableSymbol) -> Iterator[Member]:
    members = members_of("", symbol.type, symbol.precision)
    if symbol.sized_by_use:
        next(members)
        yield Member("", _spelled_type(symbol))
    yield from members
