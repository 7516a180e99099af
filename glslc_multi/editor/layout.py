"""A text of GLSL in a regular layout: indentation and spaces, line by line.

In: any text.  Out: its lines anew, or None where that is not surely safe.  Lines are neither joined nor divided, so
that `__LINE__` and all messages keep theirs; directives, comments, and what begins inside of a comment stay as they
are written. Whatever the rules here do, the result counts only if the compiler's lexer finds the same tokens in the
same lines of both texts, and the same comments stand between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.editor.highlight import Piece, pieces
from glslc_multi.frontends.glsl.language.versions import language_of
from glslc_multi.frontends.glsl.preprocess.lexer import lex

_BREAK = re.compile(r"\r\n|\r|\n")
_LONGEST_NAME = 1024
_OPERAND_ENDS = (")", "]")
_PREFIXES = ("+", "-", "!", "~", "++", "--")
_STEPS = ("++", "--")
_WORDS = ("name", "variable", "function", "type", "constant", "reserved", "qualifier", "keyword")
_CONDITIONS = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|else|elif|endif)\b")


def laid_out(text: str, indentation: str = "    ") -> list[str] | None:
    """The lines of a text in a regular layout, without their ends."""
    old = _BREAK.split(text)
    # Pieces of the text with one kind of line end stand in the same lines and columns.
    same = "\n".join(old)
    if _has_odd_lines(same):
        return None
    new = list(_Writer(same, indentation).lines())
    return new if _is_equal(same, "\n".join(new)) else None


def _has_odd_lines(text: str) -> bool:
    """Whether lines are continued outside of directives, or a comment goes on from a directive to the next line."""
    continued = False
    for line in text.split("\n"):
        is_directive = continued or line.lstrip(" \t\v\f").startswith("#")
        continued = line.endswith("\\")
        if continued and not is_directive:
            return True
    starts = [piece for piece in pieces(text) if piece.kind == "comment" and "\n" in piece.text]
    return any(text[text.rfind("\n", 0, piece.start) + 1 :].lstrip(" \t\v\f").startswith("#") for piece in starts)


def _is_equal(old: str, new: str) -> bool:
    """Whether both texts are made of the same tokens and comments in the same lines."""
    return _content(old) == _content(new)


def _content(text: str) -> object:
    lexed = lex(SourceFile("", text), language_of(text), _LONGEST_NAME, DiagnosticSink(max_errors=0))
    directives = [
        (directive.first, directive.end, lexed.text[directive.start_offset : directive.end_offset])
        for directive in lexed.directives
    ]
    comments = [(piece.text.rstrip(), text.count("\n", 0, piece.start)) for piece in pieces(text) if _is_comment(piece)]
    return lexed.kinds, lexed.texts, lexed.lines, directives, comments


def _is_comment(piece: Piece) -> bool:
    return piece.kind == "comment"


@dataclass(slots=True)
class _State:
    """Where in the structure of the text a line begins."""

    #: For each open brace, whether it is that of a `switch`.
    braces: list[bool] = field(default_factory=list)
    #: Open parentheses and brackets.
    depth: int = 0
    #: The last word of a statement that is not at its end; "" where one begins.
    last: str = ""
    #: Whether the statement began with `switch`, or with `case` or `default`.
    is_switch: bool = False
    is_label: bool = False
    #: `?` without their `:`.
    choices: int = 0

    def copied(self) -> _State:
        return _State(list(self.braces), self.depth, self.last, self.is_switch, self.is_label, self.choices)

    def indent(self, first: Piece) -> int:
        """How many levels deep a line stands that begins with this piece."""
        level = len(self.braces)
        if first.text == "}":
            return max(0, level - 1)
        if self.depth:
            return level + (first.text not in _OPERAND_ENDS)
        if self.last:
            return level + (first.text != "{" and first.kind != "comment")
        is_label = first.text in ("case", "default") and bool(self.braces) and self.braces[-1]
        return level - is_label

    def ends_label(self, piece: Piece) -> bool:
        return piece.text == ":" and self.is_label and not self.choices

    def advance(self, piece: Piece) -> None:
        text = piece.text
        if text == "{":
            self.braces.append(self.is_switch)
        elif text == "}" and self.braces:
            self.braces.pop()
        ends = text in ("{", "}") or (text == ";" and not self.depth) or self.ends_label(piece)
        if ends:
            self.depth, self.last, self.choices, self.is_switch, self.is_label = 0, "", 0, False, False
            return
        self.is_switch = self.is_switch or (not self.last and text == "switch")
        self.is_label = self.is_label or (not self.last and text in ("case", "default"))
        self.depth = max(0, self.depth + (text in ("(", "[")) - (text in _OPERAND_ENDS))
        self.choices += (text == "?") - (text == ":" and self.choices > 0)
        self.last = text


class _Writer:
    """Writes line after line."""

    def __init__(self, text: str, indentation: str) -> None:
        self._text = text
        self._indentation = indentation
        self._pieces = list(pieces(text))
        self._state = _State()
        #: What held at the `#if` of each group that is open.
        self._groups: list[_State] = []

    def lines(self) -> Iterator[str]:
        position, offset = 0, 0
        inside = 0
        is_continued = False
        for line in self._text.split("\n"):
            end = offset + len(line)
            first = position
            while position < len(self._pieces) and self._pieces[position].start <= end:
                position += 1
            own = self._pieces[first:position]
            if is_continued or (line.lstrip(" \t\v\f").startswith("#") and inside <= offset):
                self._enter_directive(line)
                is_continued = line.endswith("\\")
                yield line
            elif inside > offset:
                for piece in own:
                    if not _is_comment(piece):
                        self._state.advance(piece)
                yield line
            else:
                yield self._line(own, end)
            inside = max([inside, *(piece.end for piece in own if piece.end > end)])
            offset = end + 1

    def _enter_directive(self, line: str) -> None:
        """Both branches of a condition begin as the first one does."""
        found = _CONDITIONS.match(line)
        if found is None:
            return
        if found[1].startswith("if"):
            self._groups.append(self._state.copied())
        elif self._groups and found[1] == "endif":
            self._groups.pop()
        elif self._groups:
            self._state = self._groups[-1].copied()

    def _line(self, own: Sequence[Piece], end: int) -> str:
        if not own:
            return ""
        parts = [self._indentation * max(0, self._state.indent(own[0]))]
        before: Piece | None = None
        is_prefix = False
        for piece in own:
            if before is not None:
                parts.append(self._gap(before, piece, is_prefix))
            # The part of a piece that is in its line; blanks after a comment go, unless that would continue the line.
            text = self._text[piece.start : min(piece.end, end)]
            short = text.rstrip()
            parts.append(text if not _is_comment(piece) or short.endswith("\\") else short)
            if not _is_comment(piece):
                is_prefix = piece.text in _PREFIXES and self._begins_operand()
                self._state.advance(piece)
            before = piece
        return "".join(parts)

    def _begins_operand(self) -> bool:
        """Whether an operator at this place has no operand before it."""
        last = self._state.last
        is_word = last[:1].isalnum() or last[:1] in ("_", ".")
        return not (last in (*_OPERAND_ENDS, *_STEPS) or (is_word and last not in ("return", "case")))

    def _gap(self, before: Piece, piece: Piece, is_prefix: bool) -> str:
        """What stands between two pieces of a line."""
        written = self._text[before.end : piece.start]
        if _is_comment(piece):
            return written.expandtabs() or ("" if before.text in ("(", "[") else " ")
        if _is_comment(before):
            return " " if written or piece.kind in _WORDS else ""
        return " " if self._is_spaced(before, piece, is_prefix) or _would_join(before.text, piece.text) else ""

    def _is_spaced(self, before: Piece, piece: Piece, is_prefix: bool) -> bool:
        first, second = before.text, piece.text
        if second in (";", ",", ")", "]", ".") or first in ("(", "[", ".") or is_prefix:
            return False
        if second == "(":
            return before.kind == "keyword" or (before.kind == "operator" and first not in _OPERAND_ENDS)
        if second == "[":
            return before.kind == "operator" and first not in _OPERAND_ENDS
        if second in _STEPS and not self._begins_operand():
            return False
        return not (self._state.ends_label(piece) or (first == "{" and second == "}"))


@lru_cache(4096)
def _would_join(before: str, after: str) -> bool:
    """Whether two pieces without a blank between them would be read as others."""
    return next(pieces(before + after, version=100)).text != before
