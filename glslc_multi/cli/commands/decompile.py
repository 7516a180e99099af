"""`glslc-multi decompile IN`: machine code as GLSL."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from glslc_multi.cli.parser import OneOf, new_parser, parse_or_help
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.frontend import Source
from glslc_multi.compiler.options import PROOFS, Request
from glslc_multi.files import STANDARD_STREAM, read_bytes, write_text

if TYPE_CHECKING:
    from glslc_multi.compiler.target import Target

_USAGE = "glslc-multi decompile [options] IN"
_DESCRIPTION = """\
Write machine code as GLSL.  IN is a file of a target, or -; names come from its register map,
from what the file itself says, or from the registers."""


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    options = parse_or_help(build_parser(), arguments, sink)
    if options is None:
        return
    if options.input is None:
        sink.report(usage.NO_INPUT, help="name a file, or - for standard input")
        sink.raise_if_errors()
    from glslc_multi.backends.frontend import MachineCode
    from glslc_multi.rewrite import rewrite

    front_end = MachineCode(_target(options, sink), options.map, options.entry, is_exact=options.exact)
    source = Source(read_bytes(options.input, sink), options.input, front_end)
    text = rewrite(source, Request(proof=options.proof, precise=options.exact), options.std, sink)
    write_text(options.output or STANDARD_STREAM, text, sink)


def build_parser() -> argparse.ArgumentParser:
    """The options of the subcommand."""
    from glslc_multi.backends.glsl.dialects import DIALECTS

    parser = new_parser("glslc-multi decompile", _DESCRIPTION, _USAGE)
    parser.epilog = "Example: glslc-multi decompile game.shbin --std 330 -o game.vert"
    parser.add_argument("input", nargs="?", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("--from", dest="machine", metavar="T", help="the machine, where the file's name does not tell")
    parser.add_argument(
        "--std", type=OneOf("--std", tuple(DIALECTS)), default="300es", metavar="V", help="version of GLSL (300es)"
    )
    parser.add_argument(
        "--entry", default="", metavar="NAME", help="the shader of a file of several: its number, stage or label"
    )
    parser.add_argument("--map", default="", metavar="FILE", help="the register map, if it is not IN.json")
    parser.add_argument(
        "--exact", action="store_true", help="infinities and denormal numbers as the machine has them, at length"
    )
    parser.add_argument(
        "--proof", type=OneOf("--proof", PROOFS), default="quick", metavar="EFFORT",
        help="compare the text with the code: off, quick, full (quick)",
    )  # fmt: skip
    parser.add_argument("-o", dest="output", metavar="OUT", help="output file, - for standard output, the default")
    return parser


def _target(options: argparse.Namespace, sink: DiagnosticSink) -> Target:
    """Return the machine that is named, or that has files of this name."""
    from pathlib import PurePath

    from glslc_multi.backends.registry import find_target, target_of_suffix

    target = target_of_suffix(PurePath(options.input).suffix) if options.machine is None else None
    if target is None and options.machine is None:
        sink.report(usage.NO_TARGET, help="name the machine with --from")
        sink.raise_if_errors()
    return target or find_target(options.machine, sink)
