"""What the host computes with -fpreamble: by Python and by C, against numpy and against each other, bit for bit."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.host_code.preamble_c import preamble_c
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.preamble import table_functions
from glslc_multi.runtime.preamble import run_preamble, uniforms_read
from glslc_multi.runtime.shader import CompiledShader

#: Everything that a preamble can hold: functions, ints that wrap, choices, conversions, indices, matrices.
TEXT = """
attribute vec4 place;
uniform mat3 turn;
uniform vec3 way;
uniform float power;
uniform int number;
uniform bool flag;
uniform vec4 steps[3];
void main() {
    vec3 there = turn * normalize(way);
    float much = pow(abs(power), 2.5) + sin(power) + exp2(-power) + atan(power, 2.0);
    float rest = mod(float(number * 715827883), 7.0) + float(int(power * 1.0e3) / 7);
    vec4 step = steps[number];
    float chosen = (flag && power > 0.5) ? floor(power) : sqrt(abs(power));
    gl_Position = place * vec4(there * much, rest) + step * chosen;
}
"""


#: Bits, shifts, and ints without a sign.
UNSIGNED = """#version 300 es
precision highp float;
in vec4 place;
uniform mat3 turn;
uniform vec3 way;
uniform float power;
uniform int number;
uniform bool flag;
uniform vec4 steps[3];
uniform uint word;
flat out uvec4 mixed;
flat out ivec4 other;
void main() {
    uint bits = floatBitsToUint(power) ^ floatBitsToUint(way.x + way.z);
    int shift = number & 31;
    bool less = bits < word;
    mixed = uvec4(bits / (word | 1u), bits % (word | 1u), bits << shift, (bits >> shift) | (word & ~bits));
    other = ivec4(int(bits) >> 3, int(bits) % 1000, less ? -1 : 7, uint(float(word) * 0.5));
    mixed.x += uint(uintBitsToFloat(bits & 0x3FFFFFFFu)) + uint(roundEven(way.y * 8.0) + 64.0);
    gl_Position = place * float(word) * turn[0].x * steps[1].x * float(flag);
}
"""


#: A table of a function with a uniform.
LIT = """
precision highp float;
varying vec3 normal, eye;
uniform vec3 way;
uniform float shininess;
void main() {
    vec3 halfway = normalize(normalize(way) + normalize(eye));
    gl_FragColor = vec4(vec3(pow(max(dot(normalize(normal), halfway), 0.0), shininess)), 1.0);
}
"""


def compiled(text: str = TEXT, target: str = "adreno") -> CompiledShader:
    return glslc_multi.compile(text, target=target, stage="vertex", preamble=True)


def taken(shader: CompiledShader) -> Module:
    assert shader.artifact.preamble is not None
    return shader.artifact.preamble


def values_of(seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)

    def floats(*shape: int) -> Any:
        return random.uniform(-2, 2, shape).astype(np.float32).astype(np.float64)

    return {
        "turn": floats(3, 3),
        "way": floats(3),
        "power": floats(),
        "number": np.array(random.integers(-1, 4)),
        "flag": np.array(random.integers(0, 2)),
        "steps": floats(3, 4),
    }


def test_a_shader_without_uniform_work_has_none() -> None:
    text = "attribute vec4 p; uniform vec4 u; void main() { gl_Position = p + u; }"
    assert compiled(text).artifact.preamble is None
    assert glslc_multi.compile(TEXT, target="adreno", stage="vertex").artifact.preamble is None


def test_a_direction_by_numpy() -> None:
    text = "attribute vec4 p; uniform vec3 way; void main() { gl_Position = p + vec4(normalize(way), 0.0); }"
    preamble = taken(compiled(text))
    assert [variable.name for variable in uniforms_read(preamble)] == ["way"]
    (found,) = run_preamble(preamble, {"way": np.array([2.0, 3.0, 6.0])}).values()
    np.testing.assert_allclose(found, [2 / 7, 3 / 7, 6 / 7], rtol=1e-6)


@pytest.mark.parametrize("target", ["agal", "pica200", "adreno"])
def test_code_with_a_preamble_computes_the_same(target: str) -> None:
    text = TEXT.replace("715827883", "3")
    shader = compiled(text, target)
    values = values_of(5) | {"number": 2}
    values["turn"] = values["turn"].T
    place = {"place": [[1.0, 2.0, 3.0, 4.0]]}
    wanted = shader.run(place, values, engine="reference")["gl_Position"]
    np.testing.assert_allclose(shader.run(place, values)["gl_Position"], wanted, rtol=2e-3, atol=2e-3)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize(("text", "target"), [(TEXT, "adreno"), (TEXT, "vc4"), (UNSIGNED, "vc4")])
def test_the_function_in_c_gives_the_same_bits(tmp_path: Path, text: str, target: str) -> None:
    """A main that reads numbers, calls the function, and prints the patterns of what it computed."""
    _check_in_c(tmp_path, taken(compiled(text, target)), values_of)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_tables_in_c_have_the_same_bits(tmp_path: Path) -> None:
    preamble = taken(glslc_multi.compile(LIT, target="pica200", stage="fragment"))
    assert [table.dims for table, _ in table_functions(preamble)] == [(257,)]
    _check_in_c(tmp_path, preamble, values_of_light)


def test_a_table_by_numpy() -> None:
    preamble = taken(glslc_multi.compile(LIT, target="pica200", stage="fragment"))
    found = run_preamble(preamble, values_of_light(3))["$table.d0"]
    powers = (np.arange(257) / 256) ** values_of_light(3)["shininess"]
    # Half a step of 1/255 is added, since the machine cuts off.
    np.testing.assert_allclose(found, powers + 0.5 / 255, atol=1e-6)


def values_of_light(seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    return {"way": random.uniform(-2, 2, 3).astype(np.float32), "shininess": np.float32(random.uniform(1, 30))}


def _check_in_c(tmp_path: Path, preamble: Module, make_values: Callable[[int], dict[str, Any]]) -> None:
    program = tmp_path / "preamble"
    (tmp_path / "preamble.c").write_text(preamble_c(preamble, "lit") + _main(preamble))
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-ffp-contract=off"]
    subprocess.run(["cc", *flags, str(tmp_path / "preamble.c"), "-o", str(program), "-lm"], check=True)
    for seed in range(8):
        values = make_values(seed) | {"word": np.array(np.random.default_rng(seed).integers(0, 2**32))}
        given = [values[v.name] for v in uniforms_read(preamble)]
        text = " ".join(float(number).hex() for value in given for number in np.reshape(value, -1))
        printed = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=True).stdout
        found = np.array([int(word, 16) for word in printed.split()], np.uint32)
        wanted = np.concatenate([_words(np.reshape(v, -1)) for v in run_preamble(preamble, values).values()])
        np.testing.assert_array_equal(found, wanted)


def _words(values: Any) -> Any:
    """The patterns of floats and ints."""
    kind = np.float32 if values.dtype.kind == "f" else np.int32
    return values.astype(kind).view(np.uint32)


def _main(preamble: Module) -> str:
    reads = "".join(
        f"    for (i = 0; i < {v.length * v.columns * v.type.width}; i++)"
        f' {{ if (scanf("%lf", &x) != 1) return 1; in.{v.name}[i] = x; }}\n'
        for v in uniforms_read(preamble)
    )
    return f"""
#include <stdio.h>
#include <string.h>
int main(void) {{
    lit_uniforms in; lit_computed out; unsigned i; double x; uint32_t word;
{reads}    lit_preamble(&in, &out);
    for (i = 0; i < sizeof out / 4; i++) {{
        memcpy(&word, (const char *)&out + 4 * i, 4);
        printf("%08x\\n", (unsigned)word);
    }}
    return 0;
}}
"""


def test_what_it_reads_needs_a_value() -> None:
    text = "attribute vec4 p; uniform vec3 way; void main() { gl_Position = p + vec4(normalize(way), 0.0); }"
    with pytest.raises(glslc_multi.CompileError, match="'way'"):
        run_preamble(taken(compiled(text)), {})
