"""Tells what the witnesses reach: the rules are marked as they are imported, and say so when a witness gets there.

The witnesses are compiled without their proofs, and not run.  A process that has imported the compiler already has no
marks, so `unreached` starts another one.
"""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

from tests.shared_data import PROJECT_ROOT
from tests.witnesses.statements import MARK, files_of, marked
from tests.witnesses.witness import SHARED, load

if TYPE_CHECKING:
    from tests.witnesses.rows import Rows


def unreached() -> list[str]:
    """List what no witness reaches of all rules."""
    command = [sys.executable, "-m", "tests.witnesses"]
    return subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


class Reach:
    """What has been reached of the rules of some folders, in a process that has not imported them yet."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = folders
        self._files = {str(file): marked(file) for folder in folders for file in files_of(folder)}
        self.reached: set[str] = set()
        self._rows: Rows | None = None
        setattr(builtins, MARK, self.reached.add)
        sys.meta_path.insert(0, self)

    def missing(self) -> list[str]:
        """List what has not been reached, and the rows that have not been taken."""
        names = [name for _, names in self._files.values() for name in names if name not in self.reached]
        return names if self._rows is None else names + self._rows.missing(self._files)

    def compile_all(self) -> None:
        """Compile the witnesses of the folders; for what all targets share, all witnesses, and run the check files."""
        from glslc_multi.backends.registry import target_names
        from glslc_multi.compiler.diagnostics import CompileError
        from tests.compiler.passes.check_file import check_files, read_check_file
        from tests.witnesses.rows import Rows
        from tests.witnesses.run import compile_witness, targets_of

        self._rows = Rows()
        folders = (SHARED, *target_names()) if SHARED in self.folders else self.folders
        for witness in (witness for folder in folders for witness in load(folder)):
            for target in targets_of(witness):
                with suppress(CompileError):
                    compile_witness(witness, target, is_checked=False)
        for path in check_files() if SHARED in self.folders else check_files(*map("backends/{}".format, self.folders)):
            with suppress(CompileError):
                read_check_file(path).run()

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find a module as Python does, and mark it if it is one of the rules."""
        spec = PathFinder.find_spec(name, path, target)
        file = os.path.realpath(spec.origin) if spec is not None and spec.origin else ""
        if spec is not None and file in self._files:
            tree, _ = self._files[file]
            spec.loader = _Loader(name, file, compile(tree, file, "exec", dont_inherit=True))
        return spec


class _Loader(SourceFileLoader):
    """Loads a module of a code."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code
