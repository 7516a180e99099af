"""The lower bound of a shader's tokens is one, and what is above the limit is refused before any code is made."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi import compile
from glslc_multi.backends.agal.codegen import generate
from glslc_multi.backends.agal.codegen.least_size import least_tokens
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Function
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.memory.mem2reg import Mem2Reg
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.frontends.registry import make_source
from tests.generators.glsl import Stage
from tests.generators.glsl import generate as generate_shader
from tests.shared_data import PROJECT_ROOT

#: Shaders that pack well: four numbers beside each other, products that become dot products, arms that are alike.
PACKED = [
    "vec4 r = a; for (int i = 0; i < 20; i++) { r.x = r.x * b.x + b.y; r.y = r.y * b.x + b.y; r.z = r.z * b.x + b.y; "
    "r.w = r.w * b.x + b.y; } gl_FragColor = r;",
    "vec4 r = a; for (int i = 0; i < 20; i++) { float s = r.x * b.x + r.y * b.y + r.z * b.z + r.w * b.w; "
    "r = vec4(s, s * s, r.xy); } gl_FragColor = r;",
    "vec4 r = a; for (int i = 0; i < 20; i++) { if (r.x < b.x) r = r * b; else r = r * b.wzyx; } gl_FragColor = r;",
    "vec4 r = a; for (int i = 0; i < 20; i++) { if (r.x < b.x) r = sin(r) * b; else r = sin(r) * a; } "
    "gl_FragColor = r;",
    "mat4 m = mat4(a, b, a * b, a + b); vec4 r = a; for (int i = 0; i < 9; i++) r = m * r; gl_FragColor = r;",
]


def _sources() -> list[tuple[str, Stage]]:
    head = "precision highp float; varying vec4 a; uniform vec4 b; void main() {"
    found: list[tuple[str, Stage]] = [(f"{head} {body} }}", "fragment") for body in PACKED]
    random = Random(11)
    for number in range(50):
        stage: Stage = ("vertex", "fragment")[number % 2]
        found.append((generate_shader(random, stage).source, stage))
    examples = sorted((PROJECT_ROOT / "examples/shaders").iterdir())
    return found + [(path.read_text(), "vertex" if path.suffix == ".vert" else "fragment") for path in examples]


@pytest.mark.thorough
def test_no_code_is_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = 0

    def note(function: Function, version: int, sink: DiagnosticSink) -> None:
        nonlocal bound
        bound = least_tokens(function)[0]

    monkeypatch.setattr(generate, "refuse_what_cannot_fit", note)
    compared = 0
    for source, stage in _sources():
        for version in (1, 3):
            for level in (0, 2):
                try:
                    made = compile(source, target="agal", stage=stage, opt=level, options={"agal_version": version})
                except CompileError:
                    continue
                compared += 1
                assert bound <= made.stats.instructions, source
    assert compared > 150


def test_what_cannot_fit_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "legalize", None)
    body = "s = sin(s * u) + cos(s.wzyx) * s.yxwz + u;" * 900
    text = (
        f"precision highp float; varying vec4 d; uniform vec4 u; void main() {{ vec4 s = d; {body} gl_FragColor = s; }}"
    )
    for version in (1, 2, 3):
        with pytest.raises(CompileError) as caught:
            compile(text, target="agal", stage="fragment", options={"agal_version": version})
        (error,) = caught.value.diagnostics
        assert (error.code, error.help) == ("E0701", "compute less, or let loops run fewer times: they are unrolled")
        assert "at least" in error.message and error.span is not None


@pytest.mark.parametrize(("letters", "least"), [("xyzw", 4), ("xxxx", 3)])
def test_different_components_are_different_work(letters: str, least: int) -> None:
    """15 sums of 16 functions, or of the same four again and again; a token makes eight components at most."""
    functions = [f"{name}({value}.{letter})" for name in ("sin", "cos") for value in "ab" for letter in letters]
    body = f"gl_FragColor = vec4({' + '.join(functions)});"
    text = f"precision highp float; varying vec4 a; uniform vec4 b; void main() {{ {body} }}"
    module = lower_source(make_source(text, "a.frag"), FrontEndOptions(), DiagnosticSink())
    assert least_tokens(module.main)[0] == least


def test_the_place_is_where_the_bound_comes_to_the_limit() -> None:
    """A vec4 has four components, and a token makes eight at most."""
    lines = "\n".join(f"s = sin(s) + {n}.0;" for n in range(1, 61))
    text = f"precision highp float; varying vec4 d; void main() {{ vec4 s = d;\n{lines}\ngl_FragColor = s; }}"
    module = lower_source(make_source(text, "long.frag"), FrontEndOptions(), DiagnosticSink())
    run_pipeline(module, (Mem2Reg(),), PassContext())
    for limit in (10, 37):
        least, place = least_tokens(module.main, limit)
        # Two operations a line, eight components: the line in which there is more than the limit allows.
        assert least == 60 and place is not None and place.line == limit + 2
