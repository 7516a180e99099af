"""The forms of host code, and who writes them."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.agal.host.classes import class_file, parts_of
from glslc_multi.backends.agal.host.languages import AS3, HAXE
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_files import HostFile, HostProgram

_LANGUAGES = {"as3": AS3, "haxe": HAXE}


def host_code(program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
    """The files of a program in a form."""
    if form.startswith("starling-"):
        from glslc_multi.backends.agal.host.starling import starling_files

        return starling_files(program, form, sink)
    language, _, code = form.partition("-")
    return [class_file(parts_of(program, _LANGUAGES[language], is_text=code == "text"))]
