"""Values of options that name variables: what is taken from them, and what is said of wrong ones."""

from __future__ import annotations

import pytest

from glslc_multi.backends.theia.codegen.costs import COSTS
from glslc_multi.backends.theia.codegen.settings import Settings, parse_bindings, parse_pins, parse_ranges, settings_of
from glslc_multi.backends.theia.isa.conventions import CONSTANTS
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.frontends.registry import make_source

_DEFAULTS: dict[str, str | bool] = {
    "variant": "trunk",
    "output": "screen",
    "wrap": "repeat",
    "filter": "nearest",
    "saturate": False,
}


@pytest.fixture(scope="module")
def module() -> Module:
    text = """precision highp float;
        uniform vec3 u_tint; uniform mat3 u_turn; uniform vec4 u_rest; varying vec2 v_uv; varying float v_height;
        void main() { gl_FragColor = vec4(u_turn * u_tint, v_height) + v_uv.xyxy * u_rest; }"""
    return lower_source(make_source(text, "t.frag"), FrontEndOptions(), DiagnosticSink())


def help_of(sink: DiagnosticSink) -> list[str | None]:
    assert {each.code for each in sink.diagnostics} == {"E0907"}
    return [each.help for each in sink.diagnostics]


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("", {}),
        ("v_height=0:100", {"v_height": (0.0, 100.0)}),
        ("v_height=100:-1,", {"v_height": (-1.0, 100.0)}),
        ("v_uv=-1.5:2.,u_tint=0:0.25", {"v_uv": (-1.5, 2.0), "u_tint": (0.0, 0.25)}),
    ],
)
def test_ranges(text: str, ranges: dict[str, tuple[float, float]], module: Module) -> None:
    assert parse_ranges(text, module, DiagnosticSink()) == {name: Interval(*ends) for name, ends in ranges.items()}


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("v_height", [None]),
        ("v_height=1", [None]),
        ("v_height=1:2:3", [None]),
        ("v_height=a:b", [None]),
        ("v_heigth=0:1", ["did you mean 'v_height'?"]),
        ("v_heigth=0", [None]),
        ("v_height=1,v_uw=0:1", [None, "did you mean 'v_uv'?"]),
    ],
)
def test_ranges_that_are_none(text: str, help: list[str | None], module: Module) -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        parse_ranges(text, module, sink)
    assert help_of(sink) == help


@pytest.mark.parametrize(
    ("text", "pins"),
    [
        ("", {}),
        ("u_tint=C1", {"u_tint": 1}),
        ("u_tint=C7,u_turn=C1,u_rest=C4", {"u_tint": 7, "u_turn": 1, "u_rest": 4}),
        ("u_turn=C5", {"u_turn": 5}),
        ("u_rest=C6", {"u_rest": 6}),
    ],
)
def test_pins(text: str, pins: dict[str, int], module: Module) -> None:
    found = parse_pins(text, module, DiagnosticSink())
    assert {variable.name: CONSTANTS.index(register) + 1 for variable, register in found.items()} == pins


_ROOM = "the rows of a value follow each other in C1 to C7, and each register has one"


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("u_tint=C0", [None]),
        ("u_tint=C8", [None]),
        ("u_tint", [None]),
        ("v_uv=C1", ["known names: u_tint, u_turn, u_rest"]),
        ("u_tin=C1", ["did you mean 'u_tint'?"]),
        ("u_turn=C6", [_ROOM]),
        ("u_rest=C7", [_ROOM]),
        ("u_tint=C2,u_turn=C1", [_ROOM]),
        ("u_turn=C1,u_tint=C3", [_ROOM]),
        ("u_turn=C3,u_rest=C2", [_ROOM]),
        ("u_tint=D1,u_turn=C1,u_rest=C3", [None, _ROOM]),
    ],
)
def test_pins_that_cannot_be(text: str, help: list[str | None], module: Module) -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        parse_pins(text, module, sink)
    assert help_of(sink) == help


def test_bindings(module: Module) -> None:
    assert parse_bindings("", module, DiagnosticSink()) == {}
    found = parse_bindings("v_uv=TexCoord,v_height=HitDistance", module, DiagnosticSink())
    assert found == {"v_uv": "TexCoord", "v_height": "HitDistance"}


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("v_uw=TexCoord", ["did you mean 'v_uv'?"]),
        ("v_uv=TexCord", ["did you mean 'TexCoord'?"]),
        ("v_uv", [None]),
        ("v_uw=TexCord,v_height=HitDistance,v_heigth=Hit", ["did you mean 'v_uv'?", "did you mean 'v_height'?"]),
    ],
)
def test_bindings_that_cannot_be(text: str, help: list[str | None], module: Module) -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        parse_bindings(text, module, sink)
    for found, wanted in zip(help_of(sink), help, strict=True):
        assert found == wanted or (wanted is None and found is not None and "FragCoord" in found)


def settings(optimisation: int = 2, **values: str | bool) -> Settings:
    return settings_of(TargetOptions("fragment", optimisation, {**_DEFAULTS, **values}), COSTS)


def test_settings_of_options() -> None:
    usual = settings()
    assert not (usual.raw or usual.clamp or usual.linear or usual.saturates or usual.rerolls or usual.precise)
    assert usual.hoists and usual.has_memory
    assert settings(output="raw").raw
    assert settings(wrap="clamp").clamp
    assert settings(filter="linear").linear
    assert settings(saturate=True).saturates
    assert settings(optimisation=1).hoists
    assert not settings(optimisation=0).hoists
    assert settings(variant="icarus").has_memory
    assert not settings(variant="v1.2").has_memory
