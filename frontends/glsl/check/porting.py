"""Fixes of what other versions have otherwise.

Every use of a name is replaced, so that the patch mends the mistake at once.
"""

from __future__ import annotations

from compiler.diagnostics import Fix, Span
from frontends.glsl.check.context import Context
from frontends.glsl.language import renames


def renaming(ctx: Context, name: str) -> tuple[Fix, ...]:
    """The edits that replace `name` by what this version has; none where it has nothing under another name."""
    new = renames.renamed(name, ctx.language)
    if new is not None:
        return tuple(Fix(span, new) for span in _uses(ctx, name))
    if name != "gl_FragColor" or ctx.stage != "fragment" or ctx.function is None:
        return ()
    place = ctx.function.span
    declaration = Fix(Span(place.file, place.line, 1, place.line, 1), f"{renames.COLOUR_DECLARATION}\n")
    return declaration, *(Fix(span, renames.COLOUR) for span in _uses(ctx, name))


def inserted_first(ctx: Context, text: str) -> tuple[Fix, ...]:
    """The edit that puts `text` before everything that is not a directive."""
    place = ctx.tokens.span(0)
    return (Fix(Span(place.file, place.line, 1, place.line, 1), text),)


def _uses(ctx: Context, name: str) -> list[Span]:
    """Where the text itself has the name: what comes from a macro is left to the reader."""
    tokens = ctx.tokens
    found = (position for position, text in enumerate(tokens.texts) if text == name)
    return [tokens.span(position) for position in found if position not in tokens.expansions]
