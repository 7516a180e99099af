"""Any text ends in tokens and messages: no exception, no endless work."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.frontends.glsl.preprocess import print_tokens
from tests.frontends.glsl.preprocess.support import run
from tests.work import count_calls

#: Pieces that make directives and macros meet.
PIECES = st.sampled_from(
    [
        *["#", "define ", "undef ", "if ", "ifdef ", "ifndef ", "elif ", "else", "endif", "error ", "pragma ", "line "],
        *["version 100", "extension all : warn", "include <x>", "defined", "A", "B", "F", "F(", "(", ")", ",", "x"],
        *[
            "0",
            "1",
            "08",
            "1.5",
            "1.0f",
            "+",
            "&&",
            "||",
            "!",
            "/",
            "%",
            "<<",
            "##",
            "$",
            '"',
            "\\\n",
            "\n",
            "\n#",
            " ",
        ],
        *[
            "/*",
            "*/",
            "//",
            "__LINE__",
            "__FILE__",
            "GL_ES",
            "ö",
            "\r",
            "\0",
            "#define F(a,b) a b F\n",
            "#define A B\n",
        ],
    ]
)


def check(source: str) -> None:
    shader, diagnostics = run(source)
    stream = shader.tokens
    lengths = {len(each) for each in (stream.texts, stream.files, stream.lines, stream.columns, stream.widths)}
    assert lengths == {len(stream)} and stream.kinds[-1] == "end"
    assert all(diagnostic.span is not None for diagnostic in diagnostics)
    for index in stream.expansions:
        assert stream.span(index).origin is not None
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        return
    again, _ = run(print_tokens(shader))
    assert (again.tokens.texts, again.tokens.kinds) == (stream.texts, stream.kinds)


@given(st.text(max_size=60))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_any_text(source: str) -> None:
    check(source)


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(derandomize=True, max_examples=400, deadline=None)
def test_texts_of_directives_and_macros(source: str) -> None:
    check(source)


@given(st.binary(max_size=80))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_any_bytes(data: bytes) -> None:
    check(data.decode("latin-1"))


@pytest.mark.parametrize(
    "unit",
    [" ", "(", "/*", "*", "\\\n", "\n", '"', "1.0e", "a", "a ", "#\n", "#if 0\n", "#define A A\n", ".", "0x"],
)
def test_long_repetitions_take_linear_work(unit: str) -> None:
    """A quadratic step in Python shows in the calls; one in a regular expression would take minutes."""

    def work(count: int) -> int:
        texts = (unit * count, "/*" + unit * count, "#define F(x) x\nF(" + unit * count)
        return count_calls(lambda: [run(text) for text in texts])

    assert work(20_000) < 4.5 * work(5_000) + 1000
