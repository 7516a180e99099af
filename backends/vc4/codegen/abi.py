"""Where a shader reads its inputs and writes its outputs, as the open driver has it (section 8 of the reference).

| space | index | what |
| --- | --- | --- |
| `stream` | index in the list of uniforms | a word of a uniform |
| `vpm_in` | row | a component of an attribute |
| `vpm_out` | row | an output of a vertex or coordinate shader |
| `varying` | position in the queue | a component of a varying |
| `window`, `facing`, `point` | 0 | built-in inputs of a fragment |
| `texture` | number | a sampler |
| `buffer` | word | uniforms or constants that variable indices read, each component of a column one after the other |
| `tlb` | 0 | the pixel's colour, 1 its depth |
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from glslc_multi.backends.vc4.codegen.blending import BLENDS, Blend
from glslc_multi.backends.vc4.isa.fixed_function import BUILT_IN_VARYINGS, CLIP_ROWS
from glslc_multi.compiler.codegen.interface import (
    Column,
    Component,
    all_columns,
    check_limit,
    components_of,
    first_numbers,
    in_order,
    linked_components,
)
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.colours import colours_of, last_colour
from glslc_multi.compiler.options import LinkedInterface, TargetOptions
from glslc_multi.compiler.passes.memory.local_variables import Table, tables_of
from glslc_multi.compiler.records import dataclass, field

TARGET_NAME = "vc4"
#: A component of all elements of an array: column (None for all, one after the other) and component.
Slice = tuple[Variable, int | None, int]

#: Arrays of attributes, of up to four numbers each, that a shader record can have; and rows, whose bytes it says in a
#: byte.
ARRAYS = Limit(TARGET_NAME, "columns of attributes", 8, "declare fewer columns of attributes")
ATTRIBUTE_ROWS = 255 // 4
VARYINGS = Limit(TARGET_NAME, "components of varyings", 32, "declare fewer components of varyings")
SAMPLERS = Limit(TARGET_NAME, "samplers", 16, "declare fewer samplers")
#: Rows before the varyings: position packed, depth, 1/w; in a coordinate shader the clip position before these.
POSITION_ROWS = 3

#: Words that the driver computes from its own state, by name.
VIEWPORT_X, VIEWPORT_Y, DEPTH_SCALE, DEPTH_OFFSET = (
    Variable(name, "uniform", FLOAT, role=name)
    for name in ("viewport_x_scale", "viewport_y_scale", "viewport_z_scale", "viewport_z_offset")
)
DRIVER_WORDS = (VIEWPORT_X, VIEWPORT_Y, DEPTH_SCALE, DEPTH_OFFSET)


@dataclass(slots=True)
class Interface:
    """The locations of a shader's variables."""

    stage: str
    #: Colours as four floats, one write each, for tests.
    raw: bool
    depth: bool
    #: What is drawn: "triangles", "lines" or "points".
    primitive: str
    #: Whether a vertex shader writes the size of a point after its position.
    sizes: bool
    blend: Blend
    #: How many threads share the registers.
    threads: int
    #: The TMU that loads words of memory: the driver wants no lookup by it afterwards.
    direct_unit: int
    #: Row of each component of an attribute.
    rows: dict[Component, int] = field(default_factory=dict)
    #: Position of each component of a varying, in the queue or after the fixed rows.
    varyings: dict[Component, int] = field(default_factory=dict)
    #: First number of each sampler.
    samplers: dict[Variable, int] = field(default_factory=dict)
    #: First word of what is read at variable indices.
    buffers: dict[Slice, int] = field(default_factory=dict)
    #: What is in local arrays of constants.
    tables: Mapping[Variable, Table] = field(default_factory=dict)

    @property
    def is_fragment(self) -> bool:
        return self.stage == "fragment"

    @property
    def fixed_rows(self) -> int:
        """Rows before the varyings."""
        return POSITION_ROWS + (CLIP_ROWS if self.stage == "coordinate" else 0) + self.sizes

    @property
    def first_varying(self) -> int:
        """Varyings that the hardware inserts before the shader's own."""
        return BUILT_IN_VARYINGS[self.primitive]

    @property
    def arrays(self) -> list[Column]:
        """The arrays that attributes come from: a matrix has one for each column."""
        return list(dict.fromkeys((variable, element, column) for variable, element, column, _ in self.rows))

    def keep_read(self, read: Collection[Component]) -> None:
        """Leave out inputs behind the last one that the program reads: a shader record says how many are read."""
        for parts in (self.rows, self.varyings if self.is_fragment else {}):
            while parts and next(reversed(parts)) not in read:
                parts.popitem()

    def buffer_word(self, part: Slice) -> int:
        """The first word of a slice, which is allocated when it is first used."""
        if part not in self.buffers:
            self.buffers[part] = sum(words_of(other) for other in self.buffers)
        return self.buffers[part]


def words_of(part: Slice) -> int:
    variable, column, _ = part
    return variable.length * (variable.columns if column is None else 1)


def make_interface(module: Module, options: TargetOptions, sink: DiagnosticSink) -> Interface:
    """Locations for all variables of `module`."""
    values = options.values
    reads_point = any(variable.role == "point_coord" for variable in module.variables.values())
    primitive = "points" if reads_point else str(values["primitive"])
    has_size = primitive == "points" or any(v.role == "point_size" for v in module.variables.values())
    interface = Interface(
        options.stage,
        raw=values["output"] == "raw",
        depth=bool(values["depth"]) or any(v.role == "frag_depth" for v in module.variables.values()),
        primitive=primitive,
        sizes=options.stage != "fragment" and has_size,
        blend=BLENDS[str(values["blend"])],
        threads=2 if values["threaded"] and options.stage == "fragment" else 1,
        direct_unit=int(any(i.op is ops.TEXTURE for i in module.main.instructions())),
        tables=tables_of(module),
    )
    interface.rows = in_order(_used_attributes(module))
    interface.varyings = {} if options.stage == "coordinate" else in_order(_varyings(module, options.linked))
    check_limit(VARYINGS, interface.varyings, sink)
    interface.samplers = first_numbers(module.of_storage("sampler"))
    check_limit(SAMPLERS, all_columns(interface.samplers), sink)
    for variable in colours_of(module):
        if last_colour(module, variable) > 0:
            help_ = "write the colour number 0 alone"
            sink.report(NOT_EXPRESSIBLE, variable.span, help=help_, target=TARGET_NAME, construct="several colours")
    sink.raise_if_errors()
    return interface


def require_attributes_to_fit(interface: Interface, sink: DiagnosticSink) -> None:
    """A mistake where more attributes are read than a shader record can describe.

    Eight arrays of 16 bytes are less than the 255 bytes that it can say.
    """
    check_limit(ARRAYS, in_order(interface.arrays), sink)
    sink.raise_if_errors()


def _used_attributes(module: Module) -> Iterator[Component]:
    """Components of the attributes that the shader reads, those with a location first."""
    read = {i.address.variable for i in module.main.instructions() if i.op is ops.LOAD and i.users}
    attributes = [variable for variable in module.of_storage("attribute") if variable in read]
    attributes.sort(key=lambda variable: 1 << 16 if variable.location is None else variable.location)
    return (part for variable in attributes for part in components_of(variable))


def _varyings(module: Module, linked: LinkedInterface | None) -> list[Component]:
    """Those of a linked pair are what the fragment stage reads; else all components in declared order."""
    varyings = module.of_storage("varying")
    if linked is not None:
        return linked_components(linked, varyings)
    return [part for variable in varyings for part in components_of(variable)]
