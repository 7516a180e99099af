"""`glslc-multi as` and `glslc-multi dis`: assembly text to a binary, and back."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath

from glslc_multi.cli.parser import new_parser, parse_or_help
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import STANDARD_STREAM, read_bytes, read_text, write_bytes, write_text


def run_assembler(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Text in, a binary out."""
    found = parse_or_help(assembler_parser(), arguments, sink)
    if found is None:
        return
    _check(found, sink)
    from glslc_multi.backends.registry import find_target
    from glslc_multi.compiler.assembly import assemble_text

    target = find_target(found.target, sink)
    data = assemble_text(read_text(found.input, sink), target=target, filename=found.input, sink=sink)
    suffix = target.suffix_of_file(data)
    piped = found.input == STANDARD_STREAM
    write_bytes(found.output or (STANDARD_STREAM if piped else PurePath(found.input).stem + suffix), data, sink)


def run_disassembler(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """A binary in, text out."""
    found = parse_or_help(disassembler_parser(), arguments, sink)
    if found is None:
        return
    from glslc_multi.backends.registry import find_target, target_of_suffix
    from glslc_multi.compiler.assembly import disassemble_data

    by_suffix = target_of_suffix(PurePath(found.input or "").suffix) if found.target is None else None
    if by_suffix is None:
        _check(found, sink)
    target = by_suffix or find_target(found.target, sink)
    text = disassemble_data(read_bytes(found.input, sink), target=target, filename=found.input, sink=sink)
    write_text(found.output or STANDARD_STREAM, text, sink)


def assembler_parser() -> argparse.ArgumentParser:
    """The options of `as`."""
    return _parser(
        "as", "Assemble text of a target.", "Example: glslc-multi as lit.v.pica --target pica200 -o lit.shbin"
    )


def disassembler_parser() -> argparse.ArgumentParser:
    """The options of `dis`."""
    return _parser("dis", "Disassemble a binary of a target.", "Example: glslc-multi dis lit.shbin")


def _parser(name: str, description: str, example: str) -> argparse.ArgumentParser:
    parser = new_parser(f"glslc-multi {name}", description, f"glslc-multi {name} IN --target T [-o OUT]")
    parser.epilog = example
    parser.add_argument("input", nargs="?", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("--target", metavar="T", help="the machine; `glslc-multi targets` lists them")
    parser.add_argument("-o", dest="output", metavar="OUT", help="output file, - for standard output")
    return parser


def _check(options: argparse.Namespace, sink: DiagnosticSink) -> None:
    if options.input is None:
        sink.report(usage.NO_INPUT, help="name a file, or - for standard input")
    elif options.target is None:
        sink.report(usage.NO_TARGET, help="name one with --target")
    sink.raise_if_errors()
