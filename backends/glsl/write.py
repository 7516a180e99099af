"""A module as a text of GLSL: control flow as ifs and loops, values as expressions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from glslc_multi.backends.glsl.declarations import Declarations
from glslc_multi.backends.glsl.dialects import Dialect
from glslc_multi.backends.glsl.names import Names
from glslc_multi.backends.glsl.refuse import refuse_inexpressible
from glslc_multi.backends.glsl.statements import Body
from glslc_multi.compiler.codegen.regions import split_critical_edges
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.lowering.builtins import LowerBuiltins
from glslc_multi.compiler.passes.base import CostModel, PassContext
from glslc_multi.compiler.passes.pipeline import DCE, NESTED
from glslc_multi.compiler.passes.runner import run_pipeline

#: What operations cost: a text is to be short, its loops are unrolled by whoever compiles it, and what only some lanes
#: look up the others do not.
COSTS = CostModel({ops.TEXTURE: 16}, matrices=True, unroll_budget=12)


class Written(NamedTuple):
    """A text."""

    text: str
    #: Names of colours in the module -> what they are called in the text.
    renamed: Mapping[str, str]
    #: What each line was made of.
    origins: Callable[[], list[list[Span]]]


def write_module(
    module: Module, dialect: Dialect, sink: DiagnosticSink, words: Collection[str] | None = None
) -> Written:
    """Write a module, which changes it; what the version of GLSL cannot say is reported.

    Values have the names of the source's variables where these are none of `words`, which are those of the language.
    """
    run_pipeline(module, (*NESTED, LowerBuiltins(dialect.kept), DCE), PassContext())
    refuse_inexpressible(module, dialect, sink)
    split_critical_edges(module.main)
    declarations = Declarations(module, dialect)
    head = list(declarations.lines())
    names = Names(module, dialect, declarations.renamed, declarations.taken, words)
    # Global variables of the shader are local to its only function.
    local = [*(v for v in module.variables.values() if v.storage == "local"), *module.main.variables.values()]
    body = Body(module.main, dialect, names)
    lines = [*head, "", "void main() {", *body.write(local), "}"]
    return Written("\n".join(lines) + "\n", declarations.renamed, lambda: [*map(body.spans_of, lines)])
