"""Preprocessed tokens as text again: the `-E` output.

The text preprocesses to the same tokens, each on its old line and, where there is room, in its old column.  `#line`
directives stand where lines would be too far apart or the file changes; files are named where there are several.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl.tokens import PreprocessedShader, TokenStream

_NAMED_LINES = "GL_GOOGLE_cpp_style_line_directive"
#: As many line breaks are printed rather than a `#line`.
_LONGEST_GAP = 8


def print_tokens(shader: PreprocessedShader) -> str:
    """The text of a preprocessed shader."""
    stream = shader.tokens
    names = {file.shown_line(line)[0] for file, line in zip(stream.files, stream.lines, strict=True)}
    head = list(_head(shader, named=len(names) > 1))
    first_name = stream.files[-1].name if len(head) == 0 else ""
    # Desktop GLSL counts the line of `#line` itself.
    counts = shader.language.has("line counts itself")
    writer = _Writer(stream, len(names) > 1, counts, first_name, parts=[f"{line}\n" for line in head])
    for index in range(len(stream) - 1):
        writer.write(index)
    return "".join(writer.parts) + ("\n" if writer.parts else "")


def _head(shader: PreprocessedShader, named: bool) -> Iterator[str]:
    if shader.language.number != 100:
        yield f"#version {shader.language.spelling}"
    for name, behaviour in shader.extensions.items():
        yield f"#extension {name} : {behaviour}"
    if named and _NAMED_LINES not in shader.extensions:
        yield f"#extension {_NAMED_LINES} : enable"
    if shader.all_invariant:
        yield "#pragma STDGL invariant(all)"
    for text, _ in shader.pragmas:
        yield f"#pragma {text}"


@dataclass(slots=True)
class _Writer:
    """Writes token after token; knows where the next character will be read."""

    stream: TokenStream
    named: bool
    line_counts_itself: bool
    name: str
    line: int = 1
    column: int = 1
    parts: list[str] = field(default_factory=list)

    def write(self, index: int) -> None:
        stream = self.stream
        name, line = stream.files[index].shown_line(stream.lines[index])
        # A macro's text after an argument of a later line stays beside it.
        goes_back = name == self.name and line < self.line and self.column > 1
        if (name, line) != (self.name, self.line) and not goes_back:
            if name == self.name and 0 < line - self.line <= _LONGEST_GAP:
                self.parts.append("\n" * (line - self.line))
            else:
                start = "\n" if self.column > 1 else ""
                quoted = ' "{}"'.format(name.replace('"', "'")) if self.named else ""
                self.parts.append(f"{start}#line {line - self.line_counts_itself}{quoted}\n")
            self.name, self.line, self.column = name, line, 1
        room = stream.columns[index] - self.column
        if self.column > 1 and not self._was_adjacent(index):
            room = max(room, 1)
        text = " " * room + stream.texts[index]
        self.parts.append(text)
        self.column += len(text)

    def _was_adjacent(self, index: int) -> bool:
        """Whether nothing stood between this token and the one before in the source."""
        stream, before = self.stream, index - 1
        return (
            stream.files[index] is stream.files[before]
            and stream.lines[index] == stream.lines[before]
            and stream.columns[before] + stream.widths[before] == stream.columns[index]
            and index not in stream.expansions
            and before not in stream.expansions
        )
