"""The formats of one line a message."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import SourceFile
from glslc_multi.compiler.diagnostics.render import render
from tests.compiler.diagnostics.samples import MISUSE, ODD, find, problem

FILE = SourceFile("a.frag", "#line 8\nfloat a;\n")
FILE.renumber(2, 8)
MESSAGES = [problem(find(FILE, "a;"), ODD), problem(entry=MISUSE)]


def test_short_gives_headlines() -> None:
    assert render(MESSAGES, "short") == (
        "a.frag:8:7: warning: something is odd [W0000]\nglslc-multi: error: wrong use [E0002]\n"
    )


def test_msvc_puts_the_place_in_parentheses_and_the_code_before_the_message() -> None:
    assert render(MESSAGES, "msvc") == (
        "a.frag(8,7): warning W0000: something is odd\nglslc-multi: error E0002: wrong use\n"
    )


def test_msvc_knows_no_color() -> None:
    assert render(MESSAGES, "msvc", color=True) == render(MESSAGES, "msvc")
