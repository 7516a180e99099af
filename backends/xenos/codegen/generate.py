"""Code for Xenos: what libxenon expects of programs."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import partial

from glslc_multi.backends.xenos.codegen.vertex_layout import ATTRIBUTES, VERTEX_CONSTANT, lay_out_vertices
from glslc_multi.backends.xenos.codegen.window import CountFromBelow, window_height
from glslc_multi.backends.xenos.isa.container import Element, File, write
from glslc_multi.backends.xenos.isa.files import FIRST_LOOP_WORD, fragment_file, vertex_file
from glslc_multi.backends.xenos.isa.formats import CUBE
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos.isa.usages import USAGES
from glslc_multi.backends.xenos_family.codegen.abi import Interface
from glslc_multi.backends.xenos_family.codegen.conventions import Conventions
from glslc_multi.backends.xenos_family.codegen.generate import Code, FamilyGenerator, Packed
from glslc_multi.backends.xenos_family.codegen.reflect import vertex_fetches
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import CONSTANTS, DEPTH, LOOP_CONSTANTS, LOWER_LEFT, WINDOW_ORIGIN
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.clip_depth import bring_depth_above_zero
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import replace

_LOOPS = LOOP_CONSTANTS // 2
#: The first constant of a stage among those of the chip; loop constants are numbered for both stages at once.
_FIRST_CONSTANT = {"vertex": 0, "fragment": CONSTANTS}
#: Vertex constants are thirds of fetch constants; that of the vertices has the last two dwords.
_SAMPLERS = VERTEX_CONSTANT // 3

CONVENTIONS = Conventions(
    isa=XENOS,
    constant_limits={"vertex": CONSTANTS, "fragment": CONSTANTS},
    attribute_limit=ATTRIBUTES,
    sampler_limit=_SAMPLERS,
    lay_out_vertices=lay_out_vertices,
    alone_has_all_loops=False,
    loops={"vertex": range(_LOOPS), "fragment": range(_LOOPS, LOOP_CONSTANTS)},
    counts_exports=False,
    depth_export=DEPTH,
    has_viewport=False,
    cube_fields={"dimension": CUBE},
)


class XenosGenerator(FamilyGenerator):
    """Makes files that libxenon loads."""

    target = "xenos"
    conventions = CONVENTIONS
    host_state: Mapping[str, bool | int | str] = {}
    #: Uniforms that the shader has only here.
    heights: tuple[Variable, ...] = ()

    def prepare(self, sink: DiagnosticSink) -> None:
        module, values = self.module, self.options.values
        if self.stage == "vertex" and values.get("xenos_clip_z"):
            bring_depth_above_zero(module)
        if self.stage == "fragment" and (values.get("xenos_lower_left") or window_height(module) is not None):
            before = {*module.variables.values()}
            run_pipeline(module, (CountFromBelow(),))
            self.heights = tuple([variable for variable in module.variables.values() if variable not in before])
            self.host_state = {WINDOW_ORIGIN: LOWER_LEFT}
        super().prepare(sink)

    def pack(self, code: Code) -> Packed:
        file = _file(code)
        keys: dict[str, object] = {"program_control": file.program_control, "context_misc": file.context_misc}
        if file.stage == "fragment":
            keys["interpolator_control"] = file.interpolator_control
        else:
            # The `XenosVBFFormat` of vertices that lie as the fetches have them.
            keys["vertex_format"] = [
                {"usage": USAGES[fetch.usage[0]], "index": fetch.usage[1], "fmt": fetch.code}
                for fetch in sorted(code.interface.fetches.values(), key=lambda fetch: fetch.offset)
                if fetch.usage is not None
            ]
        return Packed(write(file), keys, partial(_head, file, code.program), self.host_state)

    def describe(self, code: Code) -> Artifact:
        return replace(super().describe(code), lent=self.heights)


def _head(file: File, program: Program) -> str:
    from glslc_multi.backends.xenos.isa.directives import write_directives
    from glslc_multi.compiler.isa.disassembly import text_of

    return text_of(write_directives(file, program))


def _file(code: Code) -> File:
    interface = code.interface
    floats = tuple(_floats(interface))
    loops = tuple((FIRST_LOOP_WORD + 4 * number, (count,)) for count, number in interface.loops.items())
    if interface.stage == "vertex":
        return vertex_file(code.program, code.registers, _elements(code), floats, loops)
    parameter = interface.parameter.index if interface.parameter is not None else None
    # The components of each interpolated register.
    masks = {number: (1 << part[0].type.width) - 1 for part, number in interface.varyings.items()}
    if interface.depth is not None:
        masks[interface.depth.index] = 0b11
    return fragment_file(code.program, code.registers, masks, parameter, floats, loops)


def _elements(code: Code) -> Iterator[Element]:
    """A row for each fetch, of which every attribute has one or more."""
    interface = code.interface
    rows = vertex_fetches(code.program, interface)
    for fetch, row in zip(interface.fetches.values(), rows, strict=True):
        slots = row["slots"]
        assert fetch.usage is not None and isinstance(slots, list)
        yield from (Element(slot, *fetch.usage) for slot in slots)


def _floats(interface: Interface) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The literals of a file; components that nothing needs are 0."""
    first = _FIRST_CONSTANT[interface.stage]
    for index, numbers in sorted(interface.constants.literals.items()):
        words = struct.unpack("<4I", struct.pack("<4f", *(number or 0.0 for number in numbers)))
        yield first + index, words
