"""`glslc-multi IN`: compile one shader.

What comes out is chosen by `-E` (preprocessed text), `--emit` and `-S`; text goes to standard output
and a binary to a file, unless `-o` says otherwise.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from compiler.cli.compile_options import (
    add_compile_flags,
    front_end_options,
    make_request,
    print_statistics,
    write_artifact,
    write_map,
)
from compiler.cli.files import STANDARD_STREAM, read_text, write_text
from compiler.cli.parser import new_parser, one_of, parse
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import usage

if TYPE_CHECKING:
    from compiler.driver import Request, Source

_USAGE = "glslc-multi [options] IN\n       glslc-multi link|as|dis|opt|targets [options]"
_DESCRIPTION = "Compile a GLSL ES 1.00 shader. IN is a file, or - for standard input."
_EPILOG = "Exit status: 0 fine, 1 errors in the shader, 2 wrong usage, 3 does not fit the target, 70 internal error."

#: What `--emit` can ask for; `-S` is short for asm.
_KINDS = ("bin", "asm", "ir")


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    parser, target_options = _build_parser(arguments)
    found = parse(parser, arguments, sink)
    if found.help:
        write_text(STANDARD_STREAM, parser.format_help(), sink)
    elif found.version:
        from compiler.version import __version__

        write_text(STANDARD_STREAM, f"glslc-multi {__version__}\n", sink)
    elif found.explain is not None:
        from compiler.cli.explain_code import explain_code

        explain_code(found.explain, sink)
    else:
        _compile(found, target_options, sink)


def _build_parser(arguments: Sequence[str]) -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser, and the names of the options that the target on the command line adds to it."""
    parser = new_parser("glslc-multi", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("input", nargs="?", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--explain", metavar="CODE", help="explain a diagnostic, such as E0301")
    parser.add_argument(
        "--stage", "-fshader-stage", metavar="S", help="vertex, fragment, geometry or coordinate (else: suffix of IN)"
    )
    parser.add_argument("--stdin-name", metavar="NAME", help="name of standard input in messages and for its stage")
    parser.add_argument("-E", dest="preprocess", action="store_true", help="only preprocess")
    parser.add_argument("-S", dest="assembly", action="store_true", help="the same as --emit asm")
    parser.add_argument("--emit", type=one_of("--emit", _KINDS), metavar="|".join(_KINDS), help="what to write")
    parser.add_argument("--reflect", metavar="FILE", help="write the register map")
    return parser, add_compile_flags(parser, arguments)


def _compile(found: argparse.Namespace, target_options: Sequence[str], sink: DiagnosticSink) -> None:
    from compiler import driver

    kind = _kind(found, sink)
    if found.target is not None:
        driver.find_target(found.target, sink)
    source = driver.Source(read_text(_input(found, sink), sink), _filename(found), found.stage)
    if kind in ("bin", "asm"):
        _generate(found, kind, source, make_request(found, target_options), sink)
        return
    front_end = front_end_options(found)
    if kind == "ir":
        from compiler.ir.text import print_module

        module = driver.lower_source(source, front_end, sink)
        driver.optimise(module, int(found.level), precise=found.precise, preamble=found.preamble)
        text = print_module(module)
    else:
        text = driver.preprocess_source(source, front_end, sink)
    write_text(found.output or STANDARD_STREAM, text, sink)


def _generate(found: argparse.Namespace, kind: str, source: Source, request: Request, sink: DiagnosticSink) -> None:
    """Compile to machine code, and write what was asked for."""
    from compiler.driver import compile_source

    artifact = compile_source(source, request, sink)
    path = _output(found, kind, sink)
    if kind == "bin":
        write_artifact(path, artifact, request, found.reflect, sink)
    else:
        write_text(path, artifact.assembly, sink)
        write_map(found.reflect, artifact, sink)
    print_statistics(found.stats, {artifact.reflection.stage: artifact}, path)


def _kind(found: argparse.Namespace, sink: DiagnosticSink) -> str:
    """What to write: "preprocessed" or one of `_KINDS`."""
    asked = {"-E": "preprocessed"} if found.preprocess else {}
    if found.assembly:
        asked["-S"] = "asm"
    if found.emit is not None:
        asked[f"--emit {found.emit}"] = found.emit
    if len(set(asked.values())) > 1:
        first, second, *_ = asked
        sink.report(usage.CONFLICTING_OPTIONS, first=first, second=second)
    kind = next(iter(asked.values()), "bin")
    if kind in ("bin", "asm") and found.target is None and found.input is not None:
        sink.report(usage.NO_TARGET, help="name one with --target, or look at the IR with --emit ir")
    sink.raise_if_errors()
    return kind


def _input(found: argparse.Namespace, sink: DiagnosticSink) -> str:
    if found.input is None:
        sink.report(usage.NO_INPUT, help="see glslc-multi --help")
        sink.raise_if_errors()
    return str(found.input)


def _filename(found: argparse.Namespace) -> str:
    """The name of the input in messages."""
    if found.input == STANDARD_STREAM:
        return found.stdin_name or "<stdin>"
    return str(found.input)


def _output(found: argparse.Namespace, kind: str, sink: DiagnosticSink) -> str:
    """Where machine code goes: `-o`, else text to standard output, a binary to a file in the current directory."""
    if found.output is not None:
        return str(found.output)
    if kind == "asm" or found.input == STANDARD_STREAM:
        return STANDARD_STREAM
    from compiler.driver import find_target

    return PurePath(found.input).stem + find_target(found.target, sink).suffix
