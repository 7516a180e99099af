"""The programs of the self-test: facts about arithmetic and textures that simulators may have wrong.

A program is an expression in GLSL over the vectors `a`, `b` and `c`, which are uniforms, and the cases that it is drawn
with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, nan, pi
from typing import Literal

Kind = Literal["number", "colour"]
#: Values of `a`, `b` and `c`; what is left out is 0.
Case = Sequence[Sequence[float]]
#: Cases are columns of one picture.
MOST_CASES = 16

_PLACE = "attribute vec2 a_place;\n"
_POSITION = "gl_Position = vec4(a_place, -0.5, 1.0);"
_UNIFORMS = "uniform vec4 u_in[4];\n#define a u_in[0]\n#define b u_in[1]\n#define c u_in[2]\n"
#: Samplers of one picture, and their filters.
SAMPLERS = {"u_nearest": "nearest", "u_linear": "linear"}
# Numbers leave as three bytes of a fraction, and one that says the sign: arithmetic that is exact everywhere.
_SHOW = """
vec4 show(float x, float scale) {
    float kind = float(x == 0.0) * 0.2 + float(x > 0.0) * 0.4 + float(x < 0.0) * 0.8;
    float rest = kind > 0.0 ? min(abs(x) * scale, 256.0) : 0.0;
    float high = floor(rest);
    rest = (rest - high) * 256.0;
    float middle = floor(rest);
    float low = floor((rest - middle) * 256.0);
    return vec4(vec3(high, middle, low) / 255.0, kind);
}
"""


@dataclass(frozen=True)
class Program:
    """What is computed, and how far results may be from the simulator's."""

    name: str
    expression: str
    cases: Sequence[Case]
    kind: Kind = "number"
    #: Of a number: it is shown as a fraction of this, a power of two.
    scale: float = 2.0
    #: Of a number in 2^-24 of its scale, of a colour in steps of each channel.
    tolerance: int = 0
    #: What the expression calls.
    functions: str = ""

    @property
    def samplers(self) -> Sequence[str]:
        return [name for name in SAMPLERS if name in self.expression]

    def sources(self, stage: str) -> Mapping[str, str]:
        """Write the pair of shaders that computes the expression in a stage."""
        head = _UNIFORMS + "".join(f"uniform sampler2D {name};\n" for name in self.samplers) + self.functions
        value = self.expression
        if self.kind == "number":
            head += _SHOW
            value = f"show({value}, {256 / self.scale!r})"
        if stage == "fragment":
            return {
                "vertex": f"{_PLACE}void main() {{ {_POSITION} }}\n",
                "fragment": f"precision highp float;\n{head}void main() {{ gl_FragColor = {value}; }}\n",
            }
        return {
            "vertex": f"{_PLACE}{head}varying vec4 v_shown;\nvoid main() {{ {_POSITION} v_shown = {value}; }}\n",
            "fragment": "precision mediump float;\nvarying vec4 v_shown;\nvoid main() { gl_FragColor = v_shown; }\n",
        }


def _numbers(*values: float) -> list[Case]:
    return [[[value]] for value in values]


def _pairs(*pairs: tuple[float, float]) -> list[Case]:
    return [[[first], [second]] for first, second in pairs]


def _points(*points: tuple[float, float]) -> list[Case]:
    return [[point] for point in points]


def _colours(*levels: Sequence[float]) -> list[Case]:
    """Grey steps of 1/255 as each vector."""
    return [[[level / 255] * 4 for level in case] for case in levels]


#: Results of functions that chips approximate: 10 bits are what the weakest promise.
_APPROXIMATE = 1 << 14

PROGRAMS: Sequence[Program] = (
    # Halfway cases and their neighbours, for significands of 24 bits and of 17.
    Program("sum", "a.x + b.x", _pairs(
        (1, 2**-24), (1 + 2**-23, 2**-24), (1, 3 * 2**-25), (-1, -(2**-24)), (1, -(2**-25)), (1, -3 * 2**-26),
        (1, 2**-17), (1 + 2**-16, 2**-17), (1, 3 * 2**-18), (1, -(2**-18)), (0.1, 0.7), (1, -1),
    )),
    Program("product", "a.x * b.x", _pairs(
        (1 + 2**-23, 1 + 2**-23), (1 + 2**-12, 1 + 2**-12), (1 + 2**-23, 1.5), (-1 - 2**-23, 1.5), (1 + 2**-16, 1.5),
        (1 + 2**-9, 1 + 2**-9), (1 + 2**-16, 1 + 2**-16), (0.1, 0.7),
    )),
    Program("sum of four products", "dot(a, b)", [
        [[1, 2**-12, 2**-12, 0], [1, 2**-12, 2**-12, 0]], [[2**-12, 2**-12, 1, 0], [2**-12, 2**-12, 1, 0]],
        [[1, 2**-9, 2**-9, 0], [1, 2**-9, 2**-9, 0]], [[1, 1, 2**-20, 0], [1, -1, 1, 0]],
        [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]],
    ]),
    Program("zero times infinity", "a.x * b.x", _pairs((0, inf), (-0.0, inf), (inf, 0), (0, nan), (inf, 1), (nan, 1))),
    Program("infinity less infinity", "a.x - b.x", _pairs((inf, inf), (inf, 1), (1, inf), (nan, 1))),
    Program("smallest numbers", "a.x * b.x * a.y * b.y", [
        [[2**-x, 2**x], [2**-y, 2**y]]
        for x, y in ((30, 30), (31, 31), (32, 31), (32, 32), (63, 63), (64, 63), (74, 74))
    ]),
    Program("largest numbers", "a.x * b.x * a.y * b.y", [
        [[2**x, 2**-x], [2**y, 2**-y]] for x, y in ((31, 31), (32, 31), (32, 32), (63, 63), (64, 63), (64, 64))
    ]),
    Program("greater of two", "max(a.x, b.x)", _pairs((1, 0.5), (nan, 1), (1, nan), (-0.0, 0), (inf, 1), (-inf, -1))),
    Program("less of two", "min(a.x, b.x)", _pairs((1, 0.5), (nan, 1), (1, nan), (0, -0.0), (inf, 1), (-inf, -1))),
    Program(
        "comparisons",
        "float(a.x < b.x) + 2.0 * float(a.x <= b.x) + 4.0 * float(a.x == b.x) + 8.0 * float(a.x > b.x)",
        _pairs((1, 2), (2, 1), (1, 1), (0, -0.0), (nan, 1), (1, nan), (inf, inf), (-inf, inf), (2**-130, 0)),
        scale=16,
    ),
    Program("floor", "floor(a.x)", _numbers(0.5, -0.5, 1, -1, 2.999, -2.001, -(2**-20), 0, 2**-20, 7.75), scale=8),
    Program("fraction", "fract(a.x)", _numbers(0.5, -0.5, 1, -1, 2.75, -2.25, -(2**-12), 6.125)),
    Program("reciprocal", "1.0 / a.x", _numbers(1, 3, 7, -3, 1.1, 0.7, 0.51, 100, 1.9999), scale=2,
            tolerance=_APPROXIMATE),
    Program("division by zero", "1.0 / a.x", _numbers(0, -0.0, inf, -inf, nan)),
    Program("inverse root", "inversesqrt(a.x)", _numbers(1, 2, 3, 4, 0.3, 10, 1000), scale=2, tolerance=_APPROXIMATE),
    Program("inverse root of no positive number", "inversesqrt(a.x)", _numbers(0, inf)),
    Program("power of two", "exp2(a.x)", _numbers(0, 1, -1, 0.5, 0.1, 2.9, -3.3), scale=8, tolerance=_APPROXIMATE),
    Program("power of two at the ends", "exp2(a.x)", _numbers(200, -200, inf, -inf)),
    Program("logarithm", "log2(a.x)", _numbers(1, 2, 0.5, 3, 10, 0.1, 1.01, 100), scale=8, tolerance=_APPROXIMATE),
    Program("logarithm of zero", "log2(a.x)", _numbers(0, inf)),
    Program("sine", "sin(a.x)", _numbers(0, 0.1, 1, pi / 2, 2, 3, -1, -3, 6, 20), scale=2, tolerance=_APPROXIMATE),
    Program("array element", "u_in[1 + int(a.x)].y", [
        [[place], [0, 0.25], [0, 0.5]] for place in (0, 1, 0.999, 1.5, 0.5)
    ]),
    Program("choice", "a.x > b.x ? a.y : b.y", [
        [[x, 0.25], [y, 0.75]] for x, y in ((1, 0), (0, 1), (1, 1), (nan, 1), (inf, 1), (-0.0, 0))
    ]),
    Program(
        "loop that ends early", "total(a.x)", _pairs((0, 0.125), (1, 0.125), (5, 0.125), (8, 0.125), (9, 0.125)),
        functions="""
float total(float count) {
    float sum = 0.0;
    for (int i = 0; i < 8; i++) {
        if (float(i) >= count)
            break;
        sum += b.x;
    }
    return sum;
}
""",
    ),
    Program("bytes of a colour", "a", _colours((0,), (0.49,), (0.51,), (127.4,), (127.6,), (254.4,), (254.6,), (255,)),
            kind="colour"),
    Program("colours out of range", "a", [[[-1] * 4], [[2] * 4], [[inf] * 4], [[-inf] * 4]], kind="colour"),
    Program("product of colours", "a * b", _colours((255, 255), (255, 3), (128, 128), (200, 100), (1, 127), (1, 128)),
            kind="colour", tolerance=1),
    Program("sum of colours", "a + b", _colours((200, 100), (100, 27), (0, 0), (255, 255)), kind="colour", tolerance=1),
    Program("difference of colours", "a - b", _colours((200, 100), (100, 200), (255, 1)), kind="colour", tolerance=1),
    Program("mixture of colours", "a * c + b * (1.0 - c)", _colours(
        (255, 0, 128), (255, 0, 1), (10, 200, 100), (10, 200, 255), (77, 77, 33),
    ), kind="colour", tolerance=1),
    # Edges of texels, the borders, and beyond them, of a picture of 8 x 8 texels.
    Program("nearest texel", "texture2D(u_nearest, a.xy)", _points(
        (0.0625, 0.0625), (0.1249, 0.0625), (0.1251, 0.0625), (0.0625, 0.1249), (0.0625, 0.1251), (0.9375, 0.9375),
        (0.0001, 0.5625), (0.9999, 0.5625), (1.0625, 0.0625), (-0.0625, 0.0625), (0.4375, 2.3125),
    ), kind="colour"),
    Program("linear filter", "texture2D(u_linear, a.xy)", _points(
        (0.0625, 0.0625), (0.125, 0.0625), (0.09375, 0.0625), (0.0664, 0.0625), (0.0625, 0.15), (0.3, 0.7), (0, 0.5),
        (1, 1),
    ), kind="colour", tolerance=2),
)  # fmt: skip


def texel(x: int, y: int) -> tuple[int, int, int, int]:
    """Make each texel another colour, with no symmetry."""
    return 32 * x + 16, 32 * y + 8, 255 - 28 * x - 3 * y, 255 - 5 * (x + 8 * y) // 2
