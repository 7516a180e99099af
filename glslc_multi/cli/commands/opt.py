"""`glslc-multi opt FILE.sir`: read the text form of the IR, check it, run passes over it, print it again."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from glslc_multi.cli.commands.information import list_passes
from glslc_multi.cli.parser import OneOf, help_text, new_parser, parse
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.files import STANDARD_STREAM, read_text, write_text

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.passes.pipeline import Pipeline

_LEVELS = ("0", "1", "2", "3")
_EPILOG = "Example: glslc-multi opt shader.sir --passes sroa,mem2reg,dce --print-after-all"
_USAGE = "glslc-multi opt [options] FILE.sir"
_DESCRIPTION = "Read the text form of the IR, transform and print it. FILE.sir is a file, or - for standard input."


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    parser = build_parser()
    options = parse(parser, arguments, sink)
    if options.help:
        write_text(STANDARD_STREAM, help_text(parser, options), sink)
    elif options.list_passes:
        write_text(STANDARD_STREAM, list_passes(as_json=False), sink)
    else:
        from glslc_multi.compiler.ir.text import print_module

        if options.input is None:
            sink.report(usage.NO_INPUT, help="see glslc-multi opt --help")
            sink.raise_if_errors()
        module = _read_module(options.input, sink)
        if options.verify:
            _verify(module, sink)
        _run_passes(module, options, sink)
        if options.renumber:
            for function in module.functions.values():
                function.renumber()
        write_text(options.output, print_module(module), sink)


def build_parser() -> argparse.ArgumentParser:
    """The options of the subcommand."""
    parser = new_parser("glslc-multi opt", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("input", nargs="?", metavar="FILE.sir", help=argparse.SUPPRESS)
    parser.add_argument("-o", dest="output", metavar="OUT", default=STANDARD_STREAM, help="output file")
    parser.add_argument("--verify", action="store_true", help="check the rules of the IR")
    parser.add_argument("--renumber", action="store_true", help="number values and blocks from 0 in order")
    passes = parser.add_argument_group("passes")
    passes.add_argument(
        "--list", "--list-passes", dest="list_passes", action="store_true", help="print the passes that exist"
    )
    passes.add_argument("--passes", metavar="P,P{x=1},...", help="run these passes in order")
    passes.add_argument("-O", dest="level", type=OneOf("-O", _LEVELS), metavar="0..3", help="run those of a level")
    passes.add_argument(
        "-fprecise", dest="precise", action="store_true", help="keep to rewrites that are exact in IEEE arithmetic"
    )
    passes.add_argument("--print-before", action="append", default=[], metavar="P", help="print the IR before a pass")
    passes.add_argument(
        "--print-before-all", dest="print_before", action="append_const", const="*", help="the same for all"
    )
    passes.add_argument("--print-after", action="append", default=[], metavar="P", help="print the IR after a pass")
    passes.add_argument(
        "--print-after-all", dest="print_after", action="append_const", const="*", help="the same for all"
    )
    passes.add_argument("--stop-after", metavar="P", help="run no pass after this one")
    passes.add_argument("--verify-each", action="store_true", help="check the rules after every pass")
    passes.add_argument("--time-passes", action="store_true", help="print the time that each pass took")
    return parser


def _read_module(path: str, sink: DiagnosticSink) -> Module:
    from glslc_multi.compiler.ir.parse import parse_module

    module = parse_module(read_text(path, sink), "<stdin>" if path == STANDARD_STREAM else path, sink)
    sink.raise_if_errors()
    assert module is not None
    return module


def _verify(module: Module, sink: DiagnosticSink) -> None:
    from glslc_multi.compiler.ir.verify import report_faults, verify_module

    report_faults(verify_module(module), sink)
    sink.raise_if_errors()


def _run_passes(module: Module, options: argparse.Namespace, sink: DiagnosticSink) -> None:
    """Run the chosen passes; they trust the rules of the IR, so these are checked first."""
    pipeline = _pipeline(options, sink)
    _check_names([*options.print_before, *options.print_after, options.stop_after], sink)
    if not pipeline:
        return
    from glslc_multi.cli.pass_watchers import Dumps, StopAfter, Stopped, Times
    from glslc_multi.compiler.passes.base import PassContext
    from glslc_multi.compiler.passes.runner import run_pipeline
    from glslc_multi.compiler.trace import Watcher, watching
    from glslc_multi.compiler.verification import Verifier

    _verify(module, sink)
    times = Times()
    # A time is without what others do.
    watchers: list[Watcher] = [times, Dumps(options.print_before, options.print_after, _write_aside)]
    watchers += [Verifier()] if options.verify_each else []
    watchers += [StopAfter(options.stop_after)] if options.stop_after else []
    with suppress(Stopped), watching(*watchers):
        run_pipeline(module, pipeline, PassContext(precise=options.precise, sink=sink))
    if options.time_passes:
        _write_aside(times.table() + "\n")


def _pipeline(options: argparse.Namespace, sink: DiagnosticSink) -> Pipeline:
    if options.passes is None and options.level is None:
        return ()
    if options.passes is not None and options.level is not None:
        sink.report(usage.CONFLICTING_OPTIONS, first="--passes", second="-O")
        sink.raise_if_errors()
    from glslc_multi.backends.registry import all_passes
    from glslc_multi.compiler.passes.pipeline import level
    from glslc_multi.compiler.passes.pipeline_text import parse_pipeline

    if options.passes is None:
        return level(int(options.level))
    return parse_pipeline(options.passes, sink, all_passes())


def _check_names(names: Sequence[str | None], sink: DiagnosticSink) -> None:
    """Whether passes that are to be watched exist."""
    wanted = [name for name in names if name not in (None, "*")]
    if not wanted:
        return
    from glslc_multi.backends.registry import all_passes

    passes = all_passes()
    for name in wanted:
        if name not in passes:
            sink.report(usage.UNKNOWN_PASS, help=did_you_mean(str(name), passes), name=name)
    sink.raise_if_errors()


def _write_aside(text: str) -> None:
    """Print to standard error what is only to be looked at; the module itself goes to standard output."""
    sys.stderr.write(text)
