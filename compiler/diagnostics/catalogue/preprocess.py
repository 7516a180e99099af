"""Messages of the preprocessor: directives, macros, includes, versions and extensions (E01xx, W01xx)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error, warning

# ------------------------------------------------------------------------------------ characters
INVALID_CHARACTER = error(
    "E0101",
    "character {character} is not allowed in a shader",
    """
    GLSL ES 1.00 section 3.1 lists the characters that a shader may contain: letters, digits, `_`, white space
    and the operators' characters. Others may be in comments only.

        float größe = 1.0;   // error: 'ö' outside a comment
    """,
)

UNTERMINATED_COMMENT = error(
    "E0102",
    "comment is not closed",
    """
    A comment that begins with `/*` ends at the next `*/` (section 3.3); comments do not nest.  Here the file
    ends first.
    """,
)

COMMENT_GOES_ON = warning(
    "W0105",
    "comment",
    "the comment goes on in the next line, since a backslash ends this one",
    """
    A backslash before a line break joins two lines before comments are recognised. GLSL ES 1.00 knows no such thing
    (section 3.1), but WebGL, GLSL ES 3.00 and most drivers do; others end the comment with the line.

        float a = 1.0;      // one \\
        a += 1.0;           // is a part of the comment
    """,
)

NAME_TOO_LONG = error(
    "E0103",
    "name of {length} characters is too long",
    """
    Names may have 1024 characters; WebGL allows 256 (WebGL 1 section 6.21).
    """,
)

MALFORMED_NUMBER = error(
    "E0104",
    "{reason}",
    """
    Section 4.1.2 and 4.1.3 give the forms of numbers: decimal (12), octal (017), hexadecimal (0xff), and
    floating point (1.0, .5, 2., 1e-3).  GLSL ES 1.00 and GLSL 1.10 have no suffixes; later versions have u for
    uints (12u) and f for floats (1.0f).  A name must not touch a number:

        float a = 1.0f;    // 1.0
        int b = 08;        // 8
    """,
)

STRAY_HASH = error(
    "E0105",
    "'{text}' is only allowed at the start of a line",
    """
    A `#` begins a directive and must be the first character of its line other than white space.  GLSL has
    no stringising operator `#` as C has, and the token pasting operator `##` in desktop GLSL from 1.30 on alone.
    """,
)

# ------------------------------------------------------------------------------------ directives
UNKNOWN_DIRECTIVE = error(
    "E0106",
    "unknown directive {found}",
    """
    The directives of GLSL ES 1.00 (section 3.4) are #define, #undef, #if, #ifdef, #ifndef, #else, #elif, #endif,
    #error, #pragma, #extension, #version and #line; #include needs an extension.
    """,
)

EXTRA_TEXT = error(
    "E0107",
    "expected the end of the line after '#{directive}', found {found}",
    """
    Nothing but a comment may follow a complete directive:

        #endif USE_FOG      // write: #endif // USE_FOG
    """,
)

ERROR_DIRECTIVE = error(
    "E0108",
    "#error {text}",
    """
    The shader itself stops the compilation here, usually because a macro is missing or has a value that it does not
    support.
    """,
)

WRONG_STAGE = error(
    "E0109",
    "'#pragma shader_stage' says {pragma}, but the shader is compiled as {stage}",
    """
    `#pragma shader_stage(vertex)` states the stage a shader is written for.  It must agree with the stage that
    the command line or the file name's suffix gives.
    """,
)

BAD_PRAGMA = warning(
    "W0101",
    "unknown-pragma",
    "pragma is not understood and ignored: expected {expected}",
    """
    The language's own pragmas are (section 3.4 and 4.6.1)

        #pragma optimize(on)      #pragma optimize(off)
        #pragma debug(on)         #pragma debug(off)
        #pragma STDGL invariant(all)

    and of geometry shaders

        #pragma geometry(triangles)                              (or points, lines, vertices = n)
        #pragma geometry(fixed, vertices = n)                    (or points, lines, triangles)
        #pragma geometry(variable, vertices = n, most = m)

    Pragmas that begin with another word are left to the target.
    """,
)

# ---------------------------------------------------------------------------------------- macros
EXPECTED_MACRO_NAME = error(
    "E0110",
    "expected a macro name after '#{directive}', found {found}",
    """
    #define, #undef, #ifdef and #ifndef are followed by the name of a macro.
    """,
)

RESERVED_MACRO_NAME = error(
    "E0111",
    "macro name '{name}' is reserved: {reason}",
    """
    A shader must neither define nor undefine the predefined macros (__LINE__, __FILE__, __VERSION__, GL_ES ...),
    `defined`, and names that begin with `GL_` (section 3.4).
    """,
)

PASTE_WITHOUT_OPERAND = error(
    "E0158",
    "'##' has nothing to join on its {side}",
    """
    The operator `##` joins the tokens beside it to one, so it stands between two of them (GLSL 1.30 and later, as in
    C99 section 6.10.3.3):

        #define NAME(n) light ## n      // NAME(2) is light2
    """,
)

PASTE_NO_TOKEN = error(
    "E0159",
    "'{left}' and '{right}' make no token together",
    """
    What the operator `##` joins must be one token: a name, a number or an operator.

        #define BOTH(a, b) a ## b
        BOTH(x, 1)                      // x1
        BOTH(1, +)                      // error: 1+ is two tokens
    """,
)

UNDERSCORES = warning(
    "W0102",
    "reserved-name",
    "macro name '{name}' contains '__', which is reserved",
    """
    Macro names that contain two consecutive underscores are reserved for future use as predefined macros
    (section 3.4).
    """,
)

MACRO_REDEFINED = error(
    "E0112",
    "macro '{name}' is defined again with another text",
    """
    A macro may be defined again only with the same parameters and the same text, where white space must be in the
    same places.  Use #undef first to change a macro.
    """,
)

MACRO_PARAMETERS = error(
    "E0113",
    "expected {expected} in the parameter list of macro '{name}', found {found}",
    """
    The parameters of a macro are names, separated by commas, in parentheses that follow the macro's name without
    white space:

        #define SQUARE(x) ((x) * (x))
    """,
)

DUPLICATE_PARAMETER = error(
    "E0114",
    "macro '{name}' has two parameters '{parameter}'",
    """
    The parameters of a macro must have different names.
    """,
)

ARGUMENTS_NOT_CLOSED = error(
    "E0115",
    "the argument list of macro '{name}' is not closed",
    """
    The arguments of a macro may extend over several lines, but the parenthesis must be closed before the file, or
    the directive that uses the macro, ends.
    """,
)

ARGUMENT_COUNT = error(
    "E0116",
    "macro '{name}' takes {wanted}, found {found}",
    """
    A use of a macro must give as many arguments as its definition has parameters.  Commas inside parentheses do
    not separate arguments.
    """,
)

TOO_MANY_TOKENS = error(
    "E0119",
    "the shader and what it includes have more than {limit} tokens",
    """
    Words, numbers and operators are counted before macros are expanded, those of groups that `#if` leaves out as well.
    Shaders written by hand have a hundredth of that; this may be another kind of file.
    """,
)

EXPANSION_TOO_LARGE = error(
    "E0117",
    "macros expand to more than {limit} tokens",
    """
    The macros of this shader multiply each other beyond any useful size:

        #define A B B
        #define B C C      // each level doubles the text
    """,
)

EXPANSION_TOO_DEEP = error(
    "E0118",
    "macros are nested more than {limit} levels deep",
    """
    A macro's text or arguments use other macros, whose texts and arguments use others, and so on; the depth of
    this is limited.
    """,
)

# ---------------------------------------------------------------------------------- conditionals
NO_OPEN_IF = error(
    "E0120",
    "'#{directive}' without '#if'",
    """
    #elif, #else and #endif belong to an #if, #ifdef or #ifndef before them in the same file.
    """,
)

AFTER_ELSE = error(
    "E0121",
    "'#{directive}' after '#else'",
    """
    #else is the last branch of a conditional group; only #endif may follow it.
    """,
)

IF_NOT_CLOSED = error(
    "E0122",
    "'#{directive}' is not closed by '#endif'",
    """
    Every #if, #ifdef and #ifndef needs an #endif in the same file.
    """,
)

EXPECTED_IN_EXPRESSION = error(
    "E0123",
    "expected {expected}, found {found}",
    """
    The expressions of #if, #elif and #line (section 3.4) consist of int literals, `defined`, parentheses, and the
    operators + - ~ ! * / % << >> < > <= >= == != & ^ | && ||.
    """,
)

UNDEFINED_IN_CONDITION = error(
    "E0124",
    "'{name}' is not a defined macro",
    """
    Unlike in C, a name that is no macro does not count as 0 in #if and #elif (section 3.4).  Test it first:

        #if defined(QUALITY) && QUALITY > 1
    """,
)

DIVISION_BY_ZERO = error(
    "E0125",
    "division by zero",
    """
    The right operand of / or % in an expression of the preprocessor is 0.
    """,
)

SHIFT_COUNT = error(
    "E0126",
    "shift by {count}, expected 0 to 63",
    """
    The preprocessor calculates with 64-bit ints; shifting by a negative number or by more bits has no meaning.
    """,
)

INT_TOO_LARGE = error(
    "E0127",
    "number is too large",
    """
    The preprocessor calculates with 64-bit ints.
    """,
)

EXPRESSION_TOO_DEEP = error(
    "E0128",
    "parentheses are nested more than {limit} levels deep",
    """
    The depth of parentheses in the expressions of the preprocessor is limited.
    """,
)

MACRO_WITHOUT_VALUE = error(
    "E0129",
    "macro '{name}' has no value here: {reason}",
    """
    A condition needs ints.  A function-like macro has a value only together with its arguments, a macro whose text
    contains its own name has none at all:

        #define LEVEL(x) (x + 1)
        #if LEVEL > 1               // LEVEL(0) > 1
    """,
)

# --------------------------------------------------------------------------- version, extensions
VERSION_NOT_FIRST = error(
    "E0130",
    "'#version' must come before anything else",
    """
    Only white space and comments may come before #version (section 3.4), which is given once at most.
    """,
)

EXPECTED_VERSION = error(
    "E0131",
    "expected a version number, found {found}",
    """
    #version is followed by the number of a language version, which is not macro-expanded:

        #version 100
    """,
)

UNSUPPORTED_VERSION = error(
    "E0132",
    "version {version} is not supported",
    """
    This compiler reads GLSL ES 1.00 (`#version 100`, also the default) and 3.00 (`#version 300 es`), and desktop GLSL
    1.10, 1.20, 1.30, 1.40, 1.50 and 3.30 (`#version 330`).
    """,
)

VERSION_PROFILE = error(
    "E0156",
    "version {version} needs {expected} after it",
    """
    The version line of GLSL ES 3.00 is `#version 300 es` (section 3.4).
    """,
)

MISSING_VERSION = error(
    "E0160",
    "'{word}' is not GLSL ES 1.00, which a shader without '#version' is taken for",
    """
    The first line of a shader says which GLSL it is; without one it is GLSL ES 1.00, unless `--std` says otherwise.
    This text has what that version has not:

        #version 300 es         // GLSL ES 3.00: in, out, texture(), precision
        #version 330            // desktop GLSL: the same without precision
        #version 120            // older desktop GLSL; gl_Vertex and its like need --compat
    """,
)

VERSION_NOT_ON_FIRST_LINE = error(
    "E0157",
    "'#version 300 es' must be the first line",
    """
    GLSL ES 3.00 section 3.4 permits neither comments nor empty lines before the version line; other versions do.
    """,
)

EXTENSION_SYNTAX = error(
    "E0133",
    "expected {expected} in '#extension', found {found}",
    """
    The form is (section 3.4)

        #extension name : behaviour       // require, enable, warn or disable
        #extension all : behaviour        // warn or disable

    Macros are not expanded here.
    """,
)

EXTENSION_NOT_SUPPORTED = error(
    "E0134",
    "extension '{name}' is not supported",
    """
    The shader requires an extension that this compiler does not have.
    """,
)

EXTENSION_IGNORED = warning(
    "W0103",
    "unsupported-extension",
    "extension '{name}' is not supported and ignored",
    """
    The shader would like to use an extension that this compiler does not have.  With `require` instead this
    would be an error.
    """,
)

ALL_EXTENSIONS = error(
    "E0135",
    "'all' allows only the behaviours 'warn' and 'disable'",
    """
    Not all extensions that exist can be required or enabled at once (section 3.4).
    """,
)

EXTENSION_TOO_LATE = error(
    "E0136",
    "'#extension' must come before all text that is not a directive",
    """
    The behaviour of extensions is settled before the first token of the shader proper (section 3.4).
    """,
)

EXTENSION_LATE = warning(
    "W0104",
    "late-extension",
    "'#extension' should come before all text that is not a directive",
    """
    Section 3.4 of the language forbids this; implementations of WebGL only warn.  An extension that is disabled
    here stays usable in the text before and after.
    """,
)

# ------------------------------------------------------------------------------ line and include
LINE_NUMBER_RANGE = error(
    "E0140",
    "line number {number} is out of range",
    """
    Line and source string numbers of #line lie between 0 and 2147483647.
    """,
)

EXPECTED_LINE = error(
    "E0141",
    "expected {expected} in '#line', found {found}",
    """
    The form is (section 3.4) `#line number` or `#line number source-string-number`, where the numbers may be
    expressions and macros are expanded.  A file name in quotes needs the extension
    GL_GOOGLE_cpp_style_line_directive or GL_GOOGLE_include_directive.
    """,
)

INCLUDE_NOT_ENABLED = error(
    "E0142",
    "'#include' needs an extension",
    """
    GLSL ES 1.00 has no #include.  One of these lines at the top of the shader permits it:

        #extension GL_GOOGLE_include_directive : require
        #extension GL_ARB_shading_language_include : require

    The headers that come with the compiler, such as <pica200.glsl>, need none.
    """,
)

EXPECTED_FILE_NAME = error(
    "E0143",
    "expected a file name after '#include', found {found}",
    """
    The file name is in quotes or angle brackets:

        #include "light.glsl"        // beside this file, then in the folders given by -I
        #include <common/fog.glsl>   // in the folders given by -I
    """,
)

INCLUDE_NOT_FOUND = error(
    "E0144",
    "file '{name}' is not found",
    """
    A name in quotes is looked for beside the including file first; both forms are looked for in the folders
    given by -I, from left to right.  Names in angle brackets may also be headers that come with the compiler,
    such as <pica200.glsl>.
    """,
)

INCLUDE_NOT_READABLE = error(
    "E0145",
    "file '{name}' cannot be read: {reason}",
    """
    The file exists, but the operating system does not let the compiler read it.
    """,
)

INCLUDE_CYCLE = error(
    "E0146",
    "file '{name}' includes itself",
    """
    A file must not include itself, neither directly nor through other files.
    """,
)

TOO_MANY_INCLUDES = error(
    "E0147",
    "more than {limit} files are included",
    """
    Every #include counts, also one of a file that was included before.  Files that include each other several
    times multiply; guard them with #ifndef.
    """,
)

INCLUDES_TOO_DEEP = error(
    "E0148",
    "includes are nested more than {limit} levels deep",
    """
    A file includes a file that includes another, and so on; the depth of this is limited.
    """,
)

INCLUDE_OUTSIDE = error(
    "E0155",
    "file '{name}' is outside of the folders that may be read",
    """
    Only files below the folder of the shader, and below the folders given by -I, are included: a shader from somewhere
    else must not show what is elsewhere on the disk.  `-I FOLDER` permits a folder, `-I /` all of them.
    """,
)

# ---------------------------------------------------------------------------------------- encoding
READ_AS_LATIN1 = warning(
    "W0155",
    "encoding",
    "the byte {byte} is not UTF-8: the file is read as Latin-1",
    """
    Shaders are read as UTF-8, of which ASCII is a part.  This file has other bytes, which are taken for letters of
    Latin-1.  That is harmless in comments, the only place where the language has letters beyond ASCII (section 3.1);
    save the file as UTF-8 to be rid of the warning.
    """,
)
