"""`glslc-multi IN...`: compile shaders, each for every target that is asked for.

What comes out is chosen by `-E` (preprocessed text), `--emit` and `-S`; text goes to standard output
and a binary to a file, unless `-o` says otherwise.  Everything is compiled before anything is written.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from compiler.cli.compile_options import (
    ALL_TARGETS,
    add_compile_flags,
    front_end_options,
    make_request,
    optimisation_level,
    print_statistics,
)
from compiler.cli.depfile_options import add_dependency_flags, dependency_rule, rule_path
from compiler.cli.emit import KINDS, PREPROCESSED, Kind
from compiler.cli.files import STANDARD_STREAM, read_text, write_text
from compiler.cli.information import add_information_flags, print_information
from compiler.cli.outputs import Outputs, fill_pattern
from compiler.cli.parser import OneOf, help_text, new_parser, parse
from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from compiler.diagnostics.catalogue import usage
from compiler.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.cli.compilation import Compilation
    from compiler.codegen.target import Target
    from compiler.driver import Request, Source

_USAGE = "glslc-multi [options] IN...\n       glslc-multi link|run|as|dis|opt|stats|targets --help"
_DESCRIPTION = "Compile GLSL ES 1.00 shaders. IN is a file, or - for standard input."
_EPILOG = """\
Example: glslc-multi lit.vert --target pica200 -o lit.shbin
Exit status: 0 fine, 1 errors in the shader, 2 wrong usage, 3 does not fit, 70 internal error."""


#: Suffix -> what `--save-temps` keeps under it.
_TEMPORARIES = {".i": PREPROCESSED, ".sir": KINDS["ir"], ".s": KINDS["asm"]}


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    parser = build_parser(arguments)
    found = parse(parser, arguments, sink)
    if found.help:
        write_text(STANDARD_STREAM, help_text(parser, found), sink)
    elif not print_information(found, sink):
        _compile_all(found, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the targets on the command line."""
    parser = new_parser("glslc-multi", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="*", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("--stage", "-fshader-stage", metavar="S", help="vertex, fragment, geometry or coordinate")
    parser.add_argument("-c", dest="only_compile", action="store_true", help="compile, which is the default")
    parser.add_argument("-E", dest="preprocess", action="store_true", help="only preprocess")
    parser.add_argument("-S", dest="assembly", action="store_true", help="the same as --emit asm")
    parser.add_argument(
        "--emit", type=OneOf("--emit", tuple(KINDS)), metavar="KIND", help=f"what to write: {', '.join(KINDS)}"
    )
    parser.add_argument("--reflect", metavar="FILE", help="write the register map")
    add_compile_flags(parser, arguments)
    add_information_flags(parser)
    details = parser.add_argument_group("details")
    details.add_argument("--stdin-name", metavar="NAME", help="name of standard input in messages and for its stage")
    details.add_argument("--prefix", metavar="NAME", help="in front of names in C text (the name of the input)")
    details.add_argument("--save-temps", action="store_true", help="keep preprocessed text, IR and assembly text too")
    add_dependency_flags(parser)
    return parser


# --------------------------------------------------------------------------- what is to be done
def _compile_all(found: argparse.Namespace, sink: DiagnosticSink) -> None:
    _check_command(found, sink)
    kind = _kind(found, sink)
    compilations = _compilations(found, kind, sink)
    if _is_survey(found):
        from compiler.cli.survey import survey

        write_text(STANDARD_STREAM, survey(compilations, as_json=found.json, sink=sink), sink)
        return
    outputs = Outputs(found.inputs)
    finished = [compilation for compilation in compilations if _finish(found, kind, compilation, outputs, sink)]
    outputs.write(sink)
    if found.stats and not found.only_rule and _row(kind).needs_target:
        piped = any(_path(found, kind, compilation) == STANDARD_STREAM for compilation in finished)
        print_statistics(found.stats, _by_name(finished), piped, sink)


def _check_command(found: argparse.Namespace, sink: DiagnosticSink) -> None:
    """A first word that names no file may be meant as a subcommand."""
    from compiler.cli.main import COMMANDS

    word = found.inputs[0] if found.inputs else STANDARD_STREAM
    if word != STANDARD_STREAM and not PurePath(word).suffix and not os.path.lexists(word):
        sink.report(usage.FILE_NOT_FOUND, help=did_you_mean(word, COMMANDS), path=word)
        sink.raise_if_errors()


def _kind(found: argparse.Namespace, sink: DiagnosticSink) -> str:
    """What to write: a name of `KINDS`, or "preprocessed"."""
    asked = {"-E": "preprocessed"} if found.preprocess else {}
    if found.assembly:
        asked["-S"] = "asm"
    if found.emit is not None:
        asked[f"--emit {found.emit}"] = found.emit
    if len(set(asked.values())) > 1:
        first, second, *_ = asked
        sink.report(usage.CONFLICTING_OPTIONS, first=first, second=second)
    kind = next(iter(asked.values()), "bin")
    if not found.inputs:
        sink.report(usage.NO_INPUT, help="see glslc-multi --help")
    elif _row(kind).needs_target and not found.targets and not found.only_rule:
        sink.report(usage.NO_TARGET, help="name one with --target, or look at the IR with --emit ir")
    sink.raise_if_errors()
    return kind


def _row(kind: str) -> Kind:
    return KINDS.get(kind, PREPROCESSED)


def _is_survey(found: argparse.Namespace) -> bool:
    asked = found.output or found.emit or found.assembly or found.preprocess or found.only_rule or found.rule
    return ALL_TARGETS in found.targets and not asked


def _compilations(found: argparse.Namespace, kind: str, sink: DiagnosticSink) -> list[Compilation]:
    """Every input with every target; `all` leaves out targets without the stage."""
    from compiler.cli.compilation import Compilation

    targets = _targets(found, sink)
    sources = [_source(name, found, sink) for name in dict.fromkeys(found.inputs)]
    sink.raise_if_errors()
    return [
        Compilation(source, target, _request(found, target), _own_sink(sink), _prefix(found, source, target))
        for source in sources
        for target in targets
        if target is None or ALL_TARGETS not in found.targets or _has_stage(target, source, sink)
    ]


def _targets(found: argparse.Namespace, sink: DiagnosticSink) -> list[Target | None]:
    from backends import load_target, target_names
    from compiler.driver import find_target

    if ALL_TARGETS in found.targets:
        return [load_target(name) for name in target_names()]
    return [find_target(name, sink) for name in dict.fromkeys(found.targets)] or [None]


def _has_stage(target: Target, source: Source, sink: DiagnosticSink) -> bool:
    from compiler.options import resolve_stage

    stage = resolve_stage(source.stage, source.filename, sink)
    sink.raise_if_errors()
    return stage in target.stages


def _source(name: str, found: argparse.Namespace, sink: DiagnosticSink) -> Source:
    from compiler.driver import Source

    if name == STANDARD_STREAM:
        return Source(read_text(name, sink), found.stdin_name or "<stdin>", found.stage)
    return Source(read_text(name, sink), name, found.stage)


def _request(found: argparse.Namespace, target: Target | None) -> Request:
    if target is not None:
        return make_request(found, target)
    from compiler.driver import Request

    return Request("", optimisation_level(found), found.precise, found.preamble, front_end_options(found))


def _prefix(found: argparse.Namespace, source: Source, target: Target | None) -> str:
    from compiler.report.c_text import c_name

    pattern = found.prefix or PurePath(source.filename).name
    return c_name(fill_pattern(pattern, PurePath(source.filename).stem, "" if target is None else target.name))


# ------------------------------------------------------------------------------- one compilation
def _finish(
    found: argparse.Namespace, kind: str, compilation: Compilation, outputs: Outputs, sink: DiagnosticSink
) -> bool:
    """Put the files of one compilation aside; its messages join those of the others."""
    try:
        if found.only_rule:
            _add_rule_only(found, kind, compilation, outputs)
        else:
            _add_outputs(found, kind, compilation, outputs)
    except CompileError as error:
        _join(sink, error.diagnostics)
        return False
    _join(sink, compilation.sink.diagnostics)
    return True


def _add_outputs(found: argparse.Namespace, kind: str, compilation: Compilation, outputs: Outputs) -> None:
    path, sink = _path(found, kind, compilation), compilation.sink
    outputs.add(path, _row(kind).make(compilation), kind, sink)
    map_path = _map_path(found, kind, compilation, path)
    if map_path is not None:
        from compiler.report.reflection import register_map

        outputs.add_text(map_path, register_map(compilation.artifact), "json", sink)
    for suffix, row in _TEMPORARIES.items() if found.save_temps else ():
        if compilation.target is not None or not row.needs_target:
            base = _stem(compilation) if path == STANDARD_STREAM else str(PurePath(path).with_suffix(""))
            outputs.add(base + suffix, row.make(compilation), suffix, sink)
    if found.rule:
        rule = dependency_rule(found, compilation, path, sink)
        outputs.add_text(rule_path(found, path, sink), rule, "rule", sink)
    sink.raise_if_errors()


def _add_rule_only(found: argparse.Namespace, kind: str, compilation: Compilation, outputs: Outputs) -> None:
    made = STANDARD_STREAM if compilation.target is None else _path(found, kind, compilation, named=False)
    # With errors, the files that are named may not be all.
    PREPROCESSED.make(compilation)
    rule = dependency_rule(found, compilation, made, compilation.sink)
    outputs.add_text(found.rule_file or found.output or STANDARD_STREAM, rule, "rule", compilation.sink)
    compilation.sink.raise_if_errors()


def _path(found: argparse.Namespace, kind: str, compilation: Compilation, *, named: bool = True) -> str:
    """Where the result goes: `-o`, else text to standard output, a binary to a file in the current directory."""
    stem, target = _stem(compilation), compilation.target
    if found.output is not None and named:
        return fill_pattern(found.output, stem, "" if target is None else target.name)
    if kind != "bin" or STANDARD_STREAM in found.inputs:
        return STANDARD_STREAM
    assert target is not None
    return stem + target.suffix


def _stem(compilation: Compilation) -> str:
    filename = compilation.source.filename
    return "stdin" if filename == "<stdin>" else PurePath(filename).stem


def _map_path(found: argparse.Namespace, kind: str, compilation: Compilation, path: str) -> str | None:
    """Where the register map goes: `--reflect`, or beside a binary that has no room for names."""
    target = compilation.target
    if target is None or not _row(kind).needs_target:
        return None
    if found.reflect is not None:
        return fill_pattern(found.reflect, _stem(compilation), target.name)
    return f"{path}.json" if kind == "bin" and target.needs_map and path != STANDARD_STREAM else None


def _by_name(compilations: Sequence[Compilation]) -> dict[str, Mapping[str, Artifact]]:
    """The artifacts with what tells them apart, "" for a single one."""
    if len(compilations) == 1:
        return {"": {compilations[0].artifact.reflection.stage: compilations[0].artifact}}
    return {
        f"{compilation.source.filename} {compilation.request.target}": {artifact.reflection.stage: artifact}
        for compilation in compilations
        for artifact in (compilation.artifact,)
    }


# -------------------------------------------------------------------------------------- messages
def _own_sink(sink: DiagnosticSink) -> DiagnosticSink:
    """A sink with the same settings."""
    return DiagnosticSink(sink.max_errors, sink.warnings_as_errors, sink.error_groups, sink.disabled_groups)


def _join(sink: DiagnosticSink, diagnostics: Sequence[Diagnostic]) -> None:
    """Add messages, each once: a mistake in a shader is one for every target."""
    for diagnostic in diagnostics:
        if diagnostic not in sink.diagnostics:
            sink.diagnostics.append(diagnostic)
            sink.error_count += diagnostic.severity == "error"
