"""The macros that a shader's files define, found in their text: what is left out by `#if` counts, too."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.records import dataclass

_DEFINE = re.compile(
    r"(?:^|(?<=\r))[ \t]*\#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^()\n]*\))?"
    r"(?P<text>(?:\\(?:\r\n|\r|\n)|[^\r\n])*)",
    re.MULTILINE | re.ASCII,
)
_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class MacroDefinition:
    """One `#define`."""

    name: str
    #: As written, with parentheses; None for a macro without.
    parameters: str | None
    text: str
    #: Of the name.
    span: Span

    @property
    def line(self) -> str:
        """The definition as one would write it."""
        return f"#define {self.name}{self.parameters or ''} {self.text}".rstrip()


class Macros:
    """All definitions by name, in the order of the files."""

    def __init__(self, files: Iterable[SourceFile]) -> None:
        self.by_name: dict[str, list[MacroDefinition]] = {}
        for file in files:
            for definition in _definitions(file):
                self.by_name.setdefault(definition.name, []).append(definition)

    def find(self, name: str, file: SourceFile, line: int) -> MacroDefinition | None:
        """The definition that a use in this line most likely means: the last one above it, else any."""
        definitions = self.by_name.get(name, [])
        above = [each for each in definitions if each.span.file is file and each.span.line <= line]
        return above[-1] if above else definitions[0] if definitions else None


def _definitions(file: SourceFile) -> Iterator[MacroDefinition]:
    if "define" not in file.text:
        return
    starts = [0, *(match.end() for match in _BREAK.finditer(file.text))]
    for match in _DEFINE.finditer(file.text):
        line = bisect_right(starts, match.start("name"))
        column = match.start("name") - starts[line - 1] + 1
        span = Span(file, line, column, line, column + len(match["name"]))
        yield MacroDefinition(match["name"], match["parameters"], match["text"].strip(), span)
