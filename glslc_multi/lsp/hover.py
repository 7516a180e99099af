"""What hovering over a place shows: the declaration or type, the precision, and what it costs on the chosen targets.

In: an analysis, a place, and the costs as far as they are known.  Out: Markdown.  What a built-in function becomes
are the words of the very call, as each target has made them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.editor.highlight import Piece
from glslc_multi.frontends.glsl import ast, builtins
from glslc_multi.frontends.glsl.library.functions import functions_of
from glslc_multi.frontends.glsl.symbols import BuiltinFunction, VariableSymbol
from glslc_multi.frontends.glsl.types import ERROR
from glslc_multi.frontends.glsl.walk import walk
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.costs import Cost, Place
from glslc_multi.lsp.describe import constant_text, declaration, precision_of, signature
from glslc_multi.lsp.occurrences import Occurrence

#: Of the words of a call, as many are shown for each target.
_MOST_WORDS = 6


def hover(analysis: Analysis, line: int, column: int, costs: Sequence[Cost]) -> lsp.Hover | None:
    """What is known of a place."""
    piece = piece_at(analysis, line, column)
    if piece is None or piece.kind == "comment":
        return None
    found = analysis.occurrences.at(analysis.file, line, column)
    if found is not None and not found.is_expanded:
        parts = [*_of_name(found, analysis), *_costs(_cost_span(found), found, analysis, costs)]
    else:
        parts = list(_of_word(piece, line, analysis)) or list(_of_expression(analysis, line, column, costs))
    if not parts:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n".join(parts))
    return lsp.Hover(content, analysis.lines.range_at(piece.start, piece.end))


def piece_at(analysis: Analysis, line: int, column: int) -> Piece | None:
    """What is written at a place; where two pieces meet, a word before an operator."""
    offset = analysis.lines.offset_of(line, column)
    touched = [piece for piece in analysis.pieces if piece.start <= offset <= piece.end]
    words = [piece for piece in touched if piece.text[:1].isalnum() or piece.text[:1] == "_"]
    return next(iter(words or touched[-1:]), None)


def _code(text: str) -> str:
    return f"```glsl\n{text}\n```"


# ------------------------------------------------------------------------------------ what it is
def _of_name(found: Occurrence, analysis: Analysis) -> Iterator[str]:
    yield _code(declaration(found.symbol, analysis.language, analysis.stage))
    if isinstance(found.symbol, BuiltinFunction):
        others = len(functions_of(found.symbol.name, analysis.language.number)) - 1
        yield f"built-in function{_plural(others, ', {} more overload')}"
    elif isinstance(found.symbol, VariableSymbol) and found.symbol.span is None:
        yield "built-in variable"
    if isinstance(found.node, ast.Expression):
        yield from _facts(found.node)


def _of_word(piece: Piece, line: int, analysis: Analysis) -> Iterator[str]:
    """A macro, or a name of the language where the tree knows nothing of it."""
    macro = analysis.macros.find(piece.text, analysis.file, line)
    if macro is not None and piece.kind != "directive":
        yield _code(macro.line)
    elif piece.kind == "function":
        overloads = [f for f in functions_of(piece.text, analysis.language.number) if analysis.stage in f.stages]
        if overloads:
            yield _code("\n".join(signature(function, analysis.language) for function in overloads))
    elif piece.text.startswith("gl_"):
        symbol = builtins.variable(piece.text, analysis.language, analysis.stage)
        if symbol is not None:
            yield _code(declaration(symbol, analysis.language, analysis.stage))


def _of_expression(analysis: Analysis, line: int, column: int, costs: Sequence[Cost]) -> Iterator[str]:
    node = _innermost(analysis, line, column)
    if node is None or node.type is ERROR:
        return
    yield _code(str(node.type))
    yield from _facts(node)
    yield from _costs(node.span, None, analysis, costs)


def _facts(node: ast.Expression) -> Iterator[str]:
    precision = precision_of(node)
    if precision is not None:
        yield f"computed in {precision}"
    if node.constant is not None and not isinstance(node, ast.LiteralValue):
        yield f"constant: {constant_text(node.constant)}"


def _innermost(analysis: Analysis, line: int, column: int) -> ast.Expression | None:
    """The smallest expression around a place."""
    innermost: ast.Expression | None = None
    for node in walk(analysis.unit) if analysis.unit is not None else ():
        if isinstance(node, ast.Expression) and _holds(node.span, analysis, line, column):
            innermost = node
    return innermost


def _holds(span: Span, analysis: Analysis, line: int, column: int) -> bool:
    is_here = span.file is analysis.file and span.origin is None
    return is_here and (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


# -------------------------------------------------------------------------------- what it costs
def _cost_span(found: Occurrence) -> Span:
    """What the cost of a name is that of: the whole call, the whole declaration of a function or variable."""
    if isinstance(found.node, ast.Call | ast.FunctionDeclaration | ast.Declarator | ast.Field):
        return found.node.span
    return found.span


def _costs(span: Span, found: Occurrence | None, analysis: Analysis, costs: Sequence[Cost]) -> Iterator[str]:
    if span.file is not analysis.file or not costs:
        return
    where = (span.file.name, span.line, span.column, span.end_line, span.end_column)
    is_call = found is not None and isinstance(found.node, ast.Call)
    yield "\n".join(_line(cost, where, found, is_call) for cost in costs)


def _line(cost: Cost, where: Place, found: Occurrence | None, shows_words: bool) -> str:
    """One target in a list."""
    if not cost.fits:
        return f"- `{cost.target}`: does not fit: {cost.remark}"
    words = cost.words_of(where)
    of_line = f" of {len(cost.words_of_line(where[0], where[1]))} in this line" if where[1] == where[3] else ""
    text = f"- `{cost.target}`: {_plural(len(words), '{} word') or 'no word'}{of_line}"
    register = (cost.registers or {}).get(getattr(found.symbol, "name", "")) if found is not None else None
    text += f", in {register}" if register else ""
    if not shows_words or not words:
        return text
    rest = len(words) - _MOST_WORDS
    shown = [word.text for word in words[:_MOST_WORDS]] + ([f"… {rest} more"] if rest > 0 else [])
    return "\n".join([text, "", "  ```", *(f"  {word}" for word in shown), "  ```"])


def _plural(count: int, text: str) -> str:
    return "" if not count else text.format(count) + ("s" if count != 1 else "")
