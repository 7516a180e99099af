"""What a mistake that the preprocessor found means for parser and checker, which go on after it.

In: the diagnostics of one shader's preprocessing.  Out: where its tokens are others than were meant, where names may be
missing, and whether there is any point in going on; so that one mistake gives one message.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from glslc_multi.compiler.diagnostics import Diagnostic, Entry, Span
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.frontends.glsl.tokens import Recovery

#: "line": tokens of the line are left out or replaced.  "names": from there on what is not declared may only be
#: missing.  "end": the text goes on, but not as tokens.  "all": nothing after it would make sense.
Effect = Literal["line", "names", "end", "all"]

_EFFECTS: dict[Entry, Effect] = {
    **dict.fromkeys(
        (
            messages.INVALID_CHARACTER,
            messages.STRAY_HASH,
            messages.MALFORMED_NUMBER,
            messages.ARGUMENT_COUNT,
            messages.ARGUMENTS_NOT_CLOSED,
        ),
        "line",
    ),
    **dict.fromkeys(
        (
            messages.UNKNOWN_DIRECTIVE,
            messages.ERROR_DIRECTIVE,
            messages.EXPECTED_MACRO_NAME,
            messages.NO_OPEN_IF,
            messages.AFTER_ELSE,
            messages.EXPECTED_IN_EXPRESSION,
            messages.UNDEFINED_IN_CONDITION,
            messages.DIVISION_BY_ZERO,
            messages.SHIFT_COUNT,
            messages.INT_TOO_LARGE,
            messages.EXPRESSION_TOO_DEEP,
            messages.MACRO_WITHOUT_VALUE,
            messages.INCLUDE_NOT_ENABLED,
            messages.EXPECTED_FILE_NAME,
            messages.INCLUDE_NOT_FOUND,
            messages.INCLUDE_OUTSIDE,
            messages.INCLUDE_NOT_READABLE,
            messages.INCLUDE_CYCLE,
        ),
        "names",
    ),
    **dict.fromkeys((messages.UNTERMINATED_COMMENT, messages.IF_NOT_CLOSED), "end"),
    **dict.fromkeys(
        (
            messages.UNSUPPORTED_VERSION,
            messages.WRONG_STAGE,
            messages.EXPANSION_TOO_LARGE,
            messages.EXPANSION_TOO_DEEP,
            messages.TOO_MANY_INCLUDES,
            messages.INCLUDES_TOO_DEEP,
        ),
        "all",
    ),
}


def recovery_from(diagnostics: Iterable[Diagnostic], broken: Iterable[Span]) -> Recovery:
    """`broken` are the uses of macros whose definition has a mistake."""
    lines = {(span.file, span.line) for span in broken}
    losses: list[Span] = []
    effects: set[Effect] = set()
    for diagnostic in diagnostics:
        effect, span = _EFFECTS.get(diagnostic.entry), diagnostic.span
        if diagnostic.severity != "error" or effect is None or span is None:
            continue
        effects.add(effect)
        if effect == "line":
            lines.add((span.file, span.line))
        else:
            losses.append(span)
    return Recovery(frozenset(lines), tuple(losses), "end" in effects, "all" in effects)
