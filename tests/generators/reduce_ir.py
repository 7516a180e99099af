"""Shrinks a failing IR module: the smallest that still fails the same way.

`reduce(module, fails)` needs only a predicate, which gets sound modules.  It proposes edits of one kind
at a time (`ir_edits.py`) and tries them in halves, quarters and so on down to single ones, until no kind
makes the module smaller any more.

    python -m tests.generators.reduce_ir FILE.sir --command 'my-check {}'

keeps what makes the command exit with 1; `{}` is the candidate's path.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.diagnostics.sink import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import verify_module
from tests.generators.ir_edits import PROPOSERS, Edit, Proposer, tidy, tidy_blocks

Predicate = Callable[[Module], bool]


def reduce(module: Module, fails: Predicate) -> Module:
    """A small module, without spans, for which `fails` still holds; `fails(module)` must hold.

    A module in the finished form (see `compiler/ir/verify/finished.py`) stays in it.  Candidates may loop
    for ever, so a predicate that runs them must limit the steps.
    """
    if not fails(module):
        raise ValueError("the module does not fail to begin with")
    reducer = _Reducer(fails, is_finished=not verify_module(module, final=True))
    smallest = _read(reducer.reduce(print_module(module)))
    for function in smallest.functions.values():
        function.renumber()
    return smallest


class _Reducer:
    """Candidates are texts: a copy of a module is what its text reads back as."""

    def __init__(self, fails: Predicate, is_finished: bool) -> None:
        self.fails = fails
        self.is_finished = is_finished

    def reduce(self, text: str) -> str:
        before = ""
        while text != before:
            before = text
            for proposer in PROPOSERS:
                text = self._apply_all(text, proposer)
        return text

    def _apply_all(self, text: str, proposer: Proposer) -> str:
        """The text after all edits of one kind that keep the failure, long runs of them first."""
        edits = list(proposer(_read(text)))
        start, run = 0, len(edits)
        while run:
            if start >= len(edits):
                start, run = 0, run // 2
                continue
            changed = self._try(text, edits[start : start + run])
            if changed is None:
                start += run
            else:
                text, edits = changed, list(proposer(_read(changed)))
        return text

    def _try(self, text: str, edits: Sequence[Edit]) -> str | None:
        """The text with the edits, or None; unused values stay where the failure depends on them."""
        for clean_up in (tidy, tidy_blocks):
            changed = self._edited(text, [*edits, clean_up])
            if changed is not None and changed != text and self.fails(_read(changed)):
                return changed
        return None

    def _edited(self, text: str, edits: Sequence[Edit]) -> str | None:
        """The text after the edits; None where one removed what another edits."""
        module = _read(text)
        try:
            for edit in edits:
                edit(module)
        except (ValueError, IndexError):
            return None
        return None if verify_module(module, final=self.is_finished) else print_module(module)


def _read(text: str) -> Module:
    sink = DiagnosticSink()
    module = parse_module(text, "<candidate>", sink)
    if module is None:
        raise CompileError(sink.diagnostics)
    return module


def main() -> int:
    parser = argparse.ArgumentParser(description="Shrink an IR module while a command keeps exiting with 1.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--command", required=True, help="run for every candidate; {} is its path")
    arguments = parser.parse_args()
    sink = DiagnosticSink()
    module = parse_module(arguments.file.read_text(encoding="utf-8"), str(arguments.file), sink)
    if module is None:
        sys.stderr.write(render(sink.diagnostics))
        return 1

    with tempfile.TemporaryDirectory() as folder:
        candidate = Path(folder) / arguments.file.name

        def fails(module: Module) -> bool:
            candidate.write_text(print_module(module), encoding="utf-8")
            command = arguments.command.replace("{}", str(candidate))
            return subprocess.run(command, shell=True, capture_output=True, check=False).returncode == 1

        sys.stdout.write(print_module(reduce(module, fails)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
