"""What the targets of the family have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.backends.xenos_family.isa.textures import TEXTURES
from glslc_multi.backends.xenos_family.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.target import MachineInputs, MachineOutputs, Precision, Target

if TYPE_CHECKING:
    from glslc_multi.backends.xenos_family.isa.program import Program
    from glslc_multi.compiler.artifact import Artifact, Stats
    from glslc_multi.compiler.execution.machine_code import MachineCode
    from glslc_multi.compiler.isa.listing import CodeWord
    from glslc_multi.compiler.passes.base import CostModel


class FamilyTarget(Target):
    """A machine of the family."""

    stages = ("vertex", "fragment")
    program_stages = ("vertex", "fragment")
    precision = Precision(1e-5, 1e-5)
    known_varyings = frozenset({"constants", "copies", "uniforms"})
    whole_numbers = WHOLE_NUMBERS
    located_spaces: ClassVar[Mapping[str, str]] = {"fetch": "attribute", "C": "uniform"}
    narrow_spaces = frozenset({"loop"})
    textures = TEXTURES
    passes: ClassVar[Mapping[str, str]] = {
        "xenos-family-addends": "glslc_multi.backends.xenos_family.codegen.rewrites.reassociate:AbsorbAddends",
        "xenos-family-angles": "glslc_multi.backends.xenos_family.codegen.legalize:ReduceAngles",
        "xenos-family-depth": "glslc_multi.backends.xenos_family.codegen.rewrites.frag_coord:PassDepth",
        "xenos-family-loops": "glslc_multi.backends.xenos_family.codegen.rewrites.hardware_loops:CountLoops",
        "xenos-family-offsets": "glslc_multi.backends.xenos_family.codegen.rewrites.join_offsets:JoinOffsets",
    }

    @abstractmethod
    def unpack(self, data: bytes) -> Program:
        """The program in a file; raises `BadContainer`."""

    def costs(self, options: TargetOptions) -> CostModel:
        from glslc_multi.backends.xenos_family.codegen.costs import FAST, SMALL

        return SMALL if options.small else FAST

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from glslc_multi.backends.xenos_family.isa.listing import list_words

        return list_words(self.unpack(data))

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from glslc_multi.backends.xenos_family.machine.run import run

        return run(self.unpack(artifact.binary), artifact, inputs)

    def machine_code(self, artifact: Artifact, options: Mapping[str, Any]) -> MachineCode:
        from glslc_multi.backends.xenos_family.machine.code import machine_code

        return machine_code(self.unpack(artifact.binary), artifact)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from glslc_multi.backends.xenos_family.machine.run import translate

        return translate(self.unpack(artifact.binary), artifact)

    def host_numbers(self, artifact: Artifact) -> Mapping[str, int | Sequence[Mapping[str, int]]]:
        from glslc_multi.backends.xenos_family.codegen.reflect import host_numbers

        return host_numbers(artifact)

    def size(self, stats: Stats) -> int:
        return (stats.extra or {})["slots96"]
