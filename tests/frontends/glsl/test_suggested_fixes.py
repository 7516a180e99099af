"""What a misspelt word may stand for is an edit, which mends it, and which nothing takes without being asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.cli.main import main
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.check.test_porting import mended, mistakes

HEAD = "precision mediump float;\nuniform vec4 u_colour;\nstruct Lamp { vec3 place; };\nuniform Lamp u_lamp;\n"
BODY = "void main() { gl_FragColor = u_colour; }\n"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("u_color", "u_colour"),
        ("vec4(nomalize(u_colour.rgb), 1.0)", "vec4(normalize(u_colour.rgb), 1.0)"),
        ("vec4(u_lamp.plase, 1.0)", "vec4(u_lamp.place, 1.0)"),
        ("vec4(vek3(1.0), 1.0)", "vec4(vec3(1.0), 1.0)"),
    ],
)
def test_in_expressions(wrong: str, right: str) -> None:
    _mended_to(HEAD + BODY.replace("u_colour;", f"{wrong};"), HEAD + BODY.replace("u_colour;", f"{right};"))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("unifrom vec4 u_other;", "uniform vec4 u_other;"),
        ("uniform vecc4 u_other;", "uniform vec4 u_other;"),
        ("uniform Lampp u_other;", "uniform Lamp u_other;"),
        ("precision mediump float; precision higph int;", "precision mediump float; precision highp int;"),
        ("#defin X 1", "#define X 1"),
        ("#define QUALITY 1\n#if QUALLITY\n#endif", "#define QUALITY 1\n#if QUALITY\n#endif"),
        ("#extension GL_OES_standard_derivativs : require", "#extension GL_OES_standard_derivatives : require"),
    ],
)
def test_in_declarations_and_directives(wrong: str, right: str) -> None:
    place = "@\n" + HEAD + BODY if wrong.startswith("#") else HEAD + "@\n" + BODY
    _mended_to(place.replace("@", wrong), place.replace("@", right))


def test_in_layouts() -> None:
    text = "#version 300 es\nlayout(std14O) uniform Block { vec4 u; };\nvoid main() { gl_Position = u; }\n"
    _mended_to(text, text.replace("std14O", "std140"), "vertex")


@pytest.mark.parametrize(
    ("stage", "declaration", "statement", "guess"),
    [
        # A type, as declared and as called: mat2x2 and its like came with 3.00 and 1.20.
        ("fragment", "uniform mat2xx u;", "", {100: "mat2", 300: "mat2x2", 110: "mat2", 120: "mat2x2"}),
        ("fragment", "", "mat2xx(1.0);", {100: "mat2", 300: "mat2x2", 110: "mat2", 120: "mat2x2"}),
        ("fragment", "", "uvec22(1);", {300: "uvec2", 330: "uvec2", 120: "bvec2"}),
        # A qualifier.
        ("vertex", "attribut vec4 a;", "", {100: "attribute", 300: None, 120: "attribute"}),
        ("vertex", "invariannt vec4 a;", "", {100: "invariant", 110: None}),
        # A function of the version and of the stage.
        ("vertex", "", "trunk(1.0);", {100: None, 300: "trunc", 130: "trunc"}),
        ("fragment", "", "fwidht(1.0);", {300: "fwidth", 110: "fwidth"}),
        ("vertex", "", "fwidht(1.0);", {300: None, 110: None}),
        # A variable of the version and of the stage.
        ("fragment", "", "gl_FragColr;", {100: "gl_FragColor", 120: "gl_FragColor", 300: "gl_FragCoord"}),
        ("vertex", "", "gl_FragColr;", {100: None}),
        ("vertex", "", "gl_VertxID;", {300: "gl_VertexID", 100: None}),
        ("fragment", "", "gl_VertxID;", {300: None}),
    ],
)
def test_a_guess_is_of_the_version_and_the_stage(
    stage: Stage, declaration: str, statement: str, guess: dict[int, str | None]
) -> None:
    for version, word in guess.items():
        text = f"#version {version}{' es' * (version == 300)}\n{declaration}\nvoid main() {{ {statement} }}\n"
        found = next(each.help for each in mistakes(text, stage) if each.severity == "error") or ""
        assert (found if found.startswith("did you mean") else None) == (word and f"did you mean '{word}'?")


def _mended_to(wrong: str, right: str, stage: Stage = "fragment") -> None:
    diagnostic = next(each for each in mistakes(wrong, stage) if each.fixes)
    assert diagnostic.help is not None and diagnostic.help.startswith("did you mean")
    assert not any(fix.is_certain for fix in diagnostic.fixes)
    assert mended(wrong, diagnostic) == right
    assert mistakes(right, stage) == []


@pytest.mark.parametrize("macro", ["#define COLOUR u_color\n", "#define COLOUR (u_color * 0.5)\n"])
def test_what_a_macro_writes_is_left_to_the_reader(macro: str) -> None:
    (diagnostic,) = mistakes(macro + HEAD + BODY.replace("u_colour;", "COLOUR;"), "fragment")
    assert diagnostic.help == "did you mean 'u_colour'?" and not diagnostic.fixes


def test_another_version_is_not_guessed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the other version does not have is an error there, whatever is spelt alike."""
    shader = tmp_path / "a.frag"
    body = "mat2x3 m = mat2x3(1.0); colour = vec4(m[0], 1.0);"
    shader.write_text(f"#version 300 es\nprecision mediump float;\nout vec4 colour;\nvoid main() {{ {body} }}\n")
    assert main(["port", str(shader), "--to", "100"]) == 1
    assert "there is no type 'mat2x3'" in capsys.readouterr().err
