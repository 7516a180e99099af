"""Qualifiers before a declaration: which may stand there, in which order (GLSL ES 1.00 sections 4.3 to 4.7)."""

from __future__ import annotations

from itertools import pairwise

from compiler.diagnostics.catalogue import names
from frontends.glsl.ast import Expression, Qualifiers
from frontends.glsl.check.context import Context
from frontends.glsl.check.expressions import check_value
from frontends.glsl.foreign import qualifier_help
from frontends.glsl.types import ERROR, INT

#: Section 4.7: the order of kinds in a variable's declaration; at most one word of each kind.
_VARIABLE_KINDS: dict[str, str] = {
    "invariant": "invariant",
    **dict.fromkeys(("const", "attribute", "uniform", "varying"), "storage"),
    **dict.fromkeys(("in", "out", "inout"), "direction"),
    **dict.fromkeys(("lowp", "mediump", "highp"), "precision"),
}
_ORDER = ("layout", "invariant", "storage", "direction", "precision")


def check_qualifiers(ctx: Context, qualifiers: Qualifiers, allowed: frozenset[str], what: str) -> bool:
    """Whether every word may be used on `what` ("local variables"), in the fixed order, one of a kind."""
    words = [(word, span) for word, span in qualifiers.words if word != "layout"]
    for (first, _), (second, span) in pairwise(words):
        rank, next_rank = (_ORDER.index(_VARIABLE_KINDS[word]) for word in (first, second))
        if rank == next_rank:
            ctx.sink.report(names.QUALIFIER_CONFLICT, span, first=first, second=second)
            return False
        if rank > next_rank:
            ctx.sink.report(names.QUALIFIER_ORDER, span, later=second, earlier=first)
            return False
    for word, span in qualifiers.words:
        if word not in allowed:
            help_ = qualifier_help(ctx.stage, word) if ctx.scopes.is_global else None
            ctx.sink.report(names.QUALIFIER_NOT_ALLOWED, span, help=help_, qualifier=word, what=what)
            return False
    return True


def read_location(ctx: Context, qualifiers: Qualifiers) -> int | None:
    """The n of `layout(location = n)`."""
    location = None
    for name, value, span in qualifiers.layout:
        if name != "location":
            ctx.sink.report(names.UNKNOWN_LAYOUT, span, help="use 'location = n'", name=name)
        elif value is None:
            ctx.sink.report(names.BAD_LOCATION, span)
        else:
            location = _location_value(ctx, value)
    return location


def _location_value(ctx: Context, value: Expression) -> int | None:
    type_ = check_value(ctx, value)
    if type_ is ERROR:
        return None
    if type_ is not INT or value.constant is None or value.constant[0] < 0:
        ctx.sink.report(names.BAD_LOCATION, value.span)
        return None
    return int(value.constant[0])
