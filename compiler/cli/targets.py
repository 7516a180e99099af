"""`glslc-multi targets`: the targets that exist, with their stages and options."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.cli.files import STANDARD_STREAM, write_text
from compiler.cli.parser import new_parser, parse
from compiler.codegen.target import Target
from compiler.diagnostics import DiagnosticSink

_USAGE = "glslc-multi targets [--json]"


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Print the table of targets."""
    from backends import load_target, target_names

    parser = new_parser("glslc-multi targets", "List the targets.", _USAGE)
    parser.add_argument("--json", action="store_true", help="as JSON")
    found = parse(parser, arguments, sink)
    if found.help:
        write_text(STANDARD_STREAM, parser.format_help(), sink)
        return
    targets = [load_target(name) for name in target_names()]
    write_text(STANDARD_STREAM, _as_json(targets) if found.json else _as_text(targets), sink)


def _as_text(targets: Sequence[Target]) -> str:
    if not targets:
        return "no targets: this release generates no machine code yet\n"
    return "".join("\n".join(_lines(target)) + "\n" for target in targets)


def _lines(target: Target) -> list[str]:
    lines = [f"{target.name}: {target.description}", f"  stages: {', '.join(target.stages)}"]
    lines += [f"  {option.flag}: {option.help} ({option.default})" for option in target.options]
    return lines


def _as_json(targets: Sequence[Target]) -> str:
    import json

    rows = [
        {
            "name": target.name,
            "description": target.description,
            "stages": list(target.stages),
            "suffix": target.suffix,
            "options": [
                {"name": option.name, "default": option.default, "help": option.help, "choices": list(option.choices)}
                for option in target.options
            ],
        }
        for target in targets
    ]
    return json.dumps(rows, indent=2) + "\n"
