"""The enumerators of libctru and citro3d that calls have as arguments, kind by kind, from the tables of the machine."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    SCALES,
    SOURCES,
)
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import FOG_MODES
from glslc_multi.backends.pica200.isa.fragment.registers.textures import FORMATS

_Names = Mapping[str, int]


def _gpu(*names: str) -> _Names:
    """Names without their prefix, by code from 0 on."""
    return {f"GPU_{name}": code for code, name in enumerate(names)}


_BLEND_FACTORS = (
    "ZERO ONE SRC_COLOR ONE_MINUS_SRC_COLOR DST_COLOR ONE_MINUS_DST_COLOR SRC_ALPHA ONE_MINUS_SRC_ALPHA DST_ALPHA "
    "ONE_MINUS_DST_ALPHA CONSTANT_COLOR ONE_MINUS_CONSTANT_COLOR CONSTANT_ALPHA ONE_MINUS_CONSTANT_ALPHA "
    "SRC_ALPHA_SATURATE"
).split()
_LOGIC_OPERATIONS = (
    "CLEAR AND AND_REVERSE COPY SET COPY_INVERTED NOOP INVERT NAND OR NOR XOR EQUIV AND_INVERTED OR_REVERSE OR_INVERTED"
).split()

#: Kind of argument -> name -> number. Flags that are joined by | have a bit each.
ENUMERATORS: Mapping[str, _Names] = {
    "bool": {"false": 0, "true": 1},
    "mode": {"C3D_RGB": 1, "C3D_Alpha": 2, "C3D_Both": 3},
    "source": {f"GPU_{source.libctru}": source.code for source in SOURCES.values()},
    "rgb operand": {f"GPU_TEVOP_RGB_{row.libctru}": row.code for row in COLOUR_SELECTIONS.values()},
    "alpha operand": {f"GPU_TEVOP_A_{row.libctru}": row.code for row in ALPHA_SELECTIONS.values()},
    "function": {f"GPU_{function.name}": function.code for function in FUNCTIONS.values()},
    "scale": {f"GPU_TEVSCALE_{factor}": code for code, factor in enumerate(SCALES)},
    "comparison": _gpu("NEVER", "ALWAYS", "EQUAL", "NOTEQUAL", "LESS", "LEQUAL", "GREATER", "GEQUAL"),
    "early comparison": _gpu(
        "EARLYDEPTH_GEQUAL",
        "EARLYDEPTH_GREATER",
        "EARLYDEPTH_LEQUAL",
        "EARLYDEPTH_LESS",
    ),
    "fog mode": dict(zip(("GPU_NO_FOG", "GPU_FOG", "GPU_GAS"), FOG_MODES, strict=True)),
    "gas mode": _gpu("PLAIN_DENSITY", "DEPTH_DENSITY"),
    "equation": _gpu(*(f"BLEND_{name}" for name in ("ADD", "SUBTRACT", "REVERSE_SUBTRACT", "MIN", "MAX"))),
    "factor": _gpu(*_BLEND_FACTORS),
    "logic operation": _gpu(*(f"LOGICOP_{name}" for name in _LOGIC_OPERATIONS)),
    "stencil operation": _gpu(
        *(f"STENCIL_{n}" for n in ("KEEP", "ZERO", "REPLACE", "INCR", "DECR", "INVERT", "INCR_WRAP", "DECR_WRAP"))
    ),
    "write mask": {
        "GPU_WRITE_RED": 0x01,
        "GPU_WRITE_GREEN": 0x02,
        "GPU_WRITE_BLUE": 0x04,
        "GPU_WRITE_ALPHA": 0x08,
        "GPU_WRITE_DEPTH": 0x10,
        "GPU_WRITE_COLOR": 0x0F,
        "GPU_WRITE_ALL": 0x1F,
    },
    "culling": _gpu("CULL_NONE", "CULL_FRONT_CCW", "CULL_BACK_CCW"),
    "fragment mode": {"GPU_FRAGOPMODE_GL": 0, "GPU_FRAGOPMODE_GAS_ACC": 1, "GPU_FRAGOPMODE_SHADOW": 3},
    "table": {
        "GPU_LUT_D0": 0,
        "GPU_LUT_D1": 1,
        "GPU_LUT_SP": 2,
        "GPU_LUT_FR": 3,
        "GPU_LUT_RB": 4,
        "GPU_LUT_RG": 5,
        "GPU_LUT_RR": 6,
    },
    "table input": _gpu(*(f"LUTINPUT_{name}" for name in ("NH", "VH", "NV", "LN", "SP", "CP"))),
    "fresnel": _gpu("NO_FRESNEL", "PRI_ALPHA_FRESNEL", "SEC_ALPHA_FRESNEL", "PRI_SEC_ALPHA_FRESNEL"),
    "bump mode": _gpu("BUMP_NOT_USED", "BUMP_AS_BUMP", "BUMP_AS_TANG"),
    "shadow mode": {
        "GPU_SHADOW_PRIMARY": 1,
        "GPU_SHADOW_SECONDARY": 2,
        "GPU_INVERT_SHADOW": 4,
        "GPU_SHADOW_ALPHA": 8,
    },
    "texture type": _gpu(*(f"TEX_{name}" for name in "2D CUBE_MAP SHADOW_2D PROJECTION SHADOW_CUBE DISABLED".split())),
    "texture format": _gpu(*(name.upper() for name in FORMATS.values())),
    "filter": _gpu("NEAREST", "LINEAR"),
    "wrap": _gpu("CLAMP_TO_EDGE", "CLAMP_TO_BORDER", "REPEAT", "MIRRORED_REPEAT"),
    "texture clamp": _gpu(
        *(f"PT_{n}" for n in ("CLAMP_TO_ZERO", "CLAMP_TO_EDGE", "REPEAT", "MIRRORED_REPEAT", "PULSE"))
    ),
    "texture function": _gpu(
        *(f"PT_{name}" for name in ("U", "U2", "V", "V2", "ADD", "ADD2", "SQRT2", "MIN", "MAX", "RMAX"))
    ),
    "texture axes": {"C3D_ProcTex_U": 1, "C3D_ProcTex_V": 2, "C3D_ProcTex_UV": 3},
    "texture shift": _gpu("PT_NONE", "PT_ODD", "PT_EVEN"),
    "texture filter": _gpu(
        *(f"PT_{name}" for name in ("NEAREST", "LINEAR", "NEAREST_MIP_NEAREST", "LINEAR_MIP_NEAREST")),
        "PT_NEAREST_MIP_LINEAR",
        "PT_LINEAR_MIP_LINEAR",
    ),
}


class UnknownName(ValueError):
    """An argument that no enumerator of its kind is."""


def number_of(kind: str, text: str) -> int:
    """What one enumerator says, or several that are joined by bars."""
    value = 0
    for name in text.split("|"):
        if name not in ENUMERATORS[kind]:
            raise UnknownName(f"{name} is no {kind}")
        value |= ENUMERATORS[kind][name]
    return value
