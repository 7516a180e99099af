"""A second front end, which exists in tests only: fragment shaders in reverse Polish notation.

    input v_uv 2
    uniform u_level 1
    v_uv.x u_level * ; v_uv.y ; 0 ; 1

Lines declare; the last one has an expression for each channel of the colour.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.names import UNDECLARED_NAME
from glslc_multi.compiler.frontend import FrontEnd, FrontEndOptions, Prepared, Source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Module, Value
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Storage, Variable

_WORD = re.compile(r"[^\s;]+|;")
_OPERATORS = {"+": ops.FADD, "*": ops.FMUL}


class Polish(FrontEnd):
    """Words of one file; nothing is included."""

    name = "polish"
    description = "reverse Polish notation"
    stage_of_suffix: ClassVar[Mapping[str, str]] = {".rpn": "fragment"}

    def prepare(self, source: Source, stage: str | None, options: FrontEndOptions, sink: DiagnosticSink) -> Prepared:
        return Prepared(source, [line.split("#")[0] for line in source.text.splitlines()])

    def print_prepared(self, prepared: Prepared) -> str:
        return "".join(f"{line.strip()}\n" for line in prepared.content if line.strip())

    def identity(self, prepared: Prepared) -> object:
        return self.print_prepared(prepared)

    def lower(self, prepared: Prepared, stage: str, sink: DiagnosticSink) -> Module:
        module = Module("fragment", prepared.source.filename)
        builder = Builder(module.add_function("main").add_block("entry"))
        file = SourceFile(prepared.source.filename, prepared.source.text)
        channels: list[Value] = []
        for number, line in enumerate(prepared.content, start=1):
            words = line.split()
            if words[:1] in (["input"], ["uniform"]):
                storage: Storage = "varying" if words[0] == "input" else "uniform"
                module.add_variable(Variable(words[1], storage, FLOAT.with_width(int(words[2])), precision="highp"))
            elif words:
                channels = _expressions(line, number, file, module, builder, sink)
        sink.raise_if_errors()
        colour = Variable("gl_FragColor", "output", FLOAT.with_width(4), role="frag_color", precision="mediump")
        builder.store(module.add_variable(colour), builder.construct(*channels))
        builder.ret()
        return module


FRONT_END = Polish()


def _expressions(
    line: str, number: int, file: SourceFile, module: Module, builder: Builder, sink: DiagnosticSink
) -> list[Value]:
    """The value of each expression between semicolons."""
    stack: list[Value] = []
    for match in _WORD.finditer(line):
        word = match[0]
        builder.span = Span(file, number, match.start() + 1, number, match.end() + 1)
        name, _, letter = word.partition(".")
        variable = module.find_variable(name)
        if word in _OPERATORS:
            second, first = stack.pop(), stack.pop()
            stack.append(builder.op(_OPERATORS[word], first, second))
        elif variable is not None:
            value = builder.load(variable)
            stack.append(builder.extract(value, "xyzw".index(letter or "x")))
        elif re.fullmatch(r"[0-9.]+", word):
            stack.append(float_constant(float(word)))
        elif word != ";":
            sink.report(UNDECLARED_NAME, builder.span, name=word)
            stack.append(float_constant(0.0))
    return stack
