"""Qualifiers before a declaration: which may stand there, in which order.

GLSL ES 1.00 sections 4.3 to 4.7, GLSL ES 3.00 sections 4.3 to 4.8.
"""

from __future__ import annotations

from itertools import pairwise

from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.ast import Qualifiers
from glslc_multi.frontends.glsl.check.context import Context
from glslc_multi.frontends.glsl.foreign import qualifier_help

#: Section 4.7 (GLSL ES 3.00: 4.8): the order of kinds in a variable's declaration; at most one word of each kind.
_VARIABLE_KINDS: dict[str, str] = {
    "invariant": "invariant",
    **dict.fromkeys(("smooth", "flat", "noperspective"), "interpolation"),
    "layout": "layout",
    "centroid": "auxiliary",
    **dict.fromkeys(("const", "attribute", "uniform", "varying"), "storage"),
    **dict.fromkeys(("in", "out", "inout"), "direction"),
    **dict.fromkeys(("lowp", "mediump", "highp"), "precision"),
}
_ORDER = ("invariant", "interpolation", "layout", "auxiliary", "storage", "direction", "precision")


def check_qualifiers(ctx: Context, qualifiers: Qualifiers, allowed: frozenset[str], what: str) -> bool:
    """Whether every word may be used on `what` ("local variables"), in the fixed order, one of a kind."""
    words = qualifiers.words
    if ctx.has("any location"):
        words = [(word, span) for word, span in words if word != "layout"]
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
