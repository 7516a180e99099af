"""A whole file to tokens with one regular expression: text in, parallel lists out.

Comments count as white space (GLSL ES 1.00 section 3.3).  A backslash before a line break joins two
lines, as drivers accept it.  What no shader may contain (an illegal character, `1.0f`, `#` inside a
line) becomes a token of kind "bad": an error only where it survives the preprocessor, since skipped
groups may hold any text.  Directives are remembered as ranges of the token list.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from io import StringIO
from itertools import accumulate
from math import inf
from typing import Literal

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.tokens import TokenKind

RawKind = TokenKind | Literal["bad"]

_TOKEN = re.compile(
    r"""
    [ \t\v\f]*+                                # possessive: white space before nothing must not backtrack
    (?: ([A-Za-z_]\w*+(?!(?u:\w)))              # 1 word
      | (\n+)                                   # 2 line breaks
      | (//[^\n]* | /\*(?s:.*?)\*/)             # 3 comment
      | ( (?: \d+\.\d* | \.\d+ ) (?:[eE][+-]?\d+)? (?![\w.])
        | \d+ [eE][+-]?\d+ (?![\w.]) )          # 4 float
      | ((?:0[xX][\da-fA-F]+ | 0[0-7]* | [1-9]\d*) (?![\w.]))  # 5 int
      | (\.?\d(?:[eE][+-]\d|[\w.])*)            # 6 number with a suffix, or malformed
      | (/\*)                                   # 7 comment without end
      | (<<=|>>=|\+\+|--|&&|\|\||\^\^|<<|>>|[-+*/%<>=!&|^]=|[-+*/%<>=!&|^~?:;,.(){}\[\]])  # 8 operator
      | (\#\#?)                                 # 9 hash
      | ((?u:[^\W\d]\w*) | "[^"\n]*" | [\x21-\x7e] | [^\x20-\x7e\s]+?(?=[\x20-\x7e\s]|(?u:\w)))  # 10 outside
    )
    """,
    re.VERBOSE | re.ASCII,
)
_WORD, _NEWLINE, _COMMENT, _MALFORMED, _OPEN_COMMENT, _OPERATOR, _HASH = 1, 2, 3, 6, 7, 8, 9
_KIND_OF_GROUP: dict[int, RawKind] = {4: "float", 5: "int", 8: "operator", 9: "bad", 10: "bad"}


@dataclass(slots=True)
class Directive:
    """The tokens `first` to `end` (exclusive) of a line that began with "#"; the "#" itself is no token."""

    first: int
    end: int
    #: Offsets of the "#" and of the line break.
    start_offset: int
    end_offset: int


@dataclass(slots=True)
class LexedFile:
    """The tokens of one file: token i begins at `starts[i]` in `text`, at (`lines[i]`, `columns[i]`) of `file`."""

    file: SourceFile
    #: The file's text with "\n" as line break and continued lines joined.
    text: str
    #: Offset in `text` of every line of the file.
    line_starts: Sequence[int]
    kinds: list[RawKind] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    #: How many characters of the token stand on its first line: all, but for a token cut by a continuation.
    widths: list[int] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)
    #: Where comments that begin with "//" begin and end, where the text has continued lines.
    line_comments: list[tuple[int, int]] = field(default_factory=list)
    #: The offset of the first token too many; those after it are left out.
    cut_at: int | None = None

    def line_at(self, offset: int) -> int:
        return bisect_right(self.line_starts, offset)

    def span_at(self, offset: int, width: int = 1) -> Span:
        line = self.line_at(offset)
        column = offset - self.line_starts[line - 1] + 1
        return Span(self.file, line, column, line, column + width)

    def end_of(self, index: int) -> int:
        """Offset after token `index`."""
        return self.starts[index] + len(self.texts[index])

    def is_spaced(self, index: int) -> bool:
        """Whether white space or a comment stands before token `index`."""
        return index > 0 and self.starts[index] != self.end_of(index - 1)


def lex(file: SourceFile, language: Language, longest_name: int, sink: DiagnosticSink, most: float = inf) -> LexedFile:
    """The tokens of `file`, but `most` at most, directives included; a name longer than `longest_name` is "bad"."""
    text = file.text.replace("\r\n", "\n").replace("\r", "\n")
    has_continuations = "\\\n" in text
    is_as_written = text is file.text and not has_continuations
    line_starts = file.line_starts if is_as_written else _joined_line_starts(text)
    lexed = LexedFile(file, text.replace("\\\n", "") + "\n", line_starts)
    open_comment = _scan(lexed, language, has_continuations, most)
    _place(lexed, has_continuations)
    # Report comments that swallow text of the next line, because a backslash ends theirs.
    starts = lexed.line_starts
    for start, end in lexed.line_comments:
        first, last = lexed.line_at(start), lexed.line_at(end - 1)
        swallowed = lexed.text[starts[first] : end].strip() if first < last else ""
        if swallowed and not swallowed.startswith("//"):
            backslash = lexed.span_at(starts[first] - 1)
            column = backslash.column + 1
            span = Span(lexed.file, first, column, first, column + 1)
            help = "write a blank or anything else after the backslash"
            sink.report(messages.COMMENT_GOES_ON, span, help=help)
    if max(map(len, lexed.texts), default=0) > longest_name:
        for index, text in enumerate(lexed.texts):
            if len(text) > longest_name and lexed.kinds[index] == "identifier":
                lexed.kinds[index] = "bad"
    if open_comment is not None:
        sink.report(messages.UNTERMINATED_COMMENT, lexed.span_at(open_comment, 2))
    return lexed


def _joined_line_starts(text: str) -> Sequence[int]:
    """Where each line begins once continued lines are joined."""
    lengths = (len(line) - 2 if line.endswith("\\\n") else len(line) for line in StringIO(text + "\n"))
    starts = array("L", accumulate(lengths, initial=0))
    del starts[-1]
    return starts


def _scan(lexed: LexedFile, language: Language, has_continuations: bool, most: float) -> int | None:
    """Fill the tokens' kinds, texts and starts; the offset of a comment that does not end, if there is one."""
    kinds, texts, starts = lexed.kinds, lexed.texts, lexed.starts
    words = word_kinds(language.number)
    first_of_line = 0
    directive: Directive | None = None
    for match in _TOKEN.finditer(lexed.text):
        if len(kinds) + len(lexed.directives) > most:
            lexed.cut_at = max([*starts[-1:], *(each.start_offset for each in lexed.directives[-1:])])
            _end_directive(directive, lexed)
            break
        group = match.lastindex or 0
        text = match[group]
        if group == _WORD:
            kinds.append(words.get(text, "identifier"))
        elif group == _OPERATOR:
            kinds.append("operator")
        elif group == _NEWLINE:
            first_of_line = len(kinds)
            if directive is not None:
                directive.end, directive.end_offset = first_of_line, match.start(group)
                directive = None
            continue
        elif group == _COMMENT:
            if has_continuations and text[1] == "/":
                lexed.line_comments.append(match.span(group))
            continue
        elif group == _HASH and text == "#" and first_of_line == len(kinds) and directive is None:
            directive = Directive(first_of_line, first_of_line, match.start(group), 0)
            lexed.directives.append(directive)
            continue
        elif group == _OPEN_COMMENT:
            _end_directive(directive, lexed)
            return match.start(group)
        elif group == _MALFORMED:
            kinds.append(_kind_of_suffixed(text, language))
        else:
            kinds.append(_KIND_OF_GROUP[group])
        texts.append(text)
        starts.append(match.start(group))
    return None


def kind_of(text: str, language: Language) -> RawKind | None:
    """The kind of one token; None where the text is not one."""
    match = _TOKEN.fullmatch(text)
    group = match.lastindex or 0 if match is not None else 0
    if group == _WORD:
        return word_kinds(language.number).get(text, "identifier")
    if group == _MALFORMED:
        return _kind_of_suffixed(text, language)
    return _KIND_OF_GROUP[group] if group in (4, 5, 8) else None


_FLOAT_WITH_SUFFIX = r"(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?[fF]"
_UINT_WITH_SUFFIX = r"(?:0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)[uU]"


def _kind_of_suffixed(text: str, language: Language) -> RawKind:
    """The kind of a number with a suffix, where the language has it."""
    if language.has("float suffix") and re.fullmatch(_FLOAT_WITH_SUFFIX, text, re.ASCII):
        return "float"
    if language.has("uint") and re.fullmatch(_UINT_WITH_SUFFIX, text, re.ASCII):
        return "int"
    return "bad"


def _end_directive(directive: Directive | None, lexed: LexedFile) -> None:
    if directive is not None:
        directive.end, directive.end_offset = len(lexed.kinds), len(lexed.text) - 1


def _place(lexed: LexedFile, has_continuations: bool) -> None:
    """Fill lines, columns and widths."""
    line_starts, starts = lexed.line_starts, lexed.starts
    lexed.lines = lines = [bisect_right(line_starts, start) for start in starts]
    lexed.columns = [start - line_starts[line - 1] + 1 for start, line in zip(starts, lines, strict=True)]
    lexed.widths = list(map(len, lexed.texts))
    if has_continuations:
        ends = array("L", line_starts[1:])
        ends.append(len(lexed.text))
        room = (ends[line - 1] - start for start, line in zip(starts, lines, strict=True))
        lexed.widths = list(map(min, lexed.widths, room))
