"""What is wrong with a token that the lexer could not accept, and what the parser gets instead."""

from __future__ import annotations

import re

from compiler.diagnostics import DiagnosticSink, Span
from compiler.diagnostics.catalogue import preprocess as messages
from frontends.glsl.tokens import TokenKind

# Texts, so that a shader without such tokens does not wait for their compilation.
_OCTAL = r"0[0-9]+"
_SUFFIXED = r"(?a)((?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))([a-zA-Z]+)"


def report_bad_token(text: str, span: Span, sink: DiagnosticSink) -> TokenKind | None:
    """Report the token; its kind, so that the parser meets no second mistake, or None to leave it out."""
    first = text[0]
    if first == "#":
        sink.report(messages.STRAY_HASH, span, text=text)
        return None
    if is_number(text):
        _report_number(text, span, sink)
        return "float" if "." in text else "int"
    if first.isascii() and (first.isalpha() or first == "_"):
        sink.report(messages.NAME_TOO_LONG, span, length=len(text))
        return "identifier"
    sink.report(messages.INVALID_CHARACTER, span, character=_describe(first))
    return None


def is_number(text: str) -> bool:
    """Whether a bad token is a malformed number, which does no harm in a macro that is not used."""
    return text.isascii() and (text[0].isdigit() or text[0] == ".")


def _report_number(text: str, span: Span, sink: DiagnosticSink) -> None:
    help = None
    if re.fullmatch(_OCTAL, text):
        reason, help = f"'{text}' is not an octal number", f"write '{text.lstrip('0')}' for a decimal number"
    elif text.lower() == "0x":
        reason = f"'{text}' has no digits"
    elif suffixed := re.fullmatch(_SUFFIXED, text):
        reason, help = f"GLSL ES 1.00 has no number suffix '{suffixed[2]}'", f"write '{suffixed[1]}'"
    else:
        reason = f"'{text}' is not a number"
    sink.report(messages.MALFORMED_NUMBER, span, help=help, reason=reason)


def _describe(character: str) -> str:
    """The character itself where it can be seen, and its code point where it is not ASCII."""
    code = f"U+{ord(character):04X}"
    if not character.isprintable():
        return code
    return f"'{character}'" if character.isascii() else f"'{character}' ({code})"
