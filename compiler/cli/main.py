"""The command `glslc-multi`: choose a subcommand, run it, print its diagnostics, return the exit status.

Exit status: 0 fine, 1 errors in the shader, 2 wrong usage or unreadable file, 3 does not fit the
target, 70 internal error.  No exception of ours leaves `main` as a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from compiler.cache.footprint import note_unrepeatable
from compiler.cli.messages import print_messages
from compiler.cli.parser import message_style
from compiler.cli.response import expand_response_files
from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink, exit_status
from compiler.diagnostics.catalogue import usage

#: Subcommand -> "module:function" that does it, given arguments and sink; without one of these words, `compile`.
COMMANDS = {
    "compile": "compiler.cli.compile:run",
    "link": "compiler.cli.link:run",
    "batch": "compiler.cli.batch:run",
    "explain": "compiler.cli.explain:run",
    "run": "compiler.cli.run:run",
    "render": "compiler.cli.render:run",
    "as": "compiler.cli.assembly:run_assembler",
    "dis": "compiler.cli.assembly:run_disassembler",
    "opt": "compiler.cli.opt:run",
    "stats": "compiler.cli.stats:run",
    "targets": "compiler.cli.targets:run",
}
#: Subcommand -> "module:function" that makes its parser.
PARSERS = {
    "compile": "compiler.cli.compile:build_parser",
    "link": "compiler.cli.link:build_parser",
    "batch": "compiler.cli.batch:build_parser",
    "explain": "compiler.cli.explain:build_parser",
    "run": "compiler.cli.run:build_parser",
    "render": "compiler.cli.render:build_parser",
    "as": "compiler.cli.assembly:assembler_parser",
    "dis": "compiler.cli.assembly:disassembler_parser",
    "opt": "compiler.cli.opt:build_parser",
    "stats": "compiler.cli.stats:build_parser",
    "targets": "compiler.cli.targets:build_parser",
}
_DEFAULT = "compile"
#: Those that only read files and write what follows from them: the cache may answer for them.
_REPEATABLE = ("compile", "link", "as", "dis")

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    sink = DiagnosticSink()
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        words = expand_response_files(words, sink)
        _dispatch(words, sink)
        diagnostics = tuple(sink.diagnostics)
    except CompileError as error:
        diagnostics = error.diagnostics
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        diagnostics = (*sink.diagnostics, internal_error(error))
    print_messages(diagnostics, *message_style(words))
    return exit_status(diagnostics)


def _dispatch(arguments: list[str], sink: DiagnosticSink) -> None:
    named = bool(arguments) and arguments[0] in COMMANDS
    command = arguments[0] if named else _DEFAULT
    if command not in _REPEATABLE:
        note_unrepeatable()
    module, _, function = COMMANDS[command].partition(":")
    getattr(import_module(module), function)(arguments[1:] if named else arguments, sink)


def internal_error(error: Exception) -> Diagnostic:
    """A mistake of the compiler itself, with the place where it happened."""
    import traceback

    if os.environ.get("GLSLC_MULTI_TRACEBACK"):
        traceback.print_exception(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {error}"
    report = DiagnosticSink()
    report.report(usage.INTERNAL_ERROR, help="set GLSLC_MULTI_TRACEBACK=1 to see where it comes from", what=what)
    return report.diagnostics[0]


if __name__ == "__main__":
    sys.exit(main())
