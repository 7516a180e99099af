"""A text without the statement that is being written, so that the rest of it can be understood.

In: the pieces of a text and the offset of the cursor.  Out: the same text, line by line and column by column, with
blanks in place of that statement; and what stands before the cursor: the expression before a dot, the call around.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from glslc_multi.compiler.records import dataclass
from glslc_multi.editor.highlight import Piece

_OPEN, _CLOSE = {")": "(", "]": "["}, {"(": ")", "[": "]"}
_ENDS = (";", "{", "}")
_NAMES = ("name", "variable", "function", "type", "constant", "reserved")


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call whose parentheses are open at the cursor."""

    name: Piece
    #: Which argument the cursor is in, from 0.
    argument: int


class Unfinished:
    """What is around the cursor, in words alone."""

    def __init__(self, text: str, pieces: Sequence[Piece], offset: int) -> None:
        self.text = text
        self.offset = offset
        self.pieces = [piece for piece in pieces if piece.kind != "comment"]
        #: How many pieces begin before the cursor.
        self._count = bisect_left(self.pieces, offset, key=lambda piece: piece.start)
        #: The word that the cursor is in or behind.
        last = self.pieces[self._count - 1] if self._count else None
        is_word = last is not None and (last.text[0].isalpha() or last.text[0] == "_")
        self.word = last if is_word and last is not None and last.end >= self.offset else None
        self._before = self.pieces[: self._count - (self.word is not None)]

    @property
    def is_in_directive(self) -> bool:
        """Whether the line of the cursor is one of the preprocessor's."""
        line = self.text[self.text.rfind("\n", 0, self.offset) + 1 : self.offset]
        return line.lstrip().startswith("#")

    @property
    def is_member(self) -> bool:
        """Whether the name of a member is being written."""
        return bool(self._before) and self._before[-1].text == "."

    @property
    def directive_word(self) -> bool:
        """Whether the name of a directive is being written."""
        last = self._before[-1] if self._before else None
        current = self.pieces[self._count - 1] if self._count else last
        return current is not None and current.kind == "directive" and current.end >= self.offset

    # --------------------------------------------------------------------- before the cursor
    def base(self) -> tuple[int, int] | None:
        """The offsets of the expression before the dot."""
        if not self.is_member:
            return None
        last = len(self._before) - 2
        first = self._begin_of_operand(last)
        return None if first is None else (self._before[first].start, self._before[last].end)

    def _begin_of_operand(self, index: int) -> int | None:
        """The first piece of the postfix expression whose last piece is at `index`."""
        begin: int | None = None
        while index >= 0:
            piece = self._before[index]
            if piece.text in _OPEN:
                opener = self._opener(index)
                if opener is None:
                    return None
                begin = opener
                index = opener - 1
                # Before an index or a call stands what is indexed or called.
                if index < 0 or not (self._before[index].kind in _NAMES or self._before[index].text in _OPEN):
                    return begin
                continue
            if piece.kind not in _NAMES and piece.kind != "number":
                return begin
            begin = index
            if index < 2 or self._before[index - 1].text != ".":
                return begin
            index -= 2
        return begin

    def _opener(self, index: int) -> int | None:
        closers: list[str] = []
        for position in range(index, -1, -1):
            text = self._before[position].text
            if text in _OPEN:
                closers.append(_OPEN[text])
            elif text in _CLOSE and (not closers or closers.pop() != text):
                return None
            if not closers:
                return position
        return None

    def call(self) -> OpenCall | None:
        """The innermost call around the cursor."""
        depth = commas = 0
        for position in range(self._count - 1, -1, -1):
            piece = self.pieces[position]
            if piece.end > self.offset or piece.text in _ENDS:
                if piece.text in _ENDS:
                    return None
                continue
            depth += (piece.text in _OPEN) - (piece.text in _CLOSE)
            if depth < 0:
                name = self.pieces[position - 1] if position else None
                if piece.text == "(" and name is not None and name.kind in _NAMES:
                    return OpenCall(name, commas)
                depth = commas = 0
            commas += piece.text == "," and depth == 0
        return None

    # ---------------------------------------------------------------------- without the statement
    def without_statement(self) -> str:
        """The text with blanks for the statement; of the head of a `for`, what it declares stays."""
        first, kept = self._statement()
        return self._blanked(first, kept)

    def only_base(self) -> tuple[str, tuple[int, int]] | None:
        """The text with the expression before the dot as the statement, and its offsets."""
        base = self.base()
        if base is None:
            return None
        first, kept = self._statement()
        text = self._blanked(min(first, base[0]), [*kept, base])
        return text[: base[1]] + ";" + text[base[1] + 1 :], base

    def _statement(self) -> tuple[int, list[tuple[int, int]]]:
        """Where the statement begins, and the parts of it before the cursor that are statements by themselves."""
        start, depth = 0, 0
        clauses: list[tuple[int, int]] = []
        head = 0
        for piece in self._before:
            text = piece.text
            if text in ("{", "}") or (text == ";" and depth <= 0):
                start, depth, clauses = piece.end, 0, []
            elif text == ";":
                clauses.append((head, piece.end))
            elif text == "(":
                depth += 1
                head = piece.end if depth == 1 else head
            elif text == ")":
                depth -= 1
            if piece.kind == "directive":
                start = max(start, self._line_end(piece.end))
        return min(start, self.offset), clauses[:1]

    def _line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def _blanked(self, first: int, kept: list[tuple[int, int]]) -> str:
        """The text with blanks from `first` to the end of the cursor's line, or to a brace in it."""
        end = self._line_end(self.offset)
        after = [piece.start for piece in self.pieces[self._count :] if piece.text in ("{", "}")]
        end = min([end, *after[:1]])
        parts, position = [self.text[:first]], first
        for start, stop in (*kept, (end, end)):
            parts += [_blank(self.text[position : max(start, position)]), self.text[max(start, position) : stop]]
            position = max(stop, position)
        return "".join(parts) + self.text[max(end, position) :]


def _blank(text: str) -> str:
    return "".join(character if character in "\r\n" else " " for character in text)
