"""Registers of depth, and of what happens to a pixel after the combiners: tests, blending, what is written."""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.fragment.floats import F16, F24
from glslc_multi.backends.pica200.isa.fragment.registers.layout import (
    Register,
    bits,
    colour,
    flag,
    layout,
    numbered,
    real,
)

#: Comparisons, by code.
COMPARISONS = numbered("never", "always", "==", "!=", "<", "<=", ">", ">=")
_EARLY_COMPARISONS = numbered(">=", ">", "<=", "<")
_EQUATIONS = numbered("add", "subtract", "reverse_subtract", "min", "max")
_FACTORS = numbered(
    "zero",
    "one",
    "src_color",
    "one_minus_src_color",
    "dst_color",
    "one_minus_dst_color",
    "src_alpha",
    "one_minus_src_alpha",
    "dst_alpha",
    "one_minus_dst_alpha",
    "constant_color",
    "one_minus_constant_color",
    "constant_alpha",
    "one_minus_constant_alpha",
    "src_alpha_saturate",
)
_LOGIC_OPERATIONS = numbered(
    "clear",
    "and",
    "and_reverse",
    "copy",
    "set",
    "copy_inverted",
    "noop",
    "invert",
    "nand",
    "or",
    "nor",
    "xor",
    "equiv",
    "and_inverted",
    "or_reverse",
    "or_inverted",
)
_STENCIL_OPERATIONS = numbered("keep", "zero", "replace", "incr", "decr", "invert", "incr_wrap", "decr_wrap")

_FACE_CULLING = layout("face_culling", bits("mode", 1, 0, "faces that are left out", numbered("none", "front", "back")))
_DEPTH_SCALE = layout("depth_scale", real("scale", 0, F24, "times z / w"))
_DEPTH_OFFSET = layout("depth_offset", real("offset", 0, F24, "added to that"))
_DEPTH_ENABLE = layout("depth_enable", flag("z_buffer", 0, "depth is not multiplied by w"))
_EARLY_FUNCTION = layout("early_function", bits("function", 1, 0, "early depth test", _EARLY_COMPARISONS))
_EARLY_ENABLE = layout("early_enable", flag("enable", 0, "whether there is an early depth test"))
_EARLY_DATA = layout("early_data", bits("value", 23, 0, "the value that clears the early depth buffer"))
_COLOR_OPERATION = layout(
    "color_operation",
    bits("mode", 1, 0, "what fragments are for", {0: "normal", 1: "gas", 3: "shadow"}),
    flag("blend", 8, "blending, not a logic operation"),
    bits("fixed", 25, 16, "always 0x0E4"),
)
_BLEND = layout(
    "blend",
    bits("rgb_equation", 2, 0, "how products are joined", _EQUATIONS),
    bits("a_equation", 10, 8, "how products are joined", _EQUATIONS),
    bits("rgb_source", 19, 16, "factor of the pixel", _FACTORS),
    bits("rgb_destination", 23, 20, "factor of what is in the buffer", _FACTORS),
    bits("a_source", 27, 24, "factor of the pixel", _FACTORS),
    bits("a_destination", 31, 28, "factor of what is in the buffer", _FACTORS),
)
_LOGIC_OPERATION = layout("logic_operation", bits("operation", 3, 0, "logic operation", _LOGIC_OPERATIONS))
_ALPHA_TEST = layout(
    "alpha_test",
    flag("enable", 0, "whether there is a test"),
    bits("function", 6, 4, "a pixel is drawn where its alpha compares so with the reference", COMPARISONS),
    bits("reference", 15, 8, "what alpha is compared with"),
)
_STENCIL_TEST = layout(
    "stencil_test",
    flag("enable", 0, "whether there is a test"),
    bits("function", 6, 4, "how the reference must compare with what is in the buffer", COMPARISONS),
    bits("write_mask", 15, 8, "bits that operations change"),
    bits("reference", 23, 16, "reference"),
    bits("input_mask", 31, 24, "bits that are compared"),
)
_STENCIL_OPERATION = layout(
    "stencil_operation",
    bits("fail", 2, 0, "where the stencil test fails", _STENCIL_OPERATIONS),
    bits("depth_fail", 6, 4, "where the depth test fails", _STENCIL_OPERATIONS),
    bits("pass", 10, 8, "where both pass", _STENCIL_OPERATIONS),
)
_DEPTH_COLOR_MASK = layout(
    "depth_color_mask",
    flag("depth_test", 0, "whether there is a depth test"),
    bits("function", 6, 4, "how depth must compare with what is in the buffer", COMPARISONS),
    bits("write", 12, 8, "what is written: 1 red, 2 green, 4 blue, 8 alpha, 16 depth"),
)
_SHADOW = layout(
    "shadow",
    real("constant", 0, F16, "constant part of the penumbra's scale"),
    real("linear", 16, F16, "linear part of it"),
)

ALPHA_TEST = Register(0x104, "FRAGOP_ALPHA_TEST", _ALPHA_TEST, "alpha test")

ROWS: tuple[Register, ...] = (
    Register(0x040, "FACECULLING_CONFIG", _FACE_CULLING, "faces that are not drawn"),
    Register(0x04D, "DEPTHMAP_SCALE", _DEPTH_SCALE, "depth of z / w"),
    Register(0x04E, "DEPTHMAP_OFFSET", _DEPTH_OFFSET, "depth of z / w"),
    Register(0x061, "EARLYDEPTH_FUNC", _EARLY_FUNCTION, "early depth test"),
    Register(0x062, "EARLYDEPTH_TEST1", _EARLY_ENABLE, "early depth test"),
    Register(0x06A, "EARLYDEPTH_DATA", _EARLY_DATA, "early depth test"),
    Register(0x06D, "DEPTHMAP_ENABLE", _DEPTH_ENABLE, "depth by z or by w"),
    Register(0x100, "COLOR_OPERATION", _COLOR_OPERATION, "what fragments are for, blending or logic operation"),
    Register(0x101, "BLEND_FUNC", _BLEND, "blending"),
    Register(0x102, "LOGIC_OP", _LOGIC_OPERATION, "logic operation"),
    Register(0x103, "BLEND_COLOR", colour("blend_color"), "constant of blending"),
    ALPHA_TEST,
    Register(0x105, "STENCIL_TEST", _STENCIL_TEST, "stencil test"),
    Register(0x106, "STENCIL_OP", _STENCIL_OPERATION, "what tests do to the stencil buffer"),
    Register(0x107, "DEPTH_COLOR_MASK", _DEPTH_COLOR_MASK, "depth test, and which channels are written"),
    Register(0x118, "EARLYDEPTH_TEST2", _EARLY_ENABLE, "early depth test"),
    Register(0x130, "FRAGOP_SHADOW", _SHADOW, "drawing of shadow maps"),
)
