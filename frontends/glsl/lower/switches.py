"""The statements of a `switch`, by label (GLSL ES 3.00 section 6.2)."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl import ast


@dataclass(slots=True)
class Group:
    """Labels that stand together, and the statements up to the next label."""

    labels: list[ast.CaseLabel] = field(default_factory=list)
    statements: list[ast.Statement] = field(default_factory=list)

    @property
    def is_default(self) -> bool:
        return any(label.value is None for label in self.labels)

    @property
    def falls(self) -> bool:
        """Whether control may come to its end, and so to the next group."""
        return not _leaves(self.statements)


#: Groups each of which may fall into the next one; nothing falls into the first or out of the last.
Run = list[Group]


def runs_of(statement: ast.Switch) -> list[Run]:
    """What can be tested one after another: the run of the default label is the last."""
    runs: list[Run] = [[]]
    for group in _groups(statement):
        runs[-1].append(group)
        if not group.falls:
            runs.append([])
    return sorted(filter(None, runs), key=lambda run: any(group.is_default for group in run))


def _groups(statement: ast.Switch) -> Iterator[Group]:
    group = Group()
    for inner in statement.statements:
        if not isinstance(inner, ast.CaseLabel):
            group.statements.append(inner)
            continue
        if group.statements:
            yield group
            group = Group()
        group.labels.append(inner)
    if group.labels:
        yield group


def _leaves(statements: list[ast.Statement]) -> bool:
    last = statements[-1] if statements else None
    if isinstance(last, ast.Block):
        return _leaves(last.statements)
    if isinstance(last, ast.If) and last.otherwise is not None:
        return _leaves([last.then]) and _leaves([last.otherwise])
    return isinstance(last, ast.Jump)
