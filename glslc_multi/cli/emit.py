"""The kinds of `--emit`: a row for each, with what it needs and how it is made.

Kinds that are made of a compiled stage (`OfStage`) are what `link --emit` has too.  `HOST` alone is several files, and
is made of all stages together: `host.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from compiler.records import dataclass
from glslc_multi.cli.compilation import Compilation

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.target import Target

#: Of a compiled stage, its target and a prefix for names.
OfStage: TypeAlias = "Callable[[Artifact, Target, str], bytes]"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of output."""

    make: Callable[[Compilation], bytes]
    help: str
    #: Whether it is machine code or describes it.
    needs_target: bool = True


def _encoded(text: str) -> bytes:
    # A file name in the text may hold bytes that are not UTF-8: they are written as they were read.
    return text.encode("utf-8", "surrogateescape")


def _text(make: Callable[[Compilation], str]) -> Callable[[Compilation], bytes]:
    return lambda compilation: _encoded(make(compilation))


def _of_stage(make: OfStage) -> Callable[[Compilation], bytes]:
    def made(compilation: Compilation) -> bytes:
        assert compilation.target is not None, "it is machine code"
        return make(compilation.artifact, compilation.target, compilation.prefix)

    return made


def _ir(compilation: Compilation) -> str:
    from compiler.ir.text import print_module

    return print_module(compilation.module)


def _dot(compilation: Compilation) -> str:
    from glslc_multi.report.graph import flow_graph

    return flow_graph(compilation.module)


def _asm(artifact: Artifact, target: Target, prefix: str) -> bytes:
    return _encoded(artifact.assembly)


def _json(artifact: Artifact, target: Target, prefix: str) -> bytes:
    from glslc_multi.report.reflection import register_map

    return _encoded(register_map(artifact))


def _stats(artifact: Artifact, target: Target, prefix: str) -> bytes:
    from glslc_multi.report.statistics import statistics_json

    return _encoded(statistics_json({artifact.reflection.stage: artifact}))


def _c(artifact: Artifact, target: Target, prefix: str) -> bytes:
    from glslc_multi.report.c_text import c_source

    return _encoded(c_source(artifact, prefix))


def _header(artifact: Artifact, target: Target, prefix: str) -> bytes:
    from glslc_multi.report.c_text import c_header

    return _encoded(c_header(artifact, prefix, target))


def _host(compilation: Compilation) -> bytes:
    raise AssertionError("host code is several files: see host.py")


def _html(compilation: Compilation) -> str:
    from glslc_multi.report.explain.explanation import explain
    from glslc_multi.report.explain.page import page

    assert compilation.target is not None, "a page is about machine code"
    return page(explain(compilation.source, compilation.target, compilation.request, compilation.sink))


#: What is made of one compiled stage, and the suffix of its files where they are text: `link` adds it to their names.
OF_STAGE: dict[str, tuple[OfStage, str]] = {
    "asm": (_asm, ".s"),
    "json": (_json, ".json"),
    "stats": (_stats, ".stats.json"),
    "c": (_c, ".c"),
    "header": (_header, ".h"),
}

KINDS: dict[str, Kind] = {
    "bin": Kind(lambda compilation: compilation.artifact.binary, "machine code"),
    "asm": Kind(_of_stage(_asm), "assembly text"),
    "ir": Kind(_text(_ir), "intermediate representation", needs_target=False),
    "dot": Kind(_text(_dot), "its flow graphs for Graphviz", needs_target=False),
    "json": Kind(_of_stage(_json), "register map"),
    "stats": Kind(_of_stage(_stats), "what the code costs, as JSON"),
    "c": Kind(_of_stage(_c), "the binary as a C array"),
    "header": Kind(_of_stage(_header), "the same as a header, with a macro for every register"),
    "host": Kind(_host, "sources and data for the host program"),
    "html": Kind(_text(_html), "a page that shows how the code came about"),
}

#: What `-E` makes.
PREPROCESSED = Kind(_text(lambda compilation: compilation.preprocessed), "preprocessed text", needs_target=False)
#: The kind that is several files.
HOST = "host"


def row_of(kind: str) -> Kind:
    """The row of a name in `KINDS`, or of "preprocessed"."""
    return KINDS.get(kind, PREPROCESSED)
