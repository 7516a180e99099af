"""The statements of the rules, each of which some witness must reach, and a mark before each.

Rules are in the passes, the lowerings, what code generators share, and the code generator of each target;
`elsewhere.toml` names what other tests see to.  An arm of a conditional expression and
the value of a lambda are as good as statements.  No witness is asked for what leaves the code as it is or refuses it:
a return of a constant, the end of a round of a loop, a block that raises or reports.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Container, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from tests.shared_data import PROJECT_ROOT
from tests.witnesses.witness import SHARED

#: Takes the name of what is reached.
MARK = "__reached__"
#: Targets whose code generator is that of their family.
_FAMILIES = {"adreno": "xenos_family"}
_SHARED_ROOMS = ("compiler/passes", "compiler/lowering", "compiler/codegen")
_ELSEWHERE = Path(__file__).with_name("elsewhere.toml")
_REPORTS = (".report", "_report_size", "refuse_branch")
_LEAVES = (ast.Raise, ast.Pass, ast.Continue, ast.Break, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


def files_of(folder: str) -> Iterator[Path]:
    """Find the files with the rules of a target, or those that all targets share."""
    rooms = _SHARED_ROOMS if folder == SHARED else (f"backends/{_FAMILIES.get(folder, folder)}/codegen",)
    for file in sorted(file for room in rooms for file in (PROJECT_ROOT / room).rglob("*.py")):
        if not any(fnmatch(_path(file), pattern) for pattern in elsewhere()):
            yield file


def elsewhere() -> Mapping[str, str]:
    """Read what no witness need reach, and which tests see to it, if any: patterns of files, `FILE: FUNCTION` and
    `FILE: STATEMENT`."""
    found = tomllib.loads(_ELSEWHERE.read_text(encoding="utf-8"))
    return {**dict.fromkeys(found["unknown"], ""), **found["tests"]}


def marked(file: Path) -> tuple[ast.Module, Sequence[str]]:
    """Parse a file and put the marks in; the names of what is marked."""
    source, path = file.read_text(encoding="utf-8"), _path(file)
    lines, tree = source.splitlines(), ast.parse(source)
    left_out = {key.removeprefix(f"{path}: ") for key in elsewhere()}
    places: dict[ast.AST, str] = {}
    for node in _effects(tree, left_out):
        text = lines[node.lineno - 1].strip() if isinstance(node, ast.stmt) else ast.unparse(node)
        if text not in left_out:
            places[node] = f"{path}:{node.lineno}: {text}"
    _Marker(places).visit(tree)
    return ast.fix_missing_locations(tree), list(places.values())


def _path(file: Path) -> str:
    return str(file.relative_to(PROJECT_ROOT))


class _Marker(ast.NodeTransformer):
    """Puts marks before statements and expressions."""

    def __init__(self, places: Mapping[ast.AST, str]) -> None:
        self._places = places

    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        if node not in self._places:
            return node
        mark = ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(self._places[node])], [])
        if isinstance(node, ast.expr):
            # A mark is None, which is not chosen.
            return ast.BoolOp(ast.Or(), [mark, node])
        return [ast.Expr(mark), node]


def _effects(tree: ast.Module, left_out: Container[str]) -> Iterator[ast.stmt | ast.expr]:
    """Find what must be reached, but for the functions that are left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name not in left_out:
            yield from _effects_of_block(node.body)
        elif isinstance(node, ast.Lambda) and _acts(node.body):
            yield node.body


def _effects_of_block(block: Sequence[ast.stmt]) -> Iterator[ast.stmt | ast.expr]:
    if any(map(_refuses, block)):
        return
    for statement in block:
        if isinstance(statement, _LEAVES) or (isinstance(statement, ast.Return | ast.Expr) and not _acts(statement)):
            continue
        yield statement
        for part in ast.iter_child_nodes(statement):
            if isinstance(part, ast.expr):
                arms = (
                    arm for node in ast.walk(part) if isinstance(node, ast.IfExp) for arm in (node.body, node.orelse)
                )
                # A mere name makes nothing.
                yield from (arm for arm in arms if _acts(arm) and not isinstance(arm, ast.Name))
        for inner in _blocks(statement):
            yield from _effects_of_block(inner)


def _blocks(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    yield from (getattr(statement, name, ()) for name in ("body", "orelse", "finalbody"))
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _refuses(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    is_report = isinstance(call, ast.Call) and ast.unparse(call.func).endswith(_REPORTS)
    return is_report or isinstance(statement, ast.Raise)


def _acts(node: ast.AST) -> bool:
    """Tell whether it is more than constants; an empty list is as constant as a number."""
    return any(isinstance(part, ast.Name | ast.Yield) for part in ast.walk(node))
