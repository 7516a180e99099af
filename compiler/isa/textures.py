"""What texture units can do: one record a target, which checks, lowerings and pages read."""

from __future__ import annotations

from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class TextureUnit:
    """Lookups that a machine has, all of float texels; names are those of `compiler/arithmetic/images.py`.

    Sizes of textures, texels by number and offsets need no machine: the host tells the sizes
    (`compiler/lowering/interface/texture_sizes.py`).  Nor do depths: code compares them (`depth_comparisons.py`).
    """

    #: Kinds of textures; none where the machine has no lookups at all.
    images: tuple[str, ...] = ("2d", "cube")
    #: How the level of detail is found (`TextureMode`).
    modes: tuple[str, ...] = ("auto", "bias", "lod")
    stages: tuple[str, ...] = ("vertex", "fragment")
    #: Whether 2D textures may be one texel high, at computed coordinates: 1D textures are such rows.
    rows: bool = True
    #: Whether code can compute coordinates, and so has what sizes make possible, and compare depths with texels.
    computes_coordinates: bool = True
