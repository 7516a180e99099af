"""Section 3: the preprocessor and the forms of the text, seen through the values that shaders compute."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.value_case import FRAGMENT, VERTEX, ValueCase, exact

#: Which branch of `#if` is taken, with the truth that C gives the condition.
_CONDITIONS = {
    "0": False,
    "1": True,
    "-1": True,
    "2 + 3 * 4 == 14": True,
    "(2 + 3) * 4 == 14": False,
    "10 - 4 - 3 == 3": True,
    "100 / 10 / 5 == 2": True,
    "17 % 5 == 2": True,
    "1 << 4 == 16": True,
    "256 >> 3 == 32": True,
    "(6 & 3) == 2": True,
    "(6 | 3) == 7": True,
    "(6 ^ 3) == 5": True,
    "~0 == -1": True,
    "!0 && !0": True,
    "!1 || 0": False,
    "1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2": True,
    "1 != 1": False,
    "0x1f == 31": True,
    "010 == 8": True,
    "defined FIRST": True,
    "defined(FIRST) && !defined(NOWHERE)": True,
    "defined NOWHERE": False,
    "FIRST + SECOND == 7": True,
    "FIRST == 3 && SECOND == 4": True,
    "GL_ES == 1": True,
    "__VERSION__ == 100": True,
    "__LINE__ > 0": True,
}

_TEXT = "float a"


def cases() -> Iterator[ValueCase]:
    yield from _conditions()
    yield from _macros()
    yield from _predefined()
    yield from _text_forms()


def _conditions() -> Iterator[ValueCase]:
    for index, (condition, truth) in enumerate(_CONDITIONS.items()):
        body = f"#if {condition}\nresult = a;\n#else\nresult = a + 100.0;\n#endif\n;"
        yield from exact(
            f"3.4/if_{index:02}",
            "float",
            body,
            lambda a, truth=truth: a if truth else a + 100,
            _TEXT,
            before="#define FIRST 3\n#define SECOND (FIRST + 1)",
            stages=VERTEX,
        )
    for chosen in range(4):
        body = (
            "#if WHICH == 0\nresult = a;\n#elif WHICH == 1\nresult = a + 1.0;\n#elif WHICH == 2\n"
            "result = a + 2.0;\n#else\nresult = a + 3.0;\n#endif\n;"
        )
        yield from exact(
            f"3.4/elif_{chosen}",
            "float",
            body,
            lambda a, chosen=chosen: a + chosen,
            _TEXT,
            before=f"#define WHICH {chosen}",
        )
    nested = "#ifdef OUTER\n#ifndef INNER\nresult = a;\n#else\nresult = -a;\n#endif\n#else\n#error not here\n#endif\n;"
    yield from exact("3.4/nested_ifdef", "float", nested, lambda a: a, _TEXT, before="#define OUTER")
    yield from exact(
        "3.4/nested_ifdef_with_both", "float", nested, lambda a: -a, _TEXT, before="#define OUTER\n#define INNER"
    )
    skipped = "#if 0\n#if 1\nthis is no GLSL '\n#else\n#error never\n#endif\n#endif\nresult = a;"
    yield from exact("3.4/skipped_groups_nest", "float", skipped, lambda a: a, _TEXT)
    yield from exact(
        "3.4/undef",
        "float",
        "#undef K\n#ifdef K\nresult = a;\n#else\nresult = -a;\n#endif\n;",
        lambda a: -a,
        _TEXT,
        before="#define K 1",
    )
    yield from exact(
        "3.4/redefined_after_undef",
        "float",
        "result = a * K;",
        lambda a: 3 * a,
        _TEXT,
        before="#define K 2.0\n#undef K\n#define K 3.0",
    )
    yield from exact(
        "3.4/elif_after_taken_is_not_looked_at",
        "float",
        "#if 1\nresult = a;\n#elif 1 / 0\nresult = -a;\n#endif\n;",
        lambda a: a,
        _TEXT,
    )


_MACROS = {
    "object": ("#define K 2.5", "a * K", lambda a: 2.5 * a),
    "object_is_tokens_not_a_value": ("#define SUM 1.0 + 2.0", "a * SUM", lambda a: a + 2),
    "function": ("#define SQ(x) ((x) * (x))", "SQ(a + 1.0)", lambda a: (a + 1) ** 2),
    "function_without_brackets": ("#define SQ(x) x * x", "SQ(a + 1.0)", lambda a: 2 * a + 1),
    "two_parameters": ("#define LERP(x, y) ((x) * 0.5 + (y) * 0.25)", "LERP(a, 4.0)", lambda a: 0.5 * a + 1),
    "no_parameters": ("#define NIL() 3.0", "a + NIL()", lambda a: a + 3),
    "name_without_call": ("#define F(x) 5.0\nfloat F;", "F = a; result = F;", lambda a: a),
    "argument_with_commas_in_brackets": ("#define FIRST(x) x", "FIRST(max(a, 1.0))", lambda a: max(a, 1.0)),
    "nested_calls": ("#define ADD(x, y) (x + y)", "ADD(ADD(a, 1.0), ADD(2.0, 3.0))", lambda a: a + 6),
    "chain": ("#define A B\n#define B C\n#define C 4.0", "a * A", lambda a: 4 * a),
    "used_before_definition_of_part": ("#define A (B + 1.0)\n#define B 2.0", "a * A", lambda a: 3 * a),
    "does_not_expand_itself": (
        "float f(float x) { return x + 1.0; }\n#define f(x) f(2.0 * x)",
        "f(a)",
        lambda a: 2 * a + 1,
    ),
    "empty": ("#define NOTHING", "NOTHING a NOTHING + NOTHING 1.0", lambda a: a + 1),
    "statement": ("#define STEP(v) v += 1.0; v *= 2.0", "float v = a; STEP(v); result = v;", lambda a: 2 * (a + 1)),
    "call_over_lines": ("#define ADD(x, y) (x + y)", "ADD(a,\n    2.0\n)", lambda a: a + 2),
    "swizzle": ("#define XY .xy", "vec3 v = vec3(a); result = v XY .x;", lambda a: a),
    "type": ("#define real float", "real x = a; result = x;", lambda a: a),
    "qualified_declaration": ("#define DECLARE(t, n) t n = a", "DECLARE(float, x); result = x;", lambda a: a),
    "argument_is_macro": ("#define K 3.0\n#define TWICE(x) (x * 2.0)", "a + TWICE(K)", lambda a: a + 6),
    "macro_gives_function_name": ("#define NAME MUL\n#define MUL(x) (x * 2.0)", "NAME(a)", lambda a: 2 * a),
    "same_definition_twice": ("#define K 2.0\n#define K 2.0", "a * K", lambda a: 2 * a),
    "in_condition_of_loop": (
        "#define N 3",
        "result = 0.0; for (int i = 0; i < N; i++) result += a;",
        lambda a: 3 * a,
    ),
    "in_array_size": ("#define N 2", "float x[N + 1]; x[N] = a; result = x[2];", lambda a: a),
}


def _macros() -> Iterator[ValueCase]:
    for name, (before, body, formula) in _MACROS.items():
        yield from exact(f"3.4/macro_{name}", "float", body, formula, _TEXT, before=before)


def _predefined() -> Iterator[ValueCase]:
    yield from exact("3.4/predefined_values", "ivec2", "ivec2(GL_ES, __VERSION__)", lambda: np.array([1, 100]))
    # Unlike early desktop GLSL, the line after `#line n` is line n.
    yield from exact(
        "3.4/line_of_the_next_line",
        "ivec2",
        ("#line 40\nint first = __LINE__;\nint second = __LINE__; result = ivec2(first, second - first);"),
        lambda: np.array([40, 1]),
    )
    yield from exact(
        "3.4/line_and_source_string",
        "ivec2",
        "#line 7 3\nresult = ivec2(__LINE__, __FILE__);",
        lambda: np.array([7, 3]),
    )
    yield from exact("3.4/line_from_macro", "int", "#line K\nresult = __LINE__;", lambda: 20, before="#define K 20")
    yield from exact(
        "3.4/line_counts_inside_skipped_groups", "int", "#line 1\n#if 0\n\n\n#endif\nresult = __LINE__;", lambda: 5
    )
    yield from exact("3.4/version_first", "float", "a", lambda a: a, _TEXT, directives="#version 100\n")
    yield from exact(
        "3.4/version_after_comments",
        "float",
        "a",
        lambda a: a,
        _TEXT,
        directives="// comment\n/* and\nanother */ #version 100\n",
    )
    yield from exact(
        "3.4/pragmas_change_nothing",
        "float",
        "a",
        lambda a: a,
        _TEXT,
        directives="#pragma optimize(off)\n#pragma debug(on)\n#pragma something unknown\n",
    )
    yield from exact(
        "3.4/fragment_precision_high",
        "float",
        "#ifdef GL_FRAGMENT_PRECISION_HIGH\nresult = a;\n#else\nresult = a;\n#endif\n;",
        lambda a: a,
        _TEXT,
        stages=FRAGMENT,
    )
    yield from exact(
        "3.4/unknown_extension_enabled_is_ignored",
        "float",
        "a",
        lambda a: a,
        _TEXT,
        directives="#extension GL_FOO_unknown : enable\n",
    )
    yield from exact(
        "3.4/all_extensions_disabled", "float", "a", lambda a: a, _TEXT, directives="#extension all : disable\n"
    )
    yield from exact("3.4/empty_directive", "float", "#\n# \nresult = a;", lambda a: a, _TEXT)
    yield from exact("3.4/blanks_around_hash", "float", "  #  define K 2.0\nresult = a * K;", lambda a: 2 * a, _TEXT)
    yield from exact(
        "3.4/define_inside_function", "float", "#define K 2.0\nresult = a * K;\n#undef K", lambda a: 2 * a, _TEXT
    )


def _text_forms() -> Iterator[ValueCase]:
    yield from exact("3.1/all_blanks", "float", "result\t=\v\fa ;", lambda a: a, _TEXT)
    yield from exact(
        "3.1/letters_digits_underscore", "float", "float _x1Y_z9 = a; result = _x1Y_z9;", lambda a: a, _TEXT
    )
    yield from exact(
        "3.2/carriage_returns_end_lines", "float", "#define K 2.0\r\nresult = a * K;\r\n", lambda a: 2 * a, _TEXT
    )
    yield from exact(
        "3.2/only_carriage_returns_end_lines", "float", "#define K 2.0\rresult = a * K;\r", lambda a: 2 * a, _TEXT
    )
    yield from exact(
        "3.3/block_comment_separates_tokens", "float", "float/**/x/* y */= a; result = x;", lambda a: a, _TEXT
    )
    yield from exact("3.3/line_comment_ends_at_line", "float", "result = a // + 1.0\n;", lambda a: a, _TEXT)
    yield from exact("3.3/block_comment_over_lines", "float", "result = a /* + 1.0\n + 2.0\n*/ ;", lambda a: a, _TEXT)
    yield from exact("3.3/comments_do_not_nest", "float", "/* /* */ result = a; // */", lambda a: a, _TEXT)
    yield from exact("3.3/slashes_inside_comments", "float", "// /* \nresult = a; // */", lambda a: a, _TEXT)
    yield from exact(
        "3.3/comment_in_directive",
        "float",
        "#define K /* two */ 2.0 // really\nresult = a * K;",
        lambda a: 2 * a,
        _TEXT,
    )
    yield from exact(
        "3.5/longest_token_first",
        "vec2",
        "float x = a; float y = a; float z = x+++y; result = vec2(z, x);",
        lambda a: np.array([2 * a, a + 1]),
        _TEXT,
    )
    yield from exact(
        "3.5/minus_minus_minus",
        "vec2",
        "float x = a; float z = x---1.0; result = vec2(z, x);",
        lambda a: np.array([a - 1, a - 1]),
        _TEXT,
    )
    yield from exact(
        "3.5/number_before_swizzle_letter", "vec2", "vec2(1., .5) * a", lambda a: np.array([a, a / 2]), _TEXT
    )
    yield from exact(
        "3.6/words_of_other_languages",
        "float",
        "float texture = a; float main_ = texture; float uint = main_; result = uint;",
        lambda a: a,
        _TEXT,
    )
    yield from exact(
        "3.6/contextual_names_of_functions",
        "float",
        "float mix_ = a; float color = mix_; result = color;",
        lambda a: a,
        _TEXT,
    )
    yield from exact(
        "3.7/case_matters",
        "vec2",
        "float x = a; float X = a + 1.0; result = vec2(x, X);",
        lambda a: np.array([a, a + 1]),
        _TEXT,
    )
    yield from exact("3.7/long_name", "float", f"float {'n' * 200} = a; result = {'n' * 200};", lambda a: a, _TEXT)
    yield from exact(
        "3.7/built_in_name_as_variable",
        "float",
        "float sin = a; result = sin;",
        lambda a: a,
        _TEXT,
        domains={"a": d.UNIT},
    )
