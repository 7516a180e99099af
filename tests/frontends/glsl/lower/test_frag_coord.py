"""gl_FragCoord with a layout (GLSL 1.50 section 4.3.8.1): a window of 100 rows, a pixel in the 21st from the bottom."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.runtime.shader import Engine
from tests.frontends.glsl.check.support import check_text

HEIGHT = {"gl_WindowHeight": 100.0}
PLACE = [[10.5, 20.5, 0.25, 0.5]]


@pytest.mark.parametrize("engine", ["reference", "jit", "simulator"])
@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        ("", [10.5, 20.5, 0.25, 0.5]),
        ("layout(pixel_center_integer)", [10.0, 20.0, 0.25, 0.5]),
        ("layout(Origin_Upper_LEFT)", [10.5, 79.5, 0.25, 0.5]),
        ("layout(origin_upper_left, pixel_center_integer)", [10.0, 79.0, 0.25, 0.5]),
    ],
)
def test_values(layout: str, expected: list[float], engine: Engine) -> None:
    source = f"""#version 150
    {layout} in vec4 gl_FragCoord;
    vec4 seen = gl_FragCoord;
    out vec4 colour;
    void main() {{ colour = vec4(seen.xy / 128.0, gl_FragCoord.zw); }}"""
    shader = glslc_multi.compile(source, target="adreno", stage="fragment")
    needs_height = "origin" in layout.lower()
    assert [uniform.name for uniform in shader.reflection.uniforms] == list(HEIGHT) * needs_height
    found = shader.run({"gl_FragCoord": PLACE}, HEIGHT if needs_height else {}, engine=engine)["colour"][0]
    x, y, *rest = expected
    assert found == pytest.approx([x / 128, y / 128, *rest], abs=1e-6)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("in vec4 gl_FragCoord; layout(origin_upper_left) in vec4 gl_FragCoord;", ["E0386"]),
        ("float y = gl_FragCoord.y; layout(origin_upper_left) in vec4 gl_FragCoord;", ["E0385"]),
        ("layout(origin_upper_left) in vec4 gl_FragCoord, gl_FragCoord;", []),
        ("layout(origin_upper_left) in vec4 other;", ["E0370"]),
        ("layout(origin_lower_left) in vec4 gl_FragCoord;", ["E0338"]),
        ("in vec3 gl_FragCoord;", ["E0311"]),
    ],
)
def test_declarations(text: str, codes: list[str]) -> None:
    assert check_text(f"#version 150\n{text}\nvoid main() {{}}", "fragment").error_codes == codes


def test_only_versions_that_have_conventions_declare_it_again() -> None:
    text = "in vec4 gl_FragCoord; void main() {}"
    assert check_text(f"#version 140\n{text}", "fragment").error_codes == ["E0311"]
    extension = "#extension GL_ARB_fragment_coord_conventions : enable"
    assert check_text(f"#version 140\n{extension}\n{text}", "fragment").error_codes == []
