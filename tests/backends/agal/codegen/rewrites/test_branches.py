"""Branches of versions 2 and 3: which conditions become tokens, what may stand in them, and what they compute."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.program import decode
from glslc_multi.backends.agal.isa.registers import OUTPUT
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.textures import Texture
from tests.backends.agal.compiled import LANES, build, compiled, dyadic, mnemonics, refusal, run

_HEAD = "precision highp float; varying vec4 a; uniform vec4 u; uniform float k; uniform sampler2D m;\n"
#: Blocks that would cost much as arithmetic: three values each, of several instructions.
_ONE = "{ x = sin(a.x * u.x) * a.y + u.y; y = cos(x) * u.z; z.xyz = normalize(a.xyz + u.xyz) * y; }"
_OTHER = "{ x = a.z * a.z + u.w; y = exp2(x * 0.125); z = a * y + u; }"


def shader(body: str) -> str:
    values = "float x = a.x; float y = a.y; vec4 z = a;"
    return f"{_HEAD}void main() {{ {values} {body} gl_FragColor = z + vec4(x, y, x, y); }}"


def conditions(source: str, version: int = 2) -> list[str]:
    return [
        name
        for name in mnemonics(compiled(source, "fragment", agal_version=version))
        if name[:2] in ("if", "in", "el", "ei")
    ]


def expected(holds: Sequence[bool], a: Array, u: Array, *, has_other: bool) -> Array:
    """What the shaders compute, by numpy."""
    x, y, z = a[:, 0].copy(), a[:, 1].copy(), a.copy()
    one = np.array(holds)
    direction = a[:, :3] + u[:3]
    direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    x_one = np.sin(a[:, 0] * u[0]) * a[:, 1] + u[1]
    y_one = np.cos(x_one) * u[2]
    x_other = a[:, 2] ** 2 + u[3]
    y_other = np.exp2(x_other * 0.125)
    if has_other:
        x, y, z = x_other, y_other, a * y_other[:, None] + u
    z[one, :3] = (direction * y_one[:, None])[one]
    z[one, 3] = a[one, 3]
    x, y = np.where(one, x_one, x), np.where(one, y_one, y)
    result: Array = z + np.stack([x, y, x, y], axis=1)
    return result


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(
    ("condition", "test", "token"),
    [
        ("a.w < k", lambda w, k: w < k, "ifl"),
        ("a.w > k", lambda w, k: w > k, "ifl"),
        ("a.w == k", lambda w, k: w == k, "ife"),
        ("a.w != k", lambda w, k: w != k, "ine"),
        # No instruction tests whether x <= y: a mask does, or its opposite where there are two blocks.
        ("a.w <= k", lambda w, k: w <= k, "ine"),
    ],
)
@pytest.mark.parametrize("has_other", [False, True])
def test_conditions(condition: str, test: object, token: str, has_other: bool, version: int) -> None:
    assert callable(test)
    source = shader(f"if ({condition}) {_ONE}" + (f" else {_OTHER}" if has_other else ""))
    first, *_, last = conditions(source, version)
    assert (first, last) == ("ifl" if condition == "a.w <= k" and has_other else token, "eif")
    a, u = dyadic(1, LANES, 4) + 0.0625, dyadic(2, 4) / 2 + 0.25
    k = float(a[3, 3])
    found = run(build(source, "fragment", agal_version=version), {"a": a}, {"u": u, "k": k})
    wanted = expected(test(a[:, 3], k), a, u, has_other=has_other)
    assert np.allclose(found["gl_FragColor"], wanted, rtol=1e-5, atol=1e-5)


def test_version_1_has_none() -> None:
    assert conditions(shader(f"if (a.w < k) {_ONE} else {_OTHER}"), version=1) == []


def test_what_is_short_is_arithmetic() -> None:
    assert conditions(shader("if (a.w < k) x = 0.0;")) == []


def test_outputs_are_written_outside() -> None:
    """A colour that both blocks compute is written after them (runtime error 3751)."""
    source = (
        f"{_HEAD}void main() {{ float x; float y; vec4 z = a; if (a.w < k) {_ONE} else {_OTHER} gl_FragColor = z; }}"
    )
    artifact = compiled(source, "fragment", agal_version=2)
    depth, inside = 0, []
    for word in unpack(artifact.binary).words:
        token = decode(word)
        assert token is not None
        depth += {"if": 1, "end": -1}.get(token.instruction.role, 0)
        inside += [depth] if token.destination is not None and token.destination.type == OUTPUT else []
    assert inside == [0]


@pytest.mark.parametrize(("coordinates", "may_stand_inside"), [("a.xy", True), ("a.xy * 2.0", False)])
def test_lookups_in_blocks_take_varyings_only(coordinates: str, may_stand_inside: bool) -> None:
    source = shader(
        f"if (a.w < k) {{ z = texture2D(m, {coordinates}) * u; x = sin(z.x) * y; y = cos(z.y) * x; }} else {_OTHER}"
    )
    assert bool(conditions(source)) is may_stand_inside
    a, u = dyadic(3, LANES, 4) / 4, dyadic(4, 4)
    image = np.arange(64, dtype=np.uint8).reshape(4, 4, 4)
    results = [
        run(build(source, "fragment", agal_version=version), {"a": a}, {"u": u, "k": 0.25}, {"m": Texture(image)})
        for version in (1, 2)
    ]
    assert np.allclose(results[0]["gl_FragColor"], results[1]["gl_FragColor"], rtol=1e-5, atol=1e-5)


def test_derivatives_are_taken_outside() -> None:
    source = "#extension GL_OES_standard_derivatives : enable\n" + shader(
        f"if (a.w < k) {_ONE} else {{ z = dFdx(a) * u; x = sin(z.x); }}"
    )
    assert conditions(source) == []


def test_conditions_nest_four_deep() -> None:
    """Six conditions in each other: the validator, which judges every program, takes four."""
    deep = "".join(
        f"x = sin(x * u.x) + {n}.0; if (x > a.y * {n}.0) {{ y = cos(x) * y + u.y; z = z * y + a.wzyx;" for n in range(6)
    )
    source = shader(deep + "}" * 6)
    assert conditions(source).count("eif") > 0
    a, u = dyadic(5, LANES, 4) / 4 + 0.03, dyadic(6, 4) / 4 + 0.02
    built = build(source, "fragment", agal_version=2)
    found = run(built, {"a": a}, {"u": u, "k": 0.0})
    wanted = run_module(built.module, {"a": a}, {"u": u, "k": 0.0}, lanes=LANES)
    assert np.allclose(found["gl_FragColor"], wanted["gl_FragColor"], rtol=1e-5, atol=1e-5)


def test_what_one_block_leaves_undefined_may_be_read_by_another() -> None:
    """A component counts as written after a condition only if both blocks wrote it."""
    source = f"{_HEAD}void main() {{ vec4 z; float x; float y; if (a.w < k) {_ONE} gl_FragColor = a.w < k ? z : a; }}"
    a, u = dyadic(7, LANES, 4) + 0.0625, dyadic(8, 4) / 2 + 0.25
    found = run(build(source, "fragment", agal_version=2), {"a": a}, {"u": u, "k": 100.0})
    wanted = expected([True] * LANES, a, u, has_other=False)[:, :3]
    x = np.sin(a[:, 0] * u[0]) * a[:, 1] + u[1]
    y = np.cos(x) * u[2]
    assert np.allclose(found["gl_FragColor"][:, :3], wanted - np.stack([x, y, x], axis=1), rtol=1e-5, atol=1e-5)


UNBOUNDED = (
    "precision highp float; varying vec4 a; uniform int n;"
    "void main() { float s = 0.0; for (int i = 0; i < n; i++) s += a.x; gl_FragColor = vec4(s); }"
)


def test_loops_that_nothing_bounds_have_a_limit() -> None:
    a = dyadic(9, LANES, 4)
    for version, limit in ((1, 16), (2, 16), (1, 5)):
        built = build(UNBOUNDED, "fragment", agal_version=version, agal_loop_limit=limit)
        for count in (0, 1, limit):
            found = run(built, {"a": a}, {"n": count})
            assert np.array_equal(found["gl_FragColor"][:, 0], a[:, 0] * count)


def test_the_limit_of_loops_is_a_warning() -> None:
    (warning,) = compiled(UNBOUNDED, "fragment", agal_loop_limit=16).diagnostics
    assert (warning.code, warning.severity, warning.span is not None) == ("W0860", "warning", True)
    request = Request(target_options={"agal_loop_limit": 16})
    sink = DiagnosticSink(error_groups=frozenset({"agal-loop-limit"}))
    with pytest.raises(CompileError, match="W0860"):
        compile_source(make_source(UNBOUNDED, "test", "fragment"), load_target("agal"), request, sink)


def test_a_bounded_loop_needs_no_limit() -> None:
    bounded = UNBOUNDED.replace("i < n", "i < n && i < 3")
    assert compiled(bounded, "fragment").diagnostics == ()


def test_a_loop_that_counts_far_is_refused_not_cut() -> None:
    assert "not unrolled" in refusal(UNBOUNDED.replace("i < n", "i < 90000"), "fragment").message
