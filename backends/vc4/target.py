"""VC4 as a target of the compiler: its options, and calls into the rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.backends.vc4.codegen.blending import BLENDS
from glslc_multi.backends.vc4.isa.textures import TEXTURES
from glslc_multi.compiler.options import PROVE, Option, TargetOptions
from glslc_multi.compiler.target import MachineInputs, MachineOutputs, Precision, Target

if TYPE_CHECKING:
    from glslc_multi.backends.vc4.codegen.generate import Vc4Generator
    from glslc_multi.compiler.artifact import Artifact, Reflection
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.execution.machine_code import MachineCode
    from glslc_multi.compiler.host_files import HostFile, HostProgram
    from glslc_multi.compiler.isa.listing import CodeWord
    from glslc_multi.compiler.passes.base import CostModel

_OPTIONS = (
    Option("depth", False, "fragment shaders write each pixel's depth, also where it is not their own"),
    Option(
        "primitive",
        "triangles",
        "what is drawn; points have a size and a position inside",
        ("triangles", "lines", "points"),
    ),
    Option(
        "threaded",
        True,
        "fragment shaders that look textures up run as two threads, where half of the registers is enough and that is "
        "faster by the estimate of `cycles`",
    ),
    Option(
        "functions",
        "needed",
        "what computes functions of highp numbers: needed: the special function unit, with its 13 bits, where that "
        "changes a pixel by at most a quarter of a byte's step before it is rounded; precise: 16 bits or more; "
        "fast: the unit for all powers and logarithms",
        ("needed", "precise", "fast"),
    ),
    Option("blend", "none", "how the shader's colour is mixed with that in the tile buffer", tuple(BLENDS)),
    Option(
        "output",
        "rgba8",
        "rgba8: pixels and texels of four bytes, red in the lowest; raw: of floats, one access a channel, for tests",
        ("rgba8", "raw"),
    ),
    PROVE,
)


class Vc4(Target):
    """The QPUs of VideoCore IV."""

    name = "vc4"
    description = "VideoCore IV (Raspberry Pi 1 to 3), vertex, coordinate and fragment programs"
    stages = ("vertex", "coordinate", "fragment")
    program_stages = ("vertex", "coordinate", "fragment")
    #: The stage in whose results the position of a vertex can be read.
    position_stage = "coordinate"
    suffix = ".vc4"
    needs_map = True
    #: Quotients and roots from tables with one Newton step.
    precision = Precision(1e-4, 1e-4)
    known_varyings = frozenset({"constants", "copies", "uniforms", "components"})
    has_flat_varyings = True
    exact_outputs: ClassVar[Mapping[str, str]] = {"output": "raw"}
    narrow_spaces = frozenset({"stream", "buffer"})
    passes: ClassVar[Mapping[str, str]] = {
        "vc4-accuracy": "glslc_multi.backends.vc4.codegen.options:ChooseAccuracy",
        "vc4-directions": "glslc_multi.backends.vc4.codegen.directions:NormaliseDirections",
        "vc4-integers": "glslc_multi.backends.vc4.codegen.integers:LowerIntegers",
        "vc4-linearise": "glslc_multi.backends.vc4.codegen.linearise:Linearise",
        "vc4-no-varyings": "glslc_multi.backends.vc4.codegen.options:DropVaryings",
        "vc4-order": "glslc_multi.backends.vc4.codegen.order:OrderForRegisters",
        "vc4-signs": "glslc_multi.backends.vc4.codegen.signs:SinkSigns",
    }
    driver_forms: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("vc4_stream", "vc4_words", "vc4_relocations", "Vc4Viewport", "Vc4Texture"),
        "glslc_multi.backends.vc4.driver_forms",
    )
    host_forms: ClassVar[Mapping[str, str]] = {
        "drm": "C for the Linux kernel's driver: shader record, streams, control list, submission",
        "bare": "C without a kernel: the same and the renderer's list, with bus addresses, and the registers",
        "rpi-vk-driver": "C for that Vulkan driver: code, its text, a mapping for each stream word, push constants",
    }
    options = _OPTIONS
    textures = TEXTURES

    def costs(self, options: TargetOptions) -> CostModel:
        from glslc_multi.backends.vc4.codegen.costs import cost_model

        return cost_model()

    def code_generator(self, stage: str) -> type[Vc4Generator]:
        from glslc_multi.backends.vc4.codegen.generate import Vc4Generator

        return Vc4Generator

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from glslc_multi.backends.vc4.isa.asm import assemble
        from glslc_multi.backends.vc4.isa.container import pack

        return pack(assemble(text, filename, sink))

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from glslc_multi.backends.vc4.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def machine_code(self, artifact: Artifact, options: Mapping[str, Any]) -> MachineCode | None:
        from glslc_multi.backends.vc4.machine.code import machine_code

        return machine_code(artifact)

    def read_interface(self, data: bytes, filename: str, sink: DiagnosticSink) -> Reflection | None:
        from glslc_multi.backends.vc4.isa.container import unpack
        from glslc_multi.backends.vc4.machine.interface import reflection_of
        from glslc_multi.compiler.isa.container import unpacked

        return reflection_of(unpacked(unpack, data, filename, sink, self.name).words)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from glslc_multi.backends.vc4.isa.listing import list_words

        return list_words(data)

    def lookups(self, artifact: Artifact, words: Sequence[CodeWord]) -> Mapping[int, Sequence[str]]:
        from glslc_multi.backends.vc4.codegen.reflect import lookups

        return lookups(artifact)

    def instruction_sets(self) -> Mapping[str, str]:
        from glslc_multi.backends.vc4.isa.document import page

        return {self.name: page()}

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from glslc_multi.backends.vc4.machine.run import run

        return run(artifact, inputs, options)

    def host_code(self, program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
        from glslc_multi.backends.vc4.host.forms import host_code

        return host_code(program, form, sink)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from glslc_multi.backends.vc4.machine.run import translate

        return translate(artifact, options)


TARGET = Vc4()
