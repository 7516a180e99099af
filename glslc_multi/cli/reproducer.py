"""What shows an internal error again: the command line and the files that it has read, in a folder of their own."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from glslc_multi.compiler import __version__
from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.files import inputs_of_run
from glslc_multi.compiler.records import replace

#: The exit status of an internal error.
INTERNAL = 70
#: Larger files than this are not kept, nor more files.
_MOST_BYTES, _MOST_FILES = 4 << 20, 100


def with_reproducer(diagnostics: Sequence[Diagnostic], words: Sequence[str]) -> tuple[Diagnostic, ...]:
    """The diagnostics of a run that ended with an internal error, of which the first one says where its files are."""
    if not inputs_of_run():
        return tuple(diagnostics)
    try:
        folder = _keep(words)
    except OSError:
        return tuple(diagnostics)
    note = f"the command line and the files that it has read are kept in {folder}"
    listed = list(diagnostics)
    first = next(number for number, each in enumerate(listed) if each.entry.exit_status == INTERNAL)
    listed[first] = replace(listed[first], notes=(*listed[first].notes, note))
    return tuple(listed)


def _keep(words: Sequence[str]) -> Path:
    """A new folder with the files, each under its name in the command line as far as that stays inside."""
    from tempfile import mkdtemp

    folder = Path(mkdtemp(prefix="glslc-multi-"))
    for path in sorted(inputs_of_run())[:_MOST_FILES]:
        source = Path(path)
        inside = source if not source.is_absolute() and ".." not in source.parts else Path(source.name)
        with suppress(OSError):
            if source.is_file() and source.stat().st_size <= _MOST_BYTES:
                target = folder / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
    text = f"glslc-multi {__version__}\n{shlex.join(['glslc-multi', *words])}\n"
    (folder / "command.txt").write_text(text, encoding="utf-8")
    return folder
