"""What GLSL's built-in functions cost and how exact they are on THEIA, measured on the simulator.

    python -m benchmarks.theia_functions [--write]

Each function of `vec3 x` (and `vec3 y`) is alone in a shader; what the same shader takes without it is subtracted.
Errors are differences to double precision with the inputs as the machine holds them: of every number in the range for
functions of one number, of what `theia_search` finds for all others.  `--write` renews `docs/theia-functions.md`.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.theia_search import Domain, Errors, every_number, search
from glslc_multi.backends.registry import load_target
from glslc_multi.backends.theia.isa.numbers import ONE
from glslc_multi.backends.theia.machine.run import Sampling, prepare, translate
from glslc_multi.backends.theia.machine.simulate import run_block
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.target import MachineInputs
from glslc_multi.frontends.registry import make_source

PAGE = Path(__file__).resolve().parents[1] / "docs" / "theia-functions.md"
_PIXELS = 8192
_HEAD = """# Built-in functions on THEIA

Made by `python -m benchmarks.theia_functions --write`; do not edit. For vectors of three components on trunk:
instructions in both blocks, the most cycles of 8,192 pixels, and the largest error, also in steps of the format
(2^-17 = 0.0000076). Relative errors are those of results above 1. Every component of x is in the range given, every
component of y between 0.25 and 2; other inputs were not measured. Errors are rounded up.

Errors are of two kinds:

- **all**: of every number in the range. No input there has a larger one.
- **found**: the largest of a search, which is no proof: numbers near zero, ends and powers of two, their neighbours,
  random ones of all magnitudes, and from the worst of them on uphill, in five million pixels.

| function | x | instructions | cycles | kind | largest error | in steps | relative error |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
_Meaning = Callable[[Array, Array], Array]


@dataclass(frozen=True, slots=True)
class Function:
    """A function, what it means, and the range of x; y is between 0.25 and 2."""

    text: str
    meaning: _Meaning
    low: float = -4.0
    high: float = 4.0
    filter: str = "nearest"
    #: Which inputs count; all others are named by the note.
    counts: Callable[[Array, Array], Array] | None = None
    note: str = ""
    #: Whether x and y are of length 1.
    is_unit: bool = False
    #: Whether a component of the result comes of other components, too.
    mixes: bool = False

    @property
    def domain(self) -> Domain:
        return Domain(self.low, self.high, is_unit=self.is_unit)

    @property
    def is_of_one_number(self) -> bool:
        """So that there are few enough of them to try all."""
        return not self.mixes and re.search(r"\by\b", self.text) is None


def _splat(x: Array) -> Array:
    return np.repeat(np.asarray(x).reshape(-1, 1), 3, axis=1)


def _length(x: Array) -> Array:
    root: Array = np.sqrt((x * x).sum(axis=1, keepdims=True))
    return root


def _smooth(t: Array) -> Array:
    clipped = np.clip(t, 0.0, 1.0)
    result: Array = clipped * clipped * (3.0 - 2.0 * clipped)
    return result


def _faceforward(x: Array, y: Array) -> Array:
    return np.where((x * y).sum(axis=1, keepdims=True) < 0.0, x, -x)


def _is_clear(x: Array, y: Array) -> Array:
    """The machine has the dot product to 3 steps: whether it knows the sign."""
    is_clear: Array = np.abs((x * y).sum(axis=1, keepdims=True)) >= 3 / ONE
    return is_clear


def _refract(x: Array, y: Array) -> Array:
    cosine = (x * y).sum(axis=1, keepdims=True)
    k = 1.0 - 0.25 * (1.0 - cosine * cosine)
    return np.where(k < 0.0, 0.0, 0.5 * x - (0.5 * cosine + np.sqrt(np.maximum(k, 0.0))) * y)


#: What lookups read.
_TEXELS = np.dstack([np.random.default_rng(2).integers(0, 256, (8, 8, 3)) / 256, np.ones((8, 8))])


def _sampled(x: Array, filter: str) -> Array:
    colours: Array = Texture(_TEXELS, filter).sample(x[:, :2].T, np.zeros(len(x)))[:3].T
    return colours


FUNCTIONS = (
    Function("radians(x)", lambda x, y: np.radians(x)),
    Function("degrees(x)", lambda x, y: np.degrees(x)),
    Function("sin(x)", lambda x, y: np.sin(x)),
    Function("cos(x)", lambda x, y: np.cos(x)),
    Function("tan(x)", lambda x, y: np.tan(x), -1.2, 1.2),
    Function("asin(x)", lambda x, y: np.arcsin(x), -1.0, 1.0),
    Function("acos(x)", lambda x, y: np.arccos(x), -1.0, 1.0),
    Function("atan(x)", lambda x, y: np.arctan(x)),
    Function("atan(x, y)", lambda x, y: np.arctan2(x, y)),
    Function("vec3(pow(x.x, y.x))", lambda x, y: _splat(x[:, 0] ** y[:, 0]), 0.125, 4.0, mixes=True),
    Function("pow(x, y)", lambda x, y: x**y, 0.125, 4.0),
    Function("exp(x)", lambda x, y: np.exp(x)),
    Function("log(x)", lambda x, y: np.log(x), 0.125, 8.0),
    Function("exp2(x)", lambda x, y: np.exp2(x)),
    Function("log2(x)", lambda x, y: np.log2(x), 0.125, 8.0),
    Function("sqrt(x)", lambda x, y: np.sqrt(x), 0.0, 8.0),
    Function("inversesqrt(x)", lambda x, y: 1.0 / np.sqrt(x), 0.125, 8.0),
    Function("abs(x)", lambda x, y: np.abs(x)),
    Function("sign(x)", lambda x, y: np.sign(x)),
    Function("floor(x)", lambda x, y: np.floor(x)),
    Function("ceil(x)", lambda x, y: np.ceil(x)),
    Function("fract(x)", lambda x, y: x - np.floor(x)),
    Function("mod(x, 2.0)", lambda x, y: np.mod(x, 2.0)),
    Function("mod(x, y)", lambda x, y: np.mod(x, y)),
    Function("min(x, y)", lambda x, y: np.minimum(x, y)),
    Function("max(x, y)", lambda x, y: np.maximum(x, y)),
    Function("clamp(x, 0.0, 1.0)", lambda x, y: np.clip(x, 0.0, 1.0)),
    Function("mix(x, y, 0.25)", lambda x, y: 0.75 * x + 0.25 * y),
    Function("step(y, x)", lambda x, y: np.where(x < y, 0.0, 1.0)),
    Function("smoothstep(-1.0, 1.0, x)", lambda x, y: _smooth((x + 1.0) / 2.0)),
    Function("vec3(length(x))", lambda x, y: _splat(_length(x)), mixes=True),
    Function("vec3(distance(x, y))", lambda x, y: _splat(_length(x - y)), mixes=True),
    Function("vec3(dot(x, y))", lambda x, y: _splat((x * y).sum(axis=1)), mixes=True),
    Function("cross(x, y)", lambda x, y: np.cross(x, y), mixes=True),
    Function("normalize(x)", lambda x, y: x / _length(x), 0.5, 4.0, mixes=True),
    Function(
        "faceforward(x, x, y)",
        _faceforward,
        counts=_is_clear,
        note="where the dot product is 3 steps from 0 at least",
        mixes=True,
    ),
    Function("reflect(x, y)", lambda x, y: x - 2.0 * (x * y).sum(axis=1, keepdims=True) * y, mixes=True),
    Function("refract(x, y, 0.5)", _refract, -1.0, 1.0, note="of unit vectors", is_unit=True, mixes=True),
    Function("matrixCompMult(mat3(x, y, x), mat3(y, y, x))[0]", lambda x, y: x * y),
    Function("vec3(lessThan(x, y))", lambda x, y: (x < y).astype(float)),
    Function("vec3(lessThanEqual(x, y))", lambda x, y: (x <= y).astype(float)),
    Function("vec3(greaterThan(x, y))", lambda x, y: (x > y).astype(float)),
    Function("vec3(greaterThanEqual(x, y))", lambda x, y: (x >= y).astype(float)),
    Function("vec3(equal(x, y))", lambda x, y: (x == y).astype(float)),
    Function("vec3(notEqual(x, y))", lambda x, y: (x != y).astype(float)),
    Function("vec3(any(lessThan(x, y)))", lambda x, y: _splat((x < y).any(axis=1).astype(float)), mixes=True),
    Function("vec3(all(lessThan(x, y)))", lambda x, y: _splat((x < y).all(axis=1).astype(float)), mixes=True),
    Function("vec3(not(lessThan(x, y)))", lambda x, y: (x >= y).astype(float)),
    Function("texture2D(image, x.xy).rgb", lambda x, y: _sampled(x, "nearest"), -1.0, 2.0, mixes=True),
    Function(
        "texture2D(image, x.xy).rgb", lambda x, y: _sampled(x, "linear"), -1.0, 2.0, "linear", note="linear", mixes=True
    ),
)


@dataclass(frozen=True, slots=True)
class Measured:
    instructions: int
    cycles: int
    values: Array


def measure(text: str, x: Array, y: Array, filter: str = "nearest") -> Measured:
    """The shader that computes `text`, run for all pixels with its cycles."""
    code = _Code(text, filter)
    machine = prepare(code.artifact, code.inputs(x, y), "trunk", Sampling(filter=filter))
    outcomes = run_block(machine, machine.program.entries["PIXELSHADER"])
    words = np.array([[word for _, word in outcome.output] for outcome in outcomes], dtype=np.int64)
    values = np.where(words >> 31, words - (1 << 32), words) / ONE
    return Measured(code.artifact.stats.instructions, max(outcome.cycles for outcome in outcomes), values)


class _Code:
    """The shader that computes `text`."""

    def __init__(self, text: str, filter: str) -> None:
        self._used = [name for name in "xy" if re.search(rf"\b{name}\b", text)]
        self._textures = {0: Texture(_TEXELS, filter)} if "image" in text else {}
        source = (
            "precision highp float; uniform sampler2D image;"
            f"varying vec3 {', '.join(self._used)}; void main() {{ gl_FragColor = vec4({text}, 1.0); }}"
        )
        ranges = ",".join(f"{name}=-8:8" for name in self._used)
        self.options = {"output": "raw", "filter": filter, "range": ranges}
        request = Request(target_options=self.options)
        self.artifact = compile_source(make_source(source, "f.frag"), load_target("theia"), request, DiagnosticSink())

    def inputs(self, x: Array, y: Array) -> MachineInputs:
        rows = {86 + number: {"x": x, "y": y}[name] for number, name in enumerate(self._used)}
        return MachineInputs(len(x), inputs={"row": rows}, textures=self._textures)


def errors_of(function: Function) -> Callable[[Array, Array], Errors]:
    """What the machine's results for x and y are off by, absolutely and relatively; 0 where inputs do not count."""
    code = _Code(function.text, function.filter)
    translated = translate(code.artifact, code.options)

    def measured(x: Array, y: Array) -> Errors:
        (values,) = translated(code.inputs(x, y)).outputs["output"].values()
        exact = function.meaning(x, y)
        error = np.abs(values[:, :3] - exact)
        if function.counts is not None:
            error = np.where(function.counts(x, y), error, 0.0)
        large = np.abs(exact) > 1.0
        return Errors(error, np.where(large, error / np.where(large, np.abs(exact), 1.0), 0.0), bool(large.any()))

    return measured


def largest_errors(function: Function) -> Errors:
    """The largest errors of a function, over all of its range or as far as they are found."""
    measured = errors_of(function)
    if function.is_of_one_number:
        return measured(*every_number(function.domain)).largest()
    return search(measured, function.domain, mixes=function.mixes)


def row_of(function: Function) -> str:
    x, y = function.domain.random(np.random.default_rng(1), _PIXELS)
    bare, found = measure("x", x, y), measure(function.text, x, y, function.filter)
    errors = largest_errors(function)
    relative = f"{_up(errors.relative.max())}" if errors.has_large else "-"
    place = f"{function.low:g} to {function.high:g}"
    words, cycles = found.instructions - bare.instructions, found.cycles - bare.cycles
    error = float(errors.absolute.max())
    steps = f"{_up(error)} | {math.ceil(error * ONE * 10) / 10:.1f}"
    kind = "all" if function.is_of_one_number else "found"
    note = f", {function.note}" if function.note else ""
    return f"| `{function.text}`{note} | {place} | {words} | {cycles} | {kind} | {steps} | {relative} |"


def _up(number: float) -> str:
    """With two digits, and no smaller."""
    shown = f"{number:.1e}"
    return shown if float(shown) >= number else f"{number + 0.5 * 10 ** (math.floor(math.log10(number)) - 1):.1e}"


def page() -> str:
    return _HEAD + "".join(f"{row_of(function)}\n" for function in FUNCTIONS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    text = page()
    if parser.parse_args().write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
