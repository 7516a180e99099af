"""`glslc-multi render`: pictures of known scenes, values by name, comparison, and mistakes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from glslc_multi.cli.main import main
from glslc_multi.runtime.png import decode_png, encode_png

VERTEX = """
attribute vec4 a_position; attribute vec2 a_uv;
uniform vec2 u_scale;
varying vec2 v_uv;
void main() { v_uv = a_uv; gl_Position = vec4(a_position.xy * u_scale, 0.0, 1.0); }
"""
FRAGMENT = """
precision highp float;
varying vec2 v_uv; uniform vec3 u_color; uniform sampler2D u_map;
void main() { gl_FragColor = vec4(texture2D(u_map, v_uv).rgb * u_color, 1.0); }
"""
SIZE = 16


@pytest.fixture
def shaders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("a.vert").write_text(VERTEX, encoding="utf-8")
    Path("a.frag").write_text(FRAGMENT, encoding="utf-8")
    # Four texels, the top row first: red, green; blue, white.
    texels = [[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]]
    Path("map.png").write_bytes(encode_png(np.repeat(np.repeat(texels, 8, 0), 8, 1)))
    return ["render", "a.vert", "a.frag", "-o", "a.png", "--size", f"{SIZE}x{SIZE}", "-w"]


def picture(*arguments: str) -> np.ndarray:
    assert main(list(arguments)) == 0
    return decode_png(Path("a.png").read_bytes()).astype(int)


@pytest.mark.parametrize("target", ["agal", "adreno", "vc4", "theia", "pica200"])
def test_a_textured_square(target: str, shaders: list[str]) -> None:
    """Half as wide as the picture; each quarter has the colour of its texel, the upper ones at the top."""
    found = picture(
        *shaders, "--target", target, "--mesh", "quad",
        "--uniform", "u_scale=[0.5,1]", "--uniform", "u_color=[1,0.5,1]", "--texture", "u_map=map.png",
    )  # fmt: skip
    assert found.shape == (SIZE, SIZE, 3)
    assert not found[:, : SIZE // 4].any() and not found[:, -SIZE // 4 :].any()
    places = {(3, 5): (255, 0, 0), (3, 10): (0, 128, 0), (12, 5): (0, 0, 255), (12, 10): (255, 128, 255)}
    for (row, column), colour in places.items():
        np.testing.assert_allclose(found[row, column], colour, atol=1)


def test_the_comparison_shows_three_pictures(shaders: list[str]) -> None:
    found = picture(*shaders, "--target", "adreno", "--compare", "--uniform", "u_scale=[0.9,0.9]")
    assert found.shape == (SIZE, 3 * SIZE, 3)
    reference, made, difference = np.split(found, 3, axis=1)
    assert reference.any()
    np.testing.assert_array_equal(difference, np.minimum(abs(made - reference) * 16, 255))


@pytest.mark.parametrize("target", ["adreno", "agal", "theia", "vc4", "xenos"])
def test_depths_of_the_chequered_image_are_compared(target: str, shaders: list[str]) -> None:
    """One half of its squares has a red of 0.25, the other one of 0.95."""
    source = "#version 120\nvarying vec2 v_uv; uniform sampler2DShadow u_map;"
    Path("a.frag").write_text(
        f"{source} void main() {{ gl_FragColor = shadow2D(u_map, vec3(v_uv, 0.5)); }}", encoding="utf-8"
    )
    found = picture(*shaders, "--target", target, "--mesh", "quad", "--compare", "--uniform", "u_scale=[1,1]")
    reference, made, difference = np.split(found, 3, axis=1)
    assert (reference == 255).sum() == (reference == 0).sum()
    assert np.array_equal(reference, made) and not difference.any()


def test_a_difference_is_seen(shaders: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code that computes something else: the third picture is not black."""
    from glslc_multi.backends.registry import load_target

    target = load_target("adreno")
    right = type(target).simulate

    def wrong(self: object, artifact: object, inputs: object, options: object) -> object:
        left = right(target, artifact, inputs, options)  # type: ignore[arg-type]
        if artifact.reflection.stage == "fragment":  # type: ignore[attr-defined]
            left.outputs = {space: {n: v / 2 for n, v in file.items()} for space, file in left.outputs.items()}
        return left

    monkeypatch.setattr(type(target), "simulate", wrong)
    found = picture(*shaders, "--target", "adreno", "--compare", "--uniform", "u_scale=[0.9,0.9]")
    assert found[:, 2 * SIZE :].max() > 100
    found = picture(*shaders, "--target", "adreno", "--compare", "--uniform", "u_scale=[0.9,0.9]", "--engine", "jit")
    assert found[:, 2 * SIZE :].max() <= 16


def test_meshes_from_files(shaders: list[str]) -> None:
    Path("left.obj").write_text("v -1 -1 0\nv 0 -1 0\nv 0 1 0\nv -1 1 0\nf 1 2 3 4\n", encoding="utf-8")
    found = picture(*shaders, "--target", "agal", "--mesh", "left.obj", "--uniform", "u_scale=[1,1]")
    assert found[:, : SIZE // 2].any(axis=2).all() and not found[:, SIZE // 2 :].any()


def test_a_stage_that_the_target_lacks_is_said(shaders: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    picture(*shaders, "--target", "theia", "--mesh", "quad")
    assert "theia has no vertex stage" in capsys.readouterr().err
    for target in ("adreno", "pica200"):
        picture(*shaders, "--target", target, "--mesh", "quad")
        assert "stage" not in capsys.readouterr().err


@pytest.mark.parametrize("target", ["adreno", "pica200"])
def test_outputs_of_newer_glsl(target: str, shaders: list[str]) -> None:
    """The colour has whatever name the shader gives it."""
    Path("a.vert").write_text("#version 300 es\nin vec4 p;\nvoid main() { gl_Position = p; }\n", encoding="utf-8")
    body = "void main() { paint = vec4(1.0, 0.0, 0.0, 1.0); }"
    Path("a.frag").write_text(f"#version 300 es\nprecision mediump float;\nout vec4 paint;\n{body}\n", encoding="utf-8")
    found = picture(*shaders, "--target", target, "--mesh", "quad")
    assert (found[SIZE // 2, SIZE // 2] == (255, 0, 0)).all()


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (["--uniform", "u_colour=1"], "the shader has no uniform 'u_colour'", 1),
        (["--uniform", "u_color=[1,2]"], "must have shape (3,), found (2,)", 1),
        (["--uniform", "u_color=red"], "a number or a list of them", 2),
        (["--uniform", "u_color"], "NAME=VALUE", 2),
        (["--texture", "u_map=a.vert"], "this is no PNG file", 2),
        (["--texture", "u_map=none.png"], "none.png", 2),
        (["--mesh", "ball"], "one of cube, quad, sphere, torus", 2),
        (["--mesh", "none.obj"], "none.obj", 2),
        (["--size", "0x4"], "WxH", 2),
        (["--size", "9999x4"], "WxH", 2),
    ],
)
def test_mistakes(
    arguments: list[str], message: str, status: int, shaders: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*shaders, "--target", "adreno", *arguments]) == status
    assert message in capsys.readouterr().err
    assert not Path("a.png").exists()


def test_what_is_missing_is_asked_for(shaders: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "a.vert"]) == 2
    assert "a vertex and a fragment shader" in capsys.readouterr().err
    assert main(["render", "a.vert", "a.frag", "--target", "agal"]) == 2
    assert "-o" in capsys.readouterr().err
    assert main(shaders) == 2
    assert "--target" in capsys.readouterr().err
