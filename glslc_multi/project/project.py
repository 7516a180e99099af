"""The project file, `glslc-multi.toml`: what a command line leaves open, for all shaders below its folder.

In: the folder of a shader.  Out: the settings of the nearest project file in it or around it.  The search begins at the
shader, as those of formatters and language servers do, and not at the working directory: so a build system, an editor
and a person compile the same from wherever they call the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from glslc_multi.cache.system import is_file
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.files import note_absent
from glslc_multi.compiler.records import dataclass

NAME = "glslc-multi.toml"
#: Folders that are looked in.  A relative path names as many whatever the working directory is, so that a run that the
#: cache repeats elsewhere has looked in all places that count there.
_MOST_FOLDERS = 16


@dataclass(frozen=True, slots=True)
class Project:
    """What a project file says, as the command line has it."""

    path: str
    targets: tuple[str, ...]
    #: For `-O`, None where the file does not say.
    level: str | None
    include_dirs: tuple[str, ...]
    #: Macro -> its value, None for one that is not defined.
    macros: Mapping[str, str | None]
    std: str | None
    compat: bool
    entry: str
    specializations: Mapping[int, str]
    #: Target -> option -> value.
    options: Mapping[str, Mapping[str, object]]


def find_project(folder: PurePath, sink: DiagnosticSink) -> Project | None:
    """Read the nearest project file; None where there is none."""
    for near in _folders(folder):
        path = str(near / NAME)
        if is_file(path):
            return _read(path, sink)
        note_absent(path)
    return None


def _folders(folder: PurePath) -> Iterator[PurePath]:
    """Yield a folder and those around it, by their names: links are not followed, so there are no loops."""
    for _ in range(_MOST_FOLDERS):
        yield folder
        if folder.is_absolute() and folder == folder.parent:
            return
        folder = folder / ".." if folder.name in ("", "..") else folder.parent


def _read(path: str, sink: DiagnosticSink) -> Project:
    import tomllib

    from glslc_multi.files import read_text
    from glslc_multi.project.keys import WHOLE, read_table, reporting_mistakes

    text = read_text(path, sink, streams=False)
    with reporting_mistakes(path, text, sink):
        read = read_table(tomllib.loads(text), WHOLE)
        level = read.get("optimisation")
        return Project(
            path,
            read.get("targets", ()),
            None if level is None else str(level),
            tuple(str(PurePath(path).parent / folder) for folder in read.get("include_dirs", ())),
            {name: _macro_value(value) for name, value in read.get("defines", {}).items()},
            read.get("std"),
            read.get("compat", False),
            read.get("entry", ""),
            read.get("spec", {}),
            read.get("options", {}),
        )
    raise AssertionError("an error was reported")


def _macro_value(value: bool | int | float | str) -> str | None:
    """Return the text of a macro: one that is true is 1, one that is false is not defined."""
    return None if value is False else "1" if value is True else str(value)
