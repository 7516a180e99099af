"""Shaders in which a condition guards an operation against operands that it is not defined for.

In: a pole (an expression of x and y, and where it is defined), a form of guard, and what stands where it is not.
Out: the text of a shader whose result is a number in every lane, with lanes on both sides of the guard.
"""

from __future__ import annotations

import re

from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Pole:
    """An expression of x and y that is a number where `guard` holds, which `opposite` is the opposite of."""

    name: str
    arm: str
    guard: str
    opposite: str
    #: Values of x, in lanes where the guard holds and where it does not.
    lanes: tuple[float, ...]


_AROUND_0 = (0.0, 2.0, -1.5, 0.75)
_SIGNED = (-2.0, 0.5, -0.25, 3.0)
_UPWARDS = (0.0, 1.5, 0.25, 2.0, -1.0)


def _apart_from_0(name: str, arm: str) -> Pole:
    return Pole(name, arm, "x != 0.0", "x == 0.0", _AROUND_0)


def _positive(name: str, arm: str) -> Pole:
    return Pole(name, arm, "x > 0.0", "x <= 0.0", _UPWARDS)


def _within_1(name: str, arm: str) -> Pole:
    return Pole(name, arm, "abs(x) <= 1.0", "abs(x) > 1.0", (0.5, -0.75, 1.5, -3.0))


def _below(name: str, arm: str) -> Pole:
    return Pole(name, arm, "x < 2.0", "x >= 2.0", (0.5, 30.0, -1.0, 25.0))


POLES = (
    _apart_from_0("rcp", "1.0 / x"),
    _apart_from_0("div", "y / x"),
    _apart_from_0("div by square", "y / (x * x)"),
    _apart_from_0("0 / 0", "x * y / x"),
    _apart_from_0("inf - inf", "1.0 / x - y / (x * x)"),
    _apart_from_0("inf * 0", "x * (y / x)"),
    _apart_from_0("inf / inf", "(1.0 / x) / (y / (x * x))"),
    _apart_from_0("mod", "mod(y, x)"),
    _apart_from_0("fract of inf", "fract(y / x)"),
    _apart_from_0("floor of inf", "floor(y / x) - floor(1.0 / x)"),
    _apart_from_0("sin of inf", "sin(1.0 / x)"),
    _apart_from_0("normalize", "normalize(vec3(x, x * 0.5, -x)).y"),
    _apart_from_0("normalize 2", "normalize(vec2(x, x * x)).x"),
    _apart_from_0("direction", "x / length(vec2(x, x * 0.75))"),
    _apart_from_0("atan2", "atan(x, x * 0.5)"),
    _apart_from_0("smoothstep", "smoothstep(0.0, x * x, y)"),
    _apart_from_0("mix of inf", "mix(1.0 / x, -1.0 / (x * x), 0.5)"),
    _apart_from_0("dot of inf", "dot(vec2(1.0 / x, -1.0 / (x * x)), vec2(y, 0.5))"),
    Pole("sqrt", "sqrt(x)", "x >= 0.0", "x < 0.0", _UPWARDS),
    Pole("sum of roots", "sqrt(x) - sqrt(x * 0.5)", "x >= 0.0", "x < 0.0", _UPWARDS),
    Pole("root of a difference", "sqrt(1.0 - x * x)", "abs(x) <= 1.0", "abs(x) > 1.0", (0.5, -0.75, 1.5, -3.0)),
    _positive("inversesqrt", "inversesqrt(x)"),
    _positive("log", "log(x)"),
    _positive("log2", "log2(x)"),
    _positive("pow", "pow(x, y)"),
    _positive("pow of constant", "pow(x, 2.2)"),
    _positive("product of pow", "pow(x, y) * y"),
    _positive("vector of pow", "dot(pow(vec3(x, x * 0.5, x), vec3(y, 2.2, 0.5)), vec3(0.5))"),
    _positive("pow downwards", "pow(x, -y)"),
    _positive("log - log", "log2(x) - log2(x * x)"),
    _positive("0 * log", "x * log2(x)"),
    _within_1("asin", "asin(x)"),
    _within_1("acos", "acos(x)"),
    _below("exp", "exp(x * 8.0)"),
    _below("exp2", "exp2(x * 8.0)"),
    _below("exp - exp", "exp(x * 8.0) - exp2(x * 8.0)"),
    _below("exp / exp", "exp(x * 8.0) / (1.0 + exp(x * 8.0))"),
    _below("exp * 0", "exp(x * 8.0) * (y - y * floor(x * 0.5 + 0.75))"),
    Pole("tan", "tan(x)", "abs(x) < 1.0", "abs(x) >= 1.0", (0.5, 1.5707964, -0.75, -1.5707964)),
    Pole(
        "refract",
        "refract(vec2(0.6, 0.8), vec2(0.0, -1.0), x).x",
        "x > 1.0 && x < 1.5",
        "x <= 1.0 || x >= 1.5",
        (1.25, 3.0, 1.125, -2.0),
    ),
)

#: Form -> statements that leave a number in r; E is the pole's expression, G its guard, N the opposite, O another
#: value.
FORMS = {
    "ternary": "r = G ? E : O;",
    "ternary else": "r = N ? O : E;",
    "if": "r = O; if (G) r = E;",
    "if else": "if (N) r = O; else r = E;",
    "added": "r = O; if (G) r += E;",
    "subtracted": "r = O; if (N) { } else r -= E;",
    "scaled": "r = O; if (G) r *= E;",
    "opposites": "if (N) r = O; if (G) r = E;",
    "return": "r = early(x, y, o);",
    "return then": "r = late(x, y, o);",
    "and": "r = G && E > 0.3 ? O + 1.0 : O;",
    "or": "r = N || E <= 0.3 ? O + 1.0 : O;",
    "nested": "r = y > 0.0 ? (G ? E : O) : 0.25;",
    "inner": "r = G ? (y > 1.0 ? E : 0.25) : O;",
    "break": "r = O; for (int i = 0; i < 3; i++) { if (N) break; r += E; x -= 0.5; }",
    "continue": "r = O; for (int i = 0; i < 3; i++) { x += 0.5; if (N) continue; r += E; }",
    "while": "r = O; for (int i = 0; i < 2; i++) { if (!(G)) break; r = r * 0.5 + E; x = x * -0.5; }",
    "vector": "vec3 v = G ? vec3(E, o, E + y) : vec3(O); r = v.x + v.y * 0.5 + v.z * 0.25;",
    "difference": "r = O + (G ? E : 0.0) - (G ? E * E : 0.0);",
    "twice": "r = O; if (G) { r += E; r -= E * E * 0.5; }",
    "two ifs": "r = O; if (G) r += E; if (G) r -= E * E * 0.5;",
    "mixed": "r = mix(G ? E : O, O, 0.25);",
    "with others": "vec2 v = vec2(o, y); if (G) v = vec2(E, E * o); r = v.x - v.y;",
    "nothing": "r = O; if (G) { float e = E; if (e > 0.25) r += e; else r = e; }",
    "array": "float a[2]; a[0] = O; a[1] = E; r = a[G ? 1 : 0];",
    "sum of both": "r = (G ? E : O) + (N ? O : E * 0.5);",
    "expression": "r = G ? 1.0 - E * 0.5 : O;",
}
_FUNCTIONS = {
    "early": "float early(float x, float y, float o) { if (N) return O; return E; }",
    "late": "float late(float x, float y, float o) { if (G) return E; return O; }",
}
#: What stands where the pole is not defined: constants that have forms of their own, and any number.
OTHERS = ("0.0", "1.0", "0.25", "o")


def shader(pole: Pole, form: str, other: str, stage: str) -> str:
    """A shader of x = u.x, y = k.y and o = u.z, with the form's r as the first component of its result."""
    kind, output = ("attribute", "gl_Position") if stage == "vertex" else ("varying", "gl_FragColor")
    parts = {"G": f"({pole.guard})", "N": f"({pole.opposite})", "E": f"({pole.arm})", "O": other}

    def filled(text: str) -> str:
        return re.sub(r"\b[GNEO]\b", lambda match: parts[match[0]], text)

    functions = "".join(filled(text) for name, text in _FUNCTIONS.items() if name in FORMS[form])
    body = f"float x = u.x, y = k.y, o = u.z, r; {filled(FORMS[form])} {output} = vec4(r, u.yz, 1.0);"
    return f"precision highp float; {kind} vec4 u; uniform vec4 k; {functions} void main() {{ {body} }}"
