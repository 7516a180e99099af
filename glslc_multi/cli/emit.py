"""The kinds of `--emit`: a row for each, with where it goes, what it needs and how it is made."""

from __future__ import annotations

from collections.abc import Callable

from compiler.records import dataclass
from glslc_multi.cli.compilation import Compilation


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of output."""

    make: Callable[[Compilation], bytes]
    help: str
    #: Whether it is machine code or describes it.
    needs_target: bool = True


def _text(make: Callable[[Compilation], str]) -> Callable[[Compilation], bytes]:
    # A file name in the text may hold bytes that are not UTF-8: they are written as they were read.
    return lambda compilation: make(compilation).encode("utf-8", "surrogateescape")


def _ir(compilation: Compilation) -> str:
    from compiler.ir.text import print_module

    return print_module(compilation.module)


def _dot(compilation: Compilation) -> str:
    from glslc_multi.report.graph import flow_graph

    return flow_graph(compilation.module)


def _json(compilation: Compilation) -> str:
    from glslc_multi.report.reflection import register_map

    return register_map(compilation.artifact)


def _stats(compilation: Compilation) -> str:
    from glslc_multi.report.statistics import statistics_json

    return statistics_json({compilation.artifact.reflection.stage: compilation.artifact})


def _c(compilation: Compilation) -> str:
    from glslc_multi.report.c_text import c_source

    assert compilation.target is not None, "it is machine code"
    return c_source(compilation.artifact, compilation.prefix, compilation.target)


def _header(compilation: Compilation) -> str:
    from glslc_multi.report.c_text import c_header

    assert compilation.target is not None, "it is machine code"
    return c_header(compilation.artifact, compilation.prefix, compilation.target)


def _html(compilation: Compilation) -> str:
    from glslc_multi.report.explain.explanation import explain
    from glslc_multi.report.explain.page import page

    assert compilation.target is not None, "a page is about machine code"
    return page(explain(compilation.source, compilation.target, compilation.request, compilation.sink))


KINDS: dict[str, Kind] = {
    "bin": Kind(lambda compilation: compilation.artifact.binary, "machine code"),
    "asm": Kind(_text(lambda compilation: compilation.artifact.assembly), "assembly text"),
    "ir": Kind(_text(_ir), "intermediate representation", needs_target=False),
    "dot": Kind(_text(_dot), "its flow graphs for Graphviz", needs_target=False),
    "json": Kind(_text(_json), "register map"),
    "stats": Kind(_text(_stats), "what the code costs, as JSON"),
    "c": Kind(_text(_c), "the binary as a C array"),
    "header": Kind(_text(_header), "the same as a header, with a macro for every register"),
    "html": Kind(_text(_html), "a page that shows how the code came about"),
}

#: What `-E` makes.
PREPROCESSED = Kind(_text(lambda compilation: compilation.preprocessed), "preprocessed text", needs_target=False)


def row_of(kind: str) -> Kind:
    """The row of a name in `KINDS`, or of "preprocessed"."""
    return KINDS.get(kind, PREPROCESSED)
