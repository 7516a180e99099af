"""Finding and reading the files that `#include` names.

Only files below the folder of the shader and the folders of -I are read: a shader from somewhere else cannot show what
is elsewhere on the disk.  `-I /` permits everything.  The headers that come with the compiler are found by
`#include <name>` after all of these.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.compiler.files import may_read, note_absent, note_read, note_unrepeatable
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.source_text import decode_source

#: Where the headers are that come with the compiler.
HEADERS = Path(__file__).parent.parent / "headers"
DEPTH_LIMIT = 32
COUNT_LIMIT = 1000


@dataclass(slots=True)
class Includer:
    """Opens included files; keeps the chain of files that are open and the list of all that were read."""

    include_dirs: Sequence[str]
    sink: DiagnosticSink
    #: Every file read, once, in order.
    dependencies: dict[str, None] = field(default_factory=dict)
    count: int = 0
    _chain: list[SourceFile] = field(default_factory=list)

    def open(self, name: str, *, quoted: bool, includer: SourceFile, place: Span) -> SourceFile | None:
        """The file that `#include` at `place` names; None when a mistake was reported."""
        if not self._within_limits(place):
            return None
        path = self._find(name, quoted, includer, place)
        if path is None or self._is_cycle(path, place):
            return None
        file = self._read(path, place)
        if file is not None:
            self.count += 1
            # Headers of the compiler are no part of a project.
            if path.parent != HEADERS:
                self.dependencies[str(path)] = None
        return file

    def enter(self, file: SourceFile) -> None:
        self._chain.append(file)

    def leave(self) -> None:
        self._chain.pop()

    def _within_limits(self, place: Span) -> bool:
        if len(self._chain) > DEPTH_LIMIT:
            self.sink.report(messages.INCLUDES_TOO_DEEP, place, limit=DEPTH_LIMIT)
            return False
        if self.count == COUNT_LIMIT:
            self.sink.report(messages.TOO_MANY_INCLUDES, place, limit=COUNT_LIMIT)
            return False
        return True

    def _folders(self, quoted: bool, includer: SourceFile) -> list[Path]:
        beside = [Path(includer.name).parent] if quoted else []
        return beside + [Path(folder) for folder in self.include_dirs]

    def _find(self, name: str, quoted: bool, includer: SourceFile, place: Span) -> Path | None:
        outside: str | None = None
        for folder in self._folders(quoted, includer):
            path = folder / name
            if not self._is_permitted(path):
                outside = outside or str(path.parent)
            elif _is_file(path):
                return path
            else:
                note_absent(str(path))
        if not quoted and is_header(name):
            return HEADERS / name
        if outside is not None:
            self.sink.report(messages.INCLUDE_OUTSIDE, place, name=name, help=f"-I {outside} permits it")
        else:
            self.sink.report(messages.INCLUDE_NOT_FOUND, place, name=name, notes=self._searched(quoted, includer))
        return None

    def _is_permitted(self, path: Path) -> bool:
        """Whether the file is below a folder that may be read, by its name: links that are there are followed, unless
        whoever compiles is confined."""
        if not may_read(path):
            return False
        absolute = Path(os.path.abspath(path))  # noqa: PTH100
        roots = [Path(self._chain[0].name).parent, *map(Path, self.include_dirs)]
        return any(absolute.is_relative_to(os.path.abspath(root)) for root in roots)  # noqa: PTH100

    def _searched(self, quoted: bool, includer: SourceFile) -> list[str]:
        folders = ", ".join(f"'{folder}'" for folder in self._folders(quoted, includer))
        return [f"searched in {folders}" if folders else "no folder is given by -I"]

    def _is_cycle(self, path: Path, place: Span) -> bool:
        real = os.path.realpath(path)
        open_files = [os.path.realpath(file.name) for file in self._chain]
        if real not in open_files:
            return False
        names = [file.name for file in self._chain[open_files.index(real) :]] + [str(path)]
        notes = [f"'{includer}' includes '{included}'" for includer, included in pairwise(names)]
        self.sink.report(messages.INCLUDE_CYCLE, place, name=str(path), notes=notes)
        return True

    def _read(self, path: Path, place: Span) -> SourceFile | None:
        try:
            data = path.read_bytes()
        except OSError as problem:
            reason = (problem.strerror or "unknown reason").lower()
            self.sink.report(messages.INCLUDE_NOT_READABLE, place, name=str(path), reason=reason)
            note_unrepeatable()
            return None
        note_read(str(path), data)
        return decode_source(data, str(path), self.sink, place)


def is_header(name: str) -> bool:
    """Whether it is a header that comes with the compiler."""
    return Path(name).name == name and Path(name).suffix == ".glsl" and _is_file(HEADERS / name)


def _is_file(path: Path) -> bool:
    """False for names that the operating system does not accept, too."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
