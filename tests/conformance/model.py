"""What the conformance runner works with, whatever file a record came from.

A record is judged by its `verdict` (what compiling and linking must say) or, where it has `runs`, by
values.  Values are flat lists of numbers, one list a lane; a matrix is column-major and an array its
elements in a row, so that every schema compares in one way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

from glslc_multi.compiler.records import dataclass, field

Expectation = Literal["pass", "compile_fail", "link_fail", "compile_or_link_fail"]
#: Whose rules a text follows: the language's, or the stricter ones of WebGL.
Dialect = Literal["essl100", "webgl"]
#: A lane's value: the numbers of a scalar, vector, matrix or array in order.
Flat = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """What a text is written in, beyond what it says itself."""

    #: The version of a text without `#version`: 110, or "" for GLSL ES 1.00.
    std: str = ""
    #: Whether the names of the fixed functions exist.
    compat: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What must happen to `sources` (stage -> text); two stages are a pair to link."""

    sources: Mapping[str, str]
    expect: Expectation
    #: Where known, whether each stage by itself must be accepted.
    stages_accepted: Mapping[str, bool] = field(default_factory=dict)
    #: Lines on which an error must be reported.
    error_lines: tuple[int, ...] = ()
    dialect: Dialect = "essl100"
    language: Language = Language()


@dataclass(frozen=True, slots=True)
class Tolerance:
    """|got - want| <= absolute + relative * |want|; exact values differ by less than rounding errors can reach."""

    absolute: float
    relative: float
    #: Of an engine: the largest magnitude that its number format holds; where larger ones are expected, nothing is.
    largest: float = math.inf


#: Whole numbers and truth values that travel as floats.
EXACT = Tolerance(1e-6, 0.0)


@dataclass(frozen=True, slots=True)
class Expected:
    """What one output must be in every lane."""

    name: str
    values: tuple[Flat, ...]
    tolerance: Tolerance
    #: (lane, component) pairs that are not compared; component None means all of the lane.
    undefined: frozenset[tuple[int, int | None]] = frozenset()
    #: Lanes that arithmetic coarser than float32 cannot be held to.
    sensitive: frozenset[int] = frozenset()
    #: The value was read from a framebuffer of bytes: what was computed is cut to 0...1 first.
    clamped: bool = False
    #: The variable is an int or uint: it must be met exactly, however coarse the machine's floats are.
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class TextureData:
    """A texture as recorded: one image a level, of rows of texels, bottom row first.

    The faces of a cube, the slices of a volume and the layers of an array follow each other within a level.
    """

    kind: Literal["2d", "cube", "3d", "2d_array"]
    width: int
    height: int
    levels: tuple[bytes, ...]
    minify: str
    magnify: str
    wrap_s: str
    wrap_t: str
    wrap_r: str = "repeat"
    #: Slices of a volume, layers of an array.
    depth: int = 1
    format: str = "rgba8"
    #: How a shadow sampler compares, as `lequal`; "" of others.
    compare: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One execution over lanes.

    With one source the inputs are those of its stage.  With a pair they are attributes, the lanes are
    vertices, and the outputs are those of the fragment shader: `pixels` says how the vertices' results
    mix into each pixel (without it, each vertex is a pixel).  Inputs that the shader does not declare are
    ignored; an attribute narrower than its value takes the first components.
    """

    sources: Mapping[str, str]
    filename: str
    lanes: int
    inputs: Mapping[str, tuple[Flat, ...]]
    uniforms: Mapping[str, Flat]
    expected: tuple[Expected, ...]
    textures: Mapping[str, TextureData] = field(default_factory=dict)
    #: For each pixel the weight of each vertex; with `quads`, pixels 4k...4k+3 are a 2x2 block.
    pixels: tuple[Flat, ...] = ()
    quads: bool = False
    #: Per lane; None where the record says nothing about it.
    discarded: tuple[bool | None, ...] = ()
    dialect: Dialect = "essl100"
    language: Language = Language()
    #: Inputs and uniforms that are ints or uints.
    whole: frozenset[str] = frozenset()
    #: Uniform block -> its layout as OpenGL reports it; values are given under the names of `uniforms`.
    blocks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """One test: it passes when its verdict holds, or when every run gives the expected values."""

    name: str
    verdict: Verdict | None
    runs: tuple[Run, ...] = ()
    #: Extensions and capabilities that the record needs.
    requires: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    #: The path that it was loaded for, by which results are summed up.
    corpus: str = ""
