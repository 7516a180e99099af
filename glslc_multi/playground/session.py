"""What the page asks and what it is told: one text in, one text out, both JSON.

The page's worker calls `answer` in the browser, `worker.py` calls it for `glslc-multi playground`.  A request names
what it asks for and has what that needs; an answer has `error` where there is none.  Nothing is raised, whatever comes.
"""

from __future__ import annotations

import binascii
import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from glslc_multi.backends.frontend import MachineCode
from glslc_multi.backends.registry import TARGETS, find_target
from glslc_multi.cli.commands.targets import describe
from glslc_multi.compiler import __version__
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.compiler.diagnostics.explain import explain as explain_code
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.linking.geometry import match_modules
from glslc_multi.compiler.linking.match import link_modules, take_from_machine
from glslc_multi.compiler.options import NO_PROOF, OPTIMISATION_LEVELS, SMALL, STAGES, Request
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import Target
from glslc_multi.editor.words import all_word_classes
from glslc_multi.failure import internal_error
from glslc_multi.frontends.registry import stage_of_suffix, standards
from glslc_multi.playground.code import code_data, diagnostics_data, inside_data, refusal_data
from glslc_multi.playground.picture import can_draw, picture_data
from glslc_multi.playground.scene import scene_data
from glslc_multi.playground.shader import BadRequest, Shader, read_part, read_shader, read_shaders, read_text
from glslc_multi.report.explain.explanation import Explanation, explain_program
from glslc_multi.rewrite import rewrite

Data = dict[str, Any]


def answer(request: str) -> str:
    """The answer to one request."""
    return json.dumps(_answer(request), separators=(",", ":"))


def _answer(request: str) -> Data:
    try:
        data = json.loads(request)
        if not isinstance(data, dict):
            raise BadRequest("a request is an object")
        asked = ANSWERS.get(str(data.get("ask")))
        if asked is None:
            raise BadRequest(f"a request asks for one of {', '.join(ANSWERS)}")
        return asked(data)
    except CompileError as error:
        return {"diagnostics": diagnostics_data(error.diagnostics)}
    except (BadRequest, json.JSONDecodeError, RecursionError) as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "this takes more memory than there is"}
    except Exception as error:
        return {"error": internal_error(error).message}


# ------------------------------------------------------------------------------------------- questions
def _describe(data: Mapping[str, Any]) -> Data:
    """What there is to choose from, and the words of the language."""
    del data
    return {
        "version": __version__,
        "targets": [*map(describe, TARGETS.usable())],
        "levels": [*map(str, OPTIMISATION_LEVELS), SMALL],
        "standards": standards(),
        "stages": [stage for stage in STAGES if stage in stage_of_suffix().values()],
        "binaries": sorted(MachineCode.suffixes),
        "suffixes": {suffix: stage for suffix, stage in stage_of_suffix().items() if stage},
        "words": all_word_classes(),
        "pictures": can_draw(),
    }


def _check(data: Mapping[str, Any]) -> Data:
    """What the front end says of a shader; of two, what it says of both, and whether they can be linked."""
    shaders = read_shaders(data)
    options = shaders[0].front_end(DiagnosticSink())
    diagnostics: list[Diagnostic] = []
    modules: list[Module] = []
    for shader in shaders:
        with _told(diagnostics) as sink:
            modules.append(lower_source(shader.source, options, sink))
    if len(modules) > 1:
        vertex, second = modules
        with _told(diagnostics) as sink:
            _match(vertex, second, sink)
    return {"diagnostics": diagnostics_data(diagnostics)}


@contextmanager
def _told(found: list[Diagnostic]) -> Iterator[DiagnosticSink]:
    """A sink for one step, whatever the step comes to."""
    sink = DiagnosticSink()
    with suppress(CompileError):
        yield sink
    found += sink.diagnostics


def _match(vertex: Module, second: Module, sink: DiagnosticSink) -> None:
    if second.stage == "geometry":
        match_modules(vertex, second, sink)
        return
    # Inputs that some machine makes by itself are no mistake; targets that do not make them say so.
    take_from_machine(second, {name for target in TARGETS.usable() for name in target.machine_varyings})
    link_modules(vertex, second, sink)


def _code(data: Mapping[str, Any]) -> Data:
    """What became of a shader on one target, or why nothing did."""
    shaders, sink = read_shaders(data), DiagnosticSink()
    target = find_target(read_text(data, "target"), sink)
    try:
        # Who types does not wait for the comparison with the source: the page asks for it once nobody does.
        code = code_data(_explain(shaders, target, sink, only_words=True, proven=data.get("proven") is True))
        return {**code, "diagnostics": diagnostics_data(sink.diagnostics)}
    except CompileError as error:
        return {**refusal_data(error.diagnostics), "diagnostics": diagnostics_data(error.diagnostics)}


def _inside(data: Mapping[str, Any]) -> Data:
    """How the code came about."""
    shaders, sink = read_shaders(data), DiagnosticSink()
    target = find_target(read_text(data, "target"), sink)
    return inside_data(_explain(shaders, target, sink))


def _explain(
    shaders: Sequence[Shader],
    target: Target,
    sink: DiagnosticSink,
    *,
    only_words: bool = False,
    proven: bool = False,
) -> tuple[Explanation, ...]:
    sources = [shader.source for shader in shaders]
    request = shaders[0].request(target, sink)
    request = request if proven else replace(request, proof=NO_PROOF)
    return explain_program(sources, target, request, sink, only_words=only_words)


def _scene(data: Mapping[str, Any]) -> Data:
    """What WebGL needs to draw the shaders."""
    return scene_data(read_shader(read_part(data, "vertex")), read_shader(read_part(data, "fragment")), _size(data))


def _picture(data: Mapping[str, Any]) -> Data:
    """The picture that the machine code of both shaders makes."""
    shaders = read_shader(read_part(data, "vertex")), read_shader(read_part(data, "fragment"))
    return picture_data(*shaders, read_text(data, "target"), read_text(data, "mesh"), _size(data))


def _open(data: Mapping[str, Any]) -> Data:
    """A file of machine code, as base64, as the GLSL that it means; its register map, if there is one, as text."""
    name, register_map = read_text(data, "name"), data.get("map")
    try:
        content = b64decode(read_text(data, "bytes"), validate=True)
    except binascii.Error:
        raise BadRequest("'bytes' are no base64") from None
    front_end = MachineCode(map_content=register_map if isinstance(register_map, str) else None)
    if not front_end.takes(name, content):
        raise BadRequest(f"'{name}' is no file of machine code")
    source = Source(content, name, front_end)
    stage = front_end.stage_of(name, content)
    return {"stage": stage, "text": rewrite(source, Request(), "300es", DiagnosticSink())}


def _message(data: Mapping[str, Any]) -> Data:
    """What a code of a diagnostic means."""
    return {"text": explain_code(read_text(data, "code"))}


ANSWERS: dict[str, Callable[[Mapping[str, Any]], Data]] = {
    "describe": _describe,
    "check": _check,
    "code": _code,
    "inside": _inside,
    "scene": _scene,
    "picture": _picture,
    "message": _message,
    "open": _open,
}


def _size(data: Mapping[str, Any]) -> int:
    size = data.get("size")
    if type(size) is not int:
        raise BadRequest("'size' is missing, or no whole number")
    return size
