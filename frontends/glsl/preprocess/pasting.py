"""The operator `##` in the text of a macro (GLSL 1.30 and later, by C99 section 6.10.3.3).

In: the text of a macro, and its arguments as written and as expanded.  Out: the text with parameters replaced and
neighbours of `##` joined.  What stands beside `##` is the argument as written; an empty one joins to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.preprocess.lexer import kind_of
from glslc_multi.frontends.glsl.preprocess.macros import PASTE, Token


def pasted_text(
    body: list[Token],
    written: Mapping[str, list[Token]],
    expanded: Mapping[str, list[Token]],
    instance: Callable[[Token], Token],
    join: Callable[[Token, Token], Token],
) -> list[Token]:
    """The text of a macro with its parameters replaced; `instance` is a token of the text at its use."""
    output: list[Token] = []
    #: Whether the last token of the output belongs to what stands left of the next `##`.
    has_left = False
    for position, part in enumerate(body):
        if part.text == PASTE:
            continue
        joins = position > 0 and body[position - 1].text == PASTE
        is_operand = joins or (position + 1 < len(body) and body[position + 1].text == PASTE)
        value = (written if is_operand else expanded).get(part.text)
        tokens = [instance(part)] if value is None else value
        if joins and has_left and tokens:
            output[-1:] = [join(output[-1], tokens[0]), *tokens[1:]]
            continue
        output += tokens
        has_left = bool(tokens) or (joins and has_left)
    return output


def join(left: Token, right: Token, language: Language, sink: DiagnosticSink) -> Token:
    """One token of two; where they make none, that is reported, and the first stays."""
    text = left.text + right.text
    kind = kind_of(text, language)
    if kind is None:
        sink.report(messages.PASTE_NO_TOKEN, left.span, left=left.text, right=right.text)
        return left
    hidden = left.hidden & right.hidden
    return Token(
        kind,
        text,
        left.spaced,
        left.file,
        left.line,
        left.column,
        left.width,
        left.expansion,
        hidden,
        left.line_number,
    )
