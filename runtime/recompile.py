"""Compiling again without moving what an engine has already bound: layouts stay those of an earlier compilation.

In: sources, a request, and earlier reflections.  Out: what `compile` or `link` gives.  Every attribute, uniform
and sampler that still exists and has not grown keeps its registers; new ones take free registers.  Where no
location can be named, registers follow from the code: the VC4's stream, THEIA's instructions, b and i registers of
PICA200, and samplers except AGAL's.  A `layout(location = n)` in the source takes precedence over all of this.
"""

from __future__ import annotations

from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source, require_stage
from glslc_multi.compiler.frontend import Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.programs import compile_linked, link_sources
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import Target
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader


def recompile(shader: CompiledShader, text: str) -> CompiledShader:
    """`shader` from a new text, with the same registers."""
    source, sink = replace(shader.source, content=text), DiagnosticSink()
    target, request = shader.target, shader.request
    options = checked_options(target, require_stage(source, sink), request, sink)
    module = lower_source(source, request.front_end, sink)
    pin_locations(module, shader.reflection, target)
    return CompiledShader(compile_module(module, target, options, request, sink), source, target, request)


def relink(program: CompiledProgram, vertex_text: str, fragment_text: str) -> CompiledProgram:
    """`program` from new texts, with the same registers."""
    sink = DiagnosticSink()
    first = next(iter(program.stages.values()))
    target, request = first.target, first.request
    vertex, fragment = _sources(program, vertex_text, fragment_text)
    pair = link_sources(vertex, fragment, request.front_end, sink, target.machine_varyings)
    for stage, shader in program.stages.items():
        pin_locations(pair.of_stage(stage), shader.reflection, target)
    linked = compile_linked(pair, target, request, sink)
    stages = {
        stage: CompiledShader(artifact, fragment if stage == "fragment" else vertex, target, request)
        for stage, artifact in linked.stages.items()
    }
    return CompiledProgram(stages, linked.diagnostics)


def _sources(program: CompiledProgram, vertex_text: str, fragment_text: str) -> tuple[Source, Source]:
    sources = {stage: shader.source for stage, shader in program.stages.items()}
    front_end = next(iter(sources.values())).front_end
    vertex = sources.get("vertex", Source("", "<vertex>", front_end, "vertex"))
    fragment = sources.get("fragment", Source("", "<fragment>", front_end, "fragment"))
    return replace(vertex, content=vertex_text), replace(fragment, content=fragment_text)


def pin_locations(module: Module, earlier: Reflection, target: Target) -> None:
    """Give the variables of `module` the locations that they have in `earlier`, where they still fit there."""
    variables = [variable for variable in module.variables.values() if variable.location is None]
    taken = _explicit(module)
    for binding in (*earlier.attributes, *earlier.uniforms, *earlier.samplers):
        # The registers of a value that can be pinned, by storage.
        places: dict[str, set[int]] = {}
        for location in binding.locations:
            if location.space in target.located_spaces:
                places.setdefault(target.located_spaces[location.space], set()).add(location.index)
        variable = next((v for v in variables if v.name == binding.name), None)
        if variable is None or not places:
            continue
        (storage,) = places.keys()
        own = {(storage, index) for index in places[storage]}
        if variable.storage == storage and len(own) >= variable.length * variable.columns and not own & taken:
            variable.location = min(places[storage])
            taken |= own


def _explicit(module: Module) -> set[tuple[str, int]]:
    """Registers that the source itself names."""
    return {
        (variable.storage, variable.location + number)
        for variable in module.variables.values()
        if variable.location is not None
        for number in range(variable.length * variable.columns)
    }
