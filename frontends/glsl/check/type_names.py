"""What a type's name and brackets mean (GLSL ES 3.00 sections 4.1.8 and 4.1.9), in declarations and constructors.

In desktop GLSL an array, also one in an interface block, may be declared without a size: another declaration gives it
one, or the largest index does.  Until then only elements with constant indices can be named.  What the tree says of the
array's type is put right when the size is known.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Fix, Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.compiler.diagnostics.suggest import suggestion
from glslc_multi.frontends.glsl import fixed_function
from glslc_multi.frontends.glsl.ast import Expression, Field, Index, Name, TypeSpecifier
from glslc_multi.frontends.glsl.builtins import DEPTH_RANGE
from glslc_multi.frontends.glsl.check.context import Context, declared_at
from glslc_multi.frontends.glsl.foreign import type_help
from glslc_multi.frontends.glsl.language.extensions import owner_of
from glslc_multi.frontends.glsl.symbols import Storage, VariableSymbol
from glslc_multi.frontends.glsl.types import (
    ERROR,
    KEYWORD_TYPES,
    SAMPLER_EXTERNAL,
    UNSIZED,
    VOID,
    ArrayType,
    BlockType,
    GlslType,
    NumericType,
    StructField,
    StructType,
)

#: More elements than any target could hold; bounds the work on one declaration.
LARGEST_TYPE = 65536


def named_type(ctx: Context, specifier: TypeSpecifier) -> GlslType:
    """The type that the name of `specifier` stands for; reports where there is none."""
    name = specifier.name
    keyword_type = ctx.keyword_types.get(name)
    if keyword_type is not None:
        return keyword_type
    symbol = ctx.scopes.find(name)
    if isinstance(symbol, StructType):
        return symbol
    added = SAMPLER_EXTERNAL if name == str(SAMPLER_EXTERNAL) else KEYWORD_TYPES.get(name)
    owner = owner_of(name, ctx.language.number)
    if added is not None and owner and symbol is None:
        return added if ctx.require_extension(name, owner, specifier.span) else ERROR
    if name == DEPTH_RANGE.name:
        return DEPTH_RANGE
    if ctx.has_fixed_functions and (fixed := fixed_function.structure(name)) is not None:
        return fixed
    if not ctx.may_be_lost(specifier.span) and ctx.first_report(name):
        structures = [n for n, s in ctx.scopes.visible() if isinstance(s, StructType)]
        labels = declared_at(symbol.span, f"'{name}' is no type here") if symbol is not None else ()
        help_, fixes = type_help(name, ctx.language), tuple[Fix, ...]()
        if help_ is None:
            help_, fixes = suggestion(name, [*structures, *ctx.keyword_types], specifier.span)
        ctx.sink.report(names.UNKNOWN_TYPE, specifier.span, labels=labels, help=help_, fixes=fixes, name=name)
    return ERROR


def array_of(ctx: Context, element: GlslType, size: Expression | None, span: Span) -> GlslType:
    """An array of `element`, whose `size` has been checked; unsized without one, ERROR where that was reported."""
    if element is VOID:
        ctx.sink.report(names.VOID_VARIABLE, span, name="element")
        return ERROR
    if isinstance(element, ArrayType):
        ctx.sink.report(names.ARRAY_OF_ARRAYS, span)
        return ERROR
    if size is None:
        return ArrayType(element, UNSIZED)
    length = array_length(ctx, size)
    return ERROR if length is None or element is ERROR else ArrayType(element, length)


def array_length(ctx: Context, size: Expression) -> int | None:
    if size.type is ERROR:
        return None
    is_integer = isinstance(size.type, NumericType) and size.type.is_integer and size.type.is_scalar
    if not is_integer or size.constant is None:
        ctx.sink.report(names.ARRAY_SIZE_NOT_CONSTANT, size.span)
        return None
    length = int(size.constant[0])
    if not 1 <= length <= LARGEST_TYPE:
        ctx.sink.report(names.ARRAY_SIZE_RANGE, size.span, size=length)
        return None
    return length


# ------------------------------------------------------------------------------- arrays without a size
def resized(ctx: Context, name: str, type_: ArrayType, storage: Storage, span: Span) -> VariableSymbol | None:
    """The variable without a size that `name` is declared as here, where `type_` declares it again."""
    symbol = ctx.scopes.find_here(name)
    if not isinstance(symbol, VariableSymbol) or symbol.storage != storage or symbol.block is not None:
        return None
    if symbol.type != ArrayType(type_.element, UNSIZED):
        return None
    if not type_.is_unsized:
        uses = ctx.unsized.pop(symbol, [])
        for use in uses:
            use.base.type = type_
            index = use.index.constant
            if index is not None and index[0] >= type_.length:
                labels = declared_at(span)
                last = type_.length - 1
                ctx.sink.report(
                    messages.INDEX_RANGE, use.index.span, labels=labels, index=index[0], type=type_, last=last
                )
        symbol.type = type_
    return symbol


def check_element(ctx: Context, e: Index) -> None:
    """Annotate an element of an array without a size; its index is checked."""
    array = _declared_array(e.base)
    if array is None or e.index.constant is None:
        require_size(ctx, e.base)
        return
    assert isinstance(array.type, ArrayType)
    length = int(e.index.constant[0]) + 1
    if not 1 <= length <= LARGEST_TYPE:
        ctx.sink.report(names.ARRAY_SIZE_RANGE, e.index.span, size=length)
        return
    e.type = array.type.element
    ctx.unsized.setdefault(array, []).append(e)


def _declared_array(e: Expression) -> VariableSymbol | StructField | None:
    """The variable, or the member of a block with an instance, that `e` names."""
    if isinstance(e, Name):
        return e.symbol
    return e.base.type.field(e.name) if isinstance(e, Field) and isinstance(e.base.type, BlockType) else None


def require_size(ctx: Context, expression: Expression) -> bool:
    """Whether `expression`, which is used as a whole, is no array whose size is unknown; reports one."""
    if not expression.type.is_unsized:
        return True
    ctx.sink.report(messages.UNSIZED_ARRAY, expression.span)
    expression.type = ERROR
    return False


def give_sizes(ctx: Context) -> None:
    """At the end of the shader: as many elements as are named."""
    for array, uses in ctx.unsized.items():
        assert isinstance(array.type, ArrayType)
        lengths = [int(use.index.constant[0]) + 1 for use in uses if use.index.constant is not None]
        array.type = ArrayType(array.type.element, max(lengths, default=1))
        for use in uses:
            use.base.type = array.type
        if isinstance(array, VariableSymbol) and array.block is not None:
            member = array.block.type.field(array.name)
            assert member is not None
            member.type = array.type
