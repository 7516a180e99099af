"""Where in the source an instruction comes from: by OpLine or debug information, else the line of the text form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.spirv.code import Instruction

#: DebugLine and DebugNoLine of NonSemantic.Shader.DebugInfo.100, and DebugSource, which names a file.
DEBUG_LINE, DEBUG_NO_LINE, DEBUG_SOURCE = 103, 104, 35
DEBUG_SETS = ("NonSemantic.Shader.DebugInfo.100", "OpenCL.DebugInfo.100")


class ModuleText(SourceFile):
    """The text form of a binary, written when somebody looks at its lines."""

    __slots__ = ("_write",)

    def __init__(self, name: str, write: Callable[[], str]) -> None:
        super().__init__(name)
        self._write = write

    @property
    def line_starts(self) -> Sequence[int]:
        if not self.text:
            self.text = self._write()
        return super().line_starts


class Spans:
    """The spans of instructions; equal places share one span."""

    def __init__(self, file: SourceFile) -> None:
        #: The module itself.
        self.file = file
        #: OpString -> its text.
        self.strings: dict[int, str] = {}
        #: Id of a constant -> its number, for debug information that names lines by constants.
        self.numbers: Callable[[int], int] = lambda id: 0
        #: DebugSource -> the strings of its name and its text.
        self._sources: dict[int, tuple[int, int]] = {}
        self._texts: dict[str, str] = {}
        self._files: dict[str, SourceFile] = {}
        self._made: dict[tuple[str, int, int], Span] = {}

    def add_text(self, file: int, text: str) -> None:
        """A piece of a source, as OpSource and OpSourceContinued hold it."""
        name = self.strings.get(file, "")
        before = self._texts.get(name, "")
        self._texts[name] = before + text if before else _without_options(text)

    def add_source(self, instruction: Instruction) -> None:
        """DebugSource: a file by the ids of its name and text."""
        name, text = instruction.id(2), instruction.id(3)
        self._sources[instruction.result] = (name, text)
        if text in self.strings:
            self._texts.setdefault(self.strings.get(name, ""), _without_options(self.strings[text]))

    def span(self, at: Instruction | int | None) -> Span | None:
        if at is None:
            return None
        if isinstance(at, int):
            return self._span("", at, 0)
        if at.line is None:
            return self._span("", at.place, 0)
        if at.line.name == "OpLine":
            return self._span(self.strings.get(at.line.id(0), ""), at.line.id(1), at.line.id(2))
        source, first, column = at.line.id(2), self.numbers(at.line.id(3)), self.numbers(at.line.id(5))
        return self._span(self.strings.get(self._sources.get(source, (0, 0))[0], ""), first, column)

    def _span(self, file: str, line: int, column: int) -> Span:
        key = (file, line, column)
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def _make(self, name: str, line: int, column: int) -> Span:
        if not name:
            file = self.file
        elif name in self._files:
            file = self._files[name]
        else:
            # An outside compiler reads a copy of the source, in another folder under the same name.
            is_source = PurePath(name).name == PurePath(self.file.name).name
            file = SourceFile(self.file.name if is_source else name, self._texts.get(name, ""))
            self._files[name] = file
        line = max(line, 1)
        if column or isinstance(file, ModuleText):
            return Span(file, line, column or 1, line, (column or 1) + 1)
        # Compilers that know no columns mean the whole line.
        text = file.line_text(line)
        start = len(text) - len(text.lstrip()) + 1
        return Span(file, line, start, line, max(start + 1, len(text.rstrip()) + 1))


def _without_options(text: str) -> str:
    """glslang puts its options before the text, as comments."""
    head, line, body = text.partition("#line 1\n")
    return body if line and head.startswith("//") else text
