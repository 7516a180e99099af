"""Reading inputs and writing outputs; `-` is standard input or output.

What is read and written is noted for the cache.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PureWindowsPath
from stat import S_ISREG

from glslc_multi.cache.system import Replacements, file_identity, is_file
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.files import inputs_of_run, note_absent, note_read, note_unrepeatable, note_written
from glslc_multi.compiler.frontend import Source

STANDARD_STREAM = "-"
#: No file that is read is larger.
MOST_BYTES = 1 << 25
#: Names that Windows takes for a device, for a part of another file, or without their end.
_LOST_ON_WINDOWS = re.compile(r"(CON|PRN|AUX|NUL|COM[1-9¹²³]|LPT[1-9¹²³]) *\..*|.*:.*|.*[^.][. ]+", re.IGNORECASE)


def open_closed_streams() -> None:
    """Put something in place of standard streams that are closed, so that no file gets their numbers.

    Using standard input or output is then an error of the system's as ever; messages go nowhere.
    """
    for name, flags, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            stream = os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8")
            setattr(sys, name, stream)


def read_bytes(path: str, sink: DiagnosticSink, *, streams: bool = True) -> bytes:
    """The content of the file, or the diagnostic that says why there is none; without `streams`, pipes and devices
    are none to read from."""
    try:
        data = _content(path, streams)
        note_read(path, data)
        return data
    except FileNotFoundError:
        note_absent(path)
        sink.report(usage.FILE_NOT_FOUND, path=path)
    except IsADirectoryError:
        sink.report(usage.INPUT_IS_DIRECTORY, path=path)
    except (OSError, ValueError) as error:
        note_absent(path)
        note_unrepeatable()
        sink.report(usage.UNREADABLE_FILE, path=path, reason=_reason(error))
    sink.raise_if_errors()
    return b""


def _content(path: str, streams: bool) -> bytes:
    if path == STANDARD_STREAM:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        if not streams and not S_ISREG(Path(path).stat().st_mode) and not Path(path).is_dir():
            raise ValueError("it is no regular file")
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES} bytes")
    return data


def read_text(path: str, sink: DiagnosticSink, *, streams: bool = True) -> str:
    """The content as UTF-8 text, without a byte order mark."""
    data = read_bytes(path, sink, streams=streams)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"0x{error.object[error.start]:02x}"
        offset = data.index(error.object) + error.start
        line = data.count(b"\n", 0, offset) + 1
        sink.report(usage.NOT_UTF8, path=path, line=line, offset=offset, byte=byte)
    sink.raise_if_errors()
    return ""


def read_source(path: str, stage: str | None, sink: DiagnosticSink, stdin_name: str | None = None) -> Source:
    """A shader from a file or standard input."""
    return source_of(read_bytes(path, sink), path, stage, sink, stdin_name)


def source_of(data: bytes, path: str, stage: str | None, sink: DiagnosticSink, stdin_name: str | None = None) -> Source:
    """The shader that was read from a path, as text or bytes, whichever its front end takes."""
    from glslc_multi.compiler.source_text import decode_source
    from glslc_multi.frontends.registry import front_end_for

    name = (stdin_name or "<stdin>") if path == STANDARD_STREAM else path
    front_end = front_end_for(name, data)
    content = data if front_end.is_binary else decode_source(data, name, sink).text
    return Source(content, name, front_end, stage)


def encode(text: str) -> bytes:
    """The bytes of a text.  In a file name there may be some that are not UTF-8: they are as they were read."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # JSON can hold half of a character.
        return text.encode("utf-8", "backslashreplace")


def write_text(path: str, text: str, sink: DiagnosticSink) -> None:
    write_bytes(path, encode(text), sink)


def write_bytes(path: str, data: bytes, sink: DiagnosticSink) -> None:
    """Write all of `data`, or report why that is not possible."""
    write_together([(path, data)], sink)


def write_together(files: Sequence[tuple[str, bytes]], sink: DiagnosticSink, *, makes_folders: bool = False) -> None:
    """Write all of these, or report why that is not possible; then everything stays as it was.

    Nothing that the run has read is overwritten, whatever the name.
    """
    _refuse_inputs([path for path, _ in files if path != STANDARD_STREAM], sink)
    if any(path == STANDARD_STREAM and b"\0" in data for path, data in files) and sys.stdout.isatty():
        sink.report(usage.NOT_FOR_A_TERMINAL, help="name a file with -o")
        sink.raise_if_errors()
    replace_together(files, sink, makes_folders=makes_folders)


def replace_together(files: Sequence[tuple[str, bytes]], sink: DiagnosticSink, *, makes_folders: bool = False) -> None:
    """Do the same to files that may be the run's inputs."""
    if sys.platform == "win32":
        _refuse_names([path for path, _ in files], sink)
    path = ""
    folders: list[Path] = []
    try:
        for path in (name for name, _ in files if makes_folders):
            _make_folder(Path(path).parent, folders)
        with Replacements() as replacements:
            for path, data in files:
                if path != STANDARD_STREAM:
                    replacements.add(path, data)
            for path, data in files:
                if path == STANDARD_STREAM:
                    sys.stdout.buffer.write(data)
                    sys.stdout.buffer.flush()
    except (OSError, ValueError) as error:
        renamed = getattr(error, "filename2", None)
        sink.report(usage.UNWRITABLE_OUTPUT, path=path if renamed is None else renamed, reason=_reason(error))
        with suppress(OSError):
            for folder in reversed(folders):
                folder.rmdir()
    sink.raise_if_errors()
    for path, data in files:
        if path != STANDARD_STREAM:
            note_written(path, data)


def _refuse_inputs(paths: Sequence[str], sink: DiagnosticSink) -> None:
    # A file descriptor has a name, too, which is that of the file behind it.
    names = ("/dev/stdin" if name == STANDARD_STREAM else name for name in inputs_of_run())
    inputs = {file_identity(name) for name in names} - {None}
    for path in paths:
        if file_identity(path) in inputs and is_file(path):
            sink.report(usage.OUTPUT_IS_INPUT, help="name another output with -o", path=path)
    sink.raise_if_errors()


def _refuse_names(paths: Sequence[str], sink: DiagnosticSink) -> None:
    """Refuse names by which Windows would write something else."""
    for path in map(PureWindowsPath, paths):
        for part in path.relative_to(path.anchor).parts:
            if _LOST_ON_WINDOWS.fullmatch(part):
                sink.report(usage.UNWRITABLE_OUTPUT, path=str(path), reason=f"Windows has no file of the name '{part}'")
    sink.raise_if_errors()


def fold_name(path: str) -> str:
    """Return what is common to all spellings of a name that the system takes for one file."""
    if sys.platform not in ("win32", "darwin"):
        return path
    from unicodedata import normalize

    # There an accent may be a character of its own, too.
    return normalize("NFC", path).casefold()


def _make_folder(folder: Path, made: list[Path]) -> None:
    """Make a folder, and those around it that are missing; `made` gets them, the outer ones first."""
    if folder.exists() or folder.is_symlink():
        return
    _make_folder(folder.parent, made)
    # Another process may make the same one.
    with suppress(FileExistsError):
        folder.mkdir()
        made.append(folder)


def _reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
