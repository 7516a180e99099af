"""Command lines that compile, with what the project file says where they are silent."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from glslc_multi.cli.parser import parse_early, parse_or_help
from glslc_multi.files import STANDARD_STREAM

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.project.project import Project


def parse_with_project(
    build_parser: Callable[[Sequence[str]], argparse.ArgumentParser],
    arguments: Sequence[str],
    sink: DiagnosticSink,
    usual_folder: str | None = None,
) -> argparse.Namespace | None:
    """Parse a command line, with the project of its first input, or of a folder, as `project`; None after the help."""
    parser = build_parser(arguments)
    early = parse_early(parser, arguments)
    project = None if early is None else _project_of(early, usual_folder, sink)
    if project is None or early is None:
        return parse_or_help(parser, arguments, sink)
    if not early.targets:
        # The command line may have options of the project's targets.
        parser = build_parser([*(f"--target={name}" for name in project.targets), *arguments])
    defaults = {"std": project.std, "level": project.level, "compat": project.compat, "entry": project.entry}
    parser.set_defaults(
        project=project,
        macros=list(project.macros.items()),
        specializations=list(project.specializations.items()),
        **{name: value for name, value in defaults.items() if value},
    )
    options = parse_or_help(parser, arguments, sink)
    if options is not None:
        options.include_dirs = [*options.include_dirs, *project.include_dirs]
    return options


def _project_of(early: argparse.Namespace, usual_folder: str | None, sink: DiagnosticSink) -> Project | None:
    """Find the project of the first input; the value of an option that is not known yet may look like one."""
    if early.help or early.no_project:
        return None
    names = early.inputs if "inputs" in early else early.shaders
    real = (name for name in names if name == STANDARD_STREAM or Path(name).exists())
    first = next(real, names[0] if names else usual_folder)
    if first is None:
        return None
    if first == STANDARD_STREAM:
        first = getattr(early, "stdin_name", None) or first
    from glslc_multi.project.project import find_project

    return find_project(PurePath(first) if Path(first).is_dir() else PurePath(first).parent, sink)
