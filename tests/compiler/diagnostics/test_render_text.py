"""Text messages, compared whole."""

from __future__ import annotations

from textwrap import dedent

from glslc_multi.compiler.diagnostics import Diagnostic, Fix, Label, Origin, SourceFile, Span
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.records import replace
from tests.compiler.diagnostics.origins import with_origin
from tests.compiler.diagnostics.samples import BAD, MISUSE, ODD, find, problem

FILE = SourceFile(
    "a.frag",
    dedent("""\
        precision mediump float;
        varying vec3 normal;
        varying vec4 light;

        float shade() {
            return dot(normal,
                       light);
        }
        void main() {
            gl_FragColor = vec4(shade() * colour);
        }
        """),
)
MACRO = SourceFile("m.frag", "#define ADD(a, b) ((a) + (b))\n#define TWICE(x) ADD(x, x)\nint i = TWICE(1.0);\n")


def shows(diagnostic: Diagnostic, expected: str) -> None:
    assert render([diagnostic]) == dedent(expected)


def test_a_frame_quotes_the_line_and_marks_the_place() -> None:
    shows(
        problem(find(FILE, "colour")),
        """\
        a.frag:10:35: error: something is wrong [E0000]
          10 |     gl_FragColor = vec4(shade() * colour);
             |                                   ^^^^^^
        """,
    )


def test_a_warning_says_so() -> None:
    shows(
        problem(find(FILE, "main"), ODD),
        """\
        a.frag:9:6: warning: something is odd [W0000]
           9 | void main() {
             |      ^^^^
        """,
    )


def test_a_message_about_no_file_names_the_tool() -> None:
    shows(problem(entry=MISUSE), "glslc-multi: error: wrong use [E0002]\n")


def test_a_file_whose_text_is_unknown_has_no_frame() -> None:
    shows(problem(Span(SourceFile("x.sir"), 3, 1, 3, 2)), "x.sir:3:1: error: something is wrong [E0000]\n")


def test_labels_in_the_same_file_share_the_frame() -> None:
    labels = (
        Label(find(FILE, "shade() *"), "float"),
        Label(find(FILE, "normal"), "declared here"),
        Label(find(FILE, "light"), "and here"),
    )
    shows(
        replace(problem(find(FILE, "colour")), labels=labels),
        """\
        a.frag:10:35: error: something is wrong [E0000]
           2 | varying vec3 normal;
             |              ------ declared here
           3 | varying vec4 light;
             |              ----- and here
        ...
          10 |     gl_FragColor = vec4(shade() * colour);
             |                                   ^^^^^^
             |                         --------- float
        """,
    )


def test_a_label_at_the_primary_place_puts_its_words_beside_the_carets() -> None:
    shows(
        replace(problem(find(FILE, "colour")), labels=(Label(find(FILE, "colour"), "not found"),)),
        """\
        a.frag:10:35: error: something is wrong [E0000]
          10 |     gl_FragColor = vec4(shade() * colour);
             |                                   ^^^^^^ not found
        """,
    )


def test_a_single_line_between_marks_is_shown() -> None:
    shows(
        replace(problem(find(FILE, "main")), labels=(Label(find(FILE, "light);"), "used"),)),
        """\
        a.frag:9:6: error: something is wrong [E0000]
           7 |                light);
             |                ------- used
           8 | }
           9 | void main() {
             |      ^^^^
        """,
    )


def test_a_span_of_several_lines_is_marked_on_its_first_and_last_line() -> None:
    span = find(FILE, "dot(").to(find(FILE, "light)"))
    shows(
        replace(problem(span), labels=(Label(span, "float"),)),
        """\
        a.frag:6:12: error: something is wrong [E0000]
           6 |     return dot(normal,
             |            ^^^^^^^^^^^
           7 |                light);
             |                ^^^^^^ float
        """,
    )


def test_the_middle_of_a_long_span_is_left_out() -> None:
    shows(
        problem(find(FILE, "float shade").to(find(FILE, "void main"))),
        """\
        a.frag:5:1: error: something is wrong [E0000]
           5 | float shade() {
             | ^^^^^^^^^^^^^^^
        ...
           9 | void main() {
             | ^^^^^^^^^
        """,
    )


def test_a_span_that_ends_before_the_text_of_its_last_line_is_marked_on_the_first_only() -> None:
    shows(
        problem(Span(FILE, 5, 1, 6, 3)),
        """\
        a.frag:5:1: error: something is wrong [E0000]
           5 | float shade() {
             | ^^^^^^^^^^^^^^^
        """,
    )


def test_the_end_of_the_file_can_be_marked() -> None:
    shows(
        problem(Span(FILE, 12, 1, 12, 1)),
        """\
        a.frag:12:1: error: something is wrong [E0000]
          12 |
             | ^
        """,
    )


def test_tabs_and_wide_characters_keep_carets_under_their_text() -> None:
    shows(
        problem(find(SourceFile("t.frag", "\t/* 漢字 */ bad;\n"), "bad")),
        """\
        t.frag:1:11: error: something is wrong [E0000]
           1 |     /* 漢字 */ bad;
             |                ^^^
        """,
    )


def test_line_directives_number_headline_and_gutter() -> None:
    file = SourceFile("a.frag", "#line 200 7\nbad\n")
    file.renumber(2, 200, "7")
    shows(
        problem(find(file, "bad")),
        """\
        7:200:1: error: something is wrong [E0000]
         200 | bad
             | ^^^
        """,
    )


def test_the_include_stack_follows_the_frame() -> None:
    top = SourceFile("top.frag", '\n\n#include "b.glsl"\n')
    middle = SourceFile("b.glsl", '#include "c.glsl"\n', find(top, "#include"))
    inner = SourceFile("c.glsl", "bad\n", find(middle, "#include"))
    shows(
        problem(find(inner, "bad")),
        """\
        c.glsl:1:1: error: something is wrong [E0000]
           1 | bad
             | ^^^
        note: in file included from b.glsl:1
        note: in file included from top.frag:3
        """,
    )


def test_a_label_in_another_file_has_its_own_frame() -> None:
    other = SourceFile("b.vert", "varying vec4 normal;\n")
    shows(
        replace(problem(find(FILE, "normal")), labels=(Label(find(other, "vec4"), "vec4 in the vertex stage"),)),
        """\
        a.frag:2:14: error: something is wrong [E0000]
           2 | varying vec3 normal;
             |              ^^^^^^
        b.vert:1:9: note: vec4 in the vertex stage
           1 | varying vec4 normal;
             |         ^^^^
        """,
    )


def test_a_label_without_a_primary_place_is_a_note() -> None:
    shows(
        replace(problem(), labels=(Label(find(FILE, "normal"), "seen here"),)),
        """\
        glslc-multi: error: something is wrong [E0000]
        a.frag:2:14: note: seen here
           2 | varying vec3 normal;
             |              ^^^^^^
        """,
    )


def test_macros_show_their_text_from_the_outermost_to_the_innermost() -> None:
    inner = Origin("macro", "ADD", find(MACRO, "(a) + (b)"))
    outer = Origin("macro", "TWICE", with_origin(find(MACRO, "ADD(x, x)"), inner))
    shows(
        problem(with_origin(find(MACRO, "TWICE(1.0)"), outer)),
        """\
        m.frag:3:9: error: something is wrong [E0000]
           3 | int i = TWICE(1.0);
             |         ^^^^^^^^^^
        m.frag:2:18: note: in expansion of macro 'TWICE'
           2 | #define TWICE(x) ADD(x, x)
             |                  ^^^^^^^^^
        m.frag:1:20: note: in expansion of macro 'ADD'
           1 | #define ADD(a, b) ((a) + (b))
             |                    ^^^^^^^^^
        """,
    )


def test_inlined_code_shows_its_calls() -> None:
    shows(
        problem(with_origin(find(FILE, "dot"), Origin("inlined", "shade", find(FILE, "shade() *")))),
        """\
        a.frag:6:12: error: something is wrong [E0000]
           6 |     return dot(normal,
             |            ^^^
        a.frag:10:25: note: in this call of 'shade'
          10 |     gl_FragColor = vec4(shade() * colour);
             |                         ^^^^^^^^^
        """,
    )


def test_the_middle_of_a_long_chain_is_left_out() -> None:
    file = SourceFile("deep.frag", "bad\n")
    for depth in range(12):
        file = SourceFile(f"{depth}", "bad\n", find(file, "bad"))
    shows(
        problem(find(file, "bad")),
        """\
        11:1:1: error: something is wrong [E0000]
           1 | bad
             | ^^^
        note: in file included from 10:1
        note: in file included from 9:1
        note: in file included from 8:1
        note: in file included from 7:1
        note: (4 more left out)
        note: in file included from 2:1
        note: in file included from 1:1
        note: in file included from 0:1
        note: in file included from deep.frag:1
        """,
    )


def test_notes_come_before_help() -> None:
    shows(
        replace(problem(), notes=("one", "two\nlines"), help="less", target="agal", pass_name="gvn"),
        """\
        glslc-multi: error: something is wrong [E0000]
        note: for target 'agal'
        note: in pass 'gvn'
        note: one
        note: two
              lines
        help: less
        """,
    )


def test_a_target_that_the_message_names_is_not_named_again() -> None:
    shows(
        replace(problem(), message="agal has no integers", target="agal"),
        "glslc-multi: error: agal has no integers [E0000]\n",
    )


def test_a_fix_shows_the_mended_line_under_the_help() -> None:
    shows(
        replace(
            problem(find(FILE, "colour")), help="did you mean 'color'?", fixes=(Fix(find(FILE, "colour"), "color"),)
        ),
        """\
        a.frag:10:35: error: something is wrong [E0000]
          10 |     gl_FragColor = vec4(shade() * colour);
             |                                   ^^^^^^
        help: did you mean 'color'?
          10 |     gl_FragColor = vec4(shade() * color);
             |                                   +++++
        """,
    )


def test_a_fix_without_help_introduces_itself() -> None:
    shows(
        replace(problem(find(FILE, "varying")), fixes=(Fix(find(FILE, "varying "), ""),)),
        """\
        a.frag:2:1: error: something is wrong [E0000]
           2 | varying vec3 normal;
             | ^^^^^^^
        help: change it to
           2 | vec3 normal;
             | ~
        """,
    )


def test_control_characters_never_reach_the_terminal() -> None:
    file = SourceFile("evil\x1b[2J.frag", "\x1b[31mbad\n")
    text = render([Diagnostic(BAD, "\x07", find(file, "bad"), help="\x08", notes=("\x9b",))])
    assert set(text) - {"\n"} == {character for character in text if character.isprintable()}


def test_color_marks_the_parts_and_leaves_the_text_alone() -> None:
    diagnostic = replace(problem(find(FILE, "main")), help="less", labels=(Label(find(FILE, "void"), "type"),))
    assert render([diagnostic], color=True) == (
        "\x1b[1ma.frag:9:6:\x1b[0m \x1b[1;31merror:\x1b[0m \x1b[1msomething is wrong\x1b[0m [E0000]\n"
        "\x1b[34m   9 |\x1b[0m void main() {\n"
        "\x1b[34m     |\x1b[0m      \x1b[1;31m^^^^\x1b[0m\n"
        "\x1b[34m     |\x1b[0m \x1b[36m---- type\x1b[0m\n"
        "\x1b[1;32mhelp:\x1b[0m less\n"
    )


def test_messages_follow_one_another_without_blank_lines() -> None:
    assert render([problem(), problem(entry=ODD)]) == (
        "glslc-multi: error: something is wrong [E0000]\nglslc-multi: warning: something is odd [W0000]\n"
    )
    assert render([]) == ""
