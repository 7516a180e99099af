"""Messages of the GLSL parser (E02xx)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error, warning

UNEXPECTED_TOKEN = error(
    "E0201",
    "expected {expected}, found {found}",
    """
    The grammar of GLSL (chapter 9) does not allow this token here:

        float a = 1.0 + ;      // an expression must follow '+'

    A missing ';' is reported at the end of the token after which it belongs.
    """,
)

UNCLOSED_BRACKET = error(
    "E0202",
    "expected '{closer}', found {found}",
    """
    A '(', '[' or '{{' that was opened earlier is still open where something else begins:

        gl_Position = vec4(position, 1.0;      // ')' is missing before ';'
    """.replace("{{", "{"),
)

UNMATCHED_BRACE = error(
    "E0203",
    "'}}' closes nothing",
    """
    Every '{' before this '}' is closed already.  Either this brace is one too many, or an
    earlier one closes a block too soon.
    """,
)

RESERVED_WORD = error(
    "E0204",
    "'{word}' is a reserved word in {language}",
    """
    Section 3.6 keeps some words for future versions; a shader must not use them at all, neither
    as names nor with the meaning they have in other languages:

        double x;        // use float
        int input;       // choose another name
    """,
)

RESERVED_OPERATOR = error(
    "E0205",
    "operator '{operator}' is reserved in {language}",
    """
    Up to GLSL ES 1.00 and GLSL 1.20, section 5.1 reserves the modulus, shift and bit-wise operators
    (% ~ << >> & ^ | and their assignments).  Floating-point arithmetic can express them:

        int odd = n - (n / 2) * 2;            // n % 2
        float wrapped = mod(x, 4.0);          // x % 4.0
    """,
)

NESTING_TOO_DEEP = error(
    "E0206",
    "nesting deeper than {limit} levels",
    """
    Parentheses, brackets, calls, unary operators, conditional operators and blocks may be nested
    256 deep, together.  Split the expression by local variables or move a block to a function.
    """,
)

CHAIN_TOO_LONG = error(
    "E0207",
    "{chain} with more than {limit} {links}",
    """
    One expression may have 4096 operators, and one statement 4096 'else if' branches.  Split the
    expression by local variables, or the chain by functions.
    """,
)

LOCAL_FUNCTION = error(
    "E0208",
    "functions can only be defined at global scope",
    """
    GLSL ES 1.00 has no nested functions (section 6.1).  Often the function is meant to be
    global, and a '}' of the function above it is missing.
    """,
)

ARRAY_INITIALIZER = error(
    "E0209",
    "an array cannot have an initializer in {language}",
    """
    GLSL ES 1.00 and GLSL 1.10 have no array constructors and no initializer lists (section 4.1.9).  Declare the
    array, then assign its elements:

        float weights[2];
        weights[0] = 0.25;
        weights[1] = 0.75;
    """,
)

INITIALIZER_LIST = error(
    "E0210",
    "initializer lists do not exist in {language}",
    """
    A braced list cannot initialize a variable.  Use a constructor:

        vec2 a = vec2(1.0, 2.0);       // not { 1.0, 2.0 }
    """,
)

ELSE_WITHOUT_IF = error(
    "E0211",
    "'else' without 'if'",
    """
    An 'else' belongs to the statement directly before it, which must be an 'if'.  Often braces are
    missing around several statements, or a ';' ends the 'if' too soon.
    """,
)

EMPTY_STRUCT = error(
    "E0212",
    "a structure needs at least one member",
    """
    The grammar (chapter 9, struct_declaration_list) requires at least one member:

        struct Light { vec3 position; };
    """,
)

EMPTY_BLOCK = error(
    "E0219",
    "a block needs at least one member",
    """
    The grammar asks for at least one member (GLSL ES 3.00 chapter 9, single_declaration of a block):

        uniform Camera { mat4 view; };
    """,
)

ARRAY_TYPE = error(
    "E0213",
    "a type has no array size in {language}",
    """
    In GLSL ES 1.00 and GLSL 1.10 the brackets follow the variable (section 4.1.9):

        float weights[4];      // not float[4] weights
    """,
)

ARRAY_CONSTRUCTOR = error(
    "E0214",
    "array constructors do not exist in {language}",
    """
    In GLSL ES 1.00 and GLSL 1.10 arrays are filled element by element (section 4.1.9):

        float weights[2];
        weights[0] = 0.25;
        weights[1] = 0.75;
    """,
)

EMPTY_BODY = warning(
    "W0202",
    "empty-body",
    "this ';' is all that the {statement} governs",
    """
    A ';' directly behind the ')' is an empty statement, so that what follows is no part of the loop or the branch:

        for (int i = 0; i < 4; i++);     // nothing, four times
        {
            sum += weights[i];           // once
        }

    Remove it.  A body that is meant to be empty is written '{}'.
    """,
)
EXTRA_SEMICOLON = warning(
    "W0201",
    "extra-semicolon",
    "extra ';' outside of a function",
    """
    The grammar of GLSL ES 1.00 has no empty declaration, though most compilers accept one, often
    after the '}' of a function.  Remove it to be portable.
    """,
)
