"""`glslc-multi explain SHADER --target T`: what became of each line, as text or as a page for the browser.

Of two shaders, what became of both when they are linked.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from glslc_multi.cli.compile_options import ALL_TARGETS, add_compile_flags, front_end_options, make_request, only_target
from glslc_multi.cli.outputs import Outputs
from glslc_multi.cli.parser import new_parser
from glslc_multi.cli.project_options import parse_with_project
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits, usage
from glslc_multi.files import STANDARD_STREAM, read_bytes, read_source, source_of

if TYPE_CHECKING:
    from glslc_multi.compiler.frontend import Source
    from glslc_multi.report.explain.explanation import Explanation

_USAGE = "glslc-multi explain [options] SHADER [SECOND] --target T"
_DESCRIPTION = """\
Show what became of each line of a shader: the words it costs, the code, registers in use.
With -o PAGE.html, a page that also has every step, the bits of each word, flow graphs;
with --target all, one page for all machines.
A vertex and a fragment (or geometry) shader are linked, and shown together.
Of pica200, also what a .tev file or a dump of registers says."""
_EPILOG = "Example: glslc-multi explain lit.vert --target pica200 -o lit.html"
_PAGES = (".html", ".htm")
_MOST_SHADERS = 2


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    found = parse_with_project(build_parser, arguments, sink)
    if found is None:
        return
    if not found.shaders:
        sink.report(usage.NO_INPUT, help="see glslc-multi explain --help")
    elif len(found.shaders) > _MOST_SHADERS:
        most = "explain one shader at a time, or a vertex and a fragment shader"
        sink.report(usage.UNEXPECTED_ARGUMENT, help=most, argument=found.shaders[_MOST_SHADERS])
    elif len(found.shaders) > 1 and found.stage is not None:
        sink.report(usage.CONFLICTING_OPTIONS, first="--stage", second="two shaders")
    sink.raise_if_errors()
    outputs = Outputs()
    outputs.add_text(found.output or STANDARD_STREAM, _explanation(found, sink), "explanation", sink)
    outputs.write(sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the target on the command line."""
    parser = new_parser("glslc-multi explain", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("shaders", nargs="*", metavar="SHADER", help=argparse.SUPPRESS)
    parser.add_argument("--stage", "-fshader-stage", metavar="S", help="vertex, fragment, geometry or coordinate")
    parser.add_argument("--fields", action="store_true", help="also the fields of each word (a page has them always)")
    add_compile_flags(parser, arguments)
    return parser


def _explanation(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    from glslc_multi.backends.registry import target_of_suffix
    from glslc_multi.report.explain.decompiled import explain_machine_code
    from glslc_multi.report.explain.explanation import explain_program
    from glslc_multi.report.explain.page import page
    from glslc_multi.report.explain.terminal import listing, words_listing

    is_page = PurePath(options.output or "").suffix in _PAGES
    if options.targets == [ALL_TARGETS] and is_page:
        return _of_all_targets(options, sink)
    path = options.shaders[0]
    target = only_target(options, sink, path)
    data = read_bytes(path, sink)
    dump = target.list_dump(data, path, sink)
    if dump is not None:
        return words_listing(dump, fields=options.fields)
    sources, request = _sources(options, data, sink), make_request(options, target)
    if target_of_suffix(PurePath(path).suffix) is target and sources[0].front_end.is_binary:
        # Not what it becomes, but what it is.
        stages: tuple[Explanation, ...] = (explain_machine_code(sources[0], target, request, sink),)
    else:
        stages = explain_program(sources, target, request, sink)
    return page(*stages) if is_page else listing(*stages, fields=options.fields)


def _sources(options: argparse.Namespace, data: bytes, sink: DiagnosticSink) -> tuple[Source, ...]:
    """The shader whose bytes these are, or the two that are to be linked."""
    from glslc_multi.frontends.registry import as_second

    first, *rest = options.shaders
    if not rest:
        return (source_of(data, first, options.stage, sink),)
    return source_of(data, first, "vertex", sink), as_second(read_source(rest[0], None, sink))


def _of_all_targets(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    """One file with a page for each target that takes the shaders, and why others do not."""
    from glslc_multi.backends.registry import all_targets
    from glslc_multi.compiler.driver import lower_source, require_stage
    from glslc_multi.report.explain.book import book
    from glslc_multi.report.explain.explanation import explain_program
    from glslc_multi.report.explain.page import page
    from glslc_multi.report.fit import shortfall

    sources = _sources(options, read_bytes(options.shaders[0], sink), sink)
    # What is wrong whatever the target is reported as always.
    for source in sources:
        lower_source(source, front_end_options(options), sink)
    stage = require_stage(sources[-1], sink)
    pages: dict[str, str] = {}
    refusals: dict[str, str] = {}
    for target in all_targets(sink):
        if stage not in target.stages:
            refusals[target.name] = f"no {stage} stage"
            continue
        try:
            pages[target.name] = page(*explain_program(sources, target, make_request(options, target), sink.renewed()))
        except CompileError as error:
            refusals[target.name] = shortfall(error.diagnostics)
    if not pages:
        sink.report(limits.FITS_NO_TARGET, notes=[f"{name}: {reason}" for name, reason in refusals.items()])
        sink.raise_if_errors()
    return book(" and ".join(source.filename for source in sources), pages, refusals)
