"""THEIA as a target of the compiler: its facts, its options and calls into its rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.backends.theia.isa.conventions import TARGET_NAME
from glslc_multi.backends.theia.isa.registers import VARIANTS
from glslc_multi.backends.theia.isa.textures import TEXTURES
from glslc_multi.backends.theia.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.compiler.options import Option, TargetOptions
from glslc_multi.compiler.target import MachineInputs, MachineOutputs, Precision, Target

if TYPE_CHECKING:
    from glslc_multi.backends.theia.codegen.generate import TheiaGenerator
    from glslc_multi.compiler.arithmetic.lanes import Array
    from glslc_multi.compiler.artifact import Artifact, Reflection
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.execution.machine_code import MachineCode
    from glslc_multi.compiler.host_files import HostFile, HostProgram
    from glslc_multi.compiler.isa.listing import CodeWord
    from glslc_multi.compiler.passes.base import CostModel

_OPTIONS = (
    Option("variant", "trunk", "the hardware: the main line, the last 1.x branch, or the one of the manual", VARIANTS),
    Option(
        "output",
        "screen",
        "screen: channels are kept from falling below 0; raw: all four as they are",
        ("screen", "raw"),
    ),
    Option("wrap", "repeat", "what coordinates beyond a texture's edges do", ("repeat", "clamp")),
    Option("filter", "nearest", "how many texels a lookup mixes: one, or four", ("nearest", "linear")),
    Option("saturate", False, "keep values that may leave the machine's range at its ends, instead of a warning"),
    Option("pin", "", "uniforms that stay in constant registers of their own, such as u_tint=C1"),
    Option("range", "", "the range of inputs, such as u_height=0:100 (default: -32 to 32, lowp -2 to 2)"),
    Option("bind", "", "names bound to values of the scene, such as v_uv=TexCoord,v_normal=Normal"),
)


class Theia(Target):
    """theia_gpu 1.x of OpenCores."""

    name = TARGET_NAME
    description = "ray tracing GPU of OpenCores (theia_gpu 1.x), pixel shaders in fixed point"
    stages = ("fragment",)
    program_stages = ("fragment",)
    suffix = ".mem"
    needs_map = True
    #: 17 fraction bits: 2^-18 an operation, some hundreds of them, and more where quotients are large.
    precision = Precision(4e-3, 4e-3, largest=16384.0)
    whole_numbers = WHOLE_NUMBERS
    filters_textures = False
    has_alpha = False
    exact_outputs: ClassVar[Mapping[str, str]] = {"output": "raw"}
    narrow_spaces = frozenset({"code"})
    passes: ClassVar[Mapping[str, str]] = {
        "theia-elementary": "glslc_multi.backends.theia.codegen.rewrites.elementary:LowerElementary",
        "theia-factor-order": "glslc_multi.backends.theia.codegen.rewrites.overflow:OrderFactors",
        "theia-guarded-lookups": "glslc_multi.backends.theia.codegen.rewrites.lookup_places:GuardLookups",
        "theia-lookups": "glslc_multi.backends.theia.codegen.rewrites.lookups:LowerLookups",
        "theia-no-alpha": "glslc_multi.backends.theia.codegen.rewrites.unread:ForgetAlpha",
        "theia-reroll": "glslc_multi.backends.theia.codegen.rewrites.reroll:RerollFunctions",
        "theia-roots": "glslc_multi.backends.theia.codegen.rewrites.elementary:SplitRoots",
        "theia-saturate": "glslc_multi.backends.theia.codegen.rewrites.overflow:KeepInRange",
        "theia-scene": "glslc_multi.backends.theia.codegen.rewrites.scene_inputs:ExpandSceneInputs",
        "theia-unread-results": "glslc_multi.backends.theia.codegen.rewrites.unread:DropUnreadResults",
    }
    driver_forms: ClassVar[Mapping[str, str]] = {"theia_instructions": "glslc_multi.backends.theia.driver_forms"}
    host_forms: ClassVar[Mapping[str, str]] = {
        "bench": "a Python program that writes the files of the hardware's test bench: code, parameters, scene, texture"
    }
    options = _OPTIONS
    textures = TEXTURES

    def costs(self, options: TargetOptions) -> CostModel:
        from glslc_multi.backends.theia.codegen.costs import COSTS

        return COSTS

    def code_generator(self, stage: str) -> type[TheiaGenerator]:
        from glslc_multi.backends.theia.codegen.generate import TheiaGenerator

        return TheiaGenerator

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from glslc_multi.backends.theia.isa.asm import assemble
        from glslc_multi.backends.theia.isa.container import pack

        return pack(assemble(text, filename, sink))

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from glslc_multi.backends.theia.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def machine_code(self, artifact: Artifact, options: Mapping[str, Any]) -> MachineCode | None:
        from glslc_multi.backends.theia.machine.code import machine_code

        return machine_code(artifact, options)

    def read_interface(self, data: bytes, filename: str, sink: DiagnosticSink) -> Reflection:
        from glslc_multi.backends.theia.isa.container import unpack
        from glslc_multi.backends.theia.machine.interface import reflection_of
        from glslc_multi.compiler.isa.container import unpacked

        return reflection_of(unpacked(unpack, data, filename, sink, self.name))

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from glslc_multi.backends.theia.isa.listing import list_words

        return list_words(data, options.get("variant", "trunk"))

    def instruction_sets(self) -> Mapping[str, str]:
        from glslc_multi.backends.theia.isa.document import page

        return {self.name: page()}

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from glslc_multi.backends.theia.machine.run import run

        return run(artifact, inputs, options)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from glslc_multi.backends.theia.machine.run import translate

        return translate(artifact, options)

    def host_code(self, program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
        from glslc_multi.backends.theia.host.bench import host_files

        return host_files(program, sink)

    def uniform_words(self, numbers: Array) -> Array:
        from glslc_multi.backends.theia.driver_forms import uniform_words

        return uniform_words(numbers)


TARGET = Theia()
