"""A shader's text with its tokens in place, and edits of it: everything between the tokens stays as it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.preprocess.lexer import LexedFile, lex
from glslc_multi.frontends.glsl.tokens import PreprocessedShader

_LONGEST_NAME = 1024
#: Keywords before expressions.
_STATEMENT_WORDS = ("return", "else", "do", "case")


@dataclass(frozen=True, slots=True)
class Word:
    """One token of the text as it is written, in a directive or not."""

    index: int
    text: str
    kind: str
    #: The name of the directive that it stands in, "" elsewhere.
    directive: str
    start: int
    end: int
    #: How many groups of `#if` it stands in.
    depth: int


class EditedText:
    """The text, its words, and the edits so far."""

    def __init__(self, file: SourceFile, shader: PreprocessedShader) -> None:
        self.file = file
        self.shader = shader
        self.line_break = "\r\n" if "\r\n" in file.text else "\n"
        self.text = file.text.replace("\r\n", "\n").replace("\r", "\n")
        self._line_starts = [0]
        for line in self.text.split("\n"):
            self._line_starts.append(self._line_starts[-1] + len(line) + 1)
        self._edits: list[tuple[int, int, str]] = []
        self._head: list[str] = []
        #: Line and column of calls of texture functions -> the type of their sampler.
        self.samplers: dict[tuple[int, int], str] = {}
        #: Names of the shader's own that had to change, each with its first place.
        self.renamed: list[tuple[Word, str]] = []
        lexed = lex(file, self.shader.language, _LONGEST_NAME, DiagnosticSink())
        directive_of, depths = _surroundings(lexed)
        words = []
        for index, (text, kind) in enumerate(zip(lexed.texts, lexed.kinds, strict=True)):
            start = self._line_starts[lexed.lines[index] - 1] + lexed.columns[index] - 1
            end = start + lexed.widths[index]
            words.append(Word(index, text, kind, directive_of[index], start, end, depths[index]))
        self.words = words

    # ---------------------------------------------------------------------------------- looking
    def neighbour(self, word: Word, distance: int) -> Word | None:
        """The word so many places away in the same directive, or outside of directives."""
        step = 1 if distance > 0 else -1
        index, left = word.index, abs(distance)
        while left:
            index += step
            if not 0 <= index < len(self.words):
                return None
            left -= self.words[index].directive == word.directive
        return self.words[index]

    def near(self, word: Word, distance: int) -> str:
        """The text of a neighbour; "" where there is none."""
        word_there = self.neighbour(word, distance)
        return "" if word_there is None else word_there.text

    def uses(self, name: str) -> Iterator[Word]:
        """Every place of a name that is no member of a structure."""
        return (word for word in self.words if word.text == name and self.near(word, -1) != ".")

    def contains(self, name: str) -> bool:
        return any(word.text == name for word in self.words)

    def declares(self, use: Word) -> bool:
        """Whether the name follows a type."""
        before = self.neighbour(use, -1)
        if before is None or use.directive:
            return False
        return before.kind in ("keyword", "identifier") and before.text not in _STATEMENT_WORDS

    def unused_name(self, name: str) -> str:
        """The name, with a digit at its end where the text has it already."""
        digits = ("", *map(str, range(len(self.words))))
        return next(name + digit for digit in digits if not self.contains(name + digit))

    def span(self, word: Word) -> Span:
        line = bisect_right(self._line_starts, word.start)
        column = word.start - self._line_starts[line - 1] + 1
        return Span(self.file, line, column, line, column + word.end - word.start)

    # ---------------------------------------------------------------------------------- editing
    def replace(self, word: Word, text: str) -> None:
        if self.text[word.start : word.end] == word.text:
            self._edits.append((word.start, word.end, text))

    def rename(self, name: str, new: str) -> None:
        for word in self.uses(name):
            self.replace(word, new)

    def remove(self, first: Word, last: Word) -> None:
        """Take out the words from `first` to `last`, and the blanks after them."""
        end = last.end
        while self.text[end : end + 1] in (" ", "\t"):
            end += 1
        self._edits.append((first.start, end, ""))

    def remove_statement(self, first: Word, last: Word) -> None:
        """Take out the words from `first` to `last`, and the whole lines where nothing else stands on them."""
        start = self.text.rfind("\n", 0, first.start) + 1
        end = self.text.find("\n", last.end) + 1 or len(self.text)
        if self.text[start : first.start].strip(" \t#") or self.text[last.end : end].strip():
            start, end = max(start, first.start - len(self._hash_before(first))), last.end
        self._edits.append((start, end, ""))

    def _hash_before(self, word: Word) -> str:
        """The "#" before the name of a directive, with the blanks after it."""
        before = self.text[: word.start]
        return before[before.rfind("#") :] if before.rstrip(" \t").endswith("#") else ""

    def insert_before(self, word: Word, text: str) -> None:
        """Put lines before the line of a word."""
        start = self.text.rfind("\n", 0, word.start) + 1
        self._edits.append((start, start, text))

    def add_to_head(self, line: str) -> None:
        """Put a line at the very beginning, after those that were put there."""
        self._head.append(f"{line}\n")

    def add_default_precisions(self) -> None:
        """What a desktop shader means: all is in full precision."""
        word = self.first_declaration()
        lines = [f"precision highp {type_};\n" for type_ in ("float", "int")]
        if word is not None and any(self.extension_lines()):
            self.insert_before(word, "".join(lines))
        else:
            self._head += lines

    def result(self) -> str:
        """The text after all edits, of which none overlap."""
        parts, position = list(self._head), 0
        for start, end, text in sorted(self._edits):
            if start < position:
                continue
            parts += self.text[position:start], text
            position = end
        parts.append(self.text[position:])
        return "".join(parts).replace("\n", self.line_break)

    # ------------------------------------------------------------------------------- directives
    def set_version(self, spelling: str) -> None:
        """Let the first line say the version, wherever it stood."""
        directive = [word for word in self.words if word.directive == "version"]
        comment = ""
        if directive:
            first, last = directive[0], directive[-1]
            rest = self.text[last.end :].partition("\n")[0].rstrip()
            if "/*" in rest:
                self.remove_statement(first, last)
            else:
                comment = rest
                start = self.text.rfind("#", 0, first.start)
                self._edits.append((start, min(last.end + len(rest) + 1, len(self.text)), ""))
        self._head.insert(0, f"#version {spelling}{comment}\n")

    def extension_lines(self) -> Iterator[tuple[Word, Word, Word]]:
        """First word, name of the extension, and last word of each `#extension` line."""
        for word in self.words:
            if word.directive == "extension" and self.words[word.index - 1].text == "extension":
                end = self.text.find("\n", word.start)
                end = len(self.text) if end < 0 else end
                last = max((w for w in self.words if word.start <= w.start < end), key=lambda w: w.start)
                yield self.words[word.index - 1], word, last

    def first_declaration(self) -> Word | None:
        """The first word after default precisions, in no directive, and in no group of `#if` where that can be."""
        # The words of statements such as `precision highp float;`.
        begins = (word.index for word in self.words if word.text == "precision" and self.near(word, 3) == ";")
        precisions = {index for begin in begins for index in range(begin, begin + 4)}
        words = [word for word in self.words if not word.directive and word.index not in precisions]
        return next((word for word in words if word.depth == 0), words[0] if words else None)


def _surroundings(lexed: LexedFile) -> tuple[list[str], list[int]]:
    """For each word the directive that it stands in, and how many groups of `#if` it stands in."""
    names, depths = [""] * len(lexed.texts), [0] * len(lexed.texts)
    depth, position = 0, 0
    for directive in lexed.directives:
        depths[position : directive.end] = [depth] * (directive.end - position)
        position = directive.end
        name = lexed.texts[directive.first] if directive.first < directive.end else ""
        names[directive.first : directive.end] = [name] * (directive.end - directive.first)
        depth += (name in ("if", "ifdef", "ifndef")) - (name == "endif")
    depths[position:] = [depth] * (len(depths) - position)
    return names, depths
