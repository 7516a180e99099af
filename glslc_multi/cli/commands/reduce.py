"""`glslc-multi reduce SHADER --target T`: a small shader that fails in the same way, for a report.

A failure is an error of the compilation: its code, and of an internal error the place in the compiler, too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from glslc_multi.cli.compile_options import add_compile_flags, make_request, only_target
from glslc_multi.cli.parser import new_parser
from glslc_multi.cli.project_options import parse_with_project
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.failure import internal_error
from glslc_multi.files import STANDARD_STREAM, read_source, write_text

if TYPE_CHECKING:
    from glslc_multi.compiler.frontend import Source
    from glslc_multi.compiler.options import Request
    from glslc_multi.compiler.target import Target

_USAGE = "glslc-multi reduce [options] SHADER --target T"
_DESCRIPTION = "Make a shader small that fails in the same way: same error, same place of the compiler."
_EPILOG = "Example: glslc-multi reduce broken.frag --target adreno --code E0960 -o small.frag"
_SECONDS = 60


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    found = parse_with_project(build_parser, arguments, sink)
    if found is None:
        return
    if len(found.shaders) != 1:
        sink.report(usage.NO_INPUT, help="reduce takes one shader, see glslc-multi reduce --help")
        sink.raise_if_errors()
    target = only_target(found, sink)
    source = read_source(found.shaders[0], found.stage, sink)
    smallest = _smallest(source, target, make_request(found, target), found, sink)
    write_text(found.output or STANDARD_STREAM, smallest, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the target on the command line."""
    parser = new_parser("glslc-multi reduce", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("shaders", nargs="*", metavar="SHADER", help=argparse.SUPPRESS)
    parser.add_argument("--code", metavar="CODE", help="the error that is to stay (the first one)")
    parser.add_argument("--seconds", type=int, default=_SECONDS, metavar="N", help=f"stop after so long ({_SECONDS})")
    parser.add_argument("--stage", "-fshader-stage", metavar="S", help="vertex, fragment, geometry or coordinate")
    add_compile_flags(parser, arguments)
    return parser


def _smallest(
    source: Source, target: Target, request: Request, options: argparse.Namespace, sink: DiagnosticSink
) -> str:
    """The smallest text that was found in the time."""
    from glslc_multi.frontends.glsl.reduce import reduce
    from glslc_multi.frontends.registry import make_source

    failures = _failures(source, target, request)
    wanted = next((failure for failure in failures if options.code in (None, failure[0])), None)
    text = source.content
    if wanted is None or not isinstance(text, str):
        reason = "it fails in no such way" if wanted is None else "it is no text"
        sink.report(usage.NOT_REDUCIBLE, path=source.filename, reason=reason)
        raise CompileError(sink.diagnostics)
    best, end = text, time.monotonic() + options.seconds

    def fails(shorter: str) -> bool:
        nonlocal best
        if time.monotonic() > end:
            raise TimeoutError
        if wanted not in _failures(make_source(shorter, source.filename, source.stage), target, request):
            return False
        best = shorter
        return True

    try:
        reduce(text, fails)
    except TimeoutError:
        sys.stderr.write(f"after {options.seconds} seconds; more may go\n")
    sys.stderr.write(f"{len(best)} of {len(text)} characters still fail with {wanted[0]}\n")
    return best


def _failures(source: Source, target: Target, request: Request) -> list[tuple[str, str]]:
    """Codes of the errors, and of internal ones what is said of them."""
    from glslc_multi.compiler.driver import compile_source

    try:
        compile_source(source, target, request, DiagnosticSink())
    except CompileError as error:
        return [(diagnostic.code, "") for diagnostic in error.diagnostics if diagnostic.severity == "error"]
    except Exception as error:
        failure = internal_error(error)
        return [(failure.code, failure.message.partition(": ")[2].partition(": ")[0])]
    return []
