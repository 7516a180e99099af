"""`glslc-multi targets`: the targets that exist, with their stages and options."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from glslc_multi.backends.registry import ALIASES, all_targets, find_target
from glslc_multi.cli.parser import help_text, new_parser, parse
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.target import Target
from glslc_multi.files import STANDARD_STREAM, write_text

_USAGE = "glslc-multi targets [--json] [NAME...]"


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Print the table of targets."""
    parser = build_parser()
    options = parse(parser, arguments, sink)
    text = help_text(parser, options) if options.help else list_targets(options.names, as_json=options.json, sink=sink)
    write_text(STANDARD_STREAM, text, sink)


def build_parser() -> argparse.ArgumentParser:
    """The options of the subcommand."""
    parser = new_parser("glslc-multi targets", "List the targets, or those that are named.", _USAGE)
    parser.epilog = "Example: glslc-multi targets --json"
    parser.add_argument("names", nargs="*", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="as JSON")
    return parser


def list_targets(names: Sequence[str], *, as_json: bool, sink: DiagnosticSink) -> str:
    """Targets with their stages and options; all of them where none is named."""
    targets = [find_target(name, sink) for name in names] or all_targets(sink)
    if as_json:
        return json.dumps([describe(target) for target in targets], indent=2) + "\n"
    if not targets:
        return "no targets: this release generates no machine code yet\n"
    return "".join("\n".join(lines(target)) + "\n" for target in targets)


def lines(target: Target) -> list[str]:
    """A target in words."""
    text = [f"{target.name}: {target.description}", f"  stages: {', '.join(target.stages)}"]
    others = [alias for alias, name in ALIASES.items() if name == target.name]
    text += [f"  also called: {', '.join(others)}"] if others else []
    text += [f"  {option.flag}: {option.help} ({option.default})" for option in target.options]
    return text + [f"  --emit host --host-form {form}: {about}" for form, about in target.host_forms.items()]


def describe(target: Target) -> dict[str, Any]:
    """A target as plain data."""
    return {
        "name": target.name,
        "aliases": [alias for alias, name in ALIASES.items() if name == target.name],
        "description": target.description,
        "stages": list(target.stages),
        "suffix": target.suffix,
        "suffixes": {stage: target.suffix_of(stage) for stage in target.stages},
        "options": [
            {"name": option.name, "default": option.default, "help": option.help, "choices": list(option.choices)}
            for option in target.options
        ],
        "host_forms": dict(target.host_forms),
    }
