"""Messages about names: declarations, scopes, storage qualifiers and layouts (E03xx, W03xx)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error, warning

# ----------------------------------------------------------------------------- looking names up
UNDECLARED_NAME = error(
    "E0301",
    "'{name}' is not declared",
    """
    Every name must be declared before it is used, in the scope of the use or in an enclosing one
    (GLSL ES 1.00 chapter 4 and section 4.2.2).

        void main() {
            gl_FragColor = colour;   // error: 'colour' is not declared before this line
        }
    """,
)
UNKNOWN_TYPE = error(
    "E0302",
    "there is no type '{name}'",
    """
    The name is neither a built-in type nor a structure declared before this line. Structures are
    declared before use (section 4.1.8).

        struct Light { vec3 position; };
        uniform Light light;
    """,
)
NOT_A_VARIABLE = error(
    "E0303",
    "'{name}' is a {what}, not a variable",
    """
    Variables, functions and structure types share one name space (section 4.2.6); the name found
    in this scope is not a value.
    """,
)
NOT_A_FUNCTION = error(
    "E0304",
    "'{name}' is a {what}, not a function",
    """
    A variable hides a function or structure of the same name in the enclosing scopes
    (section 4.2.2), so it cannot be called here.
    """,
)
NOT_IN_STAGE = error(
    "E0305",
    "'{name}' does not exist in {stage} shaders",
    """
    Some built-in variables and functions belong to one shader stage (chapters 7 and 8):
    gl_Position to vertex shaders, gl_FragColor and the derivatives to fragment shaders,
    texture lookups with an explicit level of detail to vertex shaders.
    """,
)
NEEDS_EXTENSION = error(
    "E0306",
    "'{name}' needs the extension {extension}",
    """
    The name belongs to an extension that the shader has not enabled (section 3.4). Enable it at the
    top of the shader:

        #extension GL_OES_standard_derivatives : enable
    """,
)
NEEDS_GEOMETRY_PRAGMA = error(
    "E0308",
    "'{name}' needs the pragma that says what the geometry shader takes",
    """
    GLSL ES 1.00 has no geometry shaders; a pragma declares them. It names the primitive whose vertices a run gets, or
    their number:

        #pragma geometry(triangles)
        attribute vec4 v_color[3];
        varying vec4 color;
        void main() {
            for (int i = 0; i < 3; i++) { gl_Position = gl_PositionIn[i]; color = v_color[i]; EmitVertex(); }
            EndPrimitive();
        }
    """,
)
PRIMITIVE_INPUT = error(
    "E0309",
    "geometry shader input '{name}' must be an array of {expected} floats, vectors or matrices, found {found}",
    """
    The inputs of a geometry shader are declared as attributes with one element for each vertex; the pragma says how
    many there are:

        #pragma geometry(triangles)
        attribute vec4 v_color[3];
    """,
)
EXTENSION_WARNING = warning(
    "W0307",
    "extension",
    "'{name}' belongs to the extension {extension}, which is set to warn",
    """
    `#extension name : warn` enables an extension and gives a warning wherever it is used
    (section 3.4).
    """,
)

# -------------------------------------------------------------------------------- declaring names
REDECLARED = error(
    "E0310",
    "'{name}' is already declared in this scope as a {what}",
    """
    A name can be declared once in a scope; variables, functions and structure types share one name
    space (sections 4.2.6 and 4.2.7). A nested scope may hide it. The variable of a loop header is in the scope
    of the loop's body.
    """,
)
RESERVED_PREFIX = error(
    "E0311",
    "names that begin with '{prefix}' are reserved",
    """
    Identifiers that begin with `gl_` are reserved for OpenGL ES (section 3.8).
    """,
)
RESERVED_UNDERSCORES = warning(
    "W0312",
    "reserved-names",
    "names that contain two consecutive underscores are reserved",
    """
    Section 3.7 keeps names with `__` for future keywords. Some drivers reject them.
    """,
)
WEBGL_NAME = warning(
    "W0313",
    "portability",
    "WebGL reserves names that begin with '{prefix}'",
    """
    The WebGL specification reserves identifiers beginning with `webgl_` and `_webgl_`.
    """,
)
VOID_VARIABLE = error(
    "E0314",
    "'{name}' cannot have the type void",
    """
    `void` is only the result type of a function that returns nothing, or an empty parameter list
    (section 4.1.1).
    """,
)

# -------------------------------------------------------------------------------------- functions
FUNCTION_REDEFINED = error(
    "E0320",
    "'{signature}' is already defined",
    """
    A function with given parameter types has one definition (section 6.1). Overloads differ in the
    types of their parameters; qualifiers and the result type do not count.
    """,
)
PROTOTYPE_REPEATED = error(
    "E0321",
    "'{signature}' is already declared",
    """
    In GLSL ES 1.00 a function can be declared once by a prototype and defined once (section 4.2.7).
    """,
)
FUNCTION_MISMATCH = error(
    "E0322",
    "'{signature}' was declared before with another {what}",
    """
    Prototype and definition agree in the result type, its precision, and the type, qualifiers
    and precision of each parameter (section 6.1). Overloads must differ in parameter types.
    """,
)
BUILTIN_REDEFINED = error(
    "E0323",
    "'{signature}' is a built-in function and cannot be declared again",
    """
    A shader can add overloads with other parameter types to a built-in function, but not redefine it
    (chapter 8).
    """,
)
LOCAL_FUNCTION = error(
    "E0324",
    "functions can only be declared at global scope",
    """
    A prototype inside a function is not allowed (section 4.2.6).
    """,
)
MAIN_SIGNATURE = error(
    "E0325",
    "main must be declared as 'void main()'",
    """
    The entry point takes no parameters and returns nothing (section 6.1).
    """,
)
RECURSION = error(
    "E0326",
    "'{name}' calls itself{through}",
    """
    Recursion is not allowed, not even statically: no chain of calls may lead from a function back to it,
    whether or not it would run (section 6.1).
    """,
)
UNDEFINED_FUNCTION = error(
    "E0327",
    "'{signature}' is called but has no definition",
    """
    The function is only declared by a prototype. Everything that `main` may call needs a body in the
    same shader.
    """,
)
NO_MAIN = error(
    "E0328",
    "the shader has no function main",
    """
    A shader starts in `void main()`.
    """,
)
RESULT_TYPE = error(
    "E0329",
    "functions cannot return {what}",
    """
    The result type of a function can be neither an array nor a structure that contains one, nor
    a sampler (sections 4.1.7 and 6.1). Use an `out` parameter.
    """,
)

# ------------------------------------------------------------------------------------- qualifiers
QUALIFIER_ORDER = error(
    "E0330",
    "'{later}' must come before '{earlier}'",
    """
    The order of qualifiers is fixed (section 4.7): `invariant`, then storage (`const`, `attribute`,
    `uniform`, `varying`), then precision; for parameters `const`, then `in`, `out` or `inout`, then precision.
    """,
)
QUALIFIER_CONFLICT = error(
    "E0331",
    "'{second}' cannot be combined with '{first}'",
    """
    A declaration takes at most one qualifier of each kind (section 4.3).
    """,
)
QUALIFIER_NOT_ALLOWED = error(
    "E0332",
    "'{qualifier}' cannot be used on {what}",
    """
    Each kind of declaration takes its own qualifiers (sections 4.3 to 4.6): attributes, uniforms and
    varyings are global; `in`, `out` and `inout` belong to parameters; members of a structure take only
    a precision; `attribute` belongs to vertex shaders.
    """,
)
STORAGE_TYPE = error(
    "E0333",
    "{storage} '{name}' cannot have the type {type}",
    """
    Attributes are float, vectors of float or matrices, varyings these or arrays of them (sections 4.3.3 and
    4.3.5). Samplers can only be uniforms or function parameters (section 4.1.7).
    """,
)
INVARIANT_TARGET = error(
    "E0334",
    "'{name}' cannot be declared invariant",
    """
    Only outputs of a shader, and the varyings that a fragment shader reads, can be invariant (section 4.6.1).
    """,
)
INVARIANT_SCOPE = error(
    "E0335",
    "'invariant' can only be declared at global scope",
    """
    The declaration `invariant name;` must be outside all functions (section 4.6.1).
    """,
)
INVARIANT_AFTER_USE = error(
    "E0336",
    "'{name}' must be declared invariant before it is used",
    """
    The declaration `invariant name;` must come before the first use of the name (section 4.6.1).
    """,
)
UNKNOWN_LAYOUT = error(
    "E0338",
    "there is no layout qualifier '{name}'",
    """
    `layout(location = n)` pins an attribute, varying or uniform to a register or slot; in GLSL ES 1.00 it is the only
    layout qualifier. Uniform blocks take shared, packed, std140, row_major and column_major (GLSL ES 3.00
    section 4.3.8).
    """,
)
COORDINATE_AFTER_USE = error(
    "E0385",
    "gl_FragCoord is declared again after its first use",
    """
    A shader that declares gl_FragCoord with a layout does so before it uses it (GLSL 1.50 section 4.3.8.1).

        layout(origin_upper_left) in vec4 gl_FragCoord;
    """,
)
COORDINATE_MISMATCH = error(
    "E0386",
    "gl_FragCoord is declared again with other layout qualifiers",
    """
    All declarations of gl_FragCoord have the same layout qualifiers (GLSL 1.50 section 4.3.8.1).

        layout(origin_upper_left) in vec4 gl_FragCoord;
        in vec4 gl_FragCoord;                                // error
    """,
)
LAYOUT_PLACE = error(
    "E0370",
    "the layout qualifier '{name}' belongs to {place}",
    """
    Locations pin the inputs of vertex shaders and the outputs of fragment shaders; how matrices are stored is said of
    uniform blocks and their members, how members are packed of whole blocks (GLSL ES 3.00 section 4.3.8); where
    coordinates begin is said of gl_FragCoord (GLSL 1.50 section 4.3.8.1).

        layout(location = 0) in vec4 position;
        layout(std140) uniform Camera { layout(row_major) mat4 view; };
    """,
)
BAD_LAYOUT_DEFAULT = error(
    "E0371",
    "a declaration without a type and a name can only set the layout of uniform blocks",
    """
    At global scope, what holds for the uniform blocks that follow is declared like this (GLSL ES 3.00
    section 4.3.8.3):

        layout(std140, row_major) uniform;
    """,
)
FLAT_NEEDED = error(
    "E0372",
    "'{name}' must be flat, since {type} is not interpolated",
    """
    Ints have no values between those of the vertices: what passes them between stages is declared flat, and has the
    value of one vertex everywhere (GLSL ES 3.00 sections 4.3.4 and 4.3.6).

        flat out int material;      // vertex shader
        flat in int material;       // fragment shader
    """,
)
BLOCK_SCOPE = error(
    "E0373",
    "blocks can only be declared at global scope",
    """
    An interface block is part of what a shader shares with others (GLSL ES 3.00 section 4.3.7).
    """,
)
BLOCK_STORAGE = error(
    "E0374",
    "the block '{name}' needs the word uniform, in or out",
    """
    A block is one of uniforms, or of what flows between stages (GLSL ES 3.00 section 4.3.7, GLSL 1.50 section 4.3.7).

        uniform Camera { mat4 view; };
    """,
)
NO_BLOCKS = error(
    "E0375",
    "{language} has no {what}",
    """
    Uniform blocks exist from GLSL ES 3.00 and GLSL 1.40 on, blocks of inputs and outputs from GLSL 1.50 on.
    """,
)
BLOCK_OF = error(
    "E0376",
    "{what} cannot be in a block",
    """
    Blocks of inputs and outputs are what flows from one stage to the next (GLSL 1.50 section 4.3.7).
    """,
)
SECOND_INSTANCE = error(
    "E0377",
    "the block '{name}' has one instance name only",
    """
    After its members, a block may have one name, which may be that of an array (GLSL ES 3.00 section 4.3.7).

        uniform Light { vec4 colour; } lights[2];
    """,
)
BUILTIN_BLOCK_MEMBER = error(
    "E0378",
    "'{name}' is no output that gl_PerVertex can have here",
    """
    The block of built-in outputs may be declared again with some of its members (GLSL 1.50 section 7.1).

        out gl_PerVertex { vec4 gl_Position; };
    """,
)
LOCATIONS_NEEDED = error(
    "E0379",
    "output '{name}' needs a location, since there are several outputs",
    """
    Where a fragment shader has more than one output, each says where it goes (GLSL ES 3.00 section 4.3.8.2).

        layout(location = 0) out vec4 colour;
        layout(location = 1) out vec4 normal;
    """,
)
LOCATION_RANGE = error(
    "E0382",
    "output '{name}' ends at location {last}, but there are {limit}",
    """
    The locations of fragment outputs are below gl_MaxDrawBuffers (GLSL ES 3.00 section 4.3.8.2).
    """,
)
MIXED_OUTPUTS = error(
    "E0383",
    "output '{name}' cannot be written beside {builtin}",
    """
    A fragment shader writes either gl_FragColor, gl_FragData or outputs of its own (GLSL 1.30 section 7.2).
    """,
)
INVARIANT_PRAGMA = error(
    "E0384",
    "'#pragma STDGL invariant(all)' belongs to vertex shaders",
    """
    The pragma declares all outputs of a vertex shader invariant; in a fragment shader it is an error (GLSL ES 3.00
    section 4.6.1).
    """,
)
BLOCK_INDEX = error(
    "E0380",
    "an array of blocks needs a constant index",
    """
    Each block of the array is a buffer of its own: which one is meant must be known to the compiler
    (GLSL ES 3.00 section 4.3.7).
    """,
)
BAD_LOCATION = error(
    "E0339",
    "a location must be a constant int of 0 or more",
    """
    `layout(location = n)` takes a constant expression of type int that is not negative.
    """,
)

# -------------------------------------------------------------------------------------- precision
NO_PRECISION = error(
    "E0340",
    "'{name}' has no precision, and {type} has no default precision here",
    """
    Fragment shaders have no default precision for float (section 4.5.3): qualify the declaration or set a
    default at the top of the shader.

        precision mediump float;
    """,
)
PRECISION_TYPE = error(
    "E0341",
    "{type} takes no precision",
    """
    Precision qualifiers apply to float, int and sampler types and to vectors, matrices and arrays of these
    (section 4.5.2), not to bool or structures.
    """,
)
DEFAULT_PRECISION_TYPE = error(
    "E0342",
    "a default precision can be set for float, int and sampler types, not for {type}",
    """
    `precision mediump float;` covers vectors and matrices of float too, `precision mediump int;` vectors of int
    (section 4.5.3).
    """,
)

# ------------------------------------------------------------------------- structures and arrays
NESTED_STRUCT = error(
    "E0350",
    "a structure cannot be declared inside a structure",
    """
    GLSL ES 1.00 does not support embedded structure definitions (section 4.1.8). Declare the inner structure first.
    """,
)
STRUCT_IN_SIGNATURE = error(
    "E0351",
    "a structure cannot be declared in a function's {where}",
    """
    Section 6.1.1 does not permit it: declare the structure before the function.
    """,
)
DUPLICATE_MEMBER = error(
    "E0352",
    "the structure already has a member '{name}'",
    """
    Member names are unique within a structure (section 4.1.8).
    """,
)
ARRAY_SIZE_MISSING = error(
    "E0353",
    "array '{name}' needs a size",
    """
    GLSL ES 1.00 has no unsized arrays (section 4.1.9).
    """,
)
ARRAY_OF_ARRAYS = error(
    "E0359",
    "arrays of arrays do not exist in this version of GLSL",
    """
    An array's elements are no arrays (section 4.1.9). Use one longer array, or an array of structures:

        float grid[2][3];         // error
        float grid[6];            // element (x, y) is grid[y * 3 + x]
    """,
)
ARRAY_SIZE_NOT_CONSTANT = error(
    "E0354",
    "the size of an array must be a constant int expression",
    """
    The size is made of literals and `const` variables (sections 4.1.9 and 5.10). A function parameter is
    never constant, not even a `const` one.
    """,
)
ARRAY_SIZE_RANGE = error(
    "E0355",
    "an array cannot have {size} elements",
    """
    The size of an array is at least 1 (section 4.1.9); at most 65536 elements are supported.
    """,
)
TYPE_TOO_LARGE = error(
    "E0357",
    "'{name}' has {count} parts, more than the supported {limit}",
    """
    Arrays of structures with arrays multiply; a variable of this size fits no target.
    """,
)
STRUCT_TOO_DEEP = error(
    "E0358",
    "structures nested more than {limit} deep are not supported",
    """
    The specification sets no limit; WebGL's is 4.
    """,
)
STRUCT_NESTING = warning(
    "W0356",
    "portability",
    "structures nested more than {limit} deep are not portable",
    """
    WebGL bounds the nesting of structures at 4 levels.
    """,
)

PARAMETER_HIDDEN = warning(
    "W0315",
    "shadow",
    "'{name}' hides the parameter of that name",
    """
    In GLSL ES 1.00 a function's body is a scope inside that of its parameters (section 4.2.2), so a local variable may
    have the name of one. From GLSL ES 3.00 on they share a scope, and this is an error; some drivers report it here,
    too. Rename the variable.

        float half_of(float x) { float x = 0.5; return x; }      // warning: returns 0.5
    """,
)

# ------------------------------------------------------------------------------------ initialisers
INITIALIZER_NOT_ALLOWED = error(
    "E0360",
    "{what} '{name}' cannot have an initializer",
    """
    Attributes, uniforms and varyings get their values from outside, and GLSL ES 1.00 has no
    initializers for arrays or structures that contain arrays (sections 4.1.9 and 4.3). In desktop GLSL from 1.20 on
    the initializer of a uniform is its value until the host sets another one.
    """,
)
CONST_WITHOUT_VALUE = error(
    "E0361",
    "const '{name}' needs an initializer",
    """
    A `const` variable gets its value where it is declared (section 4.3.2). Arrays cannot be const, because
    GLSL ES 1.00 has no array constructors.
    """,
)
NOT_CONSTANT = error(
    "E0362",
    "the initializer of {what} '{name}' must be a constant expression",
    """
    Constant expressions (section 5.10) are made of literals, `const` variables, constructors, operators and
    built-in functions other than texture lookups. Variables, parameters, uniforms and calls of the shader's own
    functions are not constant. In GLSL ES 1.00 the initializer of a global variable must be constant too (section 4.3).
    """,
)
GLOBAL_INITIALIZER = warning(
    "W0363",
    "global-initializer",
    "the initializer of global '{name}' is not a constant expression",
    """
    Only WebGL and desktop GLSL accept global initializers that are not constant expressions (section 4.3).
    """,
)

# -------------------------------------------------------------------------- glslc-multi port
PORT_RENAMED = warning(
    "W0364",
    "port",
    "'{name}' is '{new}' in the result, since the version keeps that name for itself",
    """
    `glslc-multi port` renames what the other version has as a keyword, a reserved word or a built-in function. Where
    the name is that of a uniform, an attribute or a varying, the host and the other stage must use the new one.
    """,
)
