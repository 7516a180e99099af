"""Xenos as a target of the compiler: its facts, its options and calls into its rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.backends.xenos_family.target import FamilyTarget
from glslc_multi.compiler.options import PROVE, Option
from glslc_multi.compiler.records import replace

if TYPE_CHECKING:
    from glslc_multi.backends.xenos.codegen.generate import XenosGenerator
    from glslc_multi.backends.xenos_family.isa.program import Program
    from glslc_multi.compiler.artifact import Artifact, Reflection
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.execution.machine_code import MachineCode
    from glslc_multi.compiler.host_files import HostFile, HostProgram


_OPTIONS = (
    Option("xenos_clip_z", False, "bring the depth of positions from OpenGL's -w...w to the chip's 0...w"),
    Option(
        "xenos_lower_left",
        False,
        "count gl_FragCoord.y and dFdy from the lower edge of the window, as OpenGL does: a uniform has its height",
    ),
    Option("usages", "", "by what the host finds attributes: NAME=USAGE,NAME=USAGE, with an index behind the usage"),
    PROVE,
)


class Xenos(FamilyTarget):
    """The GPU of the Xbox 360."""

    name = "xenos"
    description = "Xenos (Xbox 360 with libxenon), vertex and fragment programs"
    suffix = ".vsu"
    suffixes: ClassVar[Mapping[str, str]] = {"fragment": ".psu"}
    needs_map = True
    options = _OPTIONS
    passes: ClassVar[Mapping[str, str]] = {
        **FamilyTarget.passes,
        "xenos-lower-left": "glslc_multi.backends.xenos.codegen.window:CountFromBelow",
    }
    host_forms: ClassVar[Mapping[str, str]] = {"libxenon": "C for libxenon: loading, uniforms, textures, vertices"}

    def code_generator(self, stage: str) -> type[XenosGenerator]:
        from glslc_multi.backends.xenos.codegen.generate import XenosGenerator

        return XenosGenerator

    def machine_code(self, artifact: Artifact, options: Mapping[str, Any]) -> MachineCode:
        return replace(super().machine_code(artifact, options), depth_from_zero=bool(options.get("xenos_clip_z")))

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from glslc_multi.backends.xenos.isa.asm import assemble_file
        from glslc_multi.backends.xenos.isa.container import write

        return write(assemble_file(text, filename, sink))

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from glslc_multi.backends.xenos.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def host_code(self, program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
        from glslc_multi.backends.xenos.host.libxenon import host_files

        return host_files(program, sink)

    def instruction_sets(self) -> Mapping[str, str]:
        from glslc_multi.backends.xenos.isa.instructions import XENOS
        from glslc_multi.backends.xenos_family.isa.document import page

        return {self.name: page(XENOS, "Xenos")}

    def read_interface(self, data: bytes, filename: str, sink: DiagnosticSink) -> Reflection:
        from glslc_multi.backends.xenos.isa.container import read
        from glslc_multi.backends.xenos.isa.files import literals_of, names_of
        from glslc_multi.backends.xenos_family.machine.interface import reflection_of
        from glslc_multi.compiler.isa.container import unpacked

        file = unpacked(read, data, filename, sink, self.name)
        program = unpacked(self.unpack, data, filename, sink, self.name)
        return reflection_of(self.name, program, names_of(file), literals_of(file))

    def unpack(self, data: bytes) -> Program:
        return _unpack(data)


@lru_cache(maxsize=64)
def _unpack(data: bytes) -> Program:
    """Programs are kept for a while: the same one runs many times."""
    from glslc_multi.backends.xenos.isa.instructions import XENOS
    from glslc_multi.backends.xenos_family.isa.container import unpack

    return unpack(XENOS, data)


TARGET = Xenos()
