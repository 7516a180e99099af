"""What is wrong with a token that the lexer could not accept, and what the parser gets instead."""

from __future__ import annotations

import re

from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.tokens import TokenKind

# Texts, so that a shader without such tokens does not wait for their compilation.
_OCTAL = r"0[0-9]+"
_FLOAT_SUFFIXES = ("f", "h", "lf")
_SUFFIXED = r"(?a)((?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))([a-zA-Z]+)"
_ATTRIBUTE = "this is an attribute of WGSL, which is not read here; tools such as naga translate it to GLSL or SPIR-V"


#: A token for the parser: an "int" that is none is an expression of which nothing is known.
Replacement = tuple[TokenKind, str]


def report_bad_token(text: str, span: Span, sink: DiagnosticSink, language: Language) -> Replacement | None:
    """Report the token; what stands for it, so that the parser meets no second mistake, or None to leave it out."""
    first = text[0]
    if first == "#":
        sink.report(messages.STRAY_HASH, span, text=text)
        return None
    if is_number(text):
        return _report_number(text, span, sink, language)
    if text.isascii() and (first.isalpha() or first == "_"):
        sink.report(messages.NAME_TOO_LONG, span, length=len(text))
        return "identifier", text
    _report_character(text, span, sink)
    if first.isalpha() or first == "_":
        return "identifier", text
    return ("int", text) if first == '"' else None


def _report_character(text: str, span: Span, sink: DiagnosticSink) -> None:
    """Report what is no ASCII in a name, or else the first character."""
    foreign = re.search(r"[^\x00-\x7f]+", text)
    if foreign is not None and span.origin is None and span.end_column - span.column == len(text):
        start, end = span.column + foreign.start(), span.column + foreign.end()
        span = Span(span.file, span.line, start, span.line, end)
    character = _describe(text[0] if foreign is None else foreign[0][0])
    help = _ATTRIBUTE if text[0] == "@" and re.match(r"\w", span.file.line_text(span.line)[span.column :]) else None
    sink.report(messages.INVALID_CHARACTER, span, help=help, character=character)


def is_number(text: str) -> bool:
    """Whether a bad token is a malformed number, which does no harm in a macro that is not used."""
    return text.isascii() and (text[0].isdigit() or text[0] == ".")


def _report_number(text: str, span: Span, sink: DiagnosticSink, language: Language) -> Replacement:
    """Report a malformed number; what was probably meant, where that can be told."""
    help = None
    meant: Replacement = "int", text
    if re.fullmatch(_OCTAL, text):
        meant = "int", text.lstrip("0")
        reason, help = f"'{text}' is not an octal number", f"write '{meant[1]}' for a decimal number"
    elif text.lower() == "0x":
        reason = f"'{text}' has no digits"
    elif suffixed := re.fullmatch(_SUFFIXED, text):
        # `1.0f` is 1.0, and so are `1f` and `1lf` elsewhere; `1u` is an int.
        number = suffixed[1]
        is_hexadecimal = number[:2] in ("0x", "0X")
        if not is_hexadecimal and suffixed[2].lower() in _FLOAT_SUFFIXES and number.isdecimal():
            meant = "float", f"{number}.0"
        else:
            meant = ("int" if is_hexadecimal or number.isdecimal() else "float"), number
        reason, help = f"{language.name} has no number suffix '{suffixed[2]}'", f"write '{meant[1]}'"
    else:
        reason = f"'{text}' is not a number"
    sink.report(messages.MALFORMED_NUMBER, span, help=help, reason=reason)
    return meant


def _describe(character: str) -> str:
    """The character itself where it can be seen, and its code point where it is not ASCII."""
    code = f"U+{ord(character):04X}"
    if not character.isprintable():
        return code
    return f"'{character}'" if character.isascii() else f"'{character}' ({code})"
