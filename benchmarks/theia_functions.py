"""What GLSL's built-in functions cost and how exact they are on THEIA, measured on the simulator.

    python -m benchmarks.theia_functions [--write]

Each function of `vec3 x` (and `vec3 y`) is alone in a shader; what the same shader takes without it is subtracted.
Errors are differences to double precision with the inputs as the machine holds them, over 512 pixels; `--write` renews
`docs/theia-functions.md`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from backends.registry import load_target
from backends.theia.isa.numbers import ONE
from backends.theia.machine.run import Sampling, prepare
from backends.theia.machine.simulate import run_block
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import Texture
from compiler.diagnostics import DiagnosticSink
from compiler.driver import compile_source
from compiler.options import Request
from compiler.records import dataclass
from compiler.target import MachineInputs
from frontends.registry import make_source

PAGE = Path(__file__).resolve().parents[1] / "docs" / "theia-functions.md"
_PIXELS = 512
_HEAD = """# Built-in functions on THEIA

Made by `python -m benchmarks.theia_functions --write`; do not edit. For vectors of three components on trunk:
instructions in both blocks, the most cycles of a pixel, and the largest error, also in steps of the format (2^-17 =
0.0000076). Relative errors are those of results above 1. Inputs are in the range given, y between 0.25 and 2.

| function | x | instructions | cycles | largest error | in steps | relative error |
| --- | --- | --- | --- | --- | --- | --- |
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
    Function("vec3(pow(x.x, y.x))", lambda x, y: _splat(x[:, 0] ** y[:, 0]), 0.125, 4.0),
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
    Function("vec3(length(x))", lambda x, y: _splat(_length(x))),
    Function("vec3(distance(x, y))", lambda x, y: _splat(_length(x - y))),
    Function("vec3(dot(x, y))", lambda x, y: _splat((x * y).sum(axis=1))),
    Function("cross(x, y)", lambda x, y: np.cross(x, y)),
    Function("normalize(x)", lambda x, y: x / _length(x), 0.5, 4.0),
    Function("faceforward(x, x, y)", _faceforward),
    Function("reflect(x, y)", lambda x, y: x - 2.0 * (x * y).sum(axis=1, keepdims=True) * y),
    Function("refract(x, y, 0.5)", _refract, -1.0, 1.0),
    Function("matrixCompMult(mat3(x, y, x), mat3(y, y, x))[0]", lambda x, y: x * y),
    Function("vec3(lessThan(x, y))", lambda x, y: (x < y).astype(float)),
    Function("vec3(lessThanEqual(x, y))", lambda x, y: (x <= y).astype(float)),
    Function("vec3(greaterThan(x, y))", lambda x, y: (x > y).astype(float)),
    Function("vec3(greaterThanEqual(x, y))", lambda x, y: (x >= y).astype(float)),
    Function("vec3(equal(x, y))", lambda x, y: (x == y).astype(float)),
    Function("vec3(notEqual(x, y))", lambda x, y: (x != y).astype(float)),
    Function("vec3(any(lessThan(x, y)))", lambda x, y: _splat((x < y).any(axis=1).astype(float))),
    Function("vec3(all(lessThan(x, y)))", lambda x, y: _splat((x < y).all(axis=1).astype(float))),
    Function("vec3(not(lessThan(x, y)))", lambda x, y: (x >= y).astype(float)),
    Function("texture2D(image, x.xy).rgb", lambda x, y: _sampled(x, "nearest"), -1.0, 2.0),
    Function("texture2D(image, x.xy).rgb", lambda x, y: _sampled(x, "linear"), -1.0, 2.0, "linear"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    instructions: int
    cycles: int
    values: Array


def measure(text: str, x: Array, y: Array, filter: str = "nearest") -> Measured:
    """The shader that computes `text`, run for all pixels."""
    used = [name for name in "xy" if re.search(rf"\b{name}\b", text)]
    source = (
        "precision highp float; uniform sampler2D image;"
        f"varying vec3 {', '.join(used)}; void main() {{ gl_FragColor = vec4({text}, 1.0); }}"
    )
    options = {"output": "raw", "filter": filter, "range": ",".join(f"{name}=-8:8" for name in used)}
    artifact = compile_source(
        make_source(source, "f.frag"), load_target("theia"), Request(target_options=options), DiagnosticSink()
    )
    rows = {86 + number: {"x": x, "y": y}[name] for number, name in enumerate(used)}
    textures = {0: Texture(_TEXELS, filter)} if "image" in text else {}
    inputs = MachineInputs(len(x), inputs={"row": rows}, textures=textures)
    machine = prepare(artifact, inputs, "trunk", Sampling(filter=filter))
    outcomes = run_block(machine, machine.program.entries["PIXELSHADER"])
    words = np.array([[word for _, word in outcome.output] for outcome in outcomes], dtype=np.int64)
    values = np.where(words >> 31, words - (1 << 32), words) / ONE
    return Measured(artifact.stats.instructions, max(outcome.cycles for outcome in outcomes), values)


def _inputs(function: Function) -> tuple[Array, Array]:
    random = np.random.default_rng(1)
    x = random.uniform(function.low, function.high, (_PIXELS, 3))
    x[0], x[1] = function.low, function.high
    y = random.uniform(0.25, 2.0, (_PIXELS, 3))
    return np.rint(x * ONE) / ONE, np.rint(y * ONE) / ONE


def row_of(function: Function) -> str:
    x, y = _inputs(function)
    if function.text.startswith("refract"):
        x, y = (np.rint(v / _length(v) * ONE) / ONE for v in (x, y))
    bare, found = measure("x", x, y), measure(function.text, x, y, function.filter)
    exact = function.meaning(x, y)
    error = np.abs(found.values - exact)
    large = np.abs(exact) > 1.0
    relative = f"{(error[large] / np.abs(exact[large])).max():.1e}" if large.any() else "-"
    place = f"{function.low:g} to {function.high:g}"
    words, cycles = found.instructions - bare.instructions, found.cycles - bare.cycles
    steps = f"{error.max():.1e} | {error.max() * ONE:.1f}"
    note = ", linear" if function.filter == "linear" else ""
    return f"| `{function.text}`{note} | {place} | {words} | {cycles} | {steps} | {relative} |"


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
