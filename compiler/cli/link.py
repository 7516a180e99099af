"""`glslc-multi link A.vert B.frag`: compile a vertex and a fragment shader that belong together.

Every stage that comes out becomes a file: `-o OUT` names it by `OUT` with the stage in front of the suffix.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from compiler.cli.compile_options import add_compile_flags, make_request, print_statistics, write_artifact
from compiler.cli.files import STANDARD_STREAM, read_text, write_text
from compiler.cli.parser import new_parser, parse
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import usage

if TYPE_CHECKING:
    from compiler.artifact import Program
    from compiler.driver import Request

_USAGE = "glslc-multi link [options] VERTEX FRAGMENT --target T"
_EPILOG = "Example: glslc-multi link phong.vert phong.frag --target agal -o phong.agalbin"
#: Stage -> what stands in a file's name for it.
_STAGE_NAMES = {"vertex": "vs", "coordinate": "cs", "fragment": "fs"}


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    parser = new_parser("glslc-multi link", "Compile a vertex and a fragment shader that belong together.", _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="*", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("-S", dest="assembly", action="store_true", help="print assembly text")
    target_options = add_compile_flags(parser, arguments)
    found = parse(parser, arguments, sink)
    if found.help:
        write_text(STANDARD_STREAM, parser.format_help(), sink)
        return
    _check(found, sink)
    request = make_request(found, target_options)
    program = _link(found.inputs, request, sink)
    if found.assembly:
        text = "".join(f"{artifact.assembly}\n" for artifact in program.stages.values())
        write_text(found.output or STANDARD_STREAM, text, sink)
    else:
        _write_stages(found, program, request, sink)
    printed = found.assembly and found.output is None
    print_statistics(found.stats, program.stages, STANDARD_STREAM if printed else "")


def _check(found: argparse.Namespace, sink: DiagnosticSink) -> None:
    if len(found.inputs) != 2:
        sink.report(usage.NO_INPUT, help="link takes a vertex and a fragment shader; see glslc-multi link --help")
    elif found.target is None:
        sink.report(usage.NO_TARGET, help="name one with --target")
    sink.raise_if_errors()


def _link(inputs: Sequence[str], request: Request, sink: DiagnosticSink) -> Program:
    from compiler.driver import Source, compile_pair

    vertex, fragment = inputs
    return compile_pair(
        Source(read_text(vertex, sink), vertex, "vertex"),
        Source(read_text(fragment, sink), fragment, "fragment"),
        request,
        sink,
    )


def _write_stages(found: argparse.Namespace, program: Program, request: Request, sink: DiagnosticSink) -> None:
    from compiler.driver import find_target

    suffix = find_target(request.target, sink).suffix
    base = PurePath(found.output) if found.output else PurePath(PurePath(found.inputs[0]).stem + suffix)
    for stage, artifact in program.stages.items():
        several = len(program.stages) > 1
        name = f"{base.stem}.{_STAGE_NAMES[stage]}{base.suffix or suffix}" if several else base.name
        write_artifact(str(base.with_name(name)), artifact, request, None, sink)
