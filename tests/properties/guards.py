"""Shaders in which a condition guards an operation against operands that it is not defined for.

In: poles (expressions of x and y, and where they are defined), each in a form of guard, which the shader computes or is
given, and with what stands where it is not defined.  Out: the text of a shader whose result is a number in every lane,
with lanes on both sides of each guard and on its edge.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from glslc_multi.compiler.records import dataclass
from tests.edges import Format, edges, literals_of

#: Numbers around every guard, far enough from it for functions to be of some size.
_QUARTERS = Format(-4, 4, step=0.25)


@dataclass(frozen=True, slots=True)
class Pole:
    """An expression of x and y that is a number where `guard` holds, which `opposite` is the opposite of.

    In an expression that chooses by itself, G and N are these, and O is another value.
    """

    name: str
    arm: str
    guard: str
    opposite: str
    #: Values of x, in lanes where the guard holds and where it does not.
    lanes: tuple[float, ...]

    def holds(self, x: float) -> bool:
        """Tell on which side of the guard a lane is."""
        words = self.guard.replace("&&", "and").replace("||", "or")
        return bool(eval(words, {"abs": abs, "int": int, "x": x}))


_AROUND_0 = (0.0, 2.0, -1.5, 0.75, -0.0)
_UPWARDS = (0.0, 1.5, 0.25, 2.0, -1.0)


def _apart_from_0(name: str, arm: str) -> Pole:
    return Pole(name, arm, "x != 0.0", "x == 0.0", _AROUND_0)


def _positive(name: str, arm: str) -> Pole:
    return Pole(name, arm, "x > 0.0", "x <= 0.0", _UPWARDS)


def _within_1(name: str, arm: str) -> Pole:
    return Pole(name, arm, "abs(x) <= 1.0", "abs(x) > 1.0", (0.5, -0.75, 1.5, -3.0))


def _below(name: str, arm: str) -> Pole:
    return Pole(name, arm, "x < 1.0", "x >= 1.0", (0.5, 30.0, -1.0, 25.0))


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
    _apart_from_0("vector of 3", "dot(G ? normalize(vec3(x, x * 0.5, -x)) : vec3(O), vec3(0.5, y, 0.25))"),
    _apart_from_0("vector of 2", "dot(G ? normalize(vec2(x, -x)) : vec2(O, 0.5), vec2(0.5, y))"),
    _apart_from_0("other vector of 4", "dot(N ? vec4(O, y, 0.5, O) : normalize(vec4(x)), vec4(0.5, y, 0.25, 1.0))"),
    _apart_from_0("vector of quotients", "dot(N ? vec3(y, O, 0.5) : vec3(y, x, 0.5) / x, vec3(0.5, y, 0.25))"),
    _apart_from_0("direction", "x / length(vec2(x, x * 0.75))"),
    _apart_from_0("atan2", "atan(x, x * 0.5)"),
    _apart_from_0("smoothstep", "smoothstep(0.0, x * x, y)"),
    _apart_from_0("mix of inf", "mix(1.0 / x, -1.0 / (x * x), 0.5)"),
    _apart_from_0("dot of inf", "dot(vec2(1.0 / x, -1.0 / (x * x)), vec2(y, 0.5))"),
    Pole("sqrt", "sqrt(x)", "x >= 0.0", "x < 0.0", _UPWARDS),
    Pole("sum of roots", "sqrt(x) - sqrt(x * 0.5)", "x >= 0.0", "x < 0.0", _UPWARDS),
    Pole("root of a difference", "sqrt(1.0 - x * x)", "abs(x) <= 1.0", "abs(x) > 1.0", (0.5, -0.75, 1.5, -3.0)),
    _positive("inversesqrt", "inversesqrt(x)"),
    _positive(
        "vector of roots", "dot(N ? vec3(O, y, 0.5) : inversesqrt(vec3(x, x * 0.5, x * 2.0)), vec3(0.5, y, 0.25))"
    ),
    _positive("vector of logarithms", "dot(G ? log2(vec4(x, x * 0.5, y, x)) : vec4(O), vec4(0.5, y, 0.25, 1.0))"),
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
    Pole("int quotient", "float(int(y * 8.0) / int(x))", "int(x) != 0", "int(x) == 0", (0.0, 2.0, -3.0, 1.0, 0.5)),
    Pole("int remainder", "float(int(x) / int(x) * int(x))", "int(x) != 0", "int(x) == 0", (0.0, 2.0, -3.0, 1.0)),
    _apart_from_0("int of inf", "float(int(y / x))"),
    _apart_from_0("step of inf", "step(1.0 / x, y) + sign(y / x)"),
    _apart_from_0("product with a root", "x * inversesqrt(x * x)"),
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
    "return": "if (N) return O; return E;",
    "return then": "if (G) return E; return O;",
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
_PARTS = r"\b[GNEO]\b"
#: Those in which x is another number when the guard is asked again: no given condition knows it.
_MOVING = frozenset({"break", "continue", "while"})
#: What stands where the pole is not defined: constants that have forms of their own, and any number.
OTHERS = ("0.0", "1.0", "0.25", "o")


@dataclass(frozen=True, slots=True)
class Case:
    """A pole behind a guard."""

    pole: Pole
    form: str
    other: str
    #: Whether the shader is told on which side it is: then its code says nothing of x.
    is_given: bool

    def function(self, number: int) -> str:
        """Write it as a function of x, y, o and c, which is above 0.5 where the guard holds."""
        is_given = self.is_given and self.form not in _MOVING
        guard, opposite = ("c > 0.5", "c < 0.5") if is_given else (self.pole.guard, self.pole.opposite)
        parts = {"G": f"({guard})", "N": f"({opposite})", "E": f"({self.pole.arm})", "O": self.other}
        body = FORMS[self.form]
        while re.search(_PARTS, body):
            body = re.sub(_PARTS, lambda match: parts[match[0]], body)
        return f"float f{number}(float x, float y, float o, float c) {{ float r; {body} return r; }}"


def shader(cases: Sequence[Case], stage: str) -> str:
    """Write up to four cases as the components of a result: x from u, c from v, y and o from k."""
    kind, output = ("attribute", "gl_Position") if stage == "vertex" else ("varying", "gl_FragColor")
    functions = "\n".join(case.function(number) for number, case in enumerate(cases))
    calls = [f"f{number}(u.{'xyzw'[number]}, k.y, k.z, v.{'xyzw'[number]})" for number in range(len(cases))]
    calls += ["1.0"] * (4 - len(cases))
    return (
        f"precision highp float; {kind} vec4 u, v; uniform vec4 k;\n{functions}\n"
        f"void main() {{ {output} = vec4({', '.join(calls)}); }}\n"
    )


def inputs(cases: Sequence[Case]) -> dict[str, list[list[float]]]:
    """Give x and c of each lane."""
    lanes = [[*case.pole.lanes, *edges(literals_of(case.pole.guard), format=_QUARTERS)] for case in cases]
    count = max(map(len, lanes))
    xs = [[each[lane % len(each)] for each in lanes] for lane in range(count)]
    given = [[float(case.pole.holds(x)) for case, x in zip(cases, row, strict=True)] for row in xs]
    rest = [0.0] * (4 - len(cases))
    return {"u": [row + rest for row in xs], "v": [row + rest for row in given]}
