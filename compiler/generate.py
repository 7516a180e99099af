"""Code generation as the driver asks for it: the module readied for a target, its code, and what hosts want to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from glslc_multi.compiler.analysis.budget import budgeted
from glslc_multi.compiler.artifact import Artifact, Reflection
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.declarations import first_values
from glslc_multi.compiler.lowering.interface.rare_inputs import lower_rare_inputs
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.preamble import take_preamble
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.verification import verifying

if TYPE_CHECKING:
    from glslc_multi.compiler.analysis.trips import CountedLoop
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.target import Target


def generate_code(target: Target, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Ready a module for the target after the passes, and make its machine code."""
    interpolation = {v.name: v.interpolation for v in module.interface() if v.interpolation}
    preamble = take_preamble(module)
    if module.stage == "fragment":
        from glslc_multi.compiler.lowering.interface.colours import widen_colours

        widen_colours(module)
        if not target.has_flat_varyings:
            from glslc_multi.compiler.lowering.interface.flat import interpolate_flat

            interpolate_flat(module, target.name, sink)
    lower_rare_inputs(module, target.name, target.rare_inputs, sink)
    demands = _lower_lookups(target, module, sink)
    loops: tuple[CountedLoop, ...] = ()
    if len(module.main.blocks) > 1:
        from glslc_multi.compiler.analysis.trips import counted_loops

        loops = counted_loops(module.main)
    with budgeted(), verifying(options.verify_each):
        artifact = target.code_generator(module.stage)(module, target.costs(options), options).generate(sink)
    sink.raise_if_errors()
    preamble = artifact.preamble or preamble
    if preamble is not None:
        # Their initializers are what a host begins with.
        preamble.declarations = module.declarations
    return replace(
        artifact,
        preamble=preamble,
        loops=loops,
        reflection=_completed(artifact.reflection, module, interpolation, demands),
    )


def _completed(
    reflection: Reflection,
    module: Module,
    interpolation: Mapping[str, str],
    demands: Mapping[str, bool | int | str],
) -> Reflection:
    """Complete a register map with what hosts want to know of the source beside registers."""
    if demands:
        reflection = replace(reflection, host_state={**(reflection.host_state or {}), **demands})
    if module.blocks or interpolation:
        reflection = replace(reflection, blocks=tuple(module.blocks), interpolation=interpolation)
    defaults = first_values(module.declarations)
    if any(uniform.name in defaults for uniform in reflection.uniforms):
        uniforms = (replace(u, default=defaults.get(u.name)) for u in reflection.uniforms)
        reflection = replace(reflection, uniforms=tuple(uniforms))
    return reflection


def _lower_lookups(target: Target, module: Module, sink: DiagnosticSink) -> dict[str, bool | int | str]:
    """Lower texture lookups to those of the machine; return what that demands of the textures."""
    if not any(variable.type.is_sampler for variable in module.variables.values()):
        return {}
    from glslc_multi.compiler.lowering.interface.depth_comparisons import COMPARISON, compare_depths
    from glslc_multi.compiler.lowering.interface.lookups import refuse_lookups
    from glslc_multi.compiler.lowering.interface.texture_rows import look_up_rows
    from glslc_multi.compiler.lowering.interface.texture_sizes import LowerTextureSizes, demands
    from glslc_multi.compiler.passes.base import PassContext
    from glslc_multi.compiler.passes.runner import run_pipeline

    refuse_lookups(module, target.name, target.textures, sink)
    if target.textures.images:
        run_pipeline(module, (LowerTextureSizes(levels="lod" in target.textures.modes),), PassContext())
    demanded = demands(module)
    for name in compare_depths(module):
        demanded |= {f"{name}.compare": COMPARISON, f"{name}.filter": "nearest"}
    return demanded | {f"{name}.height": 1 for name in look_up_rows(module)}
