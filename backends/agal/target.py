"""The target: facts, options, and what the driver calls; the rooms `codegen/`, `isa/` and `machine/` do the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.backends.agal.isa.registers import VERSIONS
from glslc_multi.backends.agal.isa.textures import TEXTURES
from glslc_multi.backends.agal.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.compiler.options import Option, TargetOptions
from glslc_multi.compiler.target import MachineInputs, MachineOutputs, Precision, Target

if TYPE_CHECKING:
    from glslc_multi.backends.agal.codegen.generate import AgalGenerator
    from glslc_multi.compiler.artifact import Artifact, Reflection, Stats
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.execution.machine_code import MachineCode
    from glslc_multi.compiler.host_files import HostFile, HostProgram
    from glslc_multi.compiler.isa.listing import CodeWord
    from glslc_multi.compiler.passes.base import CostModel


class AgalTarget(Target):
    """AGAL byte code, versions 1 to 3."""

    name = "agal"
    description = "AGAL byte code of Stage3D (Flash Player, AIR), versions 1 to 3"
    stages = ("vertex", "fragment")
    program_stages = ("vertex", "fragment")
    suffix = ".agalbin"
    needs_map = True
    precision = Precision(1e-5, 1e-5)
    whole_numbers = WHOLE_NUMBERS
    exact_outputs: ClassVar[Mapping[str, str]] = {"agal_point_size": "refuse"}
    located_spaces: ClassVar[Mapping[str, str]] = {"va": "attribute", "vc": "uniform", "fc": "uniform", "fs": "sampler"}
    passes: ClassVar[Mapping[str, str]] = {
        "agal-branches": "glslc_multi.backends.agal.codegen.rewrites.branches:LegalizeBranches",
        "agal-constant-matrices": "glslc_multi.backends.agal.codegen.rewrites.products:TurnConstants",
        "agal-factors": "glslc_multi.backends.agal.codegen.rewrites.products:Factor",
        "agal-idioms": "glslc_multi.backends.agal.codegen.rewrites.idioms:ExpandIdioms",
        "agal-indices": "glslc_multi.backends.agal.codegen.rewrites.indices:LowerIndices",
        "agal-joined-comparisons": "glslc_multi.backends.agal.codegen.rewrites.comparisons:JoinComparisons",
        "agal-joined-indices": "glslc_multi.backends.agal.codegen.rewrites.joined_indices:JoinIndices",
        "agal-no-points": "glslc_multi.backends.agal.codegen.rewrites.built_ins:DropPointSize",
        "agal-selects": "glslc_multi.backends.agal.codegen.rewrites.selects:LowerSelects",
        "agal-shared-varyings": "glslc_multi.backends.agal.codegen.rewrites.shared_varyings:ShareRegisters",
        "agal-sides": "glslc_multi.backends.agal.codegen.rewrites.built_ins:TakeSideFromHost",
        "agal-signs": "glslc_multi.backends.agal.codegen.rewrites.signs:FoldSigns",
        "agal-joined-rows": "glslc_multi.backends.agal.codegen.rewrites.products:JoinRows",
        "agal-whole-matrices": "glslc_multi.backends.agal.codegen.rewrites.products:CompleteProducts",
        "agal-wide-attributes": "glslc_multi.backends.agal.codegen.rewrites.idioms:WidenAttributes",
        "agal-widths": "glslc_multi.backends.agal.codegen.rewrites.idioms:ExpandByWidth",
        "agal-window": "glslc_multi.backends.agal.codegen.rewrites.built_ins:PassWindow",
    }
    driver_forms: ClassVar[Mapping[str, str]] = {"agal_vectors": "glslc_multi.backends.agal.driver_forms"}
    host_forms: ClassVar[Mapping[str, str]] = {
        "as3": "a class of ActionScript 3, for Flash and AIR",
        "haxe": "a class of Haxe, for OpenFL and for Flash",
        "as3-text": "as3 with AGAL as text, which AGALMiniAssembler assembles",
        "haxe-text": "haxe with AGAL as text, for OpenFL's AGALMiniAssembler",
        "starling-filter": "a FilterEffect of Starling 2, and its FragmentFilter",
        "starling-mesh": "a MeshEffect of Starling 2, and its MeshStyle",
    }
    #: Roles of inputs that few targets have (`compiler/lowering/interface/rare_inputs.py`).
    rare_inputs = frozenset({"instance_id"})
    textures = TEXTURES
    options = (
        Option("agal_version", 1, "version of the byte code", choices=VERSIONS),
        Option("agal_loop_limit", 0, "most rounds of loops that nothing bounds, after which they end; 0 refuses them"),
        Option("agal_clip_z", False, "bring the depth of positions from OpenGL's -w...w to Stage3D's 0...w"),
        Option("agal_pack_literals", False, "let literals use components that uniforms leave free"),
        Option(
            "agal_compat",
            "",
            "who must take the code, at any cost: air, baselineConstrained, openfl, ruffle; commas between",
        ),
        Option(
            "agal_point_size",
            "drop",
            "what becomes of gl_PointSize, for which Stage3D has nothing",
            choices=("drop", "refuse"),
        ),
        Option("agal_samplers", "", "how samplers read their textures: 'u_map: nearest, clamp; u_sky: miplinear'"),
        Option(
            "agal_host_samplers", False, "take filter, mip and wrap from Context3D.setSamplerStateAt (versions 2, 3)"
        ),
    )

    def costs(self, options: TargetOptions) -> CostModel:
        from glslc_multi.backends.agal.codegen.costs import costs_of, version_of

        return costs_of(version_of(options))

    def code_generator(self, stage: str) -> type[AgalGenerator]:
        from glslc_multi.backends.agal.codegen.generate import AgalGenerator

        return AgalGenerator

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from glslc_multi.backends.agal.isa.asm import assemble
        from glslc_multi.backends.agal.isa.container import pack
        from glslc_multi.backends.agal.isa.validate import report, validate

        program = assemble(text, filename, sink)
        data = pack(program)
        report(validate(data), sink, program.spans)
        return data

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from glslc_multi.backends.agal.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from glslc_multi.backends.agal.isa.listing import list_words

        return list_words(data)

    def instruction_sets(self) -> Mapping[str, str]:
        from glslc_multi.backends.agal.isa.document import page

        return {self.name: page()}

    def host_code(self, program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
        from glslc_multi.backends.agal.host.forms import host_code

        return host_code(program, form, sink)

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from glslc_multi.backends.agal.machine.run import run

        return run(artifact, inputs, options)

    def machine_code(self, artifact: Artifact, options: Mapping[str, Any]) -> MachineCode | None:
        from glslc_multi.backends.agal.machine.code import machine_code

        return machine_code(artifact, depth_from_zero=bool(options.get("agal_clip_z")))

    def read_interface(self, data: bytes, filename: str, sink: DiagnosticSink) -> Reflection:
        from glslc_multi.backends.agal.isa.container import unpack
        from glslc_multi.backends.agal.isa.validate import report, validate
        from glslc_multi.backends.agal.machine.interface import reflection_of
        from glslc_multi.compiler.isa.container import unpacked

        program = unpacked(unpack, data, filename, sink, self.name)
        report(validate(data), sink)
        sink.raise_if_errors()
        return reflection_of(program)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from glslc_multi.backends.agal.machine.run import translate

        return translate(artifact, options)

    def size(self, stats: Stats) -> int:
        return stats.instructions


TARGET = AgalTarget()
