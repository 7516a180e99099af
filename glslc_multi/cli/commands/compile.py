"""`glslc-multi IN...`: compile shaders, each for every target that the command line names.

What comes out is chosen by `-E` (preprocessed text), `--emit` and `-S`; text goes to standard output
and a binary to a file, unless `-o` says otherwise.  Everything is compiled before anything is written.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from glslc_multi.cli.commands.information import add_information_flags, print_information
from glslc_multi.cli.compile_options import (
    ALL_TARGETS,
    add_compile_flags,
    add_statistics_flag,
    front_end_options,
    make_request,
    optimisation_level,
    print_statistics,
    printing_blocks,
    usual_targets,
)
from glslc_multi.cli.depfile_options import add_dependency_flags, add_rule_only_flag
from glslc_multi.cli.emit import KINDS, row_of
from glslc_multi.cli.host import add_host_flag
from glslc_multi.cli.outputs import Outputs, fill_pattern
from glslc_multi.cli.parser import OneOf, new_parser
from glslc_multi.cli.project_options import parse_with_project
from glslc_multi.cli.results import by_name, finish, output_path
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits, usage
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.files import STANDARD_STREAM, read_source, write_text
from glslc_multi.report.kinds import HOST

if TYPE_CHECKING:
    from glslc_multi.cli.compilation import Compilation
    from glslc_multi.compiler.frontend import Source
    from glslc_multi.compiler.options import Request
    from glslc_multi.compiler.target import Target

_USAGE = "glslc-multi [options] IN...\n       glslc-multi {commands} --help"
_DESCRIPTION = "Compile GLSL shaders: ES 1.00 and 3.00, desktop 1.10 to 3.30. IN is a file, or - for standard input."
_EPILOG = """\
Example: glslc-multi lit.vert --target pica200 -o lit.shbin
Exit status: 0 fine, 1 errors in the shader, 2 wrong usage, 3 does not fit, 70 internal error."""


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    found = parse_with_project(build_parser, arguments, sink)
    if found is None or print_information(found, sink):
        return
    if found.watch:
        from glslc_multi.cli.watch import watch

        # The project file is read again, too.
        watch(found, lambda own: _compile_all(parse_with_project(build_parser, arguments, own) or found, own), sink)
    _compile_all(found, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the targets on the command line."""
    from glslc_multi.cli.main import COMMANDS

    others = [name for name in COMMANDS if name != "compile"]
    half = len(others) // 2
    commands = f"{'|'.join(others[:half])}|\n{' ' * 12}{'|'.join(others[half:])}"
    parser = new_parser("glslc-multi", _DESCRIPTION, _USAGE.format(commands=commands))
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="*", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("--stage", "-fshader-stage", metavar="S", help="vertex, fragment, geometry or coordinate")
    parser.add_argument("-c", dest="only_compile", action="store_true", help="compile, which is the default")
    parser.add_argument("-E", dest="preprocess", action="store_true", help="only preprocess")
    parser.add_argument("-S", dest="assembly", action="store_true", help="the same as --emit asm")
    parser.add_argument(
        "--emit",
        type=OneOf("--emit", tuple(KINDS)),
        metavar="KIND",
        help=f"what to write: {', '.join(kind for kind in KINDS if '-' not in kind)}",
    )
    parser.add_argument("--reflect", metavar="FILE", help="write the register map")
    add_compile_flags(parser, arguments)
    add_statistics_flag(parser)
    add_information_flags(parser)
    details = parser.add_argument_group("details")
    details.add_argument("--stdin-name", metavar="NAME", help="name of standard input in messages and for its stage")
    details.add_argument("--prefix", metavar="NAME", help="prefix of names in C text (the name of the input)")
    add_host_flag(details)
    details.add_argument("--watch", action="store_true", help="compile again whenever a file changes")
    details.add_argument("--save-temps", action="store_true", help="keep preprocessed text, IR and assembly text too")
    add_rule_only_flag(add_dependency_flags(parser))
    _add_flags_of_other_compilers(details)
    return parser


def _add_flags_of_other_compilers(group: argparse._ActionsContainer) -> None:
    """Flags that build scripts give to other compilers of GLSL; here they have one value, or no effect."""
    group.add_argument("-g", dest="debug", action="store_true", help="no effect: places in the source are always known")
    group.add_argument("-x", dest="language", type=OneOf("-x", ("glsl",)), metavar="glsl", help="the language")


# --------------------------------------------------------------------------- what is to be done
def _compile_all(options: argparse.Namespace, sink: DiagnosticSink) -> list[Compilation]:
    """Compile, write and print what the command line says; returns the compilations that made machine code."""
    # A first word that names no file may be meant as a subcommand.
    from glslc_multi.cli.main import COMMANDS

    word = options.inputs[0] if options.inputs else STANDARD_STREAM
    if word != STANDARD_STREAM and not PurePath(word).suffix and not os.path.lexists(word):
        sink.report(usage.FILE_NOT_FOUND, help=did_you_mean(word, COMMANDS), path=word)
        sink.raise_if_errors()
    kind = _kind(options, sink)
    compilations = compilations_of(options, sink)
    texts = options.emit or options.assembly or options.preprocess or options.stats
    files = options.output or options.reflect or options.save_temps or options.only_rule or options.rule
    if ALL_TARGETS in options.targets and not (texts or files):
        from glslc_multi.cli.commands.survey import survey

        write_text(STANDARD_STREAM, survey(compilations, as_json=options.json, sink=sink), sink)
        return []
    outputs = Outputs()
    with printing_blocks(compilation.request for compilation in compilations):
        finished = [compilation for compilation in compilations if finish(options, kind, compilation, outputs, sink)]
    outputs.write(sink, makes_folders=kind == HOST or len(compilations) > 1)
    if options.only_rule or not row_of(kind).needs_target:
        return []
    if options.stats:
        piped = any(output_path(options, kind, compilation) == STANDARD_STREAM for compilation in finished)
        print_statistics(options.stats, by_name(finished), piped, sink)
    return finished


def _kind(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    """What to write: a name of `KINDS`, or "preprocessed"."""
    asked = {"-E": "preprocessed"} if options.preprocess else {}
    if options.assembly:
        asked["-S"] = "asm"
    if options.emit is not None:
        asked[f"--emit {options.emit}"] = options.emit
    if len(set(asked.values())) > 1:
        first, second, *_ = asked
        sink.report(usage.CONFLICTING_OPTIONS, first=first, second=second)
    kind = next(iter(asked.values()), "bin")
    if row_of(kind).needs_target or options.only_rule:
        options.targets = usual_targets(options)
    if not options.inputs:
        sink.report(usage.NO_INPUT, help="see glslc-multi --help")
    elif row_of(kind).needs_target and not options.targets and not options.only_rule:
        sink.report(usage.NO_TARGET, help="name one with --target, or look at the IR with --emit ir")
    sink.raise_if_errors()
    return kind


def compilations_of(options: argparse.Namespace, sink: DiagnosticSink) -> list[Compilation]:
    """Every input with every target; `all` leaves out targets without the stage."""
    from glslc_multi.cli.compilation import Compilation

    targets = _targets(options, sink)
    sources = [read_source(name, options.stage, sink, options.stdin_name) for name in dict.fromkeys(options.inputs)]
    compilations = [
        Compilation(source, target, _request(options, target), sink.renewed(), _prefix(options, source, target))
        for source in sources
        for target in targets
        if target is None or ALL_TARGETS not in options.targets or _has_stage(target, source, sink)
    ]
    for source in sources:
        if not any(compilation.source is source for compilation in compilations):
            sink.report(limits.FITS_NO_TARGET, notes=[f"no target has the stage of '{source.filename}'"])
    sink.raise_if_errors()
    return compilations


def _targets(options: argparse.Namespace, sink: DiagnosticSink) -> list[Target | None]:
    from glslc_multi.backends.registry import all_targets, find_target

    if ALL_TARGETS in options.targets:
        return [*all_targets(sink)]
    return [*dict.fromkeys(find_target(name, sink) for name in options.targets)] or [None]


def _has_stage(target: Target, source: Source, sink: DiagnosticSink) -> bool:
    from glslc_multi.compiler.driver import require_stage

    return require_stage(source, sink) in target.stages


def _request(options: argparse.Namespace, target: Target | None) -> Request:
    if target is not None:
        return make_request(options, target)
    from glslc_multi.compiler.options import Request

    return Request(
        optimisation_level(options),
        options.precise,
        options.preamble,
        front_end_options(options),
        verify_each=options.verify_each,
    )


def _prefix(options: argparse.Namespace, source: Source, target: Target | None) -> str:
    from glslc_multi.compiler.host_code.c_names import c_name

    pattern = options.prefix or PurePath(source.filename).name
    return c_name(fill_pattern(pattern, PurePath(source.filename).stem, "" if target is None else target.name))
