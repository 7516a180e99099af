"""The kinds of recorded data about machine code, and how to know them by their content.

One row a kind: the target it belongs to, where its cases are in the document, and the keys that all
cases have.  A document is of the first kind of its target that fits, so narrower rows come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One schema of recorded cases."""

    target: str
    name: str
    #: Key of the list of cases; None where the document is the list.
    container: str | None
    #: Keys of every case.
    keys: frozenset[str]
    #: Value of the document's "schema", where it has one.
    schema: str | None = None
    #: Key that names a case; without it the position does.
    id_key: str = "id"
    #: What the names of cases begin with, where nothing else tells two targets apart.
    starts: tuple[str, ...] = ("",)
    #: Why the file as a whole is no business of this runner ("" otherwise).
    no_cases: str = ""

    def cases(self, document: Any) -> Sequence[Mapping[str, Any]]:
        """The cases of a document of this kind."""
        found: Sequence[Mapping[str, Any]] = document if self.container is None else document[self.container]
        return found

    def label(self, case: Mapping[str, Any], position: int) -> str:
        """The name of a case in messages."""
        return str(case.get(self.id_key, f"#{position}"))

    def fits(self, document: Any) -> bool:
        """Whether the document is of this kind."""
        if self.schema is not None or self.no_cases:
            return self._fits_as_a_whole(document)
        if self.container is None:
            found = document
        else:
            found = document.get(self.container) if isinstance(document, dict) else None
        is_list = isinstance(found, list) and bool(found)
        return is_list and all(isinstance(case, dict) and self._has(case) for case in found)

    def _has(self, case: Mapping[str, Any]) -> bool:
        return self.keys <= case.keys() and str(case.get(self.id_key, "")).startswith(self.starts)

    def _fits_as_a_whole(self, document: Any) -> bool:
        if not isinstance(document, dict):
            return False
        if self.schema is not None:
            return document.get("schema") == self.schema
        return bool(document) and all(isinstance(row, dict) and self.keys <= row.keys() for row in document.values())


def _kind(target: str, name: str, container: str | None, keys: str, **more: Any) -> Kind:
    return Kind(target, name, container, frozenset(keys.split()), **more)


KINDS: tuple[Kind, ...] = (
    _kind("agal", "encoding", "cases", "id stage version text hex", schema="agal-encoding-1"),
    _kind("agal", "assembler-error", "cases", "id stage version text error", schema="agal-asm-error-1"),
    _kind("agal", "program", "cases", "id version vertex fragment", schema="agal-program-1"),
    _kind("agal", "invalid", "cases", "id version rule error", schema="agal-invalid-1"),
    _kind("agal", "to-glsl", "cases", "id vertex_hex vertex_glsl", schema="agal-to-glsl-1"),
    _kind(
        "agal", "counts", "cases", "file stage version", schema="agal-counts-1", no_cases="sizes, for tests.codesize"
    ),
    _kind("pica200", "container", None, "name asm shbin_hex", id_key="name"),
    _kind("pica200", "execution", None, "name asm words vertices results", id_key="name"),
    _kind("pica200", "flow-encoding", None, "name asm words endmain", id_key="name"),
    _kind("pica200", "encoding", None, "asm format word opdesc", id_key="asm"),
    _kind("pica200", "documented", None, "op s1 expect", id_key="op"),
    _kind("xenos", "file", None, "id structure bytes libxenon"),
    _kind("xenos", "vendor", None, "id file_bytes program_control"),
    _kind("xenos", "program", None, "id stage words cases stock_agrees"),
    _kind("xenos", "encoding", None, "id kind fields words", starts=("x-",)),
    _kind("adreno", "program", None, "id stage words cases asm_exact"),
    _kind("adreno", "encoding", None, "id kind fields words", starts=("e0-", "c0-")),
    _kind("adreno", "counts", None, "a2xx vc4", no_cases="sizes, for tests.codesize"),
    _kind("theia", "encoding", "instructions", "ip asm word", id_key="asm"),
    _kind("theia", "execution", "cases", "id asm word regs"),
    _kind("theia", "program", "programs", "name source words runs", id_key="name"),
    _kind("theia", "hazard", "hazards", "name rule words violates", id_key="name"),
    _kind("theia", "image", "images", "name source words pixels", id_key="name"),
    _kind("vc4", "hazard", "cases", "name asm words documented_legal", id_key="name"),
    _kind("vc4", "execution", "cases", "name asm words init expect", id_key="name"),
    _kind("vc4", "program", "cases", "name words uniform_stream", id_key="name"),
    _kind("vc4", "encoding", "cases", "category asm word", id_key="asm"),
    _kind("vc4", "reject", "cases", "category asm", id_key="asm"),
)

TARGETS = tuple(dict.fromkeys(kind.target for kind in KINDS))


def recognise(document: Any, target: str) -> Kind | None:
    """The kind of the document among those of `target`."""
    return next((kind for kind in KINDS if kind.target == target and kind.fits(document)), None)


def labelled_cases(kind: Kind, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every case with its name."""
    for position, case in enumerate(kind.cases(document)):
        yield kind.label(case, position), case
