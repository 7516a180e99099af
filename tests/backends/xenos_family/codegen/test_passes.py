"""The passes of this target say whether they changed anything."""

from __future__ import annotations

import pytest

from glslc_multi.backends.xenos_family.codegen.costs import FAST
from glslc_multi.backends.xenos_family.codegen.legalize import pipeline
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.memory.mem2reg import Mem2Reg
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.frontends.registry import make_source


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("sin(a)", "xenos-family-angles"),
        ("floor(c) + (a * c.x + b * c.y)", "xenos-family-addends"),
        ("(a * c.x + b * c.y) + floor(c)", "xenos-family-addends"),
        ("vec4(a.x + b.x, a.x - b.x, a.x + b.x * 2.0, 1.0)", "xenos-family-offsets"),
        ("a", ""),
    ],
)
def test_each_says_whether_it_changed_anything(expression: str, name: str) -> None:
    text = f"precision highp float; varying vec4 a, b; uniform vec4 c; void main() {{ gl_FragColor = {expression}; }}"
    module = lower_source(make_source(text, "it.frag"), FrontEndOptions(), DiagnosticSink())
    context = PassContext(FAST)
    run_pipeline(module, (Mem2Reg(),), context)
    changed = []
    for step in pipeline():
        before = print_module(module)
        if isinstance(step, Pass) and type(step).__module__.startswith("glslc_multi.backends."):
            says = step.run_on_module(module, context)
            assert says == (print_module(module) != before)
            changed += [step.name] * says
        else:
            run_pipeline(module, (step,), context)
    assert changed == ([name] if name else [])
