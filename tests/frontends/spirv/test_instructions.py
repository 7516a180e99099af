"""Every instruction on floats and composites, by a formula of its own over plain numbers; ints have `test_ints.py`."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.spirv.grammar.arithmetic import ARITHMETIC, BITS, CONVERSIONS, RELATIONS
from glslc_multi.compiler.spirv.grammar.standard import STANDARD
from glslc_multi.compiler.spirv.grammar.structure import COMPOSITE
from tests.edges import Format, edges, pairs
from tests.frontends.spirv import test_ints as ints
from tests.frontends.spirv.modules import INTS_J, VALUES, A, B, C, lowered, run, run_exactly, run_rows, shader

#: Sums, products and whole quotients of these are exact in floats; their remainders, too.
_EXACT = Format(-64, 64, step=0.25)
_NUMBERS = edges(format=_EXACT)
_PAIRS = list(pairs(_NUMBERS, _EXACT))
_FEW = _NUMBERS[::4]


def _float(x: float) -> float:
    return float(np.float32(x))


def _wrap(x: int) -> int:
    return (x + 2**31) % 2**32 - 2**31


#: Instruction -> formula over its operands.
FLOATS: dict[str, Callable[[float, float], float]] = {
    "OpFAdd": lambda x, y: x + y,
    "OpFSub": lambda x, y: x - y,
    "OpFMul": lambda x, y: x * y,
    "OpFDiv": lambda x, y: x / y,
    "OpFRem": math.fmod,
    "OpFMod": lambda x, y: x - y * math.floor(x / y),
}


def _ordered(f: Callable[[float, float], bool]) -> Callable[[float, float], bool]:
    return lambda x, y: not (math.isnan(x) or math.isnan(y)) and f(x, y)


def _unordered(f: Callable[[float, float], bool]) -> Callable[[float, float], bool]:
    return lambda x, y: math.isnan(x) or math.isnan(y) or f(x, y)


_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "Equal": lambda x, y: x == y,
    "NotEqual": lambda x, y: x != y,
    "LessThan": lambda x, y: x < y,
    "GreaterThan": lambda x, y: x > y,
    "LessThanEqual": lambda x, y: x <= y,
    "GreaterThanEqual": lambda x, y: x >= y,
}
TESTS_OF_FLOATS: dict[str, Callable[[float, float], bool]] = {
    **{f"OpFOrd{name}": _ordered(f) for name, f in _RELATIONS.items()},
    **{f"OpFUnord{name}": _unordered(f) for name, f in _RELATIONS.items()},
}
TESTS_OF_BOOLS: dict[str, Callable[..., bool]] = {
    "OpLogicalEqual": lambda x, y: x == y,
    "OpLogicalNotEqual": lambda x, y: x != y,
    "OpLogicalOr": lambda x, y: x or y,
    "OpLogicalAnd": lambda x, y: x and y,
    "OpLogicalNot": lambda x: not x,
}


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name: str) -> None:
    rows = [(x, y) for x, y in _PAIRS if y]
    found = run_rows(f"%result = {name} %vec4 %x %y\n", rows)
    assert found.tolist() == pytest.approx([FLOATS[name](*row) for row in rows], rel=1e-7, abs=0)


def test_negation() -> None:
    assert run(shader("%result = OpFNegate %vec4 %a\n")) == [-x for x in A]


@pytest.mark.parametrize("name", TESTS_OF_FLOATS)
def test_relations_of_floats(name: str) -> None:
    """Of all edges with each other, infinities, and what is no number."""
    rows = list(product([*edges(), math.inf, -math.inf, math.nan], repeat=2))
    found = run_rows(f"%r = {name} %bvec4 %x %y\n%result = OpSelect %vec4 %r %ones %zeros\n", rows)
    assert found.tolist() == [float(TESTS_OF_FLOATS[name](*row)) for row in rows]


@pytest.mark.parametrize("name", TESTS_OF_BOOLS)
def test_logic(name: str) -> None:
    x, y = (1.0, 1.0, 0.0, 0.0), (1.0, 0.0, 1.0, 0.0)
    body = f"""
        %x = OpFOrdEqual %bvec4 %a %ones
        %y = OpFOrdEqual %bvec4 %b %ones
        %r = {name} %bvec4 {"%x" if name == "OpLogicalNot" else "%x %y"}
        %result = OpSelect %vec4 %r %ones %zeros
    """
    found = run(shader(body), {"pa": x, "pb": y})
    count = 1 if name == "OpLogicalNot" else 2
    assert found == [float(TESTS_OF_BOOLS[name](*map(bool, pair[:count]))) for pair in zip(x, y, strict=True)]


def _dot(x: Any, y: Any) -> float:
    return float(sum(p * q for p, q in zip(x, y, strict=True)))


#: Body -> the colour.
OTHERS: dict[str, tuple[str, list[float]]] = {
    "OpDot": ("%d = OpDot %float %a %b\n%result = OpVectorTimesScalar %vec4 %ones %d", [_dot(A, B)] * 4),
    "OpVectorTimesScalar": ("%result = OpVectorTimesScalar %vec4 %a %f2", [2 * x for x in A]),
    "OpMatrixTimesVector": (
        "%m = OpCompositeConstruct %mat4 %a %b %c %ones\n%result = OpMatrixTimesVector %vec4 %m %c",
        [_dot(row, C) for row in zip(A, B, C, (1.0,) * 4, strict=True)],
    ),
    "OpVectorTimesMatrix": (
        "%m = OpCompositeConstruct %mat4 %a %b %c %ones\n%result = OpVectorTimesMatrix %vec4 %c %m",
        [_dot(C, A), _dot(C, B), _dot(C, C), sum(C)],
    ),
    "OpMatrixTimesMatrix": (
        """%m = OpCompositeConstruct %mat4 %a %b %c %ones
        %n = OpMatrixTimesMatrix %mat4 %m %m
        %result = OpCompositeExtract %vec4 %n 1""",
        [_dot(row, B) for row in zip(A, B, C, (1.0,) * 4, strict=True)],
    ),
    "OpMatrixTimesScalar": (
        """%m = OpCompositeConstruct %mat4 %a %b %c %ones
        %n = OpMatrixTimesScalar %mat4 %m %f2
        %result = OpCompositeExtract %vec4 %n 2""",
        [2 * x for x in C],
    ),
    "OpTranspose": (
        """%m = OpCompositeConstruct %mat4 %a %b %c %ones
        %n = OpTranspose %mat4 %m
        %result = OpCompositeExtract %vec4 %n 1""",
        [A[1], B[1], C[1], 1.0],
    ),
    "OpOuterProduct": (
        "%n = OpOuterProduct %mat4 %a %b\n%result = OpCompositeExtract %vec4 %n 3",
        [x * B[3] for x in A],
    ),
    "OpSelect": (
        "%r = OpFOrdLessThan %bvec4 %a %b\n%result = OpSelect %vec4 %r %a %b",
        [x if x < y else y for x, y in zip(A, B, strict=True)],
    ),
    "OpAny": (
        """%r = OpFOrdLessThan %bvec4 %a %b
        %s = OpAny %bool %r
        %t = OpAll %bool %r
        %x = OpSelect %float %s %f1 %f0
        %y = OpSelect %float %t %f1 %f0
        %result = OpCompositeConstruct %vec4 %x %y %f0 %f0""",
        [1.0, 0.0, 0.0, 0.0],
    ),
    "OpVectorShuffle": ("%result = OpVectorShuffle %vec4 %a %b 7 0 5 2", [B[3], A[0], B[1], A[2]]),
    "OpCompositeInsert": ("%result = OpCompositeInsert %vec4 %f2 %a 2", [A[0], A[1], 2.0, A[3]]),
    "OpVectorExtractDynamic": (
        """%n = OpCompositeExtract %int %j 1
        %x = OpVectorExtractDynamic %float %a %n
        %result = OpCompositeConstruct %vec4 %x %x %x %x""",
        [A[2]] * 4,
    ),
    "OpVectorInsertDynamic": (
        "%n = OpCompositeExtract %int %j 1\n%result = OpVectorInsertDynamic %vec4 %a %f2 %n",
        [A[0], A[1], 2.0, A[3]],
    ),
    "OpCopyObject": ("%result = OpCopyObject %vec4 %a", list(A)),
    "OpIsNan": (
        """%q = OpFDiv %vec4 %zeros %zeros
        %r = OpIsNan %bvec4 %q
        %p = OpFDiv %vec4 %ones %zeros
        %s = OpIsInf %bvec4 %p
        %t = OpLogicalAnd %bvec4 %r %s
        %result = OpSelect %vec4 %t %ones %zeros""",
        [1.0] * 4,
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others(name: str) -> None:
    body, wanted = OTHERS[name]
    assert run(shader(body + "\n")) == pytest.approx(wanted, rel=1e-6)


def _mix(x: float, y: float, t: float) -> float:
    return x * (1 - t) + y * t


def _smooth(low: float, high: float, x: float) -> float:
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3 - 2 * t)


#: GLSL.std.450 of floats: name -> formula over components of %c (positive), %a, %b, in that order.
_POSITIVE = (0.25, 1.0, 0.5, 2.0)
STANDARD_FLOATS: dict[str, tuple[str, Callable[..., float]]] = {
    "RoundEven": ("%a", lambda x: float(round(x))),
    "Round": ("%c", lambda x: math.floor(x + 0.5)),
    "Trunc": ("%a", math.trunc),
    "FAbs": ("%a", abs),
    "FSign": ("%a", lambda x: float((x > 0) - (x < 0))),
    "Floor": ("%a", math.floor),
    "Ceil": ("%a", math.ceil),
    "Fract": ("%a", lambda x: x - math.floor(x)),
    "Radians": ("%a", math.radians),
    "Degrees": ("%a", math.degrees),
    "Sin": ("%a", math.sin),
    "Cos": ("%a", math.cos),
    "Tan": ("%c", math.tan),
    "Asin": ("%h", math.asin),
    "Acos": ("%h", math.acos),
    "Atan": ("%a", math.atan),
    "Sinh": ("%a", math.sinh),
    "Cosh": ("%a", math.cosh),
    "Tanh": ("%a", math.tanh),
    "Asinh": ("%a", math.asinh),
    "Acosh": ("%g", math.acosh),
    "Atanh": ("%h", math.atanh),
    "Atan2": ("%a %b", math.atan2),
    "Pow": ("%c %b", math.pow),
    "Exp": ("%a", math.exp),
    "Log": ("%c", math.log),
    "Exp2": ("%a", lambda x: 2.0**x),
    "Log2": ("%c", math.log2),
    "Sqrt": ("%c", math.sqrt),
    "InverseSqrt": ("%c", lambda x: 1 / math.sqrt(x)),
    "FMin": ("%a %b", min),
    "FMax": ("%a %b", max),
    "FClamp": ("%a %h %c", lambda x, low, high: min(max(x, low), high)),
    "FMix": ("%a %b %c", _mix),
    "Step": ("%a %b", lambda edge, x: float(x >= edge)),
    "SmoothStep": ("%h %g %c", _smooth),
    "Fma": ("%a %b %c", lambda x, y, z: x * y + z),
    "NMin": ("%a %b", min),
    "NMax": ("%a %b", max),
    "NClamp": ("%a %h %c", lambda x, low, high: min(max(x, low), high)),
    "Ldexp": ("%a %j", lambda x, e: x * 2.0**e),
}
_NAMED: dict[str, Any] = {"%a": A, "%b": B, "%c": C, "%j": INTS_J}
#: Halves of %c, which are below 1 or 1, and %c plus 1.
_MORE = "%h0 = OpFMul %vec4 %c %quarters\n%g = OpFAdd %vec4 %c %ones\n%h = OpCopyObject %vec4 %h0\n"
_NAMED["%h"], _NAMED["%g"] = tuple(x / 4 for x in C), tuple(x + 1 for x in C)
_QUARTERS = "%f4th = OpConstant %float 0.25\n%quarters = OpConstantComposite %vec4 %f4th %f4th %f4th %f4th\n"


@pytest.mark.parametrize("name", STANDARD_FLOATS)
def test_standard_floats(name: str) -> None:
    words, f = STANDARD_FLOATS[name]
    found = run(shader(f"{_MORE}%result = OpExtInst %vec4 %std {name} {words}\n", _QUARTERS))
    wanted = [f(*values) for values in zip(*(_NAMED[word] for word in words.split()), strict=True)]
    assert found == pytest.approx(wanted, rel=2e-5, abs=1e-6)


def test_fma_is_a_product_and_a_sum() -> None:
    """Optimisers make it of the two; whether a machine has it is the target's business."""
    module = lowered(shader("%result = OpExtInst %vec4 %std Fma %a %b %c\n"))
    found = [instruction.op.name for instruction in module.functions["main"].instructions()]
    assert "fmul" in found and "fadd" in found and "fmad" not in found


#: Those of which all results are exact.
_WHOLE = "RoundEven Trunc FAbs FSign Floor Ceil Fract FMin FMax Step NMin NMax FClamp NClamp".split()


@pytest.mark.parametrize("name", _WHOLE)
def test_standard_floats_at_edges(name: str) -> None:
    words, f = STANDARD_FLOATS[name]
    count = len(words.split())
    rows = [list(row) for row in product(edges() if count == 1 else _FEW, repeat=count)]
    if name.endswith("Clamp"):
        rows = [[x, *sorted(ends)] for x, *ends in rows]
    found = run_rows(f"%result = OpExtInst %vec4 %std {name} {' '.join(('%x', '%y', '%z')[:count])}\n", rows)
    assert found.tolist() == [_float(f(*row)) for row in rows]


_A3, _B3 = A[:3], B[:3]
_THREE = "%a3 = OpVectorShuffle %vec3 %a %a 0 1 2\n%b3 = OpVectorShuffle %vec3 %b %b 0 1 2\n"
_LENGTH_A = math.sqrt(_dot(A, A))
_MAT = (
    "%a2 = OpVectorShuffle %vec2 %a %a 0 1\n%b2 = OpVectorShuffle %vec2 %b %b 0 1\n"
    "%m = OpCompositeConstruct %mat2 %a2 %b2\n"
)
_DET = A[0] * B[1] - A[1] * B[0]
_SPREAD = "%result = OpCompositeConstruct %vec4 %x %x %x %x\n"
STANDARD_WHOLE: dict[str, tuple[str, list[float]]] = {
    "Length": ("%x = OpExtInst %float %std Length %a\n" + _SPREAD, [_LENGTH_A] * 4),
    "Distance": ("%x = OpExtInst %float %std Distance %a %b\n" + _SPREAD, [math.dist(A, B)] * 4),
    "Normalize": ("%result = OpExtInst %vec4 %std Normalize %a\n", [x / _LENGTH_A for x in A]),
    "Cross": (
        _THREE + "%r = OpExtInst %vec3 %std Cross %a3 %b3\n%result = OpCompositeConstruct %vec4 %r %f0\n",
        [A[1] * B[2] - A[2] * B[1], A[2] * B[0] - A[0] * B[2], A[0] * B[1] - A[1] * B[0], 0.0],
    ),
    "FaceForward": ("%result = OpExtInst %vec4 %std FaceForward %a %b %c\n", [x if _dot(C, B) < 0 else -x for x in A]),
    "Reflect": (
        "%result = OpExtInst %vec4 %std Reflect %a %b\n",
        [x - 2 * _dot(B, A) * y for x, y in zip(A, B, strict=True)],
    ),
    "Refract": ("%result = OpExtInst %vec4 %std Refract %a %zeros %f0\n", [0.0] * 4),
    "Determinant": (_MAT + "%x = OpExtInst %float %std Determinant %m\n" + _SPREAD, [_DET] * 4),
    "MatrixInverse": (
        _MAT
        + """%n = OpExtInst %mat2 %std MatrixInverse %m
        %p = OpCompositeExtract %vec2 %n 0
        %q = OpCompositeExtract %vec2 %n 1
        %result = OpCompositeConstruct %vec4 %p %q
        """,
        [B[1] / _DET, -A[1] / _DET, -B[0] / _DET, A[0] / _DET],
    ),
    "ModfStruct": (
        "%r = OpExtInst %two %std ModfStruct %a\n%result = OpCompositeExtract %vec4 %r 1\n",
        [math.trunc(x) for x in A],
    ),
    "Modf": ("%v = OpVariable %fp Function\n%result = OpExtInst %vec4 %std Modf %a %v\n", [math.modf(x)[0] for x in A]),
    "FrexpStruct": (
        "%r = OpExtInst %mixed %std FrexpStruct %a\n%result = OpCompositeExtract %vec4 %r 0\n",
        [math.frexp(x)[0] for x in A],
    ),
    "Frexp": (
        """%v = OpVariable %ip Function
        %r = OpExtInst %vec4 %std Frexp %a %v
        %e = OpLoad %ivec4 %v
        %result = OpConvertSToF %vec4 %e
        """,
        [float(math.frexp(x)[1]) for x in A],
    ),
}
_TYPES = """
%two = OpTypeStruct %vec4 %vec4
%mixed = OpTypeStruct %vec4 %ivec4
%fp = OpTypePointer Function %vec4
%ip = OpTypePointer Function %ivec4
"""


@pytest.mark.parametrize("name", STANDARD_WHOLE)
def test_standard_whole(name: str) -> None:
    body, wanted = STANDARD_WHOLE[name]
    assert run(shader(body, _TYPES)) == pytest.approx(wanted, rel=1e-5, abs=1e-6)


#: Packing there and back: numbers that the format holds exactly, and the word that they are.
PACKED: dict[str, tuple[str, list[float], int]] = {
    "Snorm4x8": ("vec4", [1.0, -1.0, 0.0, 1.0], 0x7F00817F),
    "Unorm4x8": ("vec4", [1.0, 0.0, 1.0, 0.0], 0x00FF00FF),
    "Snorm2x16": ("vec2", [1.0, -1.0], 0x80017FFF - (1 << 32)),
    "Unorm2x16": ("vec2", [0.0, 1.0], 0xFFFF0000 - (1 << 32)),
    "Half2x16": ("vec2", [1.5, -2.0], 0xC0003E00 - (1 << 32)),
}


@pytest.mark.parametrize("name", PACKED)
def test_packing(name: str) -> None:
    type_, numbers, word = PACKED[name]
    values = {"pa": [*numbers, 0.0, 0.0][:4]}
    narrow = f"%v = OpVectorShuffle %{type_} %a %a {'0 1' if type_ == 'vec2' else '0 1 2 3'}\n"
    body = f"{narrow}%p = OpExtInst %uint %std Pack{name} %v\n%x = OpBitcast %float %p\n{_SPREAD}"
    packed = struct.unpack("<i", run_exactly(shader(body), values)[:1].tobytes())[0]
    assert packed == _wrap(word)
    back = f"{narrow}%p = OpExtInst %uint %std Pack{name} %v\n%u = OpExtInst %{type_} %std Unpack{name} %p\n"
    whole = "OpCopyObject %vec4 %u" if type_ == "vec4" else "OpCompositeConstruct %vec4 %u %f0 %f0"
    assert run(shader(f"{back}%result = {whole}\n"), values) == pytest.approx([*numbers, 0.0, 0.0][:4])


def test_every_row_with_a_meaning_has_a_case() -> None:
    """A row that is added without a case is noticed here."""
    tested = {*FLOATS, "OpFNegate", *TESTS_OF_FLOATS, *TESTS_OF_BOOLS, *OTHERS, "OpAll", "OpIsInf"}
    of_ints = {*ints.OF_ONE, *ints.OF_TWO, *ints.CLAMPS}
    tested |= {*ints.RELATIONS, *ints.TWO_RESULTS, *ints.BIT_FIELDS, *(n for n in of_ints if n.startswith("Op"))}
    tested |= {f"OpConvert{way}" for way in ("FToS", "FToU", "SToF", "UToF")}
    # Used everywhere here; and copies, of numbers of one width.
    tested |= {"OpCompositeConstruct", "OpCompositeExtract", "OpBitcast"}
    tested |= {"OpCopyLogical", "OpUConvert", "OpSConvert", "OpFConvert"}
    assert {row.name for row in (*ARITHMETIC, *BITS, *CONVERSIONS, *RELATIONS, *COMPOSITE)} == tested
    standard = {*STANDARD_FLOATS, *STANDARD_WHOLE, *(n for n in of_ints if not n.startswith("Op"))}
    standard |= {f"{verb}{name}" for name in PACKED for verb in ("Pack", "Unpack")}
    assert {row.name for row in STANDARD.values()} == standard


@pytest.mark.parametrize(
    ("language", "wanted"), [("HLSL 600", [2.0, -2.0, 4.0, 0.0]), ("Slang 1", [2.0, -2.0, 4.0, 0.0])]
)
def test_halves_of_hlsl_go_to_the_even_number(language: str, wanted: list[float]) -> None:
    """DXC and Slang write Round, whose halves SPIR-V leaves open, for HLSL's round."""
    text = shader("%result = OpExtInst %vec4 %std Round %a\n").replace("%void =", f"OpSource {language}\n%void =", 1)
    assert run(text, {**VALUES, "pa": (2.5, -2.5, 3.5, 0.5)}) == wanted


def test_floats_beyond_the_ints_become_uints() -> None:
    """3,000,000,000 is 0xB2D05E00."""
    body = """
        %u = OpConvertFToU %uvec4 %a
        %first = OpShiftRightLogical %uvec4 %u %by
        %result = OpConvertUToF %vec4 %first
    """
    declared = "%u24 = OpConstant %uint 24\n%by = OpConstantComposite %uvec4 %u24 %u24 %u24 %u24\n"
    assert run(shader(body, declared), {**VALUES, "pa": (3e9, 16777216.0, 0.0, 4e9)}) == [0xB2, 1.0, 0.0, 0xEE]
