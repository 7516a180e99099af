"""What NaN does in minima, comparisons and their like: the table of docs/numbers.md, run on every engine."""

from __future__ import annotations

import math
import re
from functools import cache

import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.shader import Engine, compile_shader
from tests.shared_data import PROJECT_ROOT

NAN = math.nan
#: What the words of the table stand for; `n` differs from machine to machine.
VALUES = {"n": NAN, "x": 2.5, "low": 2.0, "high": 3.0, "0": 0.0, "1": 1.0, "false": 0.0, "true": 1.0}
#: The machines without NaN, and what stands for it there.
WITHOUT = {"vc4": math.inf, "theia": 0.0}
COLUMNS = {"source": 1, "agal": 2, "pica200": 3, "adreno": 4}
#: Optimisation, whether code is precise, and where the numbers beside NaN come from.
Mode = tuple[int, bool, str]
MODES = [(level, precise, others) for level in (0, 2) for precise in (False, True) for others in ("u", "w")]
PLAIN, PRECISE = MODES[4], MODES[6]


@cache
def table() -> dict[str, list[str]]:
    """Operation -> its cells."""
    text = (PROJECT_ROOT / "docs" / "numbers.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:3] == "| `"]
    return {row[0].strip("`"): row for row in rows}


def glsl(operation: str, others: str) -> str:
    """The operation of values that come in: none is known beforehand."""
    names = {"n": "u.x", "x": f"{others}.y", "low": f"{others}.z", "high": f"{others}.w"}
    text = re.sub(r"\b(n|x|low|high)\b", lambda match: names[match[0]], operation)
    return text if "(" in operation else f"float({text})"


@cache
def run(target: str, mode: Mode, operation: str, engine: Engine, n: float = NAN) -> tuple[float, float]:
    """The result in a lane where `n` is what is asked for, and in one where it is a number."""
    level, precise, others = mode
    is_fragment = "vertex" not in load_target(target).stages
    stage, kind = ("fragment", "varying") if is_fragment else ("vertex", "attribute")
    output = "gl_FragColor" if is_fragment else "gl_Position"
    head = f"precision highp float; {kind} vec4 u; uniform vec4 w;"
    text = f"{head} void main() {{ {output} = vec4({glsl(operation, others)}, 0.0, 0.0, 1.0); }}"
    shader = compile_shader(make_source(text, "a", stage), load_target(target), Request(level, precise))
    numbers = [VALUES[word] for word in ("x", "low", "high")]
    uniforms = {"w": [0.0, *numbers]} if others == "w" else {}
    found = shader.run({"u": [[n, *numbers], [0.25, *numbers]]}, uniforms, engine=engine)[output]
    return float(found[0][0]), float(found[1][0])


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def allowed(operation: str, column: str) -> list[float]:
    """The results that the table has."""
    words = re.findall(r"\w+", table()[operation][COLUMNS[column]])
    return [VALUES[word] for word in words if word != "or"]


@pytest.mark.parametrize("operation", table())
@pytest.mark.parametrize("engine", ["reference", "jit"])
def test_the_meaning_of_the_source(operation: str, engine: Engine) -> None:
    (expected,) = allowed(operation, "source")
    assert same(run("agal", PLAIN, operation, engine)[0], expected)


@pytest.mark.parametrize("operation", table())
@pytest.mark.parametrize("target", [name for name in COLUMNS if name != "source"])
def test_machines_with_nan(target: str, operation: str) -> None:
    for mode in MODES:
        found = run(target, mode, operation, "simulator")[0]
        assert any(same(found, each) for each in allowed(operation, target)), (mode, found)


@pytest.mark.parametrize("operation", table())
@pytest.mark.parametrize("target", WITHOUT)
def test_machines_without_nan(target: str, operation: str) -> None:
    """The reference is the source's meaning where what stands for NaN is a number."""
    for mode in MODES:
        expected = run(target, mode, operation, "reference", WITHOUT[target])[0]
        found = run(target, mode, operation, "simulator")[0]
        assert same(found, expected) or (math.isnan(found) and math.isinf(expected)), mode


@pytest.mark.parametrize("target", target_names())
def test_the_lane_beside_a_nan_and_translated_code(target: str) -> None:
    for operation in table():
        found, beside = run(target, PLAIN, operation, "simulator")
        translated = run(target, PLAIN, operation, "translated")
        assert same(found, translated[0]) and same(beside, translated[1]), operation
        assert beside == run(target, PLAIN, operation, "reference")[1], operation


@pytest.mark.parametrize("target", ["agal", "adreno", "vc4"])
def test_a_nan_is_not_itself_where_code_is_precise(target: str) -> None:
    found = {each: run(target, PRECISE, each, "simulator")[0] for each in ("n == n", "n != n")}
    assert found == {"n == n": 0.0, "n != n": 1.0}


def test_what_is_added_unless_a_nan_compares_is_added_where_code_is_precise() -> None:
    """PICA200 adds a product with 1 or 0 instead of choosing; of two opposite comparisons with NaN neither is 1."""
    text = """attribute vec4 u; uniform vec4 w;
        void main() { vec4 s = u.wzyx; gl_Position = w.x < w.y ? s : s + u; }"""
    shader = compile_shader(make_source(text, "a", "vertex"), load_target("pica200"), Request(2, True))
    found = shader.run({"u": [[1.0, 2.0, 3.0, 4.0]]}, {"w": [NAN, 1.0, 0.0, 0.0]}, engine="simulator")
    assert list(map(float, found["gl_Position"][0])) == [5.0, 5.0, 5.0, 5.0]
