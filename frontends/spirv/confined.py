"""HLSL for a compiler of others where reading is confined: a text that can include nothing but copies.

In: a source.  Out: a text without comments and joined lines, so that every directive stands on a line of its own.
Each `#include` names a copy in the compiler's own folder, treated in the same way, or is an `#error`; so is whatever
else might read a file.  How a compiler sees strings and comments does not matter: nothing that it could take for a
comment is left, and no line for an include.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from glslc_multi.compiler.files import may_read
from glslc_multi.compiler.records import dataclass, field

MOST_FILES, LONGEST = 1000, 1 << 20
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_JOINT = re.compile(r"\\[^!-~\n]*\n")
_JOINED = re.compile(r"^(?:[^\n]*\\[^!-~\n]*\n)+[^\n]*", re.MULTILINE)
_INCLUDE = re.compile(r'\s*#\s*include\s*(?:"(?P<quoted>[^"]*)"|<(?P<listed>[^>]*)>)\s*')
#: Directives of any compiler that read, after anything that is no text and with the digraph; and Slang's statements.
_READS = re.compile(r"[^!-~]*(?:#|%:|\?\?=)[^!-~]*(?:include|import|embed)|.*(?:\b(?:import|__include)\b|__has_)")
_ABSENT = "#error no such file, or none that may be read"
_UNKNOWN = "#error which file this reads is not known"


@dataclass(slots=True)
class Copies:
    """The copies in a compiler's folder, each in a folder of its own, by their number."""

    place: Path
    include_dirs: Sequence[str]
    _numbers: dict[Path, int] = field(default_factory=dict)

    def confine(self, text: str, folder: Path) -> str:
        """A text whose quoted includes are looked for in `folder` first; what it includes is copied."""
        waiting: list[Path] = []
        result = self._rewrite(text, folder, waiting)
        while waiting:
            path = waiting.pop()
            with path.open("rb") as file:
                inner = file.read(LONGEST).decode("utf-8-sig", "replace")
            copy = self.place / self._name_of(path)
            copy.parent.mkdir()
            copy.write_text(self._rewrite(inner, path.parent, waiting), encoding="utf-8")
        return result

    def _rewrite(self, text: str, folder: Path, waiting: list[Path]) -> str:
        return "\n".join(self._rewrite_line(line, folder, waiting) for line in _plain_lines(text))

    def _rewrite_line(self, line: str, folder: Path, waiting: list[Path]) -> str:
        if _READS.match(line) is None:
            return line
        include = _INCLUDE.fullmatch(line)
        if include is None:
            return _UNKNOWN
        beside = [folder] if include["quoted"] is not None else []
        path = self._find(include[include.lastgroup or 0], [*beside, *map(Path, self.include_dirs)])
        if path is None:
            return _ABSENT
        if path not in self._numbers:
            self._numbers[path] = len(self._numbers)
            waiting.append(path)
        return f'#include "{self._name_of(path)}"'

    def _name_of(self, path: Path) -> str:
        return f"{self._numbers[path]}/{path.name}"

    def _find(self, name: str, folders: Sequence[Path]) -> Path | None:
        """The file, without links; none where there is no room for more."""
        for path in (folder / name for folder in folders):
            try:
                if may_read(path) and path.is_file():
                    real = path.resolve()
                    return real if real in self._numbers or len(self._numbers) < MOST_FILES else None
            except (OSError, ValueError):
                continue  # A name that no file can have.
        return None


def _plain_lines(text: str) -> Iterator[str]:
    """The lines, joined where they say so and without comments; empty ones keep the numbers of those that follow."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # For each line that is joined to another a mark that no text has stands at the end of both.
    text = _JOINED.sub(_join, text.replace("\0", " "))
    text = _COMMENT.sub(lambda found: " " + "\0" * (found[0].count("\n") + found[0].count("\0")), text)
    for line in text.split("\n"):
        # A comment may have hidden that a line ends with the sign that joins.
        yield re.sub(r"\\[^!-~]*$", " ", line.replace("\0", ""))
        yield from [""] * line.count("\0")


def _join(lines: re.Match[str]) -> str:
    text, joints = _JOINT.subn("", lines[0])
    return text + "\0" * joints
