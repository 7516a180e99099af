"""The directives, one function each (GLSL ES 1.00 section 3.4), and the table that picks the function."""

from __future__ import annotations

import re
from collections.abc import Callable

from glslc_multi.compiler.diagnostics import Fix, Label, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.compiler.diagnostics.suggest import nearest, suggestion
from glslc_multi.compiler.ir.primitive import PRIMITIVE_FORMS, read_primitive
from glslc_multi.frontends.glsl.language.extensions import COMPATIBILITY, EXTENSIONS
from glslc_multi.frontends.glsl.language.versions import DESKTOP_VERSIONS, ES_VERSIONS, Language
from glslc_multi.frontends.glsl.preprocess.badtokens import report_bad_token
from glslc_multi.frontends.glsl.preprocess.definitions import broken_macro, check_macro_name, read_macro
from glslc_multi.frontends.glsl.preprocess.expressions import ExpressionReader
from glslc_multi.frontends.glsl.preprocess.extensions import (
    BEHAVIOURS,
    INCLUDE_EXTENSIONS,
    NAMED_LINE_EXTENSIONS,
    set_behaviour,
    supported_extensions,
)
from glslc_multi.frontends.glsl.preprocess.includes import is_header
from glslc_multi.frontends.glsl.preprocess.line import Line
from glslc_multi.frontends.glsl.preprocess.macros import Token
from glslc_multi.frontends.glsl.preprocess.state import State

_LARGEST_LINE = 2**31 - 1


def process(pre: State, line: Line) -> SourceFile | None:
    """Carry out the directive on `line`, if its text counts; the file to include here, where it names one."""
    included: SourceFile | None = None
    if (conditional := _CONDITIONALS.get(line.name)) is not None:
        conditional(pre, line)
    elif pre.conditionals.active and line.name_token is not None:
        included = _DIRECTIVES.get(line.name, _unknown)(pre, line)
    if pre.conditionals.active:
        pre.at_start = False
    return included


def _unknown(pre: State, line: Line) -> None:
    name = line.name_token
    assert name is not None
    if name.kind == "bad":
        report_bad_token(name.text, name.span, pre.sink, pre.shader.language)
        return
    similar = nearest(line.name, DIRECTIVE_NAMES)
    help = None if similar is None else f"did you mean '#{similar}'?"
    fixes = () if similar is None else (Fix(name.span, similar, is_certain=False),)
    pre.sink.report(messages.UNKNOWN_DIRECTIVE, name.span, help=help, fixes=fixes, found=f"'#{name.text}'")


def _expect_end(pre: State, line: Line, position: int) -> bool:
    """Whether nothing follows the first `position` operands; reported otherwise."""
    if position >= len(line.operands):
        return True
    pre.sink.report(messages.EXTRA_TEXT, line.span_of(position), directive=line.name, found=line.describe(position))
    return False


# --------------------------------------------------------------------------------------- macros
def _define(pre: State, line: Line) -> None:
    name = _macro_name(pre, line)
    if name is None or not check_macro_name(name, pre.macros, pre.sink):
        return
    macro = read_macro(line, pre.shader.language, pre.sink) or broken_macro(line)
    before = pre.macros.get(macro.name)
    if before is not None and not (macro.is_broken or before.is_broken or macro.same_as(before)):
        where = Label(before.span, "first definition")
        pre.sink.report(messages.MACRO_REDEFINED, macro.span, labels=[where], name=macro.name)
        return
    pre.macros[macro.name] = macro


def _undef(pre: State, line: Line) -> None:
    name = _macro_name(pre, line)
    if name is None or not check_macro_name(name, pre.macros, pre.sink):
        return
    pre.macros.pop(name.text, None)
    _expect_end(pre, line, 1)


def _macro_name(pre: State, line: Line) -> Token | None:
    if line.operands and line.operands[0].is_word:
        return line.operands[0]
    if line.operands and line.operands[0].kind == "bad":
        report_bad_token(line.operands[0].text, line.operands[0].span, pre.sink, pre.shader.language)
        return None
    pre.sink.report(messages.EXPECTED_MACRO_NAME, line.span_of(0), directive=line.name, found=line.describe(0))
    return None


# --------------------------------------------------------------------------------- conditionals
def _if(pre: State, line: Line) -> None:
    condition = _condition(pre, line) if pre.conditionals.active else False
    pre.conditionals.open(line.name, line.span, condition)


def _ifdef(pre: State, line: Line) -> None:
    condition = False
    if pre.conditionals.active and (name := _macro_name(pre, line)) is not None:
        condition = (name.text in pre.macros) == (line.name == "ifdef")
        _expect_end(pre, line, 1)
    pre.conditionals.open(line.name, line.span, condition)


def _elif(pre: State, line: Line) -> None:
    condition = pre.conditionals.wants_condition() and _condition(pre, line)
    pre.conditionals.branch(line.name, line.span, condition)


def _else(pre: State, line: Line) -> None:
    if pre.conditionals.encloses_active_text():
        _expect_end(pre, line, 0)
    pre.conditionals.branch(line.name, line.span, True)


def _endif(pre: State, line: Line) -> None:
    if pre.conditionals.encloses_active_text():
        _expect_end(pre, line, 0)
    pre.conditionals.close(line.span)


def _condition(pre: State, line: Line) -> bool:
    tokens = pre.expander.expand_all(line.operands, keep_defined=True)
    if tokens is None:
        return False
    reader = ExpressionReader(tokens, line.end_span, pre.macros, pre.shader.language, pre.sink)
    value = reader.read()
    if value is None or not reader.rest:
        return bool(value)
    rest = reader.rest[0]
    pre.sink.report(messages.EXTRA_TEXT, rest.span, directive=line.name, found=f"'{rest.text}'")
    return bool(value)


# ------------------------------------------------------------- error, pragma, version, extension
def _error(pre: State, line: Line) -> None:
    pre.sink.report(messages.ERROR_DIRECTIVE, line.span_of_all, text=line.operand_text or "without a message")


_LANGUAGE_PRAGMAS = ("optimize", "debug", "STDGL", "shader_stage", "geometry")
# Texts, so that a shader without pragmas does not wait for their compilation.
_SWITCH = r"(optimize|debug)\s*\(\s*(on|off)\s*\)"
_INVARIANT = r"STDGL\s+invariant\s*\(\s*all\s*\)"
_STAGE = r"shader_stage\s*\(\s*(vertex|geometry|fragment)\s*\)"


def _pragma(pre: State, line: Line) -> None:
    text = line.operand_text
    if re.fullmatch(_INVARIANT, text):
        pre.shader.all_invariant = True
        if pre.stage == "fragment" and not pre.shader.language.has("invariant inputs"):
            pre.sink.report(names.INVARIANT_PRAGMA, line.span_of(0))
    elif (stage := re.fullmatch(_STAGE, text)) is not None:
        _check_stage(pre, line, stage[1])
    elif not text or re.fullmatch(_SWITCH, text):
        return  # Optimising and debug information are asked for by options.
    elif line.operands[0].text in _LANGUAGE_PRAGMAS and read_primitive(text) is None:
        name = line.operands[0].text
        forms = {
            "STDGL": "'STDGL invariant(all)'",
            "shader_stage": "'shader_stage(vertex)', 'geometry' or 'fragment'",
            "geometry": PRIMITIVE_FORMS,
        }
        pre.sink.report(
            messages.BAD_PRAGMA, line.span_of_all, expected=forms.get(name, f"'{name}(on)' or '{name}(off)'")
        )
    else:
        pre.shader.pragmas.append((text, line.span_of_all))


def _check_stage(pre: State, line: Line, stage: str) -> None:
    if pre.stage is not None and stage != pre.stage:
        pre.sink.report(messages.WRONG_STAGE, line.span_of_all, pragma=f"'{stage}'", stage=f"'{pre.stage}'")


def _version(pre: State, line: Line) -> None:
    if not line.operands or line.operands[0].kind != "int":
        pre.sink.report(messages.EXPECTED_VERSION, line.span_of(0), found=line.describe(0))
    elif not _is_version(pre, line):
        return
    elif not pre.at_start:
        pre.sink.report(messages.VERSION_NOT_FIRST, line.span)
    else:
        _check_first_line(pre, line)
        # The word after the number: `es` belongs to 300, `core` and `compatibility` to 150 and above.
        language = pre.shader.language
        profile = line.operands[1].text if len(line.operands) > 1 else ""
        if language.number == 300 and profile != "es":
            fix = Fix(line.span_of(0), "300 es")
            pre.sink.report(messages.VERSION_PROFILE, line.span_of(0), fixes=[fix], version="300", expected="'es'")
        elif language.number == 100 and profile == "es":
            help = "GLSL ES 1.00 is written '#version 100'"
            pre.sink.report(messages.EXTRA_TEXT, line.span_of(1), help=help, directive="version 100", found="'es'")
        elif language.number == 300 or (language.is_one_of("150-") and profile in ("core", "compatibility")):
            _expect_end(pre, line, 2)
        else:
            _expect_end(pre, line, 1)


def _check_first_line(pre: State, line: Line) -> None:
    """GLSL ES 3.00 section 3.4: no comment and no empty line comes before `#version`."""
    before = line.lexed.text[: line.directive.start_offset]
    if not before.strip(" \t") or not pre.shader.language.has("version on the first line"):
        return
    file, text = line.lexed.file, line.lexed.text[line.directive.start_offset : line.directive.end_offset]
    fixes = (Fix(Span(file, 1, 1, 1, 1), f"{text.rstrip()}\n"), Fix(line.span_of_all, ""))
    pre.sink.report(messages.VERSION_NOT_ON_FIRST_LINE, line.span, fixes=fixes)


def _is_version(pre: State, line: Line) -> bool:
    """Whether the number is that of a version that is read here; reported otherwise."""
    text = line.operands[0].text
    numbers = ES_VERSIONS if pre.dialect == "webgl" else (*ES_VERSIONS, *DESKTOP_VERSIONS)
    if text in map(str, numbers):
        return True
    help = "GLSL ES 1.00 is '#version 100', GLSL ES 3.00 '#version 300 es', desktop GLSL 110 to 330"
    pre.sink.report(messages.UNSUPPORTED_VERSION, line.span_of(0), help=help, version=f"'{text}'")
    return False


def _extension(pre: State, line: Line) -> None:
    parts = _extension_parts(pre, line)
    if parts is None:
        return
    name, behaviour = parts
    version = pre.shader.language.number
    if pre.has_text and not pre.shader.language.has("late extensions"):
        too_late = messages.EXTENSION_LATE if pre.dialect == "webgl" else messages.EXTENSION_TOO_LATE
        pre.sink.report(too_late, line.span)
    if name == "all" and behaviour in ("require", "enable"):
        pre.sink.report(messages.ALL_EXTENSIONS, line.span_of(2))
    elif name == "all" or name in supported_extensions(version):
        if not (pre.has_text and behaviour == "disable"):
            if pre.has_text and name not in ("all", *pre.shader.extensions):
                pre.shader.late_extensions[name] = line.span
            set_behaviour(pre.shader.extensions, name, behaviour, version)
        if name == COMPATIBILITY and behaviour != "disable":
            pre.shader.language = Language(version, compat=True)
    elif behaviour != "disable":
        language = pre.shader.language
        row = EXTENSIONS.get(name)
        help, fixes = suggestion(name, supported_extensions(language.number), line.span_of(0))
        if row is not None and row.instead:
            help = f"{language.name} has {row.instead}: leave the line out"
            fixes = (Fix(line.span_of_all, ""),)
        entry = messages.EXTENSION_NOT_SUPPORTED if behaviour == "require" else messages.EXTENSION_IGNORED
        pre.sink.report(entry, line.span_of(0), help=help, fixes=fixes, name=name)


def _extension_parts(pre: State, line: Line) -> tuple[str, str] | None:
    """Name and behaviour, as they stand: macros are not expanded."""
    operands = line.operands
    if not operands or not operands[0].is_word:
        expected, position = "an extension name", 0
    elif len(operands) == 1 or operands[1].text != ":":
        expected, position = "':'", 1
    elif len(operands) == 2 or operands[2].text not in BEHAVIOURS:
        expected, position = "require, enable, warn or disable", 2
    else:
        return (operands[0].text, operands[2].text) if _expect_end(pre, line, 3) else None
    found = line.describe(position)
    pre.sink.report(messages.EXTENSION_SYNTAX, line.span_of(position), expected=expected, found=found)
    return None


# ----------------------------------------------------------------------------- line and include
def _line(pre: State, line: Line) -> None:
    operands, file_name = line.operands, None
    if operands and operands[-1].text[0] == '"':
        # The file name in quotes, where an extension allows one.
        token = operands[-1]
        if len(token.text) > 2 and not NAMED_LINE_EXTENSIONS.isdisjoint(pre.shader.extensions):
            file_name = token.text[1:-1]
        else:
            shown = f"'{token.text}'"
            pre.sink.report(messages.EXPECTED_LINE, token.span, expected="a source string number", found=shown)
            file_name = None
        if file_name is None:
            return
        operands = operands[:-1]
    numbers = _line_numbers(pre, line, operands, at_most=2 if file_name is None else 1)
    if numbers is None:
        return
    if len(numbers) == 2:
        pre.expander.source_number = numbers[1]
        file_name = str(numbers[1])
    # Before GLSL 3.30 desktop GLSL numbers the line of the directive itself (1.20 section 3.3), GLSL ES the next one.
    counts_itself = pre.shader.language.has("line counts itself")
    line.lexed.file.renumber(line.next_line, numbers[0] + counts_itself, file_name)


def _line_numbers(pre: State, line: Line, operands: list[Token], at_most: int) -> list[int] | None:
    """The values of the expressions after `#line`; None when a mistake was reported."""
    tokens = pre.expander.expand_all(operands)
    if tokens is None:
        return None
    reader = ExpressionReader(tokens, line.end_span, pre.macros, pre.shader.language, pre.sink)
    numbers: list[int] = []
    while not numbers or (reader.rest and len(numbers) < at_most):
        number = reader.read()
        if number is None:
            return None
        if not 0 <= number <= _LARGEST_LINE:
            pre.sink.report(messages.LINE_NUMBER_RANGE, line.span_of_all, number=number)
            return None
        numbers.append(number)
    if reader.rest:
        rest = reader.rest[0]
        pre.sink.report(messages.EXTRA_TEXT, rest.span, directive=line.name, found=f"'{rest.text}'")
        return None
    return numbers


def _include(pre: State, line: Line) -> SourceFile | None:
    text = line.operand_text
    is_of_compiler = text[:1] == "<" and is_header(text[1:-1])
    if INCLUDE_EXTENSIONS.isdisjoint(pre.shader.extensions) and not is_of_compiler:
        help = "add '#extension GL_GOOGLE_include_directive : require' at the top"
        pre.sink.report(messages.INCLUDE_NOT_ENABLED, line.span, help=help)
        return None
    if len(text) < 3 or (text[0], text[-1]) not in (('"', '"'), ("<", ">")):
        pre.sink.report(messages.EXPECTED_FILE_NAME, line.span_of(0), found=line.describe(0))
        return None
    quoted = text[0] == '"'
    return pre.includer.open(text[1:-1], quoted=quoted, includer=line.lexed.file, place=line.span_of_all)


_Handler = Callable[[State, Line], SourceFile | None]

#: These are looked at in skipped text, too.
_CONDITIONALS: dict[str, _Handler] = {
    "if": _if,
    "ifdef": _ifdef,
    "ifndef": _ifdef,
    "elif": _elif,
    "else": _else,
    "endif": _endif,
}
_DIRECTIVES: dict[str, _Handler] = {
    "define": _define,
    "undef": _undef,
    "error": _error,
    "pragma": _pragma,
    "version": _version,
    "extension": _extension,
    "line": _line,
    "include": _include,
}

#: All of them.
DIRECTIVE_NAMES = (*_DIRECTIVES, *_CONDITIONALS)
