"""Names that a text defines."""

from __future__ import annotations

import re

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.isa.assembly import Language
from glslc_multi.compiler.isa.mistakes import Mistake
from glslc_multi.compiler.isa.names import Names

LANGUAGE = Language("toy", comment=re.compile("#.*"))


def test_the_first_definition_counts() -> None:
    sink = DiagnosticSink()
    first, second = LANGUAGE.lines(SourceFile("a", "top\n  top"), sink)
    names: Names[int] = Names("label", {"outside": 7})
    names.define(first, "top", (0, 3), 1)
    names.define(second, "top", (2, 5), 2)
    assert (names.find("top", (0, 3)), names.find("outside", (0, 3))) == (1, 7)
    (found,) = sink.diagnostics
    assert (found.message, found.span and found.span.location) == ("label 'top' is defined twice", "a:2:3")
    assert [(label.span.location, label.text) for label in found.labels] == [("a:1:1", "first defined here")]


def test_names_from_elsewhere_can_be_defined_anew() -> None:
    sink = DiagnosticSink()
    (line,) = LANGUAGE.lines(SourceFile("a", "outside"), sink)
    names: Names[int] = Names("label", {"outside": 7})
    names.define(line, "outside", (0, 7), 1)
    assert (names.find("outside", (0, 7)), sink.diagnostics) == (1, [])


def test_a_name_that_is_not_defined() -> None:
    names: Names[int] = Names("label", {"top": 1})
    with pytest.raises(Mistake) as caught:
        names.find("tpo", (4, 7))
    mistake = caught.value
    assert (mistake.values, mistake.help) == ({"kind": "label", "name": "tpo"}, "did you mean 'top'?")


def test_a_name_is_claimed_once() -> None:
    line = LANGUAGE.line("top top")
    names: Names[int] = Names("name")
    names.claim(line, "top", (0, 3))
    with pytest.raises(Mistake):
        names.claim(line, "top", (4, 7))
