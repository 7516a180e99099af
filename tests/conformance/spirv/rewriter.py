"""The rewriter: a shader in any version of GLSL in, GLSL ES 3.10 out, which glslang makes SPIR-V of.

It is the work of `glslc-multi port`: the text is preprocessed, so that what it asks of its version is answered before
the version changes; ported to GLSL ES 3.00; and called 3.10.  Locations and bindings are glslang's to give.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, Fix, SourceFile
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl.check import CheckedShader
from glslc_multi.frontends.glsl.frontend import check_tokens
from glslc_multi.frontends.glsl.porting import mend, port
from glslc_multi.frontends.glsl.preprocess import preprocess, print_tokens
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.glsl.tokens import PreprocessedShader
from tests.conformance.model import Language

_VERSION = re.compile(r"^#version .*", re.MULTILINE)
#: What ES 3.10 declares with a type of its own is no name of a variable there.
_COLOURS = {"frag_color": "gl_FragColor", "frag_data": "gl_FragData"}


class NotTaken(Exception):
    """The way through SPIR-V does not exist for a shader; the text says why."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text, and what became of names: new -> old."""

    text: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    #: Role of a fragment output -> the name that values of it are recorded under.
    colours: Mapping[str, str] = field(default_factory=dict)


def rewrite(source: str, stage: Stage, language: Language) -> Rewritten:
    """The shader in GLSL ES 3.10; raises `NotTaken`."""
    try:
        # A text that uses names of the fixed functions is refused here: ES has nothing like them.
        shader, _ = _read(SourceFile("shader", source), stage, language.std)
        file = SourceFile("shader", _plain(print_tokens(shader), shader))
        shader, checked = _read(file, stage, "")
    except CompileError as error:
        raise NotTaken(f"our own front end refuses it: {error.summary}") from None
    text, renamed = file.text, {}
    if shader.language.number != 300:
        sink = DiagnosticSink()
        ported = SourceFile("ported", port(file, shader, checked, "300es", sink))
        text = mend(ported, lambda each: _fixes(each, stage)).text
        renamed = {found.values["new"]: found.values["name"] for found in sink.diagnostics if "new" in found.values}
    colours = {role: name for role, name in _COLOURS.items() if re.search(rf"\b{name}\b", file.text)}
    return Rewritten(_VERSION.sub("#version 310 es", text, count=1), renamed, colours)


def _plain(text: str, shader: PreprocessedShader) -> str:
    """The preprocessed text with its version, which it may lack, on the first line."""
    number = shader.language.number
    return f"#version {number}{' es' if number == 300 else ''}\n{_VERSION.sub('', text)}"


def _read(file: SourceFile, stage: Stage, std: str) -> tuple[PreprocessedShader, CheckedShader]:
    sink = DiagnosticSink()
    shader = preprocess(file, stage=stage, std=std, sink=sink)
    return shader, check_tokens(shader, stage=stage, sink=sink)


def _fixes(file: SourceFile, stage: Stage) -> list[Fix]:
    """The edits that messages about a text propose."""
    sink = DiagnosticSink(max_errors=0)
    with suppress(CompileError):
        check_tokens(preprocess(file, stage=stage, sink=sink), stage=stage, sink=sink)
    return [fix for found in sink.diagnostics if found.severity == "error" for fix in found.fixes]
