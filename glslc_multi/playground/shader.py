"""What a page asks about: a shader and the settings that it is compiled with.

In: JSON, as the page or a link has it.  Out: a source, and a request for a target.  Settings are the words of the
command line, so that there is one parser, and one wording of what is wrong with them.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from typing import Any

from glslc_multi.cli.compile_options import ALL_TARGETS, add_compile_flags, front_end_options, make_request
from glslc_multi.cli.parser import new_parser, parse
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.options import STAGES, Request
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source

#: Longer texts are no shaders; what a page may ask for is bounded.
LONGEST = 1 << 20


class BadRequest(ValueError):
    """JSON that the page does not send; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Shader:
    """One stage as it stands in the editor."""

    text: str
    name: str
    stage: str
    #: As on the command line: `-O2 -DQUALITY=1`.
    flags: str = ""

    @property
    def source(self) -> Source:
        return make_source(self.text, self.name, self.stage)

    def request(self, target: Target, sink: DiagnosticSink) -> Request:
        """How to compile it for a target; flags of other targets are left out."""
        request = make_request(self._parsed(sink), target)
        return replace(request, front_end=_beside(request.front_end))

    def front_end(self, sink: DiagnosticSink) -> FrontEndOptions:
        """What the front end is told."""
        return _beside(front_end_options(self._parsed(sink)))

    def _parsed(self, sink: DiagnosticSink) -> argparse.Namespace:
        # All targets lend their options: one line of flags is for all panes.
        words = ["--target", ALL_TARGETS, *_words(self.flags, sink)]
        parser = new_parser("glslc-multi", "", "")
        add_compile_flags(parser, words)
        return parse(parser, words, sink)


def _words(flags: str, sink: DiagnosticSink) -> list[str]:
    try:
        return shlex.split(flags)
    except ValueError as error:
        sink.report(usage.UNEXPECTED_ARGUMENT, help=str(error).lower(), argument=flags)
    raise CompileError(sink.diagnostics)


def _beside(options: FrontEndOptions) -> FrontEndOptions:
    """Includes are looked for in the folder that is served, too."""
    return replace(options, include_dirs=(*options.include_dirs, "."))


def read_shader(data: Mapping[str, Any]) -> Shader:
    """The shader of a request."""
    text, name, stage, flags = (read_text(data, key) for key in ("text", "name", "stage", "flags"))
    if stage not in STAGES:
        raise BadRequest(f"there is no stage '{stage}'")
    return Shader(text, name, stage, flags)


def read_shaders(data: Mapping[str, Any]) -> tuple[Shader, ...]:
    """The shader of a request, or the vertex shader and the `second` that is linked with it."""
    if "second" not in data:
        return (read_shader(data),)
    vertex, second = read_shader(data), read_shader(read_part(data, "second"))
    # Names tell the places of diagnostics apart.
    if vertex.stage != "vertex" or second.stage not in ("fragment", "geometry") or vertex.name == second.name:
        raise BadRequest("a vertex shader is linked with a fragment or geometry shader of another name")
    return vertex, second


def read_part(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """One object of a request."""
    part = data.get(key)
    if not isinstance(part, dict):
        raise BadRequest(f"'{key}' is missing, or no object")
    return part


def read_text(data: Mapping[str, Any], key: str) -> str:
    """One text of a request."""
    value = data.get(key)
    if not isinstance(value, str):
        raise BadRequest(f"'{key}' is missing, or no text")
    if len(value) > LONGEST:
        raise BadRequest(f"'{key}' is longer than {LONGEST:,} characters")
    return value
