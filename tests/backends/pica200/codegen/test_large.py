"""Shaders near the limits: many words with many multiply-adds, and more values than temporaries."""

from __future__ import annotations

import random
import re
from functools import partial
from typing import NoReturn

import numpy as np
import pytest

import glslc_multi as g
from glslc_multi.backends.pica200.codegen import build
from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.backends.pica200.isa.registers import MAD_DESCRIPTORS
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.pica200.compiled import compiled, dyadic, refusal
from tests.work import count_calls

LANES = 4


def long_shader(statements: int, mads: int) -> str:
    """Statements that each change some components of six vectors, so that none is idle; with random swizzles."""
    rng = random.Random(1)
    kinds = ["mad"] * mads + ["bound"] * (statements - mads)
    rng.shuffle(kinds)
    lines = [_statement(rng, kind, number) for number, kind in enumerate(kinds)]
    start = [f"vec4 t{k} = a{k % 2}.{_swizzle(rng, 4)} * u_k[{k}];" for k in range(6)]
    sum_of_all = " + ".join(f"t{k}" for k in range(6))
    body = "\n".join([*start, *lines, f"gl_Position = {sum_of_all};"])
    return f"attribute vec4 a0, a1;\nuniform vec4 u_k[40];\nvoid main() {{\n{body}\n}}\n"


def _statement(rng: random.Random, kind: str, number: int) -> str:
    """A multiply-add with swizzles and a mask of its own, or a bound of whole vectors."""
    target, other = rng.sample(range(6), 2)
    uniform = f"u_k[{number % 40}]"
    if kind == "mad":
        mask = "".join(sorted(rng.sample("xyzw", rng.choice((2, 3, 4))), key="xyzw".index))
        width = len(mask)
        return f"t{target}.{mask} += t{other}.{_swizzle(rng, width)} * {uniform}.{_swizzle(rng, width)};"
    if number % 2:
        return f"t{target} = max(t{target} + {uniform}, t{other});"
    return f"t{target} = min(t{target}, t{other} + {uniform});"


def _swizzle(rng: random.Random, width: int) -> str:
    return "".join(rng.choice("xyzw") for _ in range(width))


def test_450_words_with_60_multiply_adds_fit_the_descriptor_table() -> None:
    shader = compiled(long_shader(212, 60))
    program = read(shader.binary, "a.shbin", DiagnosticSink())
    assert program is not None and validate(program) == []
    assert 440 <= len(program.code) <= 470
    # More shapes than a multiply-add can name descriptors: what shares none is made in two words.
    mads = [line for line in shader.assembly.splitlines() if line.strip().startswith("mad")]
    assert MAD_DESCRIPTORS // 2 <= len(mads) < 60
    inputs = {"a0": dyadic(1, LANES, 4) / 8.0, "a1": dyadic(2, LANES, 4) / 8.0}
    uniforms = {"u_k": dyadic(3, 40, 4) / 16.0}
    wanted = shader.run(inputs, uniforms, engine="reference")["gl_Position"]
    assert np.all(np.isfinite(wanted))
    found = shader.run(inputs, uniforms)["gl_Position"]
    assert np.allclose(found, wanted, 0.0, 2.0**-8 * np.abs(wanted).max())


def test_a_program_beyond_the_words_is_refused() -> None:
    code, message = refusal(long_shader(300, 60))
    found = re.fullmatch(r"needs at least (\d+) words of code, pica200 has 512", message)
    # Multiply-adds take one word or two, bounds take two; six vectors are made and added up, and the program ends.
    assert code == "E0701" and found is not None and 60 + 2 * 240 + 12 <= int(found[1]) <= 2 * 300 + 12 + 6


def scalar_work(count: int) -> str:
    """Many scalar operations of one kind, with literals of their own: all can be packed with all others."""
    lines = [
        f"s += fract(sin(dot(a.xy, vec2({k + 12}.5, 78.25))) * 43758.5) * fract(a.z * {k}.5 + 0.125);"
        for k in range(count)
    ]
    body = "\n".join(lines)
    return f"attribute vec4 a;\nvoid main() {{\nfloat s = 0.0;\n{body}\ngl_Position = vec4(s);\n}}\n"


def test_work_is_in_proportion_to_the_program() -> None:
    """Doubling the shader must not quadruple the work: packing looks at pairs of operations."""
    compiled(scalar_work(2))
    small, large = (count_calls(partial(compiled, scalar_work(lines))) for lines in (15, 30))
    assert large < 3 * small and large < 30 * 60_000


@pytest.mark.parametrize("opt", [2, 3])
def test_what_has_too_many_words_is_refused_before_registers_are_looked_for(
    opt: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Register pressure would keep the allocator busy with code that does not fit anyway."""
    source = long_shader(300, 60)

    def nothing_fits(*_: object) -> NoReturn:
        raise AssertionError("registers are looked for")

    monkeypatch.setattr(build, "allocate", nothing_fits)
    with pytest.raises(CompileError) as caught:
        compiled(source, opt)
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    # The 513th word is in one of the last sixty statements.
    assert error.span is not None and error.span.line > source.count("\n") - 60


def many_values(count: int) -> str:
    """All of `count` vectors are read in one order, then in the other, so that all are kept."""
    made = [f"vec4 t{k} = normalize(a{k % 2} * a{(k + 1) % 3}.{'xyzw'[k % 4]} + u_k[{k}]);" for k in range(count)]
    up = [f"s = s * t{k} + t{k * 7 % count};" for k in range(1, count)]
    down = [f"s = max(s, t{k}) * t{(k * 5 + 3) % count};" for k in reversed(range(count))]
    body = "\n".join([*made, "vec4 s = t0;", *up, *down, "gl_Position = s;"])
    return f"attribute vec4 a0, a1, a2;\nuniform vec4 u_k[40];\nvoid main() {{\n{body}\n}}\n"


def test_16_values_at_a_time_fit() -> None:
    shader = compiled(many_values(15))
    assert shader.stats.registers == 16
    inputs = {name: dyadic(seed, LANES, 4) for seed, name in enumerate(("a0", "a1", "a2"))}
    uniforms = {"u_k": dyadic(5, 40, 4)}
    wanted = shader.run(inputs, uniforms, engine="reference")["gl_Position"]
    assert np.allclose(shader.run(inputs, uniforms)["gl_Position"], wanted, 2.0**-8, 2.0**-8)


def test_17_values_at_a_time_are_refused_with_their_place() -> None:
    assert refusal(many_values(16)) == ("E0701", "needs 17 temporary registers, pica200 has 16")
    with pytest.raises(g.CompileError) as caught:
        compiled(many_values(16))
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert error.span is not None and error.help


def early_values(count: int) -> str:
    """All of `count` vectors are computed before the first is used, for no reason."""
    made = [f"vec4 t{k} = normalize(a0 * u_k[{k}] + a1.{'xyzw'[k % 4]});" for k in range(count)]
    used = [f"s += max(t{k}, u_k[{k}].wzyx) * u_k[{39 - k}];" for k in range(count)]
    body = "\n".join([*made, "vec4 s = a1;", *used, "gl_Position = s;"])
    return f"attribute vec4 a0, a1;\nuniform vec4 u_k[40];\nvoid main() {{\n{body}\n}}\n"


@pytest.mark.parametrize("opt", [0, 2])
def test_an_order_is_found_in_which_values_fit(opt: int) -> None:
    shader = compiled(early_values(17), opt)
    assert shader.stats.registers <= 16
    inputs = {name: dyadic(seed, LANES, 4) for seed, name in enumerate(("a0", "a1"))}
    uniforms = {"u_k": dyadic(5, 40, 4)}
    wanted = shader.run(inputs, uniforms, engine="reference")["gl_Position"]
    assert np.allclose(shader.run(inputs, uniforms)["gl_Position"], wanted, 2.0**-8, 2.0**-8)


def test_uniforms_and_literals_share_the_constant_registers() -> None:
    source = "attribute vec4 a; uniform vec4 u[96]; void main() { gl_Position = a * 0.3 + u[95]; }"
    assert refusal(source) == ("E0701", "needs 97 constant registers, pica200 has 96")


@pytest.mark.parametrize(
    ("source", "help"),
    [
        ("uniform mat4 u[30]; void main() { gl_Position = u[0] * u[29][1]; }", "'u' may have 24 elements at most"),
        ("uniform vec4 u[96]; void main() { gl_Position = u[95] + 0.3; }", "'u' may have 95 elements at most"),
        (long_shader(300, 60), "words must go"),
    ],
)
def test_refusals_name_the_smallest_change(source: str, help: str) -> None:
    with pytest.raises(g.CompileError) as caught:
        compiled(source)
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert help in (error.help or "")
