"""Arrays without a size (GLSL 1.20 section 4.1.9): another declaration gives them one, or the largest index does.

Until then only elements with constant indices can be named.  What the tree says of the array's type is put right when
the size is known.
"""

from __future__ import annotations

from compiler.diagnostics import Span
from compiler.diagnostics.catalogue import names
from compiler.diagnostics.catalogue import types as messages
from frontends.glsl.ast import Expression, Index, Name
from frontends.glsl.check.context import Context, declared_at
from frontends.glsl.check.type_names import LARGEST_TYPE, is_unsized
from frontends.glsl.symbols import Storage, VariableSymbol
from frontends.glsl.types import ERROR, ArrayType, GlslType


def resized(ctx: Context, name: str, type_: GlslType, storage: Storage, span: Span) -> VariableSymbol | None:
    """The variable without a size that `name` is declared as here, where `type_` declares it again."""
    symbol = ctx.scopes.find_here(name)
    if not isinstance(symbol, VariableSymbol) or not isinstance(type_, ArrayType):
        return None
    old = symbol.type
    if (
        not isinstance(old, ArrayType)
        or not is_unsized(old)
        or (old.element, symbol.storage) != (type_.element, storage)
    ):
        return None
    if not is_unsized(type_):
        _give_size(ctx, symbol, type_, span)
    return symbol


def _give_size(ctx: Context, symbol: VariableSymbol, type_: ArrayType, span: Span) -> None:
    uses = ctx.unsized.pop(symbol, [])
    for use in uses:
        use.base.type = type_
        index = use.index.constant
        if index is not None and index[0] >= type_.length:
            labels = declared_at(span)
            last = type_.length - 1
            ctx.sink.report(messages.INDEX_RANGE, use.index.span, labels=labels, index=index[0], type=type_, last=last)
    symbol.type = type_


def check_element(ctx: Context, e: Index) -> None:
    """Annotate an element of an array without a size; its index is checked."""
    symbol = e.base.symbol if isinstance(e.base, Name) else None
    if symbol is None or e.index.constant is None:
        require_size(ctx, e.base)
        return
    assert isinstance(symbol.type, ArrayType)
    length = int(e.index.constant[0]) + 1
    if not 1 <= length <= LARGEST_TYPE:
        ctx.sink.report(names.ARRAY_SIZE_RANGE, e.index.span, size=length)
        return
    e.type = symbol.type.element
    ctx.unsized.setdefault(symbol, []).append(e)


def require_size(ctx: Context, expression: Expression) -> bool:
    """Whether `expression`, which is used as a whole, is no array whose size is unknown; reports one."""
    if not is_unsized(expression.type):
        return True
    ctx.sink.report(messages.UNSIZED_ARRAY, expression.span)
    expression.type = ERROR
    return False


def give_sizes(ctx: Context) -> None:
    """At the end of the shader: as many elements as are named."""
    for symbol, uses in ctx.unsized.items():
        assert isinstance(symbol.type, ArrayType)
        lengths = [int(use.index.constant[0]) + 1 for use in uses if use.index.constant is not None]
        symbol.type = ArrayType(symbol.type.element, max(lengths, default=1))
        for use in uses:
            use.base.type = symbol.type
