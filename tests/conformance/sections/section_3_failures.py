"""Section 3: texts that the preprocessor or the forms of tokens and names must refuse, one mistake each."""

from __future__ import annotations

from collections.abc import Iterator

from tests.conformance.define.failure import Failure, globals_, shaders, statements

_RESERVED_WORDS = (
    "asm",
    "class",
    "union",
    "enum",
    "typedef",
    "template",
    "this",
    "packed",
    "goto",
    "switch",
    "default",
    "inline",
    "noinline",
    "volatile",
    "public",
    "static",
    "extern",
    "external",
    "interface",
    "flat",
    "long",
    "short",
    "double",
    "half",
    "fixed",
    "unsigned",
    "superp",
    "input",
    "output",
    "hvec2",
    "dvec3",
    "fvec4",
    "sampler1D",
    "sampler3D",
    "sampler2DRect",
    "sampler1DShadow",
    "sampler2DShadow",
    "sizeof",
    "cast",
    "namespace",
    "using",
)
_OPERATORS = {
    "modulus": "%",
    "shift_left": "<<",
    "shift_right": ">>",
    "bit_and": "&",
    "bit_or": "|",
    "bit_xor": "^",
}


def cases() -> Iterator[Failure]:
    yield from _characters()
    yield from _directives()
    yield from _words()


def _characters() -> Iterator[Failure]:
    yield from statements(
        "3.1",
        {
            "dollar": ("E0101", "float a$ = 1.0;"),
            "at": ("E0101", "float a = 1.0 @ 2.0;"),
            "quote": ("E0101", "float a = ' 1.0;"),
            "string": ("E0101", 'float a = "b";'),
            "backquote": ("E0101", "float a = `1.0;"),
            "letter_beyond_ascii": ("E0101", "float é = 1.0;"),
            "hash_inside_line": ("E0105", "float a = #1.0;"),
        },
    )
    yield from shaders(
        "3.3",
        {
            "comment_without_end": ("E0102", "void main() { } /* wrong"),
            "comment_without_end_after_line": ("E0102", "void main() { }\n/* first */ /* second // wrong"),
        },
    )
    yield from statements(
        "3.5",
        {
            "suffix_f": ("E0104", "float a = 1.0f;"),
            "digits_then_letters": ("E0104", "int a = 12ab;"),
            "octal_with_9": ("E0104", "int a = 0189;"),
            "hexadecimal_without_digits": ("E0104", "int a = 0x;"),
            "exponent_without_digits": ("E0104", "float a = 1.0e;"),
            "two_points": ("E0104", "float a = 1.2.3;"),
            "unsigned_suffix": ("E0104", "int a = 1u;"),
        },
    )


def _directives() -> Iterator[Failure]:
    yield from globals_(
        "3.4",
        {
            "error": ("E0108", "#error stop here"),
            "unknown_directive": ("E0106", "#defin K 1"),
            "if_not_closed": ("E0122", "#if 1"),
            "else_without_if": ("E0120", "#else"),
            "elif_without_if": ("E0120", "#elif 1"),
            "endif_without_if": ("E0120", "#endif"),
            "else_after_else": ("E0121", "#if 1\n#else\n#else // wrong\n#endif"),
            "elif_after_else": ("E0121", "#if 1\n#else\n#elif 1 // wrong\n#endif"),
            "if_without_condition": ("E0123", "#if\n#endif"),
            "if_open_bracket": ("E0123", "#if (1\n#endif"),
            "if_two_values": ("E0107", "#if 1 1\n#endif"),
            "if_operator_without_right_side": ("E0123", "#if 1 +\n#endif"),
            "if_undefined_name": ("E0124", "#if NOWHERE\n#endif"),
            "if_division_by_zero": ("E0125", "#if 1 / 0\n#endif"),
            "if_modulus_by_zero": ("E0125", "#if 1 % 0\n#endif"),
            "if_float": ("E0123", "#if 1.0\n#endif"),
            "defined_without_name": ("E0123", "#if defined\n#endif"),
            "ifdef_without_name": ("E0110", "#ifdef\n#endif"),
            "ifdef_number": ("E0110", "#ifdef 3\n#endif"),
            "ifndef_extra_text": ("E0107", "#ifndef K extra\n#endif"),
            "define_without_name": ("E0110", "#define"),
            "define_number": ("E0110", "#define 3 4"),
            "define_reserved_prefix": ("E0111", "#define GL_FOO 1"),
            "define_predefined": ("E0111", "#define __LINE__ 1"),
            "undef_predefined": ("E0111", "#undef __VERSION__"),
            "define_defined": ("E0111", "#define defined 1"),
            "redefined_otherwise": ("E0112", "#define K 1\n#define K 2 // wrong"),
            "redefined_with_parameters": ("E0112", "#define K x\n#define K(x) x // wrong"),
            "parameter_twice": ("E0114", "#define F(x, x) x"),
            "parameter_list_open": ("E0113", "#define F(x, y"),
            "parameter_is_number": ("E0113", "#define F(1) 1"),
            "too_few_arguments": ("E0116", "#define F(x, y) x\nfloat a = F(1.0); // wrong"),
            "too_many_arguments": ("E0116", "#define F(x) x\nfloat a = F(1.0, 2.0); // wrong"),
            "version_after_text": ("E0130", "#version 100"),
            "extension_without_behaviour": ("E0133", "#extension GL_OES_standard_derivatives"),
            "extension_with_unknown_behaviour": ("E0133", "#extension GL_OES_standard_derivatives : please"),
            "line_without_number": ("E0123", "#line"),
            "line_is_no_number": ("E0124", "#line here"),
        },
    )
    yield from shaders(
        "3.4",
        {
            "version_300": ("E0156", "#version 300\nvoid main() { }"),
            "version_310_es": ("E0132", "#version 310 es\nvoid main() { }"),
            "version_is_no_number": ("E0131", "#version es\nvoid main() { }"),
            "extension_required_and_unknown": ("E0134", "#extension GL_FOO_unknown : require\nvoid main() { }"),
            "all_extensions_required": ("E0135", "#extension all : require\nvoid main() { }"),
            "all_extensions_enabled": ("E0135", "#extension all : enable\nvoid main() { }"),
            "extension_after_text": (
                "E0136",
                "void main() { }\n#extension GL_OES_standard_derivatives : enable // wrong",
            ),
            "version_missing": ("E0131", "#version\nvoid main() { }"),
            "version_twice": ("E0130", "#version 100\n#version 100 // wrong\nvoid main() { }"),
            "arguments_never_closed": ("E0115", "#define F(x) x\nvoid main() { float a = F(1.0; } // wrong"),
        },
    )


def _words() -> Iterator[Failure]:
    yield from statements("3.6", {f"reserved_{word}": ("E0204", f"float {word} = 1.0;") for word in _RESERVED_WORDS})
    yield from statements(
        "3.6",
        {
            "keyword_as_name": ("E0201", "float for = 1.0;"),
            "type_as_name": ("E0201", "float vec2 = 1.0;"),
            "qualifier_as_name": ("E0201", "float uniform = 1.0;"),
            "literal_as_name": ("E0201", "bool true = false;"),
        },
    )
    yield from statements(
        "3.7",
        {
            "prefix_gl": ("E0311", "float gl_mine = 1.0;"),
            "name_begins_with_digit": ("E0104", "float 1a = 1.0;"),
        },
    )
    yield from globals_(
        "3.7",
        {
            "function_with_prefix_gl": ("E0311", "float gl_f() { return 1.0; }"),
            "struct_with_prefix_gl": ("E0311", "struct gl_S { float x; };"),
        },
    )
    yield from globals_("3.7", {"prefix_webgl": ("W0313", "uniform float webgl_mine;")}, dialect="webgl")
    for name, operator in _OPERATORS.items():
        yield from statements(
            "5.1",
            {
                f"reserved_{name}": ("E0205", f"int a = 6; int b = a {operator} 2;"),
                f"reserved_assign_{name}": ("E0205", f"int a = 6; a {operator}= 2;"),
            },
        )
    yield from statements("5.1", {"reserved_complement": ("E0205", "int a = ~6;")})
