"""A shader as GLSL again, or as SPIR-V: optimised, read back, and compared with what it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from glslc_multi.backends.glsl.dialects import DIALECTS
from glslc_multi.backends.glsl.identifiers import name_by_identifiers
from glslc_multi.backends.glsl.write import COSTS, Written
from glslc_multi.backends.glsl.write import write_module as write_glsl
from glslc_multi.backends.spirv.environments import Environment
from glslc_multi.backends.spirv.write import seen_from_below
from glslc_multi.backends.spirv.write import write_module as write_spirv
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.driver import lower_prepared, lower_source, optimise, prepare, snapshot_for_proof
from glslc_multi.compiler.frontend import FrontEndOptions, Prepared, Source
from glslc_multi.compiler.ir.blocks import UniformBlock
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.proof.effort import EFFORTS
from glslc_multi.compiler.proof.modules import prove_module
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.spirv.binary import write_binary
from glslc_multi.compiler.spirv.code import Code
from glslc_multi.editor.words import all_word_classes
from glslc_multi.frontends.registry import make_source

_ES_100, _ES_300 = 100, 300
#: From here on desktop GLSL has `in` and `out`.
_IN_AND_OUT = 130
#: What the result is called when it is read back.
_FILES = {"vertex": "optimised.vert", "geometry": "optimised.geom", "fragment": "optimised.frag"}
_SPIRV_FILE = "optimised.spv"
_ELEMENT = re.compile(r"(\w+)\[(\d+)\]")


def rewrite(source: Source, request: Request, version: str, sink: DiagnosticSink) -> str:
    """Return a shader as an optimised text in a version of GLSL; "" is the one nearest to its own."""
    return rewritten(source, request, version, sink).text


def rewritten(source: Source, request: Request, version: str, sink: DiagnosticSink) -> Written:
    """Return the same, and what each line was made of."""
    prepared = prepare(source, request.front_end, sink)
    module = _lower(prepared, sink)
    dialect = DIALECTS[version or nearest_version(source.front_end.version_of(prepared))]
    before = snapshot_for_proof(module, request)
    module = optimise(module, request.optimisation, precise=request.precise, costs=COSTS)
    written = write_glsl(module, dialect, sink, all_word_classes())
    if before is not None:
        again = make_source(written.text, _FILES[module.stage], module.stage)
        _require_same(before, module.blocks, again, written.renamed, f"GLSL {dialect.version}", request.proof, sink)
    return written


def rewrite_as_spirv(source: Source, request: Request, environment: Environment, sink: DiagnosticSink) -> Code:
    """Return a shader as an optimised module of SPIR-V for an environment."""
    module = _lower(prepare(source, request.front_end, sink), sink)
    before = snapshot_for_proof(module, request)
    module = optimise(module, request.optimisation, precise=request.precise, costs=COSTS)
    code = write_spirv(module, environment, sink)
    if before is not None:
        again = make_source(write_binary(seen_from_below(code)), _SPIRV_FILE, module.stage)
        _require_same(before, module.blocks, again, {}, f"SPIR-V for {environment.name}", request.proof, sink)
    return code


def nearest_version(number: int) -> str:
    """Return the version to write for a source of a version of GLSL, or of another language (0)."""
    if number == _ES_100:
        return "100"
    return "300es" if number in (0, _ES_300) else "120" if number < _IN_AND_OUT else "330"


def _lower(prepared: Prepared, sink: DiagnosticSink) -> Module:
    """Lower a shader; its names become identifiers."""
    module = lower_prepared(prepared, sink)
    name_by_identifiers(module)
    return module


def _require_same(
    before: Snapshot,
    blocks: Sequence[UniformBlock],
    again: Source,
    renamed: Mapping[str, str],
    target: str,
    proof: str,
    sink: DiagnosticSink,
) -> None:
    """Report where what was written, as its front end reads it, computes something else than a module."""
    try:
        own = lower_source(again, FrontEndOptions(), DiagnosticSink())
    except CompileError as error:
        # Such as a name that only the other version reserves.
        refused = f"it would be refused: {error.diagnostics[0].message}"
        sink.report(NOT_EXPRESSIBLE, target=target, construct="this shader", help=refused)
        raise CompileError(sink.diagnostics) from None
    difference = next((d for block in blocks for d in _layout_differences(block, own)), "")
    if difference:
        sink.report(NOT_EXPRESSIBLE, target=target, construct=f"the layout of {difference}")
        raise CompileError(sink.diagnostics)
    for variable in before.module.variables.values():
        uniform = own.find_variable(variable.name)
        if variable.type.kind == "bool" and uniform is not None:
            # In SPIR-V hosts give bools as numbers.
            uniform.source_kind = "bool"
    after = Snapshot(own)
    outputs = {each.name: _place_of(each, after.module, renamed) for each in before.module.outputs()}
    effort = EFFORTS[proof]
    verdict = prove_module(before, after, outputs, effort.draws, effort.steps)
    if verdict.outcome == "differs":
        sink.report(
            usage.PROOF_FAILED,
            help="please report what `glslc-multi reduce` makes of it; --proof=off gives out the result all the same",
            target=target,
            what=verdict.reason,
        )
        raise CompileError(sink.diagnostics)


def _layout_differences(block: UniformBlock, own: Module) -> Iterator[str]:
    """List the members of a block that lie elsewhere in the text's; where drivers lay it out, nobody knows."""
    left = {member.name: member for each in own.blocks for member in each.members}
    if block.packing not in ("shared", "packed"):
        for member in block.members:
            other = left.get(member.name)
            if other is None or replace(other, type=member.type) != member:
                yield f"'{member.name}'"


def _place_of(variable: Variable, own: Module, renamed: Mapping[str, str]) -> tuple[Variable | None, int]:
    """Return the output of the text that is an output of the source, and the number of its first element."""
    name = renamed.get(variable.name, variable.name)
    match = _ELEMENT.fullmatch(name)
    if match is not None:
        return own.find_variable(match[1]), int(match[2])
    return own.find_variable(name), 0
