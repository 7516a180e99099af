"""Functions that may end without a result, and outputs that are never written."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.flow.support import warnings_of


@pytest.mark.parametrize(
    ("body", "warned"),
    [
        ("return 1.0;", False),
        ("if (n > 0) return 1.0; return 2.0;", False),
        ("if (n > 0) return 1.0; else return 2.0;", False),
        ("if (n > 0) return 1.0; else discard;", False),
        ("if (n > 0) return 1.0;", True),
        ("if (n > 0) return 1.0; else if (n < 0) return 2.0;", True),
        ("{ return 1.0; }", False),
        ("for (int i = 0; i < 4; i++) { if (i == n) return 1.0; }", True),
        ("for (int i = 0; i < 4; i++) { return 1.0; }", False),
        ("for (int i = 0; i < 4; i++) { if (i == n) break; return 1.0; }", True),
        ("while (n > 0) { return 1.0; }", True),
        ("while (true) { if (n > 0) return 1.0; }", False),
        ("for (;;) { if (n > 0) return 1.0; }", False),
        ("do { return 1.0; } while (n > 0);", False),
        ("if (true) return 1.0;", False),
    ],
)
def test_paths_without_a_return(body: str, *, warned: bool) -> None:
    found = warnings_of(f"float f() {{ {body} }} void main() {{ use(f()); }}", "W0455")
    assert [each.message for each in found] == (
        ["'f' may end without returning a value of type float"] if warned else []
    )


def test_a_function_without_any_return_is_warned_of_once() -> None:
    text = "float f() { float a; use(1.0); } void main() { use(f()); }"
    assert [each.code for each in warnings_of(text, "W0454", "W0455")] == ["W0454"]


@pytest.mark.parametrize(
    ("stage", "text", "expected"),
    [
        ("vertex", "attribute vec4 p; void main() { gl_Position = p; }", []),
        ("vertex", "attribute vec4 p; void set(out vec4 x) { x = p; } void main() { set(gl_Position); }", []),
        ("vertex", "attribute vec4 p; varying vec4 q; void main() { q = p; }", ["gl_Position"]),
        ("vertex", "void main() { vec4 p = gl_Position; }", ["gl_Position"]),
        ("fragment", "void main() { gl_FragColor.x = 1.0; }", []),
        ("fragment", "void main() { gl_FragData[0] = vec4(1.0); }", []),
        ("fragment", "void main() {}", ["gl_FragColor"]),
        ("fragment", "void main() { discard; }", ["gl_FragColor"]),
        (
            "fragment",
            "#extension GL_EXT_frag_depth : enable\nvoid main() { gl_FragDepthEXT = 0.5; }",
            [],
        ),
        (
            "geometry",
            "#pragma geometry(points)\nvoid main() { EmitVertex(); EndPrimitive(); }",
            ["gl_Position"],
        ),
    ],
)
def test_outputs_that_are_never_written(stage: Stage, text: str, expected: list[str]) -> None:
    found = warnings_of(text, "W0482", stage=stage, globals_="")
    assert [each.values["name"] for each in found] == expected
    assert [each.help for each in found] == [f"assign {name} in main" for name in expected]
