"""The flags that compiling one shader and linking two have in common, and what they mean."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from compiler.cli.files import STANDARD_STREAM, write_bytes, write_text
from compiler.cli.parser import one_of

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.diagnostics import DiagnosticSink
    from compiler.driver import Request
    from compiler.options import FrontEndOptions

_LEVELS = ("0", "1", "2", "3")
_STATISTICS = ("text", "json")


def add_compile_flags(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> list[str]:
    """Add the flags; the result names the options that the target on the command line adds to them."""
    parser.add_argument("--target", metavar="T", help="machine to compile for; `glslc-multi targets` lists them")
    parser.add_argument("-o", dest="output", metavar="OUT", help="output file, - for standard output")
    parser.add_argument("-O", dest="level", type=one_of("-O", _LEVELS), default="2", metavar="0..3", help="effort (2)")
    parser.add_argument(
        "-fprecise", dest="precise", action="store_true", help="keep to rewrites that are exact in IEEE arithmetic"
    )
    parser.add_argument(
        "-fpreamble", dest="preamble", action="store_true", help="let the host compute what uniforms alone decide"
    )
    parser.add_argument(
        "-D", dest="macros", action="append", metavar="NAME[=VALUE]", type=_define, help="define a macro"
    )
    parser.add_argument("-U", dest="macros", action="append", metavar="NAME", type=_undefine, help="undefine a macro")
    parser.add_argument("-I", dest="include_dirs", action="append", default=[], metavar="DIR", help="look for includes")
    parser.add_argument(
        "--stats", nargs="?", const="text", type=one_of("--stats", _STATISTICS), metavar="json",
        help="print what the code costs",
    )  # fmt: skip
    return _add_target_options(parser, arguments)


def _add_target_options(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> list[str]:
    from backends import load_target, target_names

    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    early.add_argument("--target", nargs="?")
    name = early.parse_known_args(arguments)[0].target
    if name not in target_names():
        return []
    target = load_target(name)
    group = parser.add_argument_group(f"options of {target.name}")
    for option in target.options:
        if isinstance(option.default, bool):
            group.add_argument(option.flag, action=argparse.BooleanOptionalAction, default=None, help=option.help)
        else:
            group.add_argument(option.flag, metavar="VALUE", help=option.help)
    return [option.name for option in target.options]


def _define(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    return name, value if equals else "1"


def _undefine(text: str) -> tuple[str, str | None]:
    return text, None


def front_end_options(found: argparse.Namespace) -> FrontEndOptions:
    """The macros that `-D` and `-U` leave, the later of two for one name winning, and the include folders."""
    from compiler.options import FrontEndOptions

    last = dict(found.macros or ())
    defines = {name: value for name, value in last.items() if value is not None}
    undefines = [name for name, value in last.items() if value is None]
    return FrontEndOptions(defines, undefines, found.include_dirs)


def make_request(found: argparse.Namespace, target_options: Sequence[str]) -> Request:
    """What the command line asks the driver for."""
    from compiler.driver import Request

    given = {name: value for name in target_options if (value := getattr(found, name)) is not None}
    return Request(found.target, int(found.level), found.precise, found.preamble, front_end_options(found), given)


def write_artifact(path: str, artifact: Artifact, request: Request, map_path: str | None, sink: DiagnosticSink) -> None:
    """Write a binary; and the register map, to `map_path` or beside a binary that has no room for names."""
    from compiler.driver import find_target

    write_bytes(path, artifact.binary, sink)
    if map_path is None and path != STANDARD_STREAM and find_target(request.target, sink).needs_map:
        map_path = f"{path}.json"
    write_map(map_path, artifact, sink)


def write_map(path: str | None, artifact: Artifact, sink: DiagnosticSink) -> None:
    """Write the register map, where a path says so."""
    if path is not None:
        from compiler.report.reflection import register_map

        write_text(path, register_map(artifact), sink)


def print_statistics(kind: str | None, stages: Mapping[str, Artifact], output: str) -> None:
    """What `--stats` asks for: on standard output, or beside what goes there."""
    if kind is None:
        return
    from compiler.report.statistics import statistics_json, statistics_text

    text = statistics_json(stages) if kind == "json" else statistics_text(stages)
    (sys.stderr if output == STANDARD_STREAM else sys.stdout).write(text)
