"""The shader reducer on planted failures."""

from __future__ import annotations

import re
from random import Random

import pytest

from glslc_multi.frontends.glsl.reduce import reduce
from tests.generators.glsl import generate


def test_keeps_only_what_the_failure_needs() -> None:
    source = generate(Random(5), "fragment", statements=20).source
    planted = source.replace("void main() {", "void main() {\n    float bad = sin(cos(1.0) + 2.0);", 1)
    smallest = reduce(planted, lambda text: "sin(" in text and text.count("(") == text.count(")"))
    assert "sin(" in smallest
    assert len(smallest) < 20


def test_takes_arguments_out_of_calls() -> None:
    smallest = reduce("float f() { return max(a, min(bad, c)); }\n", lambda text: "bad" in text)
    assert smallest == "bad"


#: A text, what must stay in it, and the smallest text with that in which every bracket is closed.
_CASES = {
    "a statement": ("a = 1; bad = 2; c = 3;", "bad", "bad"),
    "a block that stands alone": ("if (a) { b = 1; { c = 2; } }\nbad", "bad", "bad"),
    "a block in another": ("void main() { if (a) { bad(); } else { c(); } }", "bad(", "bad()"),
    "an index": ("x = list[i + j] + bad[1];", "list[", "list[]"),
}


def _is_closed(text: str) -> bool:
    """Whether every bracket is closed by its own kind."""
    inner = re.sub(r"[^\[\](){}]", "", text)
    while inner != (inner := re.sub(r"\(\)|\[\]|\{\}", "", inner)):
        pass
    return not inner


@pytest.mark.parametrize("what", _CASES)
def test_brackets_stay_closed(what: str) -> None:
    source, words, wanted = _CASES[what]
    assert reduce(source, lambda text: _is_closed(text) and all(word in text for word in words.split())) == wanted


#: A text, a shape that it must keep, and what is left.
_SHAPES = {
    # Only whole statements may go: each has a name, a sign and a number.
    "statements": ("a=1;b=2;bad=3;c=4;d=5;", r"(?:\w+=\d;)*bad=3;(?:\w+=\d;)*", "bad=3;"),
    "a block as a whole": ("a{b;c;}d{bad;}", r"(?:\w\{(?:\w+;)*\})*d\{bad;\}", "d{bad;}"),
    "what a block holds": ("{b;bad;}", r"\{b;bad;\}|b;bad;|bad;", "bad;"),
    # An argument in the place of a call, with and without its name.
    "an argument of a call": ("f(1,bad);", r"f\(1,bad\);|f\(bad\);", "f(bad);"),
    "a call without its name": ("f(1,bad);", r"f\(1,bad\);|\(bad\);", "(bad);"),
    "the first operand": ("(bad+2*3)", r"\(bad\+2\*3\)|\(bad\)", "(bad)"),
    "an index of 0": ("a[i+1]=bad", r"a\[(?:i\+1|0)\]=bad", "a[0]=bad"),
    "a block that ends a statement": ("if(a){b;}bad;", r"if\(a\)\{b;\}bad;|bad;", "bad;"),
    "brackets in a statement": ("f(a;b);bad;", r"f\(a;b\);bad;|bad;", "bad;"),
}


@pytest.mark.parametrize("what", _SHAPES)
def test_only_what_leaves_the_shape_goes(what: str) -> None:
    source, shape, wanted = _SHAPES[what]
    assert reduce(source, lambda text: re.fullmatch(shape, text) is not None) == wanted


def test_the_larger_runs_go_first() -> None:
    """Of 64 lines of which one matters, few texts are tried: halves, not lines."""
    tried: list[str] = []

    def fails(text: str) -> bool:
        tried.append(text)
        return "bad" in text

    lines = [f"line{n};\n" for n in range(64)]
    lines[37] = "bad\n"
    assert reduce("".join(lines), fails) == "bad"
    assert len(tried) < 40


def test_refuses_a_shader_that_does_not_fail() -> None:
    with pytest.raises(ValueError, match="does not fail"):
        reduce("void main() {}\n", lambda _: False)


def test_terminates_on_unbalanced_text() -> None:
    assert reduce("((((\n{{{{\n", lambda text: text.count("(") >= 2).count("(") == 2
