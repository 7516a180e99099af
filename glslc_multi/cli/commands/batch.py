"""`glslc-multi batch MANIFEST|FOLDER`: compile many shaders, in all their variants, for many targets.

What was compiled before is not compiled again, in this run or another one, as long as the cache is there.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from glslc_multi.cli.compile_options import ALL_TARGETS, add_compile_flags, make_request
from glslc_multi.cli.parser import new_parser, refuse_value, whole_number
from glslc_multi.cli.project_options import parse_with_project
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.own_files import is_own_folder
from glslc_multi.compiler.records import replace
from glslc_multi.files import STANDARD_STREAM, write_text

if TYPE_CHECKING:
    from glslc_multi.batch.variants import Row

    #: Target -> option -> value.
    Options = Mapping[str, Mapping[str, object]]

_USAGE = "glslc-multi batch [options] MANIFEST|FOLDER"
_DESCRIPTION = """\
Compile the shaders of a folder, or those of a TOML manifest with all combinations of their
macros (see docs/batch.md). Nothing is compiled twice, in this run or the next."""
_EPILOG = "Example: glslc-multi batch shaders --target agal --target vc4 -o build -j 4"
#: Where results go when neither `-o` nor the manifest says.
_OUTPUT = "batch"


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    options = parse_with_project(build_parser, arguments, sink, usual_folder=".")
    if options is None:
        return
    if not options.inputs and options.project is not None:
        options.inputs = [options.project.path]
    if len(options.inputs) != 1:
        sink.report(usage.NO_INPUT, help="batch takes one manifest or folder; see glslc-multi batch --help")
        sink.raise_if_errors()
    if options.scheduler and options.jobs:
        sink.report(usage.CONFLICTING_OPTIONS, first="--scheduler", second="-j")
        sink.raise_if_errors()
    _run(options, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the targets on the command line."""
    parser = new_parser("glslc-multi batch", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="*", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("-j", "--jobs", type=whole_number("-j"), metavar="N", help="processes (one a processor)")
    parser.add_argument("--shard", type=_shard, metavar="I/N", help="only part I of N, for one of several machines")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="let workers of this Dask scheduler compile")
    parser.add_argument("--list", dest="only_list", action="store_true", help="print the variants, do not compile")
    add_compile_flags(parser, arguments)
    return parser


def _run(options: argparse.Namespace, sink: DiagnosticSink) -> None:
    from glslc_multi.batch.batch import Workers, index_text, run_batch
    from glslc_multi.batch.progress import Progress
    from glslc_multi.batch.results import tool_digest
    from glslc_multi.batch.variants import expand, shard
    from glslc_multi.batch.work import Settings

    rows, output = _rows(options, sink)
    if options.project is not None:
        rows = [replace(row, options=_merged(options.project.options, row.options)) for row in rows]
        options.project = None
    variants = expand(rows, lambda target: make_request(options, target), sink)
    index, count = options.shard or (1, 1)
    variants = shard(variants, index, count)
    if options.only_list:
        write_text(STANDARD_STREAM, index_text(variants, [0] * len(variants)), sink)
        return
    workers = Workers(options.jobs or os.cpu_count() or 1, options.scheduler)
    own = sink.renewed()
    with _folder_of_results(options) as folder:
        settings = Settings(folder, tool_digest(own), own)
        report = run_batch(variants, output, settings, workers, Progress(len(variants), sys.stderr), sink)
    name = "index.json" if count == 1 else f"index-{index}-of-{count}.json"
    write_text(str(output / name), index_text(variants, report.statuses), sink)
    sys.stderr.write(report.message_text(variants))
    write_text(STANDARD_STREAM, report.summary(), sink)
    report.report_failures(sink)


def _rows(options: argparse.Namespace, sink: DiagnosticSink) -> tuple[list[Row], Path]:
    """What to compile, and the folder for results."""
    from glslc_multi.backends.registry import all_targets
    from glslc_multi.batch.manifest import read_manifest
    from glslc_multi.batch.variants import rows_of_folder

    every = [target.name for target in all_targets(sink)] if ALL_TARGETS in options.targets else []
    targets = tuple(every or dict.fromkeys(options.targets))
    path = Path(options.inputs[0])
    usual = () if options.project is None else options.project.targets
    if not path.is_dir():
        manifest = read_manifest(str(path), targets, sink, usual)
        return manifest.rows, Path(options.output) if options.output else manifest.output or Path(_OUTPUT)
    if not (targets or usual):
        sink.report(usage.NO_TARGET, help="name one with --target")
        sink.raise_if_errors()
    rows = rows_of_folder(path, targets or usual)
    if not rows:
        sink.report(usage.NO_INPUT, help=f"'{path}' holds no shader: names end in .vert, .frag or .geom")
        sink.raise_if_errors()
    return rows, Path(options.output or _OUTPUT)


def _merged(first: Options, second: Options) -> Options:
    """Return options of targets, where the second ones take precedence."""
    return {name: {**first.get(name, {}), **second.get(name, {})} for name in (*first, *second)}


@contextmanager
def _folder_of_results(options: argparse.Namespace) -> Iterator[str]:
    """Where results are kept: in the cache, else in a folder that is removed after the run."""
    from glslc_multi.cache.lookup import cache_folder
    from glslc_multi.cache.store import LIMIT, trim

    folder = cache_folder(["--no-cache"] if options.no_cache else [], dict(os.environ))
    kept = folder and str(Path(folder).absolute().with_name("batch"))
    if not kept or not is_own_folder(kept):
        with tempfile.TemporaryDirectory() as temporary:
            yield temporary
        return
    yield kept
    trim(kept, LIMIT)


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        refuse_value("--shard", "a part and a number of parts, such as 1/4", text)
    return int(match[1]), int(match[2])
