"""Section 8.1 to 8.6: every overload of every built-in function without textures, against a numpy formula.

A row is a function with its overloads (`define/functions.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.functions import Row, function_cases
from tests.conformance.define.types import generic
from tests.conformance.define.value_case import EXACT, ValueCase, value

#: Shading hardware has no asin and acos: the usual polynomials are this good.
_POLYNOMIAL = {"rel": 2e-5, "abs": 3e-4}


def _smoothstep(edge0: Any, edge1: Any, x: Any) -> Any:
    t = np.clip((x - edge0) / (edge1 - edge0), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _faceforward(n: Any, i: Any, nref: Any) -> Any:
    # dot(Nref, I) = 0 turns the normal around (section 8.4): only a negative product keeps it.
    return n if np.dot(nref, i) < 0 else -n


def _refract(i: Any, n: Any, eta: float) -> Any:
    i, n = i / np.sqrt(np.dot(i, i)), n / np.sqrt(np.dot(n, n))
    k = 1.0 - eta * eta * (1.0 - np.dot(n, i) ** 2)
    if abs(k) < 1e-3:
        return i * math.nan
    return i * 0.0 if k < 0 else eta * i - (eta * np.dot(n, i) + math.sqrt(k)) * n


ROWS = (
    Row("8.1", "radians", ("G",), lambda x: x * math.pi / 180.0, {"x": d.Domain(-360, 360, 1, (180.0, 90.0))}),
    Row("8.1", "degrees", ("G",), lambda x: x * 180.0 / math.pi, {"x": d.ANGLE}),
    Row("8.1", "sin", ("G",), np.sin, {"x": d.ANGLE}),
    Row("8.1", "cos", ("G",), np.cos, {"x": d.ANGLE}),
    Row("8.1", "tan", ("G",), np.tan, {"x": d.Domain(-1.25, 1.25, 32, (0.0,))}),
    Row("8.1", "asin", ("G",), np.arcsin, {"x": d.SIGNED_UNIT}, _POLYNOMIAL),
    Row("8.1", "acos", ("G",), np.arccos, {"x": d.SIGNED_UNIT}, _POLYNOMIAL),
    Row("8.1", "atan", ("G, G",), np.arctan2, {"x": d.NON_ZERO, "y": d.NON_ZERO}, {"rel": 2e-5, "abs": 2e-5}),
    Row("8.1", "atan", ("G",), np.arctan, {"x": d.Domain(-64, 64, 8, (0.0, 1.0, -1.0))}, {"rel": 2e-5, "abs": 2e-5}),
    Row("8.2", "pow", ("G, G",), np.power, {"x": d.POSITIVE, "y": d.SMALL}),
    Row("8.2", "exp", ("G",), np.exp, {"x": d.ANY}),
    Row("8.2", "log", ("G",), np.log, {"x": d.POSITIVE}),
    Row("8.2", "exp2", ("G",), np.exp2, {"x": d.ANY}),
    Row("8.2", "log2", ("G",), np.log2, {"x": d.POSITIVE}),
    Row("8.2", "sqrt", ("G",), np.sqrt, {"x": d.NON_NEGATIVE}),
    Row("8.2", "inversesqrt", ("G",), lambda x: 1.0 / np.sqrt(x), {"x": d.POSITIVE}),
    Row("8.3", "abs", ("G",), np.abs, tolerance=EXACT),
    Row("8.3", "sign", ("G",), np.sign, tolerance=EXACT),
    Row("8.3", "floor", ("G",), np.floor, tolerance=EXACT),
    Row("8.3", "ceil", ("G",), np.ceil, tolerance=EXACT),
    Row("8.3", "fract", ("G",), lambda x: x - np.floor(x), tolerance=EXACT),
    Row("8.3", "mod", ("G, G", "V, float"), lambda x, y: x - y * np.floor(x / y), {"y": d.NON_ZERO}),
    Row("8.3", "min", ("G, G", "V, float"), lambda x, y: np.minimum(x, y), tolerance=EXACT),
    Row("8.3", "max", ("G, G", "V, float"), lambda x, y: np.maximum(x, y), tolerance=EXACT),
    Row(
        "8.3",
        "clamp",
        ("G, G, G", "V, float, float"),
        lambda x, low, high: np.minimum(np.maximum(x, low), high),
        {"low": d.Domain(-2, 0.5), "high": d.Domain(0.5, 2)},
        EXACT,
    ),
    Row("8.3", "mix", ("G, G, G", "V, V, float"), lambda x, y, a: x * (1.0 - a) + y * a, {"a": d.SMALL}),
    Row("8.3", "step", ("G, G", "float, V -> V"), lambda edge, x: np.where(x < edge, 0.0, 1.0), tolerance=EXACT),
    Row(
        "8.3",
        "smoothstep",
        ("G, G, G", "float, float, V -> V"),
        _smoothstep,
        {"edge0": d.Domain(-2, 0), "edge1": d.Domain(0.5, 2)},
    ),
    Row("8.4", "length", ("G -> float",), lambda x: np.sqrt(np.sum(x * x))),
    Row("8.4", "distance", ("G, G -> float",), lambda p0, p1: np.sqrt(np.sum((p0 - p1) ** 2))),
    Row("8.4", "dot", ("G, G -> float",), lambda x, y: np.sum(x * y)),
    Row("8.4", "cross", ("vec3, vec3",), np.cross),
    Row("8.4", "normalize", ("G",), lambda x: x / np.sqrt(np.sum(x * x)), {"x": d.NON_ZERO}),
    Row("8.4", "faceforward", ("G, G, G",), _faceforward, tolerance=EXACT),
    Row("8.4", "reflect", ("G, G",), lambda i, n: i - 2.0 * np.dot(n, i) * n, {"i": d.SMALL, "n": d.SMALL}),
    Row("8.5", "matrixCompMult", ("M, M",), lambda x, y: x * y),
    Row("8.6", "lessThan", ("V, V -> B", "I, I -> B"), np.less, tolerance=EXACT, is_relation=True),
    Row("8.6", "lessThanEqual", ("V, V -> B", "I, I -> B"), np.less_equal, tolerance=EXACT, is_relation=True),
    Row("8.6", "greaterThan", ("V, V -> B", "I, I -> B"), np.greater, tolerance=EXACT, is_relation=True),
    Row("8.6", "greaterThanEqual", ("V, V -> B", "I, I -> B"), np.greater_equal, tolerance=EXACT, is_relation=True),
    Row("8.6", "equal", ("V, V -> B", "I, I -> B", "B, B"), np.equal, tolerance=EXACT, is_relation=True),
    Row("8.6", "notEqual", ("V, V -> B", "I, I -> B", "B, B"), np.not_equal, tolerance=EXACT, is_relation=True),
    Row("8.6", "any", ("B -> bool",), np.any, tolerance=EXACT),
    Row("8.6", "all", ("B -> bool",), np.all, tolerance=EXACT),
    Row("8.6", "not", ("B",), np.logical_not, tolerance=EXACT),
)


def cases() -> Iterator[ValueCase]:
    for row in ROWS:
        yield from function_cases(row)
    for type_ in generic("float"):
        yield from refraction("8.4", type_)
    yield from _limits()


def refraction(section: str, type_: str, **more: Any) -> list[ValueCase]:
    """The directions must have length 1, so the shader normalises them; total reflection gives 0."""
    return value(
        f"{section}/refract_{type_}_{type_}_float",
        type_,
        "refract(normalize(i), normalize(n), eta)",
        _refract,
        f"{type_} i, {type_} n, float eta",
        domains={"i": d.NON_ZERO, "n": d.NON_ZERO, "eta": d.Domain(0.5, 1.75, 16)},
        tags=("builtin", f"overload:refract({type_}, {type_}, float)"),
        **more,
    )


def _limits() -> Iterator[ValueCase]:
    """Edges of the functions' domains, one by one."""
    yield from value(
        "8.1/sin_of_zero_and_pi",
        "vec3",
        "sin(vec3(0.0, x, -x) * 3.14159265358979)",
        lambda x: np.sin(np.array([0.0, x, -x]) * math.pi),
        "float x",
        domains={"x": d.Domain(0, 2, 2)},
    )
    yield from value(
        "8.1/atan_four_quadrants",
        "vec4",
        "atan(vec4(x, x, -x, -x), vec4(y, -y, y, -y))",
        lambda x, y: np.array([math.atan2(p, q) for p in (x, -x) for q in (y, -y)]),
        "float x, float y",
        domains={"x": d.POSITIVE, "y": d.POSITIVE},
        tolerance={"rel": 2e-5, "abs": 2e-5},
    )
    yield from value(
        "8.1/atan_on_the_axes",
        "vec4",
        "vec4(atan(0.0, x), atan(x, 0.0), atan(-x, 0.0), atan(x, x))",
        lambda x: np.array([0.0, math.pi / 2, -math.pi / 2, math.pi / 4]),
        "float x",
        domains={"x": d.POSITIVE},
    )
    yield from value(
        "8.2/pow_special_exponents",
        "vec4",
        "vec4(pow(x, 0.0), pow(x, 1.0), pow(x, 2.0), pow(x, -1.0))",
        lambda x: np.array([1.0, x, x * x, 1.0 / x]),
        "float x",
        domains={"x": d.POSITIVE},
    )
    yield from value(
        "8.2/exp_log_inverse",
        "vec2",
        "vec2(exp(log(x)), log2(exp2(y)))",
        lambda x, y: np.array([x, y]),
        "float x, float y",
        domains={"x": d.POSITIVE},
    )
    yield from value(
        "8.3/fract_of_negative",
        "vec2",
        "vec2(fract(-x), fract(x) + fract(-x))",
        lambda x: np.array([-x - math.floor(-x), 0.0 if x == int(x) else 1.0]),
        "float x",
        tolerance=EXACT,
    )
    yield from value(
        "8.3/sign_of_zero",
        "vec3",
        "sign(vec3(x, -x, x * 0.0))",
        lambda x: np.array([np.sign(x), -np.sign(x), 0.0]),
        "float x",
        tolerance=EXACT,
    )
    yield from value(
        "8.3/step_at_edge",
        "vec3",
        "vec3(step(x, x), step(x, x + 0.5), step(x, x - 0.5))",
        lambda x: np.array([1.0, 1.0, 0.0]),
        "float x",
        tolerance=EXACT,
    )
    yield from value(
        "8.3/smoothstep_ends",
        "vec4",
        "vec4(smoothstep(0.0, x, 0.0), smoothstep(0.0, x, x), smoothstep(0.0, x, x + 1.0), "
        "smoothstep(0.0, x, x * 0.5))",
        lambda x: np.array([0.0, 1.0, 1.0, 0.5]),
        "float x",
        domains={"x": d.POSITIVE},
    )
    yield from value(
        "8.3/mod_sign_follows_divisor",
        "vec4",
        "vec4(mod(5.5, 2.0), mod(-5.5, 2.0), mod(x, 4.0), mod(x, -4.0))",
        lambda x: np.array([1.5, 0.5, x - 4 * math.floor(x / 4), x + 4 * math.floor(x / -4)]),
        "float x",
        tolerance=EXACT,
    )
    yield from value(
        "8.4/length_of_axis",
        "vec3",
        "vec3(length(vec3(0.0, x, 0.0)), length(x), distance(x, -x))",
        lambda x: np.array([abs(x), abs(x), abs(2 * x)]),
        "float x",
    )
    yield from value(
        "8.4/cross_is_perpendicular",
        "vec2",
        "vec2(dot(cross(a, b), a), dot(cross(a, b), b))",
        lambda a, b: np.zeros(2),
        "vec3 a, vec3 b",
        tolerance={"rel": 0.0, "abs": 1e-4},
    )
    yield from value(
        "8.6/any_all_not_together",
        "vec4",
        "vec4(float(any(b)), float(all(b)), float(any(not(b))), float(all(not(b))))",
        lambda b: np.array([any(b), all(b), not all(b), not any(b)], dtype=float),
        "bvec3 b",
        tolerance=EXACT,
    )
