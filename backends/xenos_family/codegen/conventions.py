"""What the host of one machine expects of programs, beside what its instruction set says: as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.registers import LOOP_CONSTANTS, SELECTORS
from glslc_multi.backends.xenos_family.isa.vertex_formats import STORAGE_FORMATS, StorageFormat
from glslc_multi.compiler.codegen.interface import Column
from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.options import TargetOptions

_FIRST_LOOPS, _LAST_LOOPS = range(LOOP_CONSTANTS // 2), range(LOOP_CONSTANTS // 2, LOOP_CONSTANTS)


@dataclass(frozen=True, slots=True)
class VertexFetch:
    """What the fetch of an attribute says."""

    #: Three in each fetch constant.
    vertex_constant: int
    format_name: str
    #: Components in memory, which may be more than the attribute has.
    width: int
    #: In bytes.
    offset: int
    stride: int
    #: Usage and its index, where hosts find data by these.
    usage: tuple[int, int] | None = None

    @property
    def format(self) -> StorageFormat:
        return STORAGE_FORMATS[self.format_name]

    @property
    def code(self) -> int:
        return self.format.codes[self.width - 1]

    @property
    def fetch_constant(self) -> tuple[int, int]:
        """The fetch constant and which third of it."""
        return divmod(self.vertex_constant, SELECTORS)


#: Attributes with their numbers -> their fetches.
LayOutVertices = Callable[[Mapping[Column, int], "TargetOptions", "DiagnosticSink"], dict[Column, VertexFetch]]


@dataclass(frozen=True, eq=False)
class Conventions:
    """Of one target."""

    isa: InstructionSet
    #: Constants that each stage has.
    constant_limits: Mapping[str, int]
    attribute_limit: int
    sampler_limit: int
    lay_out_vertices: LayOutVertices
    #: Whether a stage alone takes all loop constants; both stages read the same ones.
    alone_has_all_loops: bool = True
    #: The loop constants of each stage of a pair.
    loops: Mapping[str, range] = field(default_factory=lambda: {"fragment": _FIRST_LOOPS, "vertex": _LAST_LOOPS})
    #: Whether an ALLOC says how many exports there are.
    counts_exports: bool = True
    #: The export of a depth of the shader's own; None where there is none.
    depth_export: int | None = None
    #: Whether the driver uploads the viewport, which the window's z is made with; else it is z / w.
    has_viewport: bool = True
    #: What the fetch of a cube map says that others do not.
    cube_fields: Mapping[str, int] = field(default_factory=dict)

    def loops_of(self, stage: str, *, is_linked: bool) -> range:
        """The loop constants that a stage may have."""
        return self.loops[stage] if is_linked or not self.alone_has_all_loops else range(LOOP_CONSTANTS)

    @property
    def target(self) -> str:
        """Its name."""
        return self.isa.name
