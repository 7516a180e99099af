"""Conventions of shaders, firmware and hosts: registers by their use, values of the scene, spaces of the register map.

Sections 13.1 to 13.5 of the machine's reference.  Addresses are the same in all variants.
"""

from __future__ import annotations

from glslc_multi.backends.theia.isa.registers import BY_NAME

TARGET_NAME = "theia"

# --- Registers --------------------------------------------------------------------------------------------------------

_AT = BY_NAME["trunk"]
ZERO = _AT["CREG_ZERO"]
#: The three addresses of the pixel in output memory, as integers.
PIXEL = _AT["CREG_CURRENT_OUTPUT_PIXEL"]
#: The destination of `OMWRITE`, and the pixel's colour on v1.2.
SINK = _AT["OREG_PIXEL_COLOR"]
#: Lane x: the alpha of the pixel with `--output=raw`.
ALPHA = _AT["CREG_COLOR_ACC"]
TEXTURE_SIZE = _AT["CREG_TEXTURE_SIZE"]
#: The integers 3, 3, 3 and 0, 1, 2.
RAW_THREE, RAW_STEPS = _AT["CREG_3"], _AT["CREG_012"]
#: C1 to C7, which keep what the block of constants puts there.
CONSTANTS = range(_AT["C1"], _AT["C7"] + 1)
#: C7: z and 1/w of the pixel, which the chip does not have: 0.0 and 1.0, unless a host that runs the code says more.
DEPTH = _AT["C7"]
#: Rows that hold varyings without a source in the scene, in this order: a host that runs the code loads them.
VARYINGS = (*range(86, 98), *range(99, 108))
#: Rows for values of the shader's own, where the variant does not reserve them.
TEMPORARIES = (*range(71, 83), *range(84, 108), 110, *range(112, 119))

# --- Scene ------------------------------------------------------------------------------------------------------------

#: What `CREG_LAST_t` holds before anything is hit.
MISS = 250
#: The row of the distance.
DISTANCE = _AT["CREG_LAST_t"]
#: Rows that only hits write, the lanes y and z of the distance among them: before the first one they hold anything.
LEFT_BY_HITS = frozenset(
    {
        DISTANCE,
        *(_AT[f"CREG_{name}_LAST"] for name in ("E1", "E2", "UV0", "UV1", "UV2", "TRI_DIFFUSE")),
        *(_AT[f"CREG_LAST_{name}"] for name in "uv"),
    }
)
#: Values that the chip has for a pixel; the register map names them by their numbers here.
SCENE_VALUES = (
    "FragCoord",
    "RayDirection",
    "CameraPosition",
    "HitDistance",
    "Barycentric",
    "Hit",
    "HitPosition",
    "Normal",
    "TexCoord",
    "Diffuse",
    "TextureColor",
    "LightPosition",
    "LightDiffuse",
    "Resolution",
    "FrontFacing",
)

# --- Spaces -----------------------------------------------------------------------------------------------------------

#: A varying that the host loads before each pixel, by its register.
ROW_SPACE = "row"
#: A value of the scene, by its number; a simulator sets the rows that it is computed from.
SCENE_SPACE = "scene"
#: A uniform's component, by the address of the instruction whose immediate value it is.
CODE_SPACE = "code"
#: The texture (0): words in texture memory, its size in `TEXTURE_SIZE`.
TEXTURE_SPACE = "texture"
#: The pixel (0): what `OMWRITE` stores, and `ALPHA`.
OUTPUT_SPACE = "output"
