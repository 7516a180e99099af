"""What the shader computes of uniforms alone is a sum of products as well: equal values are seen to be equal."""

from __future__ import annotations

import pytest

from glslc_multi.backends.pica200.target import TARGET
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.options import Request

_SHADER = """shader fragment
varying @v: vec4
uniform @k: vec4
uniform @l: vec4
uniform @m: vec4
output @gl_FragColor: vec4 role(frag_color)
func @main {{
^entry:
  %0:vec4 = load @v
  %1:vec4 = swizzle.wwww %0
  %2:vec4 = load @k
  %3:vec4 = load @l
  %4:vec4 = load @m
  %5:float = swizzle.x %2
  %6:float = swizzle.y %3
{host}
  %11:vec4 = fmul %1, %10
  %12:vec4 = fmul %1, %2
  %13:vec4 = fmul %1, %3
  %14:float = swizzle.x %12
  %15:float = swizzle.y %13
  %18:vec4 = fneg %13
  %19:vec4 = fmul %1, %4
{pixel}
  %21:vec4 = fadd %0, %11
  %22:vec4 = fsub %21, %20
  store @gl_FragColor, %22
  ret
}}
"""


@pytest.mark.parametrize(
    ("host", "pixel"),
    [
        ("fadd %2, %3", "fmad %1, %2, %13"),
        ("fsub %2, %3", "fmad %1, %2, %18"),
        ("fmul %2, %3", "fmul %12, %3"),
        ("fneg %2", "fneg %12"),
        ("fmad %2, %3, %4", "fmad %12, %3, %19"),
        ("fmix %2, %3, %4", "fmix %12, %13, %4"),
        ("swizzle.wzyx %2", "swizzle.wzyx %12"),
        ("insert.y %3, %5", "insert.y %13, %14"),
        ("construct %5, %6, %6, %5", "construct %14, %15, %15, %14"),
    ],
)
def test_a_factor_times_what_the_host_computes_is_what_is_computed_of_products(host: str, pixel: str) -> None:
    """Add and take away the same, which leaves the varying alone."""
    assert _stages(f"  %10:vec4 = {host}", f"  %20:vec4 = {pixel}") == (1, 0)


def test_a_dot_product_of_the_host_is_a_sum_of_products() -> None:
    host = "  %9:float = dot %2, %3\n  %10:vec4 = construct %9, %9, %9, %9"
    pixel = "  %16:float = dot %12, %3\n  %20:vec4 = construct %16, %16, %16, %16"
    assert _stages(host, pixel) == (1, 0)


def _stages(host: str, pixel: str) -> tuple[int, int]:
    """Stages of the combiners, and constants of theirs."""
    sink, request = DiagnosticSink(), Request(optimisation=0)
    module = parse_module(_SHADER.format(host=host, pixel=pixel), "a.sir", sink)
    assert module is not None
    stats = compile_module(module, TARGET, checked_options(TARGET, "fragment", request, sink), request, sink).stats
    return stats.instructions, stats.constants
