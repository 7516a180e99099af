"""The specification's sections that say something a test can observe."""

from __future__ import annotations

from typing import NamedTuple


class Section(NamedTuple):
    """A section of GLSL ES 1.00, or an extension of the language."""

    number: str
    title: str


CONTENTS = (
    Section("3.1", "Character set"),
    Section("3.2", "Source strings"),
    Section("3.3", "Comments"),
    Section("3.4", "Preprocessor"),
    Section("3.5", "Tokens"),
    Section("3.6", "Keywords"),
    Section("3.7", "Identifiers"),
    Section("4.1.1", "Void"),
    Section("4.1.2", "Booleans"),
    Section("4.1.3", "Integers"),
    Section("4.1.4", "Floats"),
    Section("4.1.5", "Vectors"),
    Section("4.1.6", "Matrices"),
    Section("4.1.7", "Samplers"),
    Section("4.1.8", "Structures"),
    Section("4.1.9", "Arrays"),
    Section("4.1.10", "Implicit conversions"),
    Section("4.2", "Scoping"),
    Section("4.3.1", "Default storage qualifier"),
    Section("4.3.2", "Constant qualifier"),
    Section("4.3.3", "Attribute"),
    Section("4.3.4", "Uniform"),
    Section("4.3.5", "Varying"),
    Section("4.4", "Parameter qualifiers"),
    Section("4.5", "Precision"),
    Section("4.6", "Variance and the invariant qualifier"),
    Section("4.7", "Order of qualification"),
    Section("5.1", "Operators"),
    Section("5.2", "Array subscripting"),
    Section("5.3", "Function calls"),
    Section("5.4.1", "Conversion and scalar constructors"),
    Section("5.4.2", "Vector and matrix constructors"),
    Section("5.4.3", "Structure constructors"),
    Section("5.5", "Vector components"),
    Section("5.6", "Matrix components"),
    Section("5.7", "Structures and fields"),
    Section("5.8", "Assignments"),
    Section("5.9", "Expressions"),
    Section("5.10", "Constant expressions"),
    Section("5.11", "Vector and matrix operations"),
    Section("6.1", "Function definitions"),
    Section("6.1.1", "Function calling conventions"),
    Section("6.2", "Selection"),
    Section("6.3", "Iteration"),
    Section("6.4", "Jumps"),
    Section("7.1", "Vertex shader special variables"),
    Section("7.2", "Fragment shader special variables"),
    Section("7.4", "Built-in constants"),
    Section("7.5", "Built-in uniform state"),
    Section("8.1", "Angle and trigonometry functions"),
    Section("8.2", "Exponential functions"),
    Section("8.3", "Common functions"),
    Section("8.4", "Geometric functions"),
    Section("8.5", "Matrix functions"),
    Section("8.6", "Vector relational functions"),
    Section("8.7", "Texture lookup functions"),
    Section("9", "Shading language grammar"),
    Section("A.4", "Control flow of WebGL and minimal implementations"),
    Section("A.5", "Indexing of WebGL and minimal implementations"),
    Section("OES_standard_derivatives", "Derivatives on 2x2 blocks"),
    Section("EXT_shader_texture_lod", "Levels and gradients in fragment shaders"),
    Section("EXT_frag_depth", "Writing the depth"),
    Section("EXT_draw_buffers", "Several colours"),
    Section("OES_EGL_image_external", "External images"),
)
