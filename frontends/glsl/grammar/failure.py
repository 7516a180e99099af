"""Syntax errors: raised where a token does not fit, reported and survived by the lists around it.

The grammar is predictive: one or two tokens decide what follows, nothing is ever tried twice.  So the
first token that does not fit is the mistake.  It raises a `SyntaxFailure`; the innermost list of
statements, members or declarations reports it and goes on after it (`recovery`).
"""

from __future__ import annotations

from collections.abc import Iterable

from pyparsing import ParseBaseException, ParseException, ParseFatalException

from compiler.diagnostics import Entry, Fix, Label, Span
from compiler.diagnostics.catalogue import syntax as messages
from compiler.diagnostics.suggest import suggestion
from frontends.glsl.foreign import WORDS
from frontends.glsl.grammar.alphabet import (
    END,
    IDENTIFIER,
    LAYOUT,
    LETTERS,
    PRECISION,
    QUALIFIER,
    RESERVED,
    TYPE,
    ShaderText,
)
from frontends.glsl.language.renames import renamed_qualifier
from frontends.glsl.language.words import word_kinds
from frontends.glsl.types import KEYWORD_TYPES

_OPENER = {")": "(", "]": "[", "}": "{"}
#: One or two letters with which surely a new declaration begins, or a statement.
_DECLARATION_BEGINNERS = frozenset(
    [first + second for first in (TYPE, IDENTIFIER) for second in (IDENTIFIER, RESERVED)]
    + [QUALIFIER, PRECISION, LAYOUT]
    + [LETTERS[word] for word in ("struct", "precision", "invariant")]
)
_STATEMENT_BEGINNERS = frozenset(
    LETTERS[word]
    for word in (
        *("if", "for", "while", "do", "switch", "case", "default"),
        *("return", "break", "continue", "discard"),
    )
)
#: Words that a misspelt one may stand for, where a declaration is expected and elsewhere.
_DECLARATION_WORDS = ("precision", "struct", "invariant", "const", "attribute", "uniform", "varying", *KEYWORD_TYPES)
_WORDS = (*_DECLARATION_WORDS, "else", "for", "while", "return", "break", "continue", "discard")
#: What to use instead of a reserved word.
_INSTEAD = {
    **dict.fromkeys(("double", "long", "half", "fixed"), "use 'float' with a precision qualifier"),
    **dict.fromkeys(("short", "unsigned"), "use 'int'"),
    **dict.fromkeys(("switch", "default"), "use 'if' and 'else'"),
    **dict.fromkeys(("static", "extern", "inline", "volatile", "public", "flat"), "leave it out"),
    **{f"{prefix}vec{size}": f"use 'vec{size}'" for prefix in "hdf" for size in (2, 3, 4)},
    **dict.fromkeys(("input", "output"), "choose another name; inputs and outputs are 'attribute' and 'varying'"),
    "sampler1D": "use 'sampler2D', with a texture one row high",
    "sampler3D": "use 'sampler2D', with slices side by side",
    "sampler2DShadow": "use 'sampler2D', and compare in the shader",
}


class SyntaxFailure(ParseBaseException):
    """The token at `loc` is none of what the grammar allows: `expected`, a phrase or a quoted token."""

    #: Lists inside of a function hand it on; the list of global declarations deals with it.
    escapes = False

    def __init__(self, text: ShaderText, position: int, expected: str) -> None:
        super().__init__(text, position, expected)
        self.text = text
        # Names may follow a structure, but most often its ';' is missing.
        self.expected = "';'" if expected == "a name" and text[position - 1] == "}" else expected

    def report(self) -> None:
        """Tell the user, in the words that fit the mistake; once, where the preprocessor has already."""
        if self._was_reported():
            return
        tokens, word = self.text.tokens, self.text.tokens.texts[self.loc]
        if tokens.kinds[self.loc] == "reserved":
            self._report_reserved(word)
        elif self.expected.strip("'") in _OPENER:
            self._report_unclosed(self.expected.strip("'"))
        else:
            self._report_unexpected()

    def _report_reserved(self, word: str) -> None:
        text, span = self.text, self.text.tokens.span(self.loc)
        new = renamed_qualifier(word, text.stage, text.language)
        text.sink.report(
            messages.RESERVED_WORD,
            span,
            help=_INSTEAD.get(word) if new is None else f"write '{new}'",
            fixes=[] if new is None else [Fix(span, new)],
            word=word,
            language=text.language.name,
        )

    def _was_reported(self) -> bool:
        """Whether the preprocessor has changed the tokens here, and said why."""
        recovery, tokens = self.text.recovery, self.text.tokens
        if recovery.is_cut and self.text[self.loc] == END:
            return True
        near = range(max(0, self.loc - 1), self.loc + 1)
        return bool(recovery.lines) and any((tokens.files[i], tokens.lines[i]) in recovery.lines for i in near)

    @property
    def semicolon_is_missing(self) -> bool:
        """A ';' belongs between two tokens that otherwise make sense one after the other."""
        return self.expected == "';'" and (self._found_on_next_line() or begins_item(self.text, self.loc))

    def _report_unexpected(self) -> None:
        text, sink = self.text, self.text.sink
        found = describe(text, self.loc)
        if self.semicolon_is_missing:
            end = end_of(text.tokens.span(self.loc - 1))
            sink.report(messages.UNEXPECTED_TOKEN, end, fixes=[Fix(end, ";")], expected=self.expected, found=found)
            return
        span, (advice, fixes) = text.tokens.span(self.loc), self._advice()
        sink.report(messages.UNEXPECTED_TOKEN, span, help=advice, fixes=fixes, expected=self.expected, found=found)

    def _report_unclosed(self, closer: str) -> None:
        text, tokens = self.text, self.text.tokens
        span = end_of(tokens.span(self.loc - 1)) if self._found_on_next_line() else tokens.span(self.loc)
        opener = open_bracket(text, self.loc, closer)
        labels = [] if opener is None else [Label(tokens.span(opener), f"this '{_OPENER[closer]}' is still open")]
        found = describe(text, self.loc)
        text.sink.report(messages.UNCLOSED_BRACKET, span, labels=labels, closer=closer, found=found)

    def _found_on_next_line(self) -> bool:
        return self.loc > 0 and (self.text[self.loc] == END or begins_line(self.text, self.loc))

    def _advice(self) -> tuple[str | None, tuple[Fix, ...]]:
        letters = self.text[self.loc : self.loc + 2]
        if self.expected == "a precision qualifier":
            return self._suggestion(self.loc, ("lowp", "mediump", "highp"))
        if self.expected == "a declaration":
            if letters == IDENTIFIER + "(":
                return "a function needs a return type", ()
            advice, fixes = self._suggestion(self.loc, _DECLARATION_WORDS)
            return advice or "statements belong inside a function", fixes
        if letters[0] == LETTERS["=="]:
            return "'==' compares, '=' assigns", ()
        if self.text[self.loc - 1] == IDENTIFIER and len(self.text.tokens.texts[self.loc - 1]) > 3:
            return self._suggestion(self.loc - 1, _WORDS)
        return None, ()

    def _suggestion(self, position: int, words: Iterable[str]) -> tuple[str | None, tuple[Fix, ...]]:
        """What the word at a place may stand for."""
        tokens = self.text.tokens
        word = tokens.texts[position]
        if word in WORDS:
            return WORDS[word], ()
        kinds = word_kinds(self.text.language.number)
        return suggestion(word, (each for each in words if kinds.get(each) == "keyword"), tokens.span(position))


class Unexpected(SyntaxFailure, ParseException):
    """A token that does not fit; a stock alternative goes on to try its next one."""


class Refusal(SyntaxFailure, ParseFatalException):
    """A mistake that has a message of its own."""

    def __init__(self, text: ShaderText, position: int, entry: Entry, **values: object) -> None:
        super().__init__(text, position, "")
        self.entry = entry
        self.values = values

    def report(self) -> None:
        values = {"language": self.text.language.name, **self.values}
        self.text.sink.report(self.entry, self.text.tokens.span(self.loc), **values)  # type: ignore[arg-type]


class FatalRefusal(Refusal):
    """The shader is too deep or too long to be parsed on."""

    escapes = True


class MissingBrace(SyntaxFailure, ParseFatalException):
    """A function begins at `loc`, yet a block of the one above is still open."""

    escapes = True

    def __init__(self, text: ShaderText, position: int) -> None:
        super().__init__(text, position, "'}'")


def describe(text: ShaderText, position: int) -> str:
    """The token as a message names it."""
    kind, spelling = text.tokens.kinds[position], text.tokens.texts[position]
    if kind == "end":
        return "end of file"
    return f"keyword '{spelling}'" if kind == "keyword" else f"'{spelling}'"


def end_of(span: Span) -> Span:
    """The empty span directly after `span`, where something is missing."""
    return Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column, span.origin)


def open_bracket(text: ShaderText, position: int, closer: str) -> int | None:
    """The innermost bracket before `position` that waits for `closer`."""
    opener, depth = _OPENER[closer], 1
    for index in range(position - 1, -1, -1):
        letter = text[index]
        depth += (letter == closer) - (letter == opener)
        if depth == 0:
            return index
    return None


def closing_bracket(text: ShaderText, opener: int) -> int:
    """The bracket that closes the one at `opener`; the end of the shader where none does."""
    depth = 0
    for index in range(opener, len(text) - 1):
        depth += (text[index] == "[") - (text[index] == "]")
        if depth == 0:
            return index
    return len(text) - 2


def begins_line(text: ShaderText, position: int) -> bool:
    lines = text.tokens.lines
    return position == 0 or lines[position] != lines[position - 1]


def begins_declaration(text: ShaderText, position: int) -> bool:
    return text[position] in _DECLARATION_BEGINNERS or text[position : position + 2] in _DECLARATION_BEGINNERS


def begins_item(text: ShaderText, position: int) -> bool:
    """A token that begins a line and a declaration or statement, or a '}'."""
    if text[position] == "}":
        return True
    beginner = text[position] in _STATEMENT_BEGINNERS or begins_declaration(text, position)
    return beginner and begins_line(text, position)
