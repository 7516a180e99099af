"""Messages of the evaluator, which runs the IR over lanes of values (E065x, E066x)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error

UNKNOWN_VALUE_NAME = error(
    "E0650",
    "the shader has no {kind} '{name}'",
    """
    A value was given under a name that the shader does not declare, or does not use: variables that
    the shader never reads are not part of its interface.
    """,
)

MISSING_VALUE = error(
    "E0651",
    "{kind} '{name}' is read but was given no value",
    """
    Every attribute, uniform and varying that a shader reads needs a value before it can run.
    """,
)

WRONG_VALUE_SHAPE = error(
    "E0652",
    "{kind} '{name}' must have shape {expected}, found {found}",
    """
    The value given for a variable does not have as many lanes, elements, columns or components as
    the variable.  The lanes (vertices or pixels) come first, then the array's elements, then the
    columns of a matrix, then the components of a vector.
    """,
)

WRONG_BLOCK_SIZE = error(
    "E0670",
    "the buffer of the uniform block '{name}' has {found} bytes, expected {expected}",
    """
    A uniform block can be given as one buffer, which holds the members at the offsets of the register map; it must be
    as long as the block.
    """,
)

DERIVATIVE_WITHOUT_QUADS = error(
    "E0653",
    "{what} needs pixels that are arranged in 2x2 quads",
    """
    dFdx, dFdy, fwidth and the automatic level of detail of a mipmapped texture compare neighbouring
    pixels.  Run with `quads`, which says that lanes 4k to 4k+3 are the lower left, lower right,
    upper left and upper right pixel of one block.
    """,
)

LANES_NOT_QUADS = error(
    "E0654",
    "{lanes} lanes do not make whole 2x2 quads",
    """
    With `quads`, the number of lanes must be a multiple of four.
    """,
)

UNUSABLE_TEXTURE = error(
    "E0655",
    "the texture of sampler '{name}' cannot be sampled: {problem}",
    """
    A texture whose filter uses mipmaps needs all its smaller levels, and a sampler takes only
    textures of its own kind (2D or cube).
    """,
)

TOO_MANY_STEPS = error(
    "E0656",
    "the shader did not finish within {limit} steps",
    """
    The shader may loop for ever.  Give a larger `max_steps` if it only takes long.
    """,
)

RECURSIVE_CALL = error(
    "E0657",
    "function '{name}' calls itself",
    """
    Functions of a shader cannot be recursive (GLSL ES 1.00 section 6.1).
    """,
)

ELEMENT_OUT_OF_RANGE = error(
    "E0658",
    "'{name}' does not exist: the array has {count} elements",
    """
    A value was given for an element that the shader's array does not have.
    """,
)

MISSING_ELEMENTS = error(
    "E0659",
    "{kind} '{name}' was given values for some of its elements only",
    """
    An array must be given whole: either as a list, or by the names of all its elements.
    """,
)

NOT_TRANSLATED = error(
    "E0660",
    "the machine code cannot be translated for this computer: {construct}",
    """
    The engine `translated` compiles a target's machine code for the computer at hand, which makes it much faster
    than the simulator that interprets it.  A few rarely used abilities of the machines are left to the interpreter:
    run such a program with the engine `simulator`.
    """,
)

MACHINE_FAULT = error(
    "E0661",
    "the machine code cannot go on: {reason}",
    """
    The simulator of a target stops where the machine would do something undefined. (A program that takes more
    steps than it may is error E0656.)
    """,
)

INTEGER_BEYOND_PROMISE = error(
    "E0664",
    "the value {value} of '{name}' is beyond {limit}, up to which code for {target} expects ints from outside",
    """
    The target has no integers.  Its code is exact for whole numbers up to a limit; that every sum and product stays
    below it was shown for ints of uniforms, attributes and varyings up to a smaller one, which the host keeps.
    """,
)
