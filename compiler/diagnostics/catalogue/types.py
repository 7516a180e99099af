"""Messages about types and expressions: operators, calls, constructors, assignments (E04xx, W04xx)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error, warning

TYPE_MISMATCH = error(
    "E0401",
    "expected {expected}, found {found}",
    """
    The expression has another type than its place needs. GLSL ES 1.00 has no implicit conversions
    (chapter 4): convert with a constructor.

        float a = 1;          // error: expected float, found int
        float b = float(1);   // fine
        float c = 1.0;        // fine
    """,
)

# -------------------------------------------------------------------------------------- operators
BINARY_OPERANDS = error(
    "E0402",
    "'{op}' cannot combine {left} and {right}",
    """
    Arithmetic needs two operands of one basic type, both int or both float, and of equal size unless one is a scalar or
    the operation is a matrix product (section 5.9). Comparisons need scalars, logical operators bool.
    """,
)
UNARY_OPERAND = error(
    "E0403",
    "'{op}' cannot be applied to {type}",
    """
    `+ - ++ --` work on int and float values, vectors and matrices, `!` on bool only (section 5.9).
    """,
)
NOT_COMPARABLE = error(
    "E0404",
    "'{op}' cannot compare values of type {type}",
    """
    Arrays, samplers and structures that contain them cannot be compared (sections 5.7 and 5.9).
    """,
)
BRANCH_TYPES = error(
    "E0405",
    "the two results of '?:' differ in type: {left} and {right}",
    """
    Both results of the selection operator have the same type (section 5.9).
    """,
)
BRANCH_TYPE = error(
    "E0406",
    "'?:' cannot select a value of type {type}",
    """
    The selection operator does not work on arrays, samplers and structures that contain them (sections 4.1.7,
    4.1.8 and 5.9).
    """,
)

# ----------------------------------------------------------------------------------------- l-values
NOT_ASSIGNABLE = error(
    "E0410",
    "{what} cannot be assigned",
    """
    The target of an assignment, of `++` and `--`, and the argument of an `out` parameter is a variable that can be
    written: not a constant, an attribute, a uniform, a `const` parameter, a varying in a fragment shader or a
    read-only built-in variable, nor the result of an operation (section 5.8).
    """,
)
REPEATED_COMPONENT = error(
    "E0411",
    "component '{component}' is written twice",
    """
    A swizzle with a repeated component cannot be assigned (section 5.5).
    """,
)
NOT_COPYABLE = error(
    "E0412",
    "values of type {type} cannot be assigned",
    """
    Arrays, samplers and structures that contain them cannot be copied by assignment (sections 4.1.7, 5.7 and 5.8).
    Copy the elements of an array one by one.
    """,
)
BOTH_COLOUR_OUTPUTS = error(
    "E0413",
    "a shader can write gl_FragColor or gl_FragData, not both",
    """
    A fragment shader that assigns to gl_FragColor anywhere cannot assign to gl_FragData, and the other way round
    (section 7.2). Code that is never called counts too.
    """,
)

# ------------------------------------------------------------------------------ fields and indices
NO_FIELDS = error(
    "E0420",
    "{type} has no fields or components",
    """
    `.` selects a member of a structure or components of a vector (sections 5.5 and 5.6).
    """,
)
NO_SUCH_FIELD = error(
    "E0421",
    "{type} has no member '{name}'",
    """
    The structure was declared without this member.
    """,
)
BAD_SWIZZLE = error(
    "E0422",
    "'{name}' does not select components of {type}: {reason}",
    """
    A swizzle takes one to four letters of one set, xyzw, rgba or stpq, that exist in the vector
    (section 5.5).
    """,
)
NOT_INDEXABLE = error(
    "E0423",
    "{type} cannot be indexed",
    """
    `[]` works on arrays, vectors and matrices (sections 5.5 to 5.7).
    """,
)
INDEX_TYPE = error(
    "E0424",
    "an index must be int, found {found}",
    """
    Array elements, vector components and matrix columns are selected by an int (sections 5.5 to 5.7).
    """,
)
INDEX_RANGE = error(
    "E0425",
    "index {index} is outside {type}, whose indices are 0 to {last}",
    """
    A constant index must be inside the array, vector or matrix (sections 4.1.9, 5.5 and 5.6).
    """,
)

UNSIZED_ARRAY = error(
    "E0428",
    "the array has no size yet",
    """
    An array that is declared without a size gets one by a second declaration, or by the largest constant index that is
    used. Before the second declaration nothing but elements with constant indices can be named (section 4.1.9).

        float weights[];
        weights[1] = 0.5;
        float weights[2];         // from here on it can be passed on, or indexed by a variable
    """,
)
SAMPLER_INDEX = error(
    "E0426",
    "a sampler in an array must be selected by a constant",
    """
    From GLSL ES 3.00 and GLSL 1.30 on, arrays of samplers take only indices that are constant expressions
    (section 4.1.7). Unroll the loop, or choose by 'if' or 'switch':

        color = layer == 0 ? texture(layers[0], uv) : texture(layers[1], uv);
    """,
)
NO_LENGTH = error(
    "E0427",
    "{type} has no length()",
    """
    The method length() tells how many elements an array has (section 4.1.9). The geometric length of a vector is the
    function length(v).
    """,
)

# ------------------------------------------------------------------------------------------- calls
ARGUMENT_COUNT = error(
    "E0430",
    "'{name}' takes {expected}, found {found}",
    """
    A call passes exactly one argument for each parameter (section 6.1).
    """,
)
ARGUMENT_TYPE = error(
    "E0431",
    "argument {index} of '{name}' must be {expected}, found {found}",
    """
    Arguments match the types of parameters exactly; there are no implicit conversions (section 6.1).
    """,
)
NO_OVERLOAD = error(
    "E0432",
    "no overload of '{name}' takes ({types})",
    """
    The function exists with other parameter types. Types must match exactly; there are no implicit conversions
    (section 6.1).
    """,
)
AMBIGUOUS_CALL = error(
    "E0433",
    "the call of '{name}' with ({types}) is ambiguous",
    """
    In desktop GLSL more than one overload fits after converting int arguments to float.
    """,
)
VOID_ARGUMENT = error(
    "E0434",
    "a call of a void function has no value",
    """
    The function returns nothing, so its call cannot be an operand, argument or initializer (section 4.1.1).
    """,
)

OFFSET_NOT_CONSTANT = error(
    "E0435",
    "the offset of a texture lookup must be a constant expression",
    """
    The offset in texels is part of the instruction of a machine (GLSL ES 3.00 section 8.8). Where it varies, add it to
    the coordinate, divided by the size of the texture.
    """,
)
OFFSET_RANGE = error(
    "E0436",
    "the offset of a texture lookup must be from {first} to {last}",
    """
    Implementations need not support other offsets than gl_MinProgramTexelOffset to gl_MaxProgramTexelOffset (GLSL ES
    3.00 section 8.8).
    """,
)

# ------------------------------------------------------------------------------------ constructors
NOT_CONSTRUCTIBLE = error(
    "E0440",
    "{type} cannot be constructed",
    """
    Constructors exist for scalars, vectors, matrices and structures without arrays and samplers (section 5.4).
    """,
)
CONSTRUCTOR_EMPTY = error(
    "E0441",
    "the constructor of {type} needs arguments",
    """
    A constructor cannot be called without arguments (section 5.4).
    """,
)
CONSTRUCTOR_TOO_FEW = error(
    "E0442",
    "{type} needs {needed} components, found {found}",
    """
    The arguments of a vector or matrix constructor provide at least as many components as it has, unless it has one
    scalar argument (section 5.4.2).
    """,
)
CONSTRUCTOR_UNUSED = error(
    "E0443",
    "{type} is complete before this argument",
    """
    Every argument of a constructor must provide at least one component (sections 5.4 and 5.4.2).
    """,
)
CONSTRUCTOR_ARGUMENT = error(
    "E0444",
    "{type} cannot be constructed from {found}",
    """
    Scalars, vectors and matrices are constructed from scalars, vectors and matrices (section 5.4).
    """,
)
MATRIX_FROM_MATRIX = error(
    "E0445",
    "a matrix among the arguments of {type} must be the only one",
    """
    A matrix can be constructed from one matrix, or from scalars and vectors (section 5.4.2).
    """,
)

# -------------------------------------------------------------------------------------- statements
RETURN_VALUE = error(
    "E0450",
    "'{name}' returns void, so 'return' takes no value",
    """
    A function declared `void` returns nothing (section 6.4).
    """,
)
RETURN_NOTHING = error(
    "E0451",
    "'{name}' must return a value of type {expected}",
    """
    A function that is not void returns a value of its result type (section 6.4).
    """,
)
NEVER_RETURNS = warning(
    "W0454",
    "return",
    "'{name}' should return a value of type {expected}, but has no return statement",
    """
    The value of a function that ends without executing a return statement is undefined (section 6.1).
    """,
)
MAY_NOT_RETURN = warning(
    "W0455",
    "return",
    "'{name}' may end without returning a value of type {expected}",
    """
    On some path control reaches the end of the function. The value of a function that ends without executing a
    return statement is undefined (section 6.1).

        float sign_of(float x) { if (x > 0.0) return 1.0; else if (x < 0.0) return -1.0; }      // 0.0?
    """,
)
SWITCH_TYPE = error(
    "E0456",
    "'switch' takes a scalar int or uint, found {found}",
    """
    The value that chooses among the labels is a scalar integer, and so is every label, of the same type (section 6.2).
    """,
)
CASE_VALUE = error(
    "E0457",
    "a label needs a constant of type {expected}",
    """
    What follows `case` is a constant expression of the same type as the value in the parentheses of `switch`: 1u where
    that is uint (section 6.2).
    """,
)
DUPLICATE_LABEL = error(
    "E0458",
    "this 'switch' has the label {label} already",
    """
    Every value occurs in one label at most, and so does `default` (section 6.2).
    """,
)
MISPLACED_LABEL = error(
    "E0459",
    "a label belongs directly in the braces of a 'switch'",
    """
    `case` and `default` cannot stand outside a `switch`, nor in a block or a branch within one (section 6.2).
    """,
)
BEFORE_LABEL = error(
    "E0464",
    "no label leads to this statement",
    """
    The first thing in the braces of a `switch` is a label (section 6.2).
    """,
)
NOTHING_AFTER_LABEL = error(
    "E0465",
    "a statement must follow the last label",
    """
    Between the last label of a `switch` and its closing brace there is at least one statement; `break;` will do
    (section 6.2).
    """,
)
OUTSIDE_LOOP = error(
    "E0452",
    "'{kind}' outside a loop",
    """
    `break` and `continue` belong in the body of a loop (section 6.4).
    """,
)
DISCARD_STAGE = error(
    "E0453",
    "'discard' outside a fragment shader",
    """
    `discard` abandons the current fragment, so it exists in fragment shaders only (section 6.4).
    """,
)

# ---------------------------------------------------------------------------------------- literals
INT_TOO_LARGE = warning(
    "W0460",
    "literal",
    "the int literal does not fit into 32 bits and becomes {wrapped}",
    """
    An int literal is taken modulo 2 to the 32 and read as a signed value.
    """,
)
INT_OVERFLOW = error(
    "E0463",
    "the integer literal does not fit into 32 bits",
    """
    Integers have 32 bits; a literal may be any pattern of them, up to 4294967295 or 0xFFFFFFFF (section 4.1.3).
    """,
)
FLOAT_OVERFLOW = warning(
    "W0461",
    "literal",
    "{value} is larger than any float and becomes infinity",
    """
    The literal lies outside the range of a 32-bit float.
    """,
)
DIVISION_BY_ZERO = warning(
    "W0462",
    "division-by-zero",
    "division by the constant zero",
    """
    The result of a division by zero is undefined (section 5.9).
    """,
)

# ------------------------------------------------------------------------------- values never given
UNINITIALIZED = warning(
    "W0480",
    "uninitialized",
    "{what} is read before it is written",
    """
    A variable that is declared without a value has an undefined one until it is written (section 4.3). On every path
    to this read nothing writes it.

        float a;
        gl_FragColor = vec4(a);      // whatever the register holds
    """,
)
MAYBE_UNINITIALIZED = warning(
    "W0481",
    "uninitialized",
    "{what} may be read before it is written",
    """
    On some path to this read nothing writes the variable, so that its value is undefined there (section 4.3).

        float a;
        if (uv.x > 0.5) a = 1.0;
        gl_FragColor = vec4(a);      // undefined where uv.x is 0.5 or less

    Conditions are not compared: give the variable a value where it is declared, which costs nothing where it is
    written on every path that matters.
    """,
)
UNWRITTEN_OUTPUT = warning(
    "W0482",
    "unwritten-output",
    "the shader never writes {name}",
    """
    The position of a vertex that the shader does not write is undefined (section 7.1), and so is the color of a
    fragment, unless it is discarded (section 7.2).
    """,
)

# --------------------------------------------------------------------- portability (Appendix A)
LOOP_PORTABILITY = warning(
    "W0470",
    "portability",
    "not every implementation supports this loop: {reason}",
    """
    Appendix A, section 4, requires implementations to support only loops of the form

        for (int i = constant; i < constant; i += constant) ...

    with an int or float index that the body does not change. WebGL enforces this form.
    """,
)
INDEX_PORTABILITY = warning(
    "W0471",
    "portability",
    "not every implementation supports an index that is not made of constants and loop indices",
    """
    Appendix A, section 5, requires implementations to support arbitrary indices only on uniforms (other than samplers)
    in vertex shaders. Everywhere else an index made of constants and the indices of loops is portable. WebGL enforces
    this.
    """,
)
