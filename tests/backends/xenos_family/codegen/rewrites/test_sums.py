"""Components as sums of multiples of others."""

from __future__ import annotations

import pytest

from glslc_multi.backends.xenos_family.codegen.rewrites.sums import Sums, read_itself, read_source, sum_of
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction
from glslc_multi.compiler.ir.parse import parse_module

_MODULE = """shader fragment
varying @a: vec4
varying @b: vec4
output @gl_FragColor: vec4 role(frag_color)

func @main {{
^entry:
  %0:vec4 = load @a
  %1:vec4 = load @b
{body}
  store @gl_FragColor, %9
  ret
}}
"""


def _instructions(body: str) -> list[Instruction]:
    module = parse_module(_MODULE.format(body=body), "it.sir", DiagnosticSink())
    assert module is not None
    return list(module.main.instructions())


def _named(total: object, loads: list[Instruction]) -> dict[str, float]:
    assert isinstance(total, dict)
    names = dict(zip(loads, "ab", strict=True))
    return {
        "1" if term is None else f"{names.get(term[0], term[0].op.name)}.{'xyzw'[term[1]]}": number
        for term, number in total.items()
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # -(3 b.w - a.y) * 0.5 + 2
        (
            "%2:vec4 = swizzle.wzyx %1\n%3:vec4 = swizzle.yxwz %0\n%4:vec4 = fmul %2, vec4(3.0)\n"
            "%5:vec4 = fsub %4, %3\n%6:vec4 = fneg %5\n%9:vec4 = fmad %6, vec4(0.5), vec4(2.0)",
            {"b.w": -1.5, "a.y": 0.5, "1": 2.0},
        ),
        # a.x + (a.x + 0.25)
        ("%2:vec4 = fadd %0, vec4(0.25)\n%9:vec4 = fadd %0, %2", {"a.x": 2.0, "1": 0.25}),
        # A product of two values is one value.
        ("%2:vec4 = fmul %0, %1\n%9:vec4 = fmad %2, vec4(4.0), %0", {"fmul.x": 4.0, "a.x": 1.0}),
        # What is precise is one value.
        ("%2:vec4 = fadd precise %0, %1\n%9:vec4 = fadd %2, %0", {"fadd.x": 1.0, "a.x": 1.0}),
        # 1.25 a - a cancels to a fifth: a value of its own.
        ("%2:vec4 = fmul %0, vec4(1.25)\n%3:vec4 = fsub %2, %0\n%9:vec4 = fadd %3, %1", {"fsub.x": 1.0, "b.x": 1.0}),
        # 1.5 a - a: a third is left.
        ("%2:vec4 = fmul %0, vec4(1.5)\n%3:vec4 = fsub %2, %0\n%9:vec4 = fadd %3, %1", {"a.x": 0.5, "b.x": 1.0}),
    ],
)
def test_sums_are_read_through_arithmetic(body: str, expected: dict[str, float]) -> None:
    instructions = _instructions(body)
    assert _named(Sums().read(instructions[-3], 0), instructions[:2]) == expected


def test_three_values_make_one() -> None:
    body = "%2:vec4 = fsin %0\n%3:vec4 = fadd %0, %1\n%4:vec4 = fadd %3, %2\n%9:vec4 = fadd %4, %1"
    instructions = _instructions(body)
    assert _named(Sums().read(instructions[-3], 1), instructions[:2]) == {"fadd.y": 1.0, "b.y": 1.0}


def test_operands_may_stay_as_they_are() -> None:
    body = "%2:float = swizzle.z %1\n%3:vec4 = construct %2, %2, %2, %2\n%9:vec4 = fadd %0, %3"
    instructions = _instructions(body)
    root, loads = instructions[-3], instructions[:2]
    assert root.op is ops.FADD
    assert _named(sum_of(root, 1, read_source), loads) == {"a.y": 1.0, "b.z": 1.0}
    assert _named(sum_of(root, 1, read_itself), loads) == {"a.y": 1.0, "construct.y": 1.0}


def test_a_product_of_values_is_no_sum() -> None:
    instructions = _instructions("%9:vec4 = fmul %0, %1")
    assert sum_of(instructions[-3], 0, read_source) is None
