"""Syntax errors: raised where a token does not fit, reported and survived by the lists around it.

The parser is predictive: one or two tokens decide what follows, nothing is ever tried twice.  So the first token that
does not fit is the mistake.  It raises a `SyntaxFailure`; the innermost list of statements, members or declarations
reports it and goes on after it (`recovery`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.compiler.diagnostics import Entry, Fix, Label, Span
from glslc_multi.compiler.diagnostics.catalogue import syntax as messages
from glslc_multi.compiler.diagnostics.suggest import suggestion
from glslc_multi.frontends.glsl.foreign import WORDS
from glslc_multi.frontends.glsl.language.renames import renamed_qualifier
from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.parser.habits import habit
from glslc_multi.frontends.glsl.parser.state import ParserState
from glslc_multi.frontends.glsl.parser.terminals import END, NAME, PRECISION, QUALIFIER, RESERVED, TYPE
from glslc_multi.frontends.glsl.tokens import TokenStream
from glslc_multi.frontends.glsl.types import KEYWORD_TYPES

_OPENER = {")": "(", "]": "[", "}": "{"}
#: With what surely a new declaration begins, or a statement.
_DECLARATION_BEGINNERS = frozenset((QUALIFIER, PRECISION, "layout", "struct", "precision", "invariant"))
_STATEMENT_BEGINNERS = frozenset("if for while do switch case default return break continue discard".split())
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


class SyntaxFailure(Exception):
    """The token at `at` is none of what the grammar allows: `expected`, a phrase or a quoted token."""

    #: Lists inside of a function hand it on; the list of global declarations deals with it.
    escapes = False

    def __init__(self, state: ParserState, at: int, expected: str) -> None:
        super().__init__(at, expected)
        self.state = state
        self.at = at
        # Names may follow a structure, but most often its ';' is missing.
        is_after_brace = at > 0 and state.terminals[at - 1] == "}"
        self.expected = "';'" if expected == "a name" and is_after_brace else expected

    def report(self) -> None:
        """Tell the user, in the words that fit the mistake; once, where the preprocessor has already."""
        if self._was_reported():
            return
        tokens, word = self.state.tokens, self.state.tokens.texts[self.at]
        if tokens.kinds[self.at] == "reserved":
            self._report_reserved(word)
        elif self.expected.strip("'") in _OPENER:
            closer = self.expected.strip("'")
            state, tokens = self.state, self.state.tokens
            span = _end_of(tokens.span(self.at - 1)) if self._found_on_next_line() else tokens.span(self.at)
            opener = open_bracket(state, self.at, closer)
            labels = [] if opener is None else [Label(tokens.span(opener), f"this '{_OPENER[closer]}' is still open")]
            what_is_there = _describe(tokens, self.at)
            advice, _ = habit(state, self.at) or (None, ())
            state.sink.report(
                messages.UNCLOSED_BRACKET, span, labels=labels, help=advice, closer=closer, found=what_is_there
            )
        else:
            self._report_unexpected()

    def _report_reserved(self, word: str) -> None:
        state, span = self.state, self.state.tokens.span(self.at)
        new = renamed_qualifier(word, state.stage, state.language)
        state.sink.report(
            messages.RESERVED_WORD,
            span,
            help=_INSTEAD.get(word) if new is None else f"write '{new}'",
            fixes=[] if new is None else [Fix(span, new)],
            word=word,
            language=state.language.name,
        )

    def _was_reported(self) -> bool:
        """Tell whether the preprocessor has changed the tokens here, and said why."""
        recovery, tokens = self.state.recovery, self.state.tokens
        if recovery.is_cut and self.state.terminals[self.at] == END:
            return True
        near = range(max(0, self.at - 1), self.at + 1)
        return bool(recovery.lines) and any((tokens.files[i], tokens.lines[i]) in recovery.lines for i in near)

    @property
    def semicolon_is_missing(self) -> bool:
        """Tell whether a ';' belongs between two tokens that otherwise make sense one after the other."""
        return self.expected == "';'" and (self._found_on_next_line() or begins_item(self.state, self.at))

    def _report_unexpected(self) -> None:
        tokens, sink = self.state.tokens, self.state.sink
        found = _describe(tokens, self.at)
        if self.semicolon_is_missing:
            end = _end_of(tokens.span(self.at - 1))
            sink.report(messages.UNEXPECTED_TOKEN, end, fixes=[Fix(end, ";")], expected=self.expected, found=found)
            return
        span, (advice, fixes) = tokens.span(self.at), self._advice()
        sink.report(messages.UNEXPECTED_TOKEN, span, help=advice, fixes=fixes, expected=self.expected, found=found)

    def _found_on_next_line(self) -> bool:
        return self.at > 0 and (self.state.terminals[self.at] == END or begins_line(self.state, self.at))

    def _advice(self) -> tuple[str | None, tuple[Fix, ...]]:
        terminals = self.state.terminals
        other = habit(self.state, self.at)
        if other is not None:
            return other
        if self.expected == "a precision qualifier":
            return self._suggestion(self.at, ("lowp", "mediump", "highp"))
        if self.expected == "a declaration":
            if terminals[self.at] == NAME and terminals[self.at + 1] == "(":
                return "a function needs a return type", ()
            advice, fixes = self._suggestion(self.at, _DECLARATION_WORDS)
            return advice or "statements belong inside a function", fixes
        if terminals[self.at] == "==":
            return "'==' compares, '=' assigns", ()
        if terminals[self.at - 1] == NAME and len(self.state.tokens.texts[self.at - 1]) > 3:
            return self._suggestion(self.at - 1, _WORDS)
        return None, ()

    def _suggestion(self, position: int, words: Iterable[str]) -> tuple[str | None, tuple[Fix, ...]]:
        """Suggest what the word at a place may stand for."""
        tokens = self.state.tokens
        word = tokens.texts[position]
        if word in WORDS:
            return WORDS[word], ()
        kinds = word_kinds(self.state.language.number)
        return suggestion(word, (each for each in words if kinds.get(each) == "keyword"), tokens.span(position))


class Unexpected(SyntaxFailure):
    """A token that does not fit."""


class Refusal(SyntaxFailure):
    """A mistake that has a message of its own."""

    def __init__(self, state: ParserState, at: int, entry: Entry, **values: object) -> None:
        super().__init__(state, at, "")
        self.entry = entry
        self.values = values
        self.help: str | None = None
        self.fixes: Sequence[Fix] = ()

    def report(self) -> None:
        values = {"language": self.state.language.name, **self.values}
        span = self.state.tokens.span(self.at)
        self.state.sink.report(self.entry, span, help=self.help, fixes=self.fixes, **values)  # type: ignore[arg-type]


class FatalRefusal(Refusal):
    """The shader is too deep or too long to be parsed on."""

    escapes = True


class MissingBrace(SyntaxFailure):
    """A function begins at `at`, yet a block of the one above is still open."""

    escapes = True

    def __init__(self, state: ParserState, at: int) -> None:
        super().__init__(state, at, "'}'")


def _describe(tokens: TokenStream, at: int) -> str:
    """Name a token as a message does."""
    kind, spelling = tokens.kinds[at], tokens.texts[at]
    if kind == "end":
        return "end of file"
    return f"keyword '{spelling}'" if kind == "keyword" else f"'{spelling}'"


def _end_of(span: Span) -> Span:
    """Return the empty span directly after another, where something is missing."""
    return Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column, span.origin)


def open_bracket(state: ParserState, at: int, closer: str) -> int | None:
    """Find the innermost bracket before a token that waits for `closer`."""
    opener, depth = _OPENER[closer], 1
    for index in range(at - 1, -1, -1):
        terminal = state.terminals[index]
        depth += (terminal == closer) - (terminal == opener)
        if depth == 0:
            return index
    return None


def begins_line(state: ParserState, at: int) -> bool:
    """Tell whether a token is the first of its line."""
    lines = state.tokens.lines
    return at == 0 or lines[at] != lines[at - 1]


def begins_declaration(state: ParserState, at: int) -> bool:
    """Tell whether a token surely begins a declaration."""
    terminal, following = state.terminals[at : at + 2]
    return terminal in _DECLARATION_BEGINNERS or (terminal in (TYPE, NAME) and following in (NAME, RESERVED))


def begins_item(state: ParserState, at: int) -> bool:
    """Tell whether a token begins a line and a declaration or statement, or is a '}'."""
    terminal = state.terminals[at]
    begins = terminal in _STATEMENT_BEGINNERS or begins_declaration(state, at)
    return terminal == "}" or (begins and begins_line(state, at))
