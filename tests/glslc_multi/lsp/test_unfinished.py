"""What stands around the cursor of a text that is being written, and the text without it."""

from __future__ import annotations

import re

import pytest

from glslc_multi.editor.highlight import pieces
from glslc_multi.lsp.unfinished import Unfinished


def _around(marked: str) -> Unfinished:
    """The cursor is where the mark is."""
    before, _, after = marked.partition("|")
    text = before + after
    return Unfinished(text, list(pieces(text, 100)), len(before))


@pytest.mark.parametrize(
    ("marked", "base"),
    [
        ("a.|", "a"),
        ("a.x|", "a"),
        ("a.x|y", "a"),
        ("x = a.|", "a"),
        ("x = b + a.|", "a"),
        ("a.b.|", "a.b"),
        ("a.b.c.|", "a.b.c"),
        ("f(a).|", "f(a)"),
        ("f(a, g(b)).|", "f(a, g(b))"),
        ("a[1].|", "a[1]"),
        ("a[i + b[2]].|", "a[i + b[2]]"),
        ("a[1][2].|", "a[1][2]"),
        ("a.b[1].|", "a.b[1]"),
        ("a[1].b.|", "a[1].b"),
        ("(a + b).|", "(a + b)"),
        ("c * (a + b).|", "(a + b)"),
        ("f(a).b(c).|", "f(a).b(c)"),
        ("vec2(a, b).|", "vec2(a, b)"),
        ("x = -a.|", "a"),
        ("x = !(a).|", "(a)"),
        ("return a.|", "a"),
        ("f(b, a.|", "a"),
        # No expression.
        (".|", None),
        ("+.|", None),
        ("a)].|", None),
        ("(a].|", None),
        ("a|", None),
        ("a. b; c|", None),
    ],
)
def test_the_expression_before_a_dot(marked: str, base: str | None) -> None:
    around = _around(marked)
    found = around.base()
    assert (None if found is None else around.text[found[0] : found[1]]) == base
    assert around.is_member == ("." in marked.partition("|")[0].rpartition(";")[2])


@pytest.mark.parametrize(
    ("marked", "call"),
    [
        ("f(|", ("f", 0)),
        ("f(|)", ("f", 0)),
        ("f(a|", ("f", 0)),
        ("f(a, |", ("f", 1)),
        ("f(a, b, c|, d)", ("f", 2)),
        ("f(g(a, b), |", ("f", 1)),
        ("f(g(a, |", ("g", 1)),
        ("f(g(a, b)|", ("f", 0)),
        ("f(a[1, 2], |", ("f", 1)),
        ("f((a, b), |", ("f", 1)),
        ("f(a, (b, |", ("f", 1)),
        ("vec4(a, |", ("vec4", 1)),
        ("f(a, b[c, |", ("f", 1)),
        ("f(a)|", None),
        ("f|(a)", None),
        ("f(a); |", None),
        ("f(a; |", None),
        ("f(a) { |", None),
        ("(a, |", None),
        ("+(a, |", None),
        ("|", None),
    ],
)
def test_the_call_around_the_cursor(marked: str, call: tuple[str, int] | None) -> None:
    found = _around(marked).call()
    assert (None if found is None else (found.name.text, found.argument)) == call


@pytest.mark.parametrize(
    ("marked", "word"),
    [
        ("ab|", "ab"),
        ("a|b", "ab"),
        ("|ab", None),
        ("ab |", None),
        ("_a|", "_a"),
        ("12|", None),
        ("a.|", None),
        ("a.x|", "x"),
    ],
)
def test_the_word_at_the_cursor(marked: str, word: str | None) -> None:
    found = _around(marked).word
    assert (None if found is None else found.text) == word


@pytest.mark.parametrize(
    ("marked", "is_in", "is_name"),
    [
        ("#|", True, True),
        ("#def|", True, True),
        ("  # def|", True, True),
        ("#define |A", True, False),
        ("#define A 1|", True, False),
        ("#define A\nx|", False, False),
        ("x # |", False, False),
    ],
)
def test_lines_of_the_preprocessor(marked: str, is_in: bool, is_name: bool) -> None:
    around = _around(marked)
    assert around.is_in_directive == is_in
    if is_in:
        assert around.directive_word == is_name


#: A marked text with brackets around what becomes blanks.
_STATEMENTS = [
    "a;[ b + |c; d;]",
    "a;[\nb + |c;]\nd;",
    "f() {[ a + | ]}",
    "f() { a;[ b|]\n}",
    "f() { if (a) {[ b.| ]} c; }",
    "#define A 1[\nb| c;]\nd;",
    "x;\n#define A 1[\nb|]\nd;",
    # What the head of a `for` declares stays.
    "[for (]int i = 0;[ i < |; i++) ]{",
    "[for (]int i = 0;[ i < 3; |) ]{ a; }",
    "[a(]b;[ c; d|]",
    "[|a;]",
    "a;|",
    "a;[ // c\nb|;]",
]


def _blank(marked: str) -> tuple[str, str]:
    """The text with its cursor, and the same with blanks where the brackets say."""
    parts = re.split(r"[\[\]]", marked)
    blanked = [re.sub(r"[^\n]", " ", part.replace("|", "")) if n % 2 else part for n, part in enumerate(parts)]
    return "".join(parts), "".join(blanked).replace("|", "")


@pytest.mark.parametrize("marked", _STATEMENTS)
def test_the_text_without_the_statement(marked: str) -> None:
    """Every character that is left keeps its place."""
    text, left = _blank(marked)
    assert _around(text).without_statement() == left


def test_the_expression_before_a_dot_stands_as_a_statement() -> None:
    """A semicolon has the place of the dot."""
    text, left = _blank("a;[\nx = ]b.c;[| + d;]\ne;")
    assert _around(text.replace("c;|", "c.|")).only_base() == (left, (7, 10))
    assert _around("a;\nx = b| + d;").only_base() is None
