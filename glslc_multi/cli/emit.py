"""The kinds of `--emit`: a row for each, with what it needs and how it is made.

Kinds that are made of a compiled stage are those of `report/kinds.py`.  `HOST` alone is several files, and is made of
all stages together: `host.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.cli.compilation import Compilation
from glslc_multi.compiler.records import dataclass
from glslc_multi.report.kinds import HOST, OF_STAGE, encoded


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of output."""

    make: Callable[[Compilation], bytes]
    help: str
    #: Whether it is machine code or describes it.
    needs_target: bool = True
    #: What follows the name of the shader in that of a file that is written without `-o`; "" for standard output.
    suffix: str = ""


def _text(make: Callable[[Compilation], str]) -> Callable[[Compilation], bytes]:
    return lambda compilation: encoded(make(compilation))


def _of_stage(kind: str) -> Callable[[Compilation], bytes]:
    make, _ = OF_STAGE[kind]

    def made(compilation: Compilation) -> bytes:
        assert compilation.target is not None, "it is machine code"
        return make(compilation.artifact, compilation.target, compilation.prefix)

    return made


def _ir(compilation: Compilation) -> str:
    from glslc_multi.compiler.ir.text import print_module

    return print_module(compilation.module)


def _glsl(version: str) -> Callable[[Compilation], str]:
    def write(compilation: Compilation) -> str:
        from glslc_multi.rewrite import rewrite

        return rewrite(compilation.source, compilation.request, version, compilation.sink)

    return write


def _spirv(environment: str, *, as_text: bool = False) -> Callable[[Compilation], bytes]:
    def write(compilation: Compilation) -> bytes:
        from glslc_multi.backends.spirv.environments import ENVIRONMENTS
        from glslc_multi.compiler.spirv.binary import write_binary
        from glslc_multi.compiler.spirv.text import print_code
        from glslc_multi.rewrite import rewrite_as_spirv

        where = ENVIRONMENTS[environment]
        code = rewrite_as_spirv(compilation.source, compilation.request, where, compilation.sink)
        return encoded(print_code(code)) if as_text else write_binary(code)

    return write


def _dot(compilation: Compilation) -> str:
    from glslc_multi.report.graph import flow_graph

    return flow_graph(compilation.module)


def _host(compilation: Compilation) -> bytes:
    raise AssertionError("host code is several files: see host.py")


def _html(compilation: Compilation) -> str:
    from glslc_multi.report.explain.explanation import explain
    from glslc_multi.report.explain.page import page

    assert compilation.target is not None, "a page is about machine code"
    return page(explain(compilation.source, compilation.target, compilation.request, compilation.sink))


KINDS: dict[str, Kind] = {
    "bin": Kind(lambda compilation: compilation.artifact.binary, "machine code"),
    "asm": Kind(_of_stage("asm"), "assembly text"),
    "ir": Kind(_text(_ir), "intermediate representation", needs_target=False),
    "glsl": Kind(
        _text(_glsl("")), "optimised GLSL: ES 3.00, or ES 1.00 of a shader before GLSL 1.30", needs_target=False
    ),
    **{
        f"glsl-{version}": Kind(_text(_glsl(version)), f"the same in version {version}", needs_target=False)
        for version in ("100", "300es", "120", "330")
    },
    "spirv": Kind(_spirv("vulkan1.0"), "optimised SPIR-V 1.0 for Vulkan", needs_target=False, suffix=".spv"),
    "spirv-opengl": Kind(_spirv("opengl4.5"), "the same for OpenGL 4.6", needs_target=False, suffix=".spv"),
    "spirv-asm": Kind(_spirv("vulkan1.0", as_text=True), "the one for Vulkan as text", needs_target=False),
    "dot": Kind(_text(_dot), "its flow graphs for Graphviz", needs_target=False),
    "json": Kind(_of_stage("json"), "register map"),
    "stats": Kind(_of_stage("stats"), "what the code costs, as JSON"),
    "c": Kind(_of_stage("c"), "the binary as a C array"),
    "header": Kind(_of_stage("header"), "the same as a header, with a macro for every register"),
    HOST: Kind(_host, "sources and data for the host program"),
    "html": Kind(_text(_html), "a page that shows how the code came about"),
}

#: What `-E` makes.
PREPROCESSED = Kind(_text(lambda compilation: compilation.preprocessed), "preprocessed text", needs_target=False)


def row_of(kind: str) -> Kind:
    """The row of a name in `KINDS`, or of "preprocessed"."""
    return KINDS.get(kind, PREPROCESSED)
