"""A record's shader as a module of the IR, by way of SPIR-V."""

from __future__ import annotations

import re
from collections.abc import Mapping

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import check as verify
from glslc_multi.compiler.records import replace
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.spirv.frontend import FRONT_END
from tests.conformance.model import Language
from tests.conformance.spirv.compilers import compile_glsl
from tests.conformance.spirv.rewriter import NotTaken, rewrite

#: The block of uniforms that stand in none.
_LOOSE = "gl_DefaultUniformBlock"
#: What means something else where y points down.
_OF_WINDOWS = re.compile(r"\b(gl_FragCoord|dFdy)\b")


def module_of(source: str, stage: Stage, language: Language, way: str) -> Module:
    """The module under the names of the source; raises `NotTaken`, or `CompileError` where our front end refuses."""
    rewritten = rewrite(source, stage, language)
    if way == "spirv-vulkan" and _OF_WINDOWS.search(rewritten.text):
        raise NotTaken("windows of Vulkan begin at the top")
    binary = compile_glsl(rewritten.text, stage, way)
    sink = DiagnosticSink()
    prepared = FRONT_END.prepare(Source(binary, f"{stage}.spv", FRONT_END), stage, FrontEndOptions(), sink)
    module = FRONT_END.lower(prepared, stage, sink)
    if way == "spirv-vulkan" and any("." in name for name in module.variables if _is_sampler(module, name)):
        raise NotTaken("by the rules of Vulkan, structures hold no samplers")
    _restore_names(module, rewritten.renamed, rewritten.colours)
    # Pairs are of one text, and glslang numbers the locations of each stage by itself: names match, as in GLSL.
    module.language = ""
    for variable in module.interface():
        variable.location = variable.location if variable.storage == "output" else None
    module.declarations = [replace(declaration, place=None) for declaration in module.declarations]
    # By the rules of Vulkan, glslang gathers the loose uniforms of a text in one block, of each stage by itself.
    module.blocks = [block for block in module.blocks if block.name != _LOOSE]
    verify(module, final=True)
    return module


def _is_sampler(module: Module, name: str) -> bool:
    return module.variables[name].storage == "sampler"


def _restore_names(module: Module, renamed: Mapping[str, str], colours: Mapping[str, str]) -> None:
    """Variables under the names that values are recorded for."""
    new: dict[str, str] = {}
    for name, variable in module.variables.items():
        head, mark, rest = name.partition("[")
        head, dot, member = head.partition(".") if not mark else (head, "", "")
        known = colours.get(variable.role) if variable.storage == "output" else None
        new[name] = known or f"{renamed.get(head, head)}{dot}{member}{mark}{rest}"
    for variable in module.variables.values():
        variable.name = new[variable.name]
    module.variables = {variable.name: variable for variable in module.variables.values()}
    module.declarations = [replace(each, name=new.get(each.name, each.name)) for each in module.declarations]
