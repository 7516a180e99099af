"""Code generation for the fragment stage, its phases in order: an IR module to the registers of the combiners.

flatten -> wire textures and varyings -> walk (polynomials, host) -> alpha test -> search for stages -> registers,
preamble, register map
"""

from __future__ import annotations

from functools import partial
from math import ceil

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.fragment.build import Pixel
from backends.pica200.codegen.fragment.discard import NoTest, Test, plan_test
from backends.pica200.codegen.fragment.finalize import configuration_of, host_results
from backends.pica200.codegen.fragment.lighting.registers import LightingCode
from backends.pica200.codegen.fragment.plan import Plan, plan
from backends.pica200.codegen.fragment.problem import NoSolution, Problem, Solution
from backends.pica200.codegen.fragment.promises import is_opaque
from backends.pica200.codegen.fragment.reflect import reflect
from backends.pica200.codegen.fragment.refuse import refuse_discard
from backends.pica200.codegen.fragment.search import find_stages
from backends.pica200.codegen.fragment.unplaced import refuse_plain_parts, refuse_problem
from backends.pica200.isa.fragment.container import write
from backends.pica200.isa.fragment.encode import encode
from backends.pica200.isa.fragment.program import Configuration
from compiler.artifact import Artifact, Stats
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue.limits import COMBINER_INEXACT, COMBINER_ROUGH
from compiler.ir.module import Module
from compiler.options import TargetOptions

#: Steps of 1/255 by which a result may differ without a warning.
_ROUGH = 8


def generate(module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """The register writes of a fragment shader, with everything about them."""
    planned = plan(module, options, sink)
    refuse_plain_parts(planned.wiring, sink)
    test = _test(planned.pixel, is_opaque(module), sink)
    found = find_stages(Problem(planned.pixel.colour, test.alpha, errors=planned.errors))
    if isinstance(found, NoSolution):
        refuse_problem(planned, found, sink)
    _judge(found, int(options.values.get("max_error", 32)), planned, sink)
    return _artifact(planned, test, found)


def _test(pixel: Pixel, is_opaque: bool, sink: DiagnosticSink) -> Test:
    try:
        return plan_test(pixel.discard, None if is_opaque else pixel.alpha)
    except NoTest as failure:
        refuse_discard(pixel.discard_span, str(failure), sink)


def _judge(found: Solution, allowed: int, planned: Plan, sink: DiagnosticSink) -> None:
    """Say how exact the result is where it is far from it."""
    bound = f"{found.bound:.1f}"
    if found.bound > allowed:
        help = f"--max-error {ceil(found.bound)} allows it"
        sink.report(COMBINER_INEXACT, planned.pixel.colour_span, bound=bound, allowed=allowed, help=help)
        raise CompileError(sink.diagnostics)
    if found.bound > _ROUGH:
        sink.report(COMBINER_ROUGH, planned.pixel.colour_span, bound=bound, target=TARGET_NAME)


def _artifact(planned: Plan, test: Test, found: Solution) -> Artifact:
    module = planned.block.function.module
    lighting = planned.lighting or LightingCode()
    configuration = configuration_of(found, test, lighting)
    results = list(host_results(found, test))
    stages = len(found.stages)
    constants = sum(any(part is not None for part in stage.constant) for stage in found.stages)
    binary = write(encode(configuration))
    extra = {
        "texture_units": len(planned.wiring.units),
        "error_percent": ceil(100 * found.bound - 1e-9),
        "fewest": int(found.is_fewest),
    }
    return Artifact(
        binary,
        partial(_text, configuration),
        reflect(module, planned.wiring, results, lighting.bindings, stages),
        Stats(stages, len(binary) // 4, 0, constants, extra),
        preamble=planned.host.preamble(
            module, [*(result for result, _ in results), *lighting.results], lighting.host_tables
        ),
    )


def _text(configuration: Configuration) -> str:
    from backends.pica200.isa.fragment.text.disassemble import disassemble

    return disassemble(encode(configuration))
