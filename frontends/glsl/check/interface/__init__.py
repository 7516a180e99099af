"""What goes into a shader and comes out of it: storage by stage, and the types and qualifiers of each storage.

GLSL ES 1.00 sections 4.3.3 to 4.3.5, GLSL ES 3.00 sections 4.3.4, 4.3.6 and 4.3.9, GLSL 1.50 section 4.3.
"""

from __future__ import annotations

from typing import cast

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.ast import Qualifiers
from glslc_multi.frontends.glsl.check.context import Context
from glslc_multi.frontends.glsl.check.precision import PRECISIONS
from glslc_multi.frontends.glsl.symbols import Interpolation, Stage, Storage, VariableSymbol
from glslc_multi.frontends.glsl.types import ERROR, ArrayType, GlslType, NumericType, StructType

_STORAGE_WORDS = ("attribute", "uniform", "varying")
INTERPOLATIONS = ("smooth", "flat", "noperspective")
#: What `in` and `out` mean at global scope.
_DIRECTIONS: dict[tuple[Stage, str], Storage] = {
    ("vertex", "in"): "attribute",
    ("vertex", "out"): "varying",
    ("geometry", "in"): "attribute",
    ("geometry", "out"): "varying",
    ("fragment", "in"): "varying",
    ("fragment", "out"): "output",
}
#: Storage of a global variable -> the qualifiers it takes, and its name in messages.
_QUALIFIERS: dict[Storage, tuple[frozenset[str], str]] = {
    "attribute": (frozenset({"layout", "attribute", "in", *PRECISIONS}), "attributes"),
    "uniform": (frozenset({"layout", "uniform", *PRECISIONS}), "uniforms"),
    "varying": (
        frozenset({"layout", "invariant", "varying", "in", "out", "centroid", *INTERPOLATIONS, *PRECISIONS}),
        "varyings",
    ),
    "output": (frozenset({"layout", "invariant", "out", *PRECISIONS}), "outputs of fragment shaders"),
    "const": (frozenset({"const", *PRECISIONS}), "constants"),
    "local": (frozenset(PRECISIONS), "global variables"),
}


def storage_of(ctx: Context, qualifiers: Qualifiers) -> Storage:
    """The storage class that a declaration's qualifiers give to its variables."""
    word = qualifiers.find(*_STORAGE_WORDS)
    if word is not None:
        return cast(Storage, word[0])
    direction = qualifiers.find("in", "out") if ctx.scopes.is_global and ctx.has("in and out") else None
    if direction is not None:
        return _DIRECTIONS[ctx.stage, direction[0]]
    return "local" if qualifiers.find("const") is None else "const"


def qualifiers_of(ctx: Context, storage: Storage, qualifiers: Qualifiers) -> tuple[frozenset[str], str]:
    """The qualifiers that a global variable of this storage takes here, and what it is called."""
    allowed, what = _QUALIFIERS[storage]
    if storage == "attribute":
        if ctx.stage != "vertex" and ctx.primitive is None:
            return allowed - {"attribute"}, f"variables of {ctx.stage} shaders"
        what = "inputs of vertex shaders" if ctx.has("in and out") else what
    elif storage == "varying" and ctx.has("in and out"):
        what = f"{storage_word(ctx, storage)}s of {ctx.stage} shaders"
        if qualifiers.find("varying"):
            # GLSL 1.30 section 4.3.7: the words for interpolation are for `in` and `out` alone.
            return allowed - {*INTERPOLATIONS}, "what is declared 'varying'"
        if not is_writable(ctx, storage) and not ctx.has("invariant inputs"):
            allowed -= {"invariant"}
    return allowed, what


def storage_word(ctx: Context, storage: Storage) -> str:
    """What the language calls a variable of this storage."""
    if storage in ("attribute", "varying") and ctx.has("in and out"):
        return "output" if is_writable(ctx, storage) else "input"
    return "variable" if storage == "local" else storage


def is_writable(ctx: Context, storage: Storage) -> bool:
    if storage == "varying":
        return ctx.stage != "fragment"
    return storage not in ("const", "attribute", "uniform")


def interpolation_of(qualifiers: Qualifiers) -> tuple[Interpolation, bool]:
    """How a varying is interpolated, and whether at its centroid."""
    word = qualifiers.find(*INTERPOLATIONS)
    return cast(Interpolation, word[0]) if word is not None else "", qualifiers.find("centroid") is not None


# ------------------------------------------------------------------------------------------- types
def check_interface_type(ctx: Context, symbol: VariableSymbol) -> None:
    """Report a type that a variable of this storage cannot have."""
    if symbol.type is ERROR:
        return
    if symbol.storage == "attribute" and ctx.primitive is not None:
        _check_primitive_input(ctx, symbol, ctx.primitive.vertices)
    elif not takes_type(ctx, symbol.storage, symbol.type):
        word = storage_word(ctx, symbol.storage)
        ctx.sink.report(names.STORAGE_TYPE, symbol.span, storage=word, name=symbol.name, type=symbol.type)
        symbol.type = ERROR
    elif symbol.storage == "varying":
        require_flat(ctx, symbol.storage, symbol.name, symbol.span, symbol.type, symbol.interpolation)


def require_flat(
    ctx: Context, storage: Storage, name: str, span: Span | None, type_: GlslType, interpolation: Interpolation
) -> None:
    """Ints are not interpolated: what holds them is flat (GLSL ES 3.00 sections 4.3.4 and 4.3.6)."""
    if interpolation == "flat" or not type_.contains_integer:
        return
    if ctx.stage == "fragment" or ctx.has("flat integer outputs"):
        word = storage_word(ctx, storage)
        ctx.sink.report(names.FLAT_NEEDED, span, help=f"write 'flat' before '{word[:-3]}'", name=name, type=type_)


def _check_primitive_input(ctx: Context, symbol: VariableSymbol, vertices: int) -> None:
    """What a geometry shader gets has an element for each vertex of the primitive."""
    type_ = symbol.type
    if isinstance(type_, ArrayType) and type_.length == vertices and takes_type(ctx, "attribute", type_.element):
        return
    ctx.sink.report(names.PRIMITIVE_INPUT, symbol.span, name=symbol.name, expected=vertices, found=type_)
    symbol.type = ERROR


def takes_type(ctx: Context, storage: Storage, type_: GlslType) -> bool:
    """Whether variables of this storage can have the type."""
    if storage == "uniform":
        return True
    if type_.contains_sampler:
        return False
    if storage == "attribute":
        element = _element(type_) if ctx.has("input arrays") else type_
        return isinstance(element, NumericType) and element.base in _bases(ctx)
    if storage == "varying":
        if isinstance(_element(type_), StructType):
            if not ctx.has("structures between stages"):
                return False
            if ctx.has("nesting between stages"):
                return _is_nested_varying(ctx, type_)
            # GLSL ES 3.00 section 4.3.4: a plain structure of plain members.
            return isinstance(type_, StructType) and all(_is_plain(ctx, field.type) for field in type_.fields)
        return _is_plain(ctx, _element(type_))
    if storage == "output":
        element = _element(type_)
        return isinstance(element, NumericType) and not element.is_matrix and element.base != "bool"
    return True


def _is_nested_varying(ctx: Context, type_: GlslType) -> bool:
    element = _element(type_)
    if isinstance(element, StructType):
        return all(_is_nested_varying(ctx, field.type) for field in element.fields)
    return _is_plain(ctx, element)


def _is_plain(ctx: Context, type_: GlslType) -> bool:
    return isinstance(type_, NumericType) and type_.base in _bases(ctx)


def _element(type_: GlslType) -> GlslType:
    return type_.element if isinstance(type_, ArrayType) else type_


def _bases(ctx: Context) -> tuple[str, ...]:
    return ("float", "int", "uint") if ctx.has("integer interface") else ("float",)
