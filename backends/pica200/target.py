"""The target: facts, options, and what the driver calls; the rooms `codegen/`, `isa/` and `machine/` do the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.backends.pica200.isa.fragment.combiners import LIGHTING_SOURCES
from glslc_multi.backends.pica200.isa.fragment.rounding import ROUNDINGS
from glslc_multi.backends.pica200.isa.textures import TEXTURES
from glslc_multi.backends.pica200.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.compiler.options import PROVE, Option, TargetOptions
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import GeometryTarget, MachineInputs, MachineOutputs, Precision

if TYPE_CHECKING:
    from glslc_multi.backends.pica200.codegen.fragment.generate import CombinerGenerator
    from glslc_multi.backends.pica200.codegen.generate import Pica200Generator
    from glslc_multi.compiler.arithmetic.lanes import Array
    from glslc_multi.compiler.artifact import Artifact, Location, Reflection
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.execution.machine_code import MachineCode
    from glslc_multi.compiler.host_files import HostFile, HostProgram
    from glslc_multi.compiler.isa.listing import CodeWord
    from glslc_multi.compiler.linking.match import LinkedPair
    from glslc_multi.compiler.passes.base import CostModel


class Pica200(GeometryTarget):
    """The vertex and geometry units of the Nintendo 3DS."""

    name = "pica200"
    description = "vertex and geometry shaders of a handheld console: vec4, 24-bit floats, .shbin"
    stages = ("vertex", "geometry", "fragment")
    program_stages = ("vertex", "fragment")
    machine_varyings = frozenset(LIGHTING_SOURCES)
    suffix = ".shbin"
    suffixes: ClassVar[Mapping[str, str]] = {"fragment": ".tev"}
    needs_map = False
    #: 16 bits of mantissa: 2^-17 an operation, some hundreds of them.
    precision = Precision(2e-3, 2e-3)
    #: Combiners take colours, not numbers: what they make of a varying is planned with both stages.
    known_varyings = frozenset()
    whole_numbers = WHOLE_NUMBERS
    located_spaces: ClassVar[Mapping[str, str]] = {"v": "attribute", "c": "uniform"}
    narrow_spaces = frozenset({"b"})
    passes: ClassVar[Mapping[str, str]] = {
        "pica200-apart": "glslc_multi.backends.pica200.codegen.rewrites.simplify:Apart",
        "pica200-bool-branches": "glslc_multi.backends.pica200.codegen.rewrites.bools:BranchOnBools",
        "pica200-bool-numbers": "glslc_multi.backends.pica200.codegen.rewrites.bools:BoolNumbers",
        "pica200-bounds": "glslc_multi.backends.pica200.codegen.rewrites.simplify:Bounds",
        "pica200-choices": "glslc_multi.backends.pica200.codegen.rewrites.choices:Choices",
        "pica200-constant-lanes": "glslc_multi.backends.pica200.codegen.rewrites.constant_lanes:ConstantLanes",
        "pica200-count-loops": "glslc_multi.backends.pica200.codegen.rewrites.loops:CountLoops",
        "pica200-defined": "glslc_multi.backends.pica200.codegen.rewrites.outputs:DefineComponents",
        "pica200-factor": "glslc_multi.backends.pica200.codegen.rewrites.simplify:Factor",
        "pica200-loop-exits": "glslc_multi.backends.pica200.codegen.rewrites.exits:SeparateExits",
        "pica200-plain-tests": "glslc_multi.backends.pica200.codegen.rewrites.bools:PlainTests",
        "pica200-position": "glslc_multi.backends.pica200.codegen.rewrites.outputs:WritePosition",
        "pica200-roots": "glslc_multi.backends.pica200.codegen.rewrites.simplify:Roots",
        "pica200-scaled-inputs": "glslc_multi.backends.pica200.codegen.rewrites.scaled_inputs:ScaleInputs",
        "pica200-scale": "glslc_multi.backends.pica200.codegen.rewrites.addresses:ScaleIndices",
        "pica200-shifted-products": "glslc_multi.backends.pica200.codegen.rewrites.shifted_products:ShiftedProducts",
        "pica200-split-tests": "glslc_multi.backends.pica200.codegen.rewrites.bools:SplitTests",
        "pica200-strip-indices": "glslc_multi.backends.pica200.codegen.rewrites.strips:CountIndices",
        "pica200-transposed-dots": "glslc_multi.backends.pica200.codegen.rewrites.transposed_dots:TransposedDots",
        "pica200-vertex-memory": "glslc_multi.backends.pica200.codegen.rewrites.vertex_memory:ReadVertexMemory",
    }
    driver_forms: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("pica_f32_words", "pica_f24_words", "pica_ranges", "pica_bools", "pica_colors"),
        "glslc_multi.backends.pica200.driver_forms",
    )
    host_forms: ClassVar[Mapping[str, str]] = {"citro3d": "C for libctru and citro3d, with rules of make"}
    textures = TEXTURES
    options = (
        Option("f32", False, "simulate with 32-bit floats, as emulators do"),
        Option("rounding", "azahar", "how combiners are taken to round: as an emulator, or as measured", ROUNDINGS),
        Option("ranges", "", "numbers that uniforms of a fragment shader lie in: NAME=LOW..HIGH,..."),
        Option("max_error", 32, "steps of 1/255 by which a fragment shader may differ"),
        Option("images", False, "let fragment shaders read functions of varyings from images that the host makes"),
        Option("outputs", "", "what the rasteriser takes varyings for: NAME=PROPERTY,..."),
        PROVE,
    )

    def costs(self, options: TargetOptions) -> CostModel:
        if options.stage == "fragment":
            from glslc_multi.backends.pica200.codegen.fragment.read.flatten import COSTS as PIXELS

            return PIXELS
        from glslc_multi.backends.pica200.codegen.costs import COSTS

        return COSTS

    def adapt_pair(self, pair: LinkedPair, options: TargetOptions, sink: DiagnosticSink) -> None:
        from glslc_multi.backends.pica200.codegen.fragment.link import adapt

        adapt(pair, options, sink)

    def code_generator(self, stage: str) -> type[CombinerGenerator] | type[Pica200Generator]:
        if stage == "fragment":
            from glslc_multi.backends.pica200.codegen.fragment.generate import CombinerGenerator

            return CombinerGenerator
        from glslc_multi.backends.pica200.codegen.generate import Pica200Generator

        return Pica200Generator

    def join(self, artifacts: Sequence[Artifact], sink: DiagnosticSink) -> bytes:
        """One file whose shaders share code memory and descriptors."""
        from glslc_multi.backends.pica200.codegen.executable import join

        return join(artifacts, sink)

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from glslc_multi.backends.pica200.isa.programs import assemble

        return assemble(text, filename, sink)

    def suffix_of_file(self, data: bytes) -> str:
        from glslc_multi.backends.pica200.isa.programs import is_of_registers

        return self.suffix_of("fragment" if is_of_registers(data) else "vertex")

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from glslc_multi.backends.pica200.isa.programs import disassemble

        return disassemble(data, filename, sink)

    def is_assembled(self, data: bytes) -> bool:
        from glslc_multi.backends.pica200.isa.programs import is_assembled

        return is_assembled(data)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from glslc_multi.backends.pica200.isa.programs import list_words

        return list_words(data)

    def list_dump(self, data: bytes, filename: str, sink: DiagnosticSink) -> list[CodeWord] | None:
        from glslc_multi.backends.pica200.isa.programs import is_of_registers, list_registers

        return list_registers(data, filename, sink) if is_of_registers(data) else None

    def instruction_sets(self) -> Mapping[str, str]:
        from glslc_multi.backends.pica200.isa.document import page
        from glslc_multi.backends.pica200.isa.fragment.document import page as fragment_page

        return {self.name: page(), f"{self.name}-fragment": fragment_page()}

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from glslc_multi.backends.pica200.machine.run import run

        return run(artifact, inputs, options)

    def machine_code(self, artifact: Artifact, options: Mapping[str, Any]) -> MachineCode | None:
        if artifact.reflection.stage == "fragment":
            from glslc_multi.backends.pica200.codegen.fragment.read.promises import limits_of
            from glslc_multi.backends.pica200.machine.fragment import code as pixels

            return replace(pixels.machine_code(artifact, options), limits=partial(limits_of, options))
        from glslc_multi.backends.pica200.machine.code import machine_code

        return machine_code(artifact)

    def select_shader(self, data: bytes, entry: str, stage: str | None, filename: str, sink: DiagnosticSink) -> bytes:
        from glslc_multi.backends.pica200.isa.container import unpack, write
        from glslc_multi.backends.pica200.isa.executables import choose, spell_executables
        from glslc_multi.backends.pica200.isa.programs import is_of_registers
        from glslc_multi.compiler.diagnostics.catalogue.machine import NO_EXECUTABLE
        from glslc_multi.compiler.isa.container import unpacked

        if is_of_registers(data):
            return super().select_shader(data, entry, stage, filename, sink)
        program = unpacked(unpack, data, filename, sink, self.name)
        if len(program.executables) == 1 and not entry:
            return data
        chosen = choose(program, entry, stage)
        if chosen is None:
            help = f"it has {spell_executables(program)}: name one with --entry, its stage with --stage"
            sink.report(NO_EXECUTABLE, filename=filename, wanted=entry or stage, help=help)
            sink.raise_if_errors()
        assert chosen is not None
        return write(chosen)

    def read_interface(self, data: bytes, filename: str, sink: DiagnosticSink) -> Reflection:
        from glslc_multi.backends.pica200.isa.programs import is_of_registers
        from glslc_multi.compiler.isa.container import unpacked

        if is_of_registers(data):
            from glslc_multi.backends.pica200.machine.fragment.artifact import configuration_of
            from glslc_multi.backends.pica200.machine.fragment.interface import reflection_of as reflection_of_pixels

            return reflection_of_pixels(unpacked(configuration_of, data, filename, sink, self.name))
        from glslc_multi.backends.pica200.isa.container import unpack
        from glslc_multi.backends.pica200.machine.interface import reflection_of

        return reflection_of(unpacked(unpack, data, filename, sink, self.name))

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from glslc_multi.backends.pica200.machine.run import translate

        return translate(artifact, options)

    def at_corners(self, space: str, corners: Array) -> Array:
        from glslc_multi.backends.pica200.machine.fragment.rasteriser import at_corners

        return at_corners(space, corners)

    def host_code(self, program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
        from glslc_multi.backends.pica200.host.citro3d import citro3d_files

        return citro3d_files(program, sink)

    def file_literals(self, artifact: Artifact) -> Iterable[tuple[Location, tuple[int, ...]]]:
        from glslc_multi.backends.pica200.driver_forms import file_literals

        return file_literals(artifact)


TARGET = Pica200()
