"""The kinds of recorded data about machine code, and how to know them by their content.

One row a kind: the target it belongs to, where its cases are in the document, and the keys that all
cases have.  A document is of the first kind of its target that fits, so narrower rows come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from glslc_multi.compiler.records import dataclass


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
    #: Why the file as a whole is no business of this runner ("" otherwise).
    no_cases: str = ""
    #: The document's "columns", where its cases are rows of a table.
    columns: tuple[str, ...] = ()
    #: What the names of cases begin with, where nothing else tells two targets apart.
    starts: tuple[str, ...] = ("",)

    def cases(self, document: Any) -> Sequence[Mapping[str, Any]]:
        """The cases of a document of this kind; rows by their columns."""
        found: Sequence[Any] = document if self.container is None else document[self.container]
        return [dict(zip(self.columns, row, strict=True)) for row in found] if self.columns else found

    def label(self, case: Mapping[str, Any], position: int) -> str:
        """The name of a case in messages."""
        return str(case.get(self.id_key, f"#{position}"))

    def fits(self, document: Any) -> bool:
        """Whether the document is of this kind."""
        if self.columns:
            return isinstance(document, dict) and tuple(document.get("columns", ())) == self.columns
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


def _kind(
    target: str,
    name: str,
    container: str | None,
    keys: str,
    *,
    schema: str | None = None,
    id_key: str = "id",
    no_cases: str = "",
    starts: tuple[str, ...] = ("",),
) -> Kind:
    return Kind(target, name, container, frozenset(keys.split()), schema, id_key, no_cases, starts=starts)


def _table(target: str, name: str, *columns: str) -> Kind:
    return Kind(target, name, "cases", frozenset(), columns=columns)


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
    _kind("pica200", "combiners", "cases", "id stages e0 fd runs"),
    _kind("pica200", "combiner-buffer", "cases", "stages e0 fd out buffer"),
    _kind("pica200", "combiner-operands", "cases", "source rgb_operand alpha_operand stages fd in out"),
    _kind("pica200", "combiner-stage0", "cases", "stage0 fd in out"),
    _table("pica200", "combiner-functions", "function", "scale", "operand1", "operand2", "operand3", "result"),
    _table(
        "pica200",
        "combiner-dot3",
        "function",
        "rgb_scale",
        "alpha_scale",
        "operand1_rgb",
        "operand2_rgb",
        "alpha_of_texture2 (what the alpha combiner, REPLACE, has)",
        "result_rgba",
    ),
    _table("pica200", "console-dot3", "operand 1 rgb", "operand 2 rgb", "r = g = b of GPU_DOT3_RGB on a Nintendo 3DS"),
    _kind("pica200", "fog", "cases", "id e0 color lut samples"),
    _table("pica200", "alpha-test", "register 0x104", "character a: does alpha a pass"),
    _table(
        "pica200",
        "blending",
        "0x100",
        "0x101",
        "0x102",
        "0x103 as rgba",
        "0x107",
        "source",
        "destination",
        "result",
    ),
    _kind("pica200", "texture-units", "cases", "id 080 type wrap_s_t border coord0 coord0w coord1 coord2 out"),
    _kind("pica200", "lighting", "cases", "id registers luts samples"),
    _kind("pica200", "driver-calls", "cases", "id calls writes"),
    _table(
        "pica200",
        "table-entries",
        "table (light: LightLut_FromArray, fog: FogLut_FromArray)",
        "value",
        "difference to the next",
        "raw entry",
    ),
    _kind("pica200", "table-functions", "cases", "call raw"),
    _table("pica200", "number-formats", "conversion (f32tof16 / f20 / f24 / f31)", "float32", "bits"),
    _kind("pica200", "fragment-program", "cases", "name fits glsl", id_key="name"),
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
