"""Response files: an argument `@FILE` stands for the arguments in FILE, quoted like in a shell."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import read_text

#: Response files may name response files; a file that names itself ends here.
_DEEPEST = 10


def expand_response_files(arguments: Sequence[str], sink: DiagnosticSink, depth: int = 0) -> list[str]:
    """`arguments` with every `@FILE` replaced by what the file holds."""
    expanded: list[str] = []
    for argument in arguments:
        if not argument.startswith("@") or len(argument) == 1:
            expanded.append(argument)
            continue
        path = argument[1:]
        inside = _arguments_in(path, sink) if depth < _DEEPEST else _too_deep(path, sink)
        expanded += expand_response_files(inside, sink, depth + 1)
    return expanded


def _arguments_in(path: str, sink: DiagnosticSink) -> list[str]:
    import shlex

    text = read_text(path, sink)
    try:
        return shlex.split(text)
    except ValueError as error:
        sink.report(usage.UNREADABLE_FILE, path=path, reason=str(error).lower())
    sink.raise_if_errors()
    return []


def _too_deep(path: str, sink: DiagnosticSink) -> list[str]:
    sink.report(usage.UNREADABLE_FILE, path=path, reason=f"response files are nested more than {_DEEPEST} deep")
    sink.raise_if_errors()
    return []
