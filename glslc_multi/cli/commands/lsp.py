"""`glslc-multi lsp`: the language server, which an editor starts and speaks with over standard input and output."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.util import find_spec

from glslc_multi.cli.parser import new_parser, parse_or_help
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage

_USAGE = "glslc-multi lsp"
_DESCRIPTION = """\
Serve an editor: diagnostics with fixes, hovering, completion, definitions and references,
renaming, formatting, and what each line costs on the targets. The editor starts it;
docs/editors.md has the settings of several."""


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Serve until the editor hangs up."""
    found = parse_or_help(build_parser(), arguments, sink)
    if found is None:
        return
    if not _is_installed():
        sink.report(usage.NO_LANGUAGE_SERVER, help="pip install 'glslc-multi[lsp]'")
        sink.raise_if_errors()
    from glslc_multi.lsp.server import serve

    serve()


def build_parser() -> argparse.ArgumentParser:
    """The options of the subcommand."""
    parser = new_parser("glslc-multi lsp", _DESCRIPTION, _USAGE)
    parser.epilog = "Example: glslc-multi lsp"
    parser.add_argument("--stdio", action="store_true", help="the default, and all there is: some editors say it")
    return parser


def _is_installed() -> bool:
    try:
        return find_spec("pygls") is not None
    except ValueError:
        return False
