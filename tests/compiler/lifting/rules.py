"""Texts of the IR before and after a rule of the lifter, and what both compute."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline import DCE
from glslc_multi.compiler.passes.runner import run_pipeline

#: Numbers on edges of roundings, comparisons and formats.
FLOATS = np.array(
    [0.0, 0.5, 1.0, -1.0, -0.5, 2.25, -2.25, 3.0, 1e-3, -7.75, 100.0, 8e6, -8e6, 2e9, -2e9, 0.1], np.float32
)
INTS = np.array(
    [0, 1, -1, 7, -7, 8, -8, 255, 256, -256, 0xFFFFFF, 0x1000000, -0x1000000, 0x12345678, 2**31 - 1, -(2**31)], np.int32
)


def module_of(kind: str, body: str) -> Module:
    """A shader that reads %x and %y of a kind, and whose %r is the result."""
    text = f"""shader vertex
attribute @x: {kind} highp
attribute @y: {kind} highp
varying @r: {kind} highp
output @gl_Position: vec4 highp role(position)

func @main {{
^entry:
  %x:{kind} = load @x
  %y:{kind} = load @y
{body}
  store @r, %r
  ret
}}
"""
    # The format has numbers for names.
    names = list(dict.fromkeys(re.findall(r"%([a-z]\w*)", text)))
    text = re.sub(r"%([a-z]\w*)", lambda match: f"%{names.index(match[1])}", text)
    sink = DiagnosticSink()
    module = parse_module(text, "<test>", sink)
    sink.raise_if_errors()
    assert module is not None
    return module


def operations_after(kind: str, body: str, rule: Callable[[Function], object], largest: float = np.inf) -> list[str]:
    """The operations that are left after a rule, which must compute the same of edges up to the largest."""
    before, after = module_of(kind, body), module_of(kind, body)
    rule(after.main)
    run_pipeline(after, (DCE,), PassContext())
    verify_module(after)
    wanted, values = results_of(before, kind, largest), results_of(after, kind, largest)
    usual = np.isfinite(wanted)
    np.testing.assert_allclose(values[usual], wanted[usual], rtol=1e-5, atol=1e-5)
    return [i.op.name for i in after.main.instructions() if i.op.name not in ("load", "store", "ret")]


def results_of(module: Module, kind: str, largest: float) -> Array:
    """What a module computes of all pairs of edges."""
    edges = FLOATS[np.abs(FLOATS) <= largest] if kind == "float" else INTS
    x, y = (each.ravel() for each in np.meshgrid(edges, edges))
    read = {v.name for v in module.of_storage("attribute")}
    with np.errstate(all="ignore"):
        result = evaluate(module, {n: v for n, v in (("x", x), ("y", y)) if n in read}, {}, lanes=len(x))
    return np.asarray(result.outputs["r"])
