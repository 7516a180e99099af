"""`glslc-multi port IN --to VERSION`: a shader in another version of GLSL, with its comments and macros.

The source must be correct in its own version, and the result is checked in the other one: what that cannot say is
reported at its place in the result, and nothing is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from glslc_multi.cli.compile_options import add_language_flags, front_end_options
from glslc_multi.cli.parser import OneOf, new_parser, parse_or_help
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, Fix, SourceFile
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.records import replace
from glslc_multi.files import STANDARD_STREAM, read_source, write_text

if TYPE_CHECKING:
    from glslc_multi.compiler.frontend import FrontEndOptions
    from glslc_multi.frontends.glsl.check import CheckedShader
    from glslc_multi.frontends.glsl.symbols import Stage
    from glslc_multi.frontends.glsl.tokens import PreprocessedShader

_USAGE = "glslc-multi port [options] IN --to VERSION"
_DESCRIPTION = "Rewrite a shader in another version of GLSL; comments and macros stay. IN is a file, or -."
_VERSIONS = ("300es", "100")
_STAGES = ("vertex", "fragment", "vert", "frag")


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    found = parse_or_help(build_parser(), arguments, sink)
    if found is None:
        return
    if found.input is None:
        sink.report(usage.NO_INPUT, help="see glslc-multi port --help")
    elif found.to is None:
        sink.report(usage.MISSING_OPTION_VALUE, option="--to", expected="300es or 100")
    sink.raise_if_errors()
    from glslc_multi.compiler.driver import require_stage

    source = read_source(found.input, found.stage, sink)
    stage = cast("Stage", require_stage(source, sink))
    file = SourceFile(source.filename, source.text)
    write_text(found.output or STANDARD_STREAM, _ported(file, stage, found.to, front_end_options(found), sink), sink)


def build_parser() -> argparse.ArgumentParser:
    """The options of the subcommand."""
    parser = new_parser("glslc-multi port", _DESCRIPTION, _USAGE)
    parser.epilog = "Example: glslc-multi port old.frag --to 300es -o new.frag"
    parser.add_argument("input", nargs="?", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("--to", type=OneOf("--to", _VERSIONS), metavar="VERSION", help="300es or 100")
    parser.add_argument("--stage", type=OneOf("--stage", _STAGES), metavar="S", help="vertex or fragment")
    parser.add_argument("-o", dest="output", metavar="OUT", help="output file, - for standard output, the default")
    add_language_flags(parser, parser)
    return parser


def _ported(file: SourceFile, stage: Stage, to: str, options: FrontEndOptions, sink: DiagnosticSink) -> str:
    """The text in the other version, or the diagnostics of either."""
    from glslc_multi.frontends.glsl.porting import mend, port

    shader, checked = _read(file, stage, options, sink)
    result = SourceFile(f"{file.name} in {to}", port(file, shader, checked, to, sink))
    options = replace(options, std="", compat=False)
    result = mend(result, lambda text: _fixes(text, stage, options))
    _read(result, stage, options, sink)
    return result.text


def _read(
    file: SourceFile, stage: Stage, options: FrontEndOptions, sink: DiagnosticSink
) -> tuple[PreprocessedShader, CheckedShader]:
    """The tokens and the typed tree of a shader in which no mistake is."""
    from glslc_multi.frontends.glsl.frontend import check_tokens
    from glslc_multi.frontends.glsl.preprocess import preprocess

    shader = preprocess(
        file,
        stage=stage,
        defines=options.defines,
        undefines=options.undefines,
        include_dirs=options.include_dirs,
        std=options.std,
        compat=options.compat,
        sink=sink,
    )
    return shader, check_tokens(shader, stage=stage, sink=sink)


def _fixes(file: SourceFile, stage: Stage, options: FrontEndOptions) -> list[Fix]:
    """The edits that surely mend what the messages about a text say."""
    sink = DiagnosticSink(max_errors=0)
    with suppress(CompileError):
        _read(file, stage, options, sink)
    errors = (diagnostic for diagnostic in sink.diagnostics if diagnostic.severity == "error")
    return [fix for error in errors for fix in error.fixes if fix.is_certain]
