"""`--emit host`: the files that a host program draws with, made by the target in one of its forms.

In: compiled stages and the command line.  Out: files, all in one folder and named as their texts name each other.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.host_code.c_names import c_name
from glslc_multi.files import STANDARD_STREAM
from glslc_multi.report.kinds import HOST, Emission, files_of_host

if TYPE_CHECKING:
    from collections.abc import Mapping

    from glslc_multi.compiler.artifact import Artifact
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.target import Target


def add_host_flag(group: argparse._ActionsContainer) -> None:
    group.add_argument("--host-form", metavar="FORM", help="form of --emit host; `glslc-multi targets` lists them")


def host_files(
    stages: Mapping[str, Artifact],
    binary: bytes | None,
    target: Target,
    form: str | None,
    place: tuple[Path, str],
    sink: DiagnosticSink,
) -> list[tuple[str, bytes]]:
    """Paths and contents; `place` is what `host_place` found, and `form` None for the usual one."""
    folder, prefix = place
    files = files_of_host(Emission(HOST, prefix, form), stages, binary, target, sink)
    return [(str(folder / name), data) for name, data in files.items()]


def host_place(output: str, prefix: str, sink: DiagnosticSink) -> tuple[Path, str]:
    """The folder of the files, and what their names begin with: `-o` is a folder, or one of the files, which then
    replaces `prefix`."""
    if output == STANDARD_STREAM:
        sink.report(usage.SEVERAL_FILES, help="name a folder, or one of the files, with -o")
        sink.raise_if_errors()
    path = Path(output)
    if not output or output.endswith("/") or path.is_dir():
        return path, c_name(prefix)
    return path.parent, c_name(path.stem)
