"""Rewriting a shader from one version of GLSL to another, with its comments, macros and layout kept.

In: a text that is correct in its own version.  Out: the text with the words of the other version in their places, and
with the edits that messages about it propose.  What the other version cannot say is left as it is; whoever asks checks
the result.
"""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.compiler.diagnostics import DiagnosticSink, Fix, SourceFile
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.ast import Call
from glslc_multi.frontends.glsl.check import CheckedShader
from glslc_multi.frontends.glsl.porting.edits import EditedText
from glslc_multi.frontends.glsl.porting.to_100 import to_100
from glslc_multi.frontends.glsl.porting.to_300 import to_300
from glslc_multi.frontends.glsl.tokens import PreprocessedShader
from glslc_multi.frontends.glsl.walk import walk

#: What `--to` takes -> who does it.
DIRECTIONS = {"300es": to_300, "100": to_100}
#: How often what the messages propose is done: one correction can uncover another mistake.
_ROUNDS = 8


def port(file: SourceFile, shader: PreprocessedShader, checked: CheckedShader, to: str, sink: DiagnosticSink) -> str:
    """The text of `file` in the version `to`; names that change are told.

    `shader` and `checked` are what preprocessing and checking made of it.
    """
    text = EditedText(file, shader)
    # Line and column of each call of a texture function -> the type of its sampler.
    samplers = {}
    for node in walk(checked.unit):
        if isinstance(node, Call) and node.builtin is not None and node.arguments:
            span = shader.tokens.span(node.callee_token)
            if span.file is file and span.origin is None:
                samplers[span.line, span.column] = str(node.arguments[0].type)
    text.samplers = samplers
    DIRECTIONS[to](text, checked.stage)
    for word, new in text.renamed:
        sink.report(names.PORT_RENAMED, text.span(word), name=word.text, new=new)
    return text.result()


def mend(file: SourceFile, find_fixes: Callable[[SourceFile], list[Fix]]) -> SourceFile:
    """The text after the edits that messages propose for it, such as `2.0` for `2`."""
    for _ in range(_ROUNDS):
        fixes = [fix for fix in find_fixes(file) if fix.span.file is file and fix.span.line == fix.span.end_line]
        if not fixes:
            break
        lines = file.text.split("\n")
        last: dict[int, int] = {}
        for fix in sorted(set(fixes), key=lambda fix: (fix.span.line, fix.span.column), reverse=True):
            index, column = fix.span.line - 1, fix.span.column - 1
            if fix.span.end_column - 1 > last.get(index, len(lines[index])):
                continue  # It overlaps another edit.
            lines[index] = lines[index][:column] + fix.text + lines[index][fix.span.end_column - 1 :]
            last[index] = column
        file = SourceFile(file.name, "\n".join(lines))
    return file
