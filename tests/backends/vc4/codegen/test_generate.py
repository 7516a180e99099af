"""Shaders compiled and run: values by another calculation, and what the code must look like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.backends.vc4.codegen.schedule.bundle import word_of
from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.encoding import Branch, decode, encode
from glslc_multi.backends.vc4.isa.validate import validate
from glslc_multi.backends.vc4.isa.validate_driver import check
from glslc_multi.backends.vc4.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.evaluate import DEFAULT_MAX_STEPS
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.programs import compile_program
from glslc_multi.compiler.trace import Watcher, watching
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.simulator import Simulated, run_artifact
from tests.backends.vc4.helpers import codes_of, program_of
from tests.work import count_calls

_LANES = 32
_X = np.linspace(-4.0, 4.0, _LANES, dtype=np.float32)


def _run(
    body: str,
    *,
    uniforms: Mapping[str, Any] | None = None,
    declarations: str = "",
    level: int = 2,
    max_steps: int = DEFAULT_MAX_STEPS,
) -> Array:
    """What a fragment shader with `varying float x` writes."""
    source = f"precision highp float; varying float x; {declarations} void main() {{ {body} }}"
    return _run_fragment(source, uniforms or {}, level, max_steps)["gl_FragColor"]


def _run_fragment(
    source: str, uniforms: Mapping[str, Any], level: int = 2, max_steps: int = DEFAULT_MAX_STEPS
) -> dict[str, Array]:
    module = lower_source(make_source(source, "test.frag", "fragment"), FrontEndOptions(), DiagnosticSink())
    artifact, options = _compile(source, level=level)
    shader = Simulated(TARGET, artifact, module, options)
    return run_artifact(shader, {"x": _X}, uniforms, lanes=_LANES, quads=True, max_steps=max_steps)


def _compile(
    source: str, stage: str = "fragment", output: str = "raw", level: int = 2, **values: bool | str
) -> tuple[Artifact, Mapping[str, Any]]:
    sink = DiagnosticSink()
    request = Request(optimisation=level, target_options={"output": output, **values})
    options = checked_options(TARGET, stage, request, sink)
    suffix = "frag" if stage == "fragment" else "vert"
    module = lower_source(make_source(source, f"test.{suffix}", None), FrontEndOptions(), sink)
    return compile_module(clone_module(module), load_target("vc4"), options, request, sink), options.values


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("floor(x)", np.floor(_X)),
        ("ceil(x)", np.ceil(_X)),
        ("fract(x)", _X - np.floor(_X)),
        ("floor(x * 1.0e10) * 1.0e-10", _X),
        ("ceil(x * 1.0e10) * 1.0e-10 + fract(x * 1.0e10)", _X),
        ("float(int(mod(x + 8.0, 16.0)) * 300)", np.trunc(_X + 8) * 300),
        ("sign(x)", np.sign(_X)),
        ("abs(x) + min(x, 0.5)", np.abs(_X) + np.minimum(_X, 0.5)),
        ("1.0 / (x + 5.0)", 1.0 / (_X + 5.0)),
        ("sqrt(abs(x))", np.sqrt(np.abs(_X))),
        ("inversesqrt(x + 5.0)", 1.0 / np.sqrt(_X + 5.0)),
        ("exp2(x)", np.exp2(_X)),
        ("log2(x + 5.0)", np.log2(_X + 5.0)),
        ("pow(x + 5.0, 3.5)", (_X + 5.0) ** 3.5),
        ("pow(max(x, 0.0), 0.1)", np.maximum(_X, 0.0) ** 0.1),
        ("sin(x)", np.sin(_X)),
        ("x > 0.25 && x < 2.0 ? 1.0 : -1.0", np.where((_X > 0.25) & (_X < 2.0), 1.0, -1.0)),
        ("float(int(x * 10.0) * 70000 / 7)", np.trunc(_X * 10) * 10000),
        ("float(int(x * 10.0) / 3)", np.trunc(np.trunc(_X * 10) / 3)),
        ("-(x * -2.0) - -x", _X * 3),
    ],
)
def test_values_are_those_of_another_calculation(expression: str, expected: Array) -> None:
    found = _run(f"gl_FragColor = vec4({expression}, 0.0, 0.0, 1.0);")
    assert np.allclose(found[:, 0], expected, rtol=3e-5, atol=3e-5)


def test_exponents_far_below_give_nothing() -> None:
    found = _run("gl_FragColor = vec4(exp2(-x * x * 1.0e10));")
    assert np.array_equal(found[:, 0], np.zeros(_LANES))


def test_lanes_leave_a_loop_one_by_one() -> None:
    loop = "for (int i = 0; i < 20; i++) { if (float(i) > x + 4.0) break; s += float(i); }"
    body = f"float s = 0.0; {loop} gl_FragColor = vec4(s);"
    wanted = [sum(i for i in range(20) if i <= x + 4.0) for x in _X]
    assert np.allclose(_run(body)[:, 0], wanted)


def test_a_loop_in_an_arm_ends_for_lanes_in_which_the_arm_is_not_active() -> None:
    body = "float s = 1.0; if (x > 0.0) { while (s < x * 8.0) s *= 2.0; } gl_FragColor = vec4(s);"
    wanted = np.where(_X > 0, 2.0 ** np.ceil(np.log2(np.maximum(_X * 8.0, 1.0))), 1.0)
    assert np.array_equal(_run(body)[:, 0], wanted)


_ENDLESS = {
    "in an arm": "if (x > 9.0) { while (true) {} } s = x * 2.0;",
    "with a value": "if (x > 9.0) { while (true) { s += x; } } else s = x * 2.0;",
    "in the other arm": "float t; if (x < 9.0) t = x; else for (;;) s += 1.0; s = t + t;",
    "in two arms": "if (x > 9.0) { if (k > 2.) do s += x; while (true); } s = x; if (k > 3.) for (;;) s *= s; s += x;",
    "in a loop": "for (int i = 0; i < 99; i++) { s += x; if (i > 0) break; if (x > 9.0) for (;;) s += 0.5; }",
}


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("place", _ENDLESS)
def test_loops_that_nothing_leaves_are_left_alone(place: str, level: int) -> None:
    """Lanes that stay out of them come to their end."""
    body = f"float s = 0.0; {_ENDLESS[place]} gl_FragColor = vec4(s);"
    found = _run(body, uniforms={"k": 1.0}, declarations="uniform float k;", level=level)
    assert np.array_equal(found[:, 0], _X * 2)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("stage", ["vertex", "coordinate", "fragment"])
@pytest.mark.parametrize("place", [*_ENDLESS, "bare"])
def test_loops_that_nothing_leaves_are_code(place: str, stage: str, level: int) -> None:
    inputs, output = ("varying", "gl_FragColor") if stage == "fragment" else ("attribute", "gl_Position")
    body = f"float s = 0.0; {_ENDLESS.get(place, 'for (;;) {}')} {output} = vec4(s);"
    source = f"precision highp float; {inputs} float x; uniform float k; void main() {{ {body} }}"
    artifact, _ = _compile(source, stage, level=level)
    assert check(unpack(artifact.binary).words).fault is None


def test_a_lane_in_a_loop_that_nothing_leaves_stays() -> None:
    with pytest.raises(CompileError, match="E0656"):
        _run("float s = x; if (x > 1.0) for (;;) s += x; gl_FragColor = vec4(s);", max_steps=10_000)


def test_loops_with_uniform_ends_reset_the_stream() -> None:
    body = "float s = 0.0; for (int i = 0; i < 100; i++) { if (i >= n) break; s += k[0] * x; } gl_FragColor = vec4(s);"
    declarations = "uniform int n; uniform float k[2];"
    found = _run(body, uniforms={"n": 7, "k": [0.5, 1.0]}, declarations=declarations)
    assert np.allclose(found[:, 0], 3.5 * _X, atol=1e-4)


def test_uniform_arrays_at_variable_indices_come_from_memory_and_clamp() -> None:
    found = _run(
        "gl_FragColor = vec4(k[int(floor(x))], k[1]);",
        uniforms={"k": [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]},
        declarations="uniform vec2 k[3];",
    )
    index = np.clip(np.floor(_X), 0, 2)
    assert np.allclose(found[:, 0], index + 1)
    assert np.allclose(found[:, 1], 10 * (index + 1))


_READ_AND_LOOKED_UP = {
    "read before": "texture2D(map, vec2(x) * k[int(x)])",
    "read after": "texture2D(map, vec2(x)) * k[int(x)]",
    "read between": "texture2D(map, vec2(k[int(texture2D(map, vec2(x)).x)]))",
    "in another block": "vec4(s) + texture2D(map, vec2(s))",
}


def test_the_text_of_a_word_that_has_no_suffix_is_data() -> None:
    """The text assembles to the code, with the suffixes that the other assembler has."""
    text = "precision highp float; varying float x; void main() { gl_FragColor = vec4(x); }"
    artifact, _ = _compile(text, output="rgba8")
    (line,) = [line for line in artifact.assembly.splitlines() if line.startswith(".long")]
    assert re.fullmatch(r"\.long 0x[0-9a-f]{8}, 0x[0-9a-f]{8} +# .*\br\w+\.8888sf, .*", line)
    assert program_of(artifact.assembly).words == unpack(artifact.binary).words
    assert codes_of("nop; fmul r0.8888f, r1, r2") and codes_of("nop; fmul r0.8af, r1, r2")


def test_values_that_few_registers_can_hold_do_not_keep_others_to_these() -> None:
    """What derivatives rotate is in r0 to r3; what it is copied from may be elsewhere."""
    extension = "#extension GL_OES_standard_derivatives : enable\n"

    def source(count: int) -> str:
        varyings = "".join(f"varying vec4 v{n};" for n in range(8))
        kept = "".join(f"vec4 a{n} = dFdx(v{n % 8} * {n}.5) + dFdy(v{(n + 1) % 8}.wzxy);" for n in range(count))
        # All are read before the first of them is read for the last time.
        total = " + ".join(f"a{n}" for n in range(count))
        chosen = " + ".join(f"max(a{n}, s)" for n in range(count))
        body = f"{kept} float s = dot({total}, v1); gl_FragColor = {chosen};"
        return f"{extension}precision highp float; {varyings} void main() {{ {body} }}"

    assert _compile(source(8))[0].stats.registers > 32
    with pytest.raises(CompileError) as caught:
        _compile(source(18))
    (error,) = caught.value.diagnostics
    assert error.code == "E0701" and error.span is not None
    assert (int(str(error.values["need"])) > 68, error.values["limit"]) == (True, "68")


@pytest.mark.parametrize("threaded", [False, True])
@pytest.mark.parametrize("order", _READ_AND_LOOKED_UP)
def test_words_of_memory_are_read_by_another_unit_than_textures(order: str, threaded: bool) -> None:
    """What a unit does after a direct read is a direct read to the driver."""
    value = _READ_AND_LOOKED_UP[order]
    loop = "float s = 0.0; for (int i = 0; i < 99; i++) { if (s > x) break; s += k[int(s)]; }"
    body = f"{loop if order == 'in another block' else ''} gl_FragColor = {value};"
    declarations = "precision highp float; varying float x; uniform float k[4]; uniform sampler2D map;"
    artifact, _ = _compile(f"{declarations} void main() {{ {body} }}", threaded=threaded)
    text = artifact.assembly
    assert "add t1s" in text and "ldtmu1" in text and "t0s" in text
    assert "add t0s" not in text and "t1t" not in text
    assert check(unpack(artifact.binary).words).fault is None


def test_the_position_in_the_stream_is_set_in_a_word_of_its_own() -> None:
    """Older drivers refuse it beside another operation."""
    loop = "for (int i = 0; i < 99; i++) { t = t * s.x; s += t; if (s.x > k.x) break; }"
    body = f"vec4 s = x; float t = 1.0; {loop} gl_FragColor = s * s + s.yzwx * k;"
    source = f"precision highp float; varying vec4 x; uniform vec4 k; void main() {{ {body} }}"
    artifact, _ = _compile(source)
    resets = [line for line in artifact.assembly.splitlines() if "unif_addr" in line]
    assert resets
    assert [line for line in resets if not re.fullmatch(r"add unif_addr, r\w+, unif", line)] == []


def test_discarded_pixels_are_not_written() -> None:
    source = "precision highp float; varying float x; void main() { if (x > 1.0) discard; gl_FragColor = vec4(x); }"
    assert np.array_equal(_run_fragment(source, {})["discarded"], _X > 1.0)


def test_derivatives_are_differences_in_quads() -> None:
    source = (
        "#extension GL_OES_standard_derivatives : enable\n"
        "precision highp float; varying float x; void main() { gl_FragColor = vec4(dFdx(x), dFdy(x), 0.0, 1.0); }"
    )
    found = _run_fragment(source, {})["gl_FragColor"]
    quads = _X.reshape(-1, 2, 2)
    across = np.repeat(quads[:, :, 1:] - quads[:, :, :1], 2, axis=2).reshape(-1)
    down = np.repeat(quads[:, 1:, :] - quads[:, :1, :], 2, axis=1).reshape(-1)
    assert np.allclose(found[:, 0], across)
    assert np.allclose(found[:, 1], down)


def test_pixels_are_bytes() -> None:
    source = "precision highp float; varying float x; void main() { gl_FragColor = vec4(x, 0.5, 2.0, 1.0); }"
    module = lower_source(make_source(source, "test.frag", "fragment"), FrontEndOptions(), DiagnosticSink())
    artifact, options = _compile(source, output="rgba8")
    found = run_artifact(Simulated(TARGET, artifact, module, options), {"x": _X}, {}, lanes=_LANES)["gl_FragColor"]
    wanted = np.floor(np.clip(np.stack([_X, _X * 0 + 0.5, _X * 0 + 2, _X * 0 + 1], axis=1), 0, 1) * 255 + 0.5) / 255
    assert np.allclose(found, wanted, atol=1e-7)


_VERTEX = """
attribute vec4 p; attribute vec2 t; uniform mat4 m; varying vec4 v;
void main() { v = vec4(t, p.xy); gl_Position = m * p; }
"""
_FRAGMENT = "precision mediump float; varying vec4 v; void main() { gl_FragColor = vec4(v.yw, 0.0, 1.0); }"


def test_a_pair_becomes_three_programs_that_keep_all_rules() -> None:
    program = compile_program(
        make_source(_VERTEX, "a.vert", "vertex"),
        make_source(_FRAGMENT, "a.frag", "fragment"),
        load_target("vc4"),
        Request(),
        DiagnosticSink(),
    )
    assert list(program.stages) == ["vertex", "coordinate", "fragment"]
    for stage, artifact in program.stages.items():
        words = unpack(artifact.binary).words
        assert not validate(words, stage)  # type: ignore[arg-type]
        verdict = check(words)
        assert verdict.fault is None
        assert verdict.uniforms_size == 4 * len(artifact.reflection.stream)
    rows = program.stages["vertex"].reflection.varyings
    # Of four components the fragment stage reads two.
    assert [(row.name, [(location.first, location.index) for location in row.locations]) for row in rows] == [
        ("v", [(1, 3), (3, 4)])
    ]
    assert {row.name for row in program.stages["coordinate"].reflection.attributes} == {"p"}


def test_the_text_of_compiled_programs_assembles_to_their_words() -> None:
    constants = "gl_FragColor = vec4(x > 0.0 ? 1.0 : 0.0, 0.5, 0.0, texture2D(s, vec2(x, 2.0)).x);"
    fragment = f"precision highp float; varying float x; uniform sampler2D s; void main() {{ {constants} }}"
    for source, stage in (
        (_VERTEX, "vertex"),
        (_VERTEX, "coordinate"),
        (_FRAGMENT, "fragment"),
        (fragment, "fragment"),
    ):
        artifact, _ = _compile(source, stage, output="rgba8")
        assert ".long" not in artifact.assembly
        assert TARGET.assemble(artifact.assembly, "text", DiagnosticSink()) == artifact.binary


def test_watchers_see_the_words_on_their_registers() -> None:
    shown: list[MachineFunction] = []

    class Shown(Watcher):
        def after(self, step: str, code: object, *, changed: bool) -> None:
            shown.extend([code] if isinstance(code, MachineFunction) else [])

    with watching(Shown()):
        artifact, _ = _compile(
            "attribute vec4 p; uniform vec4 u; varying vec4 v; void main() { v = p * u + vec4(0.1, 3.0, p.yx); }",
            "vertex",
        )
    words = [word_of(slot) for slot in shown[-1].entry.slots or ()]
    assert tuple(encode(word) for word in words if word is not None) == unpack(artifact.binary).words


def test_small_branches_cost_no_jump() -> None:
    artifact, _ = _compile(
        "precision highp float; varying float x;"
        "void main() { float s = -x; if (x > 0.0) { if (x > 1.0) s = 2.0; else s = x; } gl_FragColor = vec4(s); }"
    )
    assert not any(isinstance(decode(word), Branch) for word in unpack(artifact.binary).words)


def test_arms_that_are_active_in_no_lane_are_skipped() -> None:
    terms = [f"pow(abs(x) + {n}.0, k) * sin(x + {n}.0)" for n in range(1, 5)]
    text = f"float s = x; if (x > k) s += {' + '.join(terms)}; gl_FragColor = vec4(s);"
    source = f"precision highp float; varying float x; uniform float k; void main() {{ {text} }}"
    artifact, _ = _compile(source)
    assert any(isinstance(decode(word), Branch) for word in unpack(artifact.binary).words)
    for k in (-5.0, 0.5, 5.0):
        found = _run(text, uniforms={"k": k}, declarations="uniform float k;")[:, 0]
        added = sum((np.abs(_X) + n) ** k * np.sin(_X + n) for n in range(1, 5))
        wanted = np.where(k < _X, _X + added, _X)
        assert np.allclose(found, wanted, rtol=1e-4, atol=1e-4)


def test_values_of_loops_keep_their_registers() -> None:
    artifact, _ = _compile(
        "precision highp float; varying float x; void main() { float s = x;"
        "for (int i = 0; i < 90; i++) { if (s > 4.0) break; s = s * s + 0.25; } gl_FragColor = vec4(s); }"
    )
    branches = [n for n, word in enumerate(unpack(artifact.binary).words) if isinstance(decode(word), Branch)]
    assert len(branches) == 1


def test_loops_in_arms_of_loops_leave_the_values_around_them() -> None:
    inner = "if (x > float(i) - 2.0) { while (t < x) t += 1.5; }"
    text = f"float t = -3.0; for (int i = 0; i < 40; i++) {{ if (t > 2.0 + x) break; {inner} t += 0.25; }}"
    wanted = []
    for x in _X:
        t = -3.0
        for i in range(40):
            if t > 2.0 + x:
                break
            while x > i - 2.0 and t < x:
                t += 1.5
            t += 0.25
        wanted.append(t)
    assert np.allclose(_run(f"{text} gl_FragColor = vec4(t);")[:, 0], wanted)


def test_what_does_not_fit_is_refused() -> None:
    sums = " + ".join(f"v{n}.x * v{n}.y" for n in range(12))
    varyings = "".join(f"varying vec4 v{n};" for n in range(12))
    with pytest.raises(CompileError) as caught:
        _compile(f"precision highp float; {varyings} void main() {{ gl_FragColor = vec4({sums}); }}")
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0701"]


@pytest.mark.parametrize("loop", ["for (;;) { }", "int j = 0; for (int i = 0; j < 3; i++) { }"])
def test_an_endless_loop_around_nothing_is_a_program(loop: str) -> None:
    """Its blocks have no instructions to schedule."""
    artifact, _ = _compile(f"precision highp float; void main() {{ {loop} }}")
    words = [decode(word) for word in unpack(artifact.binary).words]
    assert any(isinstance(word, Branch) and word.immediate >> 31 for word in words), "a branch back"


def test_work_for_labels_that_fall_through_is_in_proportion() -> None:
    def compiled(count: int) -> None:
        labels = "".join(f"case {number}: o += x * {number}.5;" for number in range(count))
        _compile(f"#version 300 es\nprecision highp float; in float x; uniform int n; out float o;"
                 f"void main() {{ o = x; switch (n) {{ {labels} }} }}")  # fmt: skip

    compiled(5)
    assert count_calls(lambda: compiled(160)) < 6 * count_calls(lambda: compiled(40))
