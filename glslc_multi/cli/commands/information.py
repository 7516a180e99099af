"""Flags that print information instead of compiling: the version, lists, a target's limits, a completion script."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from glslc_multi.cli.parser import OneOf
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.files import STANDARD_STREAM, write_text

SHELLS = ("bash", "zsh", "fish")
SCHEMAS = ("batch", "diagnostics", "reflection", "stats", "survey")


def add_information_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    group = parser.add_argument_group("information")
    group.add_argument("--version", action="store_true", help="print the version")
    group.add_argument("--explain", metavar="CODE", help="explain a diagnostic, such as E0301")
    group.add_argument("--list-targets", action="store_true", help="the machines and their options")
    group.add_argument("--list-passes", action="store_true", help="the passes over the IR")
    group.add_argument("--list-warnings", action="store_true", help="the groups of warnings")
    group.add_argument("--print-target-info", metavar="T", help="stages, options and limits of a target")
    group.add_argument(
        "--completion", type=OneOf("--completion", SHELLS), metavar="SHELL", help="script: bash, zsh, fish"
    )
    group.add_argument("--json", action="store_true", help="lists and tables as JSON")
    details = parser.add_argument_group("details")
    schemas = f"JSON schema: {', '.join(SCHEMAS)}"
    details.add_argument("--print-schema", type=OneOf("--print-schema", SCHEMAS), metavar="NAME", help=schemas)


def print_information(options: argparse.Namespace, sink: DiagnosticSink) -> bool:
    """Print what the flags say; False where none is given."""
    for name, give in _GIVERS.items():
        if getattr(options, name):
            write_text(STANDARD_STREAM, give(options, sink), sink)
            return True
    return False


def _version(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    """The version, and a digest of each instruction set: equal digests, equal tables."""
    from hashlib import blake2b

    from glslc_multi.backends.registry import all_targets
    from glslc_multi.compiler import __version__

    pages = {target.name: "".join(target.instruction_sets().values()).encode() for target in all_targets(sink)}
    rows = [f"  {name:8} instruction set {blake2b(page, digest_size=8).hexdigest()}" for name, page in pages.items()]
    return "\n".join([f"glslc-multi {__version__}", *rows]) + "\n"


def _explanation(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    from glslc_multi.cli.commands.explain_code import explain_code

    return explain_code(options.explain, sink)


def _targets(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    from glslc_multi.cli.commands.targets import list_targets

    return list_targets((), as_json=options.json, sink=sink)


def list_passes(*, as_json: bool) -> str:
    """List the passes with a line about each; those that only some targets have stand under their names."""
    from itertools import groupby

    from glslc_multi.backends.registry import TARGETS, all_passes
    from glslc_multi.compiler.passes.registry import pass_class

    passes, targets = all_passes(), list(TARGETS.usable())
    about = {name: pass_class(name, passes).description for name in passes}
    owners = {name: [target.name for target in targets if name in target.passes] for name in passes}
    names = sorted(passes, key=lambda name: (owners[name], name))
    if as_json:
        import json

        rows = [{"name": name, "description": about[name], "targets": owners[name]} for name in names]
        return json.dumps(rows, indent=2) + "\n"
    text = ""
    for whose, group in groupby(names, owners.__getitem__):
        text += f"\n{', '.join(whose)}:\n" if whose else ""
        text += _columns({name: about[name] for name in group})
    return text


def _warnings(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    from glslc_multi.compiler.diagnostics.catalogue import all_entries

    groups: dict[str, list[str]] = {}
    for entry in all_entries().values():
        if entry.group:
            groups.setdefault(entry.group, []).append(entry.code)
    rows = {group: ", ".join(codes) for group, codes in sorted(groups.items())}
    return _pairs(rows, "group", "codes", as_json=options.json)


def _pairs(rows: dict[str, str], first: str, second: str, *, as_json: bool) -> str:
    if as_json:
        import json

        return json.dumps([{first: name, second: text} for name, text in rows.items()], indent=2) + "\n"
    return _columns(rows)


def _columns(rows: dict[str, str]) -> str:
    width = max(map(len, rows), default=0)
    return "".join(f"{name:{width}}  {text}\n" for name, text in rows.items())


# ---------------------------------------------------------------------------------- one target
def _target_info(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    from glslc_multi.backends.registry import find_target
    from glslc_multi.cli.commands.targets import describe, lines
    from glslc_multi.report.target_page import limits_of

    target = find_target(options.print_target_info, sink)
    limits = {stage: limits_of(target, stage) for stage in target.stages}
    if options.json:
        import json

        return json.dumps(describe(target) | {"limits": limits}, indent=2) + "\n"
    text = [f"  {stage}: {_in_words(limits[stage])}" for stage in target.stages if limits[stage]]
    return "\n".join([*lines(target), *text]) + "\n"


def _in_words(limits: dict[str, int]) -> str:
    return ", ".join(f"{limit} {name}" for name, limit in limits.items())


def _schema(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    from glslc_multi.report.schemas import schema_text

    return schema_text(options.print_schema)


def _completion(options: argparse.Namespace, sink: DiagnosticSink) -> str:
    from glslc_multi.cli.commands.completion import script

    return script(options.completion)


#: Flag -> what it prints; the first that is given counts.
_GIVERS: dict[str, Callable[[argparse.Namespace, DiagnosticSink], str]] = {
    "version": _version,
    "explain": _explanation,
    "list_targets": _targets,
    "list_passes": lambda found, sink: list_passes(as_json=found.json),
    "list_warnings": _warnings,
    "print_target_info": _target_info,
    "print_schema": _schema,
    "completion": _completion,
}
