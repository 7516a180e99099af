"""`glslc-multi link A.vert B.frag`: compile a vertex and a fragment shader that belong together.

The second one may be a geometry shader (`B.geom`) where the target has that stage: both go into one file.

Every stage that comes out becomes a file: `-o OUT` names it by `OUT` with the stage before the suffix.
`--emit` chooses what that file holds; host code (`--emit host`) is for all stages together.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from glslc_multi.cli.compile_options import (
    add_compile_flags,
    add_statistics_flag,
    make_request,
    only_target,
    print_statistics,
    printing_blocks,
)
from glslc_multi.cli.depfile_options import add_dependency_flags, dependency_rule, rule_path
from glslc_multi.cli.host import add_host_flag, host_files, host_place
from glslc_multi.cli.outputs import Outputs
from glslc_multi.cli.parser import OneOf, new_parser
from glslc_multi.cli.project_options import parse_with_project
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.host_code.c_names import c_name
from glslc_multi.files import STANDARD_STREAM, read_source
from glslc_multi.report.kinds import HOST, OF_STAGE, STAGE_KINDS, STAGE_NAMES, Emission, files_of_program

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Program
    from glslc_multi.compiler.frontend import Prepared
    from glslc_multi.compiler.target import Target

_USAGE = "glslc-multi link [options] VERTEX FRAGMENT --target T"
#: Stages that suffixes say of a pair in the wrong order.
_SWAPPED = (["fragment", "vertex"], ["geometry", "vertex"])
_EPILOG = "Example: glslc-multi link phong.vert phong.frag --target agal -o phong.agalbin"


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    from glslc_multi.compiler.driver import prepare
    from glslc_multi.compiler.programs import compile_program
    from glslc_multi.frontends.registry import as_second

    found = parse_with_project(build_parser, arguments, sink)
    if found is None:
        return
    kind = _check(found, sink)
    target = only_target(found, sink)
    request = make_request(found, target)
    vertex = read_source(found.inputs[0], "vertex", sink)
    second = as_second(read_source(found.inputs[1], None, sink))
    if [each.front_end.stage_of_suffix.get(PurePath(each.filename).suffix) for each in (vertex, second)] in _SWAPPED:
        help = f"write 'glslc-multi link {found.inputs[1]} {found.inputs[0]}'"
        sink.report(usage.STAGES_SWAPPED, help=help)
        sink.raise_if_errors()
    with printing_blocks([request]):
        program = compile_program(vertex, second, target, request, sink)
    outputs = Outputs()
    if kind == HOST:
        _add_host_code(found, program, target, outputs, sink)
    elif kind in OF_STAGE:
        _add_texts(found, kind, program, target, outputs, sink)
    else:
        _add_stages(found, program, target, outputs, sink)
    if found.rule:
        read = [prepare(each, request.front_end, DiagnosticSink()) for each in (vertex, second)]
        _add_rule(found, read, outputs, sink)
    outputs.write(sink, makes_folders=True)
    piped = found.output == STANDARD_STREAM or (kind == "asm" and found.output is None)
    print_statistics(found.stats, {"": program.stages}, piped, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the target on the command line."""
    about = "Compile a vertex and a fragment shader, or a vertex and a geometry shader, that belong together."
    parser = new_parser("glslc-multi link", about, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="*", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("-S", dest="assembly", action="store_true", help="the same as --emit asm")
    parser.add_argument(
        "--emit", type=OneOf("--emit", STAGE_KINDS), metavar="KIND", help=f"what to write: {', '.join(STAGE_KINDS)}"
    )
    add_compile_flags(parser, arguments)
    add_statistics_flag(parser)
    details = parser.add_argument_group("names in other languages")
    details.add_argument("--prefix", metavar="NAME", help="prefix of names in C text (the name of the first input)")
    add_host_flag(details)
    add_dependency_flags(parser)
    return parser


def _check(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    """The kind of output."""
    if len(options.inputs) != 2:
        sink.report(usage.NO_INPUT, help="link takes a vertex and a fragment shader; see glslc-multi link --help")
    if options.assembly and options.emit not in (None, "asm"):
        sink.report(usage.CONFLICTING_OPTIONS, first="-S", second=f"--emit {options.emit}")
    sink.raise_if_errors()
    return "asm" if options.assembly else options.emit or "bin"


def _add_stages(
    options: argparse.Namespace, program: Program, target: Target, outputs: Outputs, sink: DiagnosticSink
) -> None:
    """A file for every stage, and its register map where the file has no room for names."""
    from glslc_multi.report.reflection import register_map

    if program.binary is not None:
        outputs.add(options.output or PurePath(options.inputs[0]).stem + target.suffix, program.binary, "bin", sink)
        return
    for stage, artifact in program.stages.items():
        path = STANDARD_STREAM if options.output == STANDARD_STREAM else _path(options, stage, program, target)
        outputs.add(path, artifact.binary, "bin", sink)
        if target.needs_map and path != STANDARD_STREAM:
            outputs.add_text(f"{path}.json", register_map(artifact), "json", sink)


def _add_host_code(
    options: argparse.Namespace, program: Program, target: Target, outputs: Outputs, sink: DiagnosticSink
) -> None:
    folder, prefix = host_place(options.output or "", PurePath(options.inputs[0]).stem, sink)
    folder_and_prefix = folder, c_name(options.prefix or prefix)
    for path, data in host_files(program.stages, program.binary, target, options.host_form, folder_and_prefix, sink):
        outputs.add(path, data, HOST, sink)


def _add_texts(
    options: argparse.Namespace, kind: str, program: Program, target: Target, outputs: Outputs, sink: DiagnosticSink
) -> None:
    """Add assembly text, which is one of all stages, or a text of every stage, with the stage in its name."""
    base = PurePath(options.output or PurePath(options.inputs[0]).stem)
    emission = Emission(kind, c_name(options.prefix or base.stem))
    for suffix, text in files_of_program(emission, program, target, sink).items():
        is_whole = kind == "asm" or options.output == STANDARD_STREAM
        path = options.output or STANDARD_STREAM if is_whole else str(base.parent / f"{base.stem}{suffix}")
        outputs.add(path, text, kind, sink)


def _add_rule(options: argparse.Namespace, read: Sequence[Prepared], outputs: Outputs, sink: DiagnosticSink) -> None:
    """The rule of `-MD`, for all files together: beside the first one."""
    made = outputs.paths
    outputs.add_text(rule_path(options, made[0], sink), dependency_rule(options, read, made, sink), "rule", sink)


def _path(options: argparse.Namespace, stage: str, program: Program, target: Target) -> str:
    """The file of a stage: suffixes tell stages apart, or what stands before them does."""
    suffix = target.suffix_of(stage)
    if options.output is None and target.suffixes:
        return PurePath(options.inputs[1 if stage == "fragment" else 0]).stem + suffix
    base = PurePath(options.output or PurePath(options.inputs[0]).stem + suffix)
    if stage in target.suffixes or base.suffix in target.suffixes.values():
        return str(base.parent / f"{base.stem}{suffix}")
    if len(program.stages) == 1 or target.suffixes:
        return str(base)
    return str(base.parent / f"{base.stem}.{STAGE_NAMES[stage]}{base.suffix or suffix}")
