"""Tells which rows of selection tables are taken, where a table looks up an instruction."""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Any

from glslc_multi.compiler.codegen.selection.trees import IsNumber, Row, Tree, TreeTable
from glslc_multi.compiler.ir.module import Instruction, Value
from tests.shared_data import PROJECT_ROOT


class Rows:
    """The rows that have been taken since."""

    def __init__(self) -> None:
        self._taken: set[Row[Any]] = set()
        fit = Tree.fit

        def watched(tree: Tree[Any], root: Instruction, is_number: IsNumber) -> Sequence[Value] | None:
            values = fit(tree, root, is_number)
            if values is not None:
                self._taken.add(tree.row)
            return values

        setattr(Tree, "fit", watched)  # noqa: B010

    def missing(self, files: Container[str]) -> list[str]:
        """List the rows of the tables in some files that have not been taken."""
        return list(dict.fromkeys(name for row, name in _rows(files) if row not in self._taken))


def _rows(files: Container[str]) -> Iterator[tuple[Row[Any], str]]:
    for module in list(sys.modules.values()):
        file = os.path.realpath(getattr(module, "__file__", None) or "")
        for value in vars(module).values() if file in files else ():
            table = getattr(value, "table", value)
            for tree in table.trees() if isinstance(table, TreeTable) else ():
                yield tree.row, f"{Path(file).relative_to(PROJECT_ROOT)}: {tree.row.text}"
