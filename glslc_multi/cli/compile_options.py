"""The flags that compiling and linking have in common, and what they mean."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from glslc_multi.cli.parser import OneOf, plain_formatter
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import STANDARD_STREAM, write_text

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Artifact
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.frontend import FrontEndOptions
    from glslc_multi.compiler.options import Request
    from glslc_multi.compiler.target import Target
    from glslc_multi.compiler.trace import watching

#: What `--target` takes for every target at once.
ALL_TARGETS = "all"
_LEVELS = ("0", "1", "2", "3", "s")
_STATISTICS = ("text", "json")
_PROOFS = ("off", "quick", "full")
#: Of the number of a specialization constant.
_DIGITS = 10
#: Prefix of an option's name in the parsed arguments: a target may have an option called `output`.
_OPTION_PREFIX = "target option "


def add_compile_flags(parser: argparse.ArgumentParser, arguments: Sequence[str], *, writes: bool = True) -> None:
    """Add the flags, and those of the targets on the command line; `writes`: the command has an output."""
    parser.add_argument("--target", dest="targets", action="append", default=[], metavar="T", help="the machine")
    if writes:
        parser.add_argument("-o", dest="output", metavar="OUT", help="output file, - for standard output")
    parser.add_argument(
        "-O", dest="level", type=OneOf("-O", _LEVELS), default="2", metavar="LEVEL",
        help="effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)",
    )  # fmt: skip
    details = parser.add_argument_group("details")
    add_language_flags(parser, details)
    details.add_argument(
        "-fprecise", dest="precise", action="store_true", help="keep to rewrites that are exact in IEEE arithmetic"
    )
    details.add_argument(
        "-fpreamble", dest="preamble", action="store_true", help="let the host compute what uniforms alone decide"
    )
    details.add_argument(
        "--verify-each", action="store_true", help="check the code after every step, for work on the compiler"
    )
    details.add_argument(
        "--inexact-integers",
        action="store_true",
        help="warn of ints that may be rounded on a target without ints, instead of refusing them",
    )
    details.add_argument(
        "--proof", type=OneOf("--proof", _PROOFS), default="quick", metavar="EFFORT",
        help="compare the code with its source: off, quick, full (quick)",
    )  # fmt: skip
    details.add_argument("--no-project", action="store_true", help="leave out the project file, glslc-multi.toml")
    parser.set_defaults(project=None)
    _add_target_options(parser, arguments)


def add_language_flags(parser: argparse.ArgumentParser, details: argparse._ActionsContainer) -> None:
    """Add what `front_end_options` reads."""
    parser.add_argument(
        "-D", dest="macros", action="append", metavar="NAME[=VALUE]", type=_define, help="define a macro"
    )
    parser.add_argument("-U", dest="macros", action="append", metavar="NAME", type=_undefine, help="undefine a macro")
    parser.add_argument("-I", dest="include_dirs", action="append", default=[], metavar="DIR", help="look for includes")
    parser.add_argument(
        "--std", "-std", dest="std", type=_standard, metavar="V",
        help="GLSL of a source without #version (100)",
    )  # fmt: skip
    details.add_argument("-v", dest="verbose", action="store_true", help="show the commands that are run")
    details.add_argument("--entry", metavar="NAME", default="", help="the entry point; of a pair VERTEX,FRAGMENT")
    details.add_argument(
        "--spec", dest="specializations", action="append", type=_specialization, default=[], metavar="ID=VALUE",
        help="set a specialization constant",
    )  # fmt: skip
    details.add_argument(
        "--compat",
        action=argparse.BooleanOptionalAction,
        help="let desktop GLSL use gl_Vertex, gl_TexCoord and their like",
    )


def _standard(value: str) -> str:
    """Return a version that some front end knows; only now are all of them loaded."""
    from glslc_multi.frontends.registry import standards

    return OneOf("--std", standards())(value)


def add_statistics_flag(parser: argparse.ArgumentParser) -> None:
    """Add `--stats`, which `print_statistics` carries out."""
    parser.add_argument(
        "--stats", nargs="?", const="text", type=OneOf("--stats", _STATISTICS), metavar="=json",
        help="print what the code costs, as text or JSON",
    )  # fmt: skip


def _add_target_options(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    from glslc_multi.backends.registry import TARGETS, canonical_name

    early = argparse.ArgumentParser(
        add_help=False, allow_abbrev=False, exit_on_error=False, formatter_class=plain_formatter
    )
    early.add_argument("--target", action="append", nargs="?", default=[])
    named = [canonical_name(name) for name in early.parse_known_args(arguments)[0].target if name]
    added: set[str] = set()
    asked = TARGETS.usable() if ALL_TARGETS in named else (TARGETS.load(n) for n in TARGETS.names() if n in named)
    for target in asked:
        # Flags for the target's options; targets share those of one name.
        group = parser.add_argument_group(f"options of {target.name}")
        for option in target.options:
            if option.flag in added:
                continue
            added.add(option.flag)
            dest = _OPTION_PREFIX + option.name
            if isinstance(option.default, bool):
                group.add_argument(
                    option.flag, dest=dest, action=argparse.BooleanOptionalAction, default=None, help=option.help
                )
            else:
                group.add_argument(option.flag, dest=dest, metavar="VALUE", help=option.help)


def _define(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    return name, value if equals else "1"


def _undefine(text: str) -> tuple[str, str | None]:
    return text, None


def _specialization(text: str) -> tuple[int, str]:
    number, equals, value = text.partition("=")
    if not equals or not number.isdecimal() or len(number) > _DIGITS:
        raise argparse.ArgumentTypeError(f"expected ID=VALUE, found '{text}'")
    return int(number), value


def front_end_options(options: argparse.Namespace) -> FrontEndOptions:
    """What front ends are told; of `-D` and `-U` for one macro the later one wins."""
    from glslc_multi.compiler.frontend import FrontEndOptions

    last = dict(options.macros or ())
    defines = {name: value for name, value in last.items() if value is not None}
    undefines = [name for name, value in last.items() if value is None]
    return FrontEndOptions(
        defines,
        undefines,
        options.include_dirs,
        options.std or "",
        bool(options.compat),
        options.entry,
        dict(options.specializations),
        options.verbose,
    )


def make_request(options: argparse.Namespace, target: Target) -> Request:
    """The request that the command line makes to the driver."""
    from glslc_multi.compiler.options import Request, split_level

    asked = {option.name: getattr(options, _OPTION_PREFIX + option.name, None) for option in target.options}
    given = {} if options.project is None else dict(options.project.options.get(target.name, {}))
    given |= {name: value for name, value in asked.items() if value is not None}
    return Request(
        optimisation_level(options),
        options.precise,
        options.preamble,
        front_end_options(options),
        given,
        split_level(options.level)[1],
        options.verify_each,
        options.inexact_integers,
        options.proof,
    )


def printing_blocks(requests: Iterable[Request]) -> watching:
    """Return a context in which a solver's results are printed, where one of the requests is for a solver."""
    from glslc_multi.compiler.trace import watching

    if not any(request.target_options.get("prove") for request in requests):
        return watching()
    from glslc_multi.cli.solver_progress import BlockPrinter

    return watching(BlockPrinter())


def optimisation_level(options: argparse.Namespace) -> int:
    from glslc_multi.compiler.options import split_level

    return split_level(options.level)[0]


def only_target(options: argparse.Namespace, sink: DiagnosticSink, code: str | None = None) -> Target:
    """The target of a subcommand that takes one at a time; that of a file of machine code is known by its suffix."""
    from glslc_multi.backends.registry import find_target, target_of_suffix

    by_suffix = None if options.targets or code is None else target_of_suffix(PurePath(code).suffix)
    if by_suffix is not None:
        return by_suffix
    usual = usual_targets(options)
    if len(options.targets) > 1:
        sink.report(usage.UNEXPECTED_ARGUMENT, help="name one target at a time", argument=options.targets[1])
    elif len(usual) != 1:
        sink.report(usage.NO_TARGET, help="name one with --target")
    sink.raise_if_errors()
    return find_target(usual[0], sink)


def usual_targets(options: argparse.Namespace) -> list[str]:
    """Return the targets of the command line, or those of its project where it names none."""
    # A command that reads machine code alone has no project.
    project = getattr(options, "project", None)
    return options.targets or ([] if project is None else list(project.targets))


def print_statistics(
    kind: str | None, programs: Mapping[str, Mapping[str, Artifact]], piped: bool, sink: DiagnosticSink
) -> None:
    """The statistics that `--stats` requests: on standard output, or on standard error where a result is `piped`.

    Stages are grouped by a name; "" is the name of the only group.
    """
    if kind is None:
        return
    from glslc_multi.report.statistics import programs_json, programs_text

    text = programs_json(programs) if kind == "json" else programs_text(programs)
    if piped:
        sys.stderr.write(text)
    else:
        write_text(STANDARD_STREAM, text, sink)
