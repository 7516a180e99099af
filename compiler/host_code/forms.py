"""Which form of host code is meant, and the files of a program in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.host_files import HostFile, HostProgram
from glslc_multi.compiler.options import known_names_help

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.target import Target


def make_host_files(program: HostProgram, target: Target, form: str | None, sink: DiagnosticSink) -> Sequence[HostFile]:
    """All files; `form` is None for the usual one.  What the target cannot do is reported and raised."""
    forms = target.host_forms
    if not forms:
        sink.report(usage.NO_HOST_CODE, help="--emit header has its code and registers", target=target.name)
    elif form is not None and form not in forms:
        sink.report(usage.UNKNOWN_HOST_FORM, help=known_names_help(form, forms), target=target.name, name=form)
    sink.raise_if_errors()
    files = target.host_code(program, form or next(iter(forms)), sink)
    sink.raise_if_errors()
    return files
