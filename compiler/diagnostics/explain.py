"""Long explanations: the text of `--explain CODE`, and the whole catalogue as a page of documentation.

`python -m glslc_multi.compiler.diagnostics.explain --markdown` prints the page `docs/diagnostics.md`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from textwrap import dedent

from glslc_multi.compiler.diagnostics.catalogue import PHASES, all_entries
from glslc_multi.compiler.diagnostics.catalogue.registry import find
from glslc_multi.compiler.diagnostics.model import Entry

_INTRODUCTION = """\
# Diagnostics

Every message of the compiler ends in a code, such as `[E0301]`. This page lists all of them; the command line
prints the same text with `--explain CODE`. Words in braces stand for values of the message at hand. Warnings can be
switched off in groups with `-Wno-<group>`.

This page is generated from the catalogue in `compiler/diagnostics/catalogue`; `make docs` renews it.
"""


def explain(code: str) -> str | None:
    """The explanation of a diagnostic code, in either case; None when there is no such code, nor was."""
    all_entries()
    entry = find(code.upper())
    if entry is None:
        return None
    # What stands in braces is known of a message at hand alone.
    template = re.sub(r"'?\{\w+\}'?", "...", entry.template)
    return f"{entry.code}: {template}\n\n{explain_entry(entry)}\n{_formerly(entry)}"


def explain_entry(entry: Entry) -> str:
    """The explanation without the indentation that it has in the catalogue's source."""
    return dedent(entry.explain).strip()


def markdown() -> str:
    """The whole catalogue as a Markdown page."""
    entries = all_entries()
    sections = ("".join(_phase_lines(phase, entries)) for phase in PHASES)
    return _INTRODUCTION + "".join(sections)


def _phase_lines(phase: str, entries: dict[str, Entry]) -> Iterator[str]:
    module = import_module(f"glslc_multi.compiler.diagnostics.catalogue.{phase}")
    summary = (module.__doc__ or "").split("\n\n")[0].replace("\n", " ").strip()
    yield f"\n## {phase.capitalize()}\n\n{summary}\n"
    own = {id(value) for value in vars(module).values() if isinstance(value, Entry)}
    for entry in entries.values():
        if id(entry) in own:
            yield f"\n### {entry.code}\n\n**{entry.severity}{_group(entry)}:** `{entry.template}`\n\n"
            yield f"{explain_entry(entry)}\n{_formerly(entry)}"


def _formerly(entry: Entry) -> str:
    return f"\nEarlier versions: {', '.join(entry.formerly)}.\n" if entry.formerly else ""


def _group(entry: Entry) -> str:
    return f" (-W{entry.group})" if entry.group else ""


def main(arguments: list[str]) -> int:
    """The documentation generator's command line."""
    if arguments != ["--markdown"]:
        print("usage: python -m glslc_multi.compiler.diagnostics.explain --markdown", file=sys.stderr)
        return 2
    print(markdown(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
