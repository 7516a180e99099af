"""The command `glslc-multi`: choose a subcommand, run it, print its diagnostics, return the exit status.

Exit status: 0 fine, 1 errors in the shader, 2 wrong usage or unreadable file, 3 does not fit the
target, 70 internal error.  No exception of ours leaves `main` as a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from glslc_multi.cli.messages import print_messages
from glslc_multi.cli.parser import message_style
from glslc_multi.cli.reproducer import INTERNAL, with_reproducer
from glslc_multi.cli.response import expand_response_files
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, exit_status
from glslc_multi.compiler.files import begin_run, note_unrepeatable
from glslc_multi.failure import internal_error
from glslc_multi.files import open_closed_streams

#: Subcommand -> "module:function" that does it, given arguments and sink; without one of these words, `compile`.
COMMANDS = {
    "compile": "glslc_multi.cli.commands.compile:run",
    "link": "glslc_multi.cli.commands.link:run",
    "check": "glslc_multi.cli.commands.check:run",
    "fmt": "glslc_multi.cli.commands.fmt:run",
    "batch": "glslc_multi.cli.commands.batch:run",
    "explain": "glslc_multi.cli.commands.explain:run",
    "run": "glslc_multi.cli.commands.run:run",
    "render": "glslc_multi.cli.commands.render:run",
    "as": "glslc_multi.cli.commands.assembly:run_assembler",
    "dis": "glslc_multi.cli.commands.assembly:run_disassembler",
    "decompile": "glslc_multi.cli.commands.decompile:run",
    "opt": "glslc_multi.cli.commands.opt:run",
    "reduce": "glslc_multi.cli.commands.reduce:run",
    "playground": "glslc_multi.playground.command:run",
    "stats": "glslc_multi.cli.commands.stats:run",
    "targets": "glslc_multi.cli.commands.targets:run",
    "port": "glslc_multi.cli.commands.port:run",
    "lsp": "glslc_multi.cli.commands.lsp:run",
}
#: Subcommand -> "module:function" that makes its parser.
PARSERS = {
    "compile": "glslc_multi.cli.commands.compile:build_parser",
    "link": "glslc_multi.cli.commands.link:build_parser",
    "check": "glslc_multi.cli.commands.check:build_parser",
    "fmt": "glslc_multi.cli.commands.fmt:build_parser",
    "batch": "glslc_multi.cli.commands.batch:build_parser",
    "explain": "glslc_multi.cli.commands.explain:build_parser",
    "run": "glslc_multi.cli.commands.run:build_parser",
    "render": "glslc_multi.cli.commands.render:build_parser",
    "as": "glslc_multi.cli.commands.assembly:assembler_parser",
    "dis": "glslc_multi.cli.commands.assembly:disassembler_parser",
    "decompile": "glslc_multi.cli.commands.decompile:build_parser",
    "opt": "glslc_multi.cli.commands.opt:build_parser",
    "reduce": "glslc_multi.cli.commands.reduce:build_parser",
    "playground": "glslc_multi.playground.command:build_parser",
    "stats": "glslc_multi.cli.commands.stats:build_parser",
    "targets": "glslc_multi.cli.commands.targets:build_parser",
    "port": "glslc_multi.cli.commands.port:build_parser",
    "lsp": "glslc_multi.cli.commands.lsp:build_parser",
}
_DEFAULT = "compile"
#: Those that only read files and write what follows from them: the cache may replay them.
_REPEATABLE = ("compile", "link", "as", "dis")

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    sink = DiagnosticSink()
    words = sys.argv[1:] if arguments is None else list(arguments)
    begin_run()
    open_closed_streams()
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
    status = exit_status(diagnostics)
    if status == INTERNAL:
        diagnostics = with_reproducer(diagnostics, words)
    print_messages(diagnostics, *message_style(words))
    return status


def _dispatch(arguments: list[str], sink: DiagnosticSink) -> None:
    """Run the command that is named first, or compile."""
    named = bool(arguments) and arguments[0] in COMMANDS
    command = arguments[0] if named else _DEFAULT
    if command not in _REPEATABLE:
        note_unrepeatable()
    module, _, function = COMMANDS[command].partition(":")
    getattr(import_module(module), function)(arguments[1:] if named else arguments, sink)


if __name__ == "__main__":
    sys.exit(main())
