"""`glslc-multi check IN...`: what is wrong with shaders, and whether they fit; nothing is written, or proven."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from glslc_multi.cli.commands.compile import compilations_of
from glslc_multi.cli.compile_options import add_compile_flags, usual_targets
from glslc_multi.cli.parser import new_parser
from glslc_multi.cli.project_options import parse_with_project
from glslc_multi.cli.results import join_messages
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage

_USAGE = "glslc-multi check [options] IN..."
_DESCRIPTION = "Report mistakes in shaders; with --target, what does not fit there, too. Nothing is written."
_EPILOG = """\
Example: glslc-multi check shaders/*.frag --target 3ds --diagnostics-format sarif
Exit status: 0 fine, 1 errors in a shader, 2 wrong usage, 3 does not fit, 70 internal error."""


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    options = parse_with_project(build_parser, arguments, sink)
    if options is None:
        return
    if not options.inputs:
        sink.report(usage.NO_INPUT, help="see glslc-multi check --help")
        sink.raise_if_errors()
    options.targets = usual_targets(options)
    for compilation in compilations_of(options, sink):
        try:
            compilation.check()
            join_messages(sink, compilation.sink.diagnostics)
        except CompileError as error:
            join_messages(sink, error.diagnostics)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the targets on the command line."""
    parser = new_parser("glslc-multi check", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="*", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("--stage", "-fshader-stage", metavar="S", help="vertex, fragment, geometry or coordinate")
    add_compile_flags(parser, arguments, writes=False)
    details = parser.add_argument_group("details")
    details.add_argument("--stdin-name", metavar="NAME", help="name of standard input in messages and for its stage")
    parser.set_defaults(proof="off", prefix="")
    return parser
