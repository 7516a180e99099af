"""Reading `#define`: the name's rules, the parameter list, the text (GLSL ES 1.00 section 3.4)."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.preprocess.badtokens import is_number, report_bad_token
from glslc_multi.frontends.glsl.preprocess.line import Line
from glslc_multi.frontends.glsl.preprocess.macros import PASTE, Macro, Token


def check_macro_name(name: Token, macros: Mapping[str, Macro], sink: DiagnosticSink) -> bool:
    """Whether a shader may define or undefine this macro; reported otherwise."""
    text = name.text
    macro = macros.get(text)
    if text == "defined":
        reason = "it is an operator of '#if'"
    elif macro is not None and macro.is_predefined:
        reason = "it is predefined"
    elif text.startswith("GL_"):
        reason = "it begins with 'GL_'"
    else:
        if "__" in text:
            sink.report(messages.UNDERSCORES, name.span, name=text)
        return True
    sink.report(messages.RESERVED_MACRO_NAME, name.span, name=text, reason=reason)
    return False


def read_macro(line: Line, language: Language, sink: DiagnosticSink) -> Macro | None:
    """The macro that `#define` on `line` defines; None when a mistake was reported."""
    name, rest = line.operands[0], line.operands[1:]
    parameters: tuple[str, ...] | None = None
    if rest and rest[0].text == "(" and not rest[0].spaced:
        names = _read_parameters(line, sink)
        if names is None:
            return None
        # n names, n - 1 commas, two parentheses.
        parameters, rest = names, rest[max(2 * len(names) + 1, 2) :]
    pastes = language.has("token pasting") and any(token.text == PASTE for token in rest)
    bad = [token for token in rest if token.kind == "bad" and not _may_wait(token, language)]
    for token in bad:
        report_bad_token(token.text, token.span, sink, language)
    if bad or (pastes and not _check_pasting(rest, sink)):
        return None
    return Macro(name.text, name.span, rest, parameters, pastes=pastes)


def _may_wait(token: Token, language: Language) -> bool:
    """Whether a bad token of a macro's text is a mistake only where the macro is used, if at all."""
    if token.text[0] == "#":
        return token.text == PASTE and language.has("token pasting")
    return is_number(token.text) or language.has("characters count after macros")


def _check_pasting(body: list[Token], sink: DiagnosticSink) -> bool:
    """Whether every `##` has tokens on both sides (C99 section 6.10.3.3)."""
    for side, token in (("left", body[0]), ("right", body[-1])):
        if token.text == PASTE:
            sink.report(messages.PASTE_WITHOUT_OPERAND, token.span, side=side)
            return False
    return True


def broken_macro(line: Line) -> Macro:
    """What stands for a macro whose definition on `line` has a mistake: its uses stay quiet."""
    name = line.operands[0]
    has_parameters = len(line.operands) > 1 and line.operands[1].text == "(" and not line.operands[1].spaced
    return Macro(name.text, name.span, [], () if has_parameters else None, is_broken=True)


def _read_parameters(line: Line, sink: DiagnosticSink) -> tuple[str, ...] | None:
    """The names in the parentheses that begin at the second operand."""
    name, tokens = line.operands[0].text, line.operands
    names: dict[str, None] = {}
    position = 2
    if len(tokens) > 2 and tokens[2].text == ")":
        return ()
    while True:
        if position >= len(tokens) or not tokens[position].is_word:
            _report_expected("a parameter name", line, position, sink)
            return None
        parameter = tokens[position]
        if parameter.text in names:
            sink.report(messages.DUPLICATE_PARAMETER, parameter.span, name=name, parameter=parameter.text)
            return None
        names[parameter.text] = None
        separator = tokens[position + 1].text if position + 1 < len(tokens) else ""
        if separator == ")":
            return tuple(names)
        if separator != ",":
            _report_expected("',' or ')'", line, position + 1, sink)
            return None
        position += 2


def _report_expected(expected: str, line: Line, position: int, sink: DiagnosticSink) -> None:
    name, found = line.operands[0].text, line.describe(position)
    sink.report(messages.MACRO_PARAMETERS, line.span_of(position), expected=expected, name=name, found=found)
