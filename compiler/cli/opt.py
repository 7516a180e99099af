"""`glslc-multi opt FILE.sir`: read the text form of the IR, check it, print it again."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.cli.files import STANDARD_STREAM, read_text, write_text
from compiler.cli.parser import new_parser, parse
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import usage

_USAGE = "glslc-multi opt [options] FILE.sir"
_DESCRIPTION = "Read the text form of the IR and print it. FILE.sir is a file, or - for standard input."


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    parser = new_parser("glslc-multi opt", _DESCRIPTION, _USAGE)
    parser.add_argument("input", nargs="?", metavar="FILE.sir")
    parser.add_argument("-o", dest="output", metavar="OUT", default=STANDARD_STREAM, help="output file")
    parser.add_argument("--verify", action="store_true", help="check the rules of the IR")
    parser.add_argument("--renumber", action="store_true", help="number values and blocks from 0 in order")
    found = parse(parser, arguments, sink)
    if found.help:
        print(parser.format_help(), end="")
        return
    if found.input is None:
        sink.report(usage.NO_INPUT, help="see glslc-multi opt --help")
        sink.raise_if_errors()
    write_text(found.output, _rewrite(found.input, sink, verify=found.verify, renumber=found.renumber), sink)


def _rewrite(path: str, sink: DiagnosticSink, *, verify: bool, renumber: bool) -> str:
    from compiler.ir.parse import parse_module
    from compiler.ir.text import print_module

    module = parse_module(read_text(path, sink), "<stdin>" if path == STANDARD_STREAM else path, sink)
    sink.raise_if_errors()
    assert module is not None
    if verify:
        from compiler.ir.verify import report_faults, verify_module

        report_faults(verify_module(module), sink)
        sink.raise_if_errors()
    if renumber:
        for function in module.functions.values():
            function.renumber()
    return print_module(module)
