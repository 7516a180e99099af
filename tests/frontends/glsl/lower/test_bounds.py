"""Large and deep shaders: bounded work, no recursion error, a message where a limit is passed."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.frontends.glsl.lower.harness import lower_text
from tests.frontends.glsl.shaders import compile_shader

HEAD = "precision mediump float; varying vec4 v; uniform float u;\n"


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 200 + "u" + ")" * 200,
        "sin(" * 200 + "u" + ")" * 200,
        "- " * 200 + "u",
        " + ".join(["u"] * 4000),
        "(" + ", ".join(["u"] * 4000) + ")",
        "u > 0.0 ? u : " * 200 + "u",
        "v" + ".xyzw" * 4000 + ".x",
        "v[int(" * 100 + "u" + ")]" * 100,
    ],
    ids=["parentheses", "calls", "prefixes", "sum", "commas", "conditionals", "swizzles", "indices"],
)
def test_deep_expressions(expression: str) -> None:
    lower_text(f"{HEAD} void main() {{ gl_FragColor = vec4({expression}); }}")


@pytest.mark.parametrize(
    "statement",
    [
        "{" * 200 + "gl_FragColor = v;" + "}" * 200,
        "for (int i = 0; i < 2; i++) " * 100 + "gl_FragColor = v;",
        "if (u > 0.0) " * 100 + "gl_FragColor = v;",
        " else ".join(f"if (u > {n}.0) gl_FragColor = vec4({n}.0);" for n in range(500)),
    ],
    ids=["blocks", "loops", "branches", "else-ifs"],
)
def test_deep_statements(statement: str) -> None:
    lower_text(f"{HEAD} void main() {{ {statement} }}")


def test_a_long_chain_of_calls() -> None:
    functions = "float f0() { return u; }\n"
    functions += "".join(f"float f{n}() {{ return f{n - 1}(); }}\n" for n in range(1, 500))
    module = lower_text(f"{HEAD}{functions} void main() {{ gl_FragColor = vec4(f499()); }}")
    assert len(module.functions) == 501


def error_of(source: str) -> str:
    with pytest.raises(CompileError) as caught:
        compile_shader(source, filename="big.frag", stage="fragment", sink=DiagnosticSink())
    (diagnostic,) = [each for each in caught.value.diagnostics if each.severity == "error"]
    assert diagnostic.span is not None
    return f"{diagnostic.span.location}: {diagnostic.message} [{diagnostic.code}]"


def test_copies_of_large_arrays_are_bounded() -> None:
    source = (
        "precision mediump float;\nfloat f(float a[60000]) { return a[1]; }\n"
        "void main() { float a[60000]; gl_FragColor = vec4(f(a) + f(a)); }"
    )
    assert error_of(source) == "big.frag:3:60: the shader takes more than 131072 operations [E0703]"
