"""Variables: the shader's interface and its memory, and how loads, stores and textures address them.

Aggregates exist only here, flattened to leaves: a struct becomes one variable per member, and arrays
on the way multiply into one length (`lights[].pos` with dims (3,)).  A matrix is `columns` vectors of
`type`.  One element of a variable is therefore named by an index into the flattened array and a column.
"""

from __future__ import annotations

from math import prod
from typing import Literal, TypeAlias

from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS, SamplerKind
from glslc_multi.compiler.ir.types import FLOAT, INT, IVEC4, VEC4, Kind, Type, matrix_name, type_name, vector
from glslc_multi.compiler.records import dataclass

Stage = Literal["vertex", "geometry", "fragment"]
#: "varying" is written by the vertex and read by the fragment stage; "output" holds what leaves the
#: pipeline's programmable part (gl_Position, gl_FragColor); "local" is memory private to a lane.
Storage = Literal["attribute", "uniform", "varying", "input", "output", "sampler", "local"]
STORAGES: tuple[Storage, ...] = ("attribute", "uniform", "varying", "input", "output", "sampler", "local")
Precision = Literal["", "lowp", "mediump", "highp"]
PRECISIONS: tuple[Precision, ...] = ("lowp", "mediump", "highp")
#: Kinds of values outside of a shader.  Ints of the IR have no sign of their own: "uint" tells that those have none.
SourceKind: TypeAlias = Kind | Literal["uint"]
#: How a uniform matrix is uploaded: one register a column (as in the source) or one a row.  The `column` of
#: an address is the number of such a register, so that in a matrix laid out in rows it names a row.
Layout = Literal["columns", "rows"]
#: How a varying changes between vertices; "" is with perspective.
Interpolation = Literal["", "flat", "noperspective"]
INTERPOLATIONS: tuple[Interpolation, ...] = ("flat", "noperspective")

#: Name of the function that runs before `main`, once for all lanes, and role of the uniforms that it computes.
PREAMBLE = "preamble"
#: Role of the variables that a back end makes for what its machine has.
MACHINE = "machine"
#: Role of the uniform that has the height of the window, where coordinates count from the top.
WINDOW_HEIGHT = "window_height"
#: Its name, which no variable of a shader can have.
WINDOW_HEIGHT_NAME = "gl_WindowHeight"
#: Roles of samplers of whose textures the code asks something, and of uniforms with their sizes.
FETCHED, MOVED, TEXTURE_SIZE = "fetched", "moved", "texture_size"
#: Roles of built-in variables: which part of the fixed pipeline they talk to.
ROLES: dict[str, str] = {
    "position": "gl_Position: clip-space position of the vertex",
    "position_in": "gl_PositionIn: clip-space positions of the vertices that a geometry shader gets",
    "vertices_in": "gl_VerticesIn: how many vertices a geometry shader gets",
    "point_size": "gl_PointSize: size of a point in pixels",
    "instance_id": "gl_InstanceID: number of the instance that is drawn",
    "vertex_id": "gl_VertexID: number of the vertex, as an index buffer has it",
    "clip_distance": "gl_ClipDistance: distances to clipping planes, negative outside",
    "clip_distance_in": "gl_ClipDistance: what the vertex stage wrote, interpolated",
    "frag_coord": "gl_FragCoord: window position of the pixel, 1/w in w",
    "front_facing": "gl_FrontFacing: whether the primitive faces the viewer",
    "point_coord": "gl_PointCoord: place inside a point, (0, 0) to (1, 1)",
    "frag_color": "gl_FragColor: the pixel's colour",
    "frag_data": "gl_FragData: colours of several draw buffers",
    "primitive_id": "gl_PrimitiveID: number of the primitive that is drawn",
    "frag_depth": "gl_FragDepth: depth that replaces the interpolated one",
    "depth_range": "gl_DepthRange: near, far and their difference",
    PREAMBLE: "computed from other uniforms by the function of that name, before the shader runs",
    FETCHED: "a sampler whose textures must have the filter nearest, without mipmaps",
    MOVED: "a sampler whose textures must have no mipmaps",
    TEXTURE_SIZE: "the size of a sampler's texture in texels, which the host tells",
    WINDOW_HEIGHT: "the height of the window in pixels, which the host tells",
    MACHINE: "something of the machine that code can read, such as the counter of a loop that it counts",
}
#: OpenGL's values of the parameters of gl_DepthRange until the host sets others.
DEPTH_RANGE: dict[str, float] = {"gl_DepthRange.near": 0.0, "gl_DepthRange.far": 1.0, "gl_DepthRange.diff": 1.0}


class Variable:
    """An interface variable or a `local` memory slot; `type` is that of one element's column."""

    __slots__ = (
        "columns",
        "contents",
        "dims",
        "interpolation",
        "invariant",
        "layout",
        "location",
        "name",
        "precision",
        "role",
        "source_kind",
        "span",
        "storage",
        "type",
    )

    def __init__(
        self,
        name: str,
        storage: Storage,
        type: Type,
        *,
        columns: int = 1,
        dims: tuple[int, ...] = (),
        precision: Precision = "",
        location: int | None = None,
        role: str = "",
        layout: Layout = "columns",
        invariant: bool = False,
        interpolation: Interpolation = "",
        source_kind: SourceKind | None = None,
        span: Span | None = None,
    ) -> None:
        self.name = name
        self.storage: Storage = storage
        self.type = type
        self.columns = columns
        self.dims = dims
        self.precision: Precision = precision
        self.location = location
        self.role = role
        self.layout: Layout = layout
        self.invariant = invariant
        self.interpolation: Interpolation = interpolation
        #: The kind of the values outside where `type` does not tell: "uint" of ints; of floats and samplers, what a
        #: lowering has made them from.
        self.source_kind: SourceKind | None = source_kind
        self.span = span
        #: Of a uniform that no host sets: by element the numbers that the code brings along; None for any.
        self.contents: dict[int, tuple[float | int | bool | None, ...]] = {}

    @property
    def is_array(self) -> bool:
        return bool(self.dims)

    @property
    def is_matrix(self) -> bool:
        return self.columns > 1

    @property
    def is_flat(self) -> bool:
        """Of a varying: whether it is not interpolated, as ints never are."""
        return self.interpolation == "flat" or self.type.kind == "int"

    @property
    def length(self) -> int:
        """Number of elements; 1 when not an array."""
        return prod(self.dims)

    @property
    def outer_kind(self) -> SourceKind:
        """The kind of the values outside."""
        return self.source_kind or self.type.kind

    @property
    def outer_type(self) -> str:
        """The type of an element outside, as GLSL spells it."""
        width = self.type.width
        return matrix_name(self.columns, width) if self.is_matrix else type_name(self.outer_kind, width)

    def is_written_by(self, stage: Stage) -> bool:
        """Whether `stage` writes this variable for a later stage (locals are nobody's output)."""
        return self.storage == "output" or (self.storage == "varying" and stage != "fragment")

    def __repr__(self) -> str:
        return f"@{self.name}"


@dataclass(frozen=True, slots=True)
class Address:
    """One element of a variable: `variable[index + offset].column`.

    The dynamic parts are operands of the instruction: first the index (where `dynamic_index`), then
    the column (where `dynamic_column`, which replaces `column`).
    """

    variable: Variable
    offset: int = 0
    column: int = 0
    dynamic_index: bool = False
    dynamic_column: bool = False

    @property
    def index_count(self) -> int:
        """How many operands of the instruction belong to the address."""
        return int(self.dynamic_index) + int(self.dynamic_column)

    @property
    def is_dynamic(self) -> bool:
        return self.dynamic_index or self.dynamic_column


#: How a texture's level of detail is found: "auto" from derivatives (level 0 in a vertex shader),
#: "bias" adds an operand to that, "lod" and "grad" give it.  "fetch" reads one texel by number and level.
TextureMode = Literal["auto", "bias", "lod", "grad", "fetch"]
TEXTURE_MODES: tuple[TextureMode, ...] = ("auto", "bias", "lod", "grad", "fetch")


@dataclass(frozen=True, slots=True)
class TextureAccess:
    """A texture lookup: which sampler (an element of a sampler variable) and how the level is chosen.

    Operands: the address's indices; the coordinate, whose last component is the layer where there are layers; the
    depth to compare with, of a shadow sampler; bias, level, or gradients along x and along y.
    """

    address: Address
    mode: TextureMode = "auto"
    #: By how many texels of the level the lookup is moved, along each dimension; empty is not at all.
    offset: tuple[int, ...] = ()

    @property
    def kind(self) -> SamplerKind:
        return SAMPLER_KINDS[self.address.variable.type.kind]

    @property
    def is_cube(self) -> bool:
        return self.kind.is_cube

    @property
    def operand_types(self) -> list[Type]:
        """Types of the operands after the indices."""
        kind, mode = self.kind, self.mode
        coordinate = vector("int" if mode == "fetch" else "float", kind.coordinate_width)
        reference = [FLOAT] if kind.is_shadow else []
        return [coordinate, *reference, *_level_types(mode, kind.dimensions)]

    @property
    def result_type(self) -> Type:
        """Of a shadow sampler the verdict from 0 to 1 is in x; y and z are 0, w is 1."""
        return VEC4 if self.kind.texel == "float" else IVEC4

    @property
    def size_type(self) -> Type:
        """What a question for the size yields."""
        return vector("int", self.kind.size_width)


def _level_types(mode: TextureMode, dimensions: int) -> list[Type]:
    if mode == "auto":
        return []
    if mode == "grad":
        return [vector("float", dimensions)] * 2
    return [INT if mode == "fetch" else FLOAT]
