"""Messages about the IR: its text form and the rules the verifier holds it to (E06xx, W06xx)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error

INVALID_IR_TEXT = error(
    "E0601",
    "expected {expected}, found {found}",
    """
    The text is not IR as the compiler prints it. `compiler/ir/README.md` describes the text form.
    """,
)

UNKNOWN_OPCODE = error(
    "E0602",
    "unknown opcode '{name}'",
    """
    No row of the opcode table has this name. `compiler/ir/README.md` lists them all.

        %2:float = add %0, %1     ; error: floats are added by fadd, ints by iadd
    """,
)

UNDEFINED_VALUE = error(
    "E0603",
    "value {name} is not defined in this function",
    """
    A value is the result of one instruction of the same function. It may be defined after its use, where the use
    belongs to a phi or the blocks are not printed in order.
    """,
)

DEFINED_TWICE = error(
    "E0604",
    "{name} is defined twice",
    """
    Values and blocks are unique within their function, variables and functions within the module, and a property
    of a variable is given once.
    """,
)

UNKNOWN_BLOCK = error(
    "E0605",
    "this function has no block {name}",
    """
    Branches and phis name blocks of their own function. A block begins with its name and a colon:

        ^loop:
          br ^loop
    """,
)

UNKNOWN_VARIABLE = error(
    "E0606",
    "no variable {name} is declared",
    """
    Loads, stores and texture lookups name variables of the module, or `local` ones of a function: of their own, or
    of another whose parameters and result they are.

        uniform @u_color: vec4 mediump
    """,
)

UNKNOWN_FUNCTION = error(
    "E0607",
    "no function {name} is defined",
    """
    A call names a function of the same module, defined before or after it.
    """,
)

UNKNOWN_IR_TYPE = error(
    "E0608",
    "unknown type '{name}'",
    """
    Values are `bool`, `int`, `float` and vectors of 2 to 4 of them (`bvec3`, `ivec2`, `vec4`). Variables may also be
    matrices (`mat2`, `mat3`, `mat4`) and samplers (`sampler2D`, `isampler3D`, `sampler2DArrayShadow` ...).
    """,
)

WRONG_OPERANDS = error(
    "E0609",
    "'{opcode}' {problem}",
    """
    Number or types of the operands do not fit the opcode. The table in `compiler/ir/README.md` has the signatures.

        %2:vec2 = fadd %0, %1     ; error when %0 is a vec2 and %1 a float
    """,
)

WRONG_RESULT_TYPE = error(
    "E0610",
    "'{opcode}' yields {expected} here, found {found}",
    """
    The type before `=` must be the one that follows from opcode and operands; an instruction that yields
    nothing has no result.
    """,
)

MISPLACED_LINE = error(
    "E0611",
    "{what} must be {where}",
    """
    A module is a `shader` line, pragmas, variables and functions. A function is its local variables, then blocks;
    a block is its name, then instructions.
    """,
)

NUMBER_OUT_OF_RANGE = error(
    "E0612",
    "{what} must be from {low} to {high}",
    """
    The number is too small or too large for what it counts.
    """,
)

UNKNOWN_PROPERTY = error(
    "E0613",
    "variables have no property '{name}'",
    """
    The type of a variable may be followed by `lowp`, `mediump`, `highp`, `invariant`, `rows`, `columns(n)`,
    `location(n)` and `role(name)`.
    """,
)

UNCLOSED_FUNCTION = error(
    "E0614",
    "function {name} is not closed",
    """
    The body of a function ends with a `}` on a line of its own.
    """,
)

BROKEN_RULE = error(
    "E0620",
    "{where}: {what} [{rule}]",
    """
    The module can be read, but breaks a rule of the IR, which is named in brackets. `compiler/ir/README.md` lists
    the rules. When the text was printed by the compiler itself, the pass before it has a mistake.
    """,
)
