"""The files of one run: named, checked against each other, and written together at the end.

In: results one by one, each with the name of its file.  Out: all files, or none where something is wrong.
"""

from __future__ import annotations

import os
from pathlib import PurePath

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import STANDARD_STREAM, encode, fold_name, write_together


def fill_pattern(pattern: str, stem: str, target: str) -> str:
    """`-o` with the names of one compilation in place of {stem} and {target}."""
    return pattern.replace("{stem}", stem).replace("{target}", target)


def beside(path: str, suffix: str) -> str:
    """`path` with another suffix; also where the path has no name."""
    return path.removesuffix(PurePath(path).suffix) + suffix


class Outputs:
    """What is to be written, in order."""

    __slots__ = ("_collided", "_kinds", "_pending")

    def __init__(self) -> None:
        #: Real name -> what was to be written there first.
        self._kinds: dict[str, str] = {}
        self._pending: list[tuple[str, bytes]] = []
        self._collided = False

    def add(self, path: str, data: bytes, kind: str, sink: DiagnosticSink) -> None:
        """Put a result aside; texts of one kind may follow each other on standard output."""
        piped = path == STANDARD_STREAM
        real = path if piped else fold_name(os.path.realpath(path))
        kind_before = self._kinds.get(real)
        if kind_before is not None and not (piped and kind_before == kind != "bin"):
            # Report the first collision only: files that belong to others collide when those do.
            if not self._collided:
                suffix = PurePath(path).suffix or ".bin"
                help = f"give each output its own name with a pattern such as -o '{{stem}}.{{target}}{suffix}'"
                sink.report(usage.OUTPUT_WRITTEN_TWICE, help=help, path=path)
            self._collided = True
        self._kinds[real] = kind
        self._pending.append((path, data))

    def add_text(self, path: str, text: str, kind: str, sink: DiagnosticSink) -> None:
        self.add(path, encode(text), kind, sink)

    @property
    def paths(self) -> list[str]:
        """Names of the files, each once."""
        return list(dict.fromkeys(path for path, _ in self._pending))

    def write(self, sink: DiagnosticSink, *, makes_folders: bool = False) -> None:
        """Write everything, unless there is an error; runs with several results make folders for them."""
        sink.raise_if_errors()
        write_together(self._pending, sink, makes_folders=makes_folders)
