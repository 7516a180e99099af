"""`glslc-multi fmt FILE...`: GLSL in a regular layout, written back, or what would change."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from glslc_multi.cli.parser import new_parser, parse_or_help, whole_number
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import STANDARD_STREAM, encode, read_bytes, replace_together, write_text

_USAGE = "glslc-multi fmt [--check] [--diff] [--indent N | --tabs] FILE..."
_DESCRIPTION = "Lay GLSL out: spaces and indentation, line by line. Files are changed in place, - is printed."
_EPILOG = "Example: glslc-multi fmt --check shaders/*.frag\nExit status: 1 where --check finds what would change."
_BREAK = re.compile(r"\r\n|\r|\n")


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says; files change together, or none does."""
    options = parse_or_help(build_parser(), arguments, sink)
    if options is None:
        return
    if not options.files:
        sink.report(usage.NO_INPUT, help="see glslc-multi fmt --help")
        sink.raise_if_errors()
    changed: list[tuple[str, bytes]] = []
    for path in dict.fromkeys(options.files):
        # What is not UTF-8, in comments, stays as it is.
        old = read_bytes(path, sink).decode("utf-8", "surrogateescape")
        new = _laid_out(old, "\t" if options.tabs else " " * options.indent)
        if new is None:
            sink.report(usage.CANNOT_LAY_OUT, path=path)
            continue
        if options.diff:
            write_text(STANDARD_STREAM, _difference(path, old, new), sink)
        if options.check and new != old:
            sink.report(usage.NOT_LAID_OUT, path=path)
        if new != old or path == STANDARD_STREAM:
            changed.append((path, encode(new)))
    sink.raise_if_errors()
    if not (options.check or options.diff):
        replace_together(changed, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the options of the subcommand."""
    parser = new_parser("glslc-multi fmt", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("files", nargs="*", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help="change nothing; report files that would change")
    parser.add_argument("--diff", action="store_true", help="change nothing; print what would change")
    parser.add_argument("--indent", type=whole_number("--indent"), default=4, metavar="N", help="spaces a level (4)")
    parser.add_argument("--tabs", action="store_true", help="a tab a level")
    return parser


def _laid_out(text: str, indentation: str) -> str | None:
    """Return a text in the regular layout with the line ends that it has; None where that is not surely safe."""
    from glslc_multi.editor.layout import laid_out

    lines = laid_out(text, indentation)
    if lines is None:
        return None
    ends = [*_BREAK.findall(text), ""]
    return "".join(line + end for line, end in zip(lines, ends, strict=True))


def _difference(path: str, old: str, new: str) -> str:
    """Return a unified diff."""
    from difflib import unified_diff

    lines = unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), path, path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
