"""Adreno A2xx as a target of the compiler: its facts, its options and calls into its rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from glslc_multi.backends.xenos_family.target import FamilyTarget
from glslc_multi.compiler.options import PROVE, Option

if TYPE_CHECKING:
    from glslc_multi.backends.adreno.codegen.generate import AdrenoGenerator
    from glslc_multi.backends.xenos_family.isa.program import Program
    from glslc_multi.compiler.artifact import Reflection
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.host_files import HostFile, HostProgram


_OPTIONS = (
    Option(
        "attributes",
        "separate",
        "the layout of vertices; separate: a buffer for each attribute; interleaved: one for all",
        ("separate", "interleaved"),
    ),
    Option("attribute_formats", "", "formats of attributes that are not floats: NAME=FORMAT,NAME=FORMAT"),
    PROVE,
)


class Adreno(FamilyTarget):
    """Adreno A200, A205 and A220."""

    name = "adreno"
    description = "Adreno A2xx (A200, A205, A220), vertex and fragment programs"
    suffix = ".a2xx"
    needs_map = True
    options = _OPTIONS
    host_forms: ClassVar[Mapping[str, str]] = {
        "freedreno": "C for libdrm's freedreno: packets with code, constants, vertex buffers, textures"
    }

    def code_generator(self, stage: str) -> type[AdrenoGenerator]:
        from glslc_multi.backends.adreno.codegen.generate import AdrenoGenerator

        return AdrenoGenerator

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from glslc_multi.backends.adreno.isa.asm import assemble
        from glslc_multi.backends.adreno.isa.container import pack

        return pack(assemble(text, filename, sink))

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from glslc_multi.backends.adreno.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def host_code(self, program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
        from glslc_multi.backends.adreno.host.freedreno import host_files

        return host_files(program)

    def instruction_sets(self) -> Mapping[str, str]:
        from glslc_multi.backends.adreno.isa.instructions import A2XX
        from glslc_multi.backends.xenos_family.isa.document import page

        return {self.name: page(A2XX, "Adreno A2xx")}

    def read_interface(self, data: bytes, filename: str, sink: DiagnosticSink) -> Reflection:
        from glslc_multi.backends.adreno.isa.container import unpack
        from glslc_multi.backends.xenos_family.machine.interface import reflection_of
        from glslc_multi.compiler.isa.container import unpacked

        return reflection_of(self.name, unpacked(unpack, data, filename, sink, self.name), {})

    def unpack(self, data: bytes) -> Program:
        return _unpack(data)


@lru_cache(maxsize=64)
def _unpack(data: bytes) -> Program:
    """Programs are kept for a while: the same one runs many times."""
    from glslc_multi.backends.adreno.isa.container import unpack

    return unpack(data)


TARGET = Adreno()
