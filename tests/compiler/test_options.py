"""Stages, target options and macro definitions that a caller may give."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Option, check_macros, known_names_help, resolve_options, resolve_stage
from glslc_multi.frontends.registry import stage_of_suffix

FLAG = Option("f32", False, "")
COUNT = Option("copies", 1, "")
WORD = Option("variant", "old", "", choices=("old", "new"))


SUFFIXES = stage_of_suffix()


def codes(sink: DiagnosticSink) -> list[str]:
    return [diagnostic.code for diagnostic in sink.diagnostics]


@pytest.mark.parametrize(
    ("filename", "stage"),
    [
        ("a.vert", "vertex"),
        ("dir/a.frag", "fragment"),
        ("a.geom", "geometry"),
        ("b.min.fs", "fragment"),
        ("a.vsh", "vertex"),
    ],
)
def test_the_suffix_tells_the_stage(filename: str, stage: str) -> None:
    assert resolve_stage(None, filename, SUFFIXES, DiagnosticSink()) == stage


def test_a_named_stage_wins_over_the_suffix() -> None:
    assert resolve_stage("coordinate", "a.frag", SUFFIXES, DiagnosticSink()) == "coordinate"


def test_a_name_without_stage_is_reported() -> None:
    sink = DiagnosticSink()
    assert resolve_stage(None, "a.txt", SUFFIXES, sink) is None
    assert codes(sink) == ["E0911"]


def test_an_unknown_stage_is_reported_with_the_nearest() -> None:
    sink = DiagnosticSink()
    assert resolve_stage("vertx", "a.vert", SUFFIXES, sink) is None
    assert codes(sink) == ["E0910"]
    assert sink.diagnostics[0].help == "did you mean 'vertex'?"


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (FLAG, True, True),
        (FLAG, "on", True),
        (FLAG, "0", False),
        (COUNT, 7, 7),
        (COUNT, "-7", -7),
        (WORD, "new", "new"),
        (FLAG, 1, None),
        (FLAG, "maybe", None),
        (COUNT, True, None),
        (COUNT, "7x", None),
        (COUNT, 1.5, None),
        (WORD, "newer", None),
        (WORD, None, None),
    ],
)
def test_values_of_options(option: Option, given: object, value: object) -> None:
    assert option.convert(given) == value
    assert type(option.convert(given)) is type(value)


def test_given_values_come_before_defaults() -> None:
    sink = DiagnosticSink()
    assert resolve_options([FLAG, COUNT], {"copies": "3"}, sink) == {"f32": False, "copies": 3}
    assert not sink.diagnostics


def test_unknown_and_unsuitable_options_are_reported() -> None:
    sink = DiagnosticSink()
    resolve_options([FLAG, COUNT], {"copis": 3, "f32": "perhaps"}, sink)
    assert codes(sink) == ["E0905", "E0907"]
    assert sink.diagnostics[0].help == "did you mean 'copies'?"
    assert sink.diagnostics[1].message == "option 'f32' takes true or false, found 'perhaps'"


@pytest.mark.parametrize("name", ["A", "_a1", "LONG_name9"])
def test_macro_names_that_may_be_defined(name: str) -> None:
    sink = DiagnosticSink()
    check_macros(FrontEndOptions({name: "1 + 1"}), sink)
    assert not sink.diagnostics


@pytest.mark.parametrize("name", ["", "1A", "A B", "A\n", "GL_X", "A__B", "defined", "é"])
def test_macro_names_that_may_not_be_defined(name: str) -> None:
    sink = DiagnosticSink()
    check_macros(FrontEndOptions({name: "1"}), sink)
    assert codes(sink) == ["E0919"]


def test_a_macro_is_one_line() -> None:
    sink = DiagnosticSink()
    check_macros(FrontEndOptions({"A": "1\n#error"}), sink)
    assert codes(sink) == ["E0919"]


def test_help_for_unknown_names() -> None:
    assert known_names_help("agl", ["agal", "vc4"]) == "did you mean 'agal'?"
    assert known_names_help("x86_64", ["agal", "vc4"]) == "known names: agal, vc4"
    assert known_names_help("agal", [], none="nothing yet") == "nothing yet"
