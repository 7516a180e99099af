"""A text that must be refused: one mistake, its line and the diagnostic that names it.

A record of schema webgl with two fields more, `section` and `code`.  The line of the mistake is the one that
ends in `// wrong`; without that mark it is the first line of the case's own text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from tests.conformance.model import Dialect

_MARK = "// wrong"
_PRECISION = {"vertex": "", "fragment": "precision mediump float;\n"}
_FRAGMENT_MAIN = "precision mediump float;\n{}\nvoid main() {{ gl_FragColor = vec4({}); }}\n"
_VERTEX_MAIN = "{}\nvoid main() {{ {} gl_Position = vec4(0.0); }}\n"


@dataclass(frozen=True, slots=True)
class Failure:
    """One stage that must be refused."""

    name: str
    code: str
    stage: str
    source: str
    line: int
    dialect: Dialect = "essl100"

    def row(self) -> dict[str, Any]:
        """The record."""
        return {
            "name": f"own/{self.name}",
            "section": self.name.split("/")[0],
            "kind": "single",
            "stage": self.stage,
            "expect": "fail",
            "code": self.code,
            "error_lines": [self.line],
            "source": self.source,
            "oracles": {},
            "dialect": self.dialect,
        }


@dataclass(frozen=True, slots=True)
class LinkFailure:
    """Two stages that are right by themselves and must not link."""

    name: str
    code: str
    vertex: str
    fragment: str

    def row(self) -> dict[str, Any]:
        """The record."""
        return {
            "name": f"own/{self.name}",
            "section": self.name.split("/")[0],
            "kind": "pair",
            "expect": "link_fail",
            "expect_vertex": "pass",
            "expect_fragment": "pass",
            "code": self.code,
            "vertex": self.vertex,
            "fragment": self.fragment,
            "oracles": {},
            "dialect": "essl100",
        }


def statements(
    section: str,
    texts: Mapping[str, tuple[str, str]],
    *,
    stage: str = "fragment",
    before: str = "",
    dialect: Dialect = "essl100",
) -> Iterator[Failure]:
    """Texts inside `main`: name -> (code, text)."""
    head = f"{_PRECISION[stage]}{before}\nvoid main() {{\n"
    for name, (code, text) in texts.items():
        yield _failure(f"{section}/{name}", code, stage, head, indent(text, "    "), "\n}\n", dialect)


def globals_(
    section: str, texts: Mapping[str, tuple[str, str]], *, stage: str = "fragment", dialect: Dialect = "essl100"
) -> Iterator[Failure]:
    """Texts before an empty `main`."""
    for name, (code, text) in texts.items():
        yield _failure(f"{section}/{name}", code, stage, _PRECISION[stage], text, "\nvoid main() { }\n", dialect)


def shaders(section: str, texts: Mapping[str, tuple[str, str]], *, stage: str = "fragment") -> Iterator[Failure]:
    """Whole shaders."""
    for name, (code, text) in texts.items():
        yield _failure(f"{section}/{name}", code, stage, "", text, "", "essl100")


def links(section: str, texts: Mapping[str, tuple[str, str, str, str, str]]) -> Iterator[LinkFailure]:
    """Pairs: name -> (code, vertex declarations, vertex statements, fragment declarations, fragment value)."""
    for name, (code, vertex, written, fragment, read) in texts.items():
        yield LinkFailure(
            f"{section}/{name}", code, _VERTEX_MAIN.format(vertex, written), _FRAGMENT_MAIN.format(fragment, read)
        )


def _failure(name: str, code: str, stage: str, head: str, text: str, tail: str, dialect: Dialect) -> Failure:
    marked = next((index for index, line in enumerate(text.split("\n")) if line.endswith(_MARK)), 0)
    return Failure(name, code, stage, head + text + tail, head.count("\n") + marked + 1, dialect)
