"""The files of one compilation: what they hold, where they go, and the rule that says what they are made from.

In: a compilation and the command line.  Out: its files, put aside in `Outputs`, and its messages.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from glslc_multi.cli.depfile_options import dependency_rule, rule_path
from glslc_multi.cli.emit import KINDS, PREPROCESSED, row_of
from glslc_multi.cli.outputs import Outputs, beside, fill_pattern
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.files import STANDARD_STREAM
from glslc_multi.report.kinds import HOST

if TYPE_CHECKING:
    from glslc_multi.cli.compilation import Compilation
    from glslc_multi.compiler.artifact import Artifact

#: Suffix -> what `--save-temps` keeps under it.
_TEMPORARIES = {".i": PREPROCESSED, ".sir": KINDS["ir"], ".s": KINDS["asm"]}


def finish(
    options: argparse.Namespace, kind: str, compilation: Compilation, outputs: Outputs, sink: DiagnosticSink
) -> bool:
    """Put the files of one compilation aside; its messages join those of the others."""
    try:
        if options.only_rule:
            path = (
                STANDARD_STREAM if compilation.target is None else output_path(options, kind, compilation, named=False)
            )
            # With errors, the files that are named may not be all.
            PREPROCESSED.make(compilation)
            rule = dependency_rule(options, [compilation.prepared], [path], compilation.sink)
            outputs.add_text(options.rule_file or options.output or STANDARD_STREAM, rule, "rule", compilation.sink)
            compilation.sink.raise_if_errors()
        else:
            _add_outputs(options, kind, compilation, outputs)
    except CompileError as error:
        join_messages(sink, error.diagnostics)
        return False
    join_messages(sink, compilation.sink.diagnostics)
    return True


def _add_outputs(options: argparse.Namespace, kind: str, compilation: Compilation, outputs: Outputs) -> None:
    sink = compilation.sink
    files = _files(options, kind, compilation)
    for name, data in files:
        outputs.add(name, data, kind, sink)
    path = files[0][0]
    # Where the register map goes: `--reflect`, or beside a binary that has no room for names.
    target = compilation.target
    if target is None or not row_of(kind).needs_target:
        map_path = None
    elif options.reflect is not None:
        map_path = fill_pattern(options.reflect, _stem(compilation), target.name)
    else:
        map_path = f"{path}.json" if kind == "bin" and target.needs_map and path != STANDARD_STREAM else None
    if map_path is not None:
        from glslc_multi.report.reflection import register_map

        outputs.add_text(map_path, register_map(compilation.artifact), "json", sink)
    for suffix, row in _TEMPORARIES.items() if options.save_temps else ():
        if compilation.target is not None or not row.needs_target:
            kept = _stem(compilation) + suffix if path == STANDARD_STREAM else beside(path, suffix)
            outputs.add(kept, row.make(compilation), suffix, sink)
    if options.rule:
        rule = dependency_rule(options, [compilation.prepared], [path], sink)
        outputs.add_text(rule_path(options, path, sink), rule, "rule", sink)
    sink.raise_if_errors()


def _files(options: argparse.Namespace, kind: str, compilation: Compilation) -> list[tuple[str, bytes]]:
    """Paths and contents of what is to be written; the first one stands for all."""
    path = output_path(options, kind, compilation)
    if kind != HOST:
        return [(path, row_of(kind).make(compilation))]
    from glslc_multi.cli.host import host_files, host_place

    assert compilation.target is not None, "it is machine code"
    artifact, sink = compilation.artifact, compilation.sink
    stages = {artifact.reflection.stage: artifact}
    folder, prefix = host_place(path, compilation.prefix, sink)
    folder_and_prefix = folder, compilation.prefix if options.prefix else prefix
    return host_files(stages, None, compilation.target, options.host_form, folder_and_prefix, sink)


def output_path(options: argparse.Namespace, kind: str, compilation: Compilation, *, named: bool = True) -> str:
    """Where the result goes: `-o`, else text to standard output, files to the current directory."""
    stem, target = _stem(compilation), compilation.target
    if options.output is not None and named:
        return fill_pattern(options.output, stem, "" if target is None else target.name)
    if kind == HOST:
        return ""
    suffix = row_of(kind).suffix
    if suffix and STANDARD_STREAM not in options.inputs:
        return PurePath(compilation.source.filename).name + suffix
    if kind != "bin" or STANDARD_STREAM in options.inputs:
        return STANDARD_STREAM
    assert target is not None
    from glslc_multi.compiler.driver import require_stage

    return stem + target.suffix_of(require_stage(compilation.source, compilation.sink))


def _stem(compilation: Compilation) -> str:
    filename = compilation.source.filename
    return "stdin" if filename == "<stdin>" else PurePath(filename).stem


def by_name(compilations: Sequence[Compilation]) -> dict[str, Mapping[str, Artifact]]:
    """The artifacts with what distinguishes them, "" for a single one."""
    if len(compilations) == 1:
        return {"": {compilations[0].artifact.reflection.stage: compilations[0].artifact}}
    return {
        f"{compilation.source.filename} {artifact.reflection.target}": {artifact.reflection.stage: artifact}
        for compilation in compilations
        for artifact in (compilation.artifact,)
    }


def join_messages(sink: DiagnosticSink, diagnostics: Sequence[Diagnostic]) -> None:
    """Add messages, each once: a mistake in a shader is one for every target."""
    for diagnostic in diagnostics:
        if diagnostic not in sink.diagnostics:
            sink.diagnostics.append(diagnostic)
            sink.error_count += diagnostic.severity == "error"
