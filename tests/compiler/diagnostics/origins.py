"""Spans with chains of origins, one link after the other."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.span import Origin, Span


def with_origin(span: Span, origin: Origin) -> Span:
    """The same place with `origin` as the outermost (last) link of its chain."""
    for inner in reversed(list(span.origins())):
        origin = Origin(inner.kind, inner.name, inner.span.with_chain(origin))
    return span.with_chain(origin)
