"""Declaring names: reserved ones, and redeclaration in one scope (GLSL ES 1.00 sections 3.7, 3.8 and 4.2.7).

And what other versions call otherwise: every use is replaced, so that the patch mends the mistake at once.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Fix, Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.check.context import Context, declared_at, describe
from glslc_multi.frontends.glsl.check.scopes import Symbol
from glslc_multi.frontends.glsl.language import renames

_WEBGL_PREFIXES = ("webgl_", "_webgl_")


def declare(ctx: Context, name: str, span: Span, symbol: Symbol) -> None:
    """Let `name` stand for `symbol` in the innermost scope; reports where that is not allowed.

    After a conflict the new declaration stands, and uses of the name in its old meaning stay quiet.
    """
    check_name(ctx, name, span)
    previous = ctx.scopes.find_here(name)
    if previous is not None:
        labels = declared_at(previous.span)
        ctx.sink.report(names.REDECLARED, span, labels=labels, name=name, what=describe(previous))
        ctx.first_report(name)
    elif ctx.blocks and ctx.scopes.is_global:
        # At global scope, the name of a block means nothing else (GLSL ES 3.00 section 4.3.7).
        block = next((block for (_, known), block in ctx.blocks.items() if known == name), None)
        if block is not None:
            ctx.sink.report(names.REDECLARED, span, labels=declared_at(block.span), name=name, what="block")
    ctx.scopes.declare(name, symbol)


def check_name(ctx: Context, name: str, span: Span) -> None:
    """Report `name` where it is reserved."""
    if name.startswith("gl_"):
        ctx.sink.report(names.RESERVED_PREFIX, span, prefix="gl_")
    elif name.startswith(_WEBGL_PREFIXES):
        prefix = next(p for p in _WEBGL_PREFIXES if name.startswith(p))
        ctx.sink.report(names.WEBGL_NAME, span, prefix=prefix)
    elif "__" in name:
        ctx.sink.report(names.RESERVED_UNDERSCORES, span)


# --------------------------------------------------------------------------- names of other versions
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


def _uses(ctx: Context, name: str) -> list[Span]:
    """Where the text itself has the name: what comes from a macro is left to the reader."""
    tokens = ctx.tokens
    positions = (position for position, text in enumerate(tokens.texts) if text == name)
    return [tokens.span(position) for position in positions if position not in tokens.expansions]
